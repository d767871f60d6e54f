// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace loadstone {

/// Owns a file descriptor.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) noexcept
        : m_fd(fd)
    {
    }
    FileDescriptor(FileDescriptor&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    FileDescriptor& operator=(FileDescriptor&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileDescriptor() { reset(); }
    [[nodiscard]] int get() const noexcept { return m_fd; }
    explicit operator bool() const noexcept { return m_fd >= 0; }
    void reset() noexcept;

private:
    int m_fd = -1;
};

/// "path: No such file or directory" from the present errno.
Error systemError(const std::string& what);

/// The whole of a file, at most `limit` bytes (an Error past that).
Result<std::string> readFile(const std::filesystem::path& file, std::size_t limit = 64U << 20);
/// What an open file holds from its beginning on, at most `limit` bytes (an Error past that). `name`: for messages.
Result<std::string> readOpenFile(
    const FileDescriptor& file, const std::string& name, std::size_t limit = 64U << 20);
/// Replaces a file in one step: temporary file beside it, fsync, rename. Nothing is lost on failure. `mode`: of the new file.
Result<void> writeFileAtomically(
    const std::filesystem::path& file, std::string_view content, unsigned mode = 0644);

/// Opens a regular file without following a link in its place, and without waiting for one that is a pipe. The folders before it
/// may be links. `flags`: of open(2).
Result<FileDescriptor> openRegular(const std::filesystem::path& file, int flags);

/// A new file that is to take another one's name once it is whole: beside that one, under a random name, made by this object and
/// nobody else. Removed with the object, with what SQLite may leave beside it, unless it has got its name.
class TemporaryFile {
public:
    /// `mode`: its permissions, before the process' umask.
    static Result<TemporaryFile> beside(const std::filesystem::path& file, unsigned mode);
    TemporaryFile(TemporaryFile&& other) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    ~TemporaryFile();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    [[nodiscard]] const FileDescriptor& descriptor() const noexcept { return m_file; }
    /// Appends; an Error names the file that it is to become.
    Result<void> write(std::string_view content);
    /// Makes it durable and gives it its name; an Error where that is taken and `replace` is false, and where something else
    /// has been put in its place.
    Result<void> become(bool replace = true);

private:
    TemporaryFile() = default;
    std::filesystem::path m_path, m_final;
    FileDescriptor m_file;
};

} // namespace loadstone
