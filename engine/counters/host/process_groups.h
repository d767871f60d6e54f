// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/host_part.h"
#include "counters/host/process_name.h"
#include "counters/host/rate.h"

#include <optional>
#include <unordered_map>

namespace loadstone::counters {

/// \Process(name)\… of all processes that have a name together (see hasName()), however many there are and however often they
/// begin and end. What a process used between the last sample and its end is not counted; a control group's counters have it. One
/// thread at a time.
class ProcessGroups {
public:
    explicit ProcessGroups(std::vector<std::string> names);

    /// What sample() wants to have been read.
    static KernelRequest files();
    /// As those of HostPart.
    [[nodiscard]] std::vector<CounterInfo> counters() const;
    /// `kernel`: files(), read at `now`. Reads more of the processes in question. An Error: no answer.
    Result<void> sample(const KernelSnapshot& kernel, MonoTime now, KernelReader& reader,
        const ReadingLimits& limits, std::span<double> values);
    /// As that of HostPart.
    [[nodiscard]] const Missing& missing() const { return m_missing; }

private:
    /// A process of the machine, wanted or not: it may get another name later.
    struct Process {
        ProcessIdentity identity;
        bool identified = false;
        double startTicks = kMissing;
        bool begunSince = false; ///< after the last sample, so that all it has used is of this one
        double ticks = kMissing, bytesRead = kMissing, bytesWritten = kMissing; ///< since it began
        double threads = kMissing, virtualBytes = kMissing;
        unsigned turn = 0; ///< in which it was seen last
        double ticksUsed = kMissing; ///< since the last sample
    };
    /// What a process of a group has and has done since the last sample.
    struct Usage {
        double ticks = 0, workingSet = 0, privateBytes = 0, virtualBytes = 0, bytesRead = 0, bytesWritten = 0,
               threads = 0, files = 0;
        void add(const Usage& more);
    };
    using Usages = std::unordered_map<std::uint32_t, Usage>; ///< by process
    void follow(const KernelSnapshot& kernel);
    Result<void> identify(KernelReader& reader, const ReadingLimits& limits);
    Result<KernelSnapshot> readDetails(
        const std::vector<std::uint32_t>& members, KernelReader& reader, const ReadingLimits& limits);
    /// Nothing: it has ended since it was listed.
    std::optional<Usage> usageOf(std::uint32_t number, const KernelSnapshot& details);
    [[nodiscard]] double openFiles(std::uint32_t number, const KernelSnapshot& details) const;
    /// The values of a name.
    void sum(const std::string& name, const std::vector<std::uint32_t>& group, const Usages& usages,
        const KernelSnapshot& details, double passed, std::span<double> values);
    void report(const std::string& name, const std::string& what, const std::string& why);

    std::vector<std::string> m_names;
    std::unordered_map<std::uint32_t, Process> m_processes;
    Stopwatch m_watch;
    double m_uptime = kMissing; ///< of the machine at the last sample, in seconds
    bool m_hidden = false; ///< processes of other users are not shown
    bool m_listsFiles = false; ///< the kernel does not say how many files a process has open
    bool m_countsTransfers = false; ///< some process' /proc/PID/io could be read
    unsigned m_turn = 0;
    Missing m_missing;
};

} // namespace loadstone::counters
