// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"
#include "run/view/run_feed.h"
#include "run/view/run_view.h"

#include <QColor>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::ui {

/// One run of an overlay, and which of its own lines are meant by what all runs have in common; see commonLinesOf().
struct OverlaySource {
    RunId id;
    std::filesystem::path file;
    std::string target;
    QString name, problem;
    QColor colour;
    std::size_t column = 0;
    bool open = false;
    Nanoseconds start {}; ///< on the common axis
    RunFeed feed;
    std::shared_ptr<const RunHeader> header;
    std::shared_ptr<const RunView> view; ///< null until it is read

    void setView(std::shared_ptr<const RunView> read);
    /// The run's lines as all runs share them.
    [[nodiscard]] const std::vector<LineInfo>& lines() const { return m_common; }
    /// As the legend names it, also where this run does not have it.
    [[nodiscard]] LineInfo info(const LineKey& common) const;
    /// Its short name beside the other lines that are drawn.
    [[nodiscard]] QString shortName(const LineKey& common, const std::vector<LineKey>& drawn) const;
    /// The run's own keys; one that it does not have stays as it is, and is not found in the run.
    [[nodiscard]] std::vector<LineKey> ownKeys(const std::vector<LineKey>& common) const;
    /// The other way.
    [[nodiscard]] std::vector<LineKey> commonKeys(const std::vector<LineKey>& own) const;
    [[nodiscard]] LineKey ownKey(const LineKey& common) const;
    /// How much of a window of the common axis the run is of, 0 to 1.
    [[nodiscard]] double shareOf(TimeWindow window) const;
    /// What was read of it; null: nothing, or not yet.
    [[nodiscard]] const LineData* data(const LineKey& common) const;
    /// From the first to the last of the values that its average is of, on the common axis; empty where there are none, or too many
    /// in between are missing.
    [[nodiscard]] TimeWindow averaged(const LineKey& common) const;
    [[nodiscard]] const std::vector<LineInfo>& ownLines() const { return m_own; }

private:
    std::vector<LineInfo> m_own, m_common; // side by side
    std::shared_ptr<const std::vector<SourceInfo>> m_sources; // that they were made from
};

} // namespace loadstone::ui
