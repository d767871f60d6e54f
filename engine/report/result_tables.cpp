// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/result_tables.h"

#include "report/cells.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::report {

std::vector<Cell> ioNames(const MixResult& mix, const Subject& subject)
{
    return { mix.complete ? mix.name : mix.name + " *", subject.volume.empty() ? "(All)" : subject.volume,
        subject.ioClass ? toString(*subject.ioClass) : "Reads and writes" };
}

namespace {

/// Whether anything was measured: a time, or a count that is not 0.
bool anyValue(const MixResult& mix, FigureTable table, const Subject& subject)
{
    return std::ranges::any_of(mix.figures, [&](const Figure& figure) {
        return figure.subject == subject && figure.value && *figure.value != 0
            && infoOf(figure.id).table == table;
    });
}

/// What a plan measures one after the other is a mix, or a test of storage.
std::string kindOf(const RunResults& results)
{
    return results.kind == RunKind::mail ? "Mix" : "Test";
}

std::string incompleteNote(const RunResults& results)
{
    const bool any = std::any_of(
        results.mixes.begin(), results.mixes.end(), [](const MixResult& m) { return !m.complete; });
    return any
        ? results.window ? "* The window has not ended." : "* The measurement phase did not run to its end."
        : "";
}

Cell codeCell(int code)
{
    return Number { code > 0 ? std::optional<double>(code) : std::nullopt, Unit::one, { Notation::plain } };
}

/// `table` with a row for each mix that has what it is about.
Table mixTable(
    Table table, const RunResults& results, const FigureColumns& columns, bool (*has)(const MixResult&))
{
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes)
        if (has(mix))
            addFigures(table.rows.emplace_back(std::vector<Cell> { markedName(mix) }), mix.figures, columns);
    return table;
}

/// The rows of the latencies of one kind: a row for each subject with something in it.
template <class AddNames>
void addLatencies(Table& table, const MixResult& mix, FigureTable of, const FigureColumns& columns,
    const AddNames& addNames)
{
    for (const Subject& subject : subjectsOf(mix, of)) {
        if (!anyValue(mix, of, subject))
            continue; // not in this plan, or all failed
        std::vector<Cell> row { markedName(mix) };
        if (!addNames(row, subject))
            continue;
        addFigures(row, mix.figures, columns, subject);
        table.rows.push_back(std::move(row));
        if (of == FigureTable::response && anyBound(mix, columns, subject))
            table.note = "≥: a lower bound. Some of it had not ended and counts with its age; the true value "
                         "is this or more.";
    }
}

} // namespace

std::string markedName(const MixResult& mix)
{
    return mix.complete ? mix.name : mix.name + " *";
}

Table preparationTable(const RunResults& results)
{
    Table table { "Mailboxes", "", { { "Phase", kText }, { "What", kText }, { "Count" } }, {} };
    for (const PreparationResult& one : results.preparations)
        for (const Figure& figure : one.figures)
            if (infoOf(figure.id).shown && figure.value) // else the phase is of another kind
                table.rows.push_back({ toString(one.kind), std::string(infoOf(figure.id).name), figure });
    return table;
}

Table messageTable(const RunResults& results)
{
    Table table =
        mixTable({ "Messages over " + phaseText(results), incompleteNote(results), { { "Mix", kText } }, {} },
            results, figureColumns(results, FigureTable::messages),
            [](const MixResult& mix) { return mix.mailboxes > 0; });
    std::string workloads;
    for (const MixResult& mix : results.mixes)
        if (!mix.workload.empty())
            workloads += fmt::format("{}{}: {}", workloads.empty() ? "" : "; ", mix.name, mix.workload);
    if (!workloads.empty())
        table.note += (table.note.empty() ? "Workloads: " : " Workloads: ") + workloads + ".";
    return table;
}

Table finalWindowTable(const RunResults& results)
{
    return mixTable(
        { "Messages over the final window",
            "Once the mailboxes are primed, received:sent should equal the recipients per message.",
            { { "Mix", kText } }, {} },
        results, figureColumns(results, FigureTable::finalWindow),
        [](const MixResult& mix) { return mix.finalWindow.end > mix.finalWindow.begin; });
}

