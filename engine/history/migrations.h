// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"

#include <span>

namespace loadstone::history {

/// A kind of SQLite file that this program writes: how it is recognised and how it came to its present form.
struct FileKind {
    const char* name; ///< "recording"
    std::int32_t applicationId;
    std::span<const std::string_view> steps; ///< SQL; step i leads from user_version i to i + 1
};
const FileKind& recordingKind();
const FileKind& catalogueKind();

/// Brings a new (empty) or older file to the present version, one transaction per step.
Result<void> migrate(Database& database, const FileKind& kind);
/// That the file is of this kind, not newer than this program, and has exactly the tables of its version: no
/// trigger, view or foreign table survives this. Gives the version.
Result<std::int64_t> checkKind(Database& database, const std::string& file, const FileKind& kind);

} // namespace loadstone::history
