// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/judgement.h"
#include "loadstone/recording.h"
#include "loadstone/results.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

struct ComparedRun; // compared.h
class RepeatPool; // repeatability.h

/// One line of the history's list.
struct RunSummary {
    RunId id;
    std::string title;
    WallTime started {};
    Nanoseconds length {}; ///< from the start to the last tick
    RunKind kind = RunKind::mail;
    RunState state = RunState::finished;
    Verdict verdict = Verdict::running;
    bool valid = true; ///< as RunResults::valid
    std::string planName; ///< the plan's file, without its folder
    std::string computer; ///< host name of the generator
    std::vector<std::string> tags;
    std::string note;
    std::uint64_t sent = 0, received = 0; ///< messages, over all measurement phases
    double errorRate = 0; ///< in the mix below: failed of all actions, 0 to 1
    std::uint64_t lost = 0, twice = 0, damaged = 0; ///< copies, of the audit
    std::uint64_t outstanding = 0; ///< copies of which the audit does not know whether they arrive
    std::int32_t mix = -1; ///< the mix, or test with a load, that has the highest rate; -1: there is none
    /// Of that whole mix, of the run's audit, and of its last preparation, in the order of figureTable().
    std::vector<Figure> figures;
    RunStudy study; ///< that it is a run of; empty: none
    std::uint64_t fileBytes = 0; ///< of the recording
    WallTime changed {}; ///< when its file was last written: by its run, by a note, by a log that was attached, moved or removed
    bool operator==(const RunSummary&) const = default;
    /// Valid by its plan, which states no criteria; but actions failed, or the audit is not settled, and nothing judges that.
    [[nodiscard]] bool isUnjudged() const
    {
        return verdict == Verdict::measured && (errorRate > 0 || outstanding > 0);
    }
};

/// The local history: a catalogue and one file per run in one folder. The catalogue is only a cache of
/// what the runs' files say and is rebuilt from them when it is missing or damaged. Any thread, one object for each; several processes
/// may use one folder. Errors name the file or the run, and what is wrong with it.
class History {
public:
    /// `folder` is created when missing. Default: $LOADSTONE_HISTORY, else $XDG_DATA_HOME/loadstone/history.
    static Result<History> open(std::filesystem::path folder = {});
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;
    ~History();

    [[nodiscard]] const std::filesystem::path& folder() const;
    /// Newest first. Brings the catalogue up to date with files that other processes added, changed or removed.
    Result<std::vector<RunSummary>> list();
    /// The path of a run's file, whether it exists or not.
    [[nodiscard]] std::filesystem::path fileOf(const RunId& id) const;
    Result<Recording> openRun(
        const RunId& id, const std::string& target = {}) const; ///< see Recording::open()
    /// A full id, a unique prefix of one, or "last".
    Result<RunId> find(const std::string& text);

    /// What can be compared of a run: as comparedRun(), from the catalogue where that has it.
    Result<ComparedRun> compared(const RunId& id);
    /// The newest runs of the history with these pooling keys (ComparableFacts::poolingKey()), at most RepeatPool::kMostRuns of each, for
    /// repeatability(). No recording that the catalogue knows is opened.
    Result<RepeatPool> repeats(const std::vector<std::string>& poolingKeys);
    /// The runs of the plan of this file name that have ended, rising start, as compared(); at most PlanTrend::kMostRuns, the newest, and where
    /// they are very much without what is a detail.
    Result<std::vector<ComparedRun>> comparedOfPlan(const std::string& planName);

    /// Appends to the recording, also during its run. An Error when there is no such run, as below.
    Result<void> annotate(const RunId& id, const Annotation& annotation);
    /// Replaces all tags of the run.
    Result<void> setTags(const RunId& id, const std::vector<std::string>& tags);
    Result<void> setNote(const RunId& id, const std::string& note);
    /// Gives the run a lab, which counts from now on; those that it has stay in its recording. An Error names what is wrong with a text
    /// that is no lab.
    Result<void> attachLab(const RunId& id, const RunLab& lab);
    /// Refused while the run is being written.
    Result<void> remove(const RunId& id);
    /// A checkpoint and a copy: one file that `import` reads on any machine.
    Result<void> exportArchive(const RunId& id, const std::filesystem::path& to) const;
    /// Checks the whole file first; refuses a file that is not a recording, is damaged or newer, or whose run is in the history.
    Result<RunId> importArchive(const std::filesystem::path& from);
    /// Deletes the catalogue and reads every run again.
    Result<void> rebuild();

    class Impl;

private:
    explicit History(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace loadstone
