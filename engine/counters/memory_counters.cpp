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
        const char* object = "Memory";
        return {
            describe(object, "", "Available MBytes", "MB",
                "Memory that programs can get without swapping (/proc/meminfo: MemAvailable)."),
            describe(object, "", "Cache MBytes", "MB",
                "Memory holding file content (/proc/meminfo: Cached and Buffers)."),
            describe(object, "", "Dirty MBytes", "MB",
                "File content in memory that still has to be written to disk (/proc/meminfo: Dirty)."),
            describe(object, "", "Pages/sec", "/s",
                "Pages swapped in and out (/proc/vmstat: pswpin, pswpout).",
                "pages moved to and from swap; reading files is not counted"),
            describe(object, "", "Page Reads/sec", "/s",
                "Page faults that had to wait for a disk (/proc/vmstat: pgmajfault)."),
            describe(object, "", "Page Faults/sec", "/s", "All page faults (/proc/vmstat: pgfault)."),
        };
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
