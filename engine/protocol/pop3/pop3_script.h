// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/pop3/pop3_client.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// The commands of a script, one after another over a session that a Pop3Client has logged in; without sockets, see SmtpClient for
/// how a shell drives it. It leaves it to the caller whether a status is the expected one. A reply that comes unasked or before its
/// command has been sent ends the session. One thread at a time.
class Pop3Script {
public:
    /// `transcript`: the session's so far; `sink` takes the messages that RETR fetches. Both must outlive it.
    Pop3Script(Transcript& transcript, MessageSink& sink);

    /// Sends one line; only when ready(). `message`: the number that the line has, from 1; 0: none.
    void command(Pop3Verb verb, std::string_view line, std::uint64_t message = 0);
    void quit(); ///< only when ready()

    [[nodiscard]] std::string_view output() const noexcept { return m_out; }
    void written(MonoTime when);
    void received(std::string_view bytes, MonoTime when);
    void fail(FailureKind kind, int code, std::string text);

    static constexpr std::uint64_t kMaxListing = 1ULL << 28; ///< bytes of a listing

    [[nodiscard]] bool ready() const noexcept
    {
        return m_state == State::ready;
    } ///< the last command is answered
    [[nodiscard]] bool closed() const noexcept { return m_state == State::closed; }
    [[nodiscard]] bool waiting() const noexcept { return m_due; }
    [[nodiscard]] static bool wantsTls() noexcept { return false; } // that is behind
    void tlsEstablished() { }

    /// The reply to the last command: +OK, and its words.
    [[nodiscard]] bool good() const noexcept { return m_good; }
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    /// How many messages the mailbox has, by the last STAT, LIST or UIDL. None: not told.
    [[nodiscard]] std::optional<std::uint64_t> messages() const noexcept { return m_messages; }
    /// The server has promised to delete it, and QUIT was answered with +OK.
    [[nodiscard]] bool gone(std::uint64_t message) const;
    /// Numbers of the messages that the sink has got to their end, in that order.
    [[nodiscard]] const std::vector<std::uint64_t>& fetched() const noexcept { return m_fetched; }

    /// What ended the session, other than QUIT.
    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    [[nodiscard]] Transcript& transcript() noexcept { return m_transcript; }
    [[nodiscard]] const std::vector<Pop3Timing>& timings() const noexcept { return m_timings; }
    void clearTimings() noexcept { m_timings.clear(); }

private:
    enum class State : std::uint8_t { ready, commanded, quitting, closed };
    enum class Body : std::uint8_t { none, lines, headers, message };

    void onStatus(std::string_view line, MonoTime when);
    void onBody(std::string_view& bytes, MonoTime when);
    void onEnd(bool good, MonoTime when);
    void close();

    Transcript& m_transcript;
    MessageSink& m_sink;
    State m_state = State::ready;
    Pop3Verb m_verb = Pop3Verb::noop; // the last command
    bool m_lists = false; // it asks for all messages
    std::uint64_t m_message = 0; // that it names
    MonoTime m_sent {};
    bool m_stamped = false, m_due = false;
    std::string m_out, m_line;
    Body m_body = Body::none;
    DotUnstuffer m_unstuffer;
    std::uint64_t m_listLines = 0, m_listBytes = 0;
    bool m_good = false, m_committed = false;
    std::string m_text;
    std::optional<std::uint64_t> m_messages;
    std::vector<std::uint64_t> m_fetched, m_deleted; // m_deleted: sorted
    Failure m_failure;
    std::vector<Pop3Timing> m_timings;
};

} // namespace loadstone::protocol
