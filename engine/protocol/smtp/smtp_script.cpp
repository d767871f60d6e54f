// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/smtp/smtp_script.h"

#include <algorithm>

namespace loadstone::protocol {

SmtpScript::SmtpScript(Transcript& transcript, bool lmtp)
    : m_transcript(transcript)
    , m_lmtp(lmtp)
{
}

void SmtpScript::send(SmtpVerb verb, std::string_view line)
{
    m_transcript.client(line);
    m_out.append(line).append("\r\n");
    m_verb = verb;
    m_stamped = false;
    m_early = false;
    m_due = 1;
}

void SmtpScript::command(SmtpVerb verb, std::string_view line)
{
    if (verb == SmtpVerb::mailFrom) {
        m_taken.clear();
        m_accepted.clear();
        m_undecided.clear();
        m_acceptedCount = 0;
        m_uncertain = false;
    } else if (verb == SmtpVerb::rcptTo)
        m_taken.push_back(false);
    m_state = State::commanded;
    send(verb, line);
}

void SmtpScript::message(std::span<const std::string_view> pieces, std::size_t size)
{
    m_transcript.client("[" + std::to_string(size) + " bytes of message]");
    m_takesMessage = false;
    m_body = pieces;
    m_verb = SmtpVerb::endOfData;
    m_stamped = false;
    m_early = false;
    m_accepted.assign(m_taken.size(), false);
    m_undecided.assign(m_taken.size(), false);
    m_acceptedCount = m_answered = 0;
    m_order.clear();
    for (std::size_t i = 0; i < m_taken.size(); ++i)
        if (m_taken[i])
            m_order.push_back(i);
    m_due = m_lmtp ? std::max<std::size_t>(1, m_order.size()) : 1; // RFC 2033: one for each
    m_code = 0;
    m_state = State::commanded;
}

void SmtpScript::quit()
{
    m_state = State::quitting;
    send(SmtpVerb::quit, "QUIT");
}

std::span<const std::string_view> SmtpScript::output()
{
    m_pieces.clear();
    if (!m_out.empty())
        m_pieces.emplace_back(m_out);
    if (!m_body.empty()) {
        m_pieces.insert(m_pieces.end(), m_body.begin(), m_body.end());
        m_pieces.emplace_back(".\r\n");
    }
    return m_pieces;
}

void SmtpScript::written(MonoTime when)
{
    m_uncertain = m_uncertain || !m_body.empty();
    m_out.clear();
    m_pieces.clear();
    m_body = {};
    if (!m_stamped)
        m_sent = when;
    m_stamped = true;
}

void SmtpScript::received(std::string_view bytes, MonoTime when)
{
    while (!bytes.empty() && m_state != State::closed) {
        switch (m_parser.feed(bytes)) {
        case SmtpReplyParser::Status::needMore:
            if (m_due == 0)
                fail(FailureKind::protocol, 0, "the beginning of a reply that no command expects");
            return;
        case SmtpReplyParser::Status::malformed:
            m_transcript.note("[the bytes that followed are not an SMTP reply]");
            return fail(FailureKind::protocol, 0, "the server sent bytes that are not an SMTP reply");
        case SmtpReplyParser::Status::reply:
            break;
        }
        m_transcript.reply(m_parser.code(), m_parser.text());
        if (m_due == 0) { // 421 is the one thing that a server may say unasked
            const bool leaves = m_parser.code() == 421;
            return fail(leaves ? FailureKind::transientReply : FailureKind::protocol, m_parser.code(),
                leaves ? m_parser.text() : "a reply that no command expects: " + m_parser.text());
        }
        if (!m_stamped)
            return fail(FailureKind::protocol, m_parser.code(),
                "a reply to a command that was not sent yet: " + m_parser.text());
        if (m_early) // whatever it answers: it was not this
            return fail(FailureKind::protocol, m_parser.code(),
                m_verb == SmtpVerb::endOfData
                    ? "the message was answered before all of it was sent: " + m_parser.text()
                    : "a reply that came before the command: " + m_parser.text());
        --m_due;
        m_timings.push_back({ m_verb, m_sent, when, m_parser.code() });
        onReply(when);
    }
}

void SmtpScript::onReply(MonoTime when)
{
    const int code = m_parser.code();
    if (m_verb == SmtpVerb::endOfData)
        return onMessageReply(when);
    m_code = code;
    m_text = m_parser.text();
    if (m_verb == SmtpVerb::quit)
        return close();
    if (m_verb == SmtpVerb::rcptTo)
        m_taken.back() = code / 100 == 2;
    else if (m_verb == SmtpVerb::rset && code / 100 == 2)
        m_taken.clear();
    m_takesMessage = m_verb == SmtpVerb::data && code == 354;
    m_state = State::ready;
    if (code / 100 == 3 && !m_takesMessage) // it waits for something that no script has
        fail(FailureKind::protocol, code, "a reply that asks for more: " + m_text);
}

void SmtpScript::onMessageReply(MonoTime when)
{
    const int code = m_parser.code();
    const bool good = code / 100 == 2;
    if (code > m_code) {
        m_code = code;
        m_text = m_parser.text();
    }
    const auto decide = [&](std::size_t recipient) {
        m_accepted[recipient] = good;
        m_acceptedCount += good ? 1 : 0;
    };
    if (good)
        m_acceptedAt = when;
    if (!m_lmtp)
        std::for_each(m_order.begin(), m_order.end(), decide);
    else if (m_answered < m_order.size())
        decide(m_order[m_answered]);
    ++m_answered;
    if (m_due > 0)
        return;
    m_uncertain = false;
    m_taken.clear(); // the transaction is over
    m_state = State::ready;
}

void SmtpScript::fail(FailureKind kind, int code, std::string text)
{
    if (m_state == State::closed)
        return;
    m_transcript.note("[" + text + "]");
    const bool onlyQuit = m_state == State::quitting && kind == FailureKind::connectionLost;
    if (!onlyQuit) // closing at QUIT without a word harms nobody
        m_failure = { kind, code, static_cast<std::uint8_t>(m_due == 0 ? SmtpVerb::connect : m_verb),
            std::move(text) };
    if (m_uncertain) // with LMTP, whose reply has come is decided
        for (std::size_t i = m_lmtp ? m_answered : 0; i < m_order.size(); ++i)
            m_undecided[m_order[i]] = true;
    close();
}

void SmtpScript::close()
{
    m_state = State::closed;
    m_due = 0;
    m_takesMessage = false;
    m_out.clear();
    m_pieces.clear();
    m_body = {};
}

} // namespace loadstone::protocol
