// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/page.h"
#include "queue/run_queue.h"
#include "tables/rows_model.h"

#include <QTimer>

class QLabel;
class QStackedWidget;

namespace loadstone::ui {

class DataTable;

/// The plans that wait for their turn, in their order, with what is left of them; and those that had it.
class QueuePage : public Page {
    Q_OBJECT
public:
    explicit QueuePage(RunQueue& queue, QWidget* parent = nullptr);

    [[nodiscard]] DataTable* table() const { return m_table; }
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString tip() const override { return tr("Plans that run one after the other"); }
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("tasks"); }
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void openWanted(const loadstone::RunId& run);

private:
    void makeActions();
    void showRuns();
    void updateActions();
    [[nodiscard]] const QueuedRun* chosen() const;

    RunQueue& m_queue;
    RowsModel<QueuedRun>* m_rows;
    DataTable* m_table;
    QLabel* m_left;
    QStackedWidget* m_stack;
    QAction *m_start, *m_up, *m_down, *m_remove, *m_clear, *m_open;
    QTimer m_tick; // what is left changes while a run lasts
    QString m_title;
};

} // namespace loadstone::ui
