// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/counter_set.h"

#include "format.h"

#include <QSettings>

#include <algorithm>

namespace loadstone::ui {

namespace {

const QString kSets = QStringLiteral("counters/sets"), kFirst = QStringLiteral("counters/first"),
              kName = QStringLiteral("name"), kLines = QStringLiteral("lines"),
              kLine = QStringLiteral("line"), kRolePrefix = QStringLiteral("role:");

std::vector<CounterSet> readSets()
{
    std::vector<CounterSet> sets;
    for (const QVariant& item : QSettings().value(kSets).toList()) {
        const QVariantMap map = item.toMap();
        CounterSet set { map.value(kName).toString(), {} };
        for (const QVariant& line : map.value(kLines).toList())
            set.lines.push_back({ line.toMap().value(kLine).toString(), styleOf(line.toMap()) });
        if (!set.title.isEmpty())
            sets.push_back(std::move(set));
    }
    return sets;
}

void writeSets(const std::vector<CounterSet>& sets)
{
    QVariantList list;
    for (const CounterSet& set : sets) {
        QVariantList lines;
        for (const SetLine& line : set.lines) {
            QVariantMap map = savedStyle(line.style);
            map.insert(kLine, line.kept);
            lines.append(map);
        }
        list.append(QVariantMap { { kName, set.title }, { kLines, lines } });
    }
    QSettings settings;
    settings.setValue(kSets, list);
    settings.sync(); // a program that dies does not take them along
}

auto named(const QString& name)
{
    return [name](const CounterSet& set) { return set.title == name; };
}

} // namespace

QString keptLine(const LineInfo& info)
{
    // What the run itself measures is of the machine that makes the load, on whichever one.
    if (info.key.source.empty() || info.role.empty())
        return info.key.text();
    return QStringLiteral("role:%1:%2").arg(text(info.role), text(keptText(withoutHost(info.key.series))));
}

std::vector<LineKey> linesMeant(const QString& kept, const std::vector<LineInfo>& available)
{
    std::vector<LineKey> lines;
    const auto addWhere = [&](const auto& meant) {
        for (const LineInfo& info : available)
            if (meant(info))
                lines.push_back(info.key);
    };
    if (!kept.startsWith(kRolePrefix)) {
        if (const auto key = LineKey::parse(kept))
            addWhere([&](const LineInfo& info) { return info.key == *key; });
        return lines;
    }
    const std::string role = bytes(kept.section(QLatin1Char(':'), 1, 1));
    const auto series = seriesKeyOf(bytes(kept.section(QLatin1Char(':'), 2)));
    if (series)
        addWhere([&](const LineInfo& info) {
            return info.role == role && withoutHost(info.key.series) == *series;
        });
    return lines;
}

QStringList counterSetNames()
{
    QStringList names;
    for (const CounterSet& set : readSets())
        names.append(set.title);
    names.sort(Qt::CaseInsensitive);
    return names;
}

std::optional<CounterSet> findCounterSet(const QString& name)
{
    const std::vector<CounterSet> sets = readSets();
    const auto found = std::find_if(sets.begin(), sets.end(), named(name));
    return found == sets.end() ? std::nullopt : std::optional(*found);
}

void keepCounterSet(const CounterSet& set)
{
    std::vector<CounterSet> sets = readSets();
    const auto found = std::find_if(sets.begin(), sets.end(), named(set.title));
    if (found == sets.end())
        sets.push_back(set);
    else if (*found == set)
        return;
    else
        *found = set;
    writeSets(sets);
}

bool renameCounterSet(const QString& from, const QString& to)
{
    std::vector<CounterSet> sets = readSets();
    const auto found = std::find_if(sets.begin(), sets.end(), named(from));
    if (found == sets.end() || to.isEmpty() || std::any_of(sets.begin(), sets.end(), named(to)))
        return false;
    found->title = to;
    writeSets(sets);
    if (firstCounterSet() == from)
        setFirstCounterSet(to);
    return true;
}

void removeCounterSet(const QString& name)
{
    std::vector<CounterSet> sets = readSets();
    if (std::erase_if(sets, named(name)) == 0)
        return;
    writeSets(sets);
    if (firstCounterSet() == name)
        setFirstCounterSet({});
}

QString firstCounterSet()
{
    return QSettings().value(kFirst).toString();
}

void setFirstCounterSet(const QString& name)
{
    QSettings settings;
    settings.setValue(kFirst, name);
    settings.sync();
}

} // namespace loadstone::ui
