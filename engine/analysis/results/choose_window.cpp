// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"

#include <loadstone/judgement.h>
#include <loadstone/units.h>
#include <loadstone/window.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace loadstone {

namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr const char* kForms =
    "write a time since the run's start (\"1:51:03\", \"02:30\", \"90 s\"), a clock time in UTC "
    "(\"14:05\"), or \"2026-11-23T14:05:00Z\"";

/// Whole numbers between colons, "1:51:03": one to four. Empty: the text has another form.
std::vector<int> colonNumbers(std::string_view text)
{
    std::vector<int> numbers;
    while (true) {
        const std::size_t end = std::min(text.find(':'), text.size());
        int number = 0;
        const auto read = std::from_chars(text.data(), text.data() + end, number);
        if (end == 0 || end > 5 || read.ec != std::errc() || read.ptr != text.data() + end || number < 0)
            return {};
        numbers.push_back(number);
        if (end == text.size())
            return numbers;
        text.remove_prefix(end + 1);
    }
}

/// Of "02:10.8", as readouts write moments; none: the text has no point behind a colon.
std::optional<Nanoseconds> fractionOf(std::string_view text)
{
    const std::size_t point = text.rfind('.'), colon = text.rfind(':');
    if (point == std::string_view::npos || colon == std::string_view::npos || point < colon)
        return std::nullopt;
    std::int64_t nanoseconds = 0;
    const std::string_view digits = text.substr(point + 1);
    constexpr std::size_t kDigits = 9;
    if (digits.empty() || digits.size() > kDigits)
        return std::nullopt;
    for (std::size_t i = 0; i < kDigits; ++i) {
        const char digit = i < digits.size() ? digits[i] : '0';
        if (digit < '0' || digit > '9')
            return std::nullopt;
        nanoseconds = nanoseconds * 10 + (digit - '0');
    }
    return Nanoseconds(nanoseconds);
}

/// "2026-11-23T14:05:00Z", with or without the "Z" and parts of a second.
std::optional<WallTime> readWallTime(std::string_view text)
{
    if (text.ends_with('Z'))
        text.remove_suffix(1);
    if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' '))
        return std::nullopt;
    const auto part = [&](std::size_t at, std::size_t length) {
        int number = -1;
        const char* const end = text.data() + at + length;
        return std::from_chars(text.data() + at, end, number).ptr == end ? number : -1;
    };
    const std::chrono::year_month_day day { std::chrono::year(part(0, 4)),
        std::chrono::month(static_cast<unsigned>(part(5, 2))),
        std::chrono::day(static_cast<unsigned>(part(8, 2))) };
    const int hour = part(11, 2), minute = part(14, 2), second = part(17, 2);
    constexpr std::chrono::year kFirst(1970), kLast(2261); // a WallTime goes no further than into 2262
    if (day.year() < kFirst || day.year() > kLast)
        return std::nullopt;
    if (!day.ok() || text[13] != ':' || text[16] != ':' || hour < 0 || hour > 23 || minute < 0 || minute > 59
        || second < 0 || second > 59)
        return std::nullopt;
    WallTime time = std::chrono::sys_days(day) + hours(hour) + minutes(minute) + std::chrono::seconds(second);
    if (text.size() > 19) {
        Nanoseconds unit = std::chrono::milliseconds(100);
        if (text[19] != '.' || text.size() == 20 || text.size() > 29)
            return std::nullopt;
        for (const char digit : text.substr(20)) {
            if (digit < '0' || digit > '9')
                return std::nullopt;
            time += (digit - '0') * unit;
            unit /= 10;
        }
    }
    return time;
}

/// The first such time of day since the run began; none: there is no such hour.
std::optional<Nanoseconds> timeOfDay(const RunHeader& header, int hour, int minute)
{
    if (hour > 23)
        return std::nullopt;
    const WallTime day = std::chrono::floor<std::chrono::days>(header.started);
    const WallTime time = day + hours(hour) + minutes(minute);
    return Nanoseconds((time < header.started ? time + hours(24) : time) - header.started);
}

/// A phase as people name it: "measurement 2", "measurement", or its mix.
struct NamedPhase {
    const Phase* phase = nullptr;
    std::string name;
};

std::vector<NamedPhase> namedPhases(const Recording& recording)
{
    std::vector<NamedPhase> all;
    std::array<int, 16> counts {};
    for (const Phase& phase : recording.phases())
        all.push_back({ &phase,
            fmt::format("{} {}", toString(phase.kind), ++counts.at(static_cast<std::size_t>(phase.kind))) });
    return all;
}

Result<NamedPhase> findPhase(const Recording& recording, const std::string& name)
{
    const std::vector<NamedPhase> all = namedPhases(recording);
    std::vector<NamedPhase> found;
    for (const NamedPhase& one : all)
        if (one.name == name)
            return one;
    for (const NamedPhase& one : all)
        if (toString(one.phase->kind) == name
            || (one.phase->kind == PhaseKind::measurement && one.phase->mixName == name))
            found.push_back(one);
    if (found.size() == 1)
        return found.front();
    std::vector<std::string> names;
    for (const NamedPhase& one : found.empty() ? all : found)
        names.push_back(one.name);
    return fail(fmt::format("{} phase \"{}\"; the run has {}", found.empty() ? "no" : "more than one", name,
        names.empty() ? "no phases yet" : joined(names, ", ")));
}

