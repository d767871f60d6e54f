// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/random.h>
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

Result<std::string> readOpenFile(const FileDescriptor& file, const std::string& name, std::size_t limit)
{
    std::string content;
    std::array<char, 65536> block;
    for (;;) {
        const ssize_t n = ::read(file.get(), block.data(), block.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return systemError(name);
        if (n == 0)
            return content;
        content.append(block.data(), static_cast<std::size_t>(n));
        if (content.size() > limit)
            return fail(name + ": larger than " + std::to_string(limit) + " bytes");
    }
}

Result<std::string> readFile(const std::filesystem::path& file, std::size_t limit)
{
    const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd)
        return systemError(file.string());
    return readOpenFile(fd, file.string(), limit);
}

Result<FileDescriptor> openRegular(const std::filesystem::path& file, int flags)
{
    FileDescriptor fd(::open(file.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!fd)
        return errno == ELOOP ? fail(file.string()
                   + ": is a symbolic link, and links are not followed there; remove it, or choose another "
                     "place")
                              : systemError(file.string());
    struct stat status { };
    if (::fstat(fd.get(), &status) != 0)
        return systemError(file.string());
    if (!S_ISREG(status.st_mode))
        return fail(file.string() + ": exists and is not a regular file; choose another place");
    const int now = ::fcntl(fd.get(), F_GETFL);
    if (now < 0 || ::fcntl(fd.get(), F_SETFL, now & ~O_NONBLOCK) != 0)
        return systemError(file.string());
    return fd;
}

Result<TemporaryFile> TemporaryFile::beside(const std::filesystem::path& file, unsigned mode)
{
    std::array<unsigned char, 8> random {};
    if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
        return systemError("a random number");
    constexpr const char* kDigits = "0123456789abcdef";
    std::string name = file.string() + ".part-";
    for (const unsigned char byte : random) {
        name += kDigits[byte >> 4U];
        name += kDigits[byte & 15U];
    }
    TemporaryFile temporary;
    temporary.m_final = file;
    temporary.m_file = FileDescriptor(
        ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, static_cast<mode_t>(mode)));
    if (!temporary.m_file)
        return systemError(file.string());
    temporary.m_path = std::move(name);
    return temporary;
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_final(std::move(other.m_final))
    , m_file(std::move(other.m_file))
{
}

TemporaryFile::~TemporaryFile()
{
    if (m_path.empty())
        return;
    for (const char* suffix : { "", "-journal", "-wal", "-shm" })
        ::unlink((m_path.string() + suffix).c_str());
}

Result<void> TemporaryFile::write(std::string_view content)
{
    while (!content.empty()) {
        const ssize_t n = ::write(m_file.get(), content.data(), content.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return systemError(m_final.string());
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

Result<void> TemporaryFile::become(bool replace)
{
    struct stat own { };
    struct stat named { };
    if (::fsync(m_file.get()) != 0 || ::fstat(m_file.get(), &own) != 0
        || ::fstatat(AT_FDCWD, m_path.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0)
        return systemError(m_final.string());
    if (own.st_dev != named.st_dev || own.st_ino != named.st_ino)
        return fail(m_path.string() + ": another program has replaced this file");
    if (::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, m_final.c_str(), replace ? 0 : RENAME_NOREPLACE) != 0)
        return systemError(m_final.string());
    m_path.clear();
    return {};
}

Result<void> writeFileAtomically(
    const std::filesystem::path& file, std::string_view content, unsigned mode)
{
    auto temporary = TemporaryFile::beside(file, mode);
    if (!temporary)
        return temporary.error();
    if (const auto written = temporary->write(content); !written)
        return written;
    return temporary->become();
}

} // namespace loadstone
