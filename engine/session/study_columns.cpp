// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison of a study looks at.
#include "compare/study/check_study.h"
#include "compare/study/host_set.h"

#include <loadstone/compared.h>
#include <loadstone/external_result.h>
#include <loadstone/history.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadstone {

namespace {

/// The measurement of a run that has one alone; nothing for one with several.
std::optional<TimeWindow> measurementOf(const ComparedRun& run)
{
    if (run.mixes.size() != 1 || run.mixes.front().window.end <= run.mixes.front().window.begin)
        return std::nullopt;
    return run.mixes.front().window;
}

class Columns {
public:
    Columns(const Study& study, History& history)
        : m_study(study)
        , m_history(history)
    {
    }

    Result<std::vector<ComparedColumn>> make()
    {
        const auto steps = progressOf(m_study, m_history);
        if (!steps)
            return steps.error();
        for (const StudyCase& one : m_study.cases) {
            auto column = columnOf(one, *steps);
            if (!column)
                return column.error().within(one.id);
            m_cases.emplace(one.id, *std::move(column));
        }
        std::vector<ComparedColumn> columns;
        for (const StudyCase& one : m_study.cases)
            if (const auto column = shownColumn(one); !column.runs.empty())
                columns.push_back(column);
        for (const HostSet& set : m_study.sets) {
            auto column = columnOf(set);
            if (!column)
                return column.error().within(set.id);
            if (!column->runs.empty())
                columns.push_back(*std::move(column));
        }
        for (ComparedColumn& column : columns)
            compare::addRatios(m_study.ratios, column);
        return columns;
    }

private:
    Result<ComparedColumn> columnOf(const StudyCase& one, const std::vector<StudyStep>& steps)
    {
        ComparedColumn column { one.label(), {}, one.notes, one.id };
        if (!one.result.empty())
            return ofResult(one, std::move(column));
        std::vector<RunId> runs;
        for (const StudyStep& step : steps)
            if (m_study.cases[step.caseIndex].id == one.id && !step.run.empty())
                runs.push_back(step.run);
        for (const std::string& text : one.runs)
            if (const auto id = RunId::parse(text); id && std::ranges::find(runs, *id) == runs.end())
                runs.push_back(*id);
        for (const RunId& id : runs) {
            auto run = runOf(id);
            if (!run)
                return run.error();
            column.runs.push_back(*std::move(run));
        }
        return column;
    }

    Result<ComparedRun> runOf(const RunId& id, const std::optional<TimeWindow>& window = {})
    {
        const auto recording = m_history.openRun(id);
        if (!recording)
            return recording.error();
        return comparedRun(*recording, window);
    }

    Result<ComparedColumn> ofResult(const StudyCase& one, ComparedColumn column)
    {
        const std::filesystem::path file = compare::resultFileOf(m_study, one);
        auto known = m_results.find(file);
        if (known == m_results.end()) {
            auto checked = checkResult(file);
            if (!checked)
                return checked.error();
            if (!checked->usable())
                return fail(file.string() + ": the result has errors; \"loadstone result check\" says which");
            known = m_results.emplace(file, std::move(checked->result)).first;
        }
        const ExternalResult& result = known->second;
        auto system = result.findSystem(one.system.empty() ? one.id : one.system);
        if (!system && one.system.empty() && result.systems.size() == 1)
            system = 0;
        if (!system)
            return fail(file.string() + ": has no system \"" + one.system + "\"");
        column.runs.push_back(comparedRuns(result)[*system]);
        if (!result.systems[*system].note.empty())
            column.note += (column.note.empty() ? "" : "; ") + result.systems[*system].note;
        return column;
    }

    /// As a column of its own: with the rows of its set, and not at all where its set does not keep it.
    [[nodiscard]] ComparedColumn shownColumn(const StudyCase& one) const
    {
        ComparedColumn column = m_cases.at(one.id);
        for (const HostSet& set : m_study.sets)
            if (std::ranges::find(set.hosts, one.id) != set.hosts.end())
                return set.keepHosts ? compare::withRowsOf(set, std::move(column)) : ComparedColumn {};
        return column;
    }

    Result<ComparedColumn> columnOf(const HostSet& set)
    {
        std::vector<ComparedColumn> hosts;
        std::string without;
        for (const std::string& id : set.hosts) {
            hosts.push_back(m_cases.at(id));
            if (hosts.back().runs.empty())
                without += (without.empty() ? "" : ", ") + hosts.back().name;
        }
        if (!without.empty())
            return ComparedColumn { set.label(), {}, "there is no run of " + without, set.id };
        if (set.commonWindow)
            if (const auto cut = cutToCommon(hosts); !cut)
                return cut.error();
        return columnOfHosts(set, hosts);
    }

    /// Runs of hosts over the time in which all of them measured.
    Result<void> cutToCommon(std::vector<ComparedColumn>& hosts)
    {
        std::size_t repeats = hosts.front().runs.size();
        for (const ComparedColumn& host : hosts)
            repeats = std::min(repeats, host.runs.size());
        for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
            WallTime begin = WallTime::min(), end = WallTime::max();
            bool known = true;
            for (const ComparedColumn& host : hosts) {
                const ComparedRun& run = host.runs[repeat];
                const auto window = run.external ? std::nullopt : measurementOf(run);
                known = known && window.has_value();
                if (!window)
                    continue;
                begin = std::max(begin, run.started + window->begin);
                end = std::min(end, run.started + window->end);
            }
            if (!known || end <= begin)
                continue; // columnOfHosts() says so
            for (ComparedColumn& host : hosts) {
                ComparedRun& run = host.runs[repeat];
                const TimeWindow window { begin - run.started, end - run.started };
                if (window == run.mixes.front().window)
                    continue;
                auto cut = runOf(run.id, window);
                if (!cut)
                    return cut.error();
                run = *std::move(cut);
            }
        }
        return {};
    }

    const Study& m_study;
    History& m_history;
    std::map<std::string, ComparedColumn> m_cases;
    std::map<std::filesystem::path, ExternalResult> m_results;
};

} // namespace

Result<std::vector<ComparedColumn>> columnsOf(const Study& study, History& history)
{
    return Columns(study, history).make();
}

std::vector<ComparedColumn> columnsOf(
    const StudyComparison& comparison, const std::vector<ComparedColumn>& columns)
{
    std::vector<std::string> ids { comparison.baseline };
    ids.insert(ids.end(), comparison.with.begin(), comparison.with.end());
    std::vector<ComparedColumn> chosen;
    for (const std::string& id : ids) {
        const auto found = std::ranges::find(columns, id, &ComparedColumn::id);
        if (found == columns.end())
            return {};
        chosen.push_back(*found);
    }
    return chosen;
}

std::size_t baselineColumn(const Study& study, const std::vector<ComparedColumn>& columns)
{
    const auto found = std::ranges::find(columns, study.baseline, &ComparedColumn::id);
    return found == columns.end() ? 0 : static_cast<std::size_t>(found - columns.begin());
}

} // namespace loadstone
