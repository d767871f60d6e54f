// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/dot_stuffing.h"
#include "protocol/common/failure.h"
#include "protocol/common/transcript.h"
#include "protocol/sasl/sasl_exchange.h"

#include <loadstone/time.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// What is timed on its own in a POP3 session. connect and tlsHandshake are the shell's.
enum class Pop3Verb : std::uint8_t {
    connect,
    banner,
    capa,
    stls,
    tlsHandshake,
    user,
    pass,
    apop,
    auth,
    stat,
    list,
    uidl,
    top,
    retr,
    dele,
    quit,
    // Of scripts alone:
    noop,
    rset
};
inline constexpr std::size_t kPop3Verbs = 18;
/// "POP3 RETR" and so on.
const char* toString(Pop3Verb verb);
/// What a command of a script is counted as: "RETR 1" as retr. One that is not known: as noop.
Pop3Verb pop3VerbOf(std::string_view command);

enum class Pop3Auth : std::uint8_t { automatic, userPass, apop, sasl };

struct Pop3Options {
    bool startTls = false;
    bool pipelining = false; ///< where the server offers it
    Pop3Auth auth = Pop3Auth::userPass;
    SaslOptions sasl;
};

enum class Pop3Visit : std::uint8_t {
    empty, ///< STAT (then LIST, else UIDL, to compare), then RETR and DELE of every message
    read, ///< UIDL (then STAT to compare), then RETR of every message
    list, ///< UIDL, then TOP n 0 of every message
};

struct Pop3Timing {
    Pop3Verb verb;
    MonoTime sent, done;
    bool good; ///< +OK
};

/// Takes the text of one message after another, without dot-stuffing.
class MessageSink {
public:
    virtual ~MessageSink() = default;
    virtual void begin() = 0;
    virtual void data(std::string_view text) = 0;
    virtual void end(MonoTime when) = 0; ///< the message is whole; a broken one gets no end
};

/// The client side of POP3 (RFC 1939, 2449, 2595, 5034) without sockets; see SmtpClient for how a shell drives it.
class Pop3Client {
public:
    static constexpr std::size_t kMaxLine = 4096;
    static constexpr std::uint64_t kMaxMessages =
        1'000'000; ///< more in one mailbox is taken for a broken server
    static constexpr std::size_t kMaxCapabilities = 65536; ///< bytes of an answer to CAPA
    static constexpr unsigned kWindow = 16; ///< pipelined retrievals under way

    /// `login` and `password` must live as long as the client.
    Pop3Client(const Pop3Options& options, std::string_view login, std::string_view password);

    void open(MonoTime connected, bool secure);
    /// Visits the mailbox; only when ready(). `sink` must live until the visit ends. `compares`: STAT and a listing are
    /// both asked, and whatever either of them has is read.
    void visit(Pop3Visit kind, MessageSink& sink, bool compares = false);
    /// Has the message of this number (from 1) deleted, which quit() carries out; only when ready().
    void remove(std::uint64_t number);
    void quit();
    void tlsEstablished();

    [[nodiscard]] std::string_view output() const noexcept { return m_out; }
    void written(MonoTime when);
    void received(std::string_view bytes, MonoTime when);
    void fail(FailureKind kind, int code, std::string text);

    [[nodiscard]] bool ready() const noexcept { return m_state == State::ready; }
    [[nodiscard]] bool wantsTls() const noexcept { return m_state == State::tls; }
    [[nodiscard]] bool closed() const noexcept { return m_state == State::closed; }
    [[nodiscard]] bool waiting() const noexcept { return !m_pending.empty() || m_body != Body::none; }
    /// QUIT and all deletions were answered with +OK: the messages read are gone.
    [[nodiscard]] bool committed() const noexcept { return m_committed && !m_deletionRefused; }
    /// The last visit saw every message that STAT or UIDL announced; one that compares, all that either announced.
    [[nodiscard]] bool readToEnd() const noexcept { return m_visited && m_done == m_messages; }
    /// How STAT and the listing of a visit that compares contradict each other; empty: not at all.
    [[nodiscard]] std::string contradiction() const;
    [[nodiscard]] std::uint64_t messages() const noexcept { return m_messages; }

    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    [[nodiscard]] Transcript& transcript() noexcept { return m_transcript; }
    [[nodiscard]] const std::vector<Pop3Timing>& timings() const noexcept { return m_timings; }
    void clearTimings() noexcept { m_timings.clear(); }

private:
    enum class State : std::uint8_t { idle, opening, tls, ready, visiting, quitting, closed };
    enum class Body : std::uint8_t { none, capabilities, listing, message };
    struct Pending {
        Pop3Verb verb;
        MonoTime sent;
        bool stamped;
    };

    void send(Pop3Verb verb, std::string_view line, bool secret = false);
    void onStatus(const Pending& pending, bool good, std::string_view text, MonoTime when);
    void onBody(std::string_view& bytes, MonoTime when);
    void onBodyEnd(MonoTime when);
    void onCapability(std::string_view line);
    void authenticate();
    void authenticateWith(SaslMechanism mechanism);
    void authenticateByDigest(); // APOP
    void onChallenge(std::string_view challenge);
    void endLogin(Pop3Verb verb, std::string text);
    void endLogin(); // as the exchange says
    [[nodiscard]] std::string shown(std::string_view reply) const; // without secrets
    void onAnnounced();
    void fillWindow();
    void endVisitWhenDone();
    void refuse(const Pending& pending, std::string_view text);
    void close();

    const Pop3Options& m_options;
    std::string_view m_login, m_password;
    State m_state = State::idle;
    std::deque<Pending> m_pending;
    std::string m_out, m_line;
    std::string m_timestamp; // of the greeting, for APOP
    bool m_secure = false, m_askedCapa = false, m_committed = false, m_deletionRefused = false,
         m_visited = false;
    bool m_canPipeline = false, m_canUser = false, m_listed = false; // m_listed: CAPA was answered
    SaslOffer m_offer;
    std::unique_ptr<SaslExchange> m_sasl; // while a login is under way
    // A multi-line reply under way.
    Body m_body = Body::none;
    Pending m_bodyOf {};
    DotUnstuffer m_unstuffer;
    std::string m_listLine;
    std::size_t m_listBytes = 0;
    // The visit.
    Pop3Visit m_visit = Pop3Visit::empty;
    MessageSink* m_sink = nullptr;
    std::uint64_t m_messages = 0, m_asked = 0, m_answered = 0, m_done = 0, m_listLines = 0;
    bool m_compares = false, m_askedBoth = false;
    std::optional<std::uint64_t> m_counted, m_named; // messages, by STAT and by the listing
    Failure m_failure;
    Transcript m_transcript;
    std::vector<Pop3Timing> m_timings;
};

} // namespace loadstone::protocol
