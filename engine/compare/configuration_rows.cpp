// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/configuration.h"

#include <loadstone/comparison.h>
#include <loadstone/lab_text.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace loadstone {

namespace {

using Group = RunDifference::Group;

/// What the columns say of one thing; the compared texts are the same for values that are the same.
struct Line {
    ConfigurationRow row;
    std::vector<std::string> compared;
    std::vector<bool> stated;
    std::vector<std::set<std::string>>
        further; ///< compared texts of a column's other runs that have another one
};

class Lines {
public:
    explicit Lines(std::size_t columns)
        : m_columns(columns)
    {
    }
    void set(Group group, const std::string& label, std::size_t column, const std::string& value,
        const std::string& compared)
    {
        Line& line = lineOf(group, label);
        line.row.values[column] = value;
        line.compared[column] = compared;
        line.stated[column] = true;
    }
    Line& lineOf(Group group, const std::string& label)
    {
        const auto [at, isNew] = m_places.try_emplace({ group, label }, m_lines.size());
        if (isNew) {
            Line& line = m_lines.emplace_back();
            line.row = { group, label, std::vector<std::string>(m_columns), false };
            line.compared.resize(m_columns);
            line.stated.resize(m_columns);
            line.further.resize(m_columns);
        }
        return m_lines[at->second];
    }
    std::vector<Line>& all() { return m_lines; }

private:
    std::size_t m_columns;
    std::vector<Line> m_lines;
    std::map<std::pair<Group, std::string>, std::size_t> m_places;
};

/// Of labs only what differs from the first one is known, so the first one's value stands for the others.
void addLabs(const std::vector<std::pair<std::size_t, RunLab>>& labs, Lines& lines)
{
    if (labs.empty())
        return;
    const auto& [reference, first] = labs.front();
    std::map<std::pair<Group, std::string>, std::set<std::size_t>> said;
    std::vector<std::pair<std::pair<Group, std::string>, std::string>> before;
    for (std::size_t i = 1; i < labs.size(); ++i) {
        std::vector<RunDifference> found;
        compare::addLabDifferences(first, labs[i].second, found);
        std::set<std::pair<Group, std::string>> ofThis;
        for (const RunDifference& one : found) {
            // Labels are for people; several things may have one.
            std::pair<Group, std::string> key(one.group, one.label);
            while (!ofThis.insert(key).second)
                key.second += " ";
            lines.set(key.first, key.second, labs[i].first, one.after, one.after);
            if (said[key].insert(labs[i].first).second && said[key].size() == 1)
                before.emplace_back(key, one.before);
        }
    }
    for (const auto& [key, value] : before)
        for (const auto& [column, lab] : labs)
            if (!said[key].contains(column))
                lines.set(key.first, key.second, column, value, value);
    const bool one =
        std::ranges::all_of(labs, [&first = first](const auto& of) { return of.second == first; });
    for (const auto& [column, lab] : labs)
        if (one && !first.empty()) // else what differs stands there
            lines.set(Group::lab, "Lab", column, describeLab(lab), describeLab(lab));
}

/// Gives the values of its plan.
Result<compare::PlanValues> addRecording(const Recording& recording, std::size_t column, Lines& lines)
{
    auto plan = compare::planValues(recording.header());
    if (!plan)
        return plan.error();
    std::vector<std::pair<int, std::string>> order;
    for (const auto& [label, value] : *plan)
        order.emplace_back(value.line, label);
    std::ranges::sort(order);
    for (const auto& [line, label] : order) {
        const compare::PlanValue& value = plan->find(label)->second;
        lines.set(Group::plan, label, column, value.text, value.compared);
    }
    if (const RunStudy& study = recording.header().study; !study.empty()) {
        const std::string value = study.study + ": " + study.studyCase;
        lines.set(Group::study, "Study and case", column, value, value); // its commands may tune something
    }
    for (const auto& [name, value] : compare::factsOf(recording.header().versionsJson))
        lines.set(Group::software, "Loadstone: " + name, column, value, value);
    for (const auto& [name, value] : compare::factsOf(recording.header().hostJson))
        lines.set(Group::host, name, column, value, value);
    return plan;
}

/// What a further run of a column has otherwise stands behind what its runs before have. `plan`: of its first run.
Result<void> addFurther(
    const Recording& recording, std::size_t column, const compare::PlanValues& plan, Lines& lines)
{
    Lines own(1);
    if (const auto added = addRecording(recording, 0, own); !added)
        return added.error();
    for (const Line& line : own.all()) {
        Line& all = lines.lineOf(line.row.group, line.row.label);
        std::string& values = all.row.values[column];
        std::set<std::string>& known = all.further[column];
        if (!all.stated[column]) { // those before have the default
            const auto fallback =
                line.row.group == Group::plan ? compare::fallbackOf(plan, line.row.label) : std::nullopt;
            values = fallback ? fallback->text : "not stated";
            all.compared[column] = fallback ? fallback->compared : "";
            all.stated[column] = true;
        }
        if (line.compared[0] == all.compared[column] || !known.insert(line.compared[0]).second)
            continue;
        constexpr std::size_t kMost = 4;
        if (known.size() <= kMost)
            values += known.size() < kMost ? ", " + line.row.values[0] : ", …";
    }
    return {};
}

/// The plans of columns that are runs of ours.
using ColumnPlans = std::vector<std::optional<compare::PlanValues>>;

/// Defaults for what a plan of ours does not state, and whether all agree.
void finish(Line& line, const ColumnPlans& plans)
{
    for (std::size_t c = 0; c < plans.size(); ++c) {
        if (line.stated[c] || !plans[c] || line.row.group != Group::plan)
            continue;
        if (const auto fallback = compare::fallbackOf(*plans[c], line.row.label)) {
            line.row.values[c] = fallback->text;
            line.compared[c] = fallback->compared;
            line.stated[c] = true;
        }
    }
    std::optional<std::set<std::string>> first;
    line.row.same = true;
    for (std::size_t c = 0; c < plans.size(); ++c) {
        if (!line.stated[c] && !plans[c])
            continue; // a report need not say everything
        std::set<std::string> compared = line.further[c];
        compared.insert(line.compared[c]);
        if (first && *first != compared)
            line.row.same = false;
        first = first.value_or(compared);
    }
}

} // namespace

