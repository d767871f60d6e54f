// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace loadstone::test {

/// Whether some process of this machine has the text in its command line; one that is only left to be reaped has none.
inline bool someProcessHas(const std::string& text)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        std::ifstream file(entry.path() / "cmdline");
        const std::string line((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        if (line.find(text) != std::string::npos)
            return true;
    }
    return false;
}

/// The same, but those that are just being ended have half a minute to go.
inline bool noProcessHas(const std::string& text)
{
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (someProcessHas(text)) {
        if (std::chrono::steady_clock::now() > patience)
            return false;
        std::this_thread::yield();
    }
    return true;
}

} // namespace loadstone::test
