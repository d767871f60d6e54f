// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/entries_table.h"

#include "format.h"
#include "icons.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

/// A box of choices where the key has some; the ids of the lab's items where an item is named.
class EntryDelegate : public QStyledItemDelegate {
public:
    EntryDelegate(const LabModel& model, const EntriesModel& entries, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
        , m_entries(entries)
    {
    }
    QWidget* createEditor(
        QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const KeyRow& row = m_entries.rowOf(index.column());
        QStringList choices;
        for (const std::string_view choice : row.choices)
            choices.append(text(std::string(choice)));
        if (const std::string key = keyOf(row);
            row.path.starts_with("link[]") && (key == "from" || key == "to"))
            for (const LabItem& item : m_model.lab().items)
                choices.append(text(item.id));
        if (choices.isEmpty())
            return QStyledItemDelegate::createEditor(parent, option, index);
        auto* box = new QComboBox(parent);
        box->addItems(choices);
        box->setEditable(row.type != KeyType::choice);
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override
    {
        if (auto* box = qobject_cast<QComboBox*>(editor))
            box->setCurrentText(index.data(Qt::EditRole).toString());
        else
            QStyledItemDelegate::setEditorData(editor, index);
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override
    {
        if (auto* box = qobject_cast<QComboBox*>(editor))
            model->setData(index, box->currentText());
        else
            QStyledItemDelegate::setModelData(editor, model, index);
    }

private:
    const LabModel& m_model;
    const EntriesModel& m_entries;
};

}

EntriesModel::EntriesModel(LabModel& model, std::vector<const KeyRow*> rows, QObject* parent)
    : QAbstractTableModel(parent)
    , m_model(model)
    , m_rows(std::move(rows))
{
    connect(&m_model, &LabModel::changed, this, &EntriesModel::follow);
}

void EntriesModel::setList(const std::string& list)
{
    if (list == m_list)
        return;
    beginResetModel();
    m_list = list;
    m_count = m_list.empty() ? 0 : static_cast<int>(m_model.document().size(m_list));
    endResetModel();
}

void EntriesModel::follow()
{
    const int now = m_list.empty() ? 0 : static_cast<int>(m_model.document().size(m_list));
    if (now == m_count) {
        if (now > 0)
            emit dataChanged(index(0, 0), index(now - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_count = now;
    endResetModel();
}

int EntriesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

int EntriesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

std::string EntriesModel::pathOf(const QModelIndex& index) const
{
    return m_list + "[" + std::to_string(index.row()) + "]." + keyOf(rowOf(index.column()));
}

QVariant EntriesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::string path = pathOf(index);
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return text(m_model.document().getText(path).value_or(""));
    for (const Problem& problem : m_model.problems())
        if (problem.field == path) {
            if (role == Qt::ToolTipRole)
                return text(problem.message);
            if (role == Qt::ForegroundRole)
                return QColor(0xc0, 0x39, 0x2b);
        }
    if (role == Qt::ToolTipRole)
        return text(std::string(rowOf(index.column()).help));
    return {};
}

bool EntriesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    return role == Qt::EditRole && checkIndex(index, CheckIndexOption::IndexIsValid)
        && m_model.setValue(pathOf(index), value.toString());
}

QVariant EntriesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::DisplayRole)
        return labelOf(rowOf(section));
    if (role == Qt::ToolTipRole)
        return text(std::string(rowOf(section).help));
    return {};
}

Qt::ItemFlags EntriesModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (m_model.isEditable())
        flags |= Qt::ItemIsEditable;
    return flags;
}

EntriesTable::EntriesTable(LabModel& model, std::vector<const KeyRow*> rows, const QString& name,
    std::function<std::string()> fresh, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_entries(new EntriesModel(model, std::move(rows), this))
    , m_view(new QTableView)
    , m_add(new QToolButton)
    , m_remove(new QToolButton)
    , m_fresh(std::move(fresh))
{
    m_view->setModel(m_entries);
    m_view->setItemDelegate(new EntryDelegate(m_model, *m_entries, m_view));
    m_view->setAccessibleName(name);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false); // Tab leaves the table
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->setWordWrap(false);
    auto* removing = new QAction(tr("Remove"), this);
    removing->setShortcut(QKeySequence::Delete);
    removing->setShortcutContext(Qt::WidgetShortcut);
    connect(removing, &QAction::triggered, this, &EntriesTable::remove);
    m_view->addAction(removing);
    m_add->setIcon(icon(QStringLiteral("add")));
    m_add->setToolTip(tr("Adds a row"));
    m_add->setAccessibleName(tr("Add to %1").arg(name));
    m_remove->setIcon(icon(QStringLiteral("remove")));
    m_remove->setToolTip(tr("Removes the row (Del)"));
    m_remove->setAccessibleName(tr("Remove from %1").arg(name));
    connect(m_add, &QToolButton::clicked, this, &EntriesTable::add);
    connect(m_remove, &QToolButton::clicked, this, &EntriesTable::remove);
    auto* buttons = new QVBoxLayout;
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    buttons->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view, 1);
    layout->addLayout(buttons);
    connect(m_entries, &QAbstractItemModel::modelReset, this, &EntriesTable::updateButtons);
    connect(&m_model, &LabModel::changed, this, &EntriesTable::updateButtons);
    connect(
        m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &EntriesTable::updateButtons);
    updateButtons();
}

void EntriesTable::updateButtons()
{
    m_add->setEnabled(m_model.isEditable() && !m_entries->list().empty());
    m_remove->setEnabled(m_model.isEditable() && m_view->currentIndex().isValid());
}

void EntriesTable::setCurrent(int row, int column)
{
    m_view->setCurrentIndex(m_entries->index(row, column));
    m_view->setFocus();
}

void EntriesTable::add()
{
    const std::string list = m_entries->list();
    if (!m_model.edit([&](Document& document) { return document.append(list, m_fresh()); }))
        return;
    setCurrent(m_entries->rowCount() - 1);
    m_view->edit(m_view->currentIndex());
}

void EntriesTable::remove()
{
    const int row = m_view->currentIndex().row();
    if (row < 0)
        return;
    m_model.edit([&](Document& document) {
        return document.remove(m_entries->list(), static_cast<std::size_t>(row));
    });
    if (m_entries->rowCount() > 0)
        setCurrent(std::min(row, m_entries->rowCount() - 1));
}

} // namespace loadstone::ui
