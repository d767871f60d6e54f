// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/smtp/smtp_client.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// The commands of a script, one after another over a session that a SmtpClient has opened; without sockets, see there for how a
/// shell drives it. It keeps what the server has accepted, and leaves it to the caller whether a reply is the expected one. A reply
/// that comes unasked, before its command has been sent, or before all of a message has been sent, ends the session: what it answers
/// is not known. One thread at a time.
class SmtpScript {
public:
    /// `transcript`: the session's so far; must outlive it.
    SmtpScript(Transcript& transcript, bool lmtp);

    /// Sends one line; only when ready() and not takesMessage(). MAIL begins a transaction, each RCPT adds a recipient to it.
    void command(SmtpVerb verb, std::string_view line);
    /// Sends the message; only when takesMessage(). `pieces` as those of SmtpEnvelope; they must live until it is ready() or closed().
    void message(std::span<const std::string_view> pieces, std::size_t size);
    /// Only when ready() and not takesMessage().
    void quit();

    std::span<const std::string_view> output();
    void written(MonoTime when);
    /// Of what was just written: the server had said something before all of it was sent.
    void answeredEarly() noexcept { m_early = true; }
    void received(std::string_view bytes, MonoTime when);
    void fail(FailureKind kind, int code, std::string text);

    [[nodiscard]] bool ready() const noexcept
    {
        return m_state == State::ready;
    } ///< the last command is answered
    [[nodiscard]] bool closed() const noexcept { return m_state == State::closed; }
    [[nodiscard]] bool waiting() const noexcept { return m_due > 0; }
    [[nodiscard]] static bool wantsTls() noexcept { return false; } // that is behind
    void tlsEstablished() { }
    /// The server waits for a message (354): nothing else can be sent.
    [[nodiscard]] bool takesMessage() const noexcept { return m_takesMessage; }

    /// The reply to the last command. With LMTP, to a message: the worst one.
    [[nodiscard]] int code() const noexcept { return m_code; }
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }

    /// Which recipients of the transaction have accepted the message, in the order of the RCPTs. All false before the message has been
    /// answered.
    [[nodiscard]] const std::vector<bool>& accepted() const noexcept { return m_accepted; }
    [[nodiscard]] std::size_t acceptedCount() const noexcept { return m_acceptedCount; }
    [[nodiscard]] MonoTime acceptedAt() const noexcept { return m_acceptedAt; }
    /// For which of them it is not known: the message was sent, and the session ended without an answer to it.
    [[nodiscard]] const std::vector<bool>& undecided() const noexcept { return m_undecided; }
    [[nodiscard]] bool uncertain() const noexcept { return m_uncertain; }

    /// What ended the session, other than QUIT.
    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    [[nodiscard]] Transcript& transcript() noexcept { return m_transcript; }
    [[nodiscard]] const std::vector<SmtpTiming>& timings() const noexcept { return m_timings; }
    void clearTimings() noexcept { m_timings.clear(); }

private:
    enum class State : std::uint8_t { ready, commanded, quitting, closed };

    void send(SmtpVerb verb, std::string_view line);
    void onReply(MonoTime when);
    void onMessageReply(MonoTime when);
    void close();

    Transcript& m_transcript;
    bool m_lmtp;
    State m_state = State::ready;
    SmtpReplyParser m_parser;
    SmtpVerb m_verb = SmtpVerb::noop; // the last command
    MonoTime m_sent {};
    bool m_stamped = false; // it has been sent
    std::size_t m_due = 0; // replies
    std::string m_out;
    std::span<const std::string_view> m_body;
    std::vector<std::string_view> m_pieces;
    bool m_takesMessage = false, m_uncertain = false, m_early = false;
    int m_code = 0;
    std::string m_text;
    // The transaction.
    std::vector<bool> m_taken; // recipients, by the replies to RCPT
    std::vector<std::size_t> m_order; // those that were taken: LMTP answers for each
    std::size_t m_answered = 0; // of these
    std::vector<bool> m_accepted, m_undecided;
    std::size_t m_acceptedCount = 0;
    MonoTime m_acceptedAt {};
    Failure m_failure;
    std::vector<SmtpTiming> m_timings;
};

} // namespace loadstone::protocol
