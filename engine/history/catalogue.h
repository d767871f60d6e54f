// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"

#include <loadstone/history.h>

#include <filesystem>
#include <map>

namespace loadstone::history {

/// What a run's files looked like when they were last read: cheap to compare.
struct FileStamp {
    std::int64_t fileTime = 0, fileBytes = 0, logTime = 0, logBytes = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(const std::filesystem::path& recording);

struct CatalogueEntry {
    RunSummary summary;
    FileStamp stamp;
};
using CatalogueEntries = std::map<RunId, CatalogueEntry>;

/// The catalogue's file. Several processes may use it at once. It is only a cache: one that is damaged, or of
/// another version, is thrown away and made again. A file of that name that is not Loadstone's is an Error, and stays as it is. Where
/// nothing can be written there is a catalogue in memory alone.
class Catalogue {
public:
    static Result<Catalogue> open(const std::filesystem::path& file);

    Result<CatalogueEntries> read();
    /// Inserts or replaces, and removes, in one transaction.
    Result<void> change(const std::vector<CatalogueEntry>& put, const std::vector<RunId>& gone);
    /// Throws everything away.
    Result<void> renew();

private:
    Result<CatalogueEntries> readRows();
    std::filesystem::path m_file; // empty: it is in memory
    Database m_database;
};

} // namespace loadstone::history
