// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/smtp/smtp_client.h"

#include <algorithm>
#include <cctype>

namespace loadstone::protocol {

namespace {

bool startsWithWord(std::string_view line, std::string_view word)
{
    if (line.size() < word.size())
        return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (std::toupper(static_cast<unsigned char>(line[i])) != word[i])
            return false;
    return line.size() == word.size() || line[word.size()] == ' ' || line[word.size()] == '=';
}

FailureKind kindOf(int code)
{
    return code >= 500 ? FailureKind::permanentReply : FailureKind::transientReply;
}

} // namespace

SmtpClient::SmtpClient(const SmtpOptions& options, std::string_view login, std::string_view password)
    : m_options(options)
    , m_login(login)
    , m_password(password)
{
}

void SmtpClient::open(MonoTime connected, bool secure)
{
    m_secure = secure;
    m_state = State::opening;
    m_pending.push_back({ SmtpVerb::banner, connected, true });
}

void SmtpClient::send(SmtpVerb verb, std::initializer_list<std::string_view> words)
{
    const std::size_t begin = m_out.size();
    for (const std::string_view word : words)
        m_out.append(word);
    m_transcript.client(std::string_view(m_out).substr(begin));
    m_out.append("\r\n");
    expect(verb);
}

void SmtpClient::sendHello()
{
    const char* verb = m_options.lmtp ? "LHLO " : (m_triedHelo ? "HELO " : "EHLO ");
    send(SmtpVerb::hello, { verb, m_options.helloName });
}

void SmtpClient::submit(const SmtpEnvelope& envelope, bool thenQuit)
{
    m_state = State::transaction;
    m_envelope = envelope;
    m_thenQuit = thenQuit;
    m_nextRecipient = m_answered = m_acceptedCount = m_lmtpDue = 0;
    m_accepted.assign(envelope.recipients.size(), false);
    m_undecided.assign(envelope.recipients.size(), false);
    m_lmtpOrder.clear();
    m_failure = {};
    m_uncertain = m_abandoned = false;
    m_pipelined = m_options.pipelining && m_canPipeline && !envelope.onlyAsks;

    const std::string size = m_canSize ? " SIZE=" + std::to_string(envelope.size) : std::string();
    send(SmtpVerb::mailFrom,
        { "MAIL FROM:<", envelope.sender, ">", size, m_canEightBit ? " BODY=8BITMIME" : "" });
    if (m_pipelined) {
        while (m_nextRecipient < envelope.recipients.size())
            sendRecipient();
        send(SmtpVerb::data, { "DATA" });
    }
}

void SmtpClient::sendRecipient()
{
    send(SmtpVerb::rcptTo,
        { "RCPT TO:<", m_envelope.recipients[m_nextRecipient++], ">",
            m_envelope.noReports && m_canReport ? " NOTIFY=NEVER" : "" });
}

void SmtpClient::quit()
{
    m_state = State::quitting;
    send(SmtpVerb::quit, { "QUIT" });
}

void SmtpClient::tlsEstablished()
{
    m_secure = true;
    m_state = State::opening;
    m_parser = {};
    m_transcript.note("[TLS established]");
    m_canStartTls = m_canPipeline = m_canSize = m_canEightBit = m_canReport = false;
    m_offer.clear();
    sendHello();
}

std::span<const std::string_view> SmtpClient::output()
{
    m_pieces.clear();
    if (!m_out.empty())
        m_pieces.emplace_back(m_out);
    if (m_bodyDue) {
        m_pieces.insert(m_pieces.end(), m_envelope.pieces.begin(), m_envelope.pieces.end());
        m_pieces.emplace_back(m_thenQuit && m_pipelined ? ".\r\nQUIT\r\n" : ".\r\n");
    }
    return m_pieces;
}

void SmtpClient::written(MonoTime when)
{
    m_out.clear();
    m_pieces.clear();
    if (m_bodyDue) {
        m_bodyDue = false;
        m_uncertain = true;
        m_early = false;
    }
    // Only the newest are not stamped yet.
    for (auto it = m_pending.rbegin(); it != m_pending.rend() && !it->stamped; ++it) {
        it->sent = when;
        it->stamped = true;
    }
}

void SmtpClient::received(std::string_view bytes, MonoTime when)
{
    while (!bytes.empty() && m_state != State::closed && m_state != State::tls) {
        switch (m_parser.feed(bytes)) {
        case SmtpReplyParser::Status::needMore:
            return;
        case SmtpReplyParser::Status::malformed:
            m_transcript.note("[the bytes that followed are not an SMTP reply]");
            fail(FailureKind::protocol, 0, "the server sent bytes that are not an SMTP reply");
            return;
        case SmtpReplyParser::Status::reply:
            break;
        }
        if (m_sasl) // with challenges and answers one could try passwords
            m_transcript.reply(
                m_parser.code(), m_parser.code() == 334 ? "***" : m_sasl->shown(m_parser.text()));
        else
            m_transcript.reply(m_parser.code(), m_parser.text());
        if (m_pending.empty()) { // 421 on an idle connection is the one thing a server may say unasked
            if (m_parser.code() == 421)
                fail(FailureKind::transientReply, 421, m_parser.text());
            else
                fail(FailureKind::protocol, m_parser.code(),
                    "a reply that no command expects: " + m_parser.text());
            return;
        }
        const Pending pending = m_pending.front();
        if (!pending.stamped)
            return fail(FailureKind::protocol, m_parser.code(),
                "a reply to a command that was not sent yet: " + m_parser.text());
        m_pending.pop_front();
        m_timings.push_back({ pending.verb, pending.sent, when, m_parser.code() });
        onReply(pending.verb, m_parser.code(), m_parser.text(), when);
    }
    if (m_state == State::tls && !bytes.empty()) // somebody between may have put it there (CVE-2011-0411)
        fail(FailureKind::tls, 0, "unencrypted bytes after the answer to STARTTLS");
}

void SmtpClient::onReply(SmtpVerb verb, int code, const std::string& text, MonoTime when)
{
    switch (verb) {
    case SmtpVerb::banner:
        if (code == 220)
            return sendHello();
        note(verb, code, text);
        return close();
    case SmtpVerb::hello:
        return onHello(code, text);
    case SmtpVerb::startTls:
        if (code == 220) {
            m_state = State::tls;
            return;
        }
        m_failure = { FailureKind::tls, code, static_cast<std::uint8_t>(verb), text };
        return close();
    case SmtpVerb::auth:
        return onAuth(code, text);
    case SmtpVerb::mailFrom:
        if (code / 100 != 2) {
            note(verb, code, text);
            m_abandoned = true;
            if (!m_pipelined)
                endTransaction();
        } else if (!m_pipelined)
            nextRecipientOrData();
        return;
    case SmtpVerb::rcptTo:
        return onRecipient(code, text);
    case SmtpVerb::data:
        return onData(code, text);
    case SmtpVerb::endOfData:
        return onEndOfData(code, text, when);
    case SmtpVerb::rset:
        m_state = State::ready;
        return;
    case SmtpVerb::quit:
        return close();
    case SmtpVerb::connect: // the shell's, and those of scripts: never pending here
    case SmtpVerb::tlsHandshake:
    case SmtpVerb::noop:
    case SmtpVerb::vrfy:
    case SmtpVerb::expn:
    case SmtpVerb::help:
        return;
    }
}

void SmtpClient::onHello(int code, const std::string& text)
{
    if (code / 100 != 2) {
        if (!m_options.lmtp && !m_triedHelo && code / 100 == 5) {
            m_triedHelo = true;
            return sendHello();
        }
        note(SmtpVerb::hello, code, text);
        return close();
    }
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        m_canPipeline = m_canPipeline || startsWithWord(line, "PIPELINING");
        m_canSize = m_canSize || startsWithWord(line, "SIZE");
        m_canEightBit = m_canEightBit || startsWithWord(line, "8BITMIME");
        m_canStartTls = m_canStartTls || startsWithWord(line, "STARTTLS");
        m_canReport = m_canReport || startsWithWord(line, "DSN");
        if (startsWithWord(line, "AUTH")) // "AUTH=LOGIN" is what servers of before the standard say
            m_offer.add(line.substr(std::min<std::size_t>(5, line.size())));
    }
    if (m_options.startTls && !m_secure) {
        if (m_canStartTls)
            return send(SmtpVerb::startTls, { "STARTTLS" });
        m_failure = { FailureKind::tls, 0, static_cast<std::uint8_t>(SmtpVerb::hello),
            "the server offers no STARTTLS" };
        return close();
    }
    authenticateOrReady();
}

