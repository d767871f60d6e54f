// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/process_groups.h"

#include "counters/host/proc_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace loadstone::counters {

namespace {

constexpr double kTicksPerSecond = 100; // USER_HZ; the same on all processors that Debian runs on

// In the order of sample()'s values.
constexpr std::array kGroupColumns { Quantity::processProcessorTime, Quantity::processWorkingSet,
    Quantity::processPrivateBytes, Quantity::processVirtualBytes, Quantity::processReadBytes,
    Quantity::processWriteBytes, Quantity::processThreads, Quantity::processFiles,
    Quantity::processInstances };

std::string pathOfProcess(std::uint32_t process, const char* file)
{
    return "/proc/" + std::to_string(process) + "/" + file;
}

double zeroIfMissing(double value)
{
    return std::isnan(value) ? 0 : value;
}

/// Seconds of "/proc/uptime": "1234.56 7890.12".
double uptimeOf(std::string_view text)
{
    double value = kMissing;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// What a total that only rises grew by. Of a process that has begun since the last sample all of it is new.
double grownSince(double& last, double now, bool begunSince)
{
    const double grown = std::isnan(last) && begunSince ? now : now - last;
    last = now;
    return grown >= 0 ? grown : kMissing;
}

/// Why the text of a process is not there, where it is not for the process having ended.
std::string refusal(const KernelSnapshot& details, const std::string& path)
{
    const std::string why = details.reason(path);
    if (why == "Permission denied" || why == "Operation not permitted")
        return "permission denied; ask as root, or as the user whose processes they are";
    return {};
}

} // namespace

ProcessGroups::ProcessGroups(std::vector<std::string> names)
    : m_names(std::move(names))
{
}

KernelRequest ProcessGroups::files()
{
    KernelRequest request;
    request.files = { "/proc/uptime" };
    request.everyProcess = true;
    return request;
}

std::vector<CounterInfo> ProcessGroups::counters() const
{
    std::vector<CounterInfo> all;
    for (const std::string& name : m_names)
        for (const Quantity quantity : kGroupColumns)
            all.push_back(counterOf({ quantity, Subject::ofProcess(name) }));
    return all;
}

Result<void> ProcessGroups::sample(const KernelSnapshot& kernel, MonoTime now, KernelReader& reader,
    const ReadingLimits& limits, std::span<double> values)
{
    const double passed = m_watch(now);
    m_missing.clear();
    follow(kernel);
    if (const auto told = identify(reader, limits); !told)
        return told.error();
    std::vector<std::vector<std::uint32_t>> groups(m_names.size());
    std::vector<std::uint32_t> members;
    for (const auto& [number, process] : m_processes) {
        const std::size_t before = members.size();
        for (std::size_t i = 0; i < m_names.size(); ++i)
            if (hasName(process.identity, m_names[i])) {
                groups[i].push_back(number);
                members.resize(before + 1, number); // once, also where it is in several groups
            }
    }
    const auto details = readDetails(members, reader, limits);
    if (!details)
        return details.error();
    m_countsTransfers = std::ranges::any_of(
        members, [&](std::uint32_t number) { return !details->text(pathOfProcess(number, "io")).empty(); });
    Usages usages;
    for (const std::uint32_t number : members)
        if (const auto usage = usageOf(number, *details))
            usages.emplace(number, *usage);

    for (std::size_t i = 0; i < m_names.size(); ++i, values = values.subspan(kGroupColumns.size()))
        sum(m_names[i], groups[i], usages, *details, passed, values.first(kGroupColumns.size()));
    m_uptime = uptimeOf(kernel.text("/proc/uptime"));
    return {};
}

void ProcessGroups::sum(const std::string& name, const std::vector<std::uint32_t>& group,
    const Usages& usages, const KernelSnapshot& details, double passed, std::span<double> values)
{
    std::ranges::fill(values, kMissing);
    Usage all;
    double count = 0;
    std::string whyNoTransfers = m_countsTransfers ? "" : "the kernel does not count them (/proc/PID/io)";
    std::string whyNoFiles;
    std::string whyUnknown;
    if (m_hidden) // a sum over those that are seen would pass for the whole group's
        whyUnknown = "the machine hides the processes of other users (hidepid); ask as root";
    for (const std::uint32_t number : group) {
        const auto one = usages.find(number);
        if (one == usages.end()) { // it has ended, or may not be looked at
            if (const std::string why = refusal(details, pathOfProcess(number, "status")); !why.empty())
                whyUnknown = why;
            continue;
        }
        ++count;
        all.add(one->second);
        if (const std::string why = refusal(details, pathOfProcess(number, "io")); !why.empty())
            whyNoTransfers = why;
        if (std::isnan(one->second.files))
            whyNoFiles = refusal(details, pathOfProcess(number, "fd"));
    }
    if (count == 0 || !whyUnknown.empty()) {
        report(name, "", whyUnknown.empty() ? "there is no such process" : whyUnknown);
        values[8] = whyUnknown.empty() ? 0 : kMissing;
        return;
    }
    values[0] = all.ticks / kTicksPerSecond / passed * 100;
    values[1] = all.workingSet;
    values[2] = all.privateBytes;
    values[3] = all.virtualBytes;
    values[4] = all.bytesRead / passed;
    values[5] = all.bytesWritten / passed;
    values[6] = all.threads;
    values[7] = all.files;
    values[8] = count;
    report(name, "bytes read and written", whyNoTransfers);
    report(name, "open files", whyNoFiles);
}

void ProcessGroups::Usage::add(const Usage& more)
{
    ticks += more.ticks;
    workingSet += more.workingSet;
    privateBytes += more.privateBytes;
    virtualBytes += more.virtualBytes;
    bytesRead += more.bytesRead;
    bytesWritten += more.bytesWritten;
    threads += more.threads;
    files += more.files;
}

void ProcessGroups::report(const std::string& name, const std::string& what, const std::string& why)
{
    if (!why.empty())
        m_missing.emplace_back("process \"" + name + "\"" + (what.empty() ? "" : ", " + what), why);
}

/// Finds out which processes there are, which are new, and what each has used.
void ProcessGroups::follow(const KernelSnapshot& kernel)
{
    ++m_turn;
    m_hidden = !kernel.processes.empty() && !kernel.processes.contains(1);
    for (const auto& [number, text] : kernel.processes) {
        ProcessStat stat = parseProcessStat(text);
        if (std::isnan(stat.startTicks))
            continue;
        Process& process = m_processes[number];
        if (process.startTicks != stat.startTicks) { // a new one, or another one with its number
            constexpr double kSlack = 1; // seconds: both clocks are rounded
            process = {};
            process.startTicks = stat.startTicks;
            process.begunSince = stat.startTicks / kTicksPerSecond >= m_uptime - kSlack;
        } else
            process.begunSince = false;
        if (process.identity.command != stat.command) { // new, or it runs another program now
            process.identity = { std::move(stat.command), {}, {}, {} };
            process.identified = false;
        }
        process.ticksUsed = grownSince(process.ticks, stat.userTicks + stat.systemTicks, process.begunSince);
        process.threads = stat.threads;
        process.virtualBytes = stat.virtualBytes;
        process.turn = m_turn;
    }
    std::erase_if(m_processes, [this](const auto& one) { return one.second.turn != m_turn; });
}

/// Asks what new processes are.
Result<void> ProcessGroups::identify(KernelReader& reader, const ReadingLimits& limits)
{
    const bool wantsUnits = std::ranges::any_of(m_names, isServiceName);
    const bool wantsPrograms = !std::ranges::all_of(m_names, isServiceName);
    KernelRequest request;
    std::vector<std::uint32_t> asked;
    for (const auto& [number, process] : m_processes) {
        if (process.identified)
            continue;
        asked.push_back(number);
        if (wantsPrograms)
            request.entries.push_back(pathOfProcess(number, "exe"));
        if (wantsUnits)
            request.files.push_back(pathOfProcess(number, "cgroup"));
    }
    if (asked.empty())
        return {};
    KernelSnapshot told;
    if (const auto read = reader.read(request, limits, told); !read)
        return read.error();
    KernelRequest names;
    for (const std::uint32_t number : asked) {
        Process& process = m_processes[number];
        process.identified = true;
        if (const auto entry = told.entries.find(pathOfProcess(number, "exe")); entry != told.entries.end())
            process.identity.program = entry->second.target;
        constexpr std::string_view kReplaced = " (deleted)";
        if (process.identity.program.ends_with(kReplaced))
            process.identity.program.resize(process.identity.program.size() - kReplaced.size());
        process.identity.unitPath = unitPathOf(told.text(pathOfProcess(number, "cgroup")));
        if (std::ranges::any_of(
                m_names, [&](const auto& name) { return needsFirstArgument(process.identity, name); }))
            names.firstArguments.push_back(number);
    }
    if (names.firstArguments.empty())
        return {};
    if (const auto read = reader.read(names, limits, told); !read)
        return read.error();
    for (const std::uint32_t number : names.firstArguments)
        m_processes[number].identity.calledAs = told.firstArguments[number];
    return {};
}

Result<KernelSnapshot> ProcessGroups::readDetails(
    const std::vector<std::uint32_t>& members, KernelReader& reader, const ReadingLimits& limits)
{
    KernelSnapshot details;
    if (members.empty())
        return details;
    KernelRequest request;
    for (const std::uint32_t number : members) {
        request.files.push_back(pathOfProcess(number, "status"));
        request.files.push_back(pathOfProcess(number, "io"));
        (m_listsFiles ? request.folders : request.entries).push_back(pathOfProcess(number, "fd"));
    }
    if (const auto read = reader.read(request, limits, details); !read)
        return read.error();
    // From 6.2 on the kernel says how many files there are as the folder's size; before that it is always 0.
    const bool sizes =
        std::ranges::any_of(details.entries, [](const auto& entry) { return entry.second.size > 0; });
    if (m_listsFiles || sizes || details.entries.empty())
        return details;
    m_listsFiles = true;
    KernelRequest lists;
    lists.folders = std::move(request.entries);
    if (const auto read = reader.read(lists, limits, details); !read)
        return read.error();
    return details;
}

std::optional<ProcessGroups::Usage> ProcessGroups::usageOf(
    std::uint32_t number, const KernelSnapshot& details)
{
    Process& process = m_processes[number];
    const std::string_view status = details.text(pathOfProcess(number, "status"));
    if (status.empty())
        return std::nullopt;
    constexpr double kKb = 1024;
    const auto memory = [&](const char* key) { return zeroIfMissing(valueOf(status, key)) * kKb; };
    Usage usage;
    usage.ticks = process.ticksUsed;
    // One that only waits to be reaped, or is a part of the kernel, has no memory and no such lines.
    usage.workingSet = memory("VmRSS");
    usage.privateBytes = memory("RssAnon") + memory("VmSwap");
    usage.virtualBytes = process.virtualBytes;
    usage.threads = process.threads;
    usage.files = openFiles(number, details);
    const std::string io = pathOfProcess(number, "io");
    const std::string_view transferred = details.text(io);
    if (transferred.empty() && m_countsTransfers && refusal(details, io).empty())
        return usage; // it has just ended
    usage.bytesRead = grownSince(process.bytesRead, valueOf(transferred, "read_bytes"), process.begunSince);
    usage.bytesWritten =
        grownSince(process.bytesWritten, valueOf(transferred, "write_bytes"), process.begunSince);
    return usage;
}

double ProcessGroups::openFiles(std::uint32_t number, const KernelSnapshot& details) const
{
    const std::string folder = pathOfProcess(number, "fd");
    if (const auto* names = details.namesIn(folder); m_listsFiles && names != nullptr)
        return static_cast<double>(names->size());
    const auto entry = details.entries.find(folder);
    if (!m_listsFiles && entry != details.entries.end())
        return entry->second.size;
    return refusal(details, folder).empty() ? 0 : kMissing; // it has just ended, or may not be looked at
}

} // namespace loadstone::counters
