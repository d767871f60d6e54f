// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"
#include "tasks/plan_questions.h"
#include "tasks/task_dialog.h"

#include <loadstone/preflight.h>

class QCheckBox;
class QPushButton;

namespace loadstone::ui {

class DataTable;

/// Looks at what a plan needs (servers, mailboxes, folders), as the run will use it: findings with their effect, and what cures them.
/// Begins at once; closing it cancels.
class PreflightDialog : public TaskDialog {
    Q_OBJECT
public:
    PreflightDialog(const PlanAnswers& plan, std::filesystem::path history, QWidget* parent = nullptr);
    [[nodiscard]] DataTable* table() const { return m_table; }

signals:
    void runWanted();
    void checked(); ///< a check has ended, well or not

private:
    void check();
    void showFound(const Result<Preflight>& found);
    void makeFolders();

    PreflightOptions m_options;
    RowsModel<PreflightFinding>* m_rows;
    DataTable* m_table;
    QCheckBox *m_limits, *m_message;
    QPushButton *m_again, *m_make, *m_run;
};

} // namespace loadstone::ui
