// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/workload.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace loadstone::run {

/// What a command printed, as logs keep it: bounded, without what would move a terminal's cursor.
std::string outputForLog(const std::string& text);

/// A workload that rests before and after each of its mixes while commands run: a quiet phase of its own for each moment, which ends with
/// the last command. A command that fails ends the run, unless it says that the run goes on.
class WithMixCommands final : public Workload {
public:
    /// `commands`: at least one, each before or after mixes. `storage`: the workload is a storage test, which rests in a ramp-down.
    WithMixCommands(std::unique_ptr<Workload> workload, std::vector<MixCommand> commands, bool storage);
    ~WithMixCommands() override;

    [[nodiscard]] std::vector<PlannedPhase> phases() const override;
    [[nodiscard]] WorkloadSeries series() const override { return m_workload->series(); }
    [[nodiscard]] std::vector<counters::LoadThread> loadThreads() const override
    {
        return m_workload->loadThreads();
    }
    Result<void> start(MonoTime origin) override;
    void enter(const PlannedPhase& phase, MonoTime begin, MonoTime end) override;
    [[nodiscard]] bool phaseComplete() const override;
    [[nodiscard]] bool over() const override;
    void collect(WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) override;
    void stop() override;
    void conclude(history::RunEnd& end) override;

private:
    struct Stage {
        PlannedPhase phase;
        bool rests = false; ///< it is one of ours
        CommandMoment moment = CommandMoment::beforeMix;
    };
    [[nodiscard]] std::vector<Stage> stages() const;
    [[nodiscard]] Nanoseconds lengthOf(CommandMoment moment) const;
    void work(const std::stop_token& stop, const Stage& stage);
    void event(Severity severity, std::string text);

    std::unique_ptr<Workload> m_workload;
    std::vector<MixCommand> m_commands;
    bool m_storage;
    std::vector<Stage> m_stages;
    std::size_t m_next = 0; // of the stages
    bool m_rests = false;
    MonoTime m_origin {};
    std::atomic<bool> m_done { false };
    mutable std::mutex m_mutex; // for the two below
    std::vector<RunEvent> m_events;
    std::string m_failure;
    std::jthread m_thread; // of the present commands
};

} // namespace loadstone::run