Result<std::vector<ConfigurationRow>> configurationRows(
    const std::vector<ComparedColumn>& columns, std::size_t baseline)
{
    Lines lines(columns.size());
    ColumnPlans plans(columns.size());
    std::vector<std::pair<std::size_t, RunLab>> labs;
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < columns.size(); ++c)
        order.push_back(c);
    if (baseline < columns.size())
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(baseline),
            order.begin() + static_cast<std::ptrdiff_t>(baseline) + 1);
    for (const std::size_t c : order) {
        if (columns[c].runs.empty())
            continue;
        const ComparedRun& run = columns[c].runs.front();
        if (run.external || run.file.empty()) {
            for (const ConfigurationValue& one : run.described)
                lines.set(one.group, one.label, c, one.value, one.value);
            if (!run.lab.empty())
                labs.emplace_back(c, run.lab);
            continue;
        }
        const auto recording = Recording::open(run.file, run.target);
        if (!recording)
            return recording.error();
        const auto lab = recording->lab();
        if (!lab)
            return lab.error();
        labs.emplace_back(c, *lab);
        auto plan = addRecording(*recording, c, lines);
        if (!plan)
            return plan.error();
        plans[c] = *std::move(plan);
        for (const ComparedRun& further : std::span(columns[c].runs).subspan(1)) {
            if (further.external || further.file.empty())
                continue;
            const auto other = Recording::open(further.file, further.target);
            if (!other)
                return other.error();
            if (const auto added = addFurther(*other, c, *plans[c], lines); !added)
                return added.error();
        }
    }
    addLabs(labs, lines);
    std::vector<ConfigurationRow> rows;
    for (Line& line : lines.all()) {
        finish(line, plans);
        rows.push_back(std::move(line.row));
    }
    std::ranges::stable_sort(
        rows, {}, [](const ConfigurationRow& row) { return std::pair(row.same, row.group); });
    return rows;
}

} // namespace loadstone
