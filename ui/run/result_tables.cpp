// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/result_tables.h"

#include "format.h"
#include "icons.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone::ui {

namespace {

QString translated(const char* source)
{
    return QCoreApplication::translate("tables", source);
}

template <class Row, class Get>
Column<Row> countColumn(const QString& title, const QString& tip, Get get)
{
    return { title, tip, [get](const Row& r) { return formatCount(get(r)); },
        [get](const Row& r) { return QVariant(static_cast<qulonglong>(get(r))); }, {} };
}

template <class Row, class Get>
Column<Row> rateColumn(const QString& title, const QString& tip, Get get)
{
    return { title, tip, [get](const Row& r) { return formatRate(get(r)); },
        [get](const Row& r) { return QVariant(get(r)); }, {} };
}

bool hasFinalWindow(const MixResult& mix)
{
    return mix.finalWindow.end > mix.finalWindow.begin;
}

/// Not a number where the plan names no final window.
Column<MixResult> finalRateColumn(const QString& title, const QString& tip, double MessageRates::*rate)
{
    return rateColumn<MixResult>(title, tip, [rate](const MixResult& m) {
        return hasFinalWindow(m) ? m.finalWindow.*rate : std::numeric_limits<double>::quiet_NaN();
    });
}

/// A figure of latencies, in milliseconds.
struct Field {
    Nanoseconds LatencySummary::*value;
    bool AtLeast::*atLeast;
};
constexpr Field kMean { &LatencySummary::mean, &AtLeast::mean };
constexpr Field kP50 { &LatencySummary::p50, &AtLeast::p50 };
constexpr Field kP95 { &LatencySummary::p95, &AtLeast::p95 };
constexpr Field kP99 { &LatencySummary::p99, &AtLeast::p99 };
constexpr Field kP999 { &LatencySummary::p999, &AtLeast::p999 };
constexpr Field kMaximum { &LatencySummary::maximum, &AtLeast::maximum };

/// Not a number where there is none.
double millisecondsOf(const LatencySummary* summary, Field field)
{
    return summary != nullptr && !summary->empty() ? seconds(summary->*field.value) * 1e3 : std::nan("");
}

QString textOf(const LatencySummary* summary, Field field)
{
    const bool atLeast = summary != nullptr && summary->atLeast.*field.atLeast;
    return (atLeast ? QStringLiteral("≥ ") : QString()) + formatValue(millisecondsOf(summary, field));
}

const LatencySummary* responseOf(const MixResult& mix, const std::string& action)
{
    const auto it = std::find_if(
        mix.actions.begin(), mix.actions.end(), [&](const LatencyRow& r) { return r.name == action; });
    return it != mix.actions.end() && it->response ? &*it->response : nullptr;
}

Column<MixResult> actionColumn(const std::string& action, const QString& what, Field field)
{
    return { translated("%1\n%2 [ms]").arg(text(action), what),
        translated("Response time of \"%1\", from its intended start to its end, over the measurement phase")
            .arg(text(action)),
        [action, field](const MixResult& m) { return textOf(responseOf(m, action), field); },
        [action, field](const MixResult& m) { return QVariant(millisecondsOf(responseOf(m, action), field)); },
        {} };
}

/// Of the classes of I/O that go in this direction.
Column<MixResult> ioRateColumn(const QString& title, const QString& tip, IoDirection direction)
{
    return rateColumn<MixResult>(
        title, tip, [direction](const MixResult& m) { return m.iosPerSecond(direction); });
}

/// Mean time in the device over all volumes, in milliseconds.
Column<MixResult> ioTimeColumn(const QString& title, const QString& tip, IoDirection direction)
{
    const auto value = [direction](const MixResult& m) {
        double sum = 0, count = 0;
        for (const IoRow& row : m.io)
            if (directionOf(row.name) == direction) {
                sum += seconds(row.device.mean) * static_cast<double>(row.device.count);
                count += static_cast<double>(row.device.count);
            }
        return count > 0 ? sum / count * 1e3 : std::numeric_limits<double>::quiet_NaN();
    };
    return { title, tip, [value](const MixResult& m) { return formatValue(value(m)); },
        [value](const MixResult& m) { return QVariant(value(m)); }, {} };
}

Column<MixResult> mixNameColumn(const QString& heading)
{
    return { heading, {},
        [](const MixResult& m) {
            return m.complete ? text(m.name) : translated("%1 (incomplete)").arg(text(m.name));
        },
        {}, {} };
}

/// What runs of both kinds have behind the rest.
void addActionColumns(const std::vector<std::string>& actions, std::vector<Column<MixResult>>& columns)
{
    for (const std::string& action : actions) {
        columns.push_back(actionColumn(action, translated("average"), kMean));
        columns.push_back(actionColumn(action, translated("p50"), kP50));
        columns.push_back(actionColumn(action, translated("p95"), kP95));
        columns.push_back(actionColumn(action, translated("p99"), kP99));
        columns.push_back(actionColumn(action, translated("p99.9"), kP999));
    }
    columns.push_back(countColumn<MixResult>(translated("Due"),
        translated("Actions that were meant to begin in the measurement phase"),
        [](const MixResult& m) { return m.counts ? m.counts->due : 0; }));
    columns.push_back(countColumn<MixResult>(translated("Unfinished"),
        translated("Actions that were due by the end of the measurement phase and had not ended by then"),
        [](const MixResult& m) { return m.counts ? m.counts->unfinished : 0; }));
    columns.push_back(countColumn<MixResult>(translated("Failures"),
        translated("Actions that ended in an error"), [](const MixResult& m) { return m.failures; }));
    columns.push_back(
        { translated("Error rate"), translated("Failed actions among all that were begun and ended"),
            [](const MixResult& m) { return formatShare(m.errorRate); },
            [](const MixResult& m) { return QVariant(m.errorRate); }, {} });
}

using Summary = const LatencySummary* (*)(const LatencyRow&);

Column<LatencyRow> latencyColumn(const QString& title, const QString& tip, Summary of, Field field)
{
    return { title, tip, [of, field](const LatencyRow& r) { return textOf(of(r), field); },
        [of, field](const LatencyRow& r) { return QVariant(millisecondsOf(of(r), field)); }, {} };
}

QVariant severityIcon(int severity)
{
    switch (severity) {
    case 1:
        return icon(QStringLiteral("warning"));
    case 2:
        return icon(QStringLiteral("error"));
    case -1:
        return icon(QStringLiteral("mark"));
    default:
        return icon(QStringLiteral("info"));
    }
}

} // namespace

