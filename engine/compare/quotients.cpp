// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/comparison.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace loadstone {

namespace {

bool sameText(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

const ComparedValue* find(const std::vector<ComparedValue>& values, const std::string& name)
{
    const auto at = std::ranges::find_if(values, [&](const ComparedValue& value) {
        return sameText(value.key.name, name) || sameText(value.label, name)
            || sameText(value.key.figure, name);
    });
    return at == values.end() ? nullptr : &*at;
}

void addTo(std::vector<ComparedValue>& values, const std::string& dividend, const std::string& divisor)
{
    const ComparedValue* above = find(values, dividend);
    const ComparedValue* below = find(values, divisor);
    if (above == nullptr || below == nullptr)
        return;
    ComparedValue quotient = *above;
    quotient.key = {};
    quotient.key.name = dividend + " / " + divisor;
    quotient.label = above->label + " / " + below->label;
    quotient.unit.clear();
    if (above->unit != below->unit)
        quotient.unit = above->unit.empty() && below->unit.empty() ? ""
            : below->unit.empty()                                  ? above->unit
                                  : (above->unit.empty() ? "1" : above->unit) + "/" + below->unit;
    quotient.statistic = Statistic::ratio;
    quotient.printed.clear();
    quotient.withinError.reset();
    quotient.value.reset();
    quotient.detail = false;
    quotient.rounding = { Notation::rate };
    const bool known = above->value && below->value && *below->value > 0 && !below->flags.lowerBound;
    if (known && std::isfinite(*above->value / *below->value)) {
        quotient.value = *above->value / *below->value;
        // To first order, as for any quotient of two rounded numbers.
        quotient.slack =
            above->slack / *below->value + std::abs(*quotient.value) * below->slack / *below->value;
        if (!std::isfinite(quotient.slack))
            quotient.slack = 0;
    }
    quotient.flags.missing = !quotient.value;
    values.push_back(std::move(quotient));
}

} // namespace

void addQuotients(
    std::vector<ComparedColumn>& columns, const std::string& dividend, const std::string& divisor)
{
    for (ComparedColumn& column : columns)
        for (ComparedRun& run : column.runs) {
            for (ComparedMix& mix : run.mixes)
                addTo(mix.values, dividend, divisor);
            addTo(run.wholeRun, dividend, divisor);
        }
}

} // namespace loadstone
