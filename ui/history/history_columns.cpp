// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history_columns.h"

#include "format.h"
#include "history/run_tags.h"
#include "icons.h"
#include "tables/figure_column.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace loadstone::ui {

namespace {

using R = RunSummary;

/// A tick only where nothing speaks against the run: a plan without criteria says nothing of a run whose actions failed.
QVariant verdictIcon(const R& run)
{
    switch (run.verdict) {
    case Verdict::running:
        return icon(QStringLiteral("live"));
    case Verdict::failed:
    case Verdict::unreadable:
    case Verdict::cutShort:
    case Verdict::wentWrong: // mail was lost: worse than a limit that was not met
    case Verdict::nothingSucceeded:
    case Verdict::nothingMeasured:
        return icon(QStringLiteral("failed"));
    default:
        return icon(
            isGood(run.verdict) && !run.isUnjudged() ? QStringLiteral("valid") : QStringLiteral("invalid"));
    }
}

QString verdictText(const R& run)
{
    return run.verdict == Verdict::running ? stateName(run.state) : verdictName(run.verdict);
}

QString none()
{
    return QStringLiteral("–");
}

/// A storage test has I/O and no messages.
bool hasMessages(const R& run)
{
    return run.kind == RunKind::mail;
}

/// There are measurements, which all figures are about.
bool measured(const R& run)
{
    return run.verdict != Verdict::nothingMeasured && run.verdict != Verdict::done
        && run.verdict != Verdict::notDone;
}

QString audit(const R& run)
{
    if (!hasMessages(run))
        return none();
    QStringList parts;
    const auto add = [&](std::uint64_t count, const char* word) {
        if (count != 0)
            parts.append(formatCount(count) + QLatin1Char(' ') + translated(word));
    };
    add(run.lost, "lost");
    add(run.twice, "twice");
    add(run.damaged, "damaged");
    if (isOver(run.state))
        add(run.outstanding, "outstanding");
    // Only a run that came to its end was audited to its end, and without readers of mailboxes there is no audit.
    const bool over = run.state == RunState::finished || run.state == RunState::stopped;
    if (parts.isEmpty())
        return over && run.sent > 0 && run.received > 0 ? translated("ok") : none();
    return parts.join(QStringLiteral(", "));
}

QString tagList(const R& run)
{
    return editableTags(run).join(QStringLiteral(", "));
}

QString kindName(RunKind kind)
{
    switch (kind) {
    case RunKind::mail:
        return translated("mail");
    case RunKind::raw:
        return translated("raw device");
    case RunKind::storage:
        return translated("storage");
    }
    return {};
}

QVariant number(std::uint64_t value)
{
    return QVariant(static_cast<qulonglong>(value));
}

constexpr std::string_view kSentRate = "mail.sent-rate", kIoRate = "io.rate", kP95 = "response.p95",
                           kScore = "score.value";

/// A figure of the mix with the highest rate, or of the run.
Column<R> figureColumn(std::string_view key, const QString& title, const QString& tip)
{
    const auto id = findFigure(key);
    const bool ofRuns = id && isOfRuns(infoOf(*id).table);
    return { title, tip,
        [key, ofRuns](const R& r) {
            const Figure* figure = ofRuns || measured(r) ? findFigure(r.figures, key) : nullptr;
            return figure != nullptr ? formatFigure(*figure) : none();
        },
        [key](const R& r) {
            const Figure* figure = findFigure(r.figures, key);
            return QVariant(figure != nullptr && figure->value ? *figure->value
                                                               : std::numeric_limits<double>::quiet_NaN());
        },
        {} };
}

} // namespace

bool isStarred(const R& run)
{
    return std::find(run.tags.begin(), run.tags.end(), kStarTag) != run.tags.end();
}