std::vector<std::string> actionNames(const RunResults& results)
{
    std::vector<std::string> names;
    for (const MixResult& mix : results.mixes)
        for (const LatencyRow& row : mix.actions)
            if (row.response && row.response->count != 0
                && std::find(names.begin(), names.end(), row.name) == names.end())
                names.push_back(row.name);
    return names;
}

std::vector<Column<MixResult>> mixColumns(const std::vector<std::string>& actions)
{
    using M = MixResult;
    const QString whole = translated("Over the measurement phase");
    const QString last = translated("Over the final window, the end of the measurement phase");
    std::vector<Column<M>> columns;
    columns.push_back(mixNameColumn(translated("Mix")));
    columns.push_back(countColumn<M>(
        translated("Mailboxes"), translated("Simulated users"), [](const M& m) { return m.mailboxes; }));
    columns.push_back(
        { translated("Threads"), translated("Clients times threads per client; none in open pacing"),
            [](const M& m) { return m.threads > 0 ? formatCount(m.threads) : formatRatio({}); },
            [](const M& m) { return QVariant(static_cast<qulonglong>(m.threads)); }, {} });
    columns.push_back(countColumn<M>(translated("Sent"), whole, [](const M& m) { return m.measured.sent; }));
    columns.push_back(
        countColumn<M>(translated("Received"), whole, [](const M& m) { return m.measured.received; }));
    columns.push_back(
        rateColumn<M>(translated("Sent/s"), whole, [](const M& m) { return m.measured.sentPerSecond; }));
    columns.push_back(rateColumn<M>(
        translated("Received/s"), whole, [](const M& m) { return m.measured.receivedPerSecond; }));
    columns.push_back(
        finalRateColumn(translated("Final window\nsent/s"), last, &MessageRates::sentPerSecond));
    columns.push_back(
        finalRateColumn(translated("Final window\nreceived/s"), last, &MessageRates::receivedPerSecond));
    columns.push_back({ translated("Final window\nreceived:sent"),
        translated("Over the final window; at rest it comes to the recipients per message"),
        [](const M& m) {
            if (!hasFinalWindow(m))
                return formatRatio({});
            return translated("%1 of %2")
                .arg(formatRatio(m.finalWindow.receivedToSent), formatRatio(m.recipientsPerMessage));
        },
        [](const M& m) {
            return QVariant(m.finalWindow.receivedToSent.value_or(std::numeric_limits<double>::quiet_NaN()));
        },
        {} });
    addActionColumns(actions, columns);
    return columns;
}

