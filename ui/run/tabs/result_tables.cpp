// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/result_tables.h"

#include "format.h"
#include "icons.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

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

Column<MixResult> mixNameColumn(const QString& heading)
{
    return { heading, {},
        [](const MixResult& m) {
            return m.complete ? text(m.name) : translated("%1 (incomplete)").arg(text(m.name));
        },
        {}, {} };
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

std::vector<Column<MixResult>> mixColumns(const std::vector<FigureKey>& figures, RunKind kind)
{
    std::vector<Column<MixResult>> columns { mixNameColumn(
        kind == RunKind::mail ? translated("Mix") : translated("Test")) };
    for (const FigureKey& key : figures)
        columns.push_back(figureColumn(key));
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
    return { { translated("Where"), {}, [](const R& r) { return text(withTarget(r.target, r.where)); }, {},
                 {} },
        { translated("Kind"), {}, [](const R& r) { return text(textOf(r.kind, r.code)); }, {}, {} },
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
        { translated("Kind"), {}, [](const R& r) { return text(toString(r.kind)); }, {}, {} } };
}

std::vector<Column<AuditException>> exceptionColumns()
{
    using R = AuditException;
    return { { translated("Finding"), {},
                 [](const R& r) {
                     return r.kind == AuditFinding::wrong ? translated("mailbox wrong")
                                                          : text(toString(r.kind));
                 },
                 {}, {} },
        { translated("Time"),
            translated("When the message was accepted; of a mailbox that is wrong, when that was found"),
            [](const R& r) { return formatElapsedExact(r.accepted); },
            [](const R& r) { return QVariant(static_cast<qlonglong>(r.accepted.count())); }, {} },
        { translated("Mailbox"), {}, [](const R& r) { return text(withTarget(r.target, r.mailbox)); }, {},
            {} },
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
    else if (auditClean(a) && a.outstanding == 0)
        parts.append(translated("ok"));
    add(a.outstanding, "outstanding");
    add(a.lost, "lost");
    add(a.twice, "twice");
    add(a.damaged, "damaged");
    add(a.unknown, "unknown");
    add(a.late, "late");
    return parts.join(QStringLiteral(", "));
}

QString auditSentence(const AuditTotals& a, RunState state)
{
    if (a == AuditTotals {} && isOver(state))
        return translated("the server accepted no message, there is nothing to audit");
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
    const QString words = parts.join(QStringLiteral(" · "));
    return state == RunState::interrupted
        ? translated("as last recorded before the program died: %1").arg(words)
        : words;
}

} // namespace loadstone::ui
