// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"

#include <loadstone/history.h>

#include <QTimer>
#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QSettings;
class QStackedWidget;

namespace loadstone::ui {

class DataTable;
class HistoryStore;

/// All runs, newest first: search, filter, open, annotate, export, import, delete.
class HistoryPage : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPage(HistoryStore& store, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<RunSummary> selectedRuns() const;
    [[nodiscard]] DataTable* table() const { return m_table; }
    void importFiles(const QStringList& files);

    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void openWanted(const loadstone::RunId& id);
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeActions();
    void openSelected();
    void editNote();
    void editTags();
    void toggleStar();
    void removeSelected();
    void askImport();
    void updateActions();
    void applyList();
    void showFailure(const QString& message);
    void showRows(std::vector<RunSummary> shown);

    HistoryStore& m_store;
    RowsModel<RunSummary>* m_rows;
    DataTable* m_table;
    QLineEdit* m_search;
    QComboBox* m_state;
    QLabel* m_count;
    QStackedWidget* m_stack;
    QLabel* m_failure; // why there is no list
    bool m_listed = false; // at least once
    QTimer m_timer; // other programs add runs too
    QAction* m_open {};
    QAction* m_note {};
    QAction* m_tags {};
    QAction* m_star {};
    QAction* m_delete {};
    QAction* m_import {};
    QList<QAction*> m_actions;
};

} // namespace loadstone::ui
