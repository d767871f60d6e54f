// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>
#include <loadstone/load_curve.h>

#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::ui {

/// What the user has chosen as a column: runs of the history that are repeats of each other, a system of a published result, or a
/// case of a study.
struct ChosenColumn {
    QString name; ///< that the user gave it; empty: made from what it is
    std::vector<RunId> runs;
    std::filesystem::path result; ///< of a published result: its file
    std::string system; ///< within it
    std::filesystem::path study; ///< of a case or a set: the study's file
    std::string part; ///< its id within it
    bool operator==(const ChosenColumn&) const = default;
};

/// What a page wants to see.
struct CompareQuery {
    std::vector<ChosenColumn> columns;
    bool groupRepeats = true; ///< runs of one configuration are one column, where two columns are left
    CompareOptions options;
    bool operator==(const CompareQuery& other) const
    {
        const CompareOptions &a = options, &b = other.options;
        return columns == other.columns && groupRepeats == other.groupRepeats && a.baseline == b.baseline
            && a.match == b.match && a.matters == b.matters && a.level == b.level && a.all == b.all
            && a.rows == b.rows && a.figures == b.figures && a.evenIfNotComparable == b.evenIfNotComparable
            && a.control == b.control;
    }
};

/// A comparison as it stood at one moment. Immutable once made.
struct CompareView {
    CompareQuery query; ///< what it answers; its columns are grouped as `columns` are
    std::vector<ComparedColumn> columns;
    std::shared_ptr<const Comparison> comparison; ///< null: there are fewer than two columns, see `problem`
    QString problem; ///< why there is no comparison
    QStringList unread; ///< columns that could not be read, with the reason
    std::vector<ConfigurationRow> configuration;
    QString configurationProblem;
    std::vector<CurveChoice> curves; ///< what can be drawn over load
    bool withHistory = false; ///< the repeats of the history have been read; false: they are being read

    [[nodiscard]] bool live() const; ///< one of the runs goes on
};

/// "First run, 2026-11-24 10:02": the column's name as the user gave it, else made from its runs.
QString nameOf(const ChosenColumn& column, const std::vector<ComparedRun>& runs);
/// Whether what was chosen stands in this column of a view, alone or grouped with others.
bool isPartOf(const ChosenColumn& chosen, const ChosenColumn& shown);
/// The columns of `query`, as they were chosen, that stand in column `shown` of a view that answers it: their places, rising.
std::vector<std::size_t> partsOf(
    const CompareQuery& query, const std::vector<ChosenColumn>& view, std::size_t shown);
/// Runs of the same configuration together, in the order of their first ones. As they were where fewer than two columns would be left.
std::vector<ChosenColumn> grouped(
    const std::vector<ChosenColumn>& columns, const std::vector<std::vector<ComparedRun>>& runs);

} // namespace loadstone::ui
