// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/derived_definitions.h"

#include "format.h"
#include "run/view/own_counter.h"

#include <QSettings>
#include <QVariantMap>

#include <algorithm>

namespace loadstone::ui {

namespace {

const QString kDerived = QStringLiteral("counters/derived"), kName = QStringLiteral("name"),
              kUnit = QStringLiteral("unit"), kFormula = QStringLiteral("formula");

void write(const std::vector<DerivedDefinition>& definitions)
{
    QVariantList list;
    for (const DerivedDefinition& one : definitions)
        list.append(QVariantMap { { kName, one.title }, { kUnit, one.unit }, { kFormula, one.formula } });
    QSettings settings;
    settings.setValue(kDerived, list);
    settings.sync(); // a program that dies does not take them along
}

auto named(const QString& name)
{
    return [name](const DerivedDefinition& one) { return one.title == name; };
}

} // namespace

QString DerivedDefinition::text() const
{
    return title + (unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(unit)) + QStringLiteral(" = ")
        + formula;
}

std::vector<DerivedDefinition> derivedDefinitions()
{
    std::vector<DerivedDefinition> definitions;
    for (const QVariant& item : QSettings().value(kDerived).toList()) {
        const QVariantMap map = item.toMap();
        DerivedDefinition one { map.value(kName).toString(), map.value(kUnit).toString(),
            map.value(kFormula).toString() };
        if (!one.title.isEmpty() && std::none_of(definitions.begin(), definitions.end(), named(one.title)))
            definitions.push_back(std::move(one));
    }
    return definitions;
}

void keepDerivedDefinition(const DerivedDefinition& definition)
{
    std::vector<DerivedDefinition> definitions = derivedDefinitions();
    const auto found = std::find_if(definitions.begin(), definitions.end(), named(definition.title));
    if (found == definitions.end())
        definitions.push_back(definition);
    else
        *found = definition;
    write(definitions);
}

void removeDerivedDefinition(const QString& name)
{
    std::vector<DerivedDefinition> definitions = derivedDefinitions();
    if (std::erase_if(definitions, named(name)) != 0)
        write(definitions);
}

std::vector<std::string> derivedTexts()
{
    std::vector<std::string> texts;
    for (const DerivedDefinition& one : derivedDefinitions())
        texts.push_back(bytes(one.text()));
    return texts;
}

LineKey derivedLine(const QString& name)
{
    DerivedCounter counter;
    counter.name = bytes(name);
    return LineKey::ofCounter(derivedInfo(counter));
}

QString quotedPath(const QString& path)
{
    return QLatin1Char('"') + QString(path).replace(QLatin1Char('"'), QLatin1String("\"\""))
        + QLatin1Char('"');
}

} // namespace loadstone::ui
