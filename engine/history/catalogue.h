// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"

#include <loadstone/history.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::history {

/// What a run's files looked like when they were last read: cheap to compare.
struct FileStamp {
    std::int64_t fileTime = 0, fileBytes = 0, logTime = 0, logBytes = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(const std::filesystem::path& recording);

/// A figure as the file has it. What stands behind the key is not known here.
struct StoredFigure {
    std::string key;
    std::int64_t version = 0; ///< of its definition
    Figure figure; ///< its value, samples, flags and window alone
};

/// What comparisons read of a run that has ended: see encodeCompared(). What stands in the content is not known here.
struct StoredComparison {
    std::string pool; ///< pooling key
    std::string content;
};

struct CatalogueEntry {
    RunSummary summary; ///< without its figures
    FileStamp stamp;
    std::vector<StoredFigure> figures {};
    std::optional<StoredComparison> comparison {}; ///< to write; read() leaves it empty
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
    /// The contents of the newest runs of a pool, at most `most`.
    Result<std::vector<std::string>> comparisonsOfPool(const std::string& pool, std::size_t most);
    /// Of the runs of a plan, by its file name, the newest ones, likewise; by run.
    Result<std::vector<std::pair<RunId, std::string>>> comparisonsOfPlan(
        const std::string& planName, std::size_t most);
    /// That of one run, if its file still looks like this; empty: there is none.
    Result<std::string> comparisonOf(const RunId& run, const FileStamp& stamp);
    /// Throws everything away.
    Result<void> renew();

private:
    Result<CatalogueEntries> readRows();
    Result<void> readFigures(CatalogueEntries& entries);
    std::filesystem::path m_file; // empty: it is in memory
    Database m_database;
};

} // namespace loadstone::history
