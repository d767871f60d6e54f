// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_tags.h"

#include "format.h"
#include "history/history_columns.h"

namespace loadstone::ui {

namespace {
QStringList tagsOf(const RunSummary& run)
{
    QStringList tags;
    for (const std::string& tag : run.tags)
        tags.append(text(tag));
    return tags;
}
}

QStringList editableTags(const RunSummary& run)
{
    QStringList tags = tagsOf(run);
    tags.removeAll(QLatin1String(kStarTag));
    return tags;
}

QStringList commonTags(const std::vector<RunSummary>& runs)
{
    if (runs.empty())
        return {};
    QStringList common = editableTags(runs.front());
    for (const RunSummary& run : runs)
        common.removeIf([own = tagsOf(run)](const QString& tag) { return !own.contains(tag); });
    return common;
}

QStringList retagged(const RunSummary& run, const QStringList& before, const QStringList& after)
{
    QStringList tags = tagsOf(run);
    tags.removeIf([&](const QString& tag) { return before.contains(tag) && !after.contains(tag); });
    for (const QString& tag : after)
        if (!before.contains(tag) && !tags.contains(tag))
            tags.append(tag);
    return tags;
}

} // namespace loadstone::ui
