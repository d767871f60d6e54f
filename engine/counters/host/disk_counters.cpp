// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_part.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::counters {

namespace {

constexpr std::size_t kMaxDisks = 32;
constexpr double kSector = 512; // /proc/diskstats counts these, whatever the device has

// In the order of Volume::sample()'s values.
constexpr std::array kColumns { Quantity::diskReads, Quantity::diskWrites, Quantity::diskTransfers,
    Quantity::diskReadBytes, Quantity::diskWriteBytes, Quantity::diskSecondsPerRead,
    Quantity::diskSecondsPerWrite, Quantity::diskQueue, Quantity::meanDiskQueue, Quantity::diskTime,
    Quantity::diskBytes, Quantity::diskBytesPerRead, Quantity::diskBytesPerWrite };

bool isDisk(const KernelSnapshot& kernel, std::string name)
{
    for (const char* prefix : { "loop", "ram", "zram", "sr", "fd" })
        if (name.starts_with(prefix))
            return false;
    std::ranges::replace(name, '/', '!'); // as sysfs writes the name of a device
    const auto* disks = kernel.namesIn("/sys/block");
    return disks != nullptr && std::ranges::find(*disks, name) != disks->end();
}

/// A disk, or several that somebody calls by one name.
class Volume {
public:
    Volume(std::string name, const std::vector<std::string>& disks)
        : m_name(std::move(name))
    {
        for (const std::string& disk : disks)
            m_disks.emplace_back(disk);
    }
    [[nodiscard]] const std::string& name() const { return m_name; }

    /// Sums over its disks; durations, sizes and shares are means, of transfers or of disks. One that is missing makes all missing.
    void sample(std::string_view text, double passed, std::span<double> values)
    {
        Grown all;
        for (Disk& disk : m_disks)
            disk.addTo(all, parseDiskStats(text, disk.name), passed);
        values[0] = all.reads / passed;
        values[1] = all.writes / passed;
        values[2] = (all.reads + all.writes) / passed;
        values[3] = all.bytesRead / passed;
        values[4] = all.bytesWritten / passed;
        values[5] = all.reads > 0 ? all.readSeconds / all.reads : kMissing;
        values[6] = all.writes > 0 ? all.writeSeconds / all.writes : kMissing;
        values[7] = all.inFlight;
        values[8] = all.weightedSeconds / passed;
        values[9] = all.busyShares / static_cast<double>(m_disks.size());
        values[10] = (all.bytesRead + all.bytesWritten) / passed;
        values[11] = all.reads > 0 ? all.bytesRead / all.reads : kMissing;
        values[12] = all.writes > 0 ? all.bytesWritten / all.writes : kMissing;
    }

    /// Of its disks those that the kernel does not know.
    [[nodiscard]] std::vector<std::string> unknown(const std::vector<std::string>& known) const
    {
        std::vector<std::string> names;
        for (const Disk& disk : m_disks)
            if (std::ranges::find(known, disk.name) == known.end())
                names.push_back(disk.name);
        return names;
    }

private:
    struct Grown {
        double reads = 0, writes = 0, bytesRead = 0, bytesWritten = 0, readSeconds = 0, writeSeconds = 0,
               inFlight = 0, weightedSeconds = 0, busyShares = 0;
    };
    struct Disk {
        explicit Disk(std::string device)
            : name(std::move(device))
        {
        }
        void addTo(Grown& all, const DiskStats& now, double passed)
        {
            all.reads += reads(now.reads);
            all.writes += writes(now.writes);
            all.bytesRead += sectorsRead(now.sectorsRead) * kSector;
            all.bytesWritten += sectorsWritten(now.sectorsWritten) * kSector;
            all.readSeconds += readMs(now.readMs) / 1e3;
            all.writeSeconds += writeMs(now.writeMs) / 1e3;
            all.inFlight += now.inFlight;
            all.weightedSeconds += weightedMs(now.weightedMs) / 1e3;
            const double busy = busyMs(now.busyMs) / 10 / passed;
            all.busyShares += busy > 100 ? 100 : busy; // the kernel's clock and ours differ by a little
        }
        std::string name;
        Growth reads, writes, sectorsRead, sectorsWritten, readMs, writeMs, busyMs, weightedMs;
    };
    std::string m_name;
    std::vector<Disk> m_disks;
};

class DiskCounters final : public HostPart {
public:
    DiskCounters(const KernelSnapshot& first, const HostChoice& choice)
        : m_roles(choice.volumes.size())
    {
        for (const auto& [role, disks] : choice.volumes)
            m_volumes.emplace_back(role, disks);
        m_known = diskNames(first.text("/proc/diskstats"));
        const auto isRole = [&](const std::string& name) {
            return std::ranges::any_of(choice.volumes, [&](const auto& role) { return role.first == name; });
        };
        for (const std::string& name : m_known)
            if (m_volumes.size() < m_roles + kMaxDisks && isDisk(first, name) && !isRole(name))
                m_volumes.emplace_back(name, std::vector { name });
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Volume& volume : m_volumes)
            for (const Quantity quantity : kColumns)
                all.push_back(counterOf({ quantity, Subject::ofDevice(volume.name()) }));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        const std::string_view text = kernel.text("/proc/diskstats");
        if (m_roles > 0)
            m_known = diskNames(text);
        for (Volume& volume : m_volumes) {
            volume.sample(text, passed, values.first(kColumns.size()));
            values = values.subspan(kColumns.size());
        }
    }

    [[nodiscard]] Missing missing() const override
    {
        Missing all;
        for (std::size_t i = 0; i < m_roles; ++i)
            for (const std::string& disk : m_volumes[i].unknown(m_known))
                all.emplace_back(
                    "volume \"" + m_volumes[i].name() + "\"", "/proc/diskstats has no disk \"" + disk + "\"");
        return all;
    }

private:
    Stopwatch m_watch;
    std::size_t m_roles; // the first so many of m_volumes
    std::vector<Volume> m_volumes;
    std::vector<std::string> m_known;
};

} // namespace

std::unique_ptr<HostPart> makeDiskCounters(const KernelSnapshot& first, const HostChoice& choice)
{
    return std::make_unique<DiskCounters>(first, choice);
}

} // namespace loadstone::counters
