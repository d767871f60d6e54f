// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/columns.h"

#include "compare/comparability.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadstone::compare {

bool isOwn(const ComparedRun& run)
{
    return !run.external && !run.id.empty();
}

ColumnFacts lookAtColumn(const ComparedColumn& of, ColumnStatus& status)
{
    ColumnFacts facts;
    std::vector<std::string> faults;
    for (const ComparedRun& run : of.runs) {
        const std::string fault = faultOf(run);
        facts.counts.push_back(fault.empty());
        facts.external = facts.external || run.external;
        if (!fault.empty())
            faults.push_back(fmt::format("{}: {}", nameOf(run), fault));
        else if (run.verdict == Verdict::wentWrong)
            status.cautions.push_back(
                fmt::format("{}: the audit or the oracle found faults of the server", nameOf(run)));
        for (const std::string& remark : run.remarks)
            status.cautions.push_back(
                fmt::format("{}: {}", nameOf(run), remark.substr(0, remark.find_last_not_of('.') + 1)));
    }
    const auto good = std::ranges::find(facts.counts, true);
    if (good == facts.counts.end()) {
        // Its figures stand there all the same.
        facts.counts.assign(of.runs.size(), true);
        facts.reason = faults.front();
        status.notComparable = std::move(faults);
    } else
        for (const std::string& fault : faults)
            status.cautions.push_back("left out of the means: " + fault);
    const auto first = static_cast<std::size_t>(std::ranges::find(facts.counts, true) - facts.counts.begin());
    facts.poolingKey = of.runs[first].facts.poolingKey();
    for (std::size_t i = first + 1; i < of.runs.size(); ++i)
        if (facts.counts[i])
            for (const std::string& reason : differingFacts(of.runs[first].facts, of.runs[i].facts).all)
                status.cautions.push_back("its runs differ in " + reason);
    std::set<std::string> configurations;
    for (std::size_t i = 0; i < of.runs.size(); ++i)
        if (facts.counts[i] && isOwn(of.runs[i]) && !of.runs[i].configuration.empty())
            configurations.insert(of.runs[i].configuration);
    if (configurations.size() > 1)
        status.cautions.push_back(fmt::format(
            "its runs are of {} configurations: they are not repeats of each other", configurations.size()));
    std::set<RunId> seen;
    for (const ComparedRun& run : of.runs)
        if (!run.id.empty() && !seen.insert(run.id).second)
            status.cautions.push_back(fmt::format("run {} is in it twice", run.id.text()));
    return facts;
}

void holdAgainst(const ComparedColumn& baseline, const ColumnFacts& base, const ComparedColumn& column,
    ColumnFacts& facts, ColumnStatus& status)
{
    const auto firstOf = [](const ComparedColumn& of, const ColumnFacts& its) -> const ComparedRun& {
        return of.runs[static_cast<std::size_t>(std::ranges::find(its.counts, true) - its.counts.begin())];
    };
    const ComparedRun& before = firstOf(baseline, base);
    const ComparedRun& after = firstOf(column, facts);
    const FactReasons reasons = differingFacts(before.facts, after.facts);
    if (before.kind != after.kind && !before.external && !after.external
        && before.facts.find(fact::kind) == nullptr)
        status.notComparable.push_back(
            fmt::format("Kind of test: {} against {}", toString(before.kind), toString(after.kind)));
    status.notComparable.insert(status.notComparable.end(), reasons.all.begin(), reasons.all.end());
    status.unknown = reasons.unknown;
    for (const std::string& reason : reasons.passing)
        status.cautions.push_back("which loads pass cannot be compared: " + reason);
    for (const std::string& reason : reasons.audit)
        status.cautions.push_back("figures of the audit cannot be compared: " + reason);
    facts.audit = reasons.audit;
    if (!base.reason.empty() && status.notComparable.empty())
        status.notComparable.push_back("the baseline: " + base.reason);
    if (!status.notComparable.empty())
        facts.reason = status.notComparable.front();
    for (const ComparedRun& run : column.runs)
        for (const ComparedRun& other : baseline.runs)
            if ((isOwn(run) && isOwn(other) && run.id == other.id && run.target == other.target)
                || (run.external && other.external && !run.file.empty() && run.file == other.file
                    && run.title == other.title)) {
                if (!facts.shared)
                    status.cautions.push_back(fmt::format("{} is in the baseline, too", nameOf(run)));
                facts.shared = true;
            }
}

Control findControl(const std::vector<ComparedColumn>& columns, const CompareOptions& options,
    const std::vector<ColumnFacts>& facts)
{
    Control control;
    const ComparedColumn& base = columns[options.baseline];
    const auto begins = [&](std::size_t column, bool last) {
        WallTime found = columns[column].runs.front().started;
        for (const ComparedRun& run : columns[column].runs)
            found = last ? std::max(found, run.started) : std::min(found, run.started);
        return found;
    };
    const auto own = [&](std::size_t column) { return std::ranges::all_of(columns[column].runs, isOwn); };
    if (!own(options.baseline))
        return control;
    const std::string& configuration = base.runs.front().configuration;
    control.column = options.control;
    for (std::size_t c = 0; c < columns.size() && !control.column; ++c) {
        if (c == options.baseline || !own(c) || configuration.empty() || facts[c].shared
            || !std::ranges::all_of(
                columns[c].runs, [&](const ComparedRun& run) { return run.configuration == configuration; }))
            continue;
        bool afterAll = true, anyBetween = false;
        for (std::size_t other = 0; other < columns.size(); ++other)
            if (other != c && other != options.baseline && own(other)
                && columns[other].runs.front().configuration != configuration) {
                afterAll = afterAll && begins(other, true) < begins(c, false);
                anyBetween = anyBetween || begins(options.baseline, true) < begins(other, false);
            }
        if (afterAll && anyBetween)
            control.column = c;
    }
    if (control.column)
        return control;
    std::vector<WallTime> others;
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (c != options.baseline && own(c))
            for (const ComparedRun& run : columns[c].runs)
                others.push_back(run.started);
    // How many runs of others each run of the baseline has before it: equal for those without one between them.
    std::vector<std::ptrdiff_t> place;
    for (const ComparedRun& run : base.runs)
        place.push_back(std::ranges::count_if(others, [&](WallTime other) { return other < run.started; }));
    const auto [first, last] = std::ranges::minmax(place);
    if (first == last)
        return control;
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] == first)
            control.before.push_back(i);
        else if (place[i] == last)
            control.after.push_back(i);
    }
    control.around = first == 0 && last == std::ssize(others)
        && control.before.size() + control.after.size() == place.size();
    return control;
}

} // namespace loadstone::compare

namespace loadstone {

std::vector<bool> countingRuns(const ComparedColumn& column)
{
    ColumnStatus status;
    const compare::ColumnFacts facts = compare::lookAtColumn(column, status);
    return facts.reason.empty() ? facts.counts : std::vector<bool>(column.runs.size(), false);
}

} // namespace loadstone
