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

/// The present state of a run, from memory, so that buttons and progress lines need not wait for the disk. A copy that any
/// thread may keep; figures are those of the last tick (1 s).
struct RunStatus {
    RunId id;
    RunKind kind = RunKind::mail;
    RunState state = RunState::preparing;
    std::optional<Phase> phase;
    Nanoseconds elapsed {}; ///< since the run's start
    Nanoseconds phaseLeft {}; ///< estimated for a phase without a planned end, 0 while there is no estimate
    Nanoseconds totalLeft {};
    /// totalLeft is a lower bound: of the present phase there is no estimate, or later ones have no planned end.
    bool leftAtLeast = false;
    std::optional<std::uint64_t> lastTick; ///< number of the last tick that is on the disk
    std::uint64_t users = 0; ///< simulated users of the present mix
    std::uint64_t sessions = 0; ///< connections open now
    double sentPerSecond = 0, receivedPerSecond = 0; ///< over the last tick
    std::optional<IoRates> io; ///< over the last tick; a run of mail has none
    Nanoseconds
        p95 {}; ///< response time over the last ticks, all actions; what is unfinished counts with its age
    bool p95AtLeast = false; ///< it is a lower bound, because of what is unfinished
    std::uint64_t errors =
        0; ///< since the run's start, those of a preparation included: the sum of Recording::errors()
    AuditTotals audit;
    /// Totals of the present initialisation or clean-up of mailboxes.
    std::optional<PreparationTotals> preparation;
    bool generatorHealthy = true;
    std::string generatorReason; ///< why not
    std::string historyTrouble; ///< why the history cannot be written at present; empty: it can
    std::string message; ///< the last event's text
};

/// What is done with a plan.
enum class RunPurpose : std::uint8_t {
    run, ///< its mixes, or its tests
    initialise, ///< only fill the mailboxes, or make the databases
    cleanUp, ///< remove from its mailboxes what Loadstone made, or its databases and logs
    verify, ///< storage plans: check every page and log; nothing is changed
    recover, ///< storage plans: open databases after a crash, replay their logs, close them
};

/// A command that is run before or after each mix of a run, while the load rests.
struct MixCommand {
    CommandMoment moment = CommandMoment::beforeMix; ///< beforeMix or afterMix
    std::string command; ///< for /bin/sh -c
    Nanoseconds timeLimit = std::chrono::minutes(10);
    bool goOn = false; ///< also when it fails; else the run ends there, failed
    bool operator==(const MixCommand&) const = default;
};

/// How a plan is run. Read once, by Run::start().
struct RunOptions {
    PlanInput plan; ///< a file, see findPlan() for names of shipped ones; or a document
    RunPurpose purpose = RunPurpose::run;
    unsigned sessions = 0; ///< at once, to initialise and clean up; 0: the plan's max_sessions, else 32
    std::filesystem::path historyFolder; ///< empty: the default
    std::optional<std::uint64_t> seed; ///< instead of the plan's
    unsigned workers = 0; ///< load threads; 0: as the plan says, else chosen for this machine
    std::vector<std::string> tags;
    std::string note;
    std::filesystem::path commandTrace; ///< when set: a CSV row per command (calibration)
    std::optional<std::string> password; ///< what a person typed; see PlanSummary::asksPassword
    RunStudy study; ///< that the run belongs to; empty: none
    std::vector<MixCommand> mixCommands; ///< their texts and output stand in the run's event log
    std::vector<RunEvent>
        before; ///< what happened just before, for the event log: commands with their output
    /// What of agreementsOf() the user has agreed to, word by word. A run of a plan that asks for more does not start.
    std::vector<std::string> agreed;
    /// The file of the program `loadstone`, which is started if the plan has the embedded target. Empty: the file of that name
    /// in the folder of the running program; Run::start() fails if there is none. No other plan needs it.
    std::filesystem::path targetProgram;
};

/// Whether Run::start() failed because of the plan (its problems, its target, its password), and not because
/// of an error of the program or the system.
bool isUnusablePlan(const Error& error);

/// The files that cleaning up after a storage plan removes, marks included; none if the plan has made no group. An Error when
/// the plan cannot be read or run, or one of its folders cannot be read. Any thread.
Result<std::vector<std::filesystem::path>> filesToRemove(const PlanInput& plan);

/// A run of this process. Destruction stops it and keeps what was measured. Any thread may call any function.
class Run {
public:
    /// Checks the plan, prepares and starts; returns as soon as the run has an id, before the load begins. An Error when the plan
    /// cannot be used (isUnusablePlan()), the history cannot be written, or something that the run needs does not start.
    /// Later failures are recorded: see RunResults::state.
    static Result<std::unique_ptr<Run>> start(const RunOptions& options);
    virtual ~Run();

    [[nodiscard]] virtual RunId id() const = 0;
    [[nodiscard]] virtual std::filesystem::path
    file() const = 0; ///< the recording, which others may read during the run
    [[nodiscard]] virtual RunStatus status() const = 0; ///< from memory, at once
    /// Stops the load and keeps what was measured. Returns at once, may be called more than once.
    virtual void stop() = 0;
    /// Waits for the end; the results as recorded. An Error when the recording cannot be read.
    virtual Result<RunResults> wait() = 0;
    /// Waits for the end, at most `limit`; false when the run is still going on.
    virtual bool waitFor(Nanoseconds limit) = 0;

protected:
    Run() = default;
};

} // namespace loadstone
