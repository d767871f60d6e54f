// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/host_part.h"
#include "counters/host/proc_text.h"
#include "counters/host/rate.h"

#include <array>
#include <cmath>

namespace loadstone::counters {

namespace {

struct Stall {
    const char* file;
    const char* line;
    Quantity quantity;
};
constexpr std::array<Stall, 5> kStalls { {
    { "/proc/pressure/cpu", "some", Quantity::processorStall },
    { "/proc/pressure/io", "some", Quantity::someIoStall },
    { "/proc/pressure/io", "full", Quantity::allIoStall },
    { "/proc/pressure/memory", "some", Quantity::someMemoryStall },
    { "/proc/pressure/memory", "full", Quantity::allMemoryStall },
} };

/// The kernel's pressure stall information, where it has any.
class PressureCounters final : public HostPart {
public:
    explicit PressureCounters(const KernelSnapshot& first)
    {
        for (const Stall& stall : kStalls)
            if (!std::isnan(pressureTotal(first.text(stall.file), stall.line)))
                m_lines.push_back({ &stall, {} });
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Line& line : m_lines)
            all.push_back(counterOf(line.stall->quantity));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            Line& line = m_lines[i];
            const double share =
                line.grown(pressureTotal(kernel.text(line.stall->file), line.stall->line)) / 1e4 / passed;
            values[i] = share > 100 ? 100 : share; // the kernel's clock and ours differ by a little
        }
    }

private:
    struct Line {
        const Stall* stall;
        Growth grown;
    };
    Stopwatch m_watch;
    std::vector<Line> m_lines;
};

} // namespace

std::unique_ptr<HostPart> makePressureCounters(const KernelSnapshot& first, const HostChoice& /*choice*/)
{
    return std::make_unique<PressureCounters>(first);
}

} // namespace loadstone::counters
