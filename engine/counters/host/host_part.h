// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/kernel_snapshot.h"

#include <loadstone/series.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::counters {

/// Things that were wanted and are not given, with the reason: {"process master", "no process has this name"}.
using Missing = std::vector<std::pair<std::string, std::string>>;

/// A part of the counters of a machine, made from what its kernel says. It does not know which machine that is. Which counters
/// there are is settled at construction, from a first snapshot. One thread at a time.
class HostPart {
public:
    virtual ~HostPart() = default;
    HostPart(const HostPart&) = delete;
    HostPart& operator=(const HostPart&) = delete;

    /// Always the same list, in the order of sample()'s values. Subjects have no host, ids are 0.
    [[nodiscard]] virtual std::vector<CounterInfo> counters() const = 0;
    /// Fills one value per counter from what was read at `now`. NaN: it is not there, or the first of something that needs two.
    virtual void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) = 0;
    /// Of what somebody named in a plan, what the last sample did not give.
    [[nodiscard]] virtual Missing missing() const { return {}; }

protected:
    HostPart() = default;
};

/// What somebody chose of a machine; by default all of it.
struct HostChoice {
    std::vector<std::uint32_t> processors; ///< processor time is that of these alone; empty: of all
    /// Names, and the disks that each of them stands for.
    std::vector<std::pair<std::string, std::vector<std::string>>> volumes;
};

/// The files that the parts below are made from.
KernelRequest hostFiles();
std::unique_ptr<HostPart> makeProcessorCounters(const KernelSnapshot& first, const HostChoice& choice);
std::unique_ptr<HostPart> makeMemoryCounters(const KernelSnapshot& first, const HostChoice& choice);
std::unique_ptr<HostPart> makeDiskCounters(const KernelSnapshot& first, const HostChoice& choice);
std::unique_ptr<HostPart> makeNetworkCounters(const KernelSnapshot& first, const HostChoice& choice);
std::unique_ptr<HostPart> makePressureCounters(const KernelSnapshot& first, const HostChoice& choice);
/// All of them: processors, memory, disks, network, TCP and stall times.
std::unique_ptr<HostPart> makeHostParts(const KernelSnapshot& first, const HostChoice& choice = {});

} // namespace loadstone::counters
