// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/server_line.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::protocol {

enum class Pop3Command : std::uint8_t {
    Capa,
    Stls,
    User,
    Pass,
    Apop,
    Auth,
    Stat,
    List,
    Uidl,
    Top,
    Retr,
    Dele,
    Noop,
    Rset,
    Quit,
    Unknown
};
/// "RETR"; "?" for what is no command.
const char* nameOf(Pop3Command verb) noexcept;

/// One command of the client, complete and waiting for its reply.
struct Pop3Request {
    enum class Needs : std::uint8_t {
        Nothing, ///< accept() answers it
        Login, ///< acceptLogin() or refuse(): check the user and proves()
        Content, ///< acceptContent() with the text of message `uid`
    };
    Pop3Command verb = Pop3Command::Unknown;
    std::uint64_t end = 0; ///< bytes of the session up to and with its last one
    Needs needs = Needs::Nothing;
    std::string user; ///< Login
    std::uint64_t uid = 0; ///< Content
};

struct Pop3Message {
    std::uint64_t uid = 0;
    std::uint64_t size = 0; ///< octets, CRLF line ends, before stuffing
    bool deleted = false;
};

/// The server's side of one POP3 session (RFC 1939, 2449, 2595, 5034). Sans-io: bytes in, requests out, and
/// for each an answer appended to a buffer. Requests come one at a time and in order.
class Pop3Server {
public:
    struct Settings {
        std::string domain = "load.test";
        bool startTls = false; ///< STLS is offered while the session is not encrypted
    };
    /// `settings` must outlive the session. An empty `timestamp` ("<1.2@host>") switches APOP off.
    Pop3Server(const Settings& settings, std::string timestamp, bool encrypted = false)
        : m_settings(settings)
        , m_timestamp(std::move(timestamp))
        , m_encrypted(encrypted)
    {
    }

    /// Appends the banner.
    void greet(std::string& out) const;
    void feed(std::string_view bytes) { m_lines.feed(bytes); }
    /// The oldest unanswered request, the same until it is answered; null when more bytes are needed.
    const Pop3Request* next();

    /// Whether the client of a request that needs Login knows `password`.
    [[nodiscard]] bool proves(std::string_view password) const;
    // Each answers the pending request and returns whether the reply is +OK.
    bool accept(std::string& out);
    bool acceptLogin(std::string& out, std::vector<Pop3Message> messages);
    bool acceptContent(std::string& out, std::string_view text);
    /// `reply` without its "-ERR": "[IN-USE] mailbox is locked".
    bool refuse(std::string& out, std::string_view reply);

    /// Whether QUIT was answered in a transaction: the messages marked as deleted are to be removed.
    [[nodiscard]] bool updating() const noexcept { return m_state == State::Update; }
    [[nodiscard]] const std::vector<Pop3Message>& messages() const noexcept { return m_messages; }
    [[nodiscard]] bool closing() const noexcept { return m_closing; }
    /// Whether the reply just given calls for the TLS handshake; true once. What the client sent ahead is
    /// gone.
    bool takeTlsRequest() noexcept { return std::exchange(m_tlsRequested, false); }
    [[nodiscard]] std::size_t backlog() const noexcept { return m_lines.rest().size(); }

private:
    enum class State : std::uint8_t { Authorization, Transaction, Update };

    void parse(const ServerLines::Line& line);
    void parsePlain(std::string_view message);
    void parseNumber(std::string_view arguments);
    void invalid(const char* reply) { m_error = reply; }
    void act(std::string& out);
    void appendCapabilities(std::string& out) const;
    void appendListing(std::string& out) const;
    void appendEntry(std::string& out, std::size_t index) const;

    const Settings& m_settings;
    std::string m_timestamp;
    ServerLines m_lines;
    Pop3Request m_request;
    bool m_pending = false, m_encrypted, m_tlsRequested = false, m_closing = false, m_awaitsPlain = false;
    const char* m_error = nullptr; // the reply to an invalid request
    State m_state = State::Authorization;
    unsigned m_errors = 0;
    std::string m_user, m_secret; // of USER; password or APOP digest of the request
    bool m_digest = false; // m_secret is one
    bool m_hasNumber = false;
    std::size_t m_index = 0; // of the message that the request names
    std::uint64_t m_lineCount = 0; // of TOP
    std::vector<Pop3Message> m_messages;
};

} // namespace loadstone::protocol
