// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Runs to compare, as the catalogue keeps them.
#include <loadstone/repeatability.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace loadstone;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    RepeatPool pool;
    (void)pool.add(bytes);
    const auto run = decodeCompared(bytes);
    if (!run)
        return 0;
    // What was read is written and read the same.
    const auto again = decodeCompared(encodeCompared(*run));
    if (!again || *again != *run)
        std::abort();
    for (const ComparedMix& mix : run->mixes)
        for (const ComparedValue& value : mix.values)
            (void)pool.of(run->facts.poolingKey(), &mix, value);
    return 0;
}