std::vector<Column<MixResult>> storageColumns(const std::vector<std::string>& actions)
{
    using M = MixResult;
    const QString rate = translated("Over the measurement phase, of all volumes");
    const QString time = translated("Mean time in the device over the measurement phase, of all volumes");
    std::vector<Column<M>> columns;
    columns.push_back(mixNameColumn(translated("Test")));
    columns.push_back(rateColumn<M>(translated("I/O/s"),
        translated("Reads and writes of every class, over the measurement phase and all volumes"),
        [](const M& m) { return m.iosPerSecond(); }));
    columns.push_back(ioRateColumn(translated("Reads/s"), rate, IoDirection::read));
    columns.push_back(ioRateColumn(translated("Writes/s"), rate, IoDirection::write));
    columns.push_back(ioTimeColumn(translated("Read latency\n[ms]"), time, IoDirection::read));
    columns.push_back(ioTimeColumn(translated("Write latency\n[ms]"), time, IoDirection::write));
    addActionColumns(actions, columns);
    return columns;
}

std::vector<Column<LatencyRow>> latencyColumns()
{
    using R = LatencyRow;
    const Summary response = [](const R& r) { return r.response ? &*r.response : nullptr; };
    const Summary service = [](const R& r) { return &r.service; };
    std::vector<Column<R>> columns;
    columns.push_back(
        { translated("Action or command"), {}, [](const R& r) { return text(r.name); }, {}, {} });
    columns.push_back({ translated("Kind"), {},
        [](const R& r) {
            switch (r.scope) {
            case LatencyScope::action:
                return translated("action");
            case LatencyScope::command:
                return translated("command");
            case LatencyScope::delivery:
                return translated("delivery");
            case LatencyScope::generator:
                return translated("generator");
            }
            return QString();
        },
        {}, {} });
    columns.push_back(countColumn<R>(translated("Count"), translated("Within the chosen window"),
        [](const R& r) { return std::max(r.service.count, r.response ? r.response->count : 0); }));
    const auto unfinished = [](const R& r) { return r.response ? r.response->unfinished : 0; };
    columns.push_back({ translated("Unfinished"),
        translated("Not ended at the end of the window; in the response times with its age"),
        [unfinished](const R& r) -> QString {
            return unfinished(r) > 0 ? formatCount(unfinished(r)) : QStringLiteral("–");
        },
        [unfinished](const R& r) { return QVariant(static_cast<qulonglong>(unfinished(r))); }, {} });
    struct Part {
        const char* name;
        const char* tip;
        Summary of;
    };
    const Part parts[] = {
        { "Response", "From the intended start to the end: what a user waits, in milliseconds", response },
        { "Service or delay",
            "Actions and commands: from the start to the end, what the server needed. Deliveries: from "
            "acceptance to retrieval. Generator: how late it was itself. In milliseconds",
            service },
    };
    for (const Part& part : parts) {
        const QString name = translated(part.name) + QLatin1Char('\n'), tip = translated(part.tip);
        columns.push_back(latencyColumn(name + translated("average"), tip, part.of, kMean));
        columns.push_back(latencyColumn(name + translated("p50"), tip, part.of, kP50));
        columns.push_back(latencyColumn(name + translated("p95"), tip, part.of, kP95));
        columns.push_back(latencyColumn(name + translated("p99"), tip, part.of, kP99));
        columns.push_back(latencyColumn(name + translated("p99.9"), tip, part.of, kP999));
        columns.push_back(latencyColumn(name + translated("maximum"), tip, part.of, kMaximum));
    }
    return columns;
}

