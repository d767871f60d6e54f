// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// vmstat, iostat and pmrep: tables that are printed while time goes by.
#include "base/trimmed.h"
#include "counters/log/gathered_log.h"
#include "counters/log/local_time.h"
#include "counters/log/sysstat_log.h"
#include "counters/log/table_line.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace loadstone::counters {

namespace {

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    for (std::string_view rest = trimmed(line); !rest.empty();) {
        const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
        words.push_back(rest.substr(0, end));
        rest = trimmed(rest.substr(end));
    }
    return words;
}

/// Reads a file line by line into a log. `line` is called with each that is not empty, and its number.
template <class Line>
Result<std::unique_ptr<CounterLog>> readLines(
    LineFile lines, std::unique_ptr<GatheredLog> log, const std::string& remedy, Line line)
{
    try {
        for (;;) {
            const auto next = lines.next();
            if (!next)
                return next.error();
            if (!*next)
                break;
            if (lines.cutShort()) {
                log->editNotes().add(lines.number(), "the line is cut short, and left out");
                break;
            }
            if (!trimmed(**next).empty())
                line(**next, lines.number());
        }
    } catch (const std::length_error& error) {
        return fail(lines.name() + ": " + error.what());
    }
    return finishedLog(std::move(log), lines.name(), remedy);
}

/// The place of a local time in the log's time; nothing where it has none. What is repaired is noted.
std::optional<Nanoseconds> placeOf(
    Nanoseconds local, LocalClock& clock, std::uint64_t number, LogNotes& notes)
{
    Nanoseconds at {};
    switch (clock(local, at)) {
    case LocalClock::Step::back:
        notes.add(number, "its time is not after that of the line before; it is left out");
        return std::nullopt;
    case LocalClock::Step::repeatedHour:
    case LocalClock::Step::skippedHour:
        notes.add(number,
            "local time changes by an hour here, for daylight saving; the lines from here on are adjusted");
        break;
    case LocalClock::Step::forward:
        break;
    }
    return at;
}

/// "11/23/2026 10:47:40", "11/23/26 10:47:40 PM", "2026-11-23T10:47:40+0000", as iostat -t prints them.
std::optional<Nanoseconds> iostatTime(std::string_view line, LogHead& head)
{
    std::string_view rest = trimmed(line);
    if (const auto time = takeIsoTime(rest)) {
        int zone = 0;
        const bool offset = rest.size() == 5 && (rest[0] == '+' || rest[0] == '-')
            && std::from_chars(rest.data() + 1, rest.data() + 5, zone).ptr == rest.data() + 5;
        if (!offset)
            return std::nullopt;
        head.bias = Nanoseconds(0);
        const Nanoseconds east = std::chrono::hours(zone / 100) + std::chrono::minutes(zone % 100);
        return *time - (rest[0] == '-' ? -east : east);
    }
    std::array<int, 6> part {};
    constexpr std::string_view kSigns = "// ::";
    for (std::size_t i = 0; i < part.size(); ++i) {
        const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), part[i]);
        if (problem != std::errc() || part[i] < 0)
            return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (i < kSigns.size()) {
            if (!rest.starts_with(kSigns[i]))
                return std::nullopt;
            rest.remove_prefix(1);
        }
    }
    const std::string_view half = trimmed(rest);
    auto [month, day, year, hour, minute, second] = part;
    year += year < 100 ? 2000 : 0;
    const std::chrono::year_month_day date { std::chrono::year(year),
        std::chrono::month(static_cast<unsigned>(month)), std::chrono::day(static_cast<unsigned>(day)) };
    if (half == "AM" || half == "PM")
        hour = hour % 12 + (half == "PM" ? 12 : 0);
    else if (!half.empty())
        return std::nullopt;
    if (!date.ok() || year < 1970 || year > 2200 || hour > 23 || minute > 59 || second > 60)
        return std::nullopt;
    return std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour)
        + std::chrono::minutes(minute) + std::chrono::seconds(second);
}

/// What a table of iostat is about, and its columns for each subject.
struct IostatTable {
    std::vector<std::string> names;
    bool devices = false;
};

} // namespace

