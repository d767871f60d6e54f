// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_command.h"

#include "protocol/common/server_line.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace loadstone::protocol {

namespace {

struct Announced {
    std::uint64_t size = 0;
    bool waits = true; // for leave
};

/// The literal that a line ends with: "{12}", "{12+}".
std::optional<Announced> announcedBy(std::string_view line)
{
    if (!line.ends_with('}'))
        return std::nullopt;
    const std::size_t open = line.rfind('{');
    if (open == std::string_view::npos)
        return std::nullopt;
    std::string_view digits = line.substr(open + 1, line.size() - open - 2);
    Announced announced;
    if (digits.ends_with('+') || digits.ends_with('-')) {
        digits.remove_suffix(1);
        announced.waits = false;
    }
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), announced.size);
    if (digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return std::nullopt;
    return announced;
}

/// What a line begins with, where it may be a tag.
std::optional<std::string> tagOf(std::string_view line)
{
    const std::string_view tag = line.substr(0, line.find(' '));
    const bool good = !tag.empty() && tag.size() <= 64
        && std::all_of(tag.begin(), tag.end(), [](char c) { return c > ' ' && c < 0x7f && c != '{'; });
    return good ? std::optional<std::string>(tag) : std::nullopt;
}

} // namespace

const ImapCommand* ImapCommandReader::next()
{
    while (!m_ready) {
        if (m_skip > 0) {
            const std::size_t taken = std::min<std::uint64_t>(m_skip, m_in.size() - m_at);
            m_at += taken;
            m_scan = m_at;
            m_skip -= taken;
            if (m_skip > 0) {
                release();
                return nullptr;
            }
        }
        if (!readLine())
            return nullptr;
    }
    return &m_command;
}

/// Goes on to the end of a line; false where there is none yet.
bool ImapCommandReader::readLine()
{
    const std::size_t lf = m_in.find('\n', m_scan);
    if (lf == std::string::npos) {
        if (m_in.size() - m_scan <= kMaxLine)
            return false;
        m_command.tag = "*";
        fault("the line is too long", m_in.size());
        return true;
    }
    std::string_view line = std::string_view(m_in).substr(m_scan, lf - m_scan);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (m_expectsLine) {
        m_command = {};
        m_command.kind = ImapCommand::Kind::line;
        m_command.name = line;
        finish(lf + 1);
        return true;
    }
    const auto literal = announcedBy(line);
    if (!literal) {
        m_command.kind = ImapCommand::Kind::command;
        m_command.text.text.assign(
            m_in, m_at, static_cast<std::size_t>(line.data() + line.size() - m_in.data()) - m_at);
        finish(lf + 1);
        return true;
    }
    const std::uint64_t soFar = lf + 1 - m_at;
    if (literal->size > m_mostLiteral || soFar + literal->size > m_mostLiteral + kMaxLine) {
        m_command.tag = tagOf(std::string_view(m_in).substr(m_at, lf - m_at)).value_or("*");
        m_skip = literal->waits ? 0 : literal->size;
        fault("the literal is too large", lf + 1);
        return true;
    }
    if (literal->waits && !m_leave) {
        m_command.kind = ImapCommand::Kind::literal;
        m_command.end = m_before + lf + 1;
        m_ready = true;
        return true;
    }
    m_wanted = lf + 1 + static_cast<std::size_t>(literal->size) - m_at;
    if (held() < m_wanted)
        return false;
    m_leave = false;
    m_scan = lf + 1 + static_cast<std::size_t>(literal->size);
    return true;
}

void ImapCommandReader::fault(const char* why, std::size_t end)
{
    m_wanted = 0;
    m_command.kind = ImapCommand::Kind::malformed;
    m_command.fault = why;
    m_command.end = m_before + end;
    m_at = m_scan = end;
    m_ready = true;
}

/// The command reaches up to here: takes its words apart.
void ImapCommandReader::finish(std::size_t end)
{
    m_expectsLine = false;
    m_wanted = 0;
    m_command.end = m_before + end;
    m_at = m_scan = end;
    m_ready = true;
    if (m_command.kind == ImapCommand::Kind::line)
        return;
    const std::string_view text = m_command.text.text;
    const std::size_t blank = std::min(text.find(' '), text.size());
    m_command.tag = text.substr(0, blank);
    const std::string_view behind = text.substr(std::min(blank + 1, text.size()));
    std::size_t nameEnd = text.size() - behind.size() + std::min(behind.find(' '), behind.size());
    m_command.name = blank < text.size() ? capitals(text.substr(blank + 1, nameEnd - blank - 1)) : "";
    if (m_command.name == "UID" && nameEnd < text.size()) {
        const std::string_view arguments = text.substr(nameEnd + 1);
        const std::size_t second = nameEnd + 1 + std::min(arguments.find(' '), arguments.size());
        m_command.name += capitals(text.substr(nameEnd, second - nameEnd));
        nameEnd = second;
    }
    m_command.arguments = std::min(nameEnd + 1, text.size());
    const bool tagGood = tagOf(text).has_value();
    if (tagGood && !m_command.name.empty())
        return;
    m_command.kind = ImapCommand::Kind::malformed;
    m_command.fault = tagGood ? "a command is missing" : "a tag is missing";
    if (!tagGood)
        m_command.tag = "*";
}

void ImapCommandReader::answered()
{
    m_ready = false;
    if (m_command.kind == ImapCommand::Kind::literal) {
        m_leave = true; // its text goes on growing
        return;
    }
    m_command = {};
    if (m_at == m_in.size() || m_at > kMaxLine)
        release();
}

/// Gives back what was taken; ten thousand idle sessions must not each hold what their largest message needed.
void ImapCommandReader::release()
{
    constexpr std::size_t kKept = 4096;
    m_before += m_at;
    m_scan -= m_at;
    if (m_at == m_in.size() && m_in.capacity() > kKept)
        std::string().swap(m_in);
    else
        m_in.erase(0, m_at);
    m_at = 0;
}

void ImapCommandReader::discard()
{
    m_before += m_in.size();
    m_in.clear();
    m_at = m_scan = m_wanted = 0;
    m_skip = 0;
    m_leave = m_expectsLine = false;
}

} // namespace loadstone::protocol
