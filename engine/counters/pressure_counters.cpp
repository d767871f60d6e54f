// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host_groups.h"
#include "counters/proc_file.h"
#include "counters/proc_text.h"

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
    { "cpu", "some", Quantity::processorStall },
    { "io", "some", Quantity::someIoStall },
    { "io", "full", Quantity::allIoStall },
    { "memory", "some", Quantity::someMemoryStall },
    { "memory", "full", Quantity::allMemoryStall },
} };

/// The kernel's pressure stall information, where it has any.
class PressureCounters final : public CounterSource {
public:
    explicit PressureCounters(const KernelFolders& folders)
    {
        for (const Stall& stall : kStalls) {
            ProcFile file(folders.proc / "pressure" / stall.file);
            if (!std::isnan(pressureTotal(file.read(), stall.line)))
                m_lines.push_back({ &stall, std::move(file), {} });
        }
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const Line& line : m_lines)
            all.push_back(counterOf(line.stall->quantity));
        return all;
    }

    void sample(MonoTime now, std::span<double> values) override
    {
        const double passed = m_watch(now);
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            Line& line = m_lines[i];
            const double share = line.grown(pressureTotal(line.file.read(), line.stall->line)) / 1e4 / passed;
            values[i] = share > 100 ? 100 : share; // the kernel's clock and ours differ by a little
        }
    }

private:
    struct Line {
        const Stall* stall;
        ProcFile file;
        Growth grown;
    };
    Stopwatch m_watch;
    std::vector<Line> m_lines;
};

} // namespace

std::unique_ptr<CounterSource> makePressureCounters(const KernelFolders& folders)
{
    return std::make_unique<PressureCounters>(folders);
}

} // namespace loadstone::counters
