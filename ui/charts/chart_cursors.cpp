// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_cursors.h"

#include <algorithm>

namespace loadstone::ui {

std::optional<TimeWindow> Cursors::window() const
{
    if (!a || !b || *a == *b)
        return std::nullopt;
    return TimeWindow { std::min(*a, *b), std::max(*a, *b) };
}

Cursors moved(Cursors cursors, CursorName which, Nanoseconds at, Nanoseconds length)
{
    constexpr Nanoseconds kBegin(0);
    std::optional<Nanoseconds>& mover = which == CursorName::a ? cursors.a : cursors.b;
    std::optional<Nanoseconds>& other = which == CursorName::a ? cursors.b : cursors.a;
    if (!cursors.locked || !mover || !other) {
        mover = std::clamp(at, kBegin, std::max(length, kBegin));
        return cursors;
    }
    const Nanoseconds room = std::max(length, std::max(*mover, *other)); // a replay may have gone back since
    const Nanoseconds by =
        std::clamp(at - *mover, kBegin - std::min(*mover, *other), room - std::max(*mover, *other));
    mover = *mover + by;
    other = *other + by;
    return cursors;
}

CursorValue valueAt(const std::vector<CounterBand>& bands, Nanoseconds at)
{
    const auto exact = [at](const CounterBand& band) {
        return CursorValue { band.average, at - band.end, band.end, {} };
    };
    const auto holds = std::lower_bound(
        bands.begin(), bands.end(), at, [](const CounterBand& b, Nanoseconds t) { return b.end < t; });
    if (holds == bands.end() || holds->begin > at)
        return {};
    if (holds->end == at)
        return exact(*holds);
    if (holds->minimum != holds->maximum) // which of its samples came before `at` is not known here
        return { holds->average, {}, holds->end, holds->end - holds->begin };
    if (holds == bands.begin() || std::prev(holds)->end != holds->begin)
        return {}; // the first sample after a gap is still to come
    return exact(*std::prev(holds));
}

CursorReadout readout(
    const std::vector<CounterBand>& bands, const Cursors& cursors, const std::vector<ReadValue>& read)
{
    const auto valueOf = [&](Nanoseconds at) {
        const auto known =
            std::find_if(read.begin(), read.end(), [at](const ReadValue& one) { return one.at == at; });
        return known != read.end() ? known->value : valueAt(bands, at);
    };
    CursorReadout both;
    if (cursors.a)
        both.a = valueOf(*cursors.a);
    if (cursors.b)
        both.b = valueOf(*cursors.b);
    if (cursors.a && cursors.b) {
        both.difference = both.b.value - both.a.value;
        if (*cursors.a != *cursors.b)
            both.perSecond = both.difference / seconds(*cursors.b - *cursors.a);
    }
    return both;
}

Cursors shifted(Cursors cursors, Nanoseconds by)
{
    if (cursors.a)
        *cursors.a += by;
    if (cursors.b)
        *cursors.b += by;
    return cursors;
}

} // namespace loadstone::ui
