// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/pop3/pop3_server.h"

#include "base/append_format.h"
#include "protocol/common/dot_stuffing.h"
#include "protocol/sasl/sasl.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace loadstone::protocol {

namespace {

constexpr std::array<const char*, 16> kPop3Commands { "CAPA", "STLS", "USER", "PASS", "APOP", "AUTH", "STAT",
    "LIST", "UIDL", "TOP", "RETR", "DELE", "NOOP", "RSET", "QUIT", "?" };
constexpr unsigned kMostPop3Errors = 100; // of one session, which ends then

Pop3Command pop3CommandOf(std::string_view word)
{
    const auto it = std::find_if(kPop3Commands.begin(), kPop3Commands.end(),
        [&](const char* name) { return equalsIgnoringCase(word, name); });
    return it == kPop3Commands.end() ? Pop3Command::Unknown
                                     : static_cast<Pop3Command>(it - kPop3Commands.begin());
}

std::optional<std::uint64_t> numberFrom(std::string_view digits)
{
    std::uint64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return std::nullopt;
    return number;
}

/// The header, the empty line and `lines` lines of the body (RFC 1939, TOP).
std::string_view topOf(std::string_view text, std::uint64_t lines)
{
    const auto headerEnd = text.find("\r\n\r\n");
    if (headerEnd == std::string_view::npos)
        return text;
    std::size_t end = headerEnd + 4;
    for (; lines > 0 && end < text.size(); --lines) {
        const auto lf = text.find('\n', end);
        end = lf == std::string_view::npos ? text.size() : lf + 1;
    }
    return text.substr(0, end);
}

} // namespace

const char* nameOf(Pop3Command verb) noexcept
{
    return kPop3Commands[static_cast<std::size_t>(verb)];
}

void Pop3Server::greet(std::string& out) const
{
    appendFormat(out, "+OK Loadstone target ready{}{}\r\n", m_timestamp.empty() ? "" : " ", m_timestamp);
}

const Pop3Request* Pop3Server::next()
{
    if (m_pending)
        return &m_request;
    if (m_closing)
        return nullptr;
    const auto line = m_lines.next();
    if (!line)
        return nullptr;
    m_request.end = line->end;
    m_request.needs = Pop3Request::Needs::Nothing;
    m_request.user.clear();
    m_error = nullptr;
    m_hasNumber = false;
    parse(*line);
    m_pending = true;
    return &m_request;
}

void Pop3Server::parse(const ServerLines::Line& line)
{
    if (std::exchange(m_awaitsPlain, false)) {
        m_request.verb = Pop3Command::Auth;
        return parsePlain(line.text);
    }
    m_request.verb = Pop3Command::Unknown;
    if (line.tooLong)
        return invalid("line too long");
    const auto [word, arguments] = splitCommand(line.text);
    m_request.verb = pop3CommandOf(word);
    const bool loggedIn = m_state == State::Transaction;
    switch (m_request.verb) {
    case Pop3Command::Capa:
    case Pop3Command::Quit:
        return;
    case Pop3Command::Stls:
        if (loggedIn || m_encrypted || !m_settings.startTls)
            invalid("TLS is not available now");
        return;
    case Pop3Command::User:
    case Pop3Command::Pass:
    case Pop3Command::Apop:
    case Pop3Command::Auth:
        if (loggedIn)
            return invalid("already logged in");
        break;
    case Pop3Command::Unknown:
        return invalid("unknown command");
    default:
        if (!loggedIn)
            return invalid("log in first");
    }
    switch (m_request.verb) {
    case Pop3Command::User:
        return arguments.empty() ? invalid("a name is expected") : void(m_user = arguments);
    case Pop3Command::Pass:
        if (m_user.empty())
            return invalid("USER first");
        // The whole rest of the line, blanks included: passwords may have them.
        m_secret = line.text.size() > 5 ? line.text.substr(5) : std::string_view();
        m_digest = false;
        m_request.user = std::exchange(m_user, {});
        m_request.needs = Pop3Request::Needs::Login;
        return;
    case Pop3Command::Apop: {
        const auto [user, digest] = splitCommand(arguments);
        if (m_timestamp.empty() || user.empty() || digest.size() != 32)
            return invalid(m_timestamp.empty() ? "APOP is not offered" : "name and digest are expected");
        m_request.user = user;
        m_secret = digest;
        m_digest = true;
        m_request.needs = Pop3Request::Needs::Login;
        return;
    }
    case Pop3Command::Auth: {
        const auto [mechanism, initial] = splitCommand(arguments);
        if (!equalsIgnoringCase(mechanism, "PLAIN"))
            return invalid("mechanism not supported");
        if (initial.empty())
            m_awaitsPlain = true;
        else
            parsePlain(initial == "=" ? std::string_view() : initial);
        return;
    }
    case Pop3Command::List:
    case Pop3Command::Uidl:
        if (!arguments.empty())
            parseNumber(arguments);
        return;
    case Pop3Command::Retr:
    case Pop3Command::Dele:
    case Pop3Command::Top:
        return parseNumber(arguments);
    default:
        return;
    }
}

