// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_model.h"

#include <QWidget>

namespace loadstone::ui {

/// What a storage plan tests, as a whole.
enum class TestProgramme {
    quick, ///< a performance test of 2 minutes and checksums: shows that all works, too short to publish
    usual, ///< a performance test of 2 hours, a backup, a recovery, checksums
    published, ///< the same with a stress test of 24 hours, as published results have it
};

/// Replaces the tests of a plan, as one step of undo; comments of the tests that were go with them.
Result<void> setTests(Document& document, TestProgramme programme);

/// A button for each programme, and what the plan's tests take in total.
class TestProgrammes : public QWidget {
    Q_OBJECT
public:
    explicit TestProgrammes(PlanModel& model, QWidget* parent = nullptr);
};

} // namespace loadstone::ui
