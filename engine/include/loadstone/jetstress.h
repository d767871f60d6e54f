// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/plan_file.h"
#include "loadstone/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace loadstone {

/// A setting of a Jetstress configuration that has no counterpart in a plan.
struct JetstressLeft {
    int line = 0; ///< in the configuration
    std::string what, why;
    bool operator==(const JetstressLeft&) const = default;
};

/// A storage plan made of a Jetstress configuration, with what was not taken over.
struct JetstressPlan {
    std::string text; ///< of the plan; the same as importJetstress() gives
    std::vector<JetstressLeft> leftOut; ///< by line
    /// The folders that the configuration names, each once, as it writes them; of a database's file its folder.
    std::vector<std::string> folders;
};

/// Like importJetstress(), for those who want to show what came of it. Any thread.
Result<JetstressPlan> readJetstressPlan(
    const std::filesystem::path& file, const std::vector<FolderMapping>& folders);

} // namespace loadstone
