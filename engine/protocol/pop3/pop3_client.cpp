// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/pop3/pop3_client.h"

#include "protocol/sasl/sasl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace loadstone::protocol {

const char* toString(Pop3Verb verb)
{
    constexpr std::array<const char*, kPop3Verbs> kNames { "POP3 connect", "POP3 banner", "POP3 CAPA",
        "POP3 STLS", "POP3 TLS handshake", "POP3 USER", "POP3 PASS", "POP3 APOP", "POP3 AUTH", "POP3 STAT",
        "POP3 LIST", "POP3 UIDL", "POP3 TOP", "POP3 RETR", "POP3 DELE", "POP3 QUIT", "POP3 NOOP",
        "POP3 RSET" };
    return kNames[static_cast<std::size_t>(verb)];
}

Pop3Verb pop3VerbOf(std::string_view command)
{
    const std::string_view word = command.substr(0, command.find(' '));
    for (std::size_t i = static_cast<std::size_t>(Pop3Verb::capa); i < kPop3Verbs; ++i)
        if (word == std::string_view(toString(static_cast<Pop3Verb>(i))).substr(5)) // behind "POP3 "
            return static_cast<Pop3Verb>(i);
    return Pop3Verb::noop;
}

Pop3Client::Pop3Client(const Pop3Options& options, std::string_view login, std::string_view password)
    : m_options(options)
    , m_login(login)
    , m_password(password)
{
}

void Pop3Client::open(MonoTime connected, bool secure)
{
    m_secure = secure;
    m_state = State::opening;
    m_pending.push_back({ Pop3Verb::banner, connected, true });
}

void Pop3Client::send(Pop3Verb verb, std::string_view line, bool secret)
{
    m_out.append(line).append("\r\n");
    m_transcript.client(secret ? std::string(line.substr(0, line.find(' '))) + " ***" : line);
    m_pending.push_back({ verb, {}, false });
}

void Pop3Client::visit(Pop3Visit kind, MessageSink& sink, bool compares)
{
    m_state = State::visiting;
    m_visit = kind;
    m_sink = &sink;
    m_messages = m_asked = m_answered = m_done = m_listLines = 0;
    m_visited = m_askedBoth = false;
    m_compares = compares;
    m_counted.reset();
    m_named.reset();
    m_failure = {};
    if (kind == Pop3Visit::empty)
        send(Pop3Verb::stat, "STAT");
    else
        send(Pop3Verb::uidl, "UIDL");
}

void Pop3Client::quit()
{
    m_state = State::quitting;
    send(Pop3Verb::quit, "QUIT");
}

void Pop3Client::remove(std::uint64_t number)
{
    m_state = State::visiting;
    m_messages = m_asked = m_answered = m_done = 1; // QUIT has something to carry out
    m_deletionRefused = false;
    send(Pop3Verb::dele, "DELE " + std::to_string(number));
}

void Pop3Client::tlsEstablished()
{
    m_secure = true;
    m_state = State::opening;
    m_line.clear();
    m_transcript.note("[TLS established]");
    m_canPipeline = m_canUser = m_listed = m_askedCapa = false;
    m_offer.clear();
    authenticate();
}

void Pop3Client::written(MonoTime when)
{
    m_out.clear();
    for (auto it = m_pending.rbegin(); it != m_pending.rend() && !it->stamped; ++it) {
        it->sent = when;
        it->stamped = true;
    }
}

void Pop3Client::received(std::string_view bytes, MonoTime when)
{
    while (!bytes.empty() && m_state != State::closed && m_state != State::tls) {
        if (m_body != Body::none) {
            onBody(bytes, when);
            continue;
        }
        const std::size_t end = bytes.find('\n');
        const std::size_t size = std::min(end, bytes.size());
        if (m_line.size() + size > kMaxLine)
            return fail(FailureKind::protocol, 0, "a reply line longer than 4096 bytes");
        std::string_view line = bytes.substr(0, size);
        if (end == std::string_view::npos || !m_line.empty()) {
            m_line.append(line);
            if (end == std::string_view::npos)
                return;
            line = m_line;
        }
        bytes.remove_prefix(end + 1);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        const bool challenge = m_sasl && (line == "+" || line.starts_with("+ "));
        if (m_state == State::opening)
            m_transcript.server(challenge ? "+ ***" : shown(line));
        else
            m_transcript.server(line);
        const bool good = line.starts_with("+OK") || challenge;
        if (!good && !line.starts_with("-ERR"))
            return fail(FailureKind::protocol, 0, "a reply that begins with neither +OK nor -ERR");
        if (m_pending.empty())
            return fail(FailureKind::protocol, 0,
                "a reply that no command expects: " + std::string(line.substr(0, 200)));
        const Pending pending = m_pending.front();
        if (!pending.stamped)
            return fail(FailureKind::protocol, 0,
                "a reply to a command that was not sent yet: " + std::string(line.substr(0, 200)));
        m_pending.pop_front();
        line.remove_prefix(challenge ? 1 : good ? 3 : 4);
        if (line.starts_with(' '))
            line.remove_prefix(1);
        const std::string text(line);
        m_line.clear();
        if (challenge) {
            m_timings.push_back({ pending.verb, pending.sent, when, true });
            onChallenge(text);
        } else
            onStatus(pending, good, text, when);
    }
    if (m_state == State::tls && !bytes.empty()) // somebody between may have put it there (CVE-2011-0411)
        fail(FailureKind::tls, 0, "unencrypted bytes after the answer to STLS");
}

