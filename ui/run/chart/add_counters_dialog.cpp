// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/add_counters_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace loadstone::ui {

namespace {
constexpr int kIndexRole = Qt::UserRole + 1; // into the available lines
constexpr int kWordsRole = Qt::UserRole + 2; // what the search looks at
}

AddCountersDialog::AddCountersDialog(
    const std::vector<LineInfo>& available, const std::vector<LineKey>& present, QWidget* parent)
    : QDialog(parent)
    , m_available(available)
    , m_search(new QLineEdit)
    , m_tree(new QTreeView)
    , m_help(new QLabel)
    , m_model(new QStandardItemModel(this))
    , m_proxy(new QSortFilterProxyModel(this))
{
    setWindowTitle(tr("Add counters"));
    resize(620, 560);
    auto* layout = new QVBoxLayout(this);
    m_search->setPlaceholderText(tr("Search, for instance: disk sec, or retr 95"));
    m_search->setClearButtonEnabled(true);
    layout->addWidget(m_search);
    layout->addWidget(m_tree, 1);
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setMinimumHeight(3 * fontMetrics().lineSpacing());
    layout->addWidget(m_help);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_add = buttons->addButton(tr("&Add"), QDialogButtonBox::AcceptRole);
    m_add->setDefault(true);
    layout->addWidget(buttons);

    fill(available, present);
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterRole(kWordsRole);
    m_tree->setModel(m_proxy);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_tree->header()->setStretchLastSection(false);
    connect(m_search, &QLineEdit::textChanged, this, &AddCountersDialog::filter);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &AddCountersDialog::updateChoice);
    connect(m_tree, &QTreeView::doubleClicked, this, [this](const QModelIndex& at) {
        if (at.parent().isValid())
            accept();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    updateChoice();
}

void AddCountersDialog::fill(const std::vector<LineInfo>& available, const std::vector<LineKey>& present)
{
    m_model->setHorizontalHeaderLabels({ tr("Counter"), tr("Instance"), tr("Unit") });
    std::map<QString, QStandardItem*> objects;
    for (std::size_t i = 0; i < available.size(); ++i) {
        const LineInfo& info = available[i];
        // What is not the run's own stands under its computer, too.
        const QString group = info.source.isEmpty()
            ? info.object
            : QStringLiteral("\\\\%1\\%2").arg(info.computer, info.object);
        QStandardItem*& object = objects[group];
        if (object == nullptr) {
            object = new QStandardItem(group);
            object->setSelectable(false);
            QFont bold = font();
            bold.setBold(true);
            object->setFont(bold);
            m_model->appendRow(object);
        }
        auto* name = new QStandardItem(info.counter);
        name->setData(static_cast<int>(i), kIndexRole);
        name->setData(QStringList { group, info.counter, info.instance }.join(QLatin1Char(' ')), kWordsRole);
        QList<QStandardItem*> row { name, new QStandardItem(info.instance), new QStandardItem(info.unit) };
        const bool there = std::find(present.begin(), present.end(), info.key) != present.end();
        for (QStandardItem* item : row) {
            item->setEnabled(!there);
            if (there)
                item->setToolTip(tr("Already in the chart"));
        }
        object->appendRow(row);
    }
}

void AddCountersDialog::filter(const QString& words)
{
    // All words, in any order.
    QString pattern;
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        pattern += QStringLiteral("(?=.*%1)").arg(QRegularExpression::escape(word));
    m_proxy->setFilterRegularExpression(
        QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
    words.trimmed().isEmpty() ? m_tree->collapseAll() : m_tree->expandAll();
}

std::vector<LineKey> AddCountersDialog::chosen() const
{
    std::vector<LineKey> keys;
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows())
        if (row.parent().isValid())
            keys.push_back(m_available[row.data(kIndexRole).toUInt()].key);
    return keys;
}

void AddCountersDialog::updateChoice()
{
    const auto count = static_cast<int>(chosen().size());
    m_add->setEnabled(count > 0);
    m_add->setText(count > 1 ? tr("&Add %1").arg(count) : tr("&Add"));
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(0);
    m_help->setText(current.isValid() && current.parent().isValid()
            ? m_available[current.data(kIndexRole).toUInt()].help
            : tr("Choose one or more counters. Ctrl and Shift choose several."));
}

} // namespace loadstone::ui
