// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <filesystem>
#include <utility>
#include <vector>

namespace loadstone::session {

/// The files of a history: the catalogue, and in a folder below it one recording for each run, named by the run's id.
class HistoryFolder {
public:
    /// Makes what is missing, for its owner alone: transcripts and names of users are in it. An empty path is the default folder:
    /// as LOADSTONE_HISTORY says, else below XDG_DATA_HOME, else below the user's home.
    static Result<HistoryFolder> open(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::filesystem::path catalogue() const { return m_path / "catalogue.db"; }
    [[nodiscard]] std::filesystem::path fileOf(const RunId& id) const;
    [[nodiscard]] bool has(const RunId& id) const;
    [[nodiscard]] Error missing(const RunId& id) const;
    /// Of all recordings, in the order in which their runs came into the history.
    [[nodiscard]] Result<std::vector<RunId>> ids() const;
    /// Deletes the recording of a run, with the files that SQLite keeps beside it. An Error where it is being written.
    [[nodiscard]] Result<void> remove(const RunId& id) const;

private:
    explicit HistoryFolder(std::filesystem::path path)
        : m_path(std::move(path))
    {
    }
    [[nodiscard]] std::filesystem::path runs() const { return m_path / "runs"; }

    std::filesystem::path m_path;
};

} // namespace loadstone::session
