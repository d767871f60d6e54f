// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "plan/read/read_plan.h"
#include "series/derived_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::plan {

namespace {

/// "sum(\"...\", \"...\")"
std::string group(const char* function, const std::vector<std::string>& paths)
{
    std::string text = std::string(function) + "(";
    for (const std::string& path : paths)
        text += (&path == paths.data() ? "" : ", ") + series::quotedPath(path);
    return text + ")";
}

/// What it is made of, as the text that is typed elsewhere; empty: a problem was reported.
std::string expressionOf(document::TableReader& table, document::Problems& problems)
{
    const auto sum = table.texts("sum"), mean = table.texts("mean"), ratio = table.texts("ratio");
    const auto is = table.text("is");
    const auto times = table.real("times");
    const auto per =
        table.choice<const char*>("per", { { "user", " / users" }, { "processor", " / processors" } });
    const int stated = sum.has_value() + mean.has_value() + ratio.has_value() + is.has_value();
    if (stated != 1) {
        if (stated > 1 || !(table.has("sum") || table.has("mean") || table.has("ratio") || table.has("is")))
            problems.error(table.path("name"),
                stated == 0 ? "is computed from nothing" : "is computed in two ways",
                "write one of sum = [...], mean = [...], ratio = [a, b] and is = '...'");
        return {};
    }
    if (ratio && ratio->size() != 2) {
        problems.error(table.path("ratio"), fmt::format("has {} counters", ratio->size()),
            "write two: ratio = [a, b] is a / b");
        return {};
    }
    if ((sum && sum->empty()) || (mean && mean->empty())) {
        problems.error(
            table.path(sum ? "sum" : "mean"), "has no counters", "write paths, with * for any text");
        return {};
    }
    std::string text = sum ? group("sum", *sum)
        : mean             ? group("mean", *mean)
        : ratio            ? series::quotedPath((*ratio)[0]) + " / " + series::quotedPath((*ratio)[1])
                           : "(" + *is + ")";
    if (times)
        text += fmt::format(" * {}", *times);
    return per ? text + *per : text;
}

} // namespace

void readDerived(
    const document::Node* list, std::size_t most, document::Problems& problems, std::vector<std::string>& to)
{
    if (list == nullptr)
        return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        document::TableReader table(&list->items[i], fmt::format("derived[{}]", i), problems);
        if (i == most) {
            problems.error(
                table.path("name"), "is one too many", fmt::format("define at most {} counters", most));
            return;
        }
        const auto name = table.text("name");
        const std::string unit = table.text("unit").value_or("");
        const std::string expression = expressionOf(table, problems);
        table.finish();
        if (!table.has("name"))
            table.missing("name", "write name = \"CPU per user\"");
        if (!name || expression.empty())
            continue;
        const std::string head = unit.empty() ? *name : fmt::format("{} [{}]", *name, unit);
        if (const auto sign = head.find('='); sign != std::string::npos) {
            problems.error(table.path("name"), "has a = in it", "write a name and a unit without one");
            continue;
        }
        std::string definition = head + " = " + expression;
        if (const auto good = series::parseDerived(definition); !good) {
            problems.error(table.path("name"), "cannot be computed: " + good.error().message,
                "write paths as charts show them, and see \"Derived counters\" in the help");
            continue;
        }
        to.push_back(std::move(definition));
    }
}

} // namespace loadstone::plan
