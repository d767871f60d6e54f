// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/live_run.h"

#include <loadstone/counters.h>
#include <loadstone/plan_file.h>
#include <loadstone/preflight.h>

#include <functional>
#include <optional>

class QWidget;

namespace loadstone::ui {

/// A plan that is to be run, and what was decided already.
struct RunRequest {
    PlanInput plan; ///< a file, or a document, saved or not
    RunPurpose purpose = RunPurpose::run;
    unsigned sessions = 0; ///< see RunOptions
    /// Nobody is asked: what would be a question is a reason not to start, warnings are not. See `notStarted`.
    bool quiet = false;
    std::vector<std::string> agreed {}; ///< where quiet: what somebody agreed to before
    std::optional<std::string> password {}; ///< that somebody typed before
    /// Where quiet: gets the reason why nothing is started.
    std::function<void(const QString& why)> notStarted {};
};

/// From the Run button to a run: reads and checks the plan beside, shows its problems, looks at its servers, then starts it. The same for
/// the other purposes of runs, without the look at the servers.
class RunLauncher : public QObject {
    Q_OBJECT
public:
    RunLauncher(LiveRun& live, std::filesystem::path historyFolder, QWidget* window);
    void launch(RunRequest request);
    void launch(const std::filesystem::path& plan) { launch(RunRequest { plan }); }
    /// A plan is being read or what it needs is being looked at; launch() does nothing meanwhile.
    [[nodiscard]] bool checking() const { return m_checking || m_deciding; }
    /// Unattended: warnings are written to standard error and run past, errors are problem().
    void setUnattended(bool on) { m_unattended = on; }

signals:
    void refused(const QString& message); ///< there is nothing to start
    void problem(const QString& message);
    void checkingChanged();
    void launched(const loadstone::PlanInput& plan); ///< LiveRun starts it
    void editWanted(const loadstone::PlanInput& plan); ///< from the list of its problems

private:
    void checked(const PlanSummary& plan, const std::vector<std::string>& agreements);
    /// Nothing starts: tells whoever asked for it.
    void giveUp(const QString& why);
    [[nodiscard]] bool askPassword(const PlanSummary& plan, RunOptions& options);
    void start(const RunOptions& options);
    /// What its sources of counters do here is done only after somebody has said so.
    [[nodiscard]] bool agree(const PlanSummary& plan, const std::vector<std::string>& agreements);
    [[nodiscard]] bool askAbout(const PlanSummary& plan);
    void setChecking(bool on);
    /// Looks at servers or folders, beside; the window says so and can cancel it.
    void look(const PlanSummary& plan, const RunOptions& options);
    void looked(const PlanSummary& plan, const RunOptions& options, const Preflight& found);
    /// An Error names the folder that cannot be made.
    [[nodiscard]] static Result<void> makeFolders(const std::vector<std::filesystem::path>& folders);

    LiveRun& m_live;
    std::filesystem::path m_historyFolder;
    QWidget* m_window;
    class Deciding; // while somebody is asked, nothing else is launched
    bool m_checking = false, m_deciding = false, m_unattended = false;
    RunRequest m_request; // that is being checked
    unsigned m_look = 0; // number of the look under way: answers to a cancelled one are dropped
    Worker m_worker;
};

} // namespace loadstone::ui
