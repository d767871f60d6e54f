// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_part.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <algorithm>
#include <cmath>

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
        // The kernel lets these two go back by a little (proc(5)); such a step is not counted.
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
double processCount(const KernelSnapshot& kernel)
{
    const auto* names = kernel.namesIn("/proc");
    return names == nullptr ? kMissing
                            : static_cast<double>(std::ranges::count_if(*names,
                                [](const std::string& name) { return name[0] >= '1' && name[0] <= '9'; }));
}

void add(CpuTimes& to, const CpuTimes& more)
{
    to.user += more.user;
    to.nice += more.nice;
    to.system += more.system;
    to.idle += more.idle;
    to.ioWait += more.ioWait;
    to.irq += more.irq;
    to.softIrq += more.softIrq;
    to.steal += more.steal;
}

class ProcessorCounters final : public HostPart {
public:
    ProcessorCounters(const KernelSnapshot& first, std::vector<std::uint32_t> chosen)
        : m_chosen(std::move(chosen))
    {
        parseProcStat(first.text("/proc/stat"), kMaxCpus, m_stat);
        for (std::uint32_t i = 0; i < m_stat.cpus.size(); ++i)
            if (m_chosen.empty() || std::ranges::find(m_chosen, i) != m_chosen.end())
                m_cpus.push_back({ i, {} });
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        using enum Quantity;
        std::vector<CounterInfo> all;
        for (const Quantity quantity :
            { processorTime, userTime, privilegedTime, idleTime, ioWaitTime, stealTime })
            all.push_back(counterOf(quantity));
        for (const Processor& one : m_cpus)
            all.push_back(counterOf({ oneProcessorTime, Subject::ofDevice(std::to_string(one.number)) }));
        for (const Quantity quantity : { contextSwitches, processorQueue, processes })
            all.push_back(counterOf(quantity));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        parseProcStat(kernel.text("/proc/stat"), kMaxCpus, m_stat);
        const auto total = m_total(m_chosen.empty() ? m_stat.total : chosenTimes());
        auto out = values.begin();
        for (const double share :
            { total.processor, total.user, total.privileged, total.idle, total.ioWait, total.steal })
            *out++ = share;
        for (Processor& one : m_cpus)
            *out++ = one.shares(timesOf(one.number)).processor;
        *out++ = m_switches(m_stat.contextSwitches) / passed;
        const double waiting = m_stat.runnable - static_cast<double>(m_stat.online);
        *out++ = waiting < 0 ? 0 : waiting;
        *out++ = processCount(kernel);
    }

    [[nodiscard]] Missing missing() const override
    {
        Missing all;
        for (const std::uint32_t number : m_chosen)
            if (std::isnan(timesOf(number).user))
                all.emplace_back("processor " + std::to_string(number),
                    number < kMaxCpus ? "it is not online, so that the processor time is not known"
                                      : "processors are counted from 0 to 63 alone");
        return all;
    }

private:
    struct Processor {
        std::uint32_t number;
        CpuShares shares;
    };
    [[nodiscard]] CpuTimes timesOf(std::uint32_t number) const
    {
        return number < m_stat.cpus.size() ? m_stat.cpus[number] : CpuTimes {};
    }
    [[nodiscard]] CpuTimes chosenTimes() const
    {
        CpuTimes all { 0, 0, 0, 0, 0, 0, 0, 0 };
        for (const std::uint32_t number : m_chosen)
            add(all, timesOf(number));
        return all;
    }

    std::vector<std::uint32_t> m_chosen;
    ProcStat m_stat;
    Stopwatch m_watch;
    CpuShares m_total;
    std::vector<Processor> m_cpus;
    Growth m_switches;
};

} // namespace

std::unique_ptr<HostPart> makeProcessorCounters(const KernelSnapshot& first, const HostChoice& choice)
{
    return std::make_unique<ProcessorCounters>(first, choice.processors);
}

} // namespace loadstone::counters
