// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/plan_file.h>

#include <QDialog>

namespace loadstone::ui {

/// All that is wrong with a plan, line by line, beside its text; choosing a problem shows its place.
class ProblemsDialog : public QDialog {
    Q_OBJECT
public:
    /// What exec() gives when the user has mended the plan and wants it looked at again.
    static constexpr int kCheckAgain = 2;
    /// The plan is to be opened in the text editor.
    static constexpr int kEdit = 3;
    /// `text` is the plan as read. With warnings only the run may be started anyway.
    ProblemsDialog(const PlanSummary& plan, const QString& text, QWidget* parent = nullptr);
};

} // namespace loadstone::ui
