// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host_groups.h"
#include "counters/proc_file.h"
#include "counters/proc_text.h"

#include <array>

namespace loadstone::counters {

namespace {

constexpr std::size_t kMaxDisks = 32;
constexpr double kSector = 512; // /proc/diskstats counts these, whatever the device has

// In the order of Disk::sample()'s values.
constexpr std::array kColumns { Quantity::diskReads, Quantity::diskWrites, Quantity::diskTransfers,
    Quantity::diskReadBytes, Quantity::diskWriteBytes, Quantity::diskSecondsPerRead, Quantity::diskSecondsPerWrite,
    Quantity::diskQueue, Quantity::meanDiskQueue, Quantity::diskTime };

bool isDisk(const KernelFolders& folders, const std::string& name)
{
    for (const char* prefix : { "loop", "ram", "zram", "sr", "fd" })
        if (name.starts_with(prefix))
            return false;
    std::string folder = name; // sysfs writes a slash in a device's name as '!'
    for (char& c : folder)
        c = c == '/' ? '!' : c;
    std::error_code ignored;
    return std::filesystem::is_directory(folders.sys / "block" / folder, ignored);
}

class Disk {
public:
    explicit Disk(std::string name)
        : m_name(std::move(name))
    {
    }
    [[nodiscard]] const std::string& name() const { return m_name; }

    void sample(std::string_view text, double passed, std::span<double> values)
    {
        const DiskStats now = parseDiskStats(text, m_name);
        const double reads = m_reads(now.reads), writes = m_writes(now.writes);
        const double readMs = m_readMs(now.readMs), writeMs = m_writeMs(now.writeMs);
        values[0] = reads / passed;
        values[1] = writes / passed;
        values[2] = (reads + writes) / passed;
        values[3] = m_sectorsRead(now.sectorsRead) * kSector / passed;
        values[4] = m_sectorsWritten(now.sectorsWritten) * kSector / passed;
        values[5] = reads > 0 ? readMs / 1e3 / reads : kMissing;
        values[6] = writes > 0 ? writeMs / 1e3 / writes : kMissing;
        values[7] = now.inFlight;
        values[8] = m_weightedMs(now.weightedMs) / 1e3 / passed;
        const double busy = m_busyMs(now.busyMs) / 10 / passed;
        values[9] = busy > 100 ? 100 : busy; // the kernel's clock and ours differ by a little
    }

private:
    std::string m_name;
    Growth m_reads, m_writes, m_sectorsRead, m_sectorsWritten, m_readMs, m_writeMs, m_busyMs, m_weightedMs;
};

class DiskCounters final : public CounterSource {
public:
    explicit DiskCounters(const KernelFolders& folders)
        : m_file(folders.proc / "diskstats")
    {
        for (std::string& name : diskNames(m_file.read()))
            if (m_disks.size() < kMaxDisks && isDisk(folders, name))
                m_disks.emplace_back(std::move(name));
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Disk& disk : m_disks)
            for (const Quantity quantity : kColumns)
                all.push_back(counterOf({ quantity, Subject::ofDevice(disk.name()) }));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        const std::string_view text = m_file.read();
        for (Disk& disk : m_disks) {
            disk.sample(text, passed, values.first(kColumns.size()));
            values = values.subspan(kColumns.size());
        }
    }

private:
    ProcFile m_file;
    Stopwatch m_watch;
    std::vector<Disk> m_disks;
};

} // namespace

std::unique_ptr<CounterSource> makeDiskCounters(const KernelFolders& folders)
{
    return std::make_unique<DiskCounters>(folders);
}

} // namespace loadstone::counters
