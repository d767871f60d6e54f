// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/dot_picture.h"
#include "compare/view/chosen_column.h"
#include "compare/view/compare_words.h"

#include <QAbstractTableModel>
#include <QSet>

#include <optional>

namespace loadstone::ui {

/// Which rows of a comparison are shown.
struct CompareFilter {
    enum class Show { all, differing, shown };
    Show show = Show::all; ///< all; those whose values differ; those with a difference that is shown
    QString words; ///< each word occurs in the row's heading or name
    bool operator==(const CompareFilter&) const = default;
};

/// A comparison as lines: headings of mixes and of groups of figures, which fold, and below them a line for each figure with a cell for
/// each column.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(std::shared_ptr<const CompareView> view);
    [[nodiscard]] const std::shared_ptr<const CompareView>& view() const { return m_view; }
    void setFilter(const CompareFilter& filter);
    [[nodiscard]] const CompareFilter& filter() const { return m_filter; }
    void setDifferenceAs(DifferenceAs as);
    [[nodiscard]] DifferenceAs differenceAs() const { return m_as; }

    [[nodiscard]] bool isHeading(int line) const;
    [[nodiscard]] bool isFolded(int line) const;
    void setFolded(int line, bool folded);
    void foldAll(bool folded);
    /// How many figures there are, and how many of them the filter shows.
    [[nodiscard]] int figures() const { return m_figures; }
    [[nodiscard]] int shownFigures() const { return m_shown; }

    /// Of a line with a figure; null: a heading.
    [[nodiscard]] const ComparisonRow* rowAt(int line) const;
    [[nodiscard]] const ComparisonMix* mixAt(int line) const;
    /// Null: the column of names, a heading, or the drift.
    [[nodiscard]] const ComparedCell* cellAt(const QModelIndex& index) const;
    /// The compared column that a column of the table shows; none: names, or the drift.
    [[nodiscard]] std::optional<std::size_t> comparedColumn(int column) const;
    // For a copy: a value, its difference from the baseline and the word for it are cells of their own.
    [[nodiscard]] QStringList copiedHeadings(int column) const;
    [[nodiscard]] QStringList copiedTexts(int row, int column) const;
    [[nodiscard]] DotPicture dotsAt(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Line {
        int mix = 0;
        int row = -1; ///< of the mix; -1: a heading
        QString heading; ///< of a heading: what it says
        QString key; ///< by which folding knows it
        int level = 0; ///< 0: of a mix, 1: of a group, 2: a figure
        int below = 0; ///< figures below a heading
        bool operator==(const Line&) const = default;
    };
    [[nodiscard]] std::vector<Line> makeLines();
    [[nodiscard]] bool passes(const ComparisonMix& mix, const ComparisonRow& row) const;
    void takeLines();
    [[nodiscard]] QString columnTip(std::size_t column) const;
    [[nodiscard]] const Comparison* comparison() const;

    std::shared_ptr<const CompareView> m_view;
    CompareFilter m_filter;
    DifferenceAs m_as = DifferenceAs::percent;
    QSet<QString> m_folded;
    std::vector<Line> m_lines;
    int m_figures = 0, m_shown = 0;
    bool m_hasDrift = false;
};

} // namespace loadstone::ui
