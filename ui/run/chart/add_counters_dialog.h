// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"

#include <QDialog>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace loadstone::ui {

/// Chooses lines to add, grouped by computer (where there are several, the system under test first) and object, with a search over
/// computer, role, object, counter and instance.
class AddCountersDialog : public QDialog {
    Q_OBJECT
public:
    AddCountersDialog(const std::vector<LineInfo>& available, const std::vector<LineKey>& present,
        QWidget* parent = nullptr);
    /// Offers to define derived counters, which are checked against this recording.
    void setRecording(const std::filesystem::path& file, const std::string& target);
    /// Those that are selected, and the derived one that was defined here.
    [[nodiscard]] std::vector<LineKey> chosen() const;

    void done(int result) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const std::vector<LineKey>& present);
    /// The row of this title below `above`, made if need be.
    QStandardItem* heading(QStandardItem& above, const QString& title);
    void filter(const QString& words);
    void updateChoice();
    void defineDerived();
    /// `thereToo`: also those that are in the chart already.
    [[nodiscard]] std::vector<LineKey> selected(bool thereToo) const;

    std::filesystem::path m_recording;
    std::string m_target;
    std::optional<LineKey> m_derived;
    std::vector<LineInfo> m_available;
    std::map<std::pair<QStandardItem*, QString>, QStandardItem*> m_headings;
    QLineEdit* m_search;
    QTreeView* m_tree;
    QLabel* m_help;
    QPushButton* m_add;
    QPushButton* m_define;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
};

} // namespace loadstone::ui
