// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone {

void FileDescriptor::reset() noexcept
{
    if (m_fd >= 0)
        ::close(std::exchange(m_fd, -1));
}

Error systemError(const std::string& what)
{
    const boost::system::error_code code(errno, boost::system::system_category());
    return { what + ": " + code.message(), code };
}

Result<std::string> readFile(const std::filesystem::path& file, std::size_t limit)
{
    FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd)
        return systemError(file.string());
    std::string content;
    std::array<char, 65536> block;
    for (;;) {
        const ssize_t n = ::read(fd.get(), block.data(), block.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return systemError(file.string());
        if (n == 0)
            return content;
        content.append(block.data(), static_cast<std::size_t>(n));
        if (content.size() > limit)
            return fail(file.string() + ": larger than " + std::to_string(limit) + " bytes");
    }
}

Result<void> writeFileAtomically(const std::filesystem::path& file, std::string_view content)
{
    const std::string temporary = file.string() + ".part" + std::to_string(::getpid());
    FileDescriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!fd)
        return systemError(temporary);
    const auto abandon = [&](const std::string& what) {
        const Error error = systemError(what);
        ::unlink(temporary.c_str());
        return error;
    };
    while (!content.empty()) {
        const ssize_t n = ::write(fd.get(), content.data(), content.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return abandon(temporary);
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(fd.get()) != 0 || ::rename(temporary.c_str(), file.c_str()) != 0)
        return abandon(file.string());
    return {};
}

} // namespace loadstone
