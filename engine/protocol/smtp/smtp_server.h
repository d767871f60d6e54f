// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/dot_stuffing.h"
#include "protocol/common/server_line.h"
#include "protocol/sasl/sasl.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone::protocol {

enum class SmtpCommand : std::uint8_t {
    Helo,
    Ehlo,
    Lhlo,
    StartTls,
    Auth,
    Mail,
    Rcpt,
    Data,
    EndOfData,
    Rset,
    Noop,
    Vrfy,
    Quit,
    Unknown
};
/// "MAIL"; the end of a message's text is "EOD", what is no command at all "?".
const char* nameOf(SmtpCommand verb) noexcept;

/// One command of the client, complete and waiting for its reply.
struct SmtpRequest {
    SmtpCommand verb = SmtpCommand::Unknown;
    std::uint64_t end = 0; ///< bytes of the session up to and with its last one
    bool valid = false; ///< false: bad syntax or sequence; accept() sends the fitting error
    std::string address; ///< Mail, Rcpt: without its angle brackets
    std::optional<Credentials> credentials; ///< Auth: complete, to be accepted or refused
};

/// The server's side of one SMTP or LMTP session (RFC 5321, 2033) with PIPELINING, SIZE, 8BITMIME,
/// ENHANCEDSTATUSCODES, AUTH PLAIN and LOGIN, STARTTLS. Sans-io: bytes in, requests out, and for each an
/// answer appended to a buffer. Requests come one at a time and in order; the caller may take as long as it
/// likes over each.
class SmtpServer {
public:
    struct Settings {
        bool lmtp = false;
        std::string domain = "load.test";
        bool startTls = false; ///< offered while the session is not encrypted
        std::uint64_t maxSize = 64U << 20; ///< bytes of one message
        std::size_t maxRecipients = 1000; ///< of one message
    };
    /// `settings` must outlive the session.
    explicit SmtpServer(const Settings& settings, bool encrypted = false)
        : m_settings(settings)
        , m_encrypted(encrypted)
    {
    }

    /// Appends the banner.
    void greet(std::string& out) const;
    void feed(std::string_view bytes);
    /// The oldest unanswered request, the same until it is answered; null when more bytes are needed.
    const SmtpRequest* next();

    /// Answers the request as its syntax and sequence demand, and acts on it. Returns the reply code.
    int accept(std::string& out);
    /// Answers with `reply` ("452 4.3.1 no room") and leaves the session as it was (a refused message is
    /// forgotten).
    int refuse(std::string& out, std::string_view reply);

    /// Whether the connection is to be closed once the replies are sent.
    [[nodiscard]] bool closing() const noexcept { return m_closing; }
    /// Whether the reply just given calls for the TLS handshake; true once. What the client sent ahead is
    /// gone.
    bool takeTlsRequest() noexcept;

    // The message: sender and recipients from their commands on, text at EndOfData.
    [[nodiscard]] const std::string& clientName() const noexcept { return m_clientName; }
    [[nodiscard]] const std::string& sender() const noexcept { return m_sender; }
    [[nodiscard]] const std::vector<std::string>& recipients() const noexcept { return m_recipients; }
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    /// Drops the text read so far and what follows of it: the message will be refused with 452.
    void refuseForSpace();

    [[nodiscard]] bool extended() const noexcept { return m_extended; }
    [[nodiscard]] bool encrypted() const noexcept { return m_encrypted; }
    /// Bytes fed and not yet used.
    [[nodiscard]] std::size_t backlog() const noexcept { return m_lines.rest().size(); }

private:
    enum class Mode : std::uint8_t { Commands, AuthPlain, AuthLoginUser, AuthLoginPassword, Text };
    enum class Size : std::uint8_t { Fits, TooLarge, NoSpace };

    void parse(const ServerLines::Line& line);
    void parseMail(std::string_view arguments);
    void parseRcpt(std::string_view arguments);
    void parseAuth(std::string_view arguments);
    void parseAuthLine(std::string_view line);
    std::size_t readText(std::string_view bytes);
    void invalid(const char* reply);
    int say(std::string& out, std::string_view reply);
    void act(std::string& out);
    void appendHelloReply(std::string& out);
    void forgetMessage();

    const Settings& m_settings;
    ServerLines m_lines;
    SmtpRequest m_request;
    bool m_pending = false;
    const char* m_error = nullptr; // the reply to an invalid request
    Mode m_mode = Mode::Commands, m_nextMode = Mode::Commands;
    bool m_encrypted, m_extended = false, m_greeted = false, m_authenticated = false;
    bool m_hasSender = false, m_tlsRequested = false, m_closing = false;
    unsigned m_errors = 0;
    std::string m_clientName, m_sender, m_loginUser, m_text;
    std::vector<std::string> m_recipients;
    DotUnstuffer m_unstuffer;
    Size m_size = Size::Fits;
    std::uint64_t m_declared = 0; // by MAIL's SIZE
};

} // namespace loadstone::protocol
