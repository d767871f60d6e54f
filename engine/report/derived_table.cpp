// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/derived_table.h"

#include "analysis/results/measured_parts.h"
#include "base/json.h"
#include "report/cells.h"
#include "report/reading_tables.h"
#include "report/text_tables.h"

#include <loadstone/derived.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace loadstone::report {

namespace {

Cell readingCell(double value)
{
    return Number { std::isfinite(value) ? std::optional(value) : std::nullopt, Unit::one,
        { Notation::decimals, 3 } };
}

struct MeasuredReading {
    std::int32_t mix;
    std::string mixName;
    const DerivedCounter* counter;
    DerivedReading reading;
};

/// Of each measurement, or of what a chosen window takes of it.
Result<std::vector<MeasuredReading>> readAll(const Recording& recording,
    const std::vector<DerivedCounter>& counters, const std::optional<TimeWindow>& window)
{
    std::vector<MeasuredReading> readings;
    for (const analysis::MeasuredPart& part : analysis::measuredParts(recording, window))
        for (const DerivedCounter& counter : counters) {
            const auto reading = derivedReading(recording, counter, part.window);
            if (!reading)
                return reading.error();
            readings.push_back({ part.phase.mix, part.phase.mixName, &counter, *reading });
        }
    return readings;
}

} // namespace

Result<Table> derivedTable(
    const Recording& recording, const PlanDerived& derived, const std::optional<TimeWindow>& window)
{
    const auto readings = readAll(recording, derived.counters, window);
    if (!readings)
        return readings.error();
    Table table { window ? "Derived counters over the window" : "Derived counters over each measurement", "",
        { { "Mix", false }, { "Counter", false }, { "Unit", false }, { "Average" }, { "Minimum" },
            { "Maximum" }, { "Samples" } },
        {} };
    const bool gaps = std::ranges::any_of(
        *readings, [](const MeasuredReading& one) { return !coversAll(one.reading.coverage); });
    if (gaps)
        table.columns.push_back({ "Covered" });
    for (const auto& [mix, mixName, counter, reading] : *readings) {
        auto& row = table.rows.emplace_back(
            std::vector<Cell> { mixName, counter->name, counter->unit, readingCell(reading.average),
                readingCell(reading.minimum), readingCell(reading.maximum), countCell(reading.samples) });
        if (gaps)
            row.push_back(coverageCell(reading.coverage));
    }
    std::string open;
    for (const std::string& problem : derived.problems)
        open += (open.empty() ? "Not computed: " : "; ") + problem;
    if (gaps)
        table.note = kCoveredNote;
    if (!open.empty())
        table.note += (gaps ? " " : "") + open + ".";
    return table;
}

Result<std::string> derivedJson(
    const Recording& recording, const PlanDerived& derived, const std::optional<TimeWindow>& window)
{
    const auto readings = readAll(recording, derived.counters, window);
    if (!readings)
        return readings.error();
    Json json { { "problems", derived.problems }, { "readings", Json::array() } };
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
    for (const auto& [mix, mixName, counter, reading] : *readings)
        json["readings"].push_back({ { "mix", mix }, { "mixName", mixName }, { "name", counter->name },
            { "unit", counter->unit }, { "definition", counter->definition },
            { "parts", counter->parts.size() }, { "average", number(reading.average) },
            { "minimum", number(reading.minimum) }, { "maximum", number(reading.maximum) },
            { "samples", reading.samples }, { "coverage", reading.coverage } });
    return jsonText(json);
}

} // namespace loadstone::report

namespace loadstone {

Result<std::string> formatDerived(const Recording& recording, const std::vector<std::string>& definitions,
    std::size_t width, const std::optional<TimeWindow>& window)
{
    PlanDerived derived = derivedOf(recording);
    for (const std::string& definition : definitions) {
        auto one = derive(recording, definition);
        if (!one)
            return one.error();
        derived.counters.push_back(*std::move(one));
    }
    auto table = report::derivedTable(recording, derived, window);
    if (!table)
        return table.error();
    std::string out;
    report::appendTable(out, *table, width);
    if (table->rows.empty() && !table->note.empty())
        report::appendWrapped(out, table->note, width);
    return out;
}

} // namespace loadstone