Result<std::unique_ptr<CounterLog>> readVmstat(LineFile lines)
{
    auto made = std::make_unique<GatheredLog>("vmstat -t");
    GatheredLog& log = *made;
    std::vector<std::string> names;
    std::vector<std::uint32_t> columns;
    bool sinceBoot = true;
    return readLines(std::move(lines), std::move(made),
        "has no line with values and a time; write it with vmstat -t",
        [&, sinceBoot, clock = LocalClock()](std::string_view line, std::uint64_t number) mutable {
            const auto words = wordsOf(line);
            if (words[0].find("procs") != std::string_view::npos) // the line above the headings
                return;
            if (words[0] == "r") { // printed again for each screen
                names.assign(words.begin(), words.end());
                log.editHead().zone = names.back();
                if (names.back() == "UTC") {
                    log.editHead().bias = Nanoseconds(0);
                    clock = LocalClock(false);
                }
                return;
            }
            if (names.empty() || words.size() != names.size() + 1) {
                log.editNotes().add(
                    number, "is not a line of vmstat -t, with a date and a time at its end; it is left out");
                return;
            }
            if (sinceBoot) {
                sinceBoot = false;
                return;
            }
            const std::string stamp = fmt::format("{} {}", words[words.size() - 2], words.back());
            std::string_view rest = stamp;
            const auto local = takeIsoTime(rest);
            if (!local || !rest.empty()) {
                log.editNotes().add(number,
                    fmt::format("\"{}\" is not a time like 2026-11-23 10:47:42; the line is left out",
                        stamp.substr(0, 40)));
                return;
            }
            const auto at = placeOf(*local, clock, number, log.editNotes());
            if (!at)
                return;
            for (std::size_t i = 0; i + 1 < names.size(); ++i)
                if (const double value = parseLogValue(words[i]); !std::isnan(value))
                    log.add(*at, log.column({ {}, "vmstat", {}, names[i] }), value);
        });
}

Result<std::unique_ptr<CounterLog>> readIostat(LineFile lines)
{
    auto made = std::make_unique<GatheredLog>("iostat -t");
    GatheredLog& log = *made;
    return readLines(std::move(lines), std::move(made),
        "has no second report with a time; write it with iostat -t and an interval",
        [&log, computer = std::string(), at = std::optional<Nanoseconds>(), table = IostatTable(),
            clock = LocalClock(), reports = 0](std::string_view line, std::uint64_t number) mutable {
            if (line.starts_with("Linux ")) { // also of a log that was appended to another
                at.reset();
                reports = 0;
                const std::size_t begin = line.find('('), end = line.find(')');
                if (begin < end && end != std::string_view::npos)
                    computer = line.substr(begin + 1, end - begin - 1);
                return;
            }
            if (const auto time = iostatTime(line, log.editHead())) {
                at = log.head().bias ? time : placeOf(*time, clock, number, log.editNotes());
                ++reports;
                return;
            }
            const auto words = wordsOf(line);
            if (words[0] == "avg-cpu:" || words[0] == "Device" || words[0] == "Device:") {
                table.names.assign(words.begin() + 1, words.end());
                table.devices = words[0] != "avg-cpu:";
                return;
            }
            const std::size_t first = table.devices ? 1 : 0;
            if (reports == 0 || words.size() != table.names.size() + first) {
                log.editNotes().add(number, "is not a line of iostat -t; it is left out");
                return;
            }
            if (!at || reports < 2)
                return;
            const std::string subject = table.devices ? std::string(words[0]) : "avg-cpu";
            for (std::size_t i = 0; i < table.names.size(); ++i)
                if (const double value = parseLogValue(words[i + first]); !std::isnan(value))
                    log.add(*at, log.column({ computer, "iostat", subject, table.names[i] }), value);
        });
}

Result<std::unique_ptr<CounterLog>> readPmrep(LineFile lines)
{
    auto made = std::make_unique<GatheredLog>("pmrep -o csv");
    GatheredLog& log = *made;
    return readLines(std::move(lines), std::move(made), "has no line with values",
        [&log, columns = std::vector<std::uint32_t>(), clock = LocalClock()](
            std::string_view line, std::uint64_t number) mutable {
            TableLine fields(line, ',');
            std::string_view field;
            fields.next(field);
            if (columns.empty()) { // "Time,kernel.all.load-1 minute,disk.dev.read-sda"
                while (fields.next(field))
                    columns.push_back(log.column({ {}, "pmrep", {}, unquoted(field) }));
                return;
            }
            std::string_view rest = field;
            const auto local = takeIsoTime(rest);
            if (!local || !rest.empty()) {
                log.editNotes().add(number,
                    fmt::format("\"{}\" is not a time like 2026-11-23 10:47:42; the line is left out",
                        field.substr(0, 40)));
                return;
            }
            const auto at = placeOf(*local, clock, number, log.editNotes());
            if (!at)
                return;
            for (std::size_t i = 0; i < columns.size() && fields.next(field); ++i)
                if (const double value = parseLogValue(field); !std::isnan(value))
                    log.add(*at, columns[i], value);
        });
}

} // namespace loadstone::counters
