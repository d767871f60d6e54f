// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/left_worker.h"
#include "wizard/plan_model.h"

#include <loadstone/preflight.h>

#include <QWidget>

#include <atomic>
#include <memory>

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace loadstone::ui {

/// Checks on the spot what the plan needs, as its text stands: its servers, or its folders and device. On a thread of its own; can be
/// cancelled.
class PreflightBox : public QWidget {
    Q_OBJECT
public:
    explicit PreflightBox(PlanModel& model, QWidget* parent = nullptr);
    ~PreflightBox() override;

    [[nodiscard]] QListWidget* findings() const { return m_findings; }
    [[nodiscard]] QPushButton* startButton() const { return m_start; }
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }
    [[nodiscard]] bool isBusy() const { return m_isBusy; }
    [[nodiscard]] QString status() const;

signals:
    void finished();

private:
    void start();
    void cancel();
    void show(const Result<Preflight>& found);
    void makeFolders();
    void add(Severity severity, const QString& words);
    void updateButtons();

    PlanModel& m_model;
    QPushButton *m_start, *m_cancel, *m_make;
    QProgressBar* m_busy;
    QLabel* m_status;
    QListWidget* m_findings;
    std::vector<std::filesystem::path> m_missing; // folders
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    bool m_isBusy = false;
    LeftWorker m_worker { new Worker };
};

} // namespace loadstone::ui
