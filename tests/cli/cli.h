// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/program.h"

#include <string>
#include <vector>

namespace loadstone::test {

/// The program with a history of its own that goes with the test.
class Cli {
public:
    /// Runs `loadstone` with these arguments, for at most a minute.
    ProgramEnd operator()(const std::vector<std::string>& arguments) const;
    /// The same, but it gets SIGINT after so many seconds.
    [[nodiscard]] ProgramEnd interrupted(
        const std::string& after, const std::vector<std::string>& arguments) const;
    /// The same under another program, which gets it and its arguments as its last ones.
    [[nodiscard]] ProgramEnd under(
        std::vector<std::string> command, const std::vector<std::string>& arguments) const;
    /// A file in the test's folder, written when there is `content`.
    [[nodiscard]] std::string file(const std::string& name, const std::string& content = {}) const;

private:
    ScratchFolder m_folder;
};

} // namespace loadstone::test
