// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/live_run.h"

#include <loadstone/counters.h>
#include <loadstone/plan_file.h>
#include <loadstone/preflight.h>

class QWidget;

namespace loadstone::ui {

/// From the Run button to a run: reads and checks the plan beside, shows its problems, looks at its servers, then starts it.
class RunLauncher : public QObject {
    Q_OBJECT
public:
    RunLauncher(LiveRun& live, std::filesystem::path historyFolder, QWidget* window);
    void launch(const std::filesystem::path& plan) { launch(PlanInput(plan)); }
    /// A file, or a document as it stands, saved or not.
    void launch(const PlanInput& plan);
    /// A plan is being read or what it needs is being looked at; launch() does nothing meanwhile.
    [[nodiscard]] bool checking() const { return m_checking; }
    /// Unattended: warnings are written to standard error and run past, errors are problem().
    void setUnattended(bool on) { m_unattended = on; }

signals:
    void refused(const QString& message); ///< there is nothing to start
    void problem(const QString& message);
    void checkingChanged();

private:
    void checked(const PlanInput& input, const PlanSummary& plan, const std::vector<std::string>& agreements);
    /// What its sources of counters do here is done only after somebody has said so.
    [[nodiscard]] bool agree(const std::string& name, const std::vector<std::string>& agreements);
    [[nodiscard]] bool askAbout(const PlanInput& input, const PlanSummary& plan);
    void setChecking(bool on);
    /// Looks at servers or folders, beside; the window says so and can cancel it.
    void look(const PlanSummary& plan, const RunOptions& options);
    void looked(const PlanSummary& plan, const RunOptions& options, const Preflight& found);
    /// An Error names the folder that cannot be made.
    [[nodiscard]] static Result<void> makeFolders(const std::vector<std::filesystem::path>& folders);

    LiveRun& m_live;
    std::filesystem::path m_historyFolder;
    QWidget* m_window;
    bool m_checking = false, m_unattended = false;
    unsigned m_look = 0; // number of the look under way: answers to a cancelled one are dropped
    Worker m_worker;
};

} // namespace loadstone::ui
