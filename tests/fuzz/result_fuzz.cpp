// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text is a result from elsewhere or is refused with lines of the text; one that can be used has texts that may be shown, finite
// numbers, and a CSV that reads as the same numbers.

#include "document/row_value.h"

#include <loadstone/compared.h>
#include <loadstone/external_result.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

bool isShowable(const std::string& text)
{
    return !document::faultOfText(text, true);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const CheckedResult checked = readResult(Document(text, "fuzz.toml"));
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const Problem& problem : checked.problems) {
        require(problem.line >= 0 && problem.line <= lines && !problem.message.empty()
            && !problem.remedy.empty());
        require(isShowable(problem.format("fuzz.toml")));
    }
    if (!checked.usable())
        return 0;
    const ExternalResult& result = checked.result;
    require(isShowable(result.title) && isShowable(result.note));
    for (const ResultValue& value : result.values) {
        require(value.system < result.systems.size() && value.figure < result.figures.size());
        if (value.printed)
            require(std::isfinite(value.printed->value) && std::isfinite(value.printed->slack)
                && isShowable(value.printed->text));
    }
    std::size_t numbers = 0;
    const auto runs = comparedRuns(result);
    require(runs.size() == result.systems.size());
    for (const ComparedRun& run : runs) {
        numbers += run.wholeRun.size();
        for (const ComparedMix& mix : run.mixes)
            numbers += mix.values.size();
    }
    require(numbers == result.values.size());
    return 0;
}
