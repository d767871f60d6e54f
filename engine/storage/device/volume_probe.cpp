// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/file_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kSmallest = 512, kLargest = 4096;

/// A file without a name, or with one that is gone at once.
FileDescriptor scratchFile(const fs::path& folder, int flags)
{
    FileDescriptor fd(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600));
    if (fd || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
        return fd;
    static std::atomic<unsigned> probes { 0 }; // groups' threads look at one folder at once
    const fs::path name = folder / fmt::format(".loadstone-probe-{}-{}", ::getpid(), ++probes);
    fd = FileDescriptor(::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | flags, 0600));
    const int reason = errno;
    if (fd || (flags != 0 && reason == EINVAL))
        ::unlink(name.c_str());
    errno = reason;
    return fd;
}

/// What the kernel says, 0 where it says nothing.
std::uint32_t toldByKernel(int fd)
{
    struct statx told { };
    if (::statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &told) != 0 || (told.stx_mask & STATX_DIOALIGN) == 0)
        return 0;
    return std::max(told.stx_dio_mem_align, told.stx_dio_offset_align);
}

bool takes(int fd, std::uint32_t block)
{
    void* memory = nullptr;
    if (::posix_memalign(&memory, kLargest, std::size_t { 2 } * kLargest) != 0)
        return false;
    std::memset(memory, 0, std::size_t { 2 } * kLargest);
    // Memory that is aligned to this block and to no larger one.
    const bool taken =
        ::pwrite(fd, static_cast<char*>(memory) + block, block, block) == static_cast<ssize_t>(block);
    ::free(memory);
    return taken;
}

} // namespace

Result<std::uint32_t> directBlock(const fs::path& folder)
{
    const FileDescriptor direct = scratchFile(folder, O_DIRECT);
    if (!direct) {
        if (errno == EINVAL)
            return kLargest;
        return systemError(folder.string());
    }
    const std::uint32_t told = toldByKernel(direct.get());
    if (told > kLargest)
        return fail(fmt::format("{}: direct I/O needs blocks of {} bytes here, and at most {} are supported; "
                                "write direct = false",
            folder.string(), told, kLargest));
    if (told != 0)
        return std::bit_ceil(std::max(told, kSmallest));
    for (std::uint32_t block = kSmallest; block < kLargest; block *= 2)
        if (takes(direct.get(), block))
            return block;
    return kLargest;
}

bool canPoll(const fs::path& folder)
{
    struct stat status { };
    if (::stat(folder.c_str(), &status) != 0)
        return false;
    const dev_t device = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;
    const std::string block = fmt::format("/sys/dev/block/{}:{}/", ::major(device), ::minor(device));
    for (const char* queue : { "queue/io_poll", "../queue/io_poll" }) // a disk, a partition
        if (const auto text = readFile(block + queue))
            return text->starts_with('1');
    return false;
}

} // namespace loadstone::storage
