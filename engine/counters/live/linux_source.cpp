// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/control_group_usage.h"
#include "counters/host/local_kernel.h"
#include "counters/host/mail_queues.h"
#include "counters/host/process_groups.h"
#include "counters/live/make_source.h"
#include "counters/live/ssh_kernel.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace loadstone::counters {

namespace {

constexpr std::size_t kMostLinuxCounters = 10'000;
constexpr const char* kUptime = "/proc/uptime"; // also among ProcessGroups::files()

/// What "1234.56 7890.12" begins with, seconds in steps of 10 ms; none: there is no such text.
std::optional<Nanoseconds> uptimeIn(std::string_view text)
{
    constexpr double kLongestUptime = 1e9; // thirty years
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || !(value > 0 && value < kLongestUptime))
        return std::nullopt;
    return Nanoseconds(static_cast<std::int64_t>(value * 1e9));
}

/// The counters of one Linux machine under its name in the plan.
class LinuxSource final : public LiveSource {
public:
    LinuxSource(const plan::CounterSourceSpec& spec, const plan::HostCounters& wanted,
        std::unique_ptr<KernelReader> kernel)
        : m_name(spec.name)
        , m_timeLimit(spec.timeLimit)
        , m_wanted(wanted)
        , m_kernel(std::move(kernel))
        , m_files(hostFiles())
        , m_isOther(std::holds_alternative<plan::SshSource>(spec.from))
    {
        if (!wanted.processes.empty())
            m_files.add(ProcessGroups::files());
        if (m_isOther && wanted.processes.empty())
            m_files.files.emplace_back(kUptime);
        m_files.add(controlGroupFiles(wanted.controlGroups));
    }

    [[nodiscard]] const std::vector<CounterInfo>& counters() const override { return m_counters; }

    Result<LiveReading> read(std::stop_token stop) override
    {
        auto reading = ask({ monoNow() + m_timeLimit, std::move(stop) });
        if (!reading) {
            // What comes next is too long after what was read last to be a rate of it, or of the same machine even.
            m_parts.clear();
            m_processes.reset();
            m_last.reset();
            m_uptime.reset();
        }
        return reading;
    }

private:
    struct Part {
        std::unique_ptr<HostPart> source;
        std::vector<std::size_t> places; ///< of its values among ours
        std::vector<double> values;
    };

    Result<LiveReading> ask(const ReadingLimits& limits)
    {
        KernelSnapshot kernel;
        if (const auto answer = m_kernel->read(m_files, limits, kernel); !answer)
            return answer.error();
        const MonoTime now = monoNow();
        if (kernel.text("/proc/stat").empty())
            return fail("there is no /proc/stat, or it may not be read: only Linux has these counters");
        if (m_parts.empty())
            begin(kernel);

        const MonoTime taken = timeOf(kernel, now);
        LiveReading reading;
        reading.begin = m_last.value_or(now);
        reading.end = now;
        reading.values.assign(m_counters.size(), kMissing);
        std::map<std::string, std::string> missing;
        if (m_processes) {
            std::vector<double> values(m_processPlaces.size(), kMissing);
            if (const auto done = m_processes->sample(kernel, taken, *m_kernel, limits, values); !done)
                return done.error();
            put(values, m_processPlaces, reading.values);
            missing.insert(m_processes->missing().begin(), m_processes->missing().end());
        }
        if (!m_wanted.postfixQueue.empty())
            countQueues(limits, kernel);
        for (Part& part : m_parts) {
            part.source->sample(kernel, taken, part.values);
            put(part.values, part.places, reading.values);
            for (auto& one : part.source->missing())
                missing.insert(std::move(one));
        }
        m_last = now;
        reading.notes = changes(std::move(missing));
        return reading;
    }

    /// When the files were read, for rates. Another machine's clock says how long after its reading before that was: an answer may come
    /// late by seconds. Without it, or where it does not go on, our time of the arrival counts.
    MonoTime timeOf(const KernelSnapshot& kernel, MonoTime now)
    {
        const auto uptime = m_isOther ? uptimeIn(kernel.text(kUptime)) : std::nullopt;
        if (uptime && m_uptime && *uptime > *m_uptime)
            m_read += *uptime - *m_uptime;
        else
            m_read = m_last ? m_read + (now - *m_last) : now;
        m_uptime = uptime;
        return m_read;
    }