namespace {

/// What stands in the list of every run.
std::vector<Column<R>> factColumns()
{
    return {
        { QStringLiteral("★"), translated("Starred"),
            [](const R& r) { return isStarred(r) ? QStringLiteral("★") : QStringLiteral("☆"); }, {}, {} },
        { translated("Started"), {}, [](const R& r) { return formatWhen(r.started); },
            [](const R& r) { return QVariant(static_cast<qlonglong>(r.started.time_since_epoch().count())); },
            {}, true },
        { translated("Title"), {}, [](const R& r) { return text(r.title); }, {}, {} },
        { translated("Verdict"),
            translated("The verdict of the run: whether the plan's criteria are met, or what speaks against "
                       "the run"),
            verdictText, {},
            [](const R& r, int role) {
                if (role == Qt::ToolTipRole && r.isUnjudged())
                    return QVariant(
                        translated("The plan states no criteria: nothing judges that actions failed, or "
                                   "that copies of messages are outstanding."));
                return role == Qt::DecorationRole ? verdictIcon(r) : QVariant();
            } },
        { translated("Tags"), {}, tagList, {}, {} },
        { translated("Note"), {},
            [](const R& r) {
                const QString note = text(r.note).trimmed();
                const QString line = note.section(QLatin1Char('\n'), 0, 0);
                return line == note ? line : line + QStringLiteral(" …");
            },
            {},
            [](const R& r, int role) {
                return role == Qt::ToolTipRole ? QVariant(text(r.note)) : QVariant();
            } },
        { translated("Kind"), {}, [](const R& r) { return kindName(r.kind); }, {}, {} },
        { translated("Length"), {}, [](const R& r) { return formatElapsed(r.length); },
            [](const R& r) { return QVariant(static_cast<qlonglong>(r.length.count())); }, {} },
        { translated("Plan"), {}, [](const R& r) { return text(r.planName); }, {}, {} },
        { translated("Sent"), translated("Messages, over all measurement phases"),
            [](const R& r) { return hasMessages(r) && measured(r) ? formatCount(r.sent) : none(); },
            [](const R& r) { return number(r.sent); }, {} },
        { translated("Received"), translated("Messages, over all measurement phases"),
            [](const R& r) { return hasMessages(r) && measured(r) ? formatCount(r.received) : none(); },
            [](const R& r) { return number(r.received); }, {} },
        figureColumn(kSentRate, translated("Best sent/s"), translated("Of the mix with the highest rate")),
        figureColumn(kIoRate, translated("Best I/O/s"),
            translated("Of storage tests: reads and writes of the mix with the highest rate")),
        figureColumn(kP95, translated("p95"), translated("Response time over all actions in that mix")),
        { translated("Errors"), translated("Failed actions among all"),
            [](const R& r) { return measured(r) ? formatShare(r.errorRate) : none(); },
            [](const R& r) { return QVariant(r.errorRate); }, {} },
        { translated("Audit"),
            translated("Copies of messages lost, delivered twice, damaged, or not seen to arrive"), audit, {},
            {} },
        figureColumn(kScore, translated("Score"),
            translated("Of that mix: the weighted 95th percentiles of its response times, if the plan has a "
                       "profile")),
        { translated("Generator"), {}, [](const R& r) { return text(r.computer); }, {}, {} },
        { translated("Size"), translated("Of the recording's file"),
            [](const R& r) { return formatSize(r.fileBytes); },
            [](const R& r) { return number(r.fileBytes); }, {} },
    };
}

} // namespace

std::vector<Column<R>> historyColumns()
{
    std::vector<Column<R>> columns = factColumns();
    for (const FigureInfo& info : figureTable())
        if (info.shown && (isOfMixes(info) || isOfRuns(info.table)) && info.key != kSentRate
            && info.key != kIoRate && info.key != kP95 && info.key != kScore)
            columns.push_back(figureColumn(info.key,
                isOfRuns(info.table) ? titleOf(info) : translated("Best mix: %1").arg(titleOf(info)),
                text(std::string(info.name) + ". " + std::string(info.help))));
    return columns;
}

} // namespace loadstone::ui
