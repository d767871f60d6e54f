// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace loadstone::layering {

struct Findings {
    std::size_t files = 0; ///< source files read
    std::size_t includes = 0; ///< include lines judged
    std::vector<std::string> violations; ///< "engine/plan/plan.cpp:7: …", in the order of the paths
};

/// Reads every source file below `root` (a checkout) and judges it by the layering rule of ARCHITECTURE.md:
/// which room may include which, what the public headers and the programs may see, where Qt and the slow
/// headers may appear, that no series is found by its name, the length of files and their licence line.
Findings checkTree(const std::filesystem::path& root);

} // namespace loadstone::layering
