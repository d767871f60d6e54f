// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/comparability.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::compare {

namespace {

std::string against(const std::string& what, const std::string& before, const std::string& after)
{
    return fmt::format("{}: {} against {}", what, before, after);
}

bool isAction(const ComparableFact& one)
{
    return one.key.starts_with(fact::action);
}

/// More than a tenth apart.
bool apart(Nanoseconds a, Nanoseconds b)
{
    constexpr double kTenth = 0.1;
    return a > Nanoseconds(0) && b > Nanoseconds(0)
        && std::abs(seconds(a) - seconds(b)) > kTenth * std::max(seconds(a), seconds(b));
}

std::string orNothing(const std::string& text)
{
    return text.empty() ? "not said" : text;
}

} // namespace

std::string faultOf(const ComparedRun& run)
{
    const auto because = [&](const char* what) {
        return run.invalidReasons.empty() ? std::string(what)
                                          : fmt::format("{}: {}", what, run.invalidReasons.front());
    };
    if (run.live)
        return "it has not ended";
    switch (run.verdict) {
    case Verdict::invalid:
        return because("its figures are not the server's alone");
    case Verdict::notDone:
        return "not all of its mailboxes are as planned";
    case Verdict::nothingSucceeded:
        return "nothing succeeded in a measurement";
    case Verdict::nothingMeasured:
        return "nothing was measured";
    case Verdict::cutShort:
        return because("it was cut short");
    case Verdict::failed:
        return because("it failed");
    case Verdict::unreadable:
        return "its recording cannot be read";
    default:
        return run.invalidReasons.empty() ? std::string() : run.invalidReasons.front();
    }
}

std::string nameOf(const ComparedRun& run)
{
    return run.id.empty() ? run.title : run.id.text();
}

FactReasons differingFacts(const ComparableFacts& before, const ComparableFacts& after)
{
    FactReasons found;
    const bool actionsKnown =
        std::ranges::any_of(before.facts, isAction) && std::ranges::any_of(after.facts, isAction);
    std::vector<std::string> actions; // behind what is said in one line
    const auto add = [&](const ComparableFact& one, const std::string& first, const std::string& second) {
        auto* to = isAction(one)              ? &actions
            : one.scope == FactScope::all     ? &found.all
            : one.scope == FactScope::passing ? &found.passing
            : one.scope == FactScope::audit   ? &found.audit
                                              : nullptr;
        if (to != nullptr)
            to->push_back(against(one.label, first, second));
    };
    const auto lacks = [&](const ComparableFact& one, bool first) {
        if (!isAction(one)) {
            if (one.scope != FactScope::none)
                found.unknown.push_back(one.label);
        } else if (actionsKnown)
            add(one, first ? one.value : "none", first ? "none" : one.value);
    };
    for (const ComparableFact& one : before.facts) {
        const ComparableFact* other = after.find(one.key);
        if (other == nullptr)
            lacks(one, true);
        else if (other->value != one.value)
            add(one, one.value, other->value);
    }
    for (const ComparableFact& one : after.facts)
        if (before.find(one.key) == nullptr)
            lacks(one, false);
    found.all.insert(found.all.end(), actions.begin(), actions.end());
    return found;
}

std::vector<std::string> differingMixes(const ComparedMix& before, const ComparedMix& after)
{
    std::vector<std::string> found;
    if (apart(before.measured, after.measured))
        found.push_back(against(
            "Length of the measurement", formatDuration(before.measured), formatDuration(after.measured)));
    if (before.warm != after.warm)
        found.push_back(against("Warm-up", before.warm ? "complete" : "cut short by its limit",
            after.warm ? "complete" : "cut short by its limit"));
    else if (apart(before.warmUp, after.warmUp))
        found.push_back(against("Warm-up", formatDuration(before.warmUp), formatDuration(after.warmUp)));
    return found;
}

std::string differingValues(const ComparedValue& before, const ComparedValue& after)
{
    if (before.version != after.version)
        return fmt::format(
            "its definition has changed: version {} against {}", before.version, after.version);
    if (before.unit != after.unit)
        return against("units", orNothing(before.unit), orNothing(after.unit));
    if (before.counts != after.counts && !before.counts.empty() && !after.counts.empty())
        return against("it counts", before.counts, after.counts);
    return {};
}

} // namespace loadstone::compare
