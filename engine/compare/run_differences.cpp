// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/configuration.h"

#include <loadstone/run_differences.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace loadstone {

namespace {

using Group = RunDifference::Group;
using Differences = std::vector<RunDifference>;

// --- plan

Result<void> addPlans(const Recording& before, const Recording& after, Differences& found)
{
    const auto one = compare::planValues(before.header()), two = compare::planValues(after.header());
    if (!one || !two)
        return one ? two.error() : one.error();
    // In the order of the second plan's lines, which is the newer one as a rule; what only the first has stands by its own line.
    std::vector<std::pair<int, std::string>> labels;
    for (const auto& [label, value] : *two)
        labels.emplace_back(value.line, label);
    for (const auto& [label, value] : *one)
        if (!two->contains(label))
            labels.emplace_back(value.line, label);
    std::ranges::sort(labels);
    for (const auto& [line, label] : labels) {
        const auto valueIn = [&label = label](
                                 const compare::PlanValues& values) -> std::optional<compare::PlanValue> {
            const auto at = values.find(label);
            return at != values.end() ? std::optional(at->second) : compare::fallbackOf(values, label);
        };
        const auto first = valueIn(*one), second = valueIn(*two);
        if (first && second && first->compared == second->compared)
            continue;
        const auto dot = label.rfind('.');
        found.push_back({ Group::plan, label, label, dot == std::string::npos ? label : label.substr(dot + 1),
            first ? first->text : "", second ? second->text : "" });
    }
    return {};
}

// --- host, and what Loadstone was made with

void addFacts(Group group, const std::string& what, const std::string& before, const std::string& after,
    Differences& found)
{
    const compare::Facts one = compare::factsOf(before), two = compare::factsOf(after);
    const auto valueIn = [](const compare::Facts& facts, const std::string& name) -> std::string {
        const auto at = std::ranges::find(facts, name, &compare::Facts::value_type::first);
        return at == facts.end() ? std::string() : at->second;
    };
    const auto add = [&](const std::string& name, const std::string& first, const std::string& second) {
        if (first != second)
            found.push_back({ group, name, what + name, name, first, second });
    };
    for (const auto& [name, value] : one)
        add(name, value, valueIn(two, name));
    for (const auto& [name, value] : two)
        if (std::ranges::find(one, name, &compare::Facts::value_type::first) == one.end())
            add(name, {}, value);
}

} // namespace

const char* toString(RunDifference::Group group)
{
    static constexpr std::array kNames { "lab", "tuning", "software", "plan", "host", "study" };
    return kNames.at(static_cast<std::size_t>(group));
}

const char* titleOf(RunDifference::Group group)
{
    static constexpr std::array kTitles { "Lab", "Tunings", "Software", "Plan",
        "The machine of the load generator", "The study" };
    return kTitles.at(static_cast<std::size_t>(group));
}

Result<std::vector<RunDifference>> runDifferences(const Recording& before, const Recording& after)
{
    Differences found;
    const auto one = before.lab(), two = after.lab();
    if (!one || !two)
        return one ? two.error() : one.error();
    compare::addLabDifferences(*one, *two, found);
    const RunHeader& first = before.header();
    const RunHeader& second = after.header();
    addFacts(Group::software, "Loadstone: ", first.versionsJson, second.versionsJson, found);
    if (const auto plans = addPlans(before, after, found); !plans)
        return plans.error();
    addFacts(Group::host, "", first.hostJson, second.hostJson, found);
    std::ranges::stable_sort(found, {}, &RunDifference::group);
    return found;
}

std::vector<ReportTable> runDifferenceTables(
    const std::vector<RunDifference>& differences, const std::string& before, const std::string& after)
{
    using enum RunDifference::Group;
    std::vector<ReportTable> tables;
    for (const RunDifference::Group group : { lab, tuning, software, plan, host, study }) {
        ReportTable table { titleOf(group), "", { { "What", false }, { before, false }, { after, false } },
            {} };
        for (const RunDifference& one : differences)
            if (one.group == group)
                table.rows.push_back({ one.label, one.before.empty() ? "-" : one.before,
                    one.after.empty() ? "-" : one.after });
        if (!table.empty())
            tables.push_back(std::move(table));
    }
    return tables;
}

} // namespace loadstone
