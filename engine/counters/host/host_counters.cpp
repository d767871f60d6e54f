// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_counters.h"

#include "counters/host/host_part.h"
#include "counters/host/local_kernel.h"

#include <iterator>

namespace loadstone::counters {

namespace {

class HostParts final : public HostPart {
public:
    HostParts(const KernelSnapshot& first, const HostChoice& choice)
    {
        for (const auto make : { makeProcessorCounters, makeMemoryCounters, makeDiskCounters,
                 makeNetworkCounters, makePressureCounters }) {
            auto source = make(first, choice);
            const std::size_t size = source->counters().size();
            m_parts.push_back({ std::move(source), size });
        }
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Part& part : m_parts)
            std::ranges::move(part.source->counters(), std::back_inserter(all));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        for (const Part& part : m_parts) {
            part.source->sample(kernel, now, values.first(part.size));
            values = values.subspan(part.size);
        }
    }

    [[nodiscard]] Missing missing() const override
    {
        Missing all;
        for (const Part& part : m_parts)
            std::ranges::move(part.source->missing(), std::back_inserter(all));
        return all;
    }

private:
    struct Part {
        std::unique_ptr<HostPart> source;
        std::size_t size;
    };
    std::vector<Part> m_parts;
};

class HostCounters final : public CounterSource {
public:
    explicit HostCounters(const KernelFolders& folders)
        : m_kernel(folders)
        , m_request(hostFiles())
    {
        m_parts = makeHostParts(read());
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override { return m_parts->counters(); }
    void sample(MonoTime now, std::span<double> values) override { m_parts->sample(read(), now, values); }

private:
    const KernelSnapshot& read()
    {
        static_cast<void>(m_kernel.read(m_request, {}, m_snapshot)); // this machine always answers
        return m_snapshot;
    }

    LocalKernel m_kernel;
    KernelRequest m_request;
    KernelSnapshot m_snapshot;
    std::unique_ptr<HostPart> m_parts;
};

} // namespace

KernelRequest hostFiles()
{
    KernelRequest request;
    // Of this network namespace, not of the one of whoever mounted /proc: /proc/self/net.
    request.files = { "/proc/stat", "/proc/meminfo", "/proc/vmstat", "/proc/diskstats", "/proc/self/net/dev",
        "/proc/self/net/snmp", "/proc/self/net/netstat", "/proc/self/net/sockstat", "/proc/pressure/cpu",
        "/proc/pressure/io", "/proc/pressure/memory", "/sys/kernel/mm/ksm/pages_sharing" };
    request.folders = { "/proc", "/sys/block" };
    request.interfaceStates = true;
    return request;
}

std::unique_ptr<HostPart> makeHostParts(const KernelSnapshot& first, const HostChoice& choice)
{
    return std::make_unique<HostParts>(first, choice);
}

std::unique_ptr<CounterSource> makeHostCounters(const KernelFolders& folders)
{
    return std::make_unique<HostCounters>(folders);
}

} // namespace loadstone::counters
