// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/readings_tab.h"

#include "banner.h"
#include "format.h"
#include "run/view/line_key.h"
#include "tables/data_table.h"

#include <QLineEdit>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include <cmath>

namespace loadstone::ui {

namespace {

const QString kColumns = QStringLiteral("columns/readings");

using R = ReadingRow;

/// NaN equals NaN: a row without a sample is the same as before.
bool same(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

Column<R> valueColumn(const QString& title, double CounterReading::*value)
{
    return { title, {}, [value](const R& r) { return formatValue(r.reading.*value); },
        [value](const R& r) { return QVariant(r.reading.*value); }, {} };
}

std::vector<Column<R>> readingColumns()
{
    using T = ReadingsTab;
    return { { T::tr("Counter"), T::tr("The tool tip of a row says where its value comes from"),
                 [](const R& r) {
                     CounterInfo named = r.reading.counter;
                     named.computer.clear(); // it has a column of its own
                     return text(named.path());
                 },
                 {},
                 [](const R& r, int role) {
                     return role == Qt::ToolTipRole ? QVariant(text(r.reading.counter.help)) : QVariant();
                 } },
        { T::tr("Computer"), {}, [](const R& r) { return r.computer; }, {}, {} },
        { T::tr("Source"), T::tr("The run itself, or a source of the plan or a log"),
            [](const R& r) { return r.source; }, {}, {} },
        { T::tr("Unit"), {}, [](const R& r) { return text(r.reading.unit()); }, {}, {} },
        valueColumn(T::tr("Average"), &CounterReading::average),
        valueColumn(T::tr("Minimum"), &CounterReading::minimum),
        valueColumn(T::tr("Maximum"), &CounterReading::maximum),
        { T::tr("Samples"), T::tr("That are not missing"),
            [](const R& r) { return formatCount(r.reading.samples); },
            [](const R& r) { return QVariant(static_cast<qulonglong>(r.reading.samples)); }, {} },
        { T::tr("Coverage"), T::tr("Share of the window for which there are samples"),
            [](const R& r) { return formatShare(r.reading.coverage); },
            [](const R& r) { return QVariant(r.reading.coverage); }, {} } };
}

QString nameOf(const std::string& computer, const std::string& role)
{
    const QString name = computer.empty() ? ReadingsTab::tr("this machine") : text(computer);
    return role.empty() ? name : QStringLiteral("%1 (%2)").arg(name, text(role));
}

/// What the load measures is the generator's, whatever else its machine is in the run.
QString nameOf(const ComputerReadings& computer, const CounterReading& reading, const RunView& view)
{
    const bool isOfLoad = computer.own && reading.source == 0 && !isOfMachine(reading.counter);
    return isOfLoad && !computer.role.empty() && view.header ? nameOf(view.header->computer, "generator")
                                                             : nameOf(computer.computer, computer.role);
}

QString sourceOf(const CounterReading& reading, const RunView& view)
{
    if (reading.source == 0)
        return ReadingsTab::tr("the run");
    if (view.sources)
        for (const SourceInfo& source : *view.sources)
            if (source.id == reading.source)
                return text(source.origin);
    return {};
}

} // namespace

bool operator==(const ReadingRow& a, const ReadingRow& b)
{
    return a.computer == b.computer && a.source == b.source && a.reading.counter.key == b.reading.counter.key
        && a.reading.samples == b.reading.samples && same(a.reading.average, b.reading.average)
        && same(a.reading.minimum, b.reading.minimum) && same(a.reading.maximum, b.reading.maximum)
        && same(a.reading.coverage, b.reading.coverage);
}

ReadingsTab::ReadingsTab(QWidget* parent)
    : QWidget(parent)
    , m_rows(new RowsModel<ReadingRow>(readingColumns(), this))
    , m_table(new DataTable)
    , m_search(new QLineEdit)
    , m_problem(new Banner)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_search->setPlaceholderText(tr("Search in computers and counters"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search in the counters"));
    m_table->setSource(m_rows);
    m_table->freezeFirstColumn();
    m_table->setAccessibleName(tr("Counters over the window"));
    layout->addWidget(m_problem);
    layout->addWidget(m_search);
    layout->addWidget(m_table, 1);
    m_problem->hide();
    connect(
        m_search, &QLineEdit::textChanged, m_table->proxy(), &QSortFilterProxyModel::setFilterFixedString);
}

void ReadingsTab::show(const RunView& view)
{
    if (!view.readings || view.readings == m_shown)
        return; // not asked for, as another tab is in front; or there already
    m_shown = view.readings;
    m_problem->say(text(view.readings->problem));
    m_problem->setVisible(!view.readings->problem.empty());
    std::vector<ReadingRow> rows;
    for (const ComputerReadings& computer : view.readings->computers)
        for (const CounterReading& reading : computer.counters)
            rows.push_back({ nameOf(computer, reading, view), sourceOf(reading, view), reading });
    replaceRows(*m_table, *m_rows, std::move(rows), [](const ReadingRow& a, const ReadingRow& b) {
        return a.computer == b.computer && a.reading.counter.key == b.reading.counter.key
            && a.reading.source == b.reading.source;
    });
}

void ReadingsTab::saveTo(QSettings& settings) const
{
    m_table->saveColumns(settings, kColumns);
}

void ReadingsTab::restoreFrom(const QSettings& settings)
{
    m_table->restoreColumns(settings, kColumns);
}

} // namespace loadstone::ui
