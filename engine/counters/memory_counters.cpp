// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host_groups.h"
#include "counters/proc_file.h"
#include "counters/proc_text.h"

namespace loadstone::counters {

namespace {

class MemoryCounters final : public CounterSource {
public:
    explicit MemoryCounters(const KernelFolders& folders)
        : m_memInfo(folders.proc / "meminfo")
        , m_vmStat(folders.proc / "vmstat")
    {
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        using enum Quantity;
        std::vector<CounterInfo> all;
        for (const Quantity quantity :
            { availableMemory, cacheMemory, dirtyMemory, pagesSwapped, pageReads, pageFaults })
            all.push_back(counterOf(quantity));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        constexpr double kKbPerMb = 1024;
        const double passed = m_watch(now);
        const std::string_view info = m_memInfo.read();
        const std::string_view vm = m_vmStat.read();
        values[0] = valueOf(info, "MemAvailable") / kKbPerMb;
        values[1] = (valueOf(info, "Cached") + valueOf(info, "Buffers")) / kKbPerMb;
        values[2] = valueOf(info, "Dirty") / kKbPerMb;
        values[3] = (m_in(valueOf(vm, "pswpin")) + m_out(valueOf(vm, "pswpout"))) / passed;
        values[4] = m_major(valueOf(vm, "pgmajfault")) / passed;
        values[5] = m_faults(valueOf(vm, "pgfault")) / passed;
    }

private:
    ProcFile m_memInfo, m_vmStat;
    Stopwatch m_watch;
    Growth m_in, m_out, m_major, m_faults;
};

} // namespace

std::unique_ptr<CounterSource> makeMemoryCounters(const KernelFolders& folders)
{
    return std::make_unique<MemoryCounters>(folders);
}

} // namespace loadstone::counters
