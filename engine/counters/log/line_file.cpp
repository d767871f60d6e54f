// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/line_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone::counters {

namespace {

constexpr std::size_t kPiece = std::size_t { 256 } << 10;

} // namespace

LineFile::LineFile(std::string name, FileDescriptor file, std::uint64_t size)
    : m_name(std::move(name))
    , m_file(std::move(file))
    , m_size(size)
{
}

Result<LineFile> LineFile::open(const std::filesystem::path& file)
{
    auto descriptor = openRegular(file, O_RDONLY);
    return descriptor ? read(file.string(), *std::move(descriptor)) : descriptor.error();
}

Result<LineFile> LineFile::read(std::string name, FileDescriptor file)
{
    struct stat facts { };
    if (::fstat(file.get(), &facts) != 0)
        return systemError(name);
    LineFile lines(std::move(name), std::move(file), static_cast<std::uint64_t>(facts.st_size));
    if (auto more = lines.readMore(); !more)
        return more.error();
    const std::string_view text(lines.m_buffer.data(), lines.m_end);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return fail(lines.m_name
            + ": is UTF-16; save it as UTF-8 (in PowerShell: Get-Content LOG | Set-Content -Encoding utf8 "
              "NEW)");
    if (text.starts_with("\xEF\xBB\xBF"))
        lines.m_begin = 3;
    return lines;
}

Result<bool> LineFile::readMore()
{
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_end == m_buffer.size())
        m_buffer.resize(std::max(kPiece, 2 * m_buffer.size()));
    ssize_t got = 0;
    do
        got = ::read(m_file.get(), m_buffer.data() + m_end, m_buffer.size() - m_end);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return systemError(m_name);
    m_read += static_cast<std::uint64_t>(got);
    m_end += static_cast<std::size_t>(got);
    return got > 0;
}

Result<std::optional<std::string_view>> LineFile::next()
{
    std::size_t searched = m_begin;
    for (;;) {
        const char* const text = m_buffer.data();
        const void* const found =
            searched < m_end ? std::memchr(text + searched, '\n', m_end - searched) : nullptr;
        if (found != nullptr || m_end - m_begin > kLongestLine)
            break;
        const std::size_t seen = m_end - m_begin;
        const auto more = readMore();
        if (!more)
            return more.error();
        searched = m_begin + seen;
        if (!*more)
            break;
    }
    if (m_begin == m_end)
        return std::optional<std::string_view>();
    ++m_number;
    const std::string_view rest(m_buffer.data() + m_begin, m_end - m_begin);
    const std::size_t length = rest.find('\n');
    m_cutShort = length == std::string_view::npos;
    std::string_view line = rest.substr(0, length);
    if (line.size() > kLongestLine)
        return fail(m_name + ", line " + std::to_string(m_number)
            + ": is longer than 64 MB; a log of counters has shorter ones");
    m_begin += line.size() + (m_cutShort ? 0 : 1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return std::optional(line);
}

double LineFile::share() const noexcept
{
    const std::uint64_t done = m_read - (m_end - m_begin);
    return m_size == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(m_size));
}

} // namespace loadstone::counters
