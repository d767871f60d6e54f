// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/overlay_source.h"

#include "compare/view/common_lines.h"

#include <algorithm>

namespace loadstone::ui {

namespace {

/// The key beside `key` in the other one of two lists that stand side by side.
const LineKey* findBeside(
    const LineKey& key, const std::vector<LineInfo>& from, const std::vector<LineInfo>& to)
{
    const auto found = std::ranges::find(from, key, &LineInfo::key);
    return found == from.end() ? nullptr : &to[static_cast<std::size_t>(found - from.begin())].key;
}

} // namespace

void OverlaySource::setView(std::shared_ptr<const RunView> read)
{
    const bool first = view == nullptr;
    view = std::move(read);
    problem.clear();
    if (!first && m_sources == view->sources)
        return;
    m_sources = view->sources;
    m_own = linesOf(*header, m_sources ? *m_sources : std::vector<SourceInfo>(),
        view->computers ? *view->computers : std::vector<ComputerFacts>(),
        view->derived ? *view->derived : std::vector<CounterInfo>());
    m_common = commonLinesOf(m_own);
}

LineInfo OverlaySource::info(const LineKey& common) const
{
    const auto found = std::ranges::find(m_common, common, &LineInfo::key);
    return found == m_common.end() ? lineWithout(common) : *found;
}

QString OverlaySource::shortName(const LineKey& common, const std::vector<LineKey>& drawn) const
{
    const LineInfo named = info(common);
    return named.shortName(
        std::ranges::any_of(drawn, [&](const LineKey& other) { return differByObject(named, info(other)); }));
}

LineKey OverlaySource::ownKey(const LineKey& common) const
{
    const LineKey* const own = findBeside(common, m_common, m_own);
    return own == nullptr ? common : *own;
}

std::vector<LineKey> OverlaySource::ownKeys(const std::vector<LineKey>& common) const
{
    std::vector<LineKey> own;
    for (const LineKey& key : common)
        own.push_back(ownKey(key));
    return own;
}

std::vector<LineKey> OverlaySource::commonKeys(const std::vector<LineKey>& own) const
{
    std::vector<LineKey> common;
    for (const LineKey& key : own)
        if (const LineKey* const shared = findBeside(key, m_own, m_common))
            common.push_back(*shared);
    return common;
}

double OverlaySource::shareOf(TimeWindow window) const
{
    if (!view || window.end <= window.begin)
        return 1;
    const Nanoseconds within = std::min(window.end, start + view->length) - std::max(window.begin, start);
    return std::clamp(seconds(within) / seconds(window.end - window.begin), 0.0, 1.0);
}

const LineData* OverlaySource::data(const LineKey& common) const
{
    if (!view)
        return nullptr;
    const auto found = std::ranges::find(view->lines, ownKey(common), &LineData::key);
    return found == view->lines.end() || !found->found ? nullptr : &*found;
}

TimeWindow OverlaySource::averaged(const LineKey& common) const
{
    const LineData* const read = data(common);
    if (read == nullptr || read->statistics.samples == 0)
        return {};
    const CounterStatistics& of = read->statistics;
    const TimeWindow window = view->query.statistics;
    const double covered = read->coverage * seconds(std::min(window.end, view->shown) - window.begin);
    if (covered < kEnoughCovered * seconds(of.duration))
        return {};
    return { start + of.begin, start + of.begin + of.duration };
}

} // namespace loadstone::ui
