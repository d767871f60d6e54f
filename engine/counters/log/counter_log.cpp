// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/counter_log.h"

#include "base/trimmed.h"
#include "counters/log/pdh_log.h"
#include "counters/log/sysstat_log.h"

#include <array>

namespace loadstone::counters {

namespace {

/// A format, known by the first line that is not empty.
struct Format {
    bool (*begins)(std::string_view line);
    Result<std::unique_ptr<CounterLog>> (*read)(LineFile lines);
};

constexpr std::array<Format, 6> kFormats { {
    { beginsPdhLog, openPdhLog },
    { [](std::string_view line) { return line.starts_with("# hostname;interval;timestamp"); }, readSadf },
    { [](std::string_view line) { return line.starts_with('{'); }, readSadfJson },
    { [](std::string_view line) { return line.starts_with("procs -") || line.starts_with("--procs--"); },
        readVmstat },
    { [](std::string_view line) { return line.starts_with("Linux ") && line.ends_with("CPU)"); },
        readIostat },
    { [](std::string_view line) { return line.starts_with("Time,"); }, readPmrep },
} };

} // namespace

Result<std::unique_ptr<CounterLog>> readCounterLog(LineFile first, LineFile again)
{
    std::string_view line;
    while (trimmed(line).empty()) {
        const auto next = first.next();
        if (!next)
            return next.error();
        if (!*next)
            return fail(first.name() + ": is empty");
        line = **next;
    }
    for (const Format& format : kFormats)
        if (format.begins(trimmed(line)))
            return format.read(std::move(again));
    return fail(first.name() + ", line " + std::to_string(first.number())
        + ": is not the beginning of a log that can be attached: PDH-CSV or PDH-TSV (PerfMon, relog, "
          "typeperf, esxtop), sadf -d, sadf -j, "
          "vmstat -t, iostat -t, pmrep -o csv");
}

Result<std::unique_ptr<CounterLog>> openCounterLog(const std::filesystem::path& file)
{
    auto first = LineFile::open(file);
    if (!first)
        return first.error();
    auto again = LineFile::open(file);
    if (!again)
        return again.error();
    return readCounterLog(*std::move(first), *std::move(again));
}

} // namespace loadstone::counters