void SmtpClient::nextRecipientOrData()
{
    if (m_nextRecipient < m_envelope.recipients.size())
        return sendRecipient();
    if (m_acceptedCount == 0 || m_envelope.onlyAsks)
        return endTransaction();
    send(SmtpVerb::data, { "DATA" });
}

void SmtpClient::onRecipient(int code, const std::string& text)
{
    const std::size_t index = m_answered++;
    if (code / 100 == 2) {
        m_accepted[index] = true;
        ++m_acceptedCount;
    } else
        note(SmtpVerb::rcptTo, code, text);
    if (!m_pipelined)
        nextRecipientOrData();
}

void SmtpClient::onData(int code, const std::string& text)
{
    if (code != 354) {
        note(SmtpVerb::data, code, text);
        std::fill(m_accepted.begin(), m_accepted.end(), false);
        m_acceptedCount = 0;
        return endTransaction();
    }
    if (m_abandoned
        || m_acceptedCount == 0) { // RFC 2920: DATA may be let through; then an empty message ends it
        m_out.append(".\r\n");
        m_abandoned = true;
        return expect(SmtpVerb::endOfData);
    }
    m_transcript.client("[" + std::to_string(m_envelope.size) + " bytes of message]");
    m_bodyDue = true;
    if (m_options.lmtp) {
        for (std::size_t i = 0; i < m_accepted.size(); ++i)
            if (m_accepted[i])
                m_lmtpOrder.push_back(i);
        for (std::size_t i = 0; i < m_lmtpOrder.size(); ++i)
            expect(SmtpVerb::endOfData);
    } else
        expect(SmtpVerb::endOfData);
    if (m_thenQuit && m_pipelined) {
        m_transcript.client("QUIT");
        expect(SmtpVerb::quit);
    }
}

