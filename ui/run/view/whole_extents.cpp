// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/whole_extents.h"

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kLate =
    std::chrono::minutes(1); // samples of a source may come as long after their time

bool within(const std::vector<CounterBand>& bands, const ValueExtent& extent)
{
    return std::all_of(bands.begin(), bands.end(), [&](const CounterBand& b) {
        const double positive = smallestPositive(b);
        return b.minimum >= extent.minimum && b.maximum <= extent.maximum
            && (positive <= 0 || (extent.positive > 0 && positive >= extent.positive));
    });
}

std::optional<ValueExtent> both(const std::optional<ValueExtent>& a, const std::optional<ValueExtent>& b)
{
    if (!a || !b)
        return a ? a : b;
    return joined(*a, *b);
}

void dropMissing(std::vector<CounterBand>& bands)
{
    std::erase_if(bands, [](const CounterBand& b) { return !std::isfinite(b.average); });
}

/// Takes out what lies in a drain, unless there is nothing else. Then the server has only the rest of the load to work off, often in
/// one burst, beside which the load would be a flat line.
void dropDrain(std::vector<CounterBand>& bands, const std::vector<Phase>& phases)
{
    const auto isLoad = [&](const CounterBand& band) {
        return std::ranges::none_of(phases, [&](const Phase& phase) {
            return phase.kind == PhaseKind::drain && band.end > phase.begin
                && (phase.open || band.begin < phase.end);
        });
    };
    if (std::ranges::any_of(bands, isLoad))
        std::erase_if(bands, [&](const CounterBand& band) { return !isLoad(band); });
}

} // namespace

Result<std::optional<ValueExtent>> WholeExtents::of(
    const LineKey& key, Nanoseconds length, const std::vector<Phase>& phases, const Read& read)
{
    auto known = std::find_if(m_known.begin(), m_known.end(), [&](const Known& k) { return k.key == key; });
    if (known == m_known.end())
        known = m_known.insert(m_known.end(), Known { key, Nanoseconds(0), std::nullopt });
    const bool late = !key.source.empty();
    if (known->upTo == length && !late)
        return known->extent;
    if (known->upTo > Nanoseconds(0) && known->extent) {
        auto news = read({ late ? std::max(Nanoseconds(0), known->upTo - kLate) : known->upTo, length });
        if (!news)
            return news.error();
        dropMissing(*news);
        dropDrain(*news, phases);
        if (within(*news, *known->extent)) {
            known->upTo = length;
            return known->extent;
        }
    }
    auto all = read({ Nanoseconds(0), length });
    if (!all)
        return all.error();
    dropMissing(*all);
    dropDrain(*all, phases);
    known->extent = both(known->extent, wholeExtent(*all));
    known->upTo = length;
    return known->extent;
}

} // namespace loadstone::ui
