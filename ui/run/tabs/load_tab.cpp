// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/load_tab.h"

#include "banner.h"
#include "format.h"
#include "tables/data_table.h"

#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {
const QString kSplit = QStringLiteral("splitter/load");
constexpr int kRoomForNotes = 300; // pixels; below it the rows have the room, and the notes are tool tips
}

LoadTab::LoadTab(QWidget* parent)
    : QWidget(parent)
    , m_splitter(new QSplitter)
    , m_load(makePart(tr("Transaction load")))
    , m_userDays(makePart(tr("Per user-day")))
    , m_queues(makePart(tr("Time until a queue builds up")))
    , m_steady(makeProse())
    , m_empty(makeProse())
    , m_problem(new Banner)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_problem);
    layout->addWidget(m_steady);
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    m_splitter->setChildrenCollapsible(false);
    layout->addWidget(m_splitter, 1);
    m_problem->hide();
    m_splitter->hide();
}

LoadTab::Part LoadTab::makePart(const QString& name)
{
    Part part { new QWidget, new QLabel(name), new DataTable, new RowsModel<TextRow>({}, this), makeProse(),
        {} };
    QFont bold = part.title->font();
    bold.setBold(true);
    part.title->setFont(bold);
    part.table->setSource(part.rows);
    part.table->setSortingEnabled(false); // rows follow from one another
    part.table->freezeFirstColumn();
    part.table->setAccessibleName(name);
    part.table->setMinimumHeight(60);
    auto* layout = new QVBoxLayout(part.box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(part.title);
    layout->addWidget(part.table, 1);
    layout->addWidget(part.note);
    m_splitter->addWidget(part.box);
    return part;
}

void LoadTab::showPart(Part& part, const ReportTable& table)
{
    part.box->setVisible(!table.empty());
    std::vector<std::string> headings;
    for (const ReportColumn& column : table.columns)
        headings.push_back(column.heading);
    if (headings != part.headings) {
        part.headings = std::move(headings);
        part.rows->setColumns(textColumns(table));
    }
    part.rows->setRows(table.rows);
    part.note->setText(text(table.note));
    part.box->setToolTip(text(table.note));
}

void LoadTab::show(const RunView& view)
{
    if (!view.loads)
        return; // it was not asked for: another tab is in front
    m_problem->setVisible(!view.loads->problem.empty());
    m_problem->say(text(view.loads->problem));
    const std::vector<Load>& loads = view.loads->loads;
    m_empty->setText(isPlanned(view.query.window) ? tr("No mix has begun its measurement yet.")
                                                  : tr("This window touches no measurement."));
    m_empty->setVisible(loads.empty() && view.loads->problem.empty());
    m_splitter->setVisible(!loads.empty());
    showPart(m_load, loadTable(loads));
    showPart(m_userDays, userDayTable(loads));
    showPart(m_queues, view.results ? queueTable(*view.results) : ReportTable {});
    showSteadyStates(view);
}

void LoadTab::showSteadyStates(const RunView& view)
{
    QStringList lines;
    if (view.steady) {
        if (!view.steady->problem.empty())
            lines.append(text(view.steady->problem));
        for (const SteadyState& state : view.steady->states)
            lines.append(tr("%1: %2").arg(text(state.mixName), text(steadyStateSentence(state))));
        if (!lines.isEmpty() && view.shown < view.length)
            lines.append(tr("The steady state is that of the whole run; the tables reach to %1.")
                             .arg(formatElapsed(view.shown)));
    }
    m_steady->setText(lines.join(QLatin1Char('\n')));
    m_steady->setVisible(!lines.isEmpty());
}

void LoadTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    for (const Part& part : { m_load, m_userDays, m_queues })
        part.note->setVisible(height() >= kRoomForNotes);
}

void LoadTab::saveTo(QSettings& settings) const
{
    settings.setValue(kSplit, m_splitter->saveState());
}

void LoadTab::restoreFrom(const QSettings& settings)
{
    m_splitter->restoreState(settings.value(kSplit).toByteArray());
}

} // namespace loadstone::ui
