// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/item_tree.h"

#include "format.h"
#include "icons.h"
#include "lab/item_tree_model.h"
#include "lab/lab_edits.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace loadstone::ui {

ItemTree::ItemTree(LabModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_items(new ItemTreeModel(model, this))
    , m_proxy(new QSortFilterProxyModel(this))
    , m_search(new QLineEdit)
    , m_view(new QTreeView)
{
    m_proxy->setSourceModel(m_items);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterRole(ItemTreeModel::kSearchedRole);
    m_view->setModel(m_proxy);
    m_view->setAccessibleName(tr("Items of the lab"));
    m_view->setEditTriggers(
        QAbstractItemView::EditKeyPressed); // not by a click: Del would go into the editor
    m_view->setDragDropMode(QAbstractItemView::InternalMove);
    m_view->setUniformRowHeights(true);
    m_view->setIndentation(14); // names need the room
    m_view->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_view->header()->setStretchLastSection(false);
    m_view->expandAll();
    m_search->setPlaceholderText(tr("Search…"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search items"));
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_proxy->setFilterFixedString(words);
        m_view->expandAll();
    });
    auto* add = new QToolButton;
    add->setIcon(icon(QStringLiteral("add")));
    add->setText(tr("&Add"));
    add->setToolTip(tr("Adds an item to the chosen one, or to the lab"));
    add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    add->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(add);
    add->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillAddMenu(*menu); });
    auto* line = new QHBoxLayout;
    line->addWidget(m_search, 1);
    line->addWidget(add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(line);
    layout->addWidget(m_view, 1);
    makeActions();
    connect(m_items, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        m_kept = current();
        m_resetting = true;
    });
    connect(m_items, &QAbstractItemModel::modelReset, this, [this] {
        m_view->expandAll();
        m_resetting = false;
        choose(m_kept);
        updateActions();
    });
    connect(m_items, &ItemTreeModel::moved, this, &ItemTree::choose);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (m_resetting)
            return;
        updateActions();
        emit chosen(current());
    });
    connect(&m_model, &LabModel::changed, this, &ItemTree::updateActions);
    updateActions();
}

void ItemTree::makeActions()
{
    const auto make = [this](const QString& words, const QKeySequence& keys, void (ItemTree::*slot)()) {
        auto* action = new QAction(words, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        m_view->addAction(action);
        return action;
    };
    m_rename = new QAction(tr("Re&name"), this);
    m_rename->setShortcut(Qt::Key_F2); // the view has this key itself, the menu shows it
    m_rename->setShortcutContext(Qt::WidgetShortcut);
    connect(m_rename, &QAction::triggered, this,
        [this] { m_view->edit(m_view->currentIndex().siblingAtColumn(0)); });
    m_view->addAction(m_rename);
    m_changeId = make(tr("Change &id…"), {}, &ItemTree::changeId);
    m_duplicate = make(tr("&Duplicate"), Qt::CTRL | Qt::Key_D, &ItemTree::duplicate);
    m_copy = make(tr("&Copy"), QKeySequence::Copy, &ItemTree::copy);
    m_paste = make(tr("&Paste"), QKeySequence::Paste, &ItemTree::paste);
    m_remove = make(tr("&Remove"), QKeySequence::Delete, &ItemTree::remove);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QList<QAction*> ItemTree::itemActions() const
{
    return { m_rename, m_changeId, m_duplicate, m_remove };
}

void ItemTree::updateActions()
{
    const bool can = m_model.isEditable();
    const bool has = !current().empty();
    for (QAction* action : { m_rename, m_changeId, m_duplicate, m_remove })
        action->setEnabled(can && has);
    m_copy->setEnabled(has);
    m_paste->setEnabled(can);
}

std::string ItemTree::current() const
{
    return m_items->idOf(m_proxy->mapToSource(m_view->currentIndex()));
}

void ItemTree::choose(const std::string& id)
{
    const QModelIndex index = m_items->indexOf(id);
    if (index.isValid() && !m_proxy->mapFromSource(index).isValid())
        m_search->clear(); // else what was chosen elsewhere could not be shown
    const QModelIndex shown = m_proxy->mapFromSource(index);
    if (shown.isValid())
        m_view->scrollTo(shown);
    m_view->setCurrentIndex(shown);
}

void ItemTree::fillAddMenu(QMenu& menu)
{
    menu.clear();
    const std::string in = current();
    const LabItem* container = m_model.lab().find(in);
    menu.addSection(container == nullptr ? tr("To the lab") : tr("To %1").arg(text(container->label())));
    for (int i = 0; i <= static_cast<int>(ItemKind::other); ++i) {
        const auto kind = static_cast<ItemKind>(i);
        menu.addAction(kindName(kind), this,
                [this, kind, in] {
                    std::string id;
                    const bool done = m_model.edit([&](Document& document) -> Result<void> {
                        auto added = addItem(document, m_model.lab(), kind, in);
                        if (!added)
                            return added.error();
                        id = *added;
                        return {};
                    });
                    if (!done)
                        return;
                    choose(id);
                    // A field of the item before that has gone would leave the keyboard to any other part of the window.
                    m_view->setFocus();
                })
            ->setEnabled(m_model.isEditable());
    }
    if (container != nullptr) {
        menu.addSeparator();
        menu.addAction(tr("To the &lab itself…"), this, [this] { m_view->setCurrentIndex({}); });
    }
}

void ItemTree::duplicate()
{
    std::string id;
    if (m_model.edit([&](Document& document) -> Result<void> {
            auto copied = duplicateItem(document, m_model.lab(), current());
            if (!copied)
                return copied.error();
            id = *copied;
            return {};
        }))
        choose(id);
}

void ItemTree::remove()
{
    const LabItem* item = m_model.lab().find(current());
    const std::string next = item == nullptr ? std::string() : item->in;
    const std::string id = current();
    if (m_model.edit([&](Document& document) { return removeItem(document, m_model.lab(), id); }))
        choose(next);
}

void ItemTree::copy()
{
    QGuiApplication::clipboard()->setText(text(copyItems(m_model.lab(), current())));
}

void ItemTree::paste()
{
    std::string id;
    if (m_model.edit([&](Document& document) -> Result<void> {
            auto pasted =
                pasteItems(document, m_model.lab(), bytes(QGuiApplication::clipboard()->text()), current());
            if (!pasted)
                return pasted.error();
            id = *pasted;
            return {};
        }))
        choose(id);
}

void ItemTree::changeId()
{
    const std::string id = current();
    bool ok = false;
    const QString newId = QInputDialog::getText(this, tr("Change id"),
        tr("Id (letters, digits, - and _, parts separated by dots); links and other items follow it:"),
        QLineEdit::Normal, text(id), &ok)
                              .trimmed();
    if (ok && !newId.isEmpty() && m_model.edit([&](Document& document) {
            return renameItem(document, m_model.lab(), id, bytes(newId));
        }))
        choose(bytes(newId));
}

} // namespace loadstone::ui
