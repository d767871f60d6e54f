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
    /// Lines of its message log with one of these fates, after totals().
    [[nodiscard]] std::size_t copies(const std::vector<std::string>& fates) const;
    /// Replies that its command log has for a verb, after totals() or a SIGSTOP that lasts: those that were sent.
    [[nodiscard]] std::size_t replies(const std::string& verb) const;

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
    /// Ends the n-th target at once, and starts it again on its ports.
    SceneTarget& restart(std::size_t n, const std::vector<std::string>& options = {});
    SceneTarget& at(std::size_t n) { return *m_targets.at(n); }

    /// Called with each tick of the run: the kind of its phase, and which tick of it (from 1).
    using OnTick = std::function<void(WatchedProgram& run, const std::string& phase, unsigned tick)>;
    /// Runs a plan to its end. `before`: words before the program's own, such as those of a wrapper.
    RunEnd run(const std::string& plan, const OnTick& onTick = {}, std::vector<std::string> before = {},
        const std::map<std::string, std::string>& environment = {}, const std::string& command = "run");
    /// The program with the scene's history.
    [[nodiscard]] ProgramEnd program(std::vector<std::string> arguments) const;

private:
    [[nodiscard]] std::vector<std::string> commandLine(std::vector<std::string> arguments) const;

    ScratchFolder m_folder;
    std::vector<std::unique_ptr<SceneTarget>> m_targets;
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

std::vector<VerdictCase> mailCases();
std::vector<VerdictCase> storageCases();

/// Throws what `what` says where the two differ.
void agree(const std::string& what, std::uint64_t ours, std::uint64_t witness);
void insist(bool holds, const std::string& what);

} // namespace loadstone::test
