// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/result_tables.h"

#include "report/storage_figures.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::report {

namespace {

constexpr bool kText = false;

std::string nameOf(const MixResult& mix)
{
    return mix.complete ? mix.name : mix.name + " *";
}

/// What a plan measures one after the other is a mix, or a test of storage.
std::string kindOf(const RunResults& results)
{
    return results.ofMail ? "Mix" : "Test";
}

std::string incompleteNote(const RunResults& results)
{
    const bool any = std::any_of(
        results.mixes.begin(), results.mixes.end(), [](const MixResult& m) { return !m.complete; });
    return any ? "* The measurement phase did not run to its end." : "";
}

void addLatencyColumns(Table& table)
{
    for (const char* heading : { "Count", "Average", "50 %", "95 %", "99 %", "99.9 %", "Maximum" })
        table.columns.push_back({ heading });
}

void addLatency(std::vector<std::string>& row, const LatencySummary& of)
{
    row.push_back(count(of.count));
    const AtLeast& open = of.atLeast;
    for (const auto& [value, atLeast] : { std::pair { of.mean, open.mean }, std::pair { of.p50, open.p50 },
             std::pair { of.p95, open.p95 }, std::pair { of.p99, open.p99 },
             std::pair { of.p999, open.p999 }, std::pair { of.maximum, open.maximum } })
        row.push_back(of.empty() ? "-" : latency(value, atLeast));
}

bool isBound(const LatencySummary& latency)
{
    return latency.atLeast != AtLeast();
}

} // namespace

Table preparationTable(const RunResults& results)
{
    Table table { "Mailboxes", "", { { "Phase", kText }, { "What", kText }, { "Count" } }, {} };
    for (const PreparationResult& one : results.preparations) {
        const PreparationTotals& totals = one.totals;
        const double length = seconds(one.end - one.begin);
        const bool cleans = one.kind == PhaseKind::cleanUp;
        const auto add = [&](const char* what, const std::string& value) {
            table.rows.push_back({ toString(one.kind), what, value });
        };
        add("Mailboxes", count(totals.mailboxes));
        add(cleans ? "Of these clean" : "Of these filled as planned", count(totals.done));
        if (totals.failed > 0)
            add("Given up after several attempts", count(totals.failed));
        add(cleans ? "Folders removed" : "Folders made",
            count(cleans ? totals.foldersRemoved : totals.foldersMade));
        add(cleans ? "Messages removed" : "Messages appended",
            count(cleans ? totals.removed : totals.appended));
        if (!cleans)
            add("Messages that were there already", count(totals.found));
        if (totals.doubles > 0)
            add("Doubles removed", count(totals.doubles));
        if (cleans)
            add("Messages left alone, not Loadstone's", count(totals.foreign));
        if (totals.hasEntries()) {
            add(cleans ? "Events, journal entries and contacts removed" : "Appointments and contacts made",
                count(cleans ? totals.entriesRemoved : totals.entriesMade));
            add(cleans ? "Entries left alone, not Loadstone's"
                       : "Appointments and contacts that were there already",
                count(cleans ? totals.entriesForeign : totals.entriesFound));
        }
        add("Seconds", formatNumber(length));
        if (length > 0)
            add("Messages/s", rate(static_cast<double>(cleans ? totals.removed : totals.appended) / length));
    }
    return table;
}

