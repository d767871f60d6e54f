// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/generator_counters.h"

#include "counters/host/control_groups.h"
#include "counters/host/proc_file.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <cmath>
#include <optional>

namespace loadstone::counters {

namespace {

/// How long one thread has been ready without a processor.
class RunQueueWait {
public:
    /// Seconds since the last call; before the first one since the thread's begin, which is after the run's. NaN: not known.
    double operator()(pid_t thread, const std::filesystem::path& proc)
    {
        if (thread == 0)
            return kMissing;
        if (thread != m_thread) {
            m_thread = thread;
            m_file.emplace(proc / "self/task" / std::to_string(thread) / "schedstat");
            m_last = 0;
        }
        const double total = waitedSeconds(m_file->read());
        const double grown = total - m_last;
        m_last = total;
        return grown >= 0 ? grown : kMissing;
    }

private:
    pid_t m_thread = 0;
    std::optional<ProcFile> m_file;
    double m_last = 0;
};

class GeneratorCounters final : public CounterSource {
public:
    GeneratorCounters(std::function<std::vector<LoadThread>()> threads, const KernelFolders& folders)
        : m_threads(std::move(threads))
        , m_proc(folders.proc)
        , m_groups(folders.proc)
    {
        for (const LoadThread& thread : m_threads())
            m_subjects.push_back(thread.subject);
        m_waits.resize(m_subjects.size());
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        if (!m_subjects.empty())
            all.push_back(counterOf(Quantity::longestRunQueueWait));
        for (const Subject& subject : m_subjects)
            all.push_back(counterOf({ Quantity::runQueueWait, subject }));
        all.push_back(counterOf(Quantity::throttledTime));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        auto out = values.begin();
        if (!m_subjects.empty()) {
            const std::vector<LoadThread> threads = m_threads();
            double& longest = *out++ = kMissing;
            for (std::size_t i = 0; i < m_waits.size(); ++i) {
                const double share =
                    100 * m_waits[i](i < threads.size() ? threads[i].id : 0, m_proc) / passed;
                *out++ = share;
                if (!(share <= longest) && !std::isnan(share))
                    longest = share;
            }
        }
        *out = 100 * m_groups.throttled() / passed;
    }

private:
    std::function<std::vector<LoadThread>()> m_threads;
    std::filesystem::path m_proc;
    ControlGroups m_groups;
    Stopwatch m_watch;
    std::vector<Subject> m_subjects;
    std::vector<RunQueueWait> m_waits;
};

} // namespace

std::unique_ptr<CounterSource> makeGeneratorCounters(
    std::function<std::vector<LoadThread>()> threads, const KernelFolders& folders)
{
    return std::make_unique<GeneratorCounters>(std::move(threads), folders);
}

} // namespace loadstone::counters
