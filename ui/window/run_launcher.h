// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/live_run.h"

#include <loadstone/plan_file.h>
#include <loadstone/preflight.h>

class QWidget;

namespace loadstone::ui {

/// From the Run button to a run: reads and checks the plan beside, shows its problems, looks at its servers, then starts it.
class RunLauncher : public QObject {
    Q_OBJECT
public:
    RunLauncher(LiveRun& live, std::filesystem::path historyFolder, QWidget* window);
    void launch(const std::filesystem::path& plan);
    /// Nobody is there to answer: warnings are written to standard error and run past, errors are problem().
    void setUnattended(bool on) { m_unattended = on; }

signals:
    void refused(const QString& message); ///< there is nothing to start
    void problem(const QString& message);

private:
    void checked(const PlanSummary& plan);
    [[nodiscard]] bool askAbout(const PlanSummary& plan);
    void looked(const RunOptions& options, const Preflight& found);

    LiveRun& m_live;
    std::filesystem::path m_historyFolder;
    QWidget* m_window;
    bool m_checking = false, m_unattended = false;
    Worker m_worker;
};

} // namespace loadstone::ui
