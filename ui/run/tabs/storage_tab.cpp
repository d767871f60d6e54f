// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/storage_tab.h"

#include "banner.h"
#include "format.h"
#include "tables/data_table.h"

#include <QListWidget>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {
const QString kSplit = QStringLiteral("splitter/storage");
}

StorageTab::StorageTab(QWidget* parent)
    : QWidget(parent)
    , m_splitter(new QSplitter)
    , m_list(new QListWidget)
    , m_table(new DataTable)
    , m_rows(new RowsModel<TextRow>({}, this))
    , m_note(makeProse())
    , m_empty(makeProse(tr("No test has begun its measurement yet.")))
{
    m_list->setAccessibleName(tr("Tables of the storage tests"));
    m_table->setSource(m_rows);
    m_table->setSortingEnabled(false); // rows follow from one another
    m_table->freezeFirstColumn();
    m_table->setAccessibleName(tr("Table of the storage tests"));
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(m_table, 1);
    column->addWidget(m_note);
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(right);
    m_splitter->setSizes({ 220, 980 });
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    layout->addWidget(m_splitter, 1);
    m_splitter->hide();
    connect(m_list, &QListWidget::currentRowChanged, this, &StorageTab::showChosen);
}

void StorageTab::show(const RunView& view)
{
    if (!view.results)
        return;
    m_tables = storageTables(*view.results);
    m_empty->setVisible(m_tables.empty());
    m_splitter->setVisible(!m_tables.empty());
    QStringList titles;
    for (const ReportTable& table : m_tables)
        titles.append(text(table.title));
    QStringList listed;
    for (int i = 0; i < m_list->count(); ++i)
        listed.append(m_list->item(i)->text());
    if (titles != listed) { // a live run has more and more of them: the chosen one stays
        const QString chosen = m_list->currentItem() != nullptr ? m_list->currentItem()->text() : QString();
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        m_list->addItems(titles);
        m_list->setMinimumWidth(m_list->sizeHintForColumn(0) + 2 * m_list->frameWidth());
        m_list->setCurrentRow(std::max(0, static_cast<int>(titles.indexOf(chosen))));
    }
    showChosen();
}

void StorageTab::showChosen()
{
    const int row = m_list->currentRow();
    if (row < 0 || static_cast<std::size_t>(row) >= m_tables.size())
        return;
    const ReportTable& table = m_tables[static_cast<std::size_t>(row)];
    std::vector<std::string> headings;
    for (const ReportColumn& column : table.columns)
        headings.push_back(column.heading);
    if (headings != m_headings) {
        m_headings = std::move(headings);
        m_rows->setColumns(textColumns(table));
    }
    m_rows->setRows(table.rows);
    m_note->setText(text(table.note));
    m_note->setVisible(!table.note.empty());
}

void StorageTab::saveTo(QSettings& settings) const
{
    settings.setValue(kSplit, m_splitter->saveState());
}

void StorageTab::restoreFrom(const QSettings& settings)
{
    m_splitter->restoreState(settings.value(kSplit).toByteArray());
}

} // namespace loadstone::ui
