// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// sadf, of the package sysstat: the binary files of sar as text.
#include "base/trimmed.h"
#include "counters/log/gathered_log.h"
#include "counters/log/local_time.h"
#include "counters/log/sysstat_log.h"
#include "counters/log/table_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::counters {

namespace {

/// Columns that say of what a line is, and are no values.
constexpr std::array<std::string_view, 14> kSubjects { "CPU", "IFACE", "DEV", "INTR", "TTY", "FILESYSTEM",
    "MOUNTPOINT", "FCHOST", "DEVICE", "BUS", "TEMP", "FAN", "IN", "BAT" };
constexpr std::size_t kMostNames = 1000; // of a heading
constexpr std::size_t kMostHeadings = 1000;

/// The times of one kind of lines, which rise but for a change of daylight saving; several lines may have one time.
class ZonedTimes {
public:
    /// The place of a local time in the log's time, which goes on as it was at the begin of the log. Nothing where it has none: a note says why.
    std::optional<Nanoseconds> operator()(
        Nanoseconds local, std::string_view zone, std::uint64_t line, LogNotes& notes)
    {
        if (m_begun && local == m_local && zone == m_zone)
            return m_place;
        Nanoseconds at {};
        const LocalClock::Step step = m_clock(local, at);
        const bool changes = step == LocalClock::Step::repeatedHour || step == LocalClock::Step::skippedHour;
        if (step == LocalClock::Step::back)
            notes.add(line, "its time is not after that of the line before; it is left out");
        else if (m_begun && zone != m_zone && !changes)
            notes.add(line,
                fmt::format("is in the zone \"{}\" where the lines before are in \"{}\", and no hour is "
                            "repeated or left out; it is left out",
                    zone.substr(0, 40), m_zone));
        else {
            if (changes)
                notes.add(line,
                    "local time changes by an hour here, for daylight saving; the lines from here on are "
                    "adjusted");
            m_begun = true;
            m_local = local;
            m_zone = zone;
            return m_place = at;
        }
        return std::nullopt;
    }

private:
    LocalClock m_clock;
    bool m_begun = false;
    Nanoseconds m_local {}, m_place {};
    std::string m_zone;
};

std::vector<std::string_view> fieldsOf(std::string_view line)
{
    std::vector<std::string_view> fields;
    TableLine all(line, ';');
    for (std::string_view field; all.next(field);)
        fields.push_back(field);
    return fields;
}

/// One heading, and the columns that its lines have.
struct Heading {
    std::vector<std::string> names;
    std::size_t values = 3; ///< the first field that is a value
    std::map<std::string, std::vector<std::uint32_t>, std::less<>>
        columns; ///< by computer and subject, as the line has them
};

Heading headingOf(std::string_view line)
{
    Heading heading;
    for (const std::string_view name : fieldsOf(trimmed(line.substr(1))))
        heading.names.emplace_back(name);
    while (heading.values < heading.names.size()
        && std::ranges::find(kSubjects, heading.names[heading.values]) != kSubjects.end())
        ++heading.values;
    if (heading.names.size() > kMostNames)
        throw std::length_error("has a heading of more than 1000 columns");
    return heading;
}

/// "2026-11-23 10:47:42 UTC", "2026-11-23 10:47:42 CET", "2026-11-23 10:47:42", or seconds since 1970. Nothing where it has no place in the
/// log: a note says why.
std::optional<Nanoseconds> timeOf(
    std::string_view text, std::uint64_t line, ZonedTimes& times, GatheredLog& log)
{
    LogHead& head = log.editHead();
    std::string_view rest = text;
    if (const auto time = takeIsoTime(rest)) {
        const std::string_view zone = trimmed(rest);
        if (head.columns.empty()) {
            head.zone = zone;
            if (zone == "UTC")
                head.bias = Nanoseconds(0);
        }
        if (!head.bias)
            return times(*time, zone, line, log.editNotes());
        if (zone == head.zone)
            return time;
    } else if (const double since = parseLogValue(text);
               since >= 0 && since < 7e9 && (head.bias || head.columns.empty())) {
        head.bias = Nanoseconds(0);
        return std::chrono::seconds(static_cast<std::int64_t>(since));
    }
    log.editNotes().add(line,
        fmt::format("\"{}\" is not a time like 2026-11-23 10:47:42 UTC, in the zone of the lines before; "
                    "the line is left out",
            text.substr(0, 40)));
    return std::nullopt;
}

void readLine(
    std::string_view line, std::uint64_t number, Heading& heading, ZonedTimes& times, GatheredLog& log)
{
    const auto fields = fieldsOf(line);
    if (fields.size() >= 2 && fields[1] == "-1")
        return; // a restart or a remark
    if (heading.names.empty() || fields.size() < heading.values || fields.size() > heading.names.size()) {
        log.editNotes().add(number,
            fmt::format("has {} fields where its heading has {}; the line is left out", fields.size(),
                heading.names.size()));
        return;
    }
    const auto at = timeOf(fields[2], number, times, log);
    if (!at)
        return;
    std::string subject;
    for (std::size_t i = 3; i < heading.values; ++i)
        subject += (subject.empty() ? "" : " ")
            + std::string(heading.names[i] == "CPU" && fields[i] == "-1" ? "all" : fields[i]);
    auto& columns = heading.columns[std::string(fields[0]) + ";" + subject];
    if (columns.empty())
        for (std::size_t i = heading.values; i < heading.names.size(); ++i)
            columns.push_back(log.column({ std::string(fields[0]), "sar", subject, heading.names[i] }));
    for (std::size_t i = heading.values; i < fields.size(); ++i)
        if (const double value = parseLogValue(fields[i]); !std::isnan(value))
            log.add(*at, columns[i - heading.values], value);
}

/// Every number of a statistic of sadf -j: {"cpu-load": [{"cpu": "all", "user": 86.14}], "queue": {"runq-sz": 3}}.
void gather(const nlohmann::json& value, const std::string& computer, const std::string& object,
    Nanoseconds at, GatheredLog& log, int depth = 0)
{
    if (depth > 8)
        return;
    if (value.is_array()) {
        for (const auto& entry : value)
            gather(entry, computer, object, at, log, depth + 1);
        return;
    }
    if (!value.is_object())
        return;
    const auto isSubject = [](const std::string& key, const nlohmann::json& member) {
        return member.is_string()
            || (member.is_number_integer() && (key == "number" || key == "line" || key == "bus_number"));
    };
    std::string instance;
    for (const auto& [key, member] : value.items())
        if (isSubject(key, member))
            instance += (instance.empty() ? "" : " ")
                + (member.is_string() ? member.get<std::string>() : member.dump());
    for (const auto& [key, member] : value.items())
        if (isSubject(key, member))
            continue;
        else if (member.is_number())
            log.add(at, log.column({ computer, object, instance, key }), member.get<double>());
        else if (key != "timestamp")
            gather(member, computer, "sar " + key, at, log, depth + 1);
}

std::string textOf(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Its time; nothing where it has none: a note says why.
std::optional<Nanoseconds> timeOf(
    const nlohmann::json& statistic, std::uint64_t line, ZonedTimes& times, GatheredLog& log)
{
    LogHead& head = log.editHead();
    const auto wrong = [&] {
        log.editNotes().add(line,
            "a statistic without a time like {\"date\": \"2026-11-23\", \"time\": \"10:47:42\"}, in the zone "
            "of those before, is left out");
        return std::nullopt;
    };
    const auto stamp = statistic.find("timestamp");
    if (stamp == statistic.end() || !stamp->is_object())
        return wrong();
    const std::string text = textOf(*stamp, "date") + " " + textOf(*stamp, "time");
    std::string_view rest = text;
    const auto time = takeIsoTime(rest);
    if (!time || !rest.empty())
        return wrong();
    const std::string zone = textOf(*stamp, "tz");
    const auto utc = stamp->find("utc");
    const bool isUtc =
        zone == "UTC" || (utc != stamp->end() && utc->is_number_integer() && utc->get<std::int64_t>() == 1);
    if (head.columns.empty()) {
        head.zone = zone;
        if (isUtc)
            head.bias = Nanoseconds(0);
    }
    if (!head.bias)
        return times(*time, zone, line, log.editNotes());
    return isUtc ? time : wrong();
}

std::string allOf(LineFile& lines, std::size_t most)
{
    std::string text;
    for (;;) {
        const auto line = lines.next();
        if (!line)
            throw std::length_error(line.error().message);
        if (!*line)
            return text;
        if (text.size() + (*line)->size() > most)
            throw std::length_error("is longer than 64 MB; write a log of fewer subjects or a shorter time");
        (text += **line) += '\n';
    }
}

} // namespace

Result<std::unique_ptr<CounterLog>> readSadf(LineFile lines)
{
    auto log = std::make_unique<GatheredLog>("sadf -d");
    Heading heading;
    std::map<std::string, ZonedTimes, std::less<>>
        clocks; // each heading's lines begin anew, and may be interrupted
    ZonedTimes* times = nullptr;
    try {
        for (;;) {
            const auto line = lines.next();
            if (!line)
                return line.error();
            if (!*line)
                break;
            if (lines.cutShort()) {
                log->editNotes().add(lines.number(), "the line is cut short, and left out");
                break;
            }
            if ((*line)->starts_with("# hostname;")) {
                heading = headingOf(**line);
                if (clocks.size() == kMostHeadings && !clocks.contains(**line))
                    throw std::length_error("has more than 1000 headings");
                times = &clocks[std::string(**line)];
            } else if (times != nullptr && !trimmed(**line).empty())
                readLine(**line, lines.number(), heading, *times, *log);
        }
    } catch (const std::length_error& error) {
        return fail(lines.name() + ": " + error.what());
    }
    return finishedLog(std::move(log), lines.name(), "has no values that can be read");
}

Result<std::unique_ptr<CounterLog>> readSadfJson(LineFile lines)
{
    auto log = std::make_unique<GatheredLog>("sadf -j");
    try {
        const auto document = nlohmann::json::parse(allOf(lines, std::size_t { 64 } << 20));
        for (const auto& host : document.at("sysstat").at("hosts")) {
            ZonedTimes times;
            for (const auto& statistic : host.at("statistics"))
                if (const auto at = timeOf(statistic, lines.number(), times, *log))
                    gather(statistic, textOf(host, "nodename"), "sar", *at, *log);
        }
    } catch (const nlohmann::json::exception& error) {
        return fail(fmt::format("{}: is not the JSON of sadf -j: {}", lines.name(), error.what()));
    } catch (const std::length_error& error) {
        return fail(lines.name() + ": " + error.what());
    }
    return finishedLog(std::move(log), lines.name(), "has no values that can be read");
}

} // namespace loadstone::counters
