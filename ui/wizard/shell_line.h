// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace loadstone::ui {

/// A word as a POSIX shell reads it back: plain where that is safe, else between single quotes.
std::string shellWord(const std::string& word);
/// Words with a blank between them.
std::string shellLine(const std::vector<std::string>& words);
/// The command that runs a plan as the window does, and writes its report beside it.
std::string runCommand(const std::filesystem::path& plan);

} // namespace loadstone::ui