void Pop3Server::parsePlain(std::string_view message)
{
    if (message == "*")
        return invalid("cancelled");
    const auto credentials = parsePlainMessage(message);
    if (!credentials)
        return invalid("cannot decode the response");
    m_request.user = credentials->user;
    m_request.needs = Pop3Request::Needs::Login;
    m_secret = credentials->password;
    m_digest = false;
}

void Pop3Server::parseNumber(std::string_view arguments)
{
    const auto [first, second] = splitCommand(arguments);
    const auto number = numberFrom(first);
    if (!number || *number == 0 || *number > m_messages.size() || m_messages[*number - 1].deleted)
        return invalid("no such message");
    if (m_request.verb == Pop3Command::Top) {
        const auto lines = numberFrom(second);
        if (!lines)
            return invalid("a number of lines is expected");
        m_lineCount = *lines;
    } else if (!second.empty()) {
        return invalid("one number is expected");
    }
    m_hasNumber = true;
    m_index = *number - 1;
    if (m_request.verb == Pop3Command::Retr || m_request.verb == Pop3Command::Top) {
        m_request.needs = Pop3Request::Needs::Content;
        m_request.uid = m_messages[m_index].uid;
    }
}

bool Pop3Server::proves(std::string_view password) const
{
    if (!m_digest)
        return m_secret == password;
    return equalsIgnoringCase(m_secret, apopDigest(m_timestamp, password));
}

bool Pop3Server::accept(std::string& out)
{
    if (m_error != nullptr)
        return refuse(out, m_error);
    act(out);
    m_pending = false;
    return true;
}

bool Pop3Server::refuse(std::string& out, std::string_view reply)
{
    appendFormat(out, "-ERR {}\r\n", reply);
    m_awaitsPlain = false;
    if (++m_errors >= kMostPop3Errors)
        m_closing = true;
    m_pending = false;
    return false;
}

bool Pop3Server::acceptLogin(std::string& out, std::vector<Pop3Message> messages)
{
    m_messages = std::move(messages);
    m_state = State::Transaction;
    m_secret.clear();
    appendFormat(out, "+OK {} messages\r\n", m_messages.size());
    m_pending = false;
    return true;
}

bool Pop3Server::acceptContent(std::string& out, std::string_view text)
{
    if (m_request.verb == Pop3Command::Top) {
        out += "+OK top of message follows\r\n";
        appendStuffed(out, topOf(text, m_lineCount));
    } else {
        appendFormat(out, "+OK {} octets\r\n", text.size());
        appendStuffed(out, text);
    }
    m_pending = false;
    return true;
}

void Pop3Server::act(std::string& out)
{
    switch (m_request.verb) {
    case Pop3Command::Capa:
        return appendCapabilities(out);
    case Pop3Command::Stls:
        out += "+OK begin TLS\r\n";
        m_lines.discard();
        m_user.clear();
        m_encrypted = m_tlsRequested = true;
        return;
    case Pop3Command::Auth:
        out += "+ \r\n";
        return;
    case Pop3Command::Stat: {
        std::uint64_t count = 0;
        std::uint64_t size = 0;
        for (const Pop3Message& message : m_messages)
            if (!message.deleted) {
                ++count;
                size += message.size;
            }
        appendFormat(out, "+OK {} {}\r\n", count, size);
        return;
    }
    case Pop3Command::List:
    case Pop3Command::Uidl:
        return appendListing(out);
    case Pop3Command::Dele:
        m_messages[m_index].deleted = true;
        out += "+OK marked as deleted\r\n";
        return;
    case Pop3Command::Rset:
        for (Pop3Message& message : m_messages)
            message.deleted = false;
        out += "+OK\r\n";
        return;
    case Pop3Command::Quit:
        m_closing = true;
        if (m_state == State::Transaction)
            m_state = State::Update;
        out += "+OK bye\r\n";
        return;
    default:
        out += "+OK\r\n";
        return;
    }
}

void Pop3Server::appendCapabilities(std::string& out) const
{
    out += "+OK capabilities "
           "follow\r\nTOP\r\nUIDL\r\nPIPELINING\r\nRESP-CODES\r\nAUTH-RESP-CODE\r\nUSER\r\nSASL PLAIN\r\n";
    if (m_settings.startTls && !m_encrypted && m_state == State::Authorization)
        out += "STLS\r\n";
    out += "IMPLEMENTATION Loadstone target\r\n.\r\n";
}

void Pop3Server::appendListing(std::string& out) const
{
    if (m_hasNumber) {
        out += "+OK ";
        return appendEntry(out, m_index);
    }
    appendFormat(out, "+OK {} messages\r\n", m_messages.size());
    for (std::size_t i = 0; i < m_messages.size(); ++i)
        if (!m_messages[i].deleted)
            appendEntry(out, i);
    out += ".\r\n";
}

void Pop3Server::appendEntry(std::string& out, std::size_t index) const
{
    const Pop3Message& message = m_messages[index];
    if (m_request.verb == Pop3Command::Uidl)
        appendFormat(out, "{} {:016x}\r\n", index + 1, message.uid);
    else
        appendFormat(out, "{} {}\r\n", index + 1, message.size);
}

} // namespace loadstone::protocol
