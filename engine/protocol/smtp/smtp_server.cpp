// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/smtp/smtp_server.h"

#include "base/append_format.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace loadstone::protocol {

namespace {

constexpr std::array<const char*, 14> kSmtpCommands { "HELO", "EHLO", "LHLO", "STARTTLS", "AUTH", "MAIL",
    "RCPT", "DATA", "EOD", "RSET", "NOOP", "VRFY", "QUIT", "?" };
constexpr unsigned kMostSmtpErrors = 100; // of one session, which ends then
constexpr std::size_t kMaxAddress = 320; // 64 octets of local part, "@", 255 of domain

SmtpCommand smtpCommandOf(std::string_view word)
{
    for (std::size_t i = 0; i < kSmtpCommands.size(); ++i)
        if (static_cast<SmtpCommand>(i) != SmtpCommand::EndOfData
            && equalsIgnoringCase(word, kSmtpCommands[i]))
            return static_cast<SmtpCommand>(i);
    return SmtpCommand::Unknown;
}

/// Takes "<address>" from the front; nothing when there is none.
std::optional<std::string_view> takePath(std::string_view& text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    if (!text.starts_with('<'))
        return std::nullopt;
    bool quoted = false;
    for (std::size_t i = 1; i < text.size() && i <= kMaxAddress + 1; ++i) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (text[i] == '\\' && quoted)
            ++i;
        else if (text[i] == '>' && !quoted) {
            const auto path = text.substr(1, i - 1);
            text.remove_prefix(i + 1);
            return path;
        } else if (static_cast<unsigned char>(text[i]) < ' ' || (text[i] == '<' && !quoted))
            return std::nullopt;
    }
    return std::nullopt;
}

bool startsWithIgnoringCase(std::string_view text, std::string_view prefix)
{
    return text.size() >= prefix.size() && equalsIgnoringCase(text.substr(0, prefix.size()), prefix);
}

} // namespace

const char* nameOf(SmtpCommand verb) noexcept
{
    return kSmtpCommands[static_cast<std::size_t>(verb)];
}

void SmtpServer::greet(std::string& out) const
{
    appendFormat(
        out, "220 {} {} Loadstone target\r\n", m_settings.domain, m_settings.lmtp ? "LMTP" : "ESMTP");
}

void SmtpServer::feed(std::string_view bytes)
{
    if (m_mode == Mode::Text && !m_pending && m_lines.rest().empty()) {
        // The quick way: text goes where it belongs without a stop in the line buffer.
        const std::size_t used = readText(bytes);
        m_lines.skip(used);
        bytes.remove_prefix(used);
    }
    if (!bytes.empty())
        m_lines.feed(bytes);
}

std::size_t SmtpServer::readText(std::string_view bytes)
{
    const std::size_t used = m_unstuffer.feed(bytes, [this](std::string_view piece) {
        if (m_size != Size::Fits)
            return;
        m_text += piece;
        if (m_text.size() > m_settings.maxSize) {
            m_size = Size::TooLarge;
            m_text = std::string(); // gives its memory back, unlike clear()
        }
    });
    return used;
}

void SmtpServer::refuseForSpace()
{
    m_size = Size::NoSpace;
    m_text = std::string();
}

const SmtpRequest* SmtpServer::next()
{
    if (m_pending)
        return &m_request;
    if (m_closing)
        return nullptr;
    m_request.address.clear();
    m_request.credentials.reset();
    m_request.valid = true;
    m_error = nullptr;
    if (m_mode == Mode::Text) {
        if (!m_unstuffer.done())
            m_lines.take(readText(m_lines.rest()));
        if (!m_unstuffer.done())
            return nullptr;
        m_request.verb = SmtpCommand::EndOfData;
        m_request.end = m_lines.taken();
        m_nextMode = Mode::Commands;
        if (m_size != Size::Fits)
            invalid(m_size == Size::TooLarge ? "552 5.3.4 Message too large"
                                             : "452 4.3.1 Insufficient system storage");
    } else {
        const auto line = m_lines.next();
        if (!line)
            return nullptr;
        m_request.end = line->end;
        parse(*line);
    }
    m_pending = true;
    return &m_request;
}

void SmtpServer::invalid(const char* reply)
{
    m_request.valid = false;
    m_error = reply;
}