Table testTable(const RunResults& results)
{
    FigureColumns columns = figureColumns(results, FigureTable::test);
    for (const FigureInfo* column :
        figureColumns(results, FigureTable::messages)) // what mail has of actions, too
        columns.push_back(column);
    return mixTable(
        { "Reads and writes over " + phaseText(results), incompleteNote(results), { { "Test", kText } }, {} },
        results, columns, [](const MixResult& mix) { return !mix.io.empty(); });
}

Table standingTable(const RunResults& results)
{
    Table table { "Actions over " + phaseText(results), "",
        { { kindOf(results), kText }, { "Action", kText } }, {} };
    const FigureColumns columns = figureColumns(results, FigureTable::standing);
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes) {
        const std::vector<Subject> subjects = subjectsOf(mix, FigureTable::standing);
        for (const Subject& subject : subjects) {
            if (subject.empty() && subjects.size() < 3) // the only one's, once more
                continue;
            std::vector<Cell> row { markedName(mix), subject.empty() ? "all" : nameOf(subject) };
            addFigures(row, mix.figures, columns, subject);
            table.rows.push_back(std::move(row));
        }
    }
    if (!table.rows.empty())
        table.note = fmt::format("Due: meant to begin in {}. Unfinished: due by its end and not ended by "
                                 "then, begun or not.",
            results.window ? "the window" : "the measurement");
    return table;
}

Table actionTable(const RunResults& results, LatencyClock clock)
{
    const bool response = clock == LatencyClock::response;
    const FigureTable of = response ? FigureTable::response : FigureTable::service;
    Table table;
    table.title = response ? "Response time of actions, from when they were due"
                           : "Service time of actions, from when they were begun";
    table.columns = { { kindOf(results), kText }, { "Action", kText } };
    const FigureColumns columns = figureColumns(results, of);
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes) {
        if (!response && !mix.io.empty() && !mix.storage) // the device's time, see deviceTable()
            continue;
        const auto happened = std::ranges::count_if(subjectsOf(mix, of),
            [&](const Subject& subject) { return !subject.empty() && anyValue(mix, of, subject); });
        addLatencies(table, mix, of, columns, [&](std::vector<Cell>& row, const Subject& subject) {
            row.emplace_back(subject.empty() ? "all" : nameOf(subject));
            return !subject.empty() || happened > 1;
        });
    }
    return table;
}

Table ioTable(const RunResults& results)
{
    Table table { "I/O over " + phaseText(results), incompleteNote(results),
        { { kindOf(results), kText }, { "Volume", kText }, { "I/O", kText } }, {} };
    const FigureColumns columns = figureColumns(results, FigureTable::io);
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes) {
        if (mix.storage) // see diskTable()
            continue;
        for (const Subject& subject : subjectsOf(mix, FigureTable::io))
            if (!subject.empty() || mix.io.size() > 1) {
                table.rows.push_back(ioNames(mix, subject));
                addFigures(table.rows.back(), mix.figures, columns, subject);
            }
    }
    return table;
}

namespace {

Table transferTimes(const RunResults& results, FigureTable of)
{
    Table table;
    table.columns = { { kindOf(results), kText }, { "Volume", kText }, { "I/O", kText } };
    const FigureColumns columns = figureColumns(results, of);
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes)
        for (const Subject& subject : subjectsOf(mix, of)) {
            if (of == FigureTable::queued && !anyValue(mix, of, subject))
                continue;
            table.rows.push_back(ioNames(mix, subject));
            addFigures(table.rows.back(), mix.figures, columns, subject);
        }
    return table;
}

} // namespace

Table deviceTable(const RunResults& results)
{
    Table table = transferTimes(results, FigureTable::device);
    table.title = "Time in the device, from when the kernel had the I/O to its completion";
    return table;
}

