// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/control_group_usage.h"

#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace loadstone::counters {

namespace {

// In the order of sample()'s values.
constexpr std::array kUsageColumns { Quantity::groupProcessorTime, Quantity::groupMemory,
    Quantity::groupReadBytes, Quantity::groupWriteBytes };

/// Where a group's files are: with version 2 in one folder, with version 1 below one of each controller.
struct GroupFiles {
    explicit GroupFiles(std::string group)
    {
        while (group.starts_with('/'))
            group.erase(0, 1);
        while (group.ends_with('/'))
            group.pop_back();
        const std::string below = group.empty() ? "/" : "/" + group + "/", root = "/sys/fs/cgroup";
        processor2 = root + below + "cpu.stat";
        memory2 = root + below + "memory.current";
        transfers2 = root + below + "io.stat";
        processor1 = root + "/cpuacct" + below + "cpuacct.usage";
        memory1 = root + "/memory" + below + "memory.usage_in_bytes";
        transfers1 = root + "/blkio" + below + "blkio.throttle.io_service_bytes_recursive";
    }
    std::string processor2, memory2, transfers2, processor1, memory1, transfers1;
};

std::string_view takeWord(std::string_view& text, char end)
{
    const std::string_view word = text.substr(0, text.find(end));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return word;
}

double numberOf(std::string_view word)
{
    std::uint64_t value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    return read.ec == std::errc() && read.ptr == word.data() + word.size() ? static_cast<double>(value)
                                                                           : kMissing;
}

/// "8:0" of the devices that only pass on to others what they are asked for: what goes over both would count twice.
std::set<std::string, std::less<>> stackedDevices(std::string_view diskStats)
{
    std::set<std::string, std::less<>> found;
    while (!diskStats.empty()) {
        std::string_view line = takeWord(diskStats, '\n');
        const auto next = [&line] {
            line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
            return std::string(takeWord(line, ' '));
        };
        const std::string major = next(), minor = next(), name = next();
        if (name.starts_with("dm-") || name.starts_with("md") || name.starts_with("loop"))
            found.insert(major + ":" + minor);
    }
    return found;
}

struct Bytes {
    double read = 0, written = 0;
};

/// "8:0 rbytes=4096 wbytes=0 rios=1 …" of version 2, "8:0 Read 4096" of version 1. A group that has moved nothing yet has no lines.
Bytes bytesOf(std::string_view text, const std::set<std::string, std::less<>>& stacked)
{
    Bytes all;
    while (!text.empty()) {
        std::string_view line = takeWord(text, '\n');
        const std::string_view device = takeWord(line, ' ');
        if (stacked.contains(device))
            continue;
        while (!line.empty()) {
            const std::string_view word = takeWord(line, ' ');
            if (word == "Read")
                all.read += numberOf(takeWord(line, ' '));
            else if (word == "Write")
                all.written += numberOf(takeWord(line, ' '));
            else if (word.starts_with("rbytes="))
                all.read += numberOf(word.substr(7));
            else if (word.starts_with("wbytes="))
                all.written += numberOf(word.substr(7));
        }
    }
    return all;
}

class ControlGroupUsage final : public HostPart {
public:
    explicit ControlGroupUsage(const std::vector<std::string>& groups)
    {
        for (const std::string& group : groups)
            m_groups.push_back({ group, GroupFiles(group), {}, {}, {} });
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Group& group : m_groups)
            for (const Quantity quantity : kUsageColumns)
                all.push_back(counterOf({ quantity, Subject::ofProcess(group.name) }));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        const auto stacked = stackedDevices(kernel.text("/proc/diskstats"));
        m_missing.clear();
        for (Group& group : m_groups) {
            const GroupFiles& files = group.files;
            const auto microseconds = valueOf(kernel.text(files.processor2), "usage_usec");
            const double used = std::isnan(microseconds) ? firstNumber(kernel.text(files.processor1)) / 1e9
                                                         : microseconds / 1e6;
            const double current = firstNumber(kernel.text(files.memory2));
            // A text that is there and empty: nothing was moved.
            const auto transfers =
                kernel.files.contains(files.transfers2) ? files.transfers2 : files.transfers1;
            const Bytes bytes = kernel.files.contains(transfers) ? bytesOf(kernel.text(transfers), stacked)
                                                                 : Bytes { kMissing, kMissing };
            values[0] = 100 * group.used(used) / passed;
            values[1] = std::isnan(current) ? firstNumber(kernel.text(files.memory1)) : current;
            values[2] = group.read(bytes.read) / passed;
            values[3] = group.written(bytes.written) / passed;
            report(group.name, !std::isnan(used), !std::isnan(values[1]), !std::isnan(bytes.read));
            values = values.subspan(kUsageColumns.size());
        }
    }

    [[nodiscard]] Missing missing() const override { return m_missing; }

private:
    struct Group {
        std::string name;
        GroupFiles files;
        Growth used, read, written;
    };

    void report(const std::string& name, bool processor, bool memory, bool transfers)
    {
        const std::string what = "control group \"" + name + "\"";
        if (!processor && !memory && !transfers) {
            m_missing.emplace_back(what, "there is none below /sys/fs/cgroup, or it may not be read");
            return;
        }
        const auto add = [&](bool there, const char* part, const char* controller) {
            if (!there)
                m_missing.emplace_back(what + ", " + part,
                    std::string("the controller ") + controller + " does not count for it");
        };
        add(processor, "processor time", "cpu");
        add(memory, "memory", "memory");
        add(transfers, "bytes read and written", "io");
    }

    Stopwatch m_watch;
    std::vector<Group> m_groups;
    Missing m_missing;
};

} // namespace

KernelRequest controlGroupFiles(const std::vector<std::string>& groups)
{
    KernelRequest request;
    for (const std::string& group : groups) {
        const GroupFiles files(group);
        for (const std::string& file : { files.processor2, files.memory2, files.transfers2, files.processor1,
                 files.memory1, files.transfers1 })
            request.files.push_back(file);
    }
    return request;
}

std::unique_ptr<HostPart> makeControlGroupUsage(const std::vector<std::string>& groups)
{
    return std::make_unique<ControlGroupUsage>(groups);
}

} // namespace loadstone::counters