    /// Makes the parts from a first answer; counters that were there before a break keep their places.
    void begin(const KernelSnapshot& first)
    {
        const HostChoice choice { m_wanted.processors, m_wanted.volumes };
        add(makeHostParts(first, choice));
        if (!m_wanted.controlGroups.empty())
            add(makeControlGroupUsage(m_wanted.controlGroups));
        if (!m_wanted.postfixQueue.empty())
            add(makeMailQueues(m_wanted.postfixQueue));
        if (!m_wanted.processes.empty()) {
            m_processes.emplace(m_wanted.processes);
            m_processPlaces = placesOf(m_processes->counters());
        }
    }

    void add(std::unique_ptr<HostPart> source)
    {
        Part part;
        part.places = placesOf(source->counters());
        part.values.assign(part.places.size(), kMissing);
        part.source = std::move(source);
        m_parts.push_back(std::move(part));
    }

    std::vector<std::size_t> placesOf(const std::vector<CounterInfo>& infos)
    {
        std::vector<std::size_t> places;
        for (const CounterInfo& info : infos) {
            SeriesKey key = info.key;
            key.subject.host = m_name;
            auto known = m_places.find(key);
            if (known == m_places.end() && m_counters.size() < kMostLinuxCounters) {
                known = m_places.emplace(key, m_counters.size()).first;
                m_counters.push_back(counterOf(std::move(key)));
            }
            places.push_back(known == m_places.end() ? kMostLinuxCounters : known->second);
        }
        return places;
    }

    static void put(
        const std::vector<double>& values, const std::vector<std::size_t>& places, std::vector<double>& to)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (places[i] < to.size())
                to[places[i]] = values[i];
    }

    /// Last, for it takes longest: a queue that cannot be counted in time costs no other counter.
    void countQueues(const ReadingLimits& limits, KernelSnapshot& kernel)
    {
        const KernelRequest trees = mailQueueTrees(m_wanted.postfixQueue);
        if (const auto counted = m_kernel->read(trees, limits, kernel); !counted)
            for (const std::string& tree : trees.trees) {
                kernel.trees.erase(tree);
                kernel.reasons[tree] = counted.error().message;
            }
    }

    /// What is missing now and was not, or for another reason, and what is there again.
    std::vector<std::string> changes(std::map<std::string, std::string> missing)
    {
        std::vector<std::string> notes;
        for (const auto& [what, why] : missing)
            if (const auto before = m_missing.find(what); before == m_missing.end() || before->second != why)
                notes.push_back(what + ": " + why);
        for (const auto& [what, why] : m_missing)
            if (!missing.contains(what))
                notes.push_back(what + ": it is there again");
        m_missing = std::move(missing);
        return notes;
    }

    std::string m_name;
    Nanoseconds m_timeLimit;
    plan::HostCounters m_wanted;
    std::unique_ptr<KernelReader> m_kernel;
    KernelRequest m_files;
    bool m_isOther; ///< a machine over ssh
    std::vector<CounterInfo> m_counters;
    std::map<SeriesKey, std::size_t> m_places;
    std::vector<Part> m_parts;
    std::optional<ProcessGroups> m_processes;
    std::vector<std::size_t> m_processPlaces;
    std::optional<MonoTime> m_last; ///< arrival of the last answer
    std::optional<Nanoseconds> m_uptime; ///< that it stated
    MonoTime m_read {}; ///< as timeOf() said
    std::map<std::string, std::string> m_missing; ///< what, and why
};

} // namespace

Result<std::unique_ptr<LiveSource>> makeLinuxSource(const plan::CounterSourceSpec& spec)
{
    if (const auto* ssh = std::get_if<plan::SshSource>(&spec.from)) {
        if (!isDestination(ssh->destination))
            return fail("\"" + ssh->destination
                + "\" is not a host for ssh; write a host, a name of ssh's configuration or USER@HOST");
        return std::make_unique<LinuxSource>(spec, ssh->reads, std::make_unique<SshKernel>(ssh->destination));
    }
    const auto* local = std::get_if<plan::LocalHostSource>(&spec.from);
    if (local == nullptr)
        return fail("\"" + spec.name + "\" is no Linux machine that can be read");
    return std::make_unique<LinuxSource>(spec, local->reads, std::make_unique<LocalKernel>());
}

} // namespace loadstone::counters
