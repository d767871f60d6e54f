// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <filesystem>

namespace loadstone::history {

/// Tells other processes that a recording's writer lives: a lock on "<recording>.lock" that the kernel
/// releases however the writer ends. (Not on the recording itself: closing any descriptor of it would drop
/// SQLite's locks.)
class WriterMark {
public:
    /// An Error when another writer has it.
    static Result<WriterMark> take(const std::filesystem::path& recording);
    WriterMark(WriterMark&&) noexcept = default;
    WriterMark& operator=(WriterMark&&) = delete;
    /// Gives it up and removes the side file.
    ~WriterMark();

private:
    WriterMark(std::filesystem::path file, FileDescriptor fd);
    std::filesystem::path m_file;
    FileDescriptor m_fd;
};

std::filesystem::path writerMarkFile(const std::filesystem::path& recording);
/// Takes microseconds and never gets in the writer's way.
bool writerLives(const std::filesystem::path& recording);

} // namespace loadstone::history