Table queuedTable(const RunResults& results)
{
    Table table = transferTimes(results, FigureTable::queued);
    table.title = "Time before the device, from when the I/O was due to when the kernel had it";
    table.note = "Without a rate an I/O is due when it is asked for.";
    return table;
}

Table commandTable(const RunResults& results)
{
    Table table;
    table.title = "Service time of commands, from sent to answered";
    table.columns = { { "Mix", kText }, { "Command", kText } };
    const FigureColumns columns = shownFigures(FigureTable::command);
    addHeadings(table, columns);
    for (const PreparationResult& one : results.preparations)
        for (const LatencyRow& command : one.commands) {
            table.rows.push_back({ toString(one.kind), command.name });
            for (const FigureInfo* column : columns)
                table.rows.back().emplace_back(figureOf(idOf(*column), command.service));
        }
    for (const MixResult& mix : results.mixes)
        addLatencies(
            table, mix, FigureTable::command, columns, [](std::vector<Cell>& row, const Subject& subject) {
                row.emplace_back(nameOf(subject));
                return true;
            });
    return table;
}

Table deliveryTable(const RunResults& results)
{
    Table table;
    table.title = "Delivery time, from acceptance to retrieval";
    table.note = "Includes the time that a message lies in its mailbox until the user's next visit.";
    table.columns = { { "Mix", kText } };
    const FigureColumns columns = figureColumns(results, FigureTable::delivery);
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes)
        addLatencies(table, mix, FigureTable::delivery, columns,
            [](std::vector<Cell>&, const Subject&) { return true; });
    return table;
}

Table errorTable(const RunResults& results)
{
    Table table {
        results.preparations.empty() ? "Errors by kind over " + phaseText(results) : "Errors by kind", "",
        { { kindOf(results), kText }, { "Where", kText }, { "Kind", kText }, { "Code" }, { "Count" },
            { "Most frequent words", kText } },
        {}
    };
    for (const PreparationResult& one : results.preparations)
        for (const ErrorRow& error : one.errors)
            table.rows.push_back({ toString(one.kind), withTarget(error.target, error.where),
                textOf(error.kind, error.code), codeCell(error.code), countCell(error.count), error.text });
    for (const MixResult& mix : results.mixes)
        for (const ErrorRow& error : mix.errors)
            table.rows.push_back({ markedName(mix), withTarget(error.target, error.where),
                textOf(error.kind, error.code), codeCell(error.code), countCell(error.count), error.text });
    return table;
}

Table auditTable(const RunResults& results)
{
    Table table { "Delivery audit", "One copy per accepted message and accepted recipient.",
        { { "Copies", kText }, { "Count" } }, {} };
    for (const Figure& figure : results.figures)
        if (const FigureInfo& info = infoOf(figure.id); info.table == FigureTable::audit && info.shown)
            table.rows.push_back({ std::string(info.name), figure });
    return table;
}

Table scoreTable(const RunResults& results)
{
    Table table { "Score of each mix",
        "At the 95th percentile. Scores compare only under the same weights, and where all actions that "
        "have one happened.",
        { { "Mix", kText } }, {} };
    const FigureColumns columns = figureColumns(results, FigureTable::score);
    addHeadings(table, columns);
    for (const MixResult& mix : results.mixes)
        if (mix.score)
            addFigures(table.rows.emplace_back(std::vector<Cell> { markedName(mix) }), mix.figures, columns);
    return table;
}

Table exceptionTable(const RunResults& results)
{
    constexpr std::size_t kMost = 50;
    Table table { "Messages with findings of the audit", "",
        { { "Finding", kText }, { "Accepted at" }, { "Mailbox", kText }, { "Token", kText },
            { "Detail", kText } },
        {} };
    for (const AuditException& one : results.exceptions) {
        if (table.rows.size() == kMost) {
            table.note = fmt::format("The first {} of {}; the JSON export has the others.", kMost,
                count(results.exceptions.size()));
            break;
        }
        table.rows.push_back({ toString(one.kind), clockCell(one.accepted),
            withTarget(one.target, one.mailbox), one.token, one.detail });
    }
    return table;
}

} // namespace loadstone::report
