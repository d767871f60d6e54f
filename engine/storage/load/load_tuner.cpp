// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load/load_tuner.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::storage {
namespace {

constexpr std::size_t kTransient = 30, kStable = 120; // samples
constexpr double kSteepest = 5e-3,
                 kEven = 0.5e-3; // s per sample, at the end of the transient state and in the stable one
constexpr std::size_t kLongestCycle = 600, kLongest = 3600; // samples
constexpr double kReached = 0.85; // of a rate: what comes to less is not that load
constexpr double kClose = 1.1; // a bad load so little above a good one ends the search

using Latencies = std::vector<Nanoseconds> LoadTuner::Sample::*;

double longest(const LoadTuner::Sample& sample, Latencies which)
{
    Nanoseconds most {};
    for (const Nanoseconds one : sample.*which)
        most = std::max(most, one);
    return seconds(most);
}

/// The mean on the volume where it is longest, of the samples that had any.
double longestMean(const std::deque<LoadTuner::Sample>& samples, Latencies which)
{
    double most = 0;
    for (std::size_t volume = 0; volume < (samples.front().*which).size(); ++volume) {
        double sum = 0;
        std::size_t count = 0;
        for (const LoadTuner::Sample& sample : samples) {
            sum += seconds((sample.*which)[volume]);
            count += (sample.*which)[volume] > Nanoseconds(0);
        }
        most = std::max(most, count > 0 ? sum / static_cast<double>(count) : 0.0);
    }
    return most;
}

} // namespace

LoadTuner::LoadTuner(const Limits& limits, double first, double least, double most, bool whole)
    : m_limits(limits)
    , m_load(std::clamp(first, least, most))
    , m_least(least)
    , m_most(most)
    , m_whole(whole)
{
}

bool LoadTuner::even(double steepest) const
{
    // Least squares over the samples' numbers.
    const auto n = static_cast<double>(m_samples.size());
    double mean = 0;
    for (const Sample& sample : m_samples)
        mean += longest(sample, &Sample::databaseRead) / n;
    double products = 0, squares = 0;
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        const double x = static_cast<double>(i) - (n - 1) / 2;
        products += x * (longest(m_samples[i], &Sample::databaseRead) - mean);
        squares += x * x;
    }
    return std::abs(products / squares) <= steepest;
}

std::optional<double> LoadTuner::add(const Sample& sample)
{
    ++m_samplesOfLoad;
    ++m_samplesOfAll;
    m_samples.push_back(sample);
    const bool transient = m_state == State::transient;
    const std::size_t wanted = transient ? kTransient : kStable;
    if (m_samples.size() > wanted)
        m_samples.pop_front();
    if (m_samples.size() < wanted || (transient && !even(kSteepest)))
        return giveUp();
    if (transient) {
        m_state = State::stable;
        m_samples.clear();
        return {};
    }
    double transfers = 0;
    for (const Sample& one : m_samples)
        transfers += one.transfers / kStable;
    const double read = longestMean(m_samples, &Sample::databaseRead),
                 log = longestMean(m_samples, &Sample::logWrite);
    // Sessions that cannot give a rate keep latencies low.
    const bool reached = m_whole || transfers >= kReached * m_load;
    const bool good = reached && read <= seconds(m_limits.databaseRead) && log <= seconds(m_limits.logWrite);
    if (good && !even(kEven))
        return giveUp();
    const auto shown = [](double s) { return formatLatency(Nanoseconds(std::llround(s * 1e9))); };
    const char* what = good ? "is within the limits" : reached ? "is too much" : "is not reached";
    m_verdict = fmt::format("{} {}: {} database transfers/s, reads of {}, log writes of {}",
        formatNumber(m_load, 6), what, formatNumber(transfers, 4), shown(read), shown(log));
    return judge(good);
}

/// A load that has had its time, and is not steady.
std::optional<double> LoadTuner::giveUp()
{
    if (m_samplesOfLoad < kLongestCycle)
        return {};
    m_verdict = fmt::format("{} is too much: latencies do not become steady", formatNumber(m_load, 6));
    return judge(false);
}

std::optional<double> LoadTuner::judge(bool good)
{
    (good ? m_good : m_bad) = m_load;
    m_state = State::transient;
    m_samples.clear();
    m_samplesOfLoad = 0;
    const std::optional<double> following = m_samplesOfAll < kLongest ? next() : std::nullopt;
    m_done = !following;
    if (!following)
        return m_good;
    m_load = *following;
    return following;
}

/// None: the search is over.
std::optional<double> LoadTuner::next() const
{
    double wanted = 0;
    if (!m_bad)
        wanted = std::min(2 * *m_good, m_most);
    else if (!m_good)
        wanted = std::max(*m_bad / 2, m_least);
    else
        wanted = (*m_good + *m_bad) / 2;
    if (m_whole)
        wanted = std::floor(wanted);
    const bool known = wanted == m_good || wanted == m_bad;
    const bool close = m_good && m_bad && *m_bad <= kClose * *m_good;
    return known || close ? std::nullopt : std::optional(wanted);
}

} // namespace loadstone::storage
