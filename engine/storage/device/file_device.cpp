// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/file_device.h"

#include "storage/device/file_identity.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace loadstone::storage {
namespace fs = std::filesystem;

std::string_view nameOf(Backend backend) noexcept
{
    switch (backend) {
    case Backend::uring:
        return "io_uring";
    case Backend::threads:
        return "threads";
    case Backend::automatic:
        break;
    }
    return "automatic";
}

namespace {

fs::path folderOf(const fs::path& path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Makes the names in a folder durable.
Result<void> syncFolder(const fs::path& folder)
{
    const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd)
        return systemError(folder.string());
    // Some file systems sync no folders and say so; what they keep of a name is up to them.
    if (::fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS)
        return systemError(folder.string());
    return {};
}

std::uint64_t bytesFree(const fs::path& folder)
{
    struct statvfs room { };
    if (::statvfs(folder.c_str(), &room) != 0)
        return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
}

Error noRoom(const fs::path& path, std::uint64_t bytes)
{
    return { fmt::format("{}: no space for {}; {} are free there: make room, or choose another place",
                 path.string(), formatBytes(bytes), formatBytes(bytesFree(folderOf(path)))),
        boost::system::error_code(ENOSPC, boost::system::system_category()) };
}

/// Zeros by hand, for file systems that cannot reserve. False: errno says why.
bool writeZeros(int fd, std::uint64_t from, std::uint64_t to, const std::atomic<bool>* interrupted)
{
    static const std::vector<char> zeros(1U << 20);
    while (from < to) {
        if (interrupted != nullptr && interrupted->load(std::memory_order_acquire)) {
            errno = ECANCELED;
            return false;
        }
        const std::size_t length = std::min<std::uint64_t>(zeros.size(), to - from);
        const ssize_t n = ::pwrite(fd, zeros.data(), length, static_cast<off_t>(from));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += static_cast<std::uint64_t>(n);
    }
    return true;
}

/// Space from `from` to `to`, reserved and durable.
Result<void> reserve(
    int fd, const fs::path& path, std::uint64_t from, std::uint64_t to, const std::atomic<bool>* interrupted)
{
    if (to > from) {
        // Asked first: some file systems take all that they have before they find that it is not enough.
        if (to - from > bytesFree(folderOf(path)))
            return noRoom(path, to - from);
        int result = 0;
        do
            result = ::fallocate(fd, 0, static_cast<off_t>(from), static_cast<off_t>(to - from));
        while (result != 0 && errno == EINTR);
        const bool cannot = result != 0 && (errno == EOPNOTSUPP || errno == ENOSYS);
        if ((result != 0 && !cannot) || (cannot && !writeZeros(fd, from, to, interrupted)))
            return errno == ENOSPC ? noRoom(path, to - from) : systemError(path.string());
    }
    if (::fsync(fd) != 0)
        return systemError(path.string());
    return {};
}

int flagsOf(const FileOptions& options)
{
    return O_CLOEXEC | (options.writable ? O_RDWR : O_RDONLY) | (options.direct ? O_DIRECT : 0)
        | (options.writable && options.durability == Durability::writeThrough ? O_DSYNC : 0);
}

} // namespace

Result<FileId> FileDevice::create(const fs::path& path, std::uint64_t size, const FileOptions& options)
{
    // Without O_DIRECT: where that is refused, some kernels leave the empty file behind.
    const FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd)
        return errno == EEXIST ? fail(path.string() + ": exists already, and is not overwritten")
                               : systemError(path.string());
    const auto abandon = [&](const Error& error) {
        static_cast<void>(removeName(fd, path)); // what went wrong first is told
        return error;
    };
    // First whose it is: what a killed run leaves behind can be told from files of others.
    if (options.owner)
        if (const auto marked = writeIdentity(fd, path, options.owner, size); !marked)
            return abandon(marked.error());
    auto reserved = reserve(fd.get(), path, 0, size, m_interrupted);
    if (reserved)
        reserved = syncFolder(folderOf(path));
    if (!reserved)
        return abandon(reserved.error());
    auto id = open(path, options);
    if (!id)
        return abandon(id.error());
    return id;
}

namespace {

Error refusesDirect(const fs::path& path)
{
    return fail(path.string()
            + ": its file system refuses direct I/O (O_DIRECT); choose another place, or write "
              "direct = false, "
              "and the kernel's page cache is part of what is measured",
        boost::system::error_code(EINVAL, boost::system::system_category()));
}

/// A file of a test: it is looked at before anything is read from it or written to it, and by this one descriptor.
Result<OwnFile> openOwned(const fs::path& path, const FileOptions& options)
{
    FileOptions buffered = options;
    buffered.direct = false;
    auto own = openOwn(path, options.owner, flagsOf(buffered));
    if (!own || !options.direct)
        return own;
    const int flags = ::fcntl(own->descriptor.get(), F_GETFL);
    if (flags < 0 || ::fcntl(own->descriptor.get(), F_SETFL, flags | O_DIRECT) != 0)
        return errno == EINVAL ? refusesDirect(path) : systemError(path.string());
    return own;
}

} // namespace

