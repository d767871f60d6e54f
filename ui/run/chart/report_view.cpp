// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/report_view.h"

#include "run/chart/legend_model.h"
#include "tables/copied_rows.h"

#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <array>

namespace loadstone::ui {

namespace {
constexpr double kLarger = 1.6; // than the window's font
constexpr std::array kShown { LegendModel::Counter, LegendModel::Instance, LegendModel::Last,
    LegendModel::Average, LegendModel::Minimum, LegendModel::Maximum, LegendModel::Unit,
    LegendModel::Computer };
}

ReportView::ReportView(LegendModel* model, QItemSelectionModel* selection, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(model);
    setSelectionModel(selection);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    setAccessibleName(tr("Report of the chosen counters"));
    const QFont usual = font();
    QFont large = usual;
    large.setPointSizeF(large.pointSizeF() * kLarger);
    setFont(large);
    horizontalHeader()->setFont(usual);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    for (int column = 0; column < LegendModel::ColumnCount; ++column)
        setColumnHidden(column, std::find(kShown.begin(), kShown.end(), column) == kShown.end());
    const int em = fontMetrics().averageCharWidth();
    setColumnWidth(LegendModel::Counter, 24 * em);
    setColumnWidth(LegendModel::Instance, 14 * em);
    for (const int column :
        { LegendModel::Last, LegendModel::Average, LegendModel::Minimum, LegendModel::Maximum })
        setColumnWidth(column, 11 * em);
    setColumnWidth(LegendModel::Unit, 10 * em);
    horizontalHeader()->setStretchLastSection(true);
    connect(model, &LegendModel::styleChanged, this, &ReportView::hideRows);
    connect(model, &LegendModel::keysChanged, this, &ReportView::hideRows);
    copyRows(*this);
    hideRows();
}

void ReportView::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    const int left = horizontalScrollBar()->value(); // rows are chosen, and each begins with its name
    QTableView::scrollTo(index, hint);
    horizontalScrollBar()->setValue(left);
}

void ReportView::hideRows()
{
    for (int row = 0; row < m_model->rowCount(); ++row)
        setRowHidden(row, !m_model->style(row).shown);
    if (m_model->rowCount() > 0)
        for (const int column : { LegendModel::Counter, LegendModel::Instance, LegendModel::Unit })
            resizeColumnToContents(column);
}

} // namespace loadstone::ui
