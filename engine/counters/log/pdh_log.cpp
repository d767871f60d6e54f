// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/pdh_log.h"

#include "base/trimmed.h"
#include "counters/host/rate.h"
#include "counters/log/gathered_log.h"
#include "counters/log/local_time.h"
#include "counters/log/log_notes.h"
#include "counters/log/table_line.h"
#include "series/foreign_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace loadstone::counters {

namespace {

constexpr std::size_t kMostColumns = 200'000;
constexpr std::string_view kCsv = "(PDH-CSV 4.0)", kTsv = "(PDH-TSV 4.0)";

/// As UTF-8: where it is something else it is taken for Windows-1252 without its signs of 0x80 to 0x9F, which stand in no counter's name.
std::string asUtf8(std::string text)
{
    std::size_t expected = 0;
    bool valid = true;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (expected > 0) {
            valid = valid && (byte & 0xC0U) == 0x80U;
            --expected;
        } else if (byte >= 0x80U) {
            expected = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : 1;
            valid = valid && byte >= 0xC2U && byte < 0xF5U;
        }
    }
    if (valid && expected == 0)
        return text;
    std::string converted;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x80U)
            converted += letter;
        else
            (converted += static_cast<char>(0xC0U | (byte >> 6U))) +=
                static_cast<char>(0x80U | (byte & 0x3FU));
    }
    return converted;
}

/// A value of a row; missing where it is blank or not a number. Some systems write the comma of their language.
double valueOfField(std::string_view field)
{
    const double value = parseLogValue(field);
    if (!std::isnan(value) || field.size() > 64 || std::ranges::count(field, ',') != 1)
        return value;
    std::string point(field);
    std::ranges::replace(point, ',', '.');
    return parseLogValue(point);
}

/// As PerfMon writes it: blank, or "-1.#IND" of a share of nothing. typeperf writes "-1" where it got no value, and six decimals where it got one.
bool isMissing(std::string_view field, bool typeperf)
{
    return trimmed(field).empty() || field.find(".#") != std::string_view::npos
        || (typeperf && trimmed(field) == "-1");
}

/// The zone and the bias of the first cell: "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)". typeperf writes neither.
Result<void> readZone(std::string_view cell, LogHead& head)
{
    std::string_view rest = trimmed(cell.substr(kCsv.size()));
    if (rest.empty())
        return {};
    const std::size_t edge = rest.rfind(")(");
    if (!rest.starts_with('(') || !rest.ends_with(')') || edge == std::string_view::npos)
        return fail(fmt::format("the zone \"{}\" is not written like \"(UTC)(0)\"", rest.substr(0, 100)));
    head.zone = rest.substr(1, edge - 1);
    const std::string_view minutes = rest.substr(edge + 2, rest.size() - edge - 3);
    int bias = 0;
    const auto [end, problem] = std::from_chars(minutes.data(), minutes.data() + minutes.size(), bias);
    if (problem != std::errc() || end != minutes.data() + minutes.size() || bias < -24 * 60 || bias > 24 * 60)
        return fail(fmt::format(
            "the bias \"{}\" of the zone is not a number of minutes within a day", minutes.substr(0, 100)));
    head.bias = std::chrono::minutes(bias);
    return {};
}

class PdhLog final : public CounterLog {
public:
    explicit PdhLog(LineFile lines)
        : m_lines(std::move(lines))
    {
    }
    Result<void> readHead();
    [[nodiscard]] const LogHead& head() const override { return m_head; }
    void select(std::span<const std::size_t> columns) override
    {
        m_selected.assign(columns.begin(), columns.end());
    }
    Result<bool> next(LogSample& sample) override;
    [[nodiscard]] std::vector<std::string> notes() const override { return m_notes.all(); }
    [[nodiscard]] double share() const override { return m_lines.share(); }

private:
    bool readRow(std::string_view line, LogSample& sample);
    [[nodiscard]] Error wrong(const std::string& what) const
    {
        return fail(fmt::format("{}, line {}: {}", m_lines.name(), m_lines.number(), what));
    }

    LineFile m_lines;
    LogHead m_head;
    char m_separator = ',';
    std::vector<std::size_t> m_selected;
    LocalClock m_clock;
    LogNotes m_notes;
};

