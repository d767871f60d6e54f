// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

/// The session's extensions: COMPRESS=DEFLATE, CONDSTORE, ESEARCH.
namespace loadstone::embedded {

using protocol::ImapScanner;

ImapConversation::~ImapConversation()
{
    stopIdling();
    m_house.store.addIncoming(-m_incoming);
}

/// Adds to the output what is said, compressed where that was agreed.
void ImapConversation::say(std::string& out, std::string_view plain)
{
    if (plain.empty())
        return;
    if (m_compression) {
        m_compression->out.write(plain, out);
        m_compression->out.flush(out);
    } else
        out += plain;
}

void ImapConversation::hear(std::string_view plain)
{
    m_heard += plain.size();
    m_reader.feed(plain);
}

/// One read of the connection at a time: each has an arrival time of its own, and so have the commands in it.
bool ImapConversation::unpack()
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
        == protocol::DeflateReader::Status::needMore) // not before: what was read may still come to more
        m_packed.pop_front();
    hear(plain);
    if (!plain.empty())
        m_marks.push_back({ m_heard, m_came - m_packedBytes });
    return m_damaged || !plain.empty() || !m_packed.empty();
}

/// How much of the session had come when the first `heard` bytes of it were whole. Asked in ascending order.
std::uint64_t ImapConversation::cameWith(std::uint64_t heard)
{
    while (m_marks.size() > 1 && m_marks.front().heard < heard)
        m_marks.pop_front();
    return m_marks.empty() ? heard : m_marks.front().came;
}

ImapConversation::Outcome ImapConversation::enable(std::string& out, ImapScanner& words)
{
    std::string enabled;
    while (!words.failed() && words.peek() != '\0') {
        if (protocol::equalsIgnoringCase(words.atom(), "CONDSTORE")) {
            m_condstore = true;
            enabled = " CONDSTORE";
        }
        words.skipBlanks();
    }
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    out += "* ENABLED" + enabled + "\r\n";
    return {};
}

std::string ImapConversation::changeText(const Entry& entry) const
{
    return m_condstore ? fmt::format(" MODSEQ ({})", entry.changed) : std::string();
}

std::optional<std::vector<std::string>> ImapConversation::returnOptions(ImapScanner& words) const
{
    std::vector<std::string> options;
    ImapScanner ahead = words;
    if (!protocol::equalsIgnoringCase(ahead.atom(), "RETURN"))
        return options;
    ahead.expect(' ');
    ahead.expect('(');
    while (!ahead.failed() && !ahead.accept(')')) {
        options.push_back(protocol::capitals(ahead.atom()));
        ahead.skipBlanks();
    }
    ahead.skipBlanks();
    if (ahead.failed())
        return std::nullopt;
    if (options.empty())
        options.emplace_back("ALL");
    words = ahead;
    return options;
}

void ImapConversation::tellSearch(
    std::string& out, const std::vector<bool>& in, const std::vector<std::string>& options, bool uid) const
{
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i])
            found.push_back(uid ? m_view[i].uid : i + 1);
    if (options.empty()) {
        out += "* SEARCH";
        for (const std::uint64_t number : found)
            out += fmt::format(" {}", number);
        out += "\r\n";
        return;
    }
    out += fmt::format("* ESEARCH (TAG \"{}\"){}", m_tag, uid ? " UID" : "");
    for (const std::string& option : options) {
        if (option == "COUNT")
            out += fmt::format(" COUNT {}", found.size());
        if (found.empty()) // RFC 4731, 3.1: the others are left out then
            continue;
        if (option == "MIN")
            out += fmt::format(" MIN {}", found.front());
        else if (option == "MAX")
            out += fmt::format(" MAX {}", found.back());
        else if (option == "ALL") {
            out += " ALL ";
            for (std::size_t i = 0, last = 0; i < found.size(); i = last + 1) {
                for (last = i; last + 1 < found.size() && found[last + 1] == found[last] + 1;)
                    ++last;
                out += fmt::format("{}{}", i == 0 ? "" : ",", found[i]);
                if (last > i)
                    out += fmt::format(":{}", found[last]);
            }
        }
    }
    out += "\r\n";
}

} // namespace loadstone::embedded
