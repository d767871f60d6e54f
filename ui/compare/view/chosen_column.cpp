// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/chosen_column.h"

#include "format.h"

#include <QCoreApplication>

#include <algorithm>

namespace loadstone::ui {

bool CompareView::live() const
{
    return std::any_of(columns.begin(), columns.end(), [](const ComparedColumn& column) {
        return std::any_of(
            column.runs.begin(), column.runs.end(), [](const ComparedRun& run) { return run.live; });
    });
}

QString nameOf(const ChosenColumn& column, const std::vector<ComparedRun>& runs)
{
    if (!column.name.isEmpty() || runs.empty())
        return column.name;
    const ComparedRun& first = runs.front();
    if (first.external || !column.study.empty())
        return text(first.title);
    if (runs.size() > 1)
        return QCoreApplication::translate("compare", "%1 (%2 runs)")
            .arg(text(first.title), QString::number(runs.size()));
    return QStringLiteral("%1, %2").arg(text(first.title), formatWhen(first.started));
}

bool isPartOf(const ChosenColumn& chosen, const ChosenColumn& shown)
{
    return shown == chosen
        // a study has given it its name since
        || (!chosen.study.empty() && shown.study == chosen.study && shown.part == chosen.part)
        || (!chosen.runs.empty()
            && std::find(shown.runs.begin(), shown.runs.end(), chosen.runs.front()) != shown.runs.end());
}

std::vector<std::size_t> partsOf(
    const CompareQuery& query, const std::vector<ChosenColumn>& view, std::size_t shown)
{
    if (view.size() == query.columns.size()) // one run may stand in two of them
        return { shown };
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < query.columns.size(); ++i)
        if (isPartOf(query.columns[i], view[shown]))
            parts.push_back(i);
    return parts;
}

std::vector<ChosenColumn> grouped(
    const std::vector<ChosenColumn>& columns, const std::vector<std::vector<ComparedRun>>& runs)
{
    std::vector<ChosenColumn> all;
    std::vector<std::string> keys; // of `all`; empty: nothing joins it
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const ChosenColumn& column = columns[i];
        const bool plain =
            column.name.isEmpty() && !column.runs.empty() && i < runs.size() && !runs[i].empty();
        const std::string key = plain ? runs[i].front().configuration : std::string();
        const auto same = key.empty() ? keys.end() : std::find(keys.begin(), keys.end(), key);
        if (same == keys.end()) {
            all.push_back(column);
            keys.push_back(key);
            continue;
        }
        std::vector<RunId>& into = all[static_cast<std::size_t>(same - keys.begin())].runs;
        for (const RunId& id : column.runs)
            if (std::find(into.begin(), into.end(), id) == into.end())
                into.push_back(id);
    }
    return all.size() < 2 ? columns : all;
}

} // namespace loadstone::ui
