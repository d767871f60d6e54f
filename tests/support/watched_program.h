// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace loadstone::test {

/// A program that goes on while the test looks at it. Killed, if it still runs, with the object. Its standard error is the test's.
class WatchedProgram {
public:
    explicit WatchedProgram(
        std::vector<std::string> command, const std::map<std::string, std::string>& environment = {});
    ~WatchedProgram();
    WatchedProgram(const WatchedProgram&) = delete;
    WatchedProgram& operator=(const WatchedProgram&) = delete;

    /// The next line of its standard output; nothing when it has closed that.
    std::optional<std::string> line();
    /// Whether it has ended, for which it is given so long.
    bool ended(std::chrono::milliseconds within);
    void signal(int number);
    /// Waits for its end: its exit code, 128 + number after a signal.
    int wait();

private:
    pid_t m_pid = -1;
    int m_descriptor = -1; // of the process
    int m_exitCode = -1;
    std::FILE* m_output = nullptr;
};

} // namespace loadstone::test
