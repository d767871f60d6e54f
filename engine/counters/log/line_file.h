// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::counters {

/// A text file, read line by line with as much memory as its longest line needs. One thread.
class LineFile {
public:
    /// An Error where the file cannot be opened, is not a regular file, or is UTF-16 (as PowerShell writes with ">").
    static Result<LineFile> open(const std::filesystem::path& file);
    /// The same of an open file. `name`: for messages.
    static Result<LineFile> read(std::string name, FileDescriptor file);

    /// The next line without its end, valid until the next call; nothing at the end of the file. An Error for a line of more than
    /// kLongestLine bytes, and where the file cannot be read.
    Result<std::optional<std::string_view>> next();
    [[nodiscard]] std::uint64_t number() const noexcept { return m_number; } ///< of the last line, from 1
    [[nodiscard]] bool cutShort() const noexcept { return m_cutShort; } ///< the last line had no end
    [[nodiscard]] double share() const noexcept; ///< of the file that was read, 0 to 1
    [[nodiscard]] const std::string& name() const noexcept { return m_name; }

    static constexpr std::size_t kLongestLine = std::size_t { 64 } << 20;

private:
    LineFile(std::string name, FileDescriptor file, std::uint64_t size);
    Result<bool> readMore();

    std::string m_name;
    FileDescriptor m_file;
    std::uint64_t m_size = 0, m_read = 0, m_number = 0;
    std::string m_buffer;
    std::size_t m_begin = 0, m_end = 0; // of what is in the buffer and was not handed out
    bool m_cutShort = false;
};

} // namespace loadstone::counters
