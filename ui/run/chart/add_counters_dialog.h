// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStandardItemModel;
class QTreeView;

namespace loadstone::ui {

/// Chooses lines to add, grouped by object, with a search over object, counter and instance.
class AddCountersDialog : public QDialog {
    Q_OBJECT
public:
    AddCountersDialog(const std::vector<LineInfo>& available, const std::vector<LineKey>& present,
        QWidget* parent = nullptr);
    [[nodiscard]] std::vector<LineKey> chosen() const;

private:
    void fill(const std::vector<LineInfo>& available, const std::vector<LineKey>& present);
    void filter(const QString& words);
    void updateChoice();

    std::vector<LineInfo> m_available;
    QLineEdit* m_search;
    QTreeView* m_tree;
    QLabel* m_help;
    QPushButton* m_add;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
};

} // namespace loadstone::ui
