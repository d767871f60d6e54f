// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/log_tab.h"

#include "icons.h"
#include "tables/data_table.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

LogTab::LogTab(QWidget* parent)
    : QWidget(parent)
    , m_rows(new RowsModel<LogRow>(logColumns(), this))
    , m_table(new DataTable)
    , m_search(new QLineEdit)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* row = new QHBoxLayout;
    m_search->setPlaceholderText(tr("Search in events"));
    m_search->setClearButtonEnabled(true);
    auto* mark = new QPushButton(icon(QStringLiteral("mark")), tr("Set &mark…"));
    mark->setToolTip(tr("Adds a remark at the cursor, or at the end of the run"));
    row->addWidget(m_search, 1);
    row->addWidget(mark);
    layout->addLayout(row);
    m_table->setSource(m_rows);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Event log"));
    layout->addWidget(m_table, 1);
    connect(
        m_search, &QLineEdit::textChanged, m_table->proxy(), &QSortFilterProxyModel::setFilterFixedString);
    connect(mark, &QPushButton::clicked, this, &LogTab::markWanted);
    connect(m_table, &QTableView::activated, this, [this] {
        const int source = m_table->currentSourceRow();
        if (source >= 0)
            emit timeChosen(m_rows->rows()[static_cast<std::size_t>(source)].at);
    });
}

void LogTab::show(const RunView& view)
{
    std::vector<LogRow> rows;
    if (view.events)
        for (const RunEvent& e : *view.events)
            if (e.at <= view.shown)
                rows.push_back({ e.at, static_cast<int>(e.severity), withTarget(e.target, e.text) });
    if (view.annotations)
        for (const Annotation& a : *view.annotations)
            if ((a.kind == AnnotationKind::mark || a.kind == AnnotationKind::window) && a.at <= view.shown)
                rows.push_back({ a.at, -1,
                    a.kind == AnnotationKind::mark ? a.text : bytes(tr("Window %1").arg(text(a.text))) });
    std::stable_sort(rows.begin(), rows.end(), [](const LogRow& a, const LogRow& b) { return a.at < b.at; });
    QScrollBar* bar = m_table->verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    replaceRows(*m_table, *m_rows, std::move(rows));
    if (atEnd && view.growing()) // a live log scrolls as long as one looks at its end
        m_table->scrollToBottom();
}

} // namespace loadstone::ui
