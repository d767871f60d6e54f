// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/process_counters.h"

#include "counters/host/proc_file.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone::counters {

namespace {

constexpr std::size_t kPerProcess = 7;

/// How many files a process has open. Newer kernels (6.2) say it as the folder's size; else the entries are
/// counted, which is too dear to do every second when there are thousands.
class OpenFiles {
public:
    explicit OpenFiles(const std::filesystem::path& folder)
        : m_folder(::opendir(folder.c_str()))
    {
    }
    OpenFiles(OpenFiles&& other) noexcept
        : m_folder(std::exchange(other.m_folder, nullptr))
    {
    }
    OpenFiles& operator=(OpenFiles&&) = delete;
    ~OpenFiles()
    {
        if (m_folder != nullptr)
            ::closedir(m_folder);
    }

    double operator()()
    {
        struct stat status { };
        if (m_folder == nullptr || ::fstat(::dirfd(m_folder), &status) != 0)
            return kMissing;
        if (status.st_size > 0)
            return static_cast<double>(status.st_size);
        constexpr double kMany = 2000;
        constexpr unsigned kSeldom = 15;
        if (m_last > kMany && ++m_sinceCounted < kSeldom)
            return kMissing;
        m_sinceCounted = 0;
        ::rewinddir(m_folder);
        double count = 0;
        bool any = false;
        while (const dirent* entry = ::readdir(m_folder)) {
            any = true;
            count += entry->d_name[0] != '.' ? 1 : 0;
        }
        m_last = any ? count : kMissing;
        return m_last;
    }

private:
    DIR* m_folder;
    double m_last = 0;
    unsigned m_sinceCounted = 0;
};

struct Process {
    Process(const WatchedProcess& watched, const std::filesystem::path& folder)
        : instance(watched.instance)
        , stat(folder / "stat")
        , status(folder / "status")
        , files(folder / "fd")
    {
    }
    std::string instance;
    // Open files of /proc stay with the process they were opened for: a successor with its number is not
    // read.
    ProcFile stat, status;
    OpenFiles files;
    Growth user, system;
};

class ProcessCounters final : public CounterSource {
public:
    ProcessCounters(const std::vector<WatchedProcess>& processes, const std::filesystem::path& proc)
    {
        for (const WatchedProcess& process : processes)
            m_processes.emplace_back(process, proc / std::to_string(process.pid));
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        using enum Quantity;
        for (const Process& one : m_processes)
            for (const Quantity quantity : { processProcessorTime, processUserTime, processPrivilegedTime,
                     processWorkingSet, processPrivateBytes, processFiles, processThreads })
                all.push_back(counterOf({ quantity, Subject::ofProcess(one.instance) }));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        constexpr double kKb = 1024;
        const double passed = m_watch(now);
        for (Process& one : m_processes) {
            const std::span<double> out = values.first(kPerProcess);
            values = values.subspan(kPerProcess);
            const ProcessStat stat = parseProcessStat(one.stat.read());
            const double user = one.user(stat.userTicks) / m_ticksPerSecond / passed * 100;
            const double system = one.system(stat.systemTicks) / m_ticksPerSecond / passed * 100;
            const std::string_view status = one.status.read();
            out[0] = user + system;
            out[1] = user;
            out[2] = system;
            out[3] = valueOf(status, "VmRSS") * kKb;
            out[4] = (valueOf(status, "RssAnon") + valueOf(status, "VmSwap")) * kKb;
            out[5] = one.files();
            out[6] = stat.threads;
        }
    }

private:
    Stopwatch m_watch;
    std::vector<Process> m_processes;
    double m_ticksPerSecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
};

} // namespace

std::unique_ptr<CounterSource> makeProcessCounters(
    const std::vector<WatchedProcess>& processes, const std::filesystem::path& proc)
{
    return std::make_unique<ProcessCounters>(processes, proc);
}

} // namespace loadstone::counters
