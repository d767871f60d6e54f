// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compared_columns.h"

#include "support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace loadstone::test {

ComparedValue printedValue(
    const std::string& name, const std::string& digits, Better better, const std::string& unit)
{
    ComparedValue value;
    value.key.name = name;
    value.group = "Published";
    value.label = name;
    value.unit = unit;
    value.better = better;
    value.printed = digits;
    value.flags.external = true;
    if (digits.empty()) {
        value.flags.missing = true;
        return value;
    }
    std::string plain = digits;
    std::erase(plain, ',');
    value.value = std::stod(plain);
    const auto point = plain.find('.');
    const auto decimals = point == std::string::npos ? 0 : static_cast<int>(plain.size() - point - 1);
    value.slack = 0.5 * std::pow(10.0, -decimals);
    value.rounding = { Notation::decimals, decimals };
    return value;
}

ComparedRun reportOf(const std::string& title, double users, std::vector<ComparedValue> values)
{
    ComparedRun run;
    run.title = title;
    run.external = true;
    ComparedMix& mix = run.mixes.emplace_back();
    mix.name = title;
    mix.load = users;
    mix.loadUnit = "users";
    mix.values = std::move(values);
    return run;
}

ComparedColumn columnOf(const std::string& name, std::vector<ComparedRun> runs)
{
    return { name, std::move(runs), {} };
}

ComparedValue measuredValue(std::string_view figure, double value)
{
    const auto id = findFigure(figure);
    if (!id)
        throw std::logic_error("no such figure: " + std::string(figure));
    const FigureInfo& info = infoOf(*id);
    ComparedValue to;
    to.key.figure = info.key;
    to.group = fmt::format("Table {}", static_cast<int>(info.table));
    to.label = info.name;
    to.value = value;
    to.unit = info.unit.name;
    to.rounding = info.rounding;
    to.better = info.better;
    to.statistic = info.statistic;
    to.version = info.version;
    return to;
}

ComparedRun runOf(int number, std::vector<ComparedValue> values, const std::string& configuration)
{
    ComparedRun run;
    run.started = WallTime(std::chrono::hours(24 * 365 * 50 + number));
    const auto day = number / 24, hour = number % 24;
    run.id = RunId::parse(
        fmt::format("2026{:02}{:02}-{:02}0000-{:04x}", 1 + day / 28 % 12, 1 + day % 28, hour, number % 65536))
                 .value();
    run.title = fmt::format("run {}", number);
    run.verdict = Verdict::measured;
    run.configuration = configuration;
    run.facts.set({ "kind", "Kind of test", "mail", FactScope::all, true });
    ComparedMix& mix = run.mixes.emplace_back();
    mix.index = 0;
    mix.name = "1000 users";
    mix.load = 1000;
    mix.loadUnit = "users";
    mix.measured = std::chrono::minutes(10);
    mix.warmUp = std::chrono::minutes(2);
    mix.values = std::move(values);
    return run;
}

const ComparisonRow& rowOf(const Comparison& comparison, const std::string& name)
{
    for (const ComparisonMix& mix : comparison.mixes)
        for (const ComparisonRow& row : mix.rows)
            if (row.key.name == name || row.key.figure == name || row.label == name)
                return row;
    FAIL("no row " << name);
    throw std::logic_error("not reached");
}

} // namespace loadstone::test