Result<void> PdhLog::readHead()
{
    std::string_view line;
    do { // typeperf begins with an empty line
        const auto next = m_lines.next();
        if (!next)
            return next.error();
        if (!*next)
            return fail(m_lines.name() + ": is empty");
        line = **next;
    } while (trimmed(line).empty());
    m_separator = line.find(kTsv) != std::string_view::npos ? '\t' : ',';
    TableLine fields(trimmed(line), m_separator);
    std::string_view field;
    fields.next(field);
    m_head.format = m_separator == ',' ? "PDH-CSV 4.0" : "PDH-TSV 4.0";
    if (auto zone = readZone(field, m_head); !zone)
        return wrong(zone.error().message);
    m_clock = LocalClock(m_head.zone != "UTC" && m_head.zone != "Coordinated Universal Time");
    while (fields.next(field)) {
        if (m_head.columns.size() == kMostColumns)
            return wrong(fmt::format("has more than {} columns", kMostColumns));
        m_head.columns.push_back(series::foreignCounterOf(asUtf8(unquoted(field))));
    }
    if (fields.broken())
        return wrong("a quoted name has no end");
    if (m_head.columns.empty())
        return wrong("names no counter behind the time");
    for (std::size_t i = 0; i < m_head.columns.size(); ++i)
        m_selected.push_back(i);
    return {};
}

/// False: the row is left out, and a note says why.
bool PdhLog::readRow(std::string_view line, LogSample& sample)
{
    TableLine fields(line, m_separator);
    std::string_view field;
    fields.next(field);
    const auto local = parsePdhTime(trimmed(field));
    if (!local) {
        m_notes.add(m_lines.number(),
            fmt::format("\"{}\" is not a time like 10/29/2017 01:59:44.562 (a spreadsheet may have changed "
                        "it); the row is left out",
                trimmed(field).substr(0, 40)));
        return false;
    }
    sample.values.assign(m_selected.size(), kMissing);
    std::size_t column = 0, place = 0;
    std::optional<std::pair<std::string, std::size_t>> strange; // the first one, and its column
    while (place < m_selected.size() && fields.next(field))
        if (column++ == m_selected[place]) {
            double& value = sample.values[place++];
            if (isMissing(field, !m_head.bias)) // typeperf alone writes no zone
                continue;
            value = valueOfField(field);
            if (std::isnan(value) && !strange)
                strange.emplace(field.substr(0, 40), column - 1);
        }
    while (fields.next(field)) // those behind the selected ones
        column += column < m_head.columns.size() || !trimmed(field).empty() ? 1 : 0;
    if (fields.broken() || (m_lines.cutShort() && (column < m_head.columns.size() || !line.ends_with('"')))) {
        m_notes.add(m_lines.number(), "the row is cut short, and left out");
        return false;
    }
    if (column > m_head.columns.size()) {
        m_notes.add(m_lines.number(),
            fmt::format("has {} values where the first line names {} counters; the row is left out", column,
                m_head.columns.size()));
        return false;
    }
    if (column < m_head.columns.size())
        m_notes.add(m_lines.number(),
            fmt::format("has {} values of {}; the others are missing", column, m_head.columns.size()));
    if (strange)
        m_notes.add(m_lines.number(),
            fmt::format("\"{}\" of {} is not a number that can be kept; the value is missing",
                asUtf8(strange->first), m_head.columns[strange->second].counter));
    switch (m_clock(*local, sample.at)) {
    case LocalClock::Step::back:
        m_notes.add(m_lines.number(), "its time is not after that of the row before; the row is left out");
        return false;
    case LocalClock::Step::repeatedHour:
        m_notes.add(m_lines.number(),
            "local time goes back by an hour here, as daylight saving ends; the rows from here on are one "
            "hour later");
        break;
    case LocalClock::Step::skippedHour:
        m_notes.add(m_lines.number(),
            "local time leaves out an hour here, as daylight saving begins; the rows from here on are one "
            "hour earlier");
        break;
    case LocalClock::Step::forward:
        break;
    }
    sample.at += m_head.bias.value_or(Nanoseconds(0));
    return true;
}

Result<bool> PdhLog::next(LogSample& sample)
{
    for (;;) {
        const auto line = m_lines.next();
        if (!line)
            return line.error();
        if (!*line)
            return false;
        // Behind its rows typeperf says in words that it ends.
        if (const std::string_view text = trimmed(**line);
            text.empty() || (text.front() != '"' && (text.front() < '0' || text.front() > '9')))
            continue;
        if (readRow(**line, sample))
            return true;
    }
}

} // namespace

bool beginsPdhLog(std::string_view line)
{
    const std::string_view text = line.substr(line.starts_with('"') ? 1 : 0);
    return text.starts_with(kCsv) || text.starts_with(kTsv);
}

Result<std::unique_ptr<CounterLog>> openPdhLog(LineFile lines)
{
    auto log = std::make_unique<PdhLog>(std::move(lines));
    if (auto head = log->readHead(); !head)
        return head.error();
    return std::unique_ptr<CounterLog>(std::move(log));
}

} // namespace loadstone::counters
