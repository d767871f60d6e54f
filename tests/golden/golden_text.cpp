// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden/golden_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

namespace loadstone::test {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 400;
constexpr std::size_t kShown = 20;

std::string onOneLine(const Json& json)
{
    if (json.is_number_float())
        return fmt::format("{:.12g}", json.get<double>());
    if (!json.is_structured())
        return json.dump();
    std::string text;
    for (const auto& [name, value] : json.items()) {
        text += text.empty() ? "" : ", ";
        text += json.is_object() ? Json(name).dump() + ": " + onOneLine(value) : onOneLine(value);
    }
    return json.is_object() ? "{ " + text + " }" : "[" + text + "]";
}

/// Leaves out of figures what the figure of the same key before has said.
void shorten(Json& json)
{
    std::map<std::string, Json> before;
    for (Json& figure : json) {
        const Json whole = figure;
        const auto key = whole.at("key").get<std::string>();
        const auto last = before.find(key);
        if (last != before.end())
            for (const auto& [name, value] : whole.items())
                if (name != "key" && name != "value" && name != "text" && last->second.contains(name)
                    && last->second[name] == value)
                    figure.erase(name);
        before[key] = whole;
    }
}

void shortenAll(Json& json)
{
    for (const auto& [name, value] : json.items())
        if (json.is_object() && name == "figures")
            shorten(value);
        else if (value.is_structured())
            shortenAll(value);
}

void write(const Json& json, std::size_t depth, std::string& text)
{
    const std::string line = onOneLine(json);
    // The outermost members have lines of their own, however short.
    if (!json.is_structured() || json.empty() || (depth > 1 && line.size() <= kWidth)) {
        text += line;
        return;
    }
    text += json.is_object() ? "{\n" : "[\n";
    std::size_t left = json.size();
    for (const auto& [name, value] : json.items()) {
        text.append(depth + 1, ' ');
        if (json.is_object())
            text += Json(name).dump() + ": ";
        write(value, depth + 1, text);
        text += --left > 0 ? ",\n" : "\n";
    }
    text.append(depth, ' ');
    text += json.is_object() ? "}" : "]";
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

} // namespace

std::string goldenText(const std::string& json)
{
    Json shortened = Json::parse(json);
    shortenAll(shortened);
    std::string text;
    write(shortened, 0, text);
    return text + "\n";
}

std::string differences(const std::string& expected, const std::string& found)
{
    const auto before = linesOf(expected), now = linesOf(found);
    std::string text;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::max(before.size(), now.size()) && shown < kShown; ++i) {
        const std::string was = i < before.size() ? before[i] : "(end)";
        const std::string is = i < now.size() ? now[i] : "(end)";
        if (was == is)
            continue;
        text += fmt::format("line {}\n- {}\n+ {}\n", i + 1, was, is);
        ++shown;
    }
    return text;
}

} // namespace loadstone::test
