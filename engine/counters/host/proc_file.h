// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace loadstone::counters {

/// A file of procfs or sysfs that is read again and again: opened once, read with pread into a buffer that is
/// kept.
class ProcFile {
public:
    /// A file that cannot be opened reads as empty.
    explicit ProcFile(const std::filesystem::path& file);
    /// The whole content, valid until the next call; empty when it cannot be read (any more) or is over 4 MB.
    [[nodiscard]] std::string_view read();

private:
    FileDescriptor m_file;
    std::string m_buffer;
};

} // namespace loadstone::counters
