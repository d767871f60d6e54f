// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/plan_file.h>

#include <QDialog>

namespace loadstone::ui {

/// A look at a plan before it runs: what it does, against what, for how long, what it needs, and its text. Accepted: run it.
class PlanDialog : public QDialog {
    Q_OBJECT
public:
    /// What exec() gives when the plan is to be opened in the text editor.
    static constexpr int kEdit = 3;
    /// `text` is the plan as read; `mayRun`: no run is in progress.
    PlanDialog(const PlanSummary& plan, const QString& text, bool mayRun, QWidget* parent = nullptr);
};

} // namespace loadstone::ui
