// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of derived counters, as people type them and as plans from elsewhere have them.
#include "series/derived_text.h"
#include "series/path_pattern.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace loadstone::series;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto derived = parseDerived(text);
    if (!derived) {
        if (derived.error().message.empty())
            std::abort();
        return 0;
    }
    // What was read can be computed: each step finds its operands, and one value is left.
    std::size_t values = 0;
    for (const DerivedStep& step : derived->steps) {
        const bool joins = step.kind == DerivedStep::Kind::times || step.kind == DerivedStep::Kind::over;
        if (joins && values < 2)
            std::abort();
        values = joins ? values - 1 : values + 1;
        for (const std::string& pattern : step.patterns)
            if (pattern.empty() || !fitsPattern(pattern, pattern))
                std::abort();
    }
    if (values != 1)
        std::abort();
    return 0;
}
