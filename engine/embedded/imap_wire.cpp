// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_wire.h"

#include <array>
#include <utility>

namespace loadstone::embedded {

ImapWire::ImapWire(MailStore& store, std::uint64_t mostLiteral)
    : m_store(store)
    , m_reader(mostLiteral)
{
}

ImapWire::~ImapWire()
{
    m_store.addIncoming(-m_counted);
}

void ImapWire::feed(std::string_view bytes)
{
    m_came += bytes.size();
    if (m_compression) {
        m_packed.emplace_back(bytes);
        m_packedBytes += bytes.size();
    } else
        hear(bytes);
    countHeld();
}

const protocol::ImapCommand* ImapWire::next()
{
    const protocol::ImapCommand* command = m_reader.next();
    while (command == nullptr && unpack())
        command = m_reader.next();
    countHeld();
    if (command == nullptr) // the next one ends in what is still to come
        m_marks.clear();
    return command;
}

void ImapWire::answered()
{
    m_reader.answered();
    if (std::exchange(m_compressNext, false)) {
        m_compression = std::make_unique<Compression>();
        m_reader.discard(); // RFC 4978, 3: nothing may come before the answer
    }
    countHeld();
}

void ImapWire::discard()
{
    m_reader.discard();
    countHeld();
}

std::uint64_t ImapWire::cameWith(std::uint64_t end)
{
    while (m_marks.size() > 1 && m_marks.front().heard < end)
        m_marks.pop_front();
    return m_marks.empty() ? end : m_marks.front().came;
}

void ImapWire::say(std::string& out, std::string_view plain)
{
    if (plain.empty())
        return;
    if (m_compression) {
        m_compression->out.write(plain, out);
        m_compression->out.flush(out);
    } else
        out += plain;
}

/// Unpacks some more of what came compressed; false where there is no more.
bool ImapWire::unpack()
{
    if (m_packed.empty() || m_damaged)
        return false;
    std::array<char, 16384> buffer;
    std::string_view in = m_packed.front(), plain;
    const auto status = m_compression->in.read(in, buffer, plain);
    const std::size_t used = m_packed.front().size() - in.size();
    m_packedBytes -= used;
    m_packed.front().erase(0, used);
    if (status == protocol::DeflateReader::Status::damaged) {
        m_damaged = true;
        m_packed.clear();
        m_packedBytes = 0;
        m_heard += plain.size();
        m_reader.discard();
        plain = "*\r\n"; // no command: the answer to it is the last
    } else if (status
        == protocol::DeflateReader::Status::needMore) // not before: what was read may still give more
        m_packed.pop_front();
    hear(plain);
    if (!plain.empty())
        m_marks.push_back({ m_heard, m_came - m_packedBytes });
    return m_damaged || !plain.empty() || !m_packed.empty();
}

void ImapWire::hear(std::string_view plain)
{
    m_heard += plain.size();
    m_reader.feed(plain);
}

void ImapWire::countHeld()
{
    const auto now = static_cast<std::int64_t>(m_reader.held() + m_packedBytes);
    m_store.addIncoming(now - m_counted);
    m_counted = now;
}

} // namespace loadstone::embedded
