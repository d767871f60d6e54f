// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/writer_mark.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace loadstone::history {

namespace {

// Open-file-description locks belong to this descriptor, not to the process: they hold against a second
// object in the same process too, and closing another descriptor does not release them.
struct flock wholeFile()
{
    struct flock lock { };
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

} // namespace

std::filesystem::path writerMarkFile(const std::filesystem::path& recording)
{
    return recording.string() + ".lock";
}

WriterMark::WriterMark(std::filesystem::path file, FileDescriptor fd)
    : m_file(std::move(file))
    , m_fd(std::move(fd))
{
}

WriterMark::~WriterMark()
{
    if (m_fd)
        ::unlink(m_file.c_str());
}

Result<WriterMark> WriterMark::take(const std::filesystem::path& recording)
{
    auto file = writerMarkFile(recording);
    FileDescriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd)
        return systemError(file.string());
    struct flock lock = wholeFile();
    if (::fcntl(fd.get(), F_OFD_SETLK, &lock) == 0)
        return WriterMark(std::move(file), std::move(fd));
    if (errno == EAGAIN || errno == EACCES)
        return fail(recording.string() + ": another program is writing this recording; stop it first");
    return systemError(file.string());
}

bool writerLives(const std::filesystem::path& recording)
{
    const FileDescriptor fd(::open(writerMarkFile(recording).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd)
        return false;
    struct flock lock = wholeFile();
    return ::fcntl(fd.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

} // namespace loadstone::history
