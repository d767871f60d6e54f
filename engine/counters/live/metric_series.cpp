// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metric_series.h"

#include <algorithm>
#include <cmath>

namespace loadstone::counters {

namespace {

/// The same for all orders of the labels.
std::string orderedText(const MetricSample& sample)
{
    std::vector<MetricLabel> labels(sample.labels.begin(), sample.labels.end());
    std::ranges::sort(labels, {}, &MetricLabel::key);
    std::string text(sample.metric);
    char mark = '{';
    for (const MetricLabel& label : labels) {
        text += mark;
        text.append(label.key).append("=\"").append(label.escaped).append("\"");
        mark = ',';
    }
    return labels.empty() ? text : text + "}";
}

} // namespace

void MetricSeries::beginAnswer()
{
    ++m_answer;
    m_isBroken = false;
    m_doubles = m_linesNow = 0;
}

MetricSeries::Place MetricSeries::discover(
    const MetricSample& sample, const std::function<bool(Place)>& decide)
{
    std::string text = orderedText(sample);
    if (const auto found = m_places.find(text); found != m_places.end())
        return found->second;
    const Place place = m_free.empty() ? static_cast<Place>(m_all.size()) : m_free.back();
    if (!decide(place))
        return kUnwanted;
    if (m_free.empty())
        m_all.emplace_back();
    else
        m_free.pop_back();
    m_all[place] = {};
    m_all[place].text = text;
    m_places.emplace(std::move(text), place);
    return place;
}

void MetricSeries::take(const MetricSample& sample, const std::function<bool(Place)>& decide)
{
    ++m_linesNow;
    auto known = m_known.find(sample.series);
    if (known == m_known.end())
        known = m_known.emplace(sample.series, Known { discover(sample, decide), 0 }).first;
    known->second.seen = m_answer;
    if (known->second.place == kUnwanted)
        return;
    One& one = m_all[known->second.place];
    if (one.seen == m_answer) {
        one.value = kMissing;
        ++m_doubles;
        return;
    }
    one.before = one.value;
    one.seenBefore = one.seen;
    one.value = std::isfinite(sample.value) ? sample.value : kMissing;
    one.seen = m_answer;
}

std::vector<MetricSeries::Place> MetricSeries::endAnswer()
{
    constexpr std::size_t kFew = 1000;
    std::vector<Place> gone;
    if (m_known.size() <= 2 * m_linesNow + kFew)
        return gone;
    std::erase_if(m_known, [&](const auto& entry) { return entry.second.seen + 1 < m_answer; });
    for (Place place = 0; place < m_all.size(); ++place) {
        One& one = m_all[place];
        if (one.text.empty() || one.seen + 1 >= m_answer)
            continue;
        m_places.erase(one.text);
        one = {};
        m_free.push_back(place);
        gone.push_back(place);
    }
    return gone;
}

bool MetricSeries::wasHere(Place place) const
{
    const One& one = m_all[place];
    return (one.seen == m_answer ? one.seenBefore : one.seen) + 1 == m_answer;
}

double MetricSeries::level(Place place) const
{
    return isHere(place) ? m_all[place].value : kMissing;
}

double MetricSeries::growth(Place place, bool mayDip) const
{
    constexpr double kDip = 3; // seconds: as much as node_exporter lets pass
    if (m_isBroken || !isHere(place) || !wasHere(place))
        return kMissing;
    const double grown = m_all[place].value - m_all[place].before;
    if (grown < 0)
        return mayDip && grown > -kDip ? 0 : kMissing;
    return grown;
}

bool MetricSeries::hasMoved(Place place, double tolerance) const
{
    const One& one = m_all[place];
    return isHere(place) && wasHere(place) && std::abs(one.value - one.before) > tolerance;
}

bool MetricSeries::hasFallen(Place place) const
{
    return !m_isBroken && isHere(place) && wasHere(place) && m_all[place].value < m_all[place].before;
}

} // namespace loadstone::counters
