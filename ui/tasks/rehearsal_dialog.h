// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tasks/task_dialog.h"

#include <loadstone/rehearsal.h>

class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace loadstone::ui {

class RehearsalPicture;

/// Runs a plan in virtual time and shows what it asks of the server: a picture of the load, and the tables that the command line prints.
/// Begins at once; closing it cancels.
class RehearsalDialog : public TaskDialog {
    Q_OBJECT
public:
    explicit RehearsalDialog(const PlanInput& plan, QWidget* parent = nullptr);
    [[nodiscard]] QTextBrowser* tables() const { return m_tables; }

signals:
    void rehearsed(); ///< well or not

private:
    void begin();
    void showResult(const Result<Rehearsal>& result);

    PlanInput m_plan;
    std::string m_text; // as the command line prints it
    QSpinBox* m_seed;
    RehearsalPicture* m_picture;
    QTextBrowser* m_tables;
    QPushButton *m_again, *m_copy;
};

} // namespace loadstone::ui
