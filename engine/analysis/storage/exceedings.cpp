// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/exceedings.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace loadstone::analysis {

namespace {

constexpr std::size_t kMostSpikes = 3; // spikes whose times are told
constexpr std::size_t kLeastGaps = 4; // fewer equal gaps are chance
constexpr int kShortestPeriod = 4; // samples; what comes oftener cannot be told from what comes at random
constexpr std::size_t kLong = 8; // samples: two minutes, or forty seconds
constexpr double kMuchMore = 2;

/// Samples in a row, by their places.
struct Row {
    std::size_t first = 0, last = 0;
    [[nodiscard]] std::size_t length() const { return last - first + 1; }
};

std::vector<Row> rowsOf(const std::vector<bool>& exceeding)
{
    std::vector<Row> rows;
    for (std::size_t i = 0; i < exceeding.size(); ++i) {
        if (!exceeding[i])
            continue;
        if (rows.empty() || rows.back().last + 1 != i)
            rows.push_back({ i, i });
        rows.back().last = i;
    }
    return rows;
}

/// From the beginning of a row to that of the next, where these are nearly equal: within a sample, or a fifth.
std::optional<Nanoseconds> periodOf(const std::vector<Stretch>& samples, const std::vector<Row>& rows)
{
    if (rows.size() < kLeastGaps + 1)
        return std::nullopt;
    const auto begin = [&](const Row& row) { return samples[row.first].window.begin; };
    const TimeWindow sample = samples.front().window;
    const Nanoseconds length = sample.end - sample.begin;
    const Nanoseconds mean =
        (begin(rows.back()) - begin(rows.front())) / static_cast<std::int64_t>(rows.size() - 1);
    if (mean < length * kShortestPeriod)
        return std::nullopt;
    const Nanoseconds tolerance = std::max(length, Nanoseconds(mean / 5));
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const Nanoseconds gap = begin(rows[i]) - begin(rows[i - 1]);
        if (gap > mean + tolerance || gap + tolerance < mean)
            return std::nullopt;
    }
    return mean;
}

/// The first sample from which on a third or more exceed; none where these are few.
std::optional<std::size_t> sustainedFrom(const std::vector<bool>& exceeding)
{
    std::optional<std::size_t> from;
    std::size_t count = 0;
    for (std::size_t i = exceeding.size(); i-- > 0;) {
        if (!exceeding[i])
            continue;
        ++count;
        if (count >= kLong && 3 * count >= exceeding.size() - i)
            from = i;
    }
    return from;
}

std::string timesOf(const std::vector<Stretch>& samples, const std::vector<Row>& rows)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(rows.size(), kMostSpikes); ++i)
        text += (i > 0 ? ", " : "")
            + windowText({ samples[rows[i].first].window.begin, samples[rows[i].last].window.end });
    if (rows.size() > kMostSpikes)
        text += fmt::format(" and {} more", rows.size() - kMostSpikes);
    return text;
}

class Mean {
public:
    void add(double value)
    {
        m_sum += value;
        ++m_count;
    }
    [[nodiscard]] bool any() const { return m_count > 0; }
    [[nodiscard]] double value() const { return m_sum / static_cast<double>(m_count); }

private:
    double m_sum = 0;
    std::size_t m_count = 0;
};

} // namespace

std::string windowText(TimeWindow window)
{
    return fmt::format("{} - {}", formatClock(window.begin), formatClock(window.end));
}

std::string describePattern(
    const std::vector<Stretch>& samples, const std::vector<bool>& exceeding, const char* noun)
{
    const std::vector<Row> rows = rowsOf(exceeding);
    if (rows.empty())
        return {};
    // Of few samples nothing can be said to come and go.
    if (std::ranges::all_of(exceeding, [](bool one) { return one; }))
        return exceeding.size() == 1 ? "the only sample, " + timesOf(samples, rows)
                                     : fmt::format("sustained: all {} {} from {} on", exceeding.size(), noun,
                                         formatClock(samples.front().window.begin));
    if (const auto period = periodOf(samples, rows))
        return fmt::format("periodic, every {}: {}",
            formatDuration(std::chrono::round<std::chrono::seconds>(*period)), timesOf(samples, rows));
    if (const auto from = sustainedFrom(exceeding)) {
        const auto count = static_cast<std::size_t>(
            std::count(exceeding.begin() + static_cast<std::ptrdiff_t>(*from), exceeding.end(), true));
        const std::size_t all = exceeding.size() - *from;
        return fmt::format("sustained: {} {} from {} on",
            count == all ? fmt::format("all {}", all) : fmt::format("{} of {}", count, all), noun,
            formatClock(samples[*from].window.begin));
    }
    const auto longest = std::max_element(
        rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.length() < b.length(); });
    if (longest->length() >= kLong)
        return fmt::format("sustained: {}{}", timesOf(samples, { *longest }),
            rows.size() > 1 ? fmt::format(", and {} more", rows.size() - 1) : "");
    if (rows.size() == 1)
        return "a single spike, " + timesOf(samples, rows);
    return fmt::format("{} spikes: {}", rows.size(), timesOf(samples, rows));
}

std::optional<Nanoseconds> failsSince(const std::vector<Stretch>& samples, const std::vector<bool>& failing)
{
    std::size_t first = failing.size();
    while (first > 0 && failing[first - 1])
        --first;
    if (first == failing.size())
        return std::nullopt;
    return samples[first].window.end;
}

std::string describeCompanions(const std::vector<bool>& exceeding, const std::vector<Companion>& companions)
{
    std::string text;
    bool compared = false;
    for (const Companion& companion : companions) {
        Mean within, elsewhere;
        for (std::size_t i = 0; i < std::min(exceeding.size(), companion.values.size()); ++i)
            if (!std::isnan(companion.values[i]))
                (exceeding[i] ? within : elsewhere).add(companion.values[i]);
        if (!within.any())
            continue;
        compared = compared || elsewhere.any();
        const bool muchMore =
            elsewhere.any() && within.value() > 0 && within.value() >= kMuchMore * elsewhere.value();
        if (!muchMore && within.value() < companion.alarming)
            continue;
        text += fmt::format("{}{} {}{}", text.empty() ? "at the same time: " : ", ", companion.name,
            formatNumber(within.value()), companion.unit);
        if (elsewhere.any())
            text += elsewhere.value() > 0
                ? fmt::format(" (else {}{})", formatNumber(elsewhere.value()), companion.unit)
                : " (else none)";
    }
    return text.empty() && compared ? "no other counter was twice as high at the same time" : text;
}

} // namespace loadstone::analysis
