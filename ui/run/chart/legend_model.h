// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"
#include "run/view/run_view.h"

#include <QAbstractTableModel>
#include <QVariant>

#include <utility>

namespace loadstone::ui {

/// How the user wants a line drawn; remembered between sessions.
struct LineStyle {
    QColor colour;
    int width = 1; ///< pixels
    bool shown = true;
    std::optional<double> scale; ///< none: automatic
    std::optional<double> threshold; ///< in the line's own unit
    bool operator==(const LineStyle&) const = default;
};

/// The chart's lines: which, how, and what they are called. One row a line, editable in place (shown, colour,
/// scale); PerfMon's legend.
class LegendModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId { Show, Colour, Scale, Counter, Instance, Object, Computer, Unit, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// The recording whose series the lines are looked up in. Lines that it lacks stay, greyed.
    void setAvailable(const RunHeader& header, const std::vector<SourceInfo>& sources = {});
    [[nodiscard]] const std::vector<LineInfo>& available() const { return m_available; }
    void setKeys(const std::vector<LineKey>& keys);
    void add(const std::vector<LineKey>& keys); ///< those not yet there, in fresh colours
    void remove(QList<int> rows);
    [[nodiscard]] std::vector<LineKey> keys() const;
    [[nodiscard]] const LineStyle& style(int row) const { return at(row).style; }
    void setStyle(int row, const LineStyle& style);
    [[nodiscard]] const LineInfo& info(int row) const { return at(row).info; }
    [[nodiscard]] const CounterStatistics& statistics(int row) const { return at(row).data.statistics; }

    /// Takes the lines' new values; those of another query's lines are left alone.
    void setData(const RunView& view);
    using QAbstractTableModel::setData;
    /// For the chart, in the order of the rows.
    [[nodiscard]] std::vector<ChartLine> chartLines() const;

    [[nodiscard]] QVariantList save() const;
    void restore(const QVariantList& saved);
    /// Adds no line, but those that come will look as they were saved.
    void remember(const QVariantList& saved);
    /// -1: there is no such line.
    [[nodiscard]] int rowOf(const LineKey& key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void keysChanged();
    void styleChanged();

private:
    struct Entry {
        LineInfo info;
        LineStyle style;
        LineData data;
        double scale = 1; ///< in force
    };
    [[nodiscard]] const Entry& at(int row) const { return m_entries[static_cast<std::size_t>(row)]; }
    [[nodiscard]] LineInfo lookUp(const LineKey& key) const;
    [[nodiscard]] bool isAvailable(const LineKey& key) const;
    /// One that neither a listed line has nor one of those that come along.
    [[nodiscard]] QColor freshColour(const std::vector<LineKey>& coming) const;
    [[nodiscard]] LineStyle freshStyle(const LineKey& key, const std::vector<LineKey>& coming) const;
    [[nodiscard]] const LineStyle* remembered(const LineKey& key) const;
    [[nodiscard]] QVariant display(const Entry& entry, int column) const;

    std::vector<LineInfo> m_available;
    std::vector<Entry> m_entries;
    std::vector<std::pair<LineKey, LineStyle>> m_remembered;
};

/// The factors that PerfMon offers, from 0.0000001 to 10000000.
std::vector<double> scaleFactors();

} // namespace loadstone::ui
