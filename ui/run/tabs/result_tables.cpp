// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/result_tables.h"

#include "format.h"
#include "icons.h"

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

template <class Row, class Get>
Column<Row> countColumn(const QString& title, const QString& tip, Get get)
{
    return { title, tip, [get](const Row& r) { return formatCount(get(r)); },
        [get](const Row& r) { return QVariant(static_cast<qulonglong>(get(r))); }, {} };
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

/// A figure of the latencies of a row, in milliseconds.
Column<LatencyRow> latencyColumn(const FigureInfo& info, const QString& title, const QString& tip, Summary of)
{
    const auto take = [id = findFigure(info.key).value(), of](const LatencyRow& row) {
        const LatencySummary* summary = of(row);
        return figureOf(id, summary != nullptr ? *summary : LatencySummary {});
    };
    return { title, tip,
        [take](const LatencyRow& row) {
            const Figure figure = take(row);
            return figureText(&figure);
        },
        [take](const LatencyRow& row) {
            const Figure figure = take(row);
            return figureOrder(&figure);
        },
        {} };
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
    const auto unfinished = [](const R& r) {
        return r.response ? r.response->unfinished : r.service.unfinished;
    };
    columns.push_back({ translated("Unfinished"),
        translated("Not ended at the end of the window; in the times with its age"),
        [unfinished](const R& r) -> QString {
            return unfinished(r) > 0 ? formatCount(unfinished(r)) : QStringLiteral("–");
        },
        [unfinished](const R& r) { return QVariant(static_cast<qulonglong>(unfinished(r))); }, {} });
    struct Part {
        FigureTable table;
        const char* name;
        const char* tip;
        Summary of;
    };
    const Part parts[] = {
        { FigureTable::response, "Response",
            "From the intended start to the end: what a user waits, in milliseconds", response },
        { FigureTable::service, "Service",
            "Actions and commands: from the start to the end, what the server needed. Deliveries: from "
            "acceptance to retrieval. Generator: how late it was itself. In milliseconds",
            service },
    };
    for (const Part& part : parts)
        for (const FigureInfo& info : figureTable())
            if (info.table == part.table && info.shown && info.unit == Unit::seconds)
                columns.push_back(latencyColumn(info,
                    translated(part.name) + QLatin1Char('\n') + text(std::string(info.csv.quantity))
                        + unitInHeading(info),
                    translated(part.tip), part.of));
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
    if (a.expected == 0)
        parts.append(translated("no messages"));
    else if (auditClean(a) && a.outstanding == 0)
        parts.append(translated("ok"));
    for (const Figure& figure : figuresOf(a, {})) {
        const FigureInfo& info = infoOf(figure.id);
        if (info.better == Better::less && figure.value.value_or(0) > 0)
            parts.append(formatFigure(figure) + QLatin1Char(' ') + text(std::string(info.column)).toLower());
    }
    return parts.join(QStringLiteral(", "));
}

QString auditSentence(const AuditTotals& a, RunState state)
{
    if (a == AuditTotals {} && isOver(state))
        return translated("the server accepted no message, there is nothing to audit");
    QStringList parts = figureWords(figuresOf(a, {}));
    if (auditClean(a) && a.outstanding == 0)
        parts.append(translated("none lost, doubled or damaged"));
    const QString words = parts.join(QStringLiteral(" · "));
    return state == RunState::interrupted
        ? translated("as last recorded before the program died: %1").arg(words)
        : words;
}

} // namespace loadstone::ui
