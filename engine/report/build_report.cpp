// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/archive.h"
#include "report/charts.h"
#include "report/derived_table.h"
#include "report/fact_tables.h"
#include "report/judgement_tables.h"
#include "report/lab_section.h"
#include "report/model.h"
#include "report/reading_tables.h"
#include "report/result_tables.h"
#include "report/storage_tables.h"
#include "report/wording.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace loadstone::report {

namespace {

void add(Section& section, Table table)
{
    if (!table.empty())
        section.tables.push_back(std::move(table));
}

void add(Section& section, Chart chart)
{
    if (!chart.curves.empty())
        section.charts.push_back(std::move(chart));
}

/// Charts of the recording; the first that cannot be read ends the report.
Result<void> add(Section& section, Result<Chart> chart)
{
    if (!chart)
        return chart.error();
    add(section, *std::move(chart));
    return {};
}

Result<Section> resultSection(const Recording& recording, const RunResults& results)
{
    Section section { "Results", "", {}, {} };
    add(section, preparationTable(results));
    add(section, messageTable(results));
    add(section, finalWindowTable(results));
    add(section, testTable(results));
    add(section, ioTable(results));
    add(section, ratesByUsersChart(results));
    add(section, responseByUsersChart(results));
    if (auto added = add(section, messageRateChart(recording)); !added)
        return added.error();
    if (auto added = add(section, ioRateChart(recording)); !added)
        return added.error();
    if (auto added = add(section, failureChart(recording)); !added)
        return added.error();
    add(section, errorTable(results));
    return section;
}

Result<RunResults> resultsOver(const Recording& recording, const std::optional<TimeWindow>& window)
{
    return window ? computeResults(recording, *window) : computeResults(recording);
}

Result<Judgement> judgementOver(const Recording& recording, const std::optional<TimeWindow>& window)
{
    return window ? judge(recording, *window) : judge(recording);
}

Result<Section> criteriaSection(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto judgement = judgementOver(recording, window);
    if (!judgement)
        return judgement.error();
    Section section { "Criteria", criteriaSentence(*judgement), {}, {} };
    add(section, criteriaTable(*judgement));
    return section;
}

Result<Section> loadSection(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto loads = computeLoads(recording, window);
    if (!loads)
        return loads.error();
    const auto states = findSteadyStates(recording);
    if (!states)
        return states.error();
    Section section { "Load", "", {}, {} };
    add(section, loadTable(*loads));
    add(section, userDayTable(*loads));
    add(section, steadyStateTable(*states));
    return section;
}

/// The window of the last mix's results.
ScoreOptions scoreOptionsOf(const RunResults& results)
{
    ScoreOptions options;
    if (results.window && !results.mixes.empty()) {
        options.from = results.mixes.back().measured.begin;
        options.to = results.mixes.back().measured.end;
    }
    return options;
}

/// The average, minimum and maximum of every counter: the usual ones of other computers to be seen, the others folded.
Result<Section> counterSection(const Recording& recording, const RunResults& results)
{
    const auto readings = readingsOf(recording, results.window);
    if (!readings)
        return readings.error();
    Section section { "Counters",
        fmt::format(
            "Average, minimum and maximum over {}; in an average each sample weighs as much as its tick "
            "is long. What happens is counted per second.",
            results.window ? phaseText(results) : "each measurement"),
        {}, {} };
    for (const ReadingChoice choice : { ReadingChoice::usual, ReadingChoice::others })
        for (Table& table : readingTables(*readings, choice, results.window.has_value()))
            add(section, std::move(table));
    add(section, processorByUsersChart(results, *readings));
    auto sources = sourceTable(recording);
    if (!sources)
        return sources.error();
    add(section, *std::move(sources));
    return section;
}

Result<Section> scoreSection(const Recording& recording, const RunResults& results)
{
    Section section { "Score", "", {}, {} };
    add(section, scoreTable(results));
    if (const auto score = computeScore(recording, scoreOptionsOf(results));
        score && score->value) { // else the plan has no profile
        section.introduction = scoreSentence(*score);
        Table table = scoreTable(*score);
        table.note = weightsSentence(*score);
        add(section, std::move(table));
    }
    return section;
}

Result<Section> latencySection(const Recording& recording, const RunResults& results)
{
    Section section { "Response times",
        "Response time counts from the moment at which an action was due, service time from the moment at "
        "which it "
        "was begun: when a server stands still, the response time of everything that was due in that time "
        "shows it.",
        {}, {} };
    add(section, standingTable(results));
    add(section, actionTable(results, LatencyClock::response));
    add(section, actionTable(results, LatencyClock::service));
    add(section, deviceTable(results));
    add(section, queuedTable(results));
    for (const HistogramInfo& series : recording.header().histograms)
        if (series.scope == LatencyScope::action && series.clock == LatencyClock::response)
            if (auto added = add(section, latencyChart(recording, series)); !added)
                return added.error();
    return section;
}

Result<Section> deliverySection(const Recording& recording, const RunResults& results)
{
    Section section { "Delivery", results.audit ? auditSentence(*results.audit) : "", {}, {} };
    add(section, deliveryTable(results));
    for (const HistogramInfo& series : recording.header().histograms)
        if (series.scope == LatencyScope::delivery)
            if (auto added = add(section, latencyChart(recording, series)); !added)
                return added.error();
    add(section, report::queueTable(results));
    add(section, auditTable(results));
    add(section, exceptionTable(results));
    return section;
}

Result<Section> derivedSection(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const PlanDerived derived = derivedOf(recording);
    auto table = derivedTable(recording, derived, window);
    if (!table)
        return table.error();
    Section section { "Derived counters", table->rows.empty() ? table->note : "", {}, {} };
    add(section, *std::move(table));
    return section;
}

/// Of one of several targets what readers compare: messages, response times, delivery, load.
Result<Section> targetSection(
    const Recording& recording, const std::string& target, const std::optional<TimeWindow>& window)
{
    const auto part = recording.openTarget(target);
    if (!part)
        return part.error();
    const auto results = resultsOver(*part, window);
    const auto loads = computeLoads(*part, window);
    const auto judgement = judgementOver(*part, window);
    if (!results || !loads || !judgement)
        return !results ? results.error() : !loads ? loads.error() : judgement.error();
    Section section { "Target " + target, results->audit ? auditSentence(*results->audit) : "", {}, {} };
    add(section, criteriaTable(*judgement));
    add(section, messageTable(*results));
    add(section, finalWindowTable(*results));
    add(section, standingTable(*results));
    add(section, actionTable(*results, LatencyClock::response));
    add(section, deliveryTable(*results));
    add(section, report::queueTable(*results));
    add(section, loadTable(*loads));
    add(section, userDayTable(*loads));
    add(section, auditTable(*results));
    add(section, errorTable(*results));
    if (auto added = add(section, messageRateChart(*part)); !added)
        return added.error();
    return section;
}

Section suiteSection(const Recording& recording)
{
    Section section { "Test suite", "", {}, {} };
    add(section, suiteTable(recording));
    add(section, workloadTable(recording));
    return section;
}

Section commandSection(const RunResults& results)
{
    Section section { "Commands", "", {}, {} };
    add(section, commandTable(results));
    return section;
}

Section machineSection(const RunHeader& header)
{
    Section section { "Machine and versions", "", {}, {} };
    add(section, hostTable(header));
    add(section, versionTable(header));
    return section;
}

const char* generatorSentence(const RunResults& results)
{
    if (!results.invalidReasons.empty())
        return "The problems of the load generator are listed below the headline.";
    return results.state == RunState::interrupted ? "The recording shows no problem of the load generator."
                                                  : "The load generator kept up with its plan.";
}

Result<Section> generatorSection(const Recording& recording, const RunResults& results)
{
    Section section { "Health of the load generator", generatorSentence(results), {}, {} };
    for (const auto make : { loadThreadChart, processorChart, contextSwitchChart, networkChart, diskChart })
        if (auto added = add(section, make(recording)); !added)
            return added.error();
    for (const HistogramInfo& series : recording.header().histograms)
        if (series.scope == LatencyScope::generator && series.clock == LatencyClock::slip)
            if (auto added = add(section, latencyChart(recording, series)); !added)
                return added.error();
    return section;
}

/// The headings of a storage plan's run are those of published disclosures.
Result<Section> sizingSection(const Recording& recording, const RunResults& results)
{
    Section section { "Database sizing and throughput", "", {}, {} };
    add(section, sizingTable(results));
    add(section, groupLoadTable(results));
    add(section, groupLogTable(results));
    add(section, recordTable(results));
    for (const auto make : { transactionChart, ioRateChart, failureChart })
        if (auto added = add(section, make(recording)); !added)
            return added.error();
    add(section, errorTable(results));
    return section;
}

Section parameterSection(const Recording& recording)
{
    Section section { "System parameters", "", {}, {} };
    add(section, programmeTable(recording));
    add(section, parameterTable(recording));
    return section;
}

Result<Section> diskSection(const Recording& recording, const RunResults& results)
{
    Section section { "Disk subsystem performance", "", {}, {} };
    add(section, testTable(results));
    add(section, diskTable(results));
    add(section, deviceTable(results));
    add(section, queuedTable(results));
    for (const HistogramInfo& series : recording.header().histograms)
        if (isTransferTime(series.key, LatencyClock::service))
            if (auto added = add(section, latencyChart(recording, series)); !added)
                return added.error();
    return section;
}

Section tablesSection(const char* heading, std::vector<Table> tables)
{
    Section section { heading, "", {}, {} };
    for (Table& table : tables)
        add(section, std::move(table));
    return section;
}

Result<Section> transactionSection(const Recording& recording, const RunResults& results)
{
    Section section { "Response times of transactions",
        "Response time counts from the moment at which a transaction was due, service time from the moment "
        "at which it was begun. Without a rate a transaction is due as soon as its session is free.",
        {}, {} };
    add(section, standingTable(results));
    add(section, actionTable(results, LatencyClock::response));
    add(section, actionTable(results, LatencyClock::service));
    for (const HistogramInfo& series : recording.header().histograms)
        if (series.scope == LatencyScope::action && series.clock == LatencyClock::response)
            if (auto added = add(section, latencyChart(recording, series)); !added)
                return added.error();
    return section;
}

Result<Section> testLogSection(const Recording& recording)
{
    const auto log = recording.log();
    if (!log)
        return log.error();
    return tablesSection("Test log",
        { annotationTable(log->annotations), phaseTable(recording),
            testLogTable(recording.header(), log->events) });
}

Result<Section> logSection(const Recording& recording)
{
    const auto log = recording.log();
    if (!log)
        return log.error();
    Section section { "Course of the run", "", {}, {} };
    add(section, annotationTable(log->annotations));
    add(section, phaseTable(recording));
    add(section, eventTable(log->events));
    return section;
}

std::vector<Result<Section>> mailSections(const Recording& recording, const RunResults& results)
{
    const RunHeader& header = recording.header();
    std::vector<Result<Section>> sections { criteriaSection(recording, results.window),
        resultSection(recording, results), loadSection(recording, results.window),
        scoreSection(recording, results), latencySection(recording, results),
        deliverySection(recording, results) };
    if (header.target.empty())
        for (const std::string& target : header.targets)
            sections.push_back(targetSection(recording, target, results.window));
    sections.push_back(counterSection(recording, results));
    sections.push_back(derivedSection(recording, results.window));
    sections.push_back(suiteSection(recording));
    sections.push_back(generatorSection(recording, results));
    sections.push_back(commandSection(results));
    sections.push_back(labSection(recording));
    sections.push_back(machineSection(header));
    sections.push_back(logSection(recording));
    return sections;
}

std::vector<Result<Section>> storageSections(const Recording& recording, const RunResults& results)
{
    const RunHeader& header = recording.header();
    return { criteriaSection(recording, results.window), sizingSection(recording, results),
        parameterSection(recording), diskSection(recording, results),
        tablesSection("Host system performance", { hostPerformanceTable(results) }),
        derivedSection(recording, results.window),
        tablesSection("Checksum", { checksumTable(results), logChecksumTable(results) }),
        tablesSection("Backup", { backupTable(results) }),
        tablesSection("Recovery", { recoveryTable(results) }), transactionSection(recording, results),
        loadSection(recording, results.window), counterSection(recording, results),
        generatorSection(recording, results), labSection(recording), machineSection(header),
        testLogSection(recording) };
}

} // namespace