void SmtpClient::onEndOfData(int code, const std::string& text, MonoTime when)
{
    const bool good = code / 100 == 2 && !m_abandoned;
    if (good && m_early) // whatever it has taken: it was not this message
        return fail(
            FailureKind::protocol, code, "the message was accepted before all of it was sent: " + text);
    if (!good && !m_abandoned)
        note(SmtpVerb::endOfData, code, text);
    if (good)
        m_acceptedAt = when;
    if (m_options.lmtp && !m_abandoned) { // RFC 2033: one reply for each accepted recipient
        if (!good) {
            m_accepted[m_lmtpOrder[m_lmtpDue]] = false;
            --m_acceptedCount;
        }
        if (++m_lmtpDue < m_lmtpOrder.size())
            return;
    } else if (!good) {
        std::fill(m_accepted.begin(), m_accepted.end(), false);
        m_acceptedCount = 0;
    }
    m_uncertain = false;
    endTransaction();
}

void SmtpClient::endTransaction()
{
    const bool asked = m_envelope.onlyAsks;
    m_envelope = {}; // the caller's, who may let it go now
    const bool quitUnderWay = !m_pending.empty() && m_pending.back().verb == SmtpVerb::quit;
    if (quitUnderWay)
        m_state = State::quitting;
    else if ((m_failure || asked) && !m_thenQuit) {
        m_state = State::resetting; // the transaction is over: what was accepted stays so
        send(SmtpVerb::rset, { "RSET" });
    } else
        m_state = State::ready;
}

void SmtpClient::note(SmtpVerb verb, int code, const std::string& text)
{
    if (m_failure)
        return; // the first one is the cause
    const bool wrongKind = code < 400;
    m_failure = { wrongKind ? FailureKind::protocol : kindOf(code), code, static_cast<std::uint8_t>(verb),
        text };
}

void SmtpClient::fail(FailureKind kind, int code, std::string text)
{
    if (m_state == State::closed)
        return;
    if (m_sasl)
        text = m_sasl->shown(text);
    const bool onlyQuit = m_pending.size() == 1 && m_pending.front().verb == SmtpVerb::quit;
    const auto verb = m_state == State::tls ? SmtpVerb::tlsHandshake
        : m_pending.empty()                 ? SmtpVerb::connect
                                            : m_pending.front().verb;
    m_transcript.note("[" + text + "]");
    if (!m_failure
        && !(onlyQuit && kind == FailureKind::connectionLost)) // closing at QUIT without a word harms nobody
        m_failure = { kind, code, static_cast<std::uint8_t>(verb), std::move(text) };
    if (m_state == State::transaction)
        leaveUndecided();
    close();
}

void SmtpClient::leaveUndecided()
{
    // RFC 2033: whose reply has come is decided, whatever becomes of the others.
    const std::size_t decided = m_options.lmtp && m_uncertain ? m_lmtpDue : 0;
    std::vector<bool> settled(m_accepted.size(), false);
    for (std::size_t i = 0; i < decided; ++i)
        settled[m_lmtpOrder[i]] = m_accepted[m_lmtpOrder[i]];
    if (m_uncertain)
        for (std::size_t i = 0; i < m_accepted.size(); ++i)
            m_undecided[i] = m_accepted[i] && !settled[i];
    m_acceptedCount = static_cast<std::size_t>(std::count(settled.begin(), settled.end(), true));
    m_accepted = std::move(settled);
}

void SmtpClient::close()
{
    m_state = State::closed;
    m_pending.clear();
    m_out.clear();
    m_pieces.clear();
    m_envelope = {};
    m_bodyDue = false;
}

} // namespace loadstone::protocol