Result<FileId> FileDevice::open(const fs::path& path, const FileOptions& options)
{
    OpenFile opening { FileDescriptor(), path, 0, options };
    struct stat status { };
    if (options.owner) {
        auto own = openOwned(path, options);
        if (!own)
            return own.error();
        opening.descriptor = std::move(own->descriptor);
        opening.size = own->content;
    } else {
        // Neither waits for a pipe nor opens what only looks like a file.
        opening.descriptor = FileDescriptor(::open(path.c_str(), flagsOf(options) | O_NONBLOCK));
        if (!opening.descriptor)
            return errno == EINVAL && options.direct ? refusesDirect(path) : systemError(path.string());
        const int flags = ::fcntl(opening.descriptor.get(), F_GETFL);
        if (flags < 0 || ::fcntl(opening.descriptor.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
            return systemError(path.string());
    }
    if (::fstat(opening.descriptor.get(), &status) != 0)
        return systemError(path.string());
    if (S_ISBLK(status.st_mode)) {
        if (options.blockDevice != 0 && status.st_rdev != options.blockDevice)
            return fail(path.string() + ": is another device than when the run checked it");
        if (::ioctl(opening.descriptor.get(), BLKGETSIZE64, &opening.size) != 0)
            return systemError(path.string());
    } else if (!S_ISREG(status.st_mode) || options.blockDevice != 0) {
        return fail(path.string()
            + (options.blockDevice != 0 ? ": is not a block device any more"
                                        : ": neither a regular file nor a block device"));
    } else if (!options.owner) {
        opening.size = static_cast<std::uint64_t>(status.st_size);
    }
    m_known[path] = { status.st_dev, status.st_ino, options.owner };
    auto place = std::ranges::find_if(
        m_files, [](const OpenFile& file) { return !static_cast<bool>(file.descriptor); });
    if (place == m_files.end()) {
        if (m_files.size() > std::numeric_limits<FileId>::max())
            return fail(path.string() + ": too many files are open");
        place = m_files.emplace(m_files.end());
    }
    *place = std::move(opening);
    const auto id = static_cast<FileId>(place - m_files.begin());
    opened(id);
    return id;
}

Result<void> FileDevice::grow(FileId id, std::uint64_t size)
{
    OpenFile& growing = m_files[id];
    if (size <= growing.size)
        return {};
    if (const Identity& owner = growing.options.owner) {
        // The new end first: at any time the file ends with its identity. What was the end becomes content, which reads as zeros.
        const FileDescriptor again(
            ::open(fmt::format("/proc/self/fd/{}", growing.descriptor.get()).c_str(), O_RDWR | O_CLOEXEC));
        if (!again)
            return systemError(growing.path.string());
        if (const auto marked = writeIdentity(again, growing.path, owner, size); !marked)
            return marked.error();
        if (!writeZeros(again.get(), growing.size, std::min(size, growing.size + kIdentityBlock), nullptr))
            return systemError(growing.path.string());
    }
    if (const auto reserved =
            reserve(growing.descriptor.get(), growing.path, growing.size, size, m_interrupted);
        !reserved)
        return reserved.error();
    growing.size = size;
    return {};
}

std::uint64_t FileDevice::size(FileId id) const
{
    return m_files[id].size;
}

void FileDevice::close(FileId id)
{
    assert(m_files[id].descriptor);
    closing(id);
    m_files[id] = {};
}

Result<void> FileDevice::remove(const fs::path& path)
{
    const auto known = m_known.find(path);
    if (known == m_known.end())
        return fail(path.string() + ": was not opened here, and is not removed");
    auto file = openRegular(path, O_RDONLY);
    if (!file)
        return file.error();
    struct stat status { };
    if (::fstat(file->get(), &status) != 0)
        return systemError(path.string());
    if (status.st_dev != known->second.device || status.st_ino != known->second.inode)
        return fail(path.string() + ": was replaced by another file in the meantime; it was not removed");
    if (known->second.owner)
        if (const auto own = checkIdentity(*file, path, known->second.owner); !own)
            return own.error();
    if (const auto removed = removeName(*file, path); !removed)
        return removed;
    m_known.erase(known);
    return syncFolder(folderOf(path));
}

bool FileDevice::exists(const fs::path& path) const
{
    struct stat status { };
    return ::lstat(path.c_str(), &status) == 0 || errno != ENOENT;
}

void FileDevice::sleepUntil(MonoTime until)
{
    const auto when = until.time_since_epoch().count();
    const timespec time { when / 1'000'000'000, when % 1'000'000'000 };
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

} // namespace loadstone::storage