void SmtpServer::parse(const ServerLines::Line& line)
{
    m_nextMode = Mode::Commands;
    if (m_mode != Mode::Commands) {
        m_request.verb = SmtpCommand::Auth;
        return line.tooLong ? invalid("500 5.5.6 Authentication exchange line is too long")
                            : parseAuthLine(line.text);
    }
    m_request.verb = SmtpCommand::Unknown;
    if (line.tooLong)
        return invalid("500 5.5.2 Line too long");
    const auto [word, arguments] = splitCommand(line.text);
    m_request.verb = smtpCommandOf(word);
    switch (m_request.verb) {
    case SmtpCommand::Helo:
    case SmtpCommand::Ehlo:
    case SmtpCommand::Lhlo:
        if ((m_request.verb == SmtpCommand::Lhlo) != m_settings.lmtp)
            return invalid("500 5.5.1 Wrong greeting for this protocol");
        if (arguments.empty() || arguments.size() > 255)
            return invalid("501 5.5.4 A host name is expected");
        m_request.address = arguments;
        return;
    case SmtpCommand::StartTls:
        if (!m_settings.startTls || m_encrypted)
            return invalid("503 5.5.1 TLS is not available now");
        return arguments.empty() ? void() : invalid("501 5.5.4 No arguments are expected");
    case SmtpCommand::Auth:
        return parseAuth(arguments);
    case SmtpCommand::Mail:
        return parseMail(arguments);
    case SmtpCommand::Rcpt:
        return parseRcpt(arguments);
    case SmtpCommand::Data:
        if (!m_hasSender)
            return invalid("503 5.5.1 MAIL first");
        if (m_recipients.empty())
            return invalid("554 5.5.1 No valid recipients");
        return arguments.empty() ? void() : invalid("501 5.5.4 No arguments are expected");
    case SmtpCommand::Vrfy:
        return arguments.empty() ? invalid("501 5.5.4 A name is expected") : void();
    case SmtpCommand::Rset:
    case SmtpCommand::Noop:
    case SmtpCommand::Quit:
    case SmtpCommand::EndOfData:
        return;
    case SmtpCommand::Unknown:
        return invalid("500 5.5.2 Command not recognised");
    }
}

void SmtpServer::parseMail(std::string_view arguments)
{
    if (!m_greeted)
        return invalid(m_settings.lmtp ? "503 5.5.1 LHLO first" : "503 5.5.1 EHLO first");
    if (m_hasSender)
        return invalid("503 5.5.1 Nested MAIL command");
    if (!startsWithIgnoringCase(arguments, "FROM:"))
        return invalid("501 5.5.4 Syntax: MAIL FROM:<address>");
    arguments.remove_prefix(5);
    const auto path = takePath(arguments);
    if (!path || (!arguments.empty() && !arguments.starts_with(' ')))
        return invalid("501 5.1.7 Bad sender address syntax");
    m_request.address = *path;
    m_declared = 0;
    while (!arguments.empty()) {
        const auto [parameter, rest] = splitCommand(arguments.substr(arguments.find_first_not_of(' ')));
        if (startsWithIgnoringCase(parameter, "SIZE=")) {
            std::uint64_t size = 0;
            const auto digits = parameter.substr(5);
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size);
            if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
                return invalid("501 5.5.4 Bad SIZE value");
            if (size > m_settings.maxSize)
                return invalid("552 5.3.4 Message size exceeds the limit");
            m_declared = size;
        } else if (!equalsIgnoringCase(parameter, "BODY=7BIT")
            && !equalsIgnoringCase(parameter, "BODY=8BITMIME")
            && !startsWithIgnoringCase(parameter, "AUTH=")) {
            return invalid("555 5.5.4 Unsupported parameter");
        }
        arguments = rest;
    }
}

void SmtpServer::parseRcpt(std::string_view arguments)
{
    if (!m_hasSender)
        return invalid("503 5.5.1 MAIL first");
    if (!startsWithIgnoringCase(arguments, "TO:"))
        return invalid("501 5.5.4 Syntax: RCPT TO:<address>");
    arguments.remove_prefix(3);
    const auto path = takePath(arguments);
    if (!path || path->empty())
        return invalid("501 5.1.3 Bad recipient address syntax");
    if (!arguments.empty())
        return invalid("555 5.5.4 Unsupported parameter");
    if (m_recipients.size() >= m_settings.maxRecipients)
        return invalid("452 4.5.3 Too many recipients");
    m_request.address = *path;
}

void SmtpServer::parseAuth(std::string_view arguments)
{
    if (!m_extended)
        return invalid("503 5.5.1 EHLO first");
    if (m_authenticated)
        return invalid("503 5.5.1 Already authenticated");
    if (m_hasSender)
        return invalid("503 5.5.1 Not during a mail transaction");
    const auto [mechanism, initial] = splitCommand(arguments);
    const bool plain = equalsIgnoringCase(mechanism, "PLAIN");
    if (!plain && !equalsIgnoringCase(mechanism, "LOGIN"))
        return invalid("504 5.5.4 Mechanism not supported");
    m_mode = plain ? Mode::AuthPlain : Mode::AuthLoginUser;
    if (initial.empty())
        m_nextMode = m_mode;
    else
        parseAuthLine(initial == "=" ? std::string_view() : initial);
}

void SmtpServer::parseAuthLine(std::string_view line)
{
    const Mode mode = m_mode;
    m_mode = Mode::Commands;
    if (line == "*")
        return invalid("501 5.7.0 Authentication cancelled");
    if (mode == Mode::AuthPlain) {
        m_request.credentials = parsePlainMessage(line);
        return m_request.credentials ? void() : invalid("501 5.5.2 Cannot decode the response");
    }
    auto word = base64Decode(line);
    if (!word)
        return invalid("501 5.5.2 Cannot decode the response");
    if (mode == Mode::AuthLoginUser) {
        m_loginUser = std::move(*word);
        m_nextMode = Mode::AuthLoginPassword;
    } else {
        m_request.credentials = Credentials { {}, std::move(m_loginUser), std::move(*word) };
        m_loginUser.clear();
    }
}

