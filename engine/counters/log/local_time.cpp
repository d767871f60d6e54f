// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/local_time.h"

#include <algorithm>
#include <charconv>

namespace loadstone::counters {

namespace {

constexpr Nanoseconds kHour = std::chrono::hours(1);

/// Takes a number of one to `digits` digits and the sign behind it off the text.
std::optional<int> take(std::string_view& text, std::size_t digits, char sign)
{
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (problem != std::errc() || number < 0 || length > digits)
        return std::nullopt;
    text.remove_prefix(length);
    if (sign != 0) {
        if (!text.starts_with(sign))
            return std::nullopt;
        text.remove_prefix(1);
    }
    return number;
}

/// Daylight saving begins and ends on a Sunday in the small hours, in all countries but a few.
bool mayChange(Nanoseconds local)
{
    const auto day = std::chrono::floor<std::chrono::days>(std::chrono::sys_time<Nanoseconds>(local));
    const auto time = std::chrono::sys_time<Nanoseconds>(local) - day;
    return std::chrono::weekday(day) == std::chrono::Sunday && time < 5 * kHour;
}

} // namespace

std::optional<Nanoseconds> parsePdhTime(std::string_view text)
{
    const auto month = take(text, 2, '/'), day = take(text, 2, '/'), year = take(text, 4, ' ');
    const auto hour = take(text, 2, ':'), minute = take(text, 2, ':'), second = take(text, 2, 0);
    if (!month || !day || !year || !hour || !minute || !second)
        return std::nullopt;
    const std::chrono::year_month_day date { std::chrono::year(*year),
        std::chrono::month(static_cast<unsigned>(*month)), std::chrono::day(static_cast<unsigned>(*day)) };
    if (!date.ok() || *year < 1970 || *year > 2200 || *hour > 23 || *minute > 59 || *second > 60)
        return std::nullopt;
    Nanoseconds time = std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(*hour)
        + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
    if (text.empty())
        return time;
    if (!text.starts_with('.') || text.size() < 2 || text.size() > 10)
        return std::nullopt;
    Nanoseconds unit = std::chrono::milliseconds(100);
    for (const char digit : text.substr(1)) {
        if (digit < '0' || digit > '9')
            return std::nullopt;
        time += (digit - '0') * unit;
        unit /= 10;
    }
    return time;
}

LocalClock::Step LocalClock::operator()(Nanoseconds local, Nanoseconds& at)
{
    at = local + m_shift;
    if (!m_begun) {
        m_begun = true;
        m_last = at;
        return Step::forward;
    }
    const Nanoseconds passed = at - m_last;
    // A row or two may be missing at the very change. With longer intervals a change looks like a gap.
    const Nanoseconds most =
        std::clamp<Nanoseconds>(3 * m_interval, std::chrono::minutes(2), std::chrono::minutes(30));
    const bool repairs = m_repairs && m_interval > Nanoseconds(0) && m_interval <= std::chrono::minutes(20)
        && mayChange(local);
    Step step = Step::forward;
    if (passed <= Nanoseconds(0)) {
        if (!repairs || passed + kHour <= Nanoseconds(0) || passed + kHour > most)
            return Step::back;
        step = Step::repeatedHour;
        m_shift += kHour;
    } else if (repairs && passed > kHour && passed <= kHour + most) {
        step = Step::skippedHour;
        m_shift -= kHour;
    }
    at = local + m_shift;
    m_interval = m_interval > Nanoseconds(0) ? std::min(m_interval, at - m_last) : at - m_last;
    m_last = at;
    return step;
}

} // namespace loadstone::counters