std::string nameOf(const NamedPhase& one)
{
    return one.phase->mixName.empty() ? one.name : fmt::format("{}, {}", one.name, one.phase->mixName);
}

TimeWindow reachedOf(const Recording& recording, const Phase& phase)
{
    return { phase.begin, phase.open ? std::max(phase.begin, recording.length()) : phase.end };
}

Result<ChosenWindow> steadyWindow(const Recording& recording, const std::string& phaseName)
{
    const auto states = findSteadyStates(recording);
    if (!states)
        return states.error();
    auto state = states->empty() ? states->end() : states->end() - 1;
    if (!phaseName.empty()) {
        const auto phase = findPhase(recording, phaseName);
        if (!phase)
            return phase.error();
        state = std::find_if(states->begin(), states->end(),
            [&](const SteadyState& one) { return one.measurement == reachedOf(recording, *phase->phase); });
        if (state == states->end())
            return fail(
                fmt::format("steady states are looked for in measurements, and \"{}\" is none", phaseName));
    }
    if (state == states->end())
        return fail("the run has no measurement in which to look for a steady state");
    if (!state->window)
        return fail(
            fmt::format("\"{}\" did not become steady; see the table of steady states, or name a window",
                state->mixName));
    return ChosenWindow { *state->window, "steady state of " + state->mixName };
}

Result<ChosenWindow> windowOfTimes(const Recording& recording, const WindowChoice& choice)
{
    ChosenWindow chosen { { Nanoseconds(0), recording.length() }, {} };
    if (!choice.from.empty()) {
        const auto from = parseRunTime(recording.header(), recording.length(), choice.from);
        if (!from)
            return from.error().within("from");
        chosen.window.begin = *from;
    }
    if (!choice.to.empty()) {
        const auto to = parseRunTime(recording.header(), recording.length(), choice.to);
        if (!to)
            return to.error().within("to");
        chosen.window.end = choice.to.front() == '+' ? chosen.window.begin + *to : *to;
    }
    if (chosen.window.begin >= recording.length())
        return fail(fmt::format("the window begins at {}, and the run is {} long",
            formatClock(chosen.window.begin), formatClock(recording.length())));
    chosen.window.end = std::min(chosen.window.end, recording.length());
    if (chosen.window.begin >= chosen.window.end)
        return fail(fmt::format("the window ends at {}, which is not after its begin at {}",
            formatClock(chosen.window.end), formatClock(chosen.window.begin)));
    return chosen;
}

} // namespace

Result<Nanoseconds> parseRunTime(const RunHeader& header, Nanoseconds length, std::string_view text)
{
    constexpr int kMostHours = 24 * 366;
    const auto fraction = fractionOf(text);
    const std::vector<int> numbers =
        fraction ? colonNumbers(text.substr(0, text.rfind('.'))) : colonNumbers(text);
    if (numbers.size() == 3 && numbers[0] <= kMostHours && numbers[1] < 60 && numbers[2] < 60)
        return Nanoseconds(hours(numbers[0]) + minutes(numbers[1]) + std::chrono::seconds(numbers[2]))
            + fraction.value_or(Nanoseconds(0));
    if (numbers.size() == 2 && numbers[1] < 60) {
        const Nanoseconds elapsed =
            minutes(numbers[0]) + std::chrono::seconds(numbers[1]) + fraction.value_or(Nanoseconds(0));
        const auto ofDay = fraction ? std::nullopt : timeOfDay(header, numbers[0], numbers[1]);
        if (ofDay && (*ofDay <= length || elapsed > length))
            return *ofDay;
        if (elapsed <= length)
            return elapsed;
    }
    if (const auto time = readWallTime(text)) {
        if (*time < header.started)
            return fail(fmt::format("{} is before the run's start, {}", text, formatIso8601(header.started)));
        return Nanoseconds(*time - header.started);
    }
    const auto duration = parseDuration(text.substr(text.starts_with('+') ? 1 : 0));
    if (!duration)
        return fail(fmt::format("\"{}\" is not a time of a run; {}", text, kForms));
    return *duration;
}

Result<std::optional<ChosenWindow>> chooseWindow(const Recording& recording, const WindowChoice& choice)
{
    if (choice.empty())
        return std::optional<ChosenWindow>();
    const bool times = !choice.from.empty() || !choice.to.empty();
    if (times && (choice.steady || !choice.phase.empty()))
        return fail("name a window by its times, or by a phase or the steady state, and not by both");
    Result<ChosenWindow> chosen =
        times ? windowOfTimes(recording, choice) : Result<ChosenWindow>(ChosenWindow {});
    if (choice.steady) {
        chosen = steadyWindow(recording, choice.phase);
    } else if (!choice.phase.empty()) {
        const auto phase = findPhase(recording, choice.phase);
        if (!phase)
            return phase.error();
        chosen = ChosenWindow { reachedOf(recording, *phase->phase), nameOf(*phase) };
    }
    if (!chosen)
        return chosen.error();
    return std::optional(*std::move(chosen));
}

std::string describe(const ChosenWindow& window)
{
    return fmt::format("{} to {} of the run{}", formatClock(window.window.begin),
        formatClock(window.window.end), window.name.empty() ? "" : " (" + window.name + ")");
}

} // namespace loadstone
