// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/program.h"
#include "support/watched_program.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::test {

/// A line of a target's command log.
struct LoggedCommand {
    std::string protocol, verb, reply;
    std::uint64_t connection = 0, received = 0, replied = 0; ///< times in ns; 0: no reply was sent
};

/// A line of a target's message log.
struct LoggedCopy {
    std::string mailbox, fate;
    std::uint64_t accepted = 0, visible = 0; ///< ns; 0: never
};

/// An embedded target as a process of its own: the server under test of a scene, and its witness.
class SceneTarget {
public:
    /// Starts it, on the given ports where there are any, and waits until it listens.
    SceneTarget(const std::filesystem::path& folder, std::vector<std::string> options, const nlohmann::json& ports = {});
    [[nodiscard]] const nlohmann::json& ports() const { return m_ready; }
    void signal(int number) { m_program->signal(number); }
    /// Ends it, and gives what it counted. Not after a SIGKILL.
    const nlohmann::json& totals();
    void kill();
    // What it counted and logged; they end it too.
    [[nodiscard]] std::uint64_t total(const char* name) { return totals().at(name).get<std::uint64_t>(); }
    [[nodiscard]] std::vector<LoggedCommand> commands();
    [[nodiscard]] std::vector<LoggedCopy> copies();
    /// Copies with this fate.
    [[nodiscard]] std::uint64_t copies(const std::string& fate);
    /// Commands that were answered so. `within`: only what was received in so many seconds from the first one on.
    [[nodiscard]] std::uint64_t answers(
        const std::string& protocol, const std::string& verb, const std::string& reply, double within = 1e9);

private:
    std::filesystem::path m_commandLog, m_messageLog;
    std::unique_ptr<WatchedProgram> m_program;
    nlohmann::json m_ready, m_totals;
};

/// What a run has come to, as the program says it in each place.
struct RunEnd {
    int exitCode = 0; ///< of `run`; 128 + number after a signal
    nlohmann::json end; ///< the last line of `run --json`; null: the program died before it
    nlohmann::json shown; ///< `show last --json`
    nlohmann::json listed; ///< `list --json`
    int showExitCode = 0;
    std::string text; ///< `show last`
    unsigned ticks = 0; ///< that `run --json` has printed
    double lasted = 0; ///< s from its first printed line to its last one, by this test's own clock

    /// "none": there is no recording that could be listed.
    [[nodiscard]] std::string verdict() const { return listed.is_object() ? listed.value("verdict", "none") : "none"; }
    /// The criteria of all mixes and of the whole run that are not met: "responseTime Send message".
    [[nodiscard]] std::vector<std::string> unmet() const;
    [[nodiscard]] const nlohmann::json& results() const { return shown.at("results"); }
    [[nodiscard]] std::uint64_t audit(const char* fate) const;
};

/// A folder, a history in it, targets and one run: what a case of the table needs. One thread.
class Scene {
public:
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }
    std::string file(const std::string& name, const std::string& content) const;
    SceneTarget& target(const std::vector<std::string>& options = {});
    /// Ends the n-th target in order, and starts one anew on its ports. Gives the one that has ended.
    SceneTarget& restart(std::size_t n, const std::vector<std::string>& options = {});
    SceneTarget& at(std::size_t n) { return *m_targets.at(n); }

    /// Called with each tick of the run: the kind of its phase, and which tick of it (from 1).
    using OnTick = std::function<void(WatchedProgram& run, const std::string& phase, unsigned tick)>;
    /// Runs a plan to its end. `before`: words before the program's own, such as those of a wrapper.
    RunEnd run(const std::string& plan, const OnTick& onTick = {}, std::vector<std::string> before = {},
        const std::map<std::string, std::string>& environment = {}, const std::string& command = "run");
    /// A command line that is refused: its exit code, and no run in the history. Throws where it does not say `why`.
    RunEnd refused(const std::vector<std::string>& arguments, const std::string& why);
    /// What the history has of its last run, after a command that ended so.
    RunEnd last(int exitCode) const;
    /// The program with the scene's history.
    [[nodiscard]] ProgramEnd program(std::vector<std::string> arguments) const;

private:
    [[nodiscard]] std::vector<std::string> commandLine(std::vector<std::string> arguments) const;

    ScratchFolder m_folder;
    std::vector<std::unique_ptr<SceneTarget>> m_targets, m_ended;
    std::size_t m_started = 0;
};

/// A line of the table of verdicts.
struct VerdictCase {
    std::string name; ///< what goes wrong
    std::string how; ///< how it is provoked
    // What must come out:
    std::string verdict; ///< a word of the headline
    int exitCode = 0; ///< of the run
    std::vector<std::string> unmet; ///< criteria that must not be met; all others must be
    /// Plays it. Gives what the witness says, and throws std::runtime_error where it and the program do not agree.
    std::function<RunEnd(Scene&, std::string& witness)> play;
    /// Why it cannot be played on this machine; empty: it can.
    std::function<std::string()> whyNot = [] { return std::string(); };
};

std::vector<VerdictCase> serverCases(); ///< faults of servers
std::vector<VerdictCase> deliveryCases(); ///< what becomes of mail
std::vector<VerdictCase> generatorCases(); ///< faults of the generator, and of those who stop it
std::vector<VerdictCase> historyCases(); ///< the history and the clock
std::vector<VerdictCase> refusedCases(); ///< what must not be begun, or not be taken for done
std::vector<VerdictCase> storageCases();

/// Says both figures; throws where they differ.
std::string agree(const std::string& what, std::uint64_t ours, std::uint64_t witness);
/// Likewise, by more than `tolerance`: what is on its way at an edge is counted by one of them only.
std::string agree(const std::string& what, std::uint64_t ours, std::uint64_t witness, std::uint64_t tolerance);
/// Says that there is none of it; throws where the witness has one.
std::string none(const std::string& what, std::uint64_t witness);
/// Like agree() of times in s.
std::string agreeTimes(const std::string& what, double ours, double witness, double tolerance);
void insist(bool holds, const std::string& what);

} // namespace loadstone::test
