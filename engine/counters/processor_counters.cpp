// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host_groups.h"
#include "counters/proc_file.h"
#include "counters/proc_text.h"

#include <cmath>
#include <dirent.h>

namespace loadstone::counters {

namespace {

constexpr std::size_t kMaxCpus = 64;

/// The shares of a processor's time between two samples, in percent.
class CpuShares {
public:
    struct Shares {
        double processor, user, privileged, idle, ioWait, steal;
    };
    Shares operator()(const CpuTimes& now)
    {
        const double user = m_user(now.user) + m_nice(now.nice);
        const double privileged = m_system(now.system) + m_irq(now.irq) + m_softIrq(now.softIrq);
        const double steal = m_steal(now.steal);
        // The kernel lets these two go back by a little (proc(5)); that is no time then.
        const double idle = orNone(m_idle(now.idle), now.idle);
        const double ioWait = orNone(m_ioWait(now.ioWait), now.ioWait);
        const double all = user + privileged + steal + idle + ioWait;
        // Divided first: a quotient of a part and its whole never rounds to more than 1.
        const auto share = [all](double part) { return all > 0 ? 100 * (part / all) : kMissing; };
        return { share(user + privileged), share(user), share(privileged), share(idle + ioWait),
            share(ioWait), share(steal) };
    }

private:
    double orNone(double grown, double read) const
    {
        return std::isnan(grown) && !std::isnan(read) ? 0 : grown;
    }
    Growth m_user, m_nice, m_system, m_idle, m_ioWait, m_irq, m_softIrq, m_steal;
};

/// Processes are folders of /proc with a number for a name.
class ProcessCount {
public:
    explicit ProcessCount(const std::filesystem::path& proc)
        : m_folder(::opendir(proc.c_str()))
    {
    }
    ProcessCount(const ProcessCount&) = delete;
    ProcessCount& operator=(const ProcessCount&) = delete;
    ~ProcessCount()
    {
        if (m_folder != nullptr)
            ::closedir(m_folder);
    }
    double operator()()
    {
        if (m_folder == nullptr)
            return kMissing;
        ::rewinddir(m_folder);
        double count = 0;
        while (const dirent* entry = ::readdir(m_folder))
            count += entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? 1 : 0;
        return count;
    }

private:
    DIR* m_folder;
};

class ProcessorCounters final : public CounterSource {
public:
    explicit ProcessorCounters(const KernelFolders& folders)
        : m_file(folders.proc / "stat")
        , m_processes(folders.proc)
    {
        parseProcStat(m_file.read(), kMaxCpus, m_stat);
        m_cpus.resize(m_stat.cpus.size());
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        using enum Quantity;
        std::vector<CounterInfo> all;
        for (const Quantity quantity : { processorTime, userTime, privilegedTime, idleTime, ioWaitTime, stealTime })
            all.push_back(counterOf(quantity));
        for (std::size_t i = 0; i < m_cpus.size(); ++i)
            all.push_back(counterOf({ oneProcessorTime, Subject::ofDevice(std::to_string(i)) }));
        for (const Quantity quantity : { contextSwitches, processorQueue, processes })
            all.push_back(counterOf(quantity));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        parseProcStat(m_file.read(), kMaxCpus, m_stat);
        const auto total = m_total(m_stat.total);
        auto out = values.begin();
        for (const double share :
            { total.processor, total.user, total.privileged, total.idle, total.ioWait, total.steal })
            *out++ = share;
        double online = 0;
        for (std::size_t i = 0; i < m_cpus.size(); ++i) {
            const CpuTimes& times = i < m_stat.cpus.size() ? m_stat.cpus[i] : CpuTimes {};
            online += std::isnan(times.user) ? 0 : 1;
            *out++ = m_cpus[i](times).processor;
        }
        *out++ = m_switches(m_stat.contextSwitches) / passed;
        const double waiting = m_stat.runnable - online;
        *out++ = waiting < 0 ? 0 : waiting;
        *out++ = m_processes();
    }

private:
    ProcFile m_file;
    ProcessCount m_processes;
    ProcStat m_stat;
    Stopwatch m_watch;
    CpuShares m_total;
    std::vector<CpuShares> m_cpus;
    Growth m_switches;
};

} // namespace

std::unique_ptr<CounterSource> makeProcessorCounters(const KernelFolders& folders)
{
    return std::make_unique<ProcessorCounters>(folders);
}

} // namespace loadstone::counters
