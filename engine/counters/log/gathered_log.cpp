// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/gathered_log.h"

#include "base/trimmed.h"
#include "counters/host/rate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace loadstone::counters {

namespace {

constexpr auto kNoPlace = std::numeric_limits<std::uint32_t>::max();

/// Takes a number of exactly `digits` digits off the text.
std::optional<int> takeDigits(std::string_view& text, std::size_t digits)
{
    if (text.size() < digits)
        return std::nullopt;
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + digits, number);
    if (problem != std::errc() || end != text.data() + digits || number < 0)
        return std::nullopt;
    text.remove_prefix(digits);
    return number;
}

bool takeSign(std::string_view& text, char sign)
{
    const bool there = text.starts_with(sign);
    text.remove_prefix(there ? 1 : 0);
    return there;
}

} // namespace

std::uint32_t GatheredLog::column(const ForeignCounter& name)
{
    const auto [place, added] =
        m_columns.try_emplace(name, static_cast<std::uint32_t>(m_head.columns.size()));
    if (added) {
        if (m_head.columns.size() == kMostColumns)
            throw std::length_error("has more than " + std::to_string(kMostColumns) + " counters");
        m_letters += name.computer.size() + name.object.size() + name.instance.size() + name.counter.size();
        if (m_letters > kMostLetters)
            throw std::length_error("has counters with names of more than 32 MB in total");
        m_head.columns.push_back(name);
    }
    return place->second;
}

void GatheredLog::add(Nanoseconds at, std::uint32_t column, double value)
{
    if (m_values.size() == kMostValues)
        throw std::length_error("has more than " + std::to_string(kMostValues)
            + " values; write a log of fewer subjects or a shorter time");
    m_values.push_back({ at, column, value });
}

void GatheredLog::settle()
{
    std::ranges::stable_sort(m_values, {}, &Value::at);
    std::size_t instants = 0;
    for (std::size_t i = 0; i < m_values.size(); ++i)
        instants += i == 0 || m_values[i].at != m_values[i - 1].at ? 1 : 0;
    if (instants > kMostCells / std::max<std::size_t>(1, m_head.columns.size()))
        throw std::length_error(
            "has too many instants for its counters; write a log of fewer subjects or a shorter time");
    m_selected = m_head.columns.size();
    for (std::uint32_t i = 0; i < m_selected; ++i)
        m_places.push_back(i);
}

void GatheredLog::select(std::span<const std::size_t> columns)
{
    m_places.assign(m_head.columns.size(), kNoPlace);
    m_selected = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i)
        m_places[columns[i]] = static_cast<std::uint32_t>(i);
}

Result<bool> GatheredLog::next(LogSample& sample)
{
    if (m_next == m_values.size())
        return false;
    sample.at = m_values[m_next].at;
    sample.values.assign(m_selected, kMissing);
    for (; m_next < m_values.size() && m_values[m_next].at == sample.at; ++m_next)
        if (const std::uint32_t place = m_places[m_values[m_next].column]; place != kNoPlace)
            sample.values[place] = m_values[m_next].value;
    return true;
}

double GatheredLog::share() const
{
    return m_values.empty() ? 1 : static_cast<double>(m_next) / static_cast<double>(m_values.size());
}

Result<std::unique_ptr<CounterLog>> finishedLog(
    std::unique_ptr<GatheredLog> log, const std::string& file, const std::string& remedy)
{
    if (log->head().columns.empty()) {
        const auto notes = log->notes();
        return fail(file + ": " + (notes.empty() ? remedy : notes.front()));
    }
    try {
        log->settle();
    } catch (const std::length_error& error) {
        return fail(file + ": " + error.what());
    }
    return std::unique_ptr<CounterLog>(std::move(log));
}

double parseLogValue(std::string_view text)
{
    const std::string_view number = trimmed(text);
    double value = kMissing;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool whole = problem == std::errc() && end == number.data() + number.size();
    return whole && std::isfinite(value) ? value : kMissing;
}

std::optional<Nanoseconds> takeIsoTime(std::string_view& text)
{
    std::string_view rest = text;
    const auto year = takeDigits(rest, 4);
    const bool first = takeSign(rest, '-');
    const auto month = takeDigits(rest, 2);
    const bool second = takeSign(rest, '-');
    const auto day = takeDigits(rest, 2);
    if (!year || !month || !day || !first || !second || *year < 1970 || *year > 2200)
        return std::nullopt;
    const std::chrono::year_month_day date { std::chrono::year(*year),
        std::chrono::month(static_cast<unsigned>(*month)), std::chrono::day(static_cast<unsigned>(*day)) };
    if (!date.ok())
        return std::nullopt;
    Nanoseconds time = std::chrono::sys_days(date).time_since_epoch();
    std::string_view clock = rest;
    if (takeSign(clock, ' ') || takeSign(clock, 'T')) {
        const auto hour = takeDigits(clock, 2);
        const bool between = takeSign(clock, ':');
        const auto minute = takeDigits(clock, 2);
        const bool behind = takeSign(clock, ':');
        const auto sec = takeDigits(clock, 2);
        if (hour && minute && sec && between && behind && *hour < 24 && *minute < 60 && *sec <= 60) {
            time += std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*sec);
            rest = clock;
        }
    }
    text = rest;
    return time;
}

} // namespace loadstone::counters
