// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/deflate.h"
#include "protocol/common/failure.h"
#include "protocol/common/transcript.h"
#include "protocol/imap/imap_response.h"
#include "protocol/imap/imap_verb.h"
#include "protocol/sasl/sasl_exchange.h"

#include <loadstone/time.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

enum class ImapAuth : std::uint8_t { automatic, login, sasl }; ///< login: the command of that name

struct ImapOptions {
    bool startTls = false;
    ImapAuth auth = ImapAuth::automatic;
    SaslOptions sasl;
};

struct ImapTiming {
    ImapVerb verb;
    MonoTime sent, done;
    bool good; ///< OK
};

/// How a command ended. Views hold until the call returns.
struct ImapEnd {
    ImapVerb verb = ImapVerb::noop;
    std::uint32_t tag = 0; ///< as command() gave it
    ImapCondition condition = ImapCondition::ok;
    std::string_view code, codeArguments, text;
};

/// Takes what the server tells once a session is ready(). Calls come while received() runs.
class ImapListener {
public:
    virtual ~ImapListener() = default;
    /// Data of any kind, asked for or not ("* 12 EXISTS", "* LIST …", "* 3 FETCH …" after its bodies).
    virtual void data(const ImapText& text, const ImapResponse& response) = 0;
    /// Bytes of a body that FETCH brings; `soFar` is the response before it.
    virtual void body(std::string_view soFar, std::string_view piece, bool begins, bool ends) = 0;
    virtual void ended(const ImapEnd& end, MonoTime when) = 0;
};

/// The client side of IMAP (RFC 3501, RFC 9051) without sockets; see SmtpClient for how a shell drives it. Commands may be
/// sent before earlier ones are answered, each has its own clock by its tag.
class ImapClient {
public:
    /// `login` and `password` must live as long as the client.
    ImapClient(const ImapOptions& options, std::string_view login, std::string_view password);

    void open(MonoTime connected, bool secure);
    void tlsEstablished();
    /// Gets what comes from now on; none: it is read and dropped. Must outlive its use.
    void listen(ImapListener* listener) noexcept { m_listener = listener; }

    /// Sends "TAG text"; only when ready() and not mayNotSend(). Gives the tag's number.
    std::uint32_t command(ImapVerb verb, std::string_view text);
    /// APPEND of a message in `pieces`, `size` bytes in all; they must live until it is written. `flags`: "\Seen \Draft".
    std::uint32_t append(std::string_view mailbox, std::string_view flags,
        std::span<const std::string_view> pieces, std::uint64_t size);
    /// COMPRESS (RFC 4978): once it is answered with OK, all that is said is deflated. Nothing else may be under way.
    std::uint32_t compress();
    /// Begins to wait for news; ends with done(), whose answer ends the command. Its clock runs from done() on.
    std::uint32_t idle();
    void done();
    void logout();

    std::span<const std::string_view> output();
    void written(MonoTime when);
    void received(std::string_view bytes, MonoTime when);
    void fail(FailureKind kind, int code, std::string text);

    /// Logged in, and no command under way.
    [[nodiscard]] bool ready() const noexcept { return m_state == State::ready && m_pending.empty(); }
    /// A command waits for the server's leave to send its literal, or IDLE lasts.
    [[nodiscard]] bool mayNotSend() const noexcept { return m_waitsFor != Continuation::none || m_idling; }
    [[nodiscard]] bool compressed() const noexcept { return m_compression != nullptr; }
    [[nodiscard]] bool idling() const noexcept { return m_idling; }
    [[nodiscard]] bool wantsTls() const noexcept { return m_state == State::tls; }
    [[nodiscard]] bool closed() const noexcept { return m_state == State::closed; }
    [[nodiscard]] bool waiting() const noexcept { return !m_pending.empty(); } ///< a reply is due
    /// "IDLE", "MOVE", "UIDPLUS": as the server last listed them, or as IMAP4rev2 has it built in; any spelling.
    [[nodiscard]] bool can(std::string_view capability) const;

    /// The first failure: of the opening, of a command (NO, BAD), or of the session.
    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    void forgetFailure() { m_failure = {}; }
    [[nodiscard]] Transcript& transcript() noexcept { return m_transcript; }
    [[nodiscard]] const std::vector<ImapTiming>& timings() const noexcept { return m_timings; }
    void clearTimings() noexcept { m_timings.clear(); }

private:
    enum class State : std::uint8_t { idle, opening, tls, ready, closed };
    enum class Continuation : std::uint8_t { none, challenge, literal, idle };
    struct Pending {
        ImapVerb verb;
        std::uint32_t tag;
        MonoTime sent;
        bool stamped;
    };

    std::uint32_t send(ImapVerb verb, std::string_view text, std::string_view shown);
    [[nodiscard]] std::string shown(std::string_view reply) const; // without secrets
    [[nodiscard]] const char* dueBefore(const Pending& command, bool good) const;
    void hear(std::string_view& bytes, MonoTime when);
    void onResponse(MonoTime when);
    void onCondition(const ImapResponse& response, MonoTime when);
    void onGreeting(const ImapResponse& response, MonoTime when);
    void onContinuation(std::string_view text);
    void onEnd(ImapVerb verb, const ImapResponse& response);
    void afterCapabilities();
    void logIn();
    void endLogin(); // as the exchange says
    void end(FailureKind kind, ImapVerb verb, std::string text);
    void close();

    const ImapOptions& m_options;
    std::string_view m_login, m_password;
    ImapReader m_reader;
    ImapListener* m_listener = nullptr;
    std::deque<Pending> m_pending;
    std::uint32_t m_lastTag = 0;
    std::uint32_t m_asking = 0; // tag of the command that last asked for the server's leave
    std::string m_out;
    std::vector<std::string_view> m_pieces;
    std::span<const std::string_view> m_literal; // of the APPEND under way, until it is written: the caller's
    State m_state = State::idle;
    Continuation m_waitsFor = Continuation::none;
    bool m_literalDue = false, m_answerDue = false; // it has leave, and what for is not written yet
    bool m_secure = false, m_loggedIn = false, m_idling = false;
    std::unique_ptr<SaslExchange> m_sasl; // while a login is under way
    std::string m_capabilities; // " IMAP4REV1 IDLE ", in capitals
    struct Compression {
        DeflateReader in;
        DeflateWriter out;
        std::string packed; // what output() has given
    };
    std::unique_ptr<Compression> m_compression;
    Failure m_failure;
    Transcript m_transcript;
    std::vector<ImapTiming> m_timings;
};

/// A quoted string (RFC 9051, 4.3), for names and passwords without line ends.
std::string imapQuoted(std::string_view text);

} // namespace loadstone::protocol
