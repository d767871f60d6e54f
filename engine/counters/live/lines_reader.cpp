// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/lines_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace loadstone::counters {

namespace {

constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostLineCounters = 10'000;
constexpr std::size_t kLongestLineName = 100;
constexpr std::string_view kBlanks = " \t\r";

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// NaN: it is not a finite number.
double valueIn(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = kMissingValue;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = wrong == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(value) ? value : kMissingValue;
}

bool isCounterName(std::string_view name)
{
    return name.size() <= kLongestLineName && std::all_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) > ' ' && c != 0x7f && c != '\\';
    });
}

} // namespace

/// What the lines of one answer have said so far.
struct LinesReader::Seen {
    std::vector<double> values; // by place
    std::vector<bool> stated;
    std::size_t strange = 0; // lines that are none of "NAME VALUE"
    std::size_t surplus = 0; // names beyond what a source may have
    std::vector<std::string> notes;
};

LinesReader::LinesReader(const plan::CounterSourceSpec& spec)
    : m_computer(spec.name)
{
    const auto& command = std::get<plan::CommandSource>(spec.from);
    m_listed = !command.values.empty();
    m_missingLine = command.missingLine;
    for (const plan::CommandSource::Value& value : command.values)
        add(value.name, value.unit, value.rises);
}

void LinesReader::add(std::string name, const std::string& unit, bool rises)
{
    CounterInfo info = counterOf(ForeignCounter { m_computer, "Command", "", name });
    info.unit = unit; // of one event, where they are counted
    info.help = "as a command of the plan prints it";
    info.kind = rises ? CounterKind::count : CounterKind::level;
    m_places.emplace(std::move(name), m_counters.size());
    m_counters.push_back(std::move(info));
    m_rises.push_back(rises);
    m_totals.push_back(kMissingValue);
    m_everStated.push_back(false);
}

std::optional<std::size_t> LinesReader::placeOf(std::string_view name)
{
    const std::string key(name);
    if (const auto found = m_places.find(key); found != m_places.end())
        return found->second;
    if (m_listed || m_counters.size() >= kMostLineCounters)
        return std::nullopt;
    add(key, "", false);
    return m_counters.size() - 1;
}

void LinesReader::take(std::string_view line, Seen& seen)
{
    line = withoutBlanks(line);
    if (line.empty() || line.starts_with('#'))
        return;
    const std::size_t blank = line.find_first_of(kBlanks);
    const std::string_view name = line.substr(0, blank);
    const std::string_view written =
        blank == std::string_view::npos ? std::string_view() : withoutBlanks(line.substr(blank));
    const double value = valueIn(written);
    const bool isLine = !written.empty() && isCounterName(name) && (m_listed || !std::isnan(value));
    const auto place = isLine ? placeOf(name) : std::nullopt;
    if (!place) {
        if (!isLine)
            ++seen.strange;
        else if (!m_listed)
            ++seen.surplus;
        return;
    }
    seen.values.resize(m_counters.size(), kMissingValue);
    seen.stated.resize(m_counters.size(), false);
    if (seen.stated[*place]) {
        seen.values[*place] = kMissingValue; // which of them holds is not known
        seen.notes.push_back(fmt::format("\"{}\" is printed more than once: it is missing.", name));
        return;
    }
    seen.stated[*place] = true;
    seen.values[*place] = value;
    if (std::isnan(value))
        seen.notes.push_back(fmt::format("What follows \"{}\" is not a number.", name));
}

LiveReading LinesReader::read(std::string_view text, MonoTime received)
{
    Seen seen;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        take(text.substr(0, end), seen);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    seen.values.resize(m_counters.size(), kMissingValue);
    seen.stated.resize(m_counters.size(), false);
    LiveReading reading;
    reading.begin = m_before.value_or(received);
    reading.end = received;
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        double value = seen.values[i];
        // A total that is known to be more did not fall to what a missing line stands for, and does not rise from it later.
        const bool isKnownTotal = m_rises[i] && m_everStated[i];
        if (!seen.stated[i] && m_missingLine && !isKnownTotal)
            value = *m_missingLine;
        if (seen.stated[i])
            m_everStated[i] = true;
        if (m_rises[i]) {
            const double total = value;
            value = m_before && total >= m_totals[i] ? total - m_totals[i] : kMissingValue;
            m_totals[i] = total;
        }
        reading.values.push_back(value);
    }
    m_before = received;
    if (seen.strange > 0)
        seen.notes.push_back(fmt::format(
            "{} of its lines {} not \"NAME VALUE\".", seen.strange, seen.strange == 1 ? "is" : "are"));
    if (seen.surplus > 0)
        seen.notes.push_back(fmt::format("Only the first {} names are counters.", kMostLineCounters));
    constexpr std::size_t kMostNotes = 20;
    seen.notes.resize(std::min(seen.notes.size(), kMostNotes));
    for (const std::string& note : seen.notes)
        if (std::find(m_told.begin(), m_told.end(), note) == m_told.end())
            reading.notes.push_back(note);
    m_told = std::move(seen.notes);
    return reading;
}

} // namespace loadstone::counters
