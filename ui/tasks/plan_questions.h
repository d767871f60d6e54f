// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker.h"

#include <loadstone/plan_file.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QWidget;

namespace loadstone::ui {

/// What is known of a plan before something is done with it.
struct PlanAnswers {
    PlanInput input;
    PlanSummary plan;
    std::vector<std::string> agreed; ///< what its sources of counters may do here
    std::optional<std::string> password;
};

/// Asks what only a person can answer before a plan is used: the agreement to what its sources of counters do, and the password. GUI
/// thread only; the plan is read on another.
class PlanQuestions : public QObject {
    Q_OBJECT
public:
    explicit PlanQuestions(QWidget* window);
    enum class About { everything, problemsAlone };
    /// `then` is called unless the user refuses; a plan with errors is shown with them, and that is the end.
    void ask(const PlanInput& plan, About about, std::function<void(const PlanAnswers&)> then);

signals:
    void problem(const QString& message); ///< the plan cannot be read
    void editWanted(const loadstone::PlanInput& plan); ///< from the list of its problems

private:
    void answer(PlanAnswers answers, About about, const std::vector<std::string>& agreements,
        const std::function<void(const PlanAnswers&)>& then);

    QWidget* m_window;
    Worker m_worker;
};

} // namespace loadstone::ui