void Pop3Client::onStatus(const Pending& pending, bool good, std::string_view text, MonoTime when)
{
    const bool lists = pending.verb == Pop3Verb::list || pending.verb == Pop3Verb::uidl;
    const bool multiLine = good
        && (lists || pending.verb == Pop3Verb::capa || pending.verb == Pop3Verb::top
            || pending.verb == Pop3Verb::retr);
    if (multiLine) {
        m_body = pending.verb == Pop3Verb::capa ? Body::capabilities : lists ? Body::listing : Body::message;
        m_bodyOf = pending;
        m_unstuffer = {};
        m_listLine.clear();
        m_listBytes = 0;
        if (m_body == Body::message)
            m_sink->begin();
        return;
    }
    m_timings.push_back({ pending.verb, pending.sent, when, good });
    switch (pending.verb) {
    case Pop3Verb::banner:
        if (!good) {
            refuse(pending, text);
            return close();
        }
        if (const auto stamp = apopTimestamp(text))
            m_timestamp = *stamp;
        if (m_options.startTls && !m_secure)
            return send(Pop3Verb::stls, "STLS");
        return authenticate();
    case Pop3Verb::stls:
        if (good) {
            m_state = State::tls;
            return;
        }
        m_failure = { FailureKind::tls, 0, static_cast<std::uint8_t>(pending.verb), std::string(text) };
        return close();
    case Pop3Verb::capa: // -ERR: a server of before RFC 2449
        return authenticate();
    case Pop3Verb::user:
        if (good)
            return send(Pop3Verb::pass, "PASS " + std::string(m_password), true);
        [[fallthrough]];
    case Pop3Verb::pass:
    case Pop3Verb::apop:
    case Pop3Verb::auth:
        if (!good && m_sasl)
            m_sasl->refused(text);
        else if (!good)
            return endLogin(pending.verb, shown(text));
        else if (!m_sasl || m_sasl->accepted()) {
            m_sasl.reset();
            m_state = State::ready;
            return;
        }
        return endLogin();
    case Pop3Verb::stat: {
        std::uint64_t count = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
        if (!good)
            refuse(pending, text);
        else if (read.ec != std::errc() || count > kMaxMessages)
            return fail(FailureKind::protocol, 0, "an answer to STAT without a number of messages");
        if (good)
            m_counted = count;
        return onAnnounced();
    }
    case Pop3Verb::list: // -ERR: there is another listing
        return send(Pop3Verb::uidl, "UIDL");
    case Pop3Verb::uidl:
        refuse(pending, text);
        return onAnnounced();
    case Pop3Verb::retr:
    case Pop3Verb::top:
        ++m_answered;
        refuse(pending, text);
        if (m_compares && m_named && m_answered > *m_named)
            m_messages = m_asked; // STAT counted it, nothing names it, and it is not there: no use to go on
        fillWindow();
        return endVisitWhenDone();
    case Pop3Verb::dele:
        if (!good) {
            m_deletionRefused = true;
            refuse(pending, text);
        }
        fillWindow();
        return endVisitWhenDone();
    case Pop3Verb::quit:
        m_committed = good;
        if (!good)
            refuse(pending, text);
        return close();
    case Pop3Verb::connect: // the shell's, and those of scripts: never pending here
    case Pop3Verb::tlsHandshake:
    case Pop3Verb::noop:
    case Pop3Verb::rset:
        return;
    }
}

