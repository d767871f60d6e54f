// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host_counters.h"

#include "counters/host_groups.h"

namespace loadstone::counters {

namespace {

class HostCounters final : public CounterSource {
public:
    explicit HostCounters(const KernelFolders& folders)
    {
        for (const auto make : { makeProcessorCounters, makeMemoryCounters, makeDiskCounters,
                 makeNetworkCounters, makePressureCounters }) {
            auto source = make(folders);
            const std::size_t size = source->counters().size();
            m_parts.push_back({ std::move(source), size });
        }
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Part& part : m_parts)
            for (CounterInfo& info : part.source->counters())
                all.push_back(std::move(info));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        for (const Part& part : m_parts) {
            part.source->sample(now, values.first(part.size));
            values = values.subspan(part.size);
        }
    }

private:
    struct Part {
        std::unique_ptr<CounterSource> source;
        std::size_t size;
    };
    std::vector<Part> m_parts;
};

} // namespace

std::unique_ptr<CounterSource> makeHostCounters(const KernelFolders& folders)
{
    return std::make_unique<HostCounters>(folders);
}

} // namespace loadstone::counters
