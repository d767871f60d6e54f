// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_part.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <cmath>

namespace loadstone::counters {

namespace {

constexpr const char* kSharing = "/sys/kernel/mm/ksm/pages_sharing";

double orNothing(double value)
{
    return std::isnan(value) ? 0 : value;
}

/// Pages that were taken back. Which tasks of the kernel do so depends on its version; the first two do in all.
double pagesTaken(std::string_view vmStat)
{
    return valueOf(vmStat, "pgsteal_kswapd") + valueOf(vmStat, "pgsteal_direct")
        + orNothing(valueOf(vmStat, "pgsteal_khugepaged")) + orNothing(valueOf(vmStat, "pgsteal_proactive"));
}

class MemoryCounters final : public HostPart {
public:
    explicit MemoryCounters(const KernelSnapshot& first)
        : m_merges(!std::isnan(firstNumber(first.text(kSharing))))
    {
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        using enum Quantity;
        std::vector<CounterInfo> all;
        for (const Quantity quantity : { availableMemory, cacheMemory, dirtyMemory, pagesSwapped, pageReads,
                 pageFaults, freeMemory, poolNonpagedBytes, poolPagedBytes, swapUsed, pagesRepurposed })
            all.push_back(counterOf(quantity));
        if (m_merges)
            all.push_back(counterOf(sharedPages));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        constexpr double kKb = 1024, kKbPerMb = 1024;
        const double passed = m_watch(now);
        const std::string_view info = kernel.text("/proc/meminfo");
        const std::string_view vm = kernel.text("/proc/vmstat");
        values[0] = valueOf(info, "MemAvailable") / kKbPerMb;
        values[1] = (valueOf(info, "Cached") + valueOf(info, "Buffers")) / kKbPerMb;
        values[2] = valueOf(info, "Dirty") / kKbPerMb;
        values[3] = (m_in(valueOf(vm, "pswpin")) + m_out(valueOf(vm, "pswpout"))) / passed;
        values[4] = m_major(valueOf(vm, "pgmajfault")) / passed;
        values[5] = m_faults(valueOf(vm, "pgfault")) / passed;
        values[6] = valueOf(info, "MemFree") / kKbPerMb;
        values[7] = valueOf(info, "SUnreclaim") * kKb;
        values[8] = valueOf(info, "SReclaimable") * kKb;
        const double swapped = valueOf(info, "SwapTotal") - valueOf(info, "SwapFree");
        values[9] = swapped >= 0 ? swapped / kKbPerMb : kMissing;
        values[10] = m_taken(pagesTaken(vm)) / passed;
        if (m_merges)
            values[11] = firstNumber(kernel.text(kSharing));
    }

private:
    bool m_merges;
    Stopwatch m_watch;
    Growth m_in, m_out, m_major, m_faults, m_taken;
};

} // namespace

std::unique_ptr<HostPart> makeMemoryCounters(const KernelSnapshot& first, const HostChoice& /*choice*/)
{
    return std::make_unique<MemoryCounters>(first);
}

} // namespace loadstone::counters
