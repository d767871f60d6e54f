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
/// Replaces a file in one step: temporary file beside it, fsync, rename. Nothing is lost on failure.
Result<void> writeFileAtomically(const std::filesystem::path& file, std::string_view content);

} // namespace loadstone
