// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/resources.h"

#include <cstdlib>

namespace loadstone {

std::filesystem::path programFile()
{
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

std::filesystem::path resourceFolder()
{
    if (const char* named = std::getenv("LOADSTONE_RESOURCES"); named != nullptr && *named != '\0')
        return named;
    std::error_code ignored;
    const auto installed = programFile().parent_path().parent_path() / "share" / "loadstone";
    if (std::filesystem::is_directory(installed, ignored))
        return installed;
    return LOADSTONE_RESOURCE_SOURCE;
}

} // namespace loadstone
