// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/run.h"
#include "loadstone/study.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

struct StudyRunOptions {
    std::filesystem::path study;
    std::filesystem::path historyFolder; ///< empty: the default
    std::optional<std::string> password; ///< what a person typed, for all plans that ask
    std::vector<std::string>
        agreed; ///< of agreementsOf(study), word by word; a study that asks for more does not start
    std::filesystem::path targetProgram; ///< see RunOptions
    bool goOn = false; ///< with the next run after one that was not valid, was cut short or failed
};

/// What a queue is doing, from memory.
struct StudyStatus {
    enum class State : std::uint8_t {
        before, ///< a command before a run
        running,
        after, ///< a command after a run
        finished, ///< every run is there
        stopped, ///< by stop(); it can be taken up again
        failed, ///< by `message`; it can be taken up again
    };
    State state = State::before;
    std::vector<StudyStep> steps; ///< in their order; those with a run are done
    std::size_t step = 0; ///< the present one
    std::string command; ///< the one that is running; empty: none
    std::optional<RunStatus> run; ///< of the run that is going on
    std::filesystem::path recording; ///< its file
    Nanoseconds totalLeft {}; ///< of the present run and of the plans of those still to do; estimated
    bool stopping = false; ///< stop() or stopAfterRun() was called
    std::string message; ///< the last thing that happened, or why it failed
    [[nodiscard]] bool over() const { return state >= State::finished; }
    [[nodiscard]] std::size_t done() const; ///< runs that are there
};
const char* toString(
    StudyStatus::State state); ///< "before a run", "running", "after a run", "finished", "stopped", "failed"

/// Runs what a study's history lacks, one run after the other, each with its commands. Their texts and what they print stand in the log of
/// the run, or beside it as notes. A second queue takes up where one ended: the runs that are there are found by study, case and
/// repeat. Destruction stops it. Any thread may call any function.
class StudyRun {
public:
    /// Checks the study and its plans. An Error when it cannot be used, asks for an agreement, or the history cannot be read.
    static Result<std::unique_ptr<StudyRun>> start(const StudyRunOptions& options);
    virtual ~StudyRun();
    [[nodiscard]] virtual StudyStatus status() const = 0;
    /// Ends the present command or run; what that measured is kept. Returns at once.
    virtual void stop() = 0;
    /// The queue ends once the present run and the commands after it are over; false takes it back. Returns at once.
    virtual void stopAfterRun(bool on = true) = 0;
    /// Waits for the end, at most `limit`; false when it is still going on.
    virtual bool waitFor(Nanoseconds limit) = 0;

protected:
    StudyRun() = default;
};

} // namespace loadstone
