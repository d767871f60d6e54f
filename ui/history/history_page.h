// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"
#include "tables/rows_model.h"

#include <loadstone/history.h>

#include <QTimer>

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
class HistoryPage : public Page {
    Q_OBJECT
public:
    explicit HistoryPage(HistoryStore& store, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<RunSummary> selectedRuns() const;
    [[nodiscard]] DataTable* table() const { return m_table; }
    void importFiles(const QStringList& files);
    /// What is shown while there are no runs; the page owns it.
    void setEmptyView(QWidget* view);
    /// Above the list; the page owns it, and it hides itself.
    void addNotice(QWidget* notice);

    /// Asks for the files of recordings and puts them into the history.
    [[nodiscard]] QAction* importAction() const { return m_import; }

    [[nodiscard]] QString title() const override { return tr("History"); }
    [[nodiscard]] QIcon picture() const override;
    void activated() override;
    [[nodiscard]] std::vector<RunSummary> chosenRuns() const override { return selectedRuns(); }
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void openWanted(const loadstone::RunId& id);
    void compareWanted(const std::vector<loadstone::RunId>& runs);
    void trendWanted(const loadstone::RunSummary& run); ///< of the plan that this run is of

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
    QAction* m_compare {};
    QAction* m_trend {};
    QList<QAction*> m_actions;
};

} // namespace loadstone::ui
