// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tasks/task_dialog.h"

#include <loadstone/plan_file.h>
#include <loadstone/run.h>

class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace loadstone::ui {

/// Says what initialising, cleaning up, verifying or recovering will do, and asks: what is removed is named, file by file. Accepted by
/// wanted(), with the sessions at once for mailboxes (0: as the plan says).
class PrepareDialog : public TaskDialog {
    Q_OBJECT
public:
    PrepareDialog(
        const PlanInput& plan, const PlanSummary& summary, RunPurpose purpose, QWidget* parent = nullptr);
    [[nodiscard]] QListWidget* files() const { return m_files; }
    [[nodiscard]] QPushButton* go() const { return m_go; }

signals:
    void wanted(unsigned sessions);

private:
    void listFiles();

    PlanInput m_plan;
    QLabel* m_words;
    QListWidget* m_files;
    QSpinBox* m_sessions;
    QPushButton* m_go;
};

} // namespace loadstone::ui
