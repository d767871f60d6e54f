// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/results.h>

namespace loadstone {

namespace {

bool hasLoad(const MixResult& mix)
{
    return mix.storage && mix.storage->hasLoad();
}

double rateOf(const MixResult& mix)
{
    return mix.io.empty() ? mix.measured.sentPerSecond : mix.iosPerSecond();
}

/// The later one of two that are alike.
bool leads(const MixResult& mix, const MixResult& other)
{
    return hasLoad(mix) != hasLoad(other) ? hasLoad(mix) : rateOf(mix) >= rateOf(other);
}

} // namespace

const MixResult* leadingMix(const RunResults& results)
{
    const MixResult* leading = nullptr;
    for (const MixResult& mix : results.mixes)
        if (leading == nullptr || leads(mix, *leading))
            leading = &mix;
    return leading;
}

} // namespace loadstone