Table messageTable(const RunResults& results)
{
    Table table { "Messages over the valid phase", incompleteNote(results),
        { { "Mix", kText }, { "Users" }, { "Sent" }, { "Received" }, { "Sent/s" }, { "Received/s" },
            { "Recv:sent" }, { "Actions" }, { "Failed" }, { "Error rate" } },
        {} };
    // Where nothing was read twice, the figure of all retrievals says nothing new.
    const bool readAgain = std::any_of(results.mixes.begin(), results.mixes.end(), [](const MixResult& mix) {
        return mix.measured.retrieved.value_or(mix.measured.received) != mix.measured.received;
    });
    if (readAgain)
        table.columns.push_back({ "Retrieved" });
    for (const MixResult& mix : results.mixes) {
        if (mix.mailboxes == 0)
            continue;
        std::vector<std::string> row { nameOf(mix), count(mix.mailboxes), count(mix.measured.sent),
            count(mix.measured.received), rate(mix.measured.sentPerSecond),
            rate(mix.measured.receivedPerSecond), ratio(mix.measured.receivedToSent), count(mix.attempts),
            count(mix.failures), percent(mix.errorRate) };
        if (readAgain)
            row.push_back(mix.measured.retrieved ? count(*mix.measured.retrieved) : "-");
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table finalWindowTable(const RunResults& results)
{
    Table table { "Messages over the final window", "",
        { { "Mix", kText }, { "Window" }, { "Sent" }, { "Received" }, { "Sent/s" }, { "Received/s" },
            { "Recv:sent" }, { "Recipients" }, { "Deviation" } },
        {} };
    table.note = "Once the mailboxes are primed, received:sent should come to the recipients per message.";
    for (const MixResult& mix : results.mixes) {
        const MessageRates& window = mix.finalWindow;
        if (window.end <= window.begin)
            continue;
        std::string deviation = "-";
        if (window.receivedToSent && mix.recipientsPerMessage > 0)
            deviation = difference(*window.receivedToSent / mix.recipientsPerMessage - 1);
        table.rows.push_back({ nameOf(mix),
            formatDuration(std::chrono::round<std::chrono::seconds>(window.end - window.begin)),
            count(window.sent), count(window.received), rate(window.sentPerSecond),
            rate(window.receivedPerSecond), ratio(window.receivedToSent),
            fmt::format("{:g}", mix.recipientsPerMessage), deviation });
    }
    return table;
}

Table standingTable(const RunResults& results)
{
    Table table { "Actions over the valid phase", "",
        { { kindOf(results), kText }, { "Action", kText }, { "Due" }, { "Begun" }, { "Ended well" },
            { "Failed" }, { "Unfinished" } },
        {} };
    const auto add = [&](const MixResult& mix, const std::string& action, const ActionCounts& counts) {
        table.rows.push_back({ nameOf(mix), action, count(counts.due), count(counts.begun),
            count(counts.ended), count(counts.failed), count(counts.unfinished) });
    };
    for (const MixResult& mix : results.mixes) {
        std::size_t kinds = 0;
        for (const LatencyRow& action : mix.actions)
            if (action.counts) {
                add(mix, action.name, *action.counts);
                ++kinds;
            }
        if (mix.counts && kinds > 1)
            add(mix, "all", *mix.counts);
    }
    if (!table.rows.empty())
        table.note = "Due: meant to begin in the valid phase. Unfinished: due by its end and not ended by then, begun or not.";
    return table;
}

Table actionTable(const RunResults& results, LatencyClock clock)
{
    const bool response = clock == LatencyClock::response;
    Table table;
    table.title = response ? "Response time of actions, from when they were due"
                           : "Service time of actions, from when they were begun";
    table.columns = { { kindOf(results), kText }, { "Action", kText } };
    addLatencyColumns(table);
    for (const MixResult& mix : results.mixes)
        for (const LatencyRow& action : mix.actions) {
            if (!response && !mix.io.empty() && !mix.storage) // the device's time, see deviceTable()
                continue;
            const bool happened =
                response ? action.response && !action.response->empty() : action.service.count > 0;
            if (!happened) // not in this plan, or all failed
                continue;
            if (response && isBound(*action.response))
                table.note = "≥: the figure falls into what had not ended, which is in it with its age; the true one is "
                             "this or more.";
            table.rows.push_back({ nameOf(mix), action.name });
            addLatency(table.rows.back(), response ? *action.response : action.service);
        }
    return table;
}

Table ioTable(const RunResults& results)
{
    Table table { "I/O over the valid phase", incompleteNote(results),
        { { kindOf(results), kText }, { "Volume", kText }, { "I/O", kText }, { "Count" }, { "I/O/s" },
            { "Bytes/s" }, { "Bytes/IO" }, { "Failed" }, { "Unfinished" } },
        {} };
    for (const MixResult& mix : results.mixes) {
        if (mix.storage) // see diskTable()
            continue;
        std::vector<IoRow> rows = mix.io;
        if (rows.size() > 1)
            rows.push_back(togetherOf(mix));
        for (const IoRow& io : rows) {
            const std::uint64_t good = io.count - std::min(io.count, io.failures);
            table.rows.push_back({ nameOf(mix), io.volume, io.name, count(io.count), rate(io.perSecond),
                formatBytes(static_cast<std::uint64_t>(io.bytesPerSecond)),
                good > 0 && io.bytes > 0 ? count(io.bytes / good) : "-", count(io.failures),
                count(io.unfinished) });
        }
    }
    return table;
}

Table deviceTable(const RunResults& results)
{
    Table table;
    table.title = "Time in the device, from when the kernel had the I/O to its completion";
    table.columns = { { kindOf(results), kText }, { "Volume", kText }, { "I/O", kText } };
    addLatencyColumns(table);
    for (const MixResult& mix : results.mixes)
        for (const IoRow& io : mix.io) {
            table.rows.push_back({ nameOf(mix), io.volume, io.name });
            addLatency(table.rows.back(), io.device);
        }
    return table;
}

Table queuedTable(const RunResults& results)
{
    Table table;
    table.title = "Time before the device, from when the I/O was due to when the kernel had it";
    table.note = "Without a rate an I/O is due when it is asked for.";
    table.columns = { { kindOf(results), kText }, { "Volume", kText }, { "I/O", kText } };
    addLatencyColumns(table);
    for (const MixResult& mix : results.mixes)
        for (const IoRow& io : mix.io) {
            if (io.queued.count == 0)
                continue;
            table.rows.push_back({ nameOf(mix), io.volume, io.name });
            addLatency(table.rows.back(), io.queued);
        }
    return table;
}

Table commandTable(const RunResults& results)
{
    Table table;
    table.title = "Service time of commands, from sent to answered";
    table.columns = { { "Mix", kText }, { "Command", kText } };
    addLatencyColumns(table);
    for (const PreparationResult& one : results.preparations)
        for (const LatencyRow& command : one.commands) {
            table.rows.push_back({ toString(one.kind), command.name });
            addLatency(table.rows.back(), command.service);
        }
    for (const MixResult& mix : results.mixes)
        for (const LatencyRow& command : mix.commands) {
            if (command.service.count == 0) // this plan or server has no use for it
                continue;
            table.rows.push_back({ nameOf(mix), command.name });
            addLatency(table.rows.back(), command.service);
        }
    return table;
}

Table deliveryTable(const RunResults& results)
{
    Table table;
    table.title = "Delivery time, from acceptance to retrieval";
    table.note = "Includes the time that a message lies in its mailbox until the user's next visit.";
    table.columns = { { "Mix", kText } };
    addLatencyColumns(table);
    for (const MixResult& mix : results.mixes) {
        if (mix.delivery.count == 0)
            continue;
        table.rows.push_back({ nameOf(mix) });
        addLatency(table.rows.back(), mix.delivery);
    }
    return table;
}

Table errorTable(const RunResults& results)
{
    Table table { results.preparations.empty() ? "Errors by kind over the valid phase" : "Errors by kind", "",
        { { kindOf(results), kText }, { "Where", kText }, { "Kind", kText }, { "Code" }, { "Count" },
            { "Most frequent words", kText } },
        {} };
    for (const PreparationResult& one : results.preparations)
        for (const ErrorRow& error : one.errors)
            table.rows.push_back({ toString(one.kind), error.where, error.kind,
                error.code > 0 ? fmt::format("{}", error.code) : "-", count(error.count), error.text });
    for (const MixResult& mix : results.mixes)
        for (const ErrorRow& error : mix.errors)
            table.rows.push_back({ nameOf(mix), error.where, error.kind,
                error.code > 0 ? fmt::format("{}", error.code) : "-", count(error.count), error.text });
    return table;
}

Table auditTable(const RunResults& results)
{
    Table table { "Delivery audit", "One copy per accepted message and accepted recipient.",
        { { "Copies", kText }, { "Count" } }, {} };
    if (!results.audit)
        return table;
    const AuditTotals& audit = *results.audit;
    table.rows = { { "Messages accepted by the server", count(audit.accepted) },
        { "Copies expected", count(audit.expected) },
        { "Delivered once, in time, whole", count(audit.deliveredOnce) },
        { "Delivered once, but late", count(audit.late) }, { "Delivered twice or more", count(audit.twice) },
        { "Damaged", count(audit.damaged) }, { "Lost", count(audit.lost) },
        { "Outstanding: not retrieved, not proven lost", count(audit.outstanding) },
        { "Retrieved, but not sent by this run", count(audit.unknown) } };
    return table;
}

Table exceptionTable(const RunResults& results)
{
    constexpr std::size_t kMost = 50;
    Table table { "Messages that the audit has something to say about", "",
        { { "Finding", kText }, { "Accepted at" }, { "Mailbox", kText }, { "Token", kText },
            { "Detail", kText } },
        {} };
    for (const AuditException& one : results.exceptions) {
        if (table.rows.size() == kMost) {
            table.note = fmt::format("The first {} of {}; the JSON export has the others.", kMost,
                count(results.exceptions.size()));
            break;
        }
        table.rows.push_back({ one.kind, formatClock(one.accepted), one.mailbox, one.token, one.detail });
    }
    return table;
}

} // namespace loadstone::report