std::vector<Column<ErrorRow>> errorColumns()
{
    using R = ErrorRow;
    return { { translated("Where"), {}, [](const R& r) { return text(r.where); }, {}, {} },
        { translated("Kind"), {}, [](const R& r) { return text(r.kind); }, {}, {} },
        { translated("Code"), translated("The server's reply code, where there was one"),
            [](const R& r) { return r.code == 0 ? QStringLiteral("–") : QString::number(r.code); },
            [](const R& r) { return QVariant(r.code); }, {} },
        countColumn<R>(translated("Count"), {}, [](const R& r) { return r.count; }),
        { translated("Most frequent words"), translated("What the server or the system said"),
            [](const R& r) { return text(r.text); }, {}, {} } };
}

std::vector<Column<TranscriptRow>> transcriptColumns()
{
    using R = TranscriptRow;
    return { { translated("Time"), {}, [](const R& r) { return formatElapsedExact(r.at); },
                 [](const R& r) { return QVariant(static_cast<qlonglong>(r.at.count())); }, {} },
        { translated("Where"), {}, [](const R& r) { return text(r.where); }, {}, {} },
        { translated("Kind"), {}, [](const R& r) { return text(r.kind); }, {}, {} } };
}

std::vector<Column<AuditException>> exceptionColumns()
{
    using R = AuditException;
    return { { translated("Finding"), {},
                 [](const R& r) {
                     return r.kind == "wrong" ? translated("mailbox wrong") : text(r.kind); // the oracle's
                 },
                 {}, {} },
        { translated("Time"),
            translated("When the message was accepted; of a mailbox that is wrong, when that was found"),
            [](const R& r) { return formatElapsedExact(r.accepted); },
            [](const R& r) { return QVariant(static_cast<qlonglong>(r.accepted.count())); }, {} },
        { translated("Mailbox"), {}, [](const R& r) { return text(r.mailbox); }, {}, {} },
        { translated("Token"), {}, [](const R& r) { return text(r.token); }, {}, {} },
        { translated("Detail"), {}, [](const R& r) { return text(r.detail); }, {}, {} } };
}

std::vector<Column<LogRow>> logColumns()
{
    using R = LogRow;
    return { { translated("Time"), translated("Since the run's start"),
                 [](const R& r) { return formatElapsedExact(r.at); },
                 [](const R& r) { return QVariant(static_cast<qlonglong>(r.at.count())); }, {} },
        { translated("Severity"), {},
            [](const R& r) { return r.severity < 0 ? translated("mark") : severityName(r.severity); }, {},
            [](const R& r, int role) {
                return role == Qt::DecorationRole ? severityIcon(r.severity) : QVariant();
            } },
        { translated("Event"), {}, [](const R& r) { return text(r.text); }, {},
            [](const R& r, int role) {
                return role == Qt::ToolTipRole ? QVariant(text(r.text)) : QVariant();
            } } };
}

bool auditClean(const AuditTotals& a)
{
    return a.lost == 0 && a.twice == 0 && a.damaged == 0;
}

QString auditShort(const AuditTotals& a)
{
    QStringList parts;
    const auto add = [&](std::uint64_t count, const char* word) {
        if (count != 0)
            parts.append(formatCount(count) + QLatin1Char(' ') + translated(word));
    };
    if (a.expected == 0)
        parts.append(translated("no messages"));
    else if (auditClean(a))
        parts.append(translated("ok"));
    add(a.lost, "lost");
    add(a.twice, "twice");
    add(a.damaged, "damaged");
    add(a.unknown, "unknown");
    add(a.late, "late");
    return parts.join(QStringLiteral(", "));
}

QString auditSentence(const AuditTotals& a)
{
    QStringList parts { translated("%1 messages accepted").arg(formatCount(a.accepted)),
        translated("%1 copies expected").arg(formatCount(a.expected)),
        translated("%1 delivered once and in time").arg(formatCount(a.deliveredOnce)) };
    const auto add = [&](std::uint64_t count, const char* words) {
        if (count != 0)
            parts.append(translated(words).arg(formatCount(count)));
    };
    add(a.late, "%1 late");
    add(a.twice, "%1 delivered twice");
    add(a.damaged, "%1 damaged");
    add(a.lost, "%1 lost");
    add(a.outstanding, "%1 outstanding");
    add(a.unknown, "%1 of unknown origin");
    if (auditClean(a) && a.outstanding == 0)
        parts.append(translated("none lost, doubled or damaged"));
    return parts.join(QStringLiteral(" · "));
}

} // namespace loadstone::ui