int SmtpServer::say(std::string& out, std::string_view reply)
{
    const int code = (reply[0] - '0') * 100 + (reply[1] - '0') * 10 + (reply[2] - '0');
    // LMTP answers the end of a message once for each recipient that it had accepted (RFC 2033, section 4.2).
    const bool perRecipient = m_settings.lmtp && m_request.verb == SmtpCommand::EndOfData;
    for (std::size_t n = perRecipient ? std::max<std::size_t>(1, m_recipients.size()) : 1; n > 0; --n) {
        out += reply;
        out += "\r\n";
    }
    if (code >= 500 && ++m_errors >= kMostSmtpErrors) {
        out += "421 4.7.0 Too many errors\r\n";
        m_closing = true;
    }
    return code;
}

int SmtpServer::accept(std::string& out)
{
    if (!m_request.valid)
        return refuse(out, m_error);
    const std::size_t from = out.size();
    act(out);
    m_pending = false;
    return (out[from] - '0') * 100 + (out[from + 1] - '0') * 10 + (out[from + 2] - '0');
}

int SmtpServer::refuse(std::string& out, std::string_view reply)
{
    const int code = say(out, reply);
    if (m_request.verb == SmtpCommand::EndOfData)
        forgetMessage();
    m_mode = Mode::Commands;
    m_closing = m_closing || code == 421;
    m_pending = false;
    return code;
}

void SmtpServer::act(std::string& out)
{
    m_mode = m_nextMode;
    switch (m_request.verb) {
    case SmtpCommand::Helo:
    case SmtpCommand::Ehlo:
    case SmtpCommand::Lhlo:
        m_clientName = m_request.address;
        m_greeted = true;
        m_extended = m_request.verb != SmtpCommand::Helo;
        forgetMessage();
        return appendHelloReply(out);
    case SmtpCommand::StartTls:
        say(out, "220 2.0.0 Ready to start TLS");
        m_lines.discard(); // RFC 3207, section 4.2: nothing said in the clear counts afterwards
        forgetMessage();
        m_greeted = m_extended = m_authenticated = false;
        m_encrypted = m_tlsRequested = true;
        return;
    case SmtpCommand::Auth:
        if (m_request.credentials) {
            m_authenticated = true;
            say(out, "235 2.7.0 Authentication successful");
            return;
        }
        out += "334 ";
        out += m_mode == Mode::AuthLoginUser    ? kLoginUserChallenge
            : m_mode == Mode::AuthLoginPassword ? kLoginPasswordChallenge
                                                : std::string_view();
        out += "\r\n";
        return;
    case SmtpCommand::Mail:
        m_sender = m_request.address;
        m_hasSender = true;
        say(out, "250 2.1.0 Ok");
        return;
    case SmtpCommand::Rcpt:
        m_recipients.push_back(m_request.address);
        say(out, "250 2.1.5 Ok");
        return;
    case SmtpCommand::Data:
        m_mode = Mode::Text;
        m_unstuffer = {};
        m_text.reserve(std::min<std::uint64_t>(m_declared, 1U << 20)); // a promise only: trust it so far
        m_size = Size::Fits;
        say(out, "354 End data with <CR><LF>.<CR><LF>");
        return;
    case SmtpCommand::EndOfData:
        say(out, "250 2.0.0 Ok: queued");
        return forgetMessage();
    case SmtpCommand::Rset:
        forgetMessage();
        say(out, "250 2.0.0 Ok");
        return;
    case SmtpCommand::Vrfy:
        say(out, "252 2.0.0 Cannot verify, but will take mail for the user");
        return;
    case SmtpCommand::Quit:
        m_closing = true;
        say(out, "221 2.0.0 Bye");
        return;
    case SmtpCommand::Noop:
    case SmtpCommand::Unknown:
        say(out, "250 2.0.0 Ok");
        return;
    }
}

void SmtpServer::appendHelloReply(std::string& out)
{
    if (!m_extended) {
        appendFormat(out, "250 {}\r\n", m_settings.domain);
        return;
    }
    appendFormat(out,
        "250-{}\r\n250-PIPELINING\r\n250-SIZE {}\r\n250-8BITMIME\r\n{}"
        "250-AUTH PLAIN LOGIN\r\n250 ENHANCEDSTATUSCODES\r\n",
        m_settings.domain, m_settings.maxSize, m_settings.startTls && !m_encrypted ? "250-STARTTLS\r\n" : "");
}

bool SmtpServer::takeTlsRequest() noexcept
{
    return std::exchange(m_tlsRequested, false);
}

void SmtpServer::forgetMessage()
{
    m_hasSender = false;
    m_sender.clear();
    m_recipients.clear();
    m_text = std::string();
    m_declared = 0;
    m_size = Size::Fits;
}

} // namespace loadstone::protocol