Result<Report> buildReport(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto results = resultsOver(recording, window);
    if (!results)
        return results.error();
    const RunHeader& header = recording.header();
    Report report;
    report.title = header.title.empty() ? header.planName : header.title;
    if (!header.target.empty())
        report.title += ": " + header.target;
    report.subtitle = fmt::format("Run {} on {}, started {}, {}, {}{}", header.id.text(), header.computer,
        formatIso8601(header.started), toString(results->state), formatClock(recording.length()),
        plannedText(header));
    const auto log = recording.log();
    if (!log)
        return log.error();
    history::Remarks remarks = history::remarksOf(log->annotations);
    report.note = std::move(remarks.note);
    std::ranges::copy_if(remarks.tags, std::back_inserter(report.tags),
        [](const std::string& tag) { return tag != kStarTag; });
    if (window)
        report.subtitle += fmt::format("; figures of {} - {}, charts of the whole run",
            formatClock(window->begin), formatClock(window->end));
    auto verdict = verdictOf(recording);
    if (!verdict)
        return verdict.error();
    report.verdict = *std::move(verdict);
    report.sentences = sentencesOf(*results, report.verdict);
    report.planName = header.planName;
    report.planText = header.planText;

    const bool ofStoragePlan = header.kind == RunKind::storage;
    auto sections = ofStoragePlan ? storageSections(recording, *results) : mailSections(recording, *results);
    for (auto& section : sections) {
        if (!section)
            return section.error();
        if (!section->empty())
            report.sections.push_back(*std::move(section));
    }
    return report;
}

} // namespace loadstone::report
