// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/left_worker.h"
#include "wizard/plan_model.h"

#include <loadstone/rehearsal.h>

#include <QWidget>

#include <atomic>
#include <memory>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace loadstone::ui {

/// What a rehearsal says, line by line: length, rates, connections, mail that is stored, warnings.
QStringList rehearsalWords(const Rehearsal& rehearsal);

/// Rehearses the plan as it stands, on a thread of its own; can be cancelled.
class RehearsalBox : public QWidget {
    Q_OBJECT
public:
    explicit RehearsalBox(PlanModel& model, QWidget* parent = nullptr);
    ~RehearsalBox() override;

    [[nodiscard]] QPushButton* startButton() const { return m_start; }
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }
    [[nodiscard]] QString facts() const;
    [[nodiscard]] QString table() const;
    [[nodiscard]] bool isBusy() const { return m_isBusy; }
    void cancel();

signals:
    void finished();

private:
    void start();
    void updateButtons();

    PlanModel& m_model;
    QPushButton *m_start, *m_cancel;
    QProgressBar* m_progress;
    QLabel* m_facts;
    QPlainTextEdit* m_table;
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    std::string m_rehearsed; // the text
    bool m_isBusy = false;
    LeftWorker m_worker { new Worker };
};

} // namespace loadstone::ui
