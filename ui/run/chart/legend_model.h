// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"
#include "charts/chart_line.h"
#include "run/view/criterion_limits.h"
#include "run/view/line_style.h"
#include "run/view/run_view.h"

#include <QAbstractTableModel>
#include <QVariant>

#include <utility>

namespace loadstone::ui {

/// What is changed of several lines at once; none: each keeps its own.
struct StyleChange {
    std::optional<QColor> colour;
    std::optional<int> width; ///< pixels
    std::optional<Qt::PenStyle> pen;
    std::optional<std::optional<double>> scale; ///< within: none is automatic
    std::optional<std::optional<double>> threshold; ///< within: none is no limit
    std::optional<QString> group; ///< within: empty is none
    [[nodiscard]] LineStyle appliedTo(LineStyle style) const;
};

/// The chart's lines: which, how, what they are called, and what they come to over the statistics window. One row a line,
/// editable in place (shown, colour, scale); PerfMon's legend.
class LegendModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId {
        Show,
        Colour,
        Counter,
        Instance,
        Last,
        Average,
        Minimum,
        Maximum,
        AtA, ///< this and the next three: at the chart's cursors
        AtB,
        Difference,
        Rate,
        Unit,
        Scale,
        Object,
        Computer,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// The recording whose series the lines are looked up in. Lines that it lacks stay, greyed.
    void setAvailable(const RunHeader& header, const std::vector<SourceInfo>& sources = {},
        const std::vector<ComputerFacts>& computers = {}, const std::vector<CounterInfo>& derived = {});
    [[nodiscard]] const std::vector<LineInfo>& available() const { return m_available; }
    [[nodiscard]] bool isAvailable(const LineKey& key) const;
    /// These lines alone; those that are there already keep looks and values.
    void setKeys(const std::vector<LineKey>& keys);
    /// The same with the looks that go with them; a colour that is not valid is chosen.
    void setLines(const std::vector<std::pair<LineKey, LineStyle>>& lines);
    void add(const std::vector<LineKey>& keys); ///< those not yet there, in fresh colours
    void remove(QList<int> rows);
    [[nodiscard]] std::vector<LineKey> keys() const;
    [[nodiscard]] const LineStyle& style(int row) const { return at(row).style; }
    void setStyle(int row, const LineStyle& style);
    void changeStyles(const QList<int>& rows, const StyleChange& change);
    [[nodiscard]] const LineInfo& info(int row) const { return at(row).info; }
    /// With its object where another line's name would be the same but for that.
    [[nodiscard]] QString shortName(int row) const;
    [[nodiscard]] const CounterStatistics& statistics(int row) const { return at(row).data.statistics; }

    /// The plan's criteria have been judged, and the lines have their limits.
    [[nodiscard]] bool hasLimits() const { return m_criteria != nullptr; }
    /// Automatic scales stay as they are; lines that have none yet get theirs.
    void holdScales(bool on) { m_holdsScales = on; }
    /// Takes the lines' new values; those of another query's lines are left alone.
    void setData(const RunView& view);
    using QAbstractTableModel::setData;
    /// What the lines show at the chart's cursors, in the order of the rows.
    void setReadouts(const std::vector<CursorReadout>& readouts);
    /// For the chart, in the order of the rows.
    [[nodiscard]] std::vector<ChartLine> chartLines() const;

    /// The looks (colour, width, dashes, group) of the lines that were changed or are not usual ones, and of those remembered before.
    [[nodiscard]] QVariantList looks() const;
    /// Adds no line, but those that come will look as they were saved. Bad entries are left out.
    void remember(const QVariantList& looks);
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
        bool isScaled = false; ///< by its values
        bool changed = false; ///< the look is the user's
        CursorReadout readout {};
        bool available = false; ///< the recording has it
        [[nodiscard]] QString family() const { return style.group.isEmpty() ? info.family : style.group; }
    };
    [[nodiscard]] const Entry& at(int row) const { return m_entries[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QString nameOf(const Entry& entry) const;
    [[nodiscard]] LineInfo lookUp(const LineKey& key) const;
    /// Of a line that can be a usual one the colour of its place in usualOrder(), so that it is the same live and later. Else one that
    /// no usual line has, no listed line, and none of those that come along.
    [[nodiscard]] QColor freshColour(const LineKey& key, const std::vector<LineKey>& coming) const;
    [[nodiscard]] LineStyle freshStyle(const LineKey& key, const std::vector<LineKey>& coming) const;
    [[nodiscard]] const LineStyle* remembered(const LineKey& key) const;
    [[nodiscard]] QVariant display(const Entry& entry, int column) const;
    [[nodiscard]] QString toolTip(const Entry& entry, int column) const;
    [[nodiscard]] static QString toolTipAt(const CursorValue& value);
    void applyStyle(int row, const LineStyle& style);
    void keepLook(const Entry& entry); ///< of a line that goes
    /// Scales of the lines that have none of their own, over the whole recording.
    void applyScales();
    void applyLimits(const RunHeader& header);

    std::vector<LineInfo> m_available;
    RunId m_run; // that the next two are of, with its target
    std::string m_target;
    bool m_holdsScales = false;
    std::shared_ptr<const CriteriaView> m_criteria; // of the plan, once they have been judged
    std::vector<LineLimit> m_limits; // that they set
    std::vector<Entry> m_entries;
    std::vector<std::pair<LineKey, LineStyle>> m_remembered;
    std::vector<LineKey> m_usual; // see usualOrder(); of the recording
};

/// The factors that PerfMon offers, from 0.0000001 to 10000000.
std::vector<double> scaleFactors();

} // namespace loadstone::ui
