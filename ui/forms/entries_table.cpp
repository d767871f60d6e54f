// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/entries_table.h"

#include "format.h"
#include "forms/inks.h"
#include "forms/key_conditions.h"
#include "forms/key_words.h"
#include "icons.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFont>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

/// A box of choices where the key has some.
class EntryDelegate : public QStyledItemDelegate {
public:
    explicit EntryDelegate(const EntriesTable& table)
        : QStyledItemDelegate(table.view())
        , m_table(table)
    {
    }
    QWidget* createEditor(
        QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const KeyRow& row = m_table.entries()->rowOf(index.column());
        const QStringList choices = m_table.choicesOf(row);
        if (choices.isEmpty())
            return QStyledItemDelegate::createEditor(parent, option, index);
        auto* box = new QComboBox(parent);
        box->addItems(choices);
        box->setEditable(row.type == KeyType::text);
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
    const EntriesTable& m_table;
};

/// Of a list of texts or numbers, as people read it.
QString elementsOf(const Document& document, const std::string& path)
{
    QStringList elements;
    for (std::size_t i = 0; i < document.size(path); ++i)
        elements.append(text(document.getText(path + "[" + std::to_string(i) + "]").value_or("…")));
    return elements.join(QStringLiteral(", "));
}

bool hasCommas(const Document& document, const std::string& path)
{
    for (std::size_t i = 0; i < document.size(path); ++i)
        if (document.getText(path + "[" + std::to_string(i) + "]").value_or(",").find_first_of(",\n")
            != std::string::npos)
            return true;
    return false;
}

bool isList(const KeyRow& row)
{
    return row.type == KeyType::texts || row.type == KeyType::numbers;
}

} // namespace

EntriesModel::EntriesModel(DocumentModel& model, std::vector<const KeyRow*> rows, QObject* parent)
    : QAbstractTableModel(parent)
    , m_model(model)
    , m_rows(std::move(rows))
{
    connect(&m_model, &DocumentModel::changed, this, &EntriesModel::follow);
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

int EntriesModel::columnOf(const std::string& key) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const KeyRow* row) { return keyOf(*row) == key; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
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
    const Document& document = m_model.document();
    const bool isStated = document.has(path);
    if (role == Qt::EditRole || (role == Qt::DisplayRole && isStated))
        return isList(rowOf(index.column())) ? elementsOf(document, path)
                                             : text(document.getText(path).value_or(""));
    const QString reason = whyNot(document, path);
    if (role == Qt::DisplayRole)
        return reason.isEmpty() ? text(effectiveText(document, path)) : QString();
    if (role == Qt::FontRole && !isStated) {
        QFont faint = QApplication::font("QTableView");
        faint.setItalic(true);
        return faint;
    }
    for (const Problem& problem : m_model.problems())
        if (problem.field == path) {
            if (role == Qt::ToolTipRole)
                return objectionOf(problem);
            if (role == Qt::ForegroundRole)
                return problemInk(QApplication::palette());
        }
    if (role == Qt::ForegroundRole && !isStated)
        return QApplication::palette().color(QPalette::PlaceholderText);
    if (role == Qt::ToolTipRole)
        return QStringList { text(std::string(rowOf(index.column()).help)), reason,
            isStated ? QString() : withoutIt(document, path) }
            .join(QLatin1Char('\n'))
            .trimmed();
    return {};
}

bool EntriesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    if (value == data(index, Qt::EditRole)) // a cell that was only looked at
        return true;
    return m_model.setValue(pathOf(index), value.toString());
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
    const std::string path = pathOf(index);
    const Document& document = m_model.document();
    const bool applies = document.has(path) || whyNot(document, path).isEmpty();
    // A cell has commas between the elements of a list; where they have some themselves the form has a line for each.
    const bool isOneText = !isList(rowOf(index.column())) || !hasCommas(document, path);
    if (m_model.isEditable() && applies && isOneText)
        flags |= Qt::ItemIsEditable;
    return flags;
}

EntriesTable::EntriesTable(DocumentModel& model, std::vector<const KeyRow*> rows, const QString& name,
    std::function<std::string()> fresh, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_entries(new EntriesModel(model, std::move(rows), this))
    , m_view(new QTableView)
    , m_empty(new QLabel)
    , m_buttons(new QVBoxLayout)
    , m_fresh(std::move(fresh))
{
    m_view->setModel(m_entries);
    m_view->setItemDelegate(new EntryDelegate(*this));
    m_view->setAccessibleName(name);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setTabKeyNavigation(false); // Tab leaves the table
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->setWordWrap(false);
    auto* removing = new QAction(tr("Remove"), this);
    removing->setShortcut(QKeySequence::Delete);
    removing->setShortcutContext(Qt::WidgetShortcut);
    connect(removing, &QAction::triggered, this, &EntriesTable::remove);
    m_view->addAction(removing);
    auto* adding = new QAction(tr("Add"), this);
    adding->setShortcut(Qt::Key_Insert);
    adding->setShortcutContext(Qt::WidgetShortcut);
    connect(adding, &QAction::triggered, this, &EntriesTable::add);
    m_view->addAction(adding);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* over = new QVBoxLayout(m_view->viewport());
    over->addWidget(m_empty);
    m_add = addButton(QStringLiteral("add"), tr("Adds a row (Ins)"), tr("Add to %1").arg(name));
    m_remove =
        addButton(QStringLiteral("remove"), tr("Removes the row (Del)"), tr("Remove from %1").arg(name));
    connect(m_add, &QToolButton::clicked, this, &EntriesTable::add);
    connect(m_remove, &QToolButton::clicked, this, &EntriesTable::remove);
    m_buttons->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view, 1);
    layout->addLayout(m_buttons);
    const auto follow = [this] {
        updateButtons();
        emit currentChanged();
    };
    connect(m_entries, &QAbstractItemModel::modelReset, this, follow);
    connect(&m_model, &DocumentModel::changed, this, &EntriesTable::updateButtons);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, follow);
    updateButtons();
}