void Pop3Client::onBody(std::string_view& bytes, MonoTime when)
{
    const std::size_t used = m_unstuffer.feed(bytes, [&](std::string_view text) {
        if (m_body == Body::message)
            return m_sink->data(text);
        for (const char c : text) {
            if (c != '\n') {
                if (m_listLine.size() < kMaxLine)
                    m_listLine.push_back(c);
                continue;
            }
            if (m_body == Body::capabilities)
                onCapability(m_listLine);
            else
                ++m_listLines;
            m_listLine.clear();
        }
    });
    bytes.remove_prefix(used);
    m_listBytes += used;
    if (m_listLines > kMaxMessages)
        fail(FailureKind::protocol, 0, "a listing of more than a million messages");
    else if (m_body == Body::capabilities && m_listBytes > kMaxCapabilities)
        fail(FailureKind::protocol, 0, "a list of capabilities longer than 64 KB");
    else if (m_unstuffer.done())
        onBodyEnd(when);
}

void Pop3Client::onBodyEnd(MonoTime when)
{
    m_timings.push_back({ m_bodyOf.verb, m_bodyOf.sent, when, true });
    const Body body = std::exchange(m_body, Body::none);
    if (body == Body::capabilities) {
        m_listed = true;
        return authenticate();
    }
    if (body == Body::listing) {
        m_named = m_listLines;
        return onAnnounced();
    }
    m_transcript.note("S: [message]");
    m_sink->end(when);
    ++m_answered; // replies come in order: this was message number m_answered
    ++m_done;
    if (m_visit == Pop3Visit::empty)
        send(Pop3Verb::dele, "DELE " + std::to_string(m_answered));
    fillWindow();
    endVisitWhenDone();
}

void Pop3Client::onCapability(std::string_view line)
{
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    m_canPipeline = m_canPipeline || line == "PIPELINING";
    m_canUser = m_canUser || line == "USER";
    if (line.starts_with("SASL "))
        m_offer.add(line.substr(5));
}

/// How many messages there are was answered: by STAT, by a listing, or by both where they are compared.
void Pop3Client::onAnnounced()
{
    const bool counts = m_visit == Pop3Visit::empty;
    const bool told = counts ? m_counted.has_value() : m_named.has_value();
    if (told && m_compares && !std::exchange(m_askedBoth, true))
        return counts ? send(Pop3Verb::list, "LIST") : send(Pop3Verb::stat, "STAT");
    m_messages = std::max(m_counted.value_or(0), m_named.value_or(0));
    m_visited = told && (!m_compares || (m_counted && m_named));
    fillWindow();
    endVisitWhenDone();
}

std::string Pop3Client::contradiction() const
{
    if (!m_counted || !m_named || *m_counted == *m_named)
        return {};
    return "STAT counts " + std::to_string(*m_counted) + " messages, the listing names "
        + std::to_string(*m_named);
}

void Pop3Client::fillWindow()
{
    if (m_state != State::visiting)
        return;
    const bool pipelined = m_options.pipelining && m_canPipeline;
    const bool headersOnly = m_visit == Pop3Visit::list;
    while (m_asked < m_messages && (pipelined ? m_asked - m_answered < kWindow : m_pending.empty())) {
        const std::string number = std::to_string(++m_asked);
        if (headersOnly)
            send(Pop3Verb::top, "TOP " + number + " 0");
        else
            send(Pop3Verb::retr, "RETR " + number);
    }
}

void Pop3Client::endVisitWhenDone()
{
    if (m_state == State::visiting && m_pending.empty() && m_body == Body::none && m_answered == m_messages) {
        m_state = State::ready;
        m_sink = nullptr; // the caller's, who may let it go now
    }
}

void Pop3Client::refuse(const Pending& pending, std::string_view text)
{
    if (!m_failure) // the first one is the cause
        m_failure = { FailureKind::errReply, 0, static_cast<std::uint8_t>(pending.verb), std::string(text) };
}

void Pop3Client::fail(FailureKind kind, int code, std::string text)
{
    if (m_state == State::closed)
        return;
    if (m_state == State::opening)
        text = shown(text);
    const bool onlyQuit = m_state == State::quitting && m_body == Body::none;
    const auto verb = m_body != Body::none ? m_bodyOf.verb
        : m_state == State::tls            ? Pop3Verb::tlsHandshake
        : m_pending.empty()                ? Pop3Verb::connect
                                           : m_pending.front().verb;
    m_transcript.note("[" + text + "]");
    // A connection that ends at QUIT without an answer leaves open whether the deletions were carried out: a failure.
    if (!m_failure && !(onlyQuit && kind == FailureKind::connectionLost && m_messages == 0))
        m_failure = { kind, code, static_cast<std::uint8_t>(verb), std::move(text) };
    close();
}

void Pop3Client::close()
{
    m_state = State::closed;
    m_pending.clear();
    m_out.clear();
    m_body = Body::none;
    m_sink = nullptr;
}

} // namespace loadstone::protocol
