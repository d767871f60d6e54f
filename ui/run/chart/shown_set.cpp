// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/shown_set.h"

#include "run/chart/legend_model.h"

#include <algorithm>

namespace loadstone::ui {

namespace {

auto lineIn(std::vector<SetLine>& lines, const QString& kept)
{
    return std::find_if(lines.begin(), lines.end(), [&](const SetLine& line) { return line.kept == kept; });
}

} // namespace

ShownSet::ShownSet(LegendModel* legend)
    : m_legend(legend)
{
}

bool ShownSet::show(const QString& name)
{
    const auto set = findCounterSet(name);
    if (!set)
        return false;
    m_seen.clear();
    std::vector<std::pair<LineKey, LineStyle>> lines;
    for (const SetLine& line : set->lines)
        for (const LineKey& key : linesMeant(line.kept, m_legend->available())) {
            lines.emplace_back(key, line.style);
            m_seen.append(line.kept);
        }
    m_legend->setLines(lines);
    return true;
}

void ShownSet::addNew(const QString& name)
{
    const auto set = findCounterSet(name);
    if (!set)
        return;
    for (const SetLine& line : set->lines) {
        if (m_seen.contains(line.kept)) // what was removed here does not come back
            continue;
        for (const LineKey& key : linesMeant(line.kept, m_legend->available())) {
            m_legend->add({ key });
            if (line.style.colour.isValid())
                m_legend->setStyle(m_legend->rowOf(key), line.style);
            m_seen.append(line.kept);
        }
    }
}

std::vector<SetLine> ShownSet::present() const
{
    std::vector<SetLine> lines;
    for (int row = 0; row < m_legend->rowCount(); ++row) {
        const QString kept = keptLine(m_legend->info(row));
        if (lineIn(lines, kept) == lines.end())
            lines.push_back({ kept, m_legend->style(row) });
    }
    return lines;
}

void ShownSet::keep(const QString& name)
{
    auto set = findCounterSet(name);
    if (!set)
        return;
    std::vector<SetLine> now = present();
    std::erase_if(set->lines, [&](const SetLine& line) {
        return m_seen.contains(line.kept) && lineIn(now, line.kept) == now.end();
    });
    m_seen.clear();
    for (const SetLine& line : now) {
        if (const auto known = lineIn(set->lines, line.kept); known != set->lines.end())
            *known = line;
        else
            set->lines.push_back(line);
        m_seen.append(line.kept);
    }
    keepCounterSet(*set);
}

} // namespace loadstone::ui
