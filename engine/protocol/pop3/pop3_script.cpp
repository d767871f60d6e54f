// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/pop3/pop3_script.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace loadstone::protocol {

Pop3Script::Pop3Script(Transcript& transcript, MessageSink& sink)
    : m_transcript(transcript)
    , m_sink(sink)
{
}

void Pop3Script::command(Pop3Verb verb, std::string_view line, std::uint64_t message)
{
    m_transcript.client(line);
    m_out.append(line).append("\r\n");
    m_verb = verb;
    m_lists = (verb == Pop3Verb::list || verb == Pop3Verb::uidl) && message == 0;
    m_message = message;
    m_stamped = false;
    m_due = true;
    m_state = State::commanded;
}

void Pop3Script::quit()
{
    command(Pop3Verb::quit, "QUIT");
    m_state = State::quitting;
}

void Pop3Script::written(MonoTime when)
{
    m_out.clear();
    if (!m_stamped)
        m_sent = when;
    m_stamped = true;
}

void Pop3Script::received(std::string_view bytes, MonoTime when)
{
    while (!bytes.empty() && m_state != State::closed) {
        if (m_body != Body::none) {
            onBody(bytes, when);
            continue;
        }
        if (!m_due)
            return fail(FailureKind::protocol, 0,
                "a reply that no command expects: "
                    + std::string(bytes.substr(0, std::min<std::size_t>(bytes.find('\r'), 200))));
        if (!m_stamped)
            return fail(FailureKind::protocol, 0, "a reply to a command that was not sent yet");
        const std::size_t end = bytes.find('\n');
        const std::size_t size = std::min(end, bytes.size());
        if (m_line.size() + size > Pop3Client::kMaxLine)
            return fail(FailureKind::protocol, 0, "a reply line longer than 4096 bytes");
        m_line.append(bytes.substr(0, size));
        if (end == std::string_view::npos)
            return;
        bytes.remove_prefix(end + 1);
        if (m_line.ends_with('\r'))
            m_line.pop_back();
        onStatus(std::exchange(m_line, {}), when);
    }
}

void Pop3Script::onStatus(std::string_view line, MonoTime when)
{
    m_transcript.server(line);
    m_good = line.starts_with("+OK");
    if (!m_good && !line.starts_with("-ERR"))
        return fail(FailureKind::protocol, 0, "a reply that begins with neither +OK nor -ERR");
    line.remove_prefix(m_good ? 3 : 4);
    if (line.starts_with(' '))
        line.remove_prefix(1);
    m_text = line;
    const bool several =
        m_lists || m_verb == Pop3Verb::capa || m_verb == Pop3Verb::top || m_verb == Pop3Verb::retr;
    if (!m_good || !several)
        return onEnd(m_good, when);
    m_body = m_verb == Pop3Verb::retr ? Body::message : m_verb == Pop3Verb::top ? Body::headers : Body::lines;
    m_unstuffer = {};
    m_listLines = m_listBytes = 0;
    if (m_body == Body::message)
        m_sink.begin();
}

void Pop3Script::onBody(std::string_view& bytes, MonoTime when)
{
    const std::size_t used = m_unstuffer.feed(bytes, [&](std::string_view text) {
        if (m_body == Body::message)
            m_sink.data(text);
        else if (m_body == Body::lines)
            m_listLines += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    });
    bytes.remove_prefix(used);
    m_listBytes += m_body == Body::lines ? used : 0;
    if (m_listBytes > kMaxListing)
        fail(FailureKind::protocol, 0, "a listing longer than 256 MB");
    else if (m_listLines > Pop3Client::kMaxMessages)
        fail(FailureKind::protocol, 0, "a listing of more than a million messages");
    else if (m_unstuffer.done()) {
        if (m_body == Body::message) {
            m_sink.end(when);
            m_fetched.push_back(m_message);
        }
        m_transcript.note(m_body == Body::lines ? "S: [list]" : "S: [message]");
        m_body = Body::none;
        onEnd(true, when);
    }
}

void Pop3Script::onEnd(bool good, MonoTime when)
{
    m_due = false;
    m_timings.push_back({ m_verb, m_sent, when, good });
    if (m_verb == Pop3Verb::quit) {
        m_committed = good;
        if (!good) // the messages that should have gone may be there
            m_failure = { FailureKind::errReply, 0, static_cast<std::uint8_t>(m_verb), m_text };
        return close();
    }
    if (good && m_lists)
        m_messages = m_listLines;
    if (good && m_verb == Pop3Verb::rset)
        m_deleted.clear();
    if (good && m_verb == Pop3Verb::dele) {
        const auto place = std::lower_bound(m_deleted.begin(), m_deleted.end(), m_message);
        if (place == m_deleted.end() || *place != m_message)
            m_deleted.insert(place, m_message);
    }
    if (good && m_verb == Pop3Verb::stat) {
        std::uint64_t count = 0;
        const auto read = std::from_chars(m_text.data(), m_text.data() + m_text.size(), count);
        if (read.ec != std::errc() || count > Pop3Client::kMaxMessages)
            return fail(FailureKind::protocol, 0, "an answer to STAT without a number of messages");
        m_messages = count;
    }
    m_state = State::ready;
}

bool Pop3Script::gone(std::uint64_t message) const
{
    return m_committed && std::binary_search(m_deleted.begin(), m_deleted.end(), message);
}

void Pop3Script::fail(FailureKind kind, int code, std::string text)
{
    if (m_state == State::closed)
        return;
    m_transcript.note("[" + text + "]");
    // A connection that ends at QUIT without an answer leaves open whether the deletions were carried out: a failure.
    const bool onlyQuit =
        m_state == State::quitting && kind == FailureKind::connectionLost && m_deleted.empty();
    if (!onlyQuit && !m_failure)
        m_failure = { kind, code, static_cast<std::uint8_t>(m_due ? m_verb : Pop3Verb::connect),
            std::move(text) };
    close();
}

void Pop3Script::close()
{
    m_state = State::closed;
    m_due = false;
    m_out.clear();
    m_body = Body::none;
}

} // namespace loadstone::protocol
