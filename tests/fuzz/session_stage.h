// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "protocol/sasl/sasl_exchange.h"

#include <loadstone/results.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

/// Whole sessions of the real client against a server that says what the fuzzer wants: the coroutines of engine/mail run as on
/// a load thread, over socket pairs in this process. socket(), connect() and epoll_wait() are this program's own while a
/// session plays (session_stage.cpp): a connection is a pair, and where the client would wait for the network the server has
/// its turn. So a session needs no thread, no port and no time, and the same input is the same session.
///
/// An input is a head, a byte 0x1e, and what the server says. The head's letters say which session it is and with which
/// options, see each target. What the server says are its bytes as they are, except for:
///
///   0x1e  the server waits here until the client waits for it; bytes without one of these between them come together
///   0x1d  likewise, but until the client has sent so many bytes more as the next byte says, times 8, if it sends them
///   0x1c  the server closes the connection
///   0x1f  what follows goes to the client's other connection, not to the one that was last used
///   0x1b  the client's time limit passes
///   0x1a  from here on the server's bytes are deflated, and the client's are taken to be
///   0x18  the user stops the run
///   0x01 to 0x04  the tag of the client's last IMAP command, or of the second, third, fourth last
///
/// A server that has said everything closes all connections.
namespace loadstone::fuzz {

/// Ends the program with these words: a finding.
[[noreturn]] void found(const std::string& what);

/// What came of a session, for the targets to look at.
struct Played {
    mail::JournalPages pages;
    std::uint64_t dots = 0; ///< lines of one dot that the client has sent: ends of messages over SMTP
    std::uint64_t bytes = 0; ///< that the client has sent
    PreparationTotals prepared; ///< counted
};

/// An input, taken apart.
struct SessionInput {
    SessionInput(const std::uint8_t* data, std::size_t size);
    [[nodiscard]] bool has(char letter) const { return head.find(letter) != std::string_view::npos; }

    std::string_view head; ///< without one there is no session
    std::string_view server; ///< what it says
};
/// The head's mechanism of logins: M CRAM-MD5, S SCRAM-SHA-256, else `usual`.
void chooseMechanism(const SessionInput& input, protocol::SaslOptions& sasl, protocol::SaslMechanism usual);

class SessionStage {
public:
    /// `plan`: its text; the profile "fuzz" is there. Made once: the setup's options may be changed between sessions.
    explicit SessionStage(const std::string& plan);
    ~SessionStage();

    [[nodiscard]] mail::MailSetup& setup() noexcept;
    /// Sockets take in little at once, so that the client has to wait while it writes.
    void setSmallBuffers(bool small) noexcept { m_smallBuffers = small; }

    using Session = std::function<mail::Task<void>(mail::WorkerContext&)>;
    /// Plays a session to its end. That it ends, throws nothing and keeps the password to itself is looked at here.
    Played play(std::string_view server, const Session& session);
    /// The preflight of the plan, without its search for limits.
    void preflight(std::string_view server);

private:
    struct State;
    std::unique_ptr<State> m_state;
    bool m_smallBuffers = false;
};

} // namespace loadstone::fuzz
