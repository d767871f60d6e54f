// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <loadstone/run.h>

#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace loadstone::ui {

/// phase · time left · users · msg/s · p95 · errors · audit · generator health
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);
    void show(const RunView& view);
    /// Of a run of this program. `recorded` is what its recording shows by now, and may be null.
    void show(const RunStatus& status, const RunView* recorded = nullptr);
    using QWidget::show;
    void clearFigures();
    /// "Stopping…" and the like, instead of the phase; empty: the phase again.
    void setActivity(const QString& activity);
    /// A passing message, at the right end; the figures stay. With `file` a button that opens it stands beside it.
    void say(const QString& message, const QString& file = {});
    /// What is said while no run is shown; empty: "no run".
    void setIdleText(const QString& text);

signals:
    void openWanted(const QString& file);

private:
    QLabel* addField(const QString& toolTip);
    void showFigures(const RunFigures& figures, bool ended);
    void showProgress(const RunFigures& figures);
    void showPreparation(const PreparationTotals& totals);

    QString m_activity;
    QTimer m_timer; // takes the message away
    QLabel* m_phase;
    QProgressBar* m_progress;
    QLabel* m_left;
    QLabel* m_users;
    QLabel* m_rate;
    QLabel* m_p95;
    QLabel* m_errors;
    QLabel* m_audit;
    QLabel* m_health;
    QLabel* m_message;
    QToolButton* m_open;
    QString m_file; // that the button opens
    QString m_idle;
    bool m_isIdle = true;
};

/// A run's own status in the terms of the status bar.
RunFigures figuresOf(const RunStatus& status);

} // namespace loadstone::ui
