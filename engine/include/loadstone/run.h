// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/history.h"
#include "loadstone/plan_file.h"
#include "loadstone/results.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// What a run is doing right now, from memory: buttons and progress lines need not wait for the disk.
struct RunStatus {
    RunId id;
    RunState state = RunState::preparing;
    std::optional<Phase> phase;
    Nanoseconds elapsed {}; ///< since the run's start
    Nanoseconds phaseLeft {}; ///< of a phase without a planned end estimated, 0 while nothing is known of it
    Nanoseconds totalLeft {};
    std::optional<std::uint64_t> lastTick; ///< number of the last tick that is safe on disk
    std::uint64_t users = 0; ///< simulated users of the present mix
    std::uint64_t sessions = 0; ///< connections open now
    double sentPerSecond = 0, receivedPerSecond = 0; ///< over the last tick
    std::optional<IoRates> io; ///< over the last tick; a run of mail has none
    Nanoseconds p95 {}; ///< response time over the last ticks, all actions
    std::uint64_t failures = 0; ///< actions that ended in an error, since the run's start
    AuditTotals audit;
    /// Of the initialisation or clean-up of mailboxes that is going on.
    std::optional<PreparationTotals> preparation;
    bool generatorHealthy = true;
    std::string generatorReason; ///< why not
    std::string historyTrouble; ///< why the history cannot be written just now; empty: it can
    std::string message; ///< the last event's text
};

/// What is done with a plan.
enum class RunPurpose : std::uint8_t {
    run, ///< its mixes, or its tests
    initialise, ///< only fill the mailboxes, or make the databases, as it says
    cleanUp, ///< remove from its mailboxes what Loadstone made, or its databases and logs
    verify, ///< of a storage plan: check every page and log that is there; nothing is changed
    recover, ///< of a storage plan: open what a crash has left, replay its logs, close it
};

struct RunOptions {
    std::filesystem::path plan;
    RunPurpose purpose = RunPurpose::run;
    unsigned sessions = 0; ///< at once, to initialise and clean up; 0: the plan's max_sessions, else 32
    std::filesystem::path historyFolder; ///< empty: the default
    std::optional<std::uint64_t> seed; ///< instead of the plan's
    unsigned workers = 0; ///< load threads; 0: as the plan says, else chosen for this machine
    std::vector<std::string> tags;
    std::string note;
    std::filesystem::path commandTrace; ///< when set: a CSV row per command (calibration)
    std::optional<std::string> password; ///< what was asked for; see PlanSummary::asksPassword
    std::filesystem::path
        targetProgram; ///< `loadstone`, for plans with the embedded target; empty: this program
};

/// Whether Run::start() failed because of what the plan says (its problems, its target, its password), and not because
/// something that should work did not.
bool isUnusablePlan(const Error& error);

/// The files that cleaning up after a storage plan removes, marks included; none where there is no group of its.
Result<std::vector<std::filesystem::path>> filesToRemove(const std::filesystem::path& plan);

/// A run that this process drives. Destruction stops it in order. Any thread may call any function.
class Run {
public:
    /// Checks the plan, prepares and starts; returns as soon as the run has an id, before the load begins.
    static Result<std::unique_ptr<Run>> start(const RunOptions& options);
    virtual ~Run();

    [[nodiscard]] virtual RunId id() const = 0;
    [[nodiscard]] virtual std::filesystem::path file() const = 0;
    [[nodiscard]] virtual RunStatus status() const = 0;
    /// Ends the load in order, keeps what was measured. At once, may be called more than once.
    virtual void stop() = 0;
    /// Waits for the end; the results as recorded.
    virtual Result<RunResults> wait() = 0;
    /// The same with a bound; false when the run is still going on.
    virtual bool waitFor(Nanoseconds limit) = 0;

protected:
    Run() = default;
};

} // namespace loadstone
