// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/failure.h"
#include "protocol/common/transcript.h"
#include "protocol/sasl/sasl_exchange.h"
#include "protocol/smtp/smtp_reply.h"

#include <loadstone/time.h>

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// What is timed on its own in an SMTP session. connect and tlsHandshake are the shell's.
enum class SmtpVerb : std::uint8_t {
    connect,
    banner,
    hello,
    startTls,
    tlsHandshake,
    auth,
    mailFrom,
    rcptTo,
    data,
    endOfData,
    rset,
    quit,
    // Of scripts alone:
    noop,
    vrfy,
    expn,
    help
};
inline constexpr std::size_t kSmtpVerbs = 16;
/// "SMTP RCPT" and so on; LMTP shares the names.
const char* toString(SmtpVerb verb);
/// What a command of a script is counted as: "RCPT TO:<a>" as rcptTo. One that is not known: as noop.
SmtpVerb smtpVerbOf(std::string_view command);

enum class SmtpAuth : std::uint8_t { none, automatic, sasl };

struct SmtpOptions {
    bool lmtp = false;
    bool startTls = false;
    bool pipelining = false; ///< where the server offers it
    SmtpAuth auth = SmtpAuth::none;
    SaslOptions sasl;
    std::string helloName = "loadstone.invalid";
};

/// One message to submit. The views must live until the submission ends.
struct SmtpEnvelope {
    std::string_view sender; ///< without angle brackets
    std::span<const std::string> recipients;
    std::span<const std::string_view> pieces; ///< the message: CRLF line ends, dots stuffed, ends with CRLF
    std::size_t size = 0; ///< bytes of the message without the stuffing
    bool onlyAsks = false; ///< sender and recipients, and then RSET: no message
    bool noReports =
        false; ///< where the server offers that (RFC 3461): nobody is told of a delivery that fails
};

/// A command with its two clocks.
struct SmtpTiming {
    SmtpVerb verb;
    MonoTime sent, done;
    int code;
};

/// The client side of SMTP and LMTP without sockets: bytes and times in, bytes and timings out. The shell connects,
/// writes output(), hands received bytes to received(), does the TLS handshake when wantsTls(), and calls fail()
/// when the connection ends. One thread at a time.
class SmtpClient {
public:
    /// `login` and `password` must live as long as the client.
    SmtpClient(const SmtpOptions& options, std::string_view login, std::string_view password);

    /// The connection stands: waits for the banner. `secure`: TLS is on already.
    void open(MonoTime connected, bool secure);
    /// Begins a transaction; only when ready(). With `thenQuit` a pipelining client says QUIT along with the message.
    void submit(const SmtpEnvelope& envelope, bool thenQuit);
    void quit();
    /// After wantsTls(): the handshake is done; anything received before it has been thrown away.
    void tlsEstablished();

    /// What to write now, in order; empty when there is nothing. Call written() when the write has begun.
    std::span<const std::string_view> output();
    void written(MonoTime when);
    /// Of what was just written: the server had said something before all of it was sent.
    void answeredEarly() noexcept { m_early = m_uncertain; }
    /// Takes bytes off the wire.
    void received(std::string_view bytes, MonoTime when);
    /// The connection ended or a time limit passed.
    void fail(FailureKind kind, int code, std::string text);

    [[nodiscard]] bool ready() const noexcept
    {
        return m_state == State::ready;
    } ///< logged in, no transaction
    [[nodiscard]] bool wantsTls() const noexcept { return m_state == State::tls; }
    [[nodiscard]] bool closed() const noexcept
    {
        return m_state == State::closed;
    } ///< over: QUIT answered or failed
    [[nodiscard]] bool eightBit() const noexcept { return m_canEightBit; } ///< the server takes 8-bit text
    [[nodiscard]] bool waiting() const noexcept { return !m_pending.empty(); } ///< a reply is due

    /// The last transaction: which recipients took the message (in order of the envelope); none: not accepted.
    [[nodiscard]] const std::vector<bool>& accepted() const noexcept { return m_accepted; }
    [[nodiscard]] std::size_t acceptedCount() const noexcept { return m_acceptedCount; }
    [[nodiscard]] MonoTime acceptedAt() const noexcept { return m_acceptedAt; }
    /// The body was sent but no reply to it seen: the server may or may not have taken it.
    [[nodiscard]] bool uncertain() const noexcept { return m_uncertain; }
    /// For which recipients that is so (in order of the envelope). With LMTP, where each has a reply of its own, others
    /// may have been decided before.
    [[nodiscard]] const std::vector<bool>& undecided() const noexcept { return m_undecided; }
    /// The first failure of the session's opening or of the last transaction.
    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    [[nodiscard]] Transcript& transcript() noexcept { return m_transcript; }

    /// Timings since the last clearTimings().
    [[nodiscard]] const std::vector<SmtpTiming>& timings() const noexcept { return m_timings; }
    void clearTimings() noexcept { m_timings.clear(); }

private:
    enum class State : std::uint8_t { idle, opening, tls, ready, transaction, resetting, quitting, closed };
    struct Pending {
        SmtpVerb verb;
        MonoTime sent;
        bool stamped;
    };

    void send(SmtpVerb verb, std::initializer_list<std::string_view> words);
    void sendHello();
    void expect(SmtpVerb verb) { m_pending.push_back({ verb, {}, false }); }
    void onReply(SmtpVerb verb, int code, const std::string& text, MonoTime when);
    void onHello(int code, const std::string& text);
    void onAuth(int code, const std::string& text);
    void endLogin(int code);
    void onRecipient(int code, const std::string& text);
    void onData(int code, const std::string& text);
    void onEndOfData(int code, const std::string& text, MonoTime when);
    void authenticateOrReady();
    void sendRecipient();
    void nextRecipientOrData();
    void endTransaction();
    void leaveUndecided();
    void note(SmtpVerb verb, int code, const std::string& text);
    void close();

    const SmtpOptions& m_options;
    std::string_view m_login, m_password;
    State m_state = State::idle;
    SmtpReplyParser m_parser;
    std::deque<Pending> m_pending;
    std::string m_out;
    std::vector<std::string_view> m_pieces;
    bool m_bodyDue = false;
    bool m_secure = false;
    bool m_triedHelo = false;
    std::unique_ptr<SaslExchange> m_sasl; // while a login is under way
    // What the server offers.
    bool m_canPipeline = false, m_canSize = false, m_canEightBit = false, m_canStartTls = false,
         m_canReport = false;
    SaslOffer m_offer;
    // The transaction.
    SmtpEnvelope m_envelope;
    std::size_t m_nextRecipient = 0, m_answered = 0, m_acceptedCount = 0, m_lmtpDue = 0;
    bool m_pipelined = false, m_thenQuit = false, m_uncertain = false, m_early = false, m_abandoned = false;
    std::vector<bool> m_accepted, m_undecided;
    std::vector<std::size_t> m_lmtpOrder;
    MonoTime m_acceptedAt {};
    Failure m_failure;
    Transcript m_transcript;
    std::vector<SmtpTiming> m_timings;
};

} // namespace loadstone::protocol
