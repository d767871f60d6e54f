// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/secret_mask.h"
#include "counters/live/live_source.h"
#include "plan/model/counter_source.h"

#include <loadstone/run_log.h>
#include <loadstone/series.h>
#include <loadstone/time.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::run {

/// One `[[counters]]` of the plan, ready to be asked.
struct NamedSource {
    plan::CounterSourceSpec spec;
    std::unique_ptr<counters::LiveSource> source;
};

/// What a source is, for people: "ssh bench@ex1", "command mailq | wc -l".
std::string originOf(const plan::CounterSourceSpec& spec);

/// The counter of a source with "***" for secrets in its names and texts, which come from outside: an exporter may repeat what it was
/// asked with.
CounterInfo maskedCounter(const CounterInfo& info, const SecretMask& secrets);

/// Asks the plan's sources of counters while a run lasts, each on a thread of its own, at its own interval counted from the run's
/// start, and appends what they say to the growing recording, as sources on the run's time axis. Nothing waits for them: one that is
/// late leaves the readings out that it missed. One that does not answer is told in the run's log, when that begins and when it ends.
class LiveSources {
public:
    /// From the threads of the sources; the text says which one it is about.
    using Tell = std::function<void(RunEvent)>;

    /// Makes their places in a recording that is there, in the order of the plan. An Error names the recording. `secrets`: what it must
    /// not have in it.
    static Result<std::unique_ptr<LiveSources>> create(std::vector<NamedSource> sources,
        const std::filesystem::path& recording, const SecretMask& secrets, Tell tell);
    ~LiveSources(); ///< stops them

    /// `origin`: the run's start. Once.
    void start(MonoTime origin);
    /// Asks no more, and completes what was kept; returns soon, whatever a source is waiting for.
    void stop();

private:
    class Thread;
    LiveSources() = default;
    std::vector<std::unique_ptr<Thread>> m_threads;
};

} // namespace loadstone::run