QToolButton* EntriesTable::addButton(const QString& picture, const QString& tip, const QString& name)
{
    auto* button = new QToolButton;
    button->setIcon(icon(picture));
    button->setToolTip(tip);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::StrongFocus); // a field that somebody types into is left first
    m_buttons->addWidget(button);
    return button;
}

void EntriesTable::offerOrder()
{
    const QString name = m_view->accessibleName();
    m_copy = addButton(QStringLiteral("copy"), tr("Copies the row (Ctrl+D)"), tr("Copy in %1").arg(name));
    m_up = addButton(QStringLiteral("up"), tr("Moves the row up (Alt+Up)"), tr("Up in %1").arg(name));
    m_down =
        addButton(QStringLiteral("down"), tr("Moves the row down (Alt+Down)"), tr("Down in %1").arg(name));
    delete m_buttons->takeAt(2); // the stretch goes below them
    m_buttons->addStretch();
    const auto bind = [this](
                          QToolButton* button, const QKeySequence& keys, const std::function<void()>& what) {
        connect(button, &QToolButton::clicked, this, what);
        auto* action = new QAction(button->toolTip(), this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, what);
        m_view->addAction(action);
    };
    bind(m_copy, Qt::CTRL | Qt::Key_D, [this] { duplicate(); });
    bind(m_up, Qt::ALT | Qt::Key_Up, [this] { move(-1); });
    bind(m_down, Qt::ALT | Qt::Key_Down, [this] { move(1); });
    updateButtons();
}

QStringList EntriesTable::choicesOf(const KeyRow& row) const
{
    QStringList choices;
    for (const std::string_view choice : row.choices)
        choices.append(text(std::string(choice)));
    if (row.type == KeyType::flag)
        choices = QStringList { QStringLiteral("true"), QStringLiteral("false") };
    if (m_choices)
        choices += m_choices(row);
    if (!choices.isEmpty() && row.type != KeyType::text && !row.required)
        choices.prepend(QString()); // takes the key away
    return choices;
}

int EntriesTable::current() const
{
    return m_view->currentIndex().row();
}

void EntriesTable::updateButtons()
{
    const bool isEditable = m_model.isEditable() && !m_entries->list().empty();
    const int row = current();
    m_add->setEnabled(isEditable);
    m_remove->setEnabled(isEditable && row >= 0);
    const QString name = m_view->accessibleName();
    m_empty->setText(
        isEditable ? tr("%1: none yet. + or Ins adds the first one.").arg(name) : tr("%1: none").arg(name));
    m_empty->setVisible(m_entries->rowCount() == 0);
    if (m_copy == nullptr)
        return;
    m_copy->setEnabled(isEditable && row >= 0);
    m_up->setEnabled(isEditable && row > 0);
    m_down->setEnabled(isEditable && row >= 0 && row + 1 < m_entries->rowCount());
}

void EntriesTable::setCurrent(int row, int column)
{
    m_view->setCurrentIndex(m_entries->index(row, column));
    m_view->setFocus();
}

void EntriesTable::add()
{
    if (!m_add->isEnabled())
        return;
    const std::string list = m_entries->list();
    if (!m_model.edit([&](Document& document) { return document.append(list, m_fresh()); }))
        return;
    setCurrent(m_entries->rowCount() - 1);
    m_view->edit(m_view->currentIndex());
}

void EntriesTable::remove()
{
    const int row = current();
    if (row < 0)
        return;
    m_model.edit([&](Document& document) {
        return document.remove(m_entries->list(), static_cast<std::size_t>(row));
    });
    if (m_entries->rowCount() > 0)
        setCurrent(std::min(row, m_entries->rowCount() - 1));
}

void EntriesTable::duplicate()
{
    const int row = current();
    if (row < 0)
        return;
    const std::string& list = m_entries->list();
    const bool done = m_model.edit([&](Document& document) {
        return document.change("copy of " + list, [&](Document& changed) -> Result<void> {
            if (const auto copied = changed.duplicate(list, static_cast<std::size_t>(row)); !copied)
                return copied;
            // Names are of one entry each.
            const std::string name = list + "[" + std::to_string(row + 1) + "].name";
            const auto was = changed.getText(name);
            return was ? changed.setText(name, *was + ", copy") : Result<void>();
        });
    });
    if (done)
        setCurrent(row + 1);
}

void EntriesTable::move(int by)
{
    const int row = current(), to = row + by;
    if (row < 0 || to < 0 || to >= m_entries->rowCount())
        return;
    if (m_model.edit([&](Document& document) {
            return document.move(
                m_entries->list(), static_cast<std::size_t>(row), static_cast<std::size_t>(to));
        }))
        setCurrent(to);
}

} // namespace loadstone::ui
