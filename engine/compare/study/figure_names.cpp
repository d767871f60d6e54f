// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/study/figure_names.h"

#include "compare/external/names.h"

#include <loadstone/figure.h>

#include <algorithm>

namespace loadstone::compare {

namespace {

/// The path of a reading's counter as people write it, without its computer.
std::string pathOfCounter(const ComparedValue& value)
{
    return value.key.counter ? pathOf(*value.key.counter) : std::string();
}

/// "io.rate" and "db1: Log write".
std::pair<std::string_view, std::string_view> apart(std::string_view name)
{
    const auto of = name.find(" of ");
    return of == std::string_view::npos ? std::pair(name, std::string_view())
                                        : std::pair(name.substr(0, of), name.substr(of + 4));
}

} // namespace

bool isNamed(const ComparedValue& value, std::string_view name)
{
    const RowKey& key = value.key;
    if (key.counter)
        return pathOfCounter(value) == name && key.figure == "counter.average";
    if (key.figure.empty())
        return key.name == name;
    const auto [figure, of] = apart(name);
    return key.figure == figure && key.subject == subjectNamed(figure, of).value_or(Subject());
}

const ComparedValue* findNamed(const std::vector<ComparedValue>& values, std::string_view name)
{
    const auto found =
        std::ranges::find_if(values, [&](const ComparedValue& value) { return isNamed(value, name); });
    return found == values.end() ? nullptr : &*found;
}

RowKey keyNamed(std::string_view name)
{
    RowKey key;
    const auto [figure, of] = apart(name);
    if (findFigure(figure)) {
        key.figure = figure;
        key.subject = subjectNamed(figure, of).value_or(Subject());
    } else {
        key.name = name;
    }
    return key;
}

} // namespace loadstone::compare
