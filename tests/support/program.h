// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace loadstone::test {

struct ProgramEnd {
    int exitCode = -1; ///< 128 + number after a signal; -1: still running at the limit, and killed
    std::string output; ///< standard output
    std::string errors; ///< standard error
};

/// Runs a program to its end and gives what it wrote. `environment` is added to that of this process. At
/// `limit` the program is killed. Throws std::runtime_error when it cannot be started.
ProgramEnd runProgram(const std::vector<std::string>& command, std::chrono::seconds limit,
    const std::map<std::string, std::string>& environment = {});

/// A new folder, by default below the system's temporary one, that goes, with all in it, with the object.
class ScratchFolder {
public:
    explicit ScratchFolder(const std::filesystem::path& below = std::filesystem::temp_directory_path());
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    void keep() { m_keep = true; } ///< leave it behind, for a look at what went wrong

private:
    std::filesystem::path m_path;
    bool m_keep = false;
};

} // namespace loadstone::test
