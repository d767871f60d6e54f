// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/lab_model.h"

#include <QWidget>

class QAction;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace loadstone::ui {

class ItemTreeModel;

/// The tree of a lab's items with its search field and what can be done to an item.
class ItemTree : public QWidget {
    Q_OBJECT
public:
    explicit ItemTree(LabModel& model, QWidget* parent = nullptr);

    [[nodiscard]] std::string current() const; ///< id; empty: none
    void choose(const std::string& id);
    [[nodiscard]] QTreeView* view() const { return m_view; }
    [[nodiscard]] QList<QAction*> itemActions() const;

signals:
    void chosen(const std::string& id);

private:
    void makeActions();
    void fillAddMenu(QMenu& menu);
    void duplicate();
    void remove();
    void copy();
    void paste();
    void changeId();
    void updateActions();

    LabModel& m_model;
    ItemTreeModel* m_items;
    QSortFilterProxyModel* m_proxy;
    QLineEdit* m_search;
    QTreeView* m_view;
    QAction *m_rename, *m_changeId, *m_duplicate, *m_remove, *m_copy, *m_paste;
    std::string m_kept; // chosen before the model was reset
    bool m_resetting = false;
};

} // namespace loadstone::ui
