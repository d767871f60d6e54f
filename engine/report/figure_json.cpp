// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/figure_json.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

namespace loadstone::report {

namespace {

/// What the figure is of, part by part.
Json toJson(const Subject& subject)
{
    Json json = Json::object();
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            json[name] = value;
    };
    add("host", subject.host);
    add("generator", subject.generator);
    add("target", subject.target);
    add("volume", subject.volume);
    if (subject.ioClass)
        json["ioClass"] = toString(*subject.ioClass);
    add("group", subject.group);
    if (subject.database)
        json["database"] = *subject.database + 1;
    if (subject.action)
        json["action"] = toString(*subject.action);
    add("script", subject.script);
    add("test", subject.test);
    add("command", subject.command);
    return json;
}

Json toJson(const Figure& figure)
{
    const FigureInfo& info = infoOf(figure.id);
    Json json = { { "key", info.key }, { "version", info.version }, { "name", info.name },
        { "subject", toJson(figure.subject) },
        { "window", { { "begin", seconds(figure.window.begin) }, { "end", seconds(figure.window.end) } } },
        { "statistic", toString(figure.statistic) }, { "value", figure.value ? Json(*figure.value) : Json() },
        { "unit", unitOf(figure).name }, { "notation", toString(info.rounding.notation) },
        { "digits", info.rounding.digits }, { "cut", info.rounding.cut }, { "text", format(figure) },
        { "better", toString(betterOf(figure)) }, { "samples", figure.samples } };
    for (const auto& [name, flag] :
        { std::pair("lowerBound", figure.flags.lowerBound), std::pair("missing", figure.flags.missing),
            std::pair("invalid", figure.flags.invalid), std::pair("external", figure.flags.external) })
        if (flag)
            json["flags"].push_back(name);
    if (!figure.path.empty())
        json["path"] = figure.path;
    if (figure.counter)
        json["counter"] = infoOf(*figure.counter).key;
    return json;
}

} // namespace

std::string figuresJson(const std::vector<Figure>& figures)
{
    Json json = Json::array();
    for (const Figure& figure : figures)
        json.push_back(toJson(figure));
    return jsonText(json);
}

} // namespace loadstone::report
