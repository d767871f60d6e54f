// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history_filter.h"

#include "format.h"
#include "history/history_columns.h"

#include <QStringList>

#include <algorithm>

namespace loadstone::ui {

bool matchesSearch(const RunSummary& run, const QString& words)
{
    QStringList fields { text(run.title), text(run.planName), text(run.note), text(run.computer),
        text(run.id.text()), formatWhen(run.started), stateName(run.state), verdictName(run.verdict) };
    for (const std::string& tag : run.tags)
        fields.append(text(tag));
    const QString all = fields.join(QLatin1Char('\n'));
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(
        wanted.begin(), wanted.end(), [&](const QString& w) { return all.contains(w, Qt::CaseInsensitive); });
}

bool matchesShow(const RunSummary& run, HistoryShow show)
{
    const bool going = run.state == RunState::preparing || run.state == RunState::running;
    switch (show) {
    case HistoryShow::all:
        return true;
    case HistoryShow::starred:
        return isStarred(run);
    case HistoryShow::valid:
        return isGood(run.verdict) || run.verdict == Verdict::notMet
            || (run.verdict == Verdict::wentWrong && run.valid); // the server's fault, and its figures
    case HistoryShow::going:
        return going;
    case HistoryShow::ended:
        return !going;
    }
    return true;
}

} // namespace loadstone::ui
