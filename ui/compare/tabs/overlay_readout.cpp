// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/overlay_readout.h"

#include "format.h"

#include <cmath>
#include <limits>

namespace loadstone::ui {

namespace {

/// NaN, also for what is no number, as no value.
QVariant orderOf(double value)
{
    return !std::isfinite(value) ? QVariant(std::numeric_limits<double>::quiet_NaN()) : QVariant(value);
}

Column<OverlayReadout> numberColumn(
    const QString& title, const QString& tip, double (*value)(const OverlayReadout&))
{
    Column<OverlayReadout> column;
    column.title = title;
    column.tip = tip;
    column.text = [value](const OverlayReadout& row) { return formatIn(value(row), row.unit); };
    column.order = [value](const OverlayReadout& row) { return orderOf(value(row)); };
    return column;
}

} // namespace

std::vector<Column<OverlayReadout>> readoutColumns()
{
    std::vector<Column<OverlayReadout>> columns;
    Column<OverlayReadout> run;
    run.title = translated("Run");
    run.text = [](const OverlayReadout& row) { return row.run; };
    run.extra = [](const OverlayReadout& row, int role) {
        return role == Qt::DecorationRole ? QVariant(row.colour) : QVariant();
    };
    columns.push_back(run);
    Column<OverlayReadout> counter;
    counter.title = translated("Counter");
    counter.text = [](const OverlayReadout& row) { return row.counter; };
    columns.push_back(counter);
    columns.push_back(numberColumn(translated("Average in view or A to B"),
        translated("Over the time between the cursors A and B; without them, over all that is visible"),
        [](const OverlayReadout& row) { return row.statistics.average; }));
    Column<OverlayReadout> covered;
    covered.title = translated("Covered");
    covered.tip = translated("The share of that time for which there are values");
    covered.text = [](const OverlayReadout& row) {
        return row.statistics.samples == 0 ? QStringLiteral("–") : formatShare(row.covered);
    };
    covered.order = [](const OverlayReadout& row) {
        return orderOf(row.statistics.samples == 0 ? std::numeric_limits<double>::quiet_NaN() : row.covered);
    };
    columns.push_back(covered);
    Column<OverlayReadout> ratio;
    ratio.title = translated("of baseline");
    ratio.tip = translated("The average in proportion to that of the baseline");
    ratio.text = [](const OverlayReadout& row) {
        return !std::isfinite(row.ofBaseline) ? QStringLiteral("–")
                                              : QStringLiteral("%1 %").arg(formatValue(row.ofBaseline * 100));
    };
    ratio.extra = [](const OverlayReadout& row, int role) {
        return role == Qt::ToolTipRole && !row.whyNone.isEmpty() ? QVariant(row.whyNone) : QVariant();
    };
    ratio.order = [](const OverlayReadout& row) { return orderOf(row.ofBaseline); };
    columns.push_back(ratio);
    columns.push_back(numberColumn(
        translated("Minimum"), {}, [](const OverlayReadout& row) { return row.statistics.minimum; }));
    columns.push_back(numberColumn(
        translated("Maximum"), {}, [](const OverlayReadout& row) { return row.statistics.maximum; }));
    columns.push_back(numberColumn(translated("At A"), translated("The last sample at or before cursor A"),
        [](const OverlayReadout& row) { return row.cursors.a.value; }));
    columns.push_back(numberColumn(translated("At B"), translated("The last sample at or before cursor B"),
        [](const OverlayReadout& row) { return row.cursors.b.value; }));
    columns.push_back(numberColumn(
        translated("B - A"), {}, [](const OverlayReadout& row) { return row.cursors.difference; }));
    Column<OverlayReadout> unit;
    unit.title = translated("Unit");
    unit.text = [](const OverlayReadout& row) { return row.unit; };
    columns.push_back(unit);
    return columns;
}

bool OverlayReadout::operator==(const OverlayReadout&) const
{
    return false; // values that are not numbers are equal to nothing
}

} // namespace loadstone::ui
