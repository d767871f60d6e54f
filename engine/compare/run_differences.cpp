// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/node.h"
#include "document/row_value.h"

#include <loadstone/keys.h>
#include <loadstone/lab.h>
#include <loadstone/lab_text.h>
#include <loadstone/run_differences.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace loadstone {

namespace {

using document::Node;
using Group = RunDifference::Group;
using Found = std::vector<RunDifference>;

// --- lab, tunings, software

bool isSoftware(const LabItem* item)
{
    return item != nullptr
        && (item->kind == ItemKind::software || item->kind == ItemKind::os
            || item->kind == ItemKind::hypervisor);
}

void addLabs(const RunLab& before, const RunLab& after, Found& found)
{
    if (before.empty() && after.empty())
        return;
    const auto words = [](const RunLab& lab) { return lab.empty() ? std::string() : describeLab(lab); };
    const CheckedLab one = readLab(before.text, before.name, before.variant);
    const CheckedLab two = readLab(after.text, after.name, after.variant);
    if (before.empty() || after.empty() || !one.usable() || !two.usable()) {
        // Each item of the other would be one; they say no more than that nothing is known of one side.
        if (before.text != after.text || before.variant != after.variant)
            found.push_back({ Group::lab, "", "Lab", "", words(before), words(after) });
        return;
    }
    for (const LabDifference& difference : differences(one.lab, two.lab)) {
        const LabItem* item = one.lab.find(difference.item);
        if (item == nullptr)
            item = two.lab.find(difference.item);
        const Group group = difference.what == LabDifference::What::tuning ? Group::tuning
            : isSoftware(item)                                             ? Group::software
                                                                           : Group::lab;
        found.push_back({ group, difference.item, difference.label, difference.key, difference.before,
            difference.after });
    }
}

// --- plan

/// A value of a plan or profile.
struct PlanValue {
    std::string text; ///< as written
    std::string compared; ///< the same for values that are the same
    int line = 0;
};
using PlanValues = std::map<std::string, PlanValue>;

std::string spelt(const Node& node)
{
    switch (node.kind) {
    case Node::Kind::integer:
        return std::to_string(node.integer);
    case Node::Kind::real:
        return fmt::format("{}", node.real);
    case Node::Kind::boolean:
        return node.boolean ? "true" : "false";
    case Node::Kind::array:
        break;
    default:
        return node.text;
    }
    std::string text;
    for (const Node& item : node.items)
        text += (text.empty() ? "" : ", ") + spelt(item);
    return "[" + text + "]";
}

/// "60 s" and "1 min" are one value.
std::string comparedOf(const KeyRow* row, const std::string& text)
{
    if (row == nullptr)
        return text;
    const auto read = document::readText(*row, text);
    const auto* value = std::get_if<document::RowValue>(&read);
    return value != nullptr && value->number ? fmt::format("{}", *value->number) : text;
}

/// The entry's place in its list: its name where each entry has one of its own.
std::vector<std::string> placesOf(const Node& list)
{
    std::vector<std::string> places;
    std::set<std::string> names;
    for (const Node& entry : list.items)
        if (const Node* name = entry.find("name"); name != nullptr && names.insert(name->text).second)
            places.push_back(name->text);
    if (places.size() != list.items.size()) {
        places.clear();
        for (std::size_t i = 0; i < list.items.size(); ++i)
            places.push_back(std::to_string(i + 1));
    }
    return places;
}

void flatten(
    FileKind kind, const Node& table, const std::string& label, const std::string& path, PlanValues& to);

void addValue(
    FileKind kind, const Node& value, const std::string& label, const std::string& path, PlanValues& to)
{
    if (value.kind == Node::Kind::table) {
        flatten(kind, value, label + ".", path + ".", to);
        return;
    }
    const bool tables = value.kind == Node::Kind::array && !value.items.empty()
        && value.items.front().kind == Node::Kind::table;
    if (tables) {
        const auto places = placesOf(value);
        for (std::size_t i = 0; i < value.items.size(); ++i)
            addValue(kind, value.items[i], fmt::format("{}[{}]", label, places[i]),
                fmt::format("{}[{}]", path, i), to);
        return;
    }
    to[label] = { spelt(value), comparedOf(findKey(kind, path), spelt(value)), value.begin.line };
}

void flatten(
    FileKind kind, const Node& table, const std::string& label, const std::string& path, PlanValues& to)
{
    for (const document::Member& member : table.members)
        addValue(kind, member.value, label + member.key, path + member.key, to);
}

/// The carried profile of a plan is a file of its own: its keys are compared, and not its text.
void addProfile(const Node* table, const std::string& name, PlanValues& to)
{
    const Node* text = table != nullptr ? table->find("text") : nullptr;
    if (text == nullptr || text->kind != Node::Kind::text)
        return;
    const auto parsed = document::parseDocument(text->text);
    if (const Node* root = std::get_if<Node>(&parsed))
        flatten(FileKind::profile, *root, name + ".", "", to);
    else
        to[name] = { text->text, text->text, text->begin.line };
}

Result<PlanValues> valuesOf(const RunHeader& header)
{
    const auto parsed = document::parseDocument(header.planText);
    const Node* root = std::get_if<Node>(&parsed);
    if (root == nullptr)
        return fail(header.id.text() + ": its plan cannot be read");
    PlanValues values;
    Node plan = *root;
    std::erase_if(plan.members, [](const document::Member& member) {
        return member.key == "profile" || member.key == "profiles" || member.key == "lab"
            || member.key == "variant" || member.key == "seed";
    });
    flatten(FileKind::plan, plan, "", "", values);
    addProfile(root->find("profile"), "profile", values);
    if (const Node* profiles = root->find("profiles"))
        for (const Node& one : profiles->items)
            if (const Node* name = one.find("name"))
                addProfile(&one, fmt::format("profiles[{}]", name->text), values);
    // A run may have another seed than its plan states.
    values["seed"] = { std::to_string(header.seed), std::to_string(header.seed), 0 };
    return values;
}

/// What an absent key means, if its row says so.
std::optional<PlanValue> fallbackOf(const std::string& label)
{
    // A name in brackets is any entry: the row does not depend on which.
    std::string path;
    bool within = false;
    for (const char c : label) {
        if (!within || c == ']')
            path += c;
        within = c == '[' || (within && c != ']');
    }
    const bool ofProfile = path.starts_with("profile.");
    const KeyRow* row =
        ofProfile ? findKey(FileKind::profile, path.substr(8)) : findKey(FileKind::plan, path);
    if (row == nullptr || row->fallback.empty())
        return std::nullopt;
    const std::string text(row->fallback);
    return PlanValue { text, comparedOf(row, text), 0 };
}

Result<void> addPlans(const Recording& before, const Recording& after, Found& found)
{
    const auto one = valuesOf(before.header()), two = valuesOf(after.header());
    if (!one || !two)
        return one ? two.error() : one.error();
    // In the order of the second plan's lines, which is the newer one as a rule; what only the first has stands by its own line.
    std::vector<std::pair<int, std::string>> labels;
    for (const auto& [label, value] : *two)
        labels.emplace_back(value.line, label);
    for (const auto& [label, value] : *one)
        if (!two->contains(label))
            labels.emplace_back(value.line, label);
    std::ranges::sort(labels);
    for (const auto& [line, label] : labels) {
        const auto valueIn = [&label = label](const PlanValues& values) -> std::optional<PlanValue> {
            const auto at = values.find(label);
            return at != values.end() ? std::optional(at->second) : fallbackOf(label);
        };
        const auto first = valueIn(*one), second = valueIn(*two);
        if (first && second && first->compared == second->compared)
            continue;
        const auto dot = label.rfind('.');
        found.push_back({ Group::plan, label, label, dot == std::string::npos ? label : label.substr(dot + 1),
            first ? first->text : "", second ? second->text : "" });
    }
    return {};
}

// --- host, and what Loadstone was made with

using Json = nlohmann::ordered_json;

Json objectOf(const std::string& text)
{
    const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= 4; };
    Json json = Json::parse(text, shallow, false);
    return json.is_object() ? json : Json::object();
}

std::string wordOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>()
        : value.is_null()    ? std::string()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Names in the order of the text.
using Facts = std::vector<std::pair<std::string, std::string>>;

void flatten(const Json& json, const std::string& name, Facts& to)
{
    constexpr std::size_t kMost = 2000;
    if (to.size() >= kMost)
        return;
    if (json.is_object()) {
        for (const auto& [key, value] : json.items())
            if (key != "name" || name.empty()) // it names the entry
                flatten(value, name.empty() ? key : name + " " + key, to);
    } else if (json.is_array()) {
        for (const Json& entry : json) {
            const bool named = entry.is_object() && entry.contains("name") && entry["name"].is_string();
            flatten(
                entry, name + " " + (named ? entry["name"].get<std::string>() : std::string("entry")), to);
        }
    } else
        to.emplace_back(name, wordOf(json));
}

void addFacts(
    Group group, const std::string& what, const std::string& before, const std::string& after, Found& found)
{
    Facts one, two;
    flatten(objectOf(before), {}, one);
    flatten(objectOf(after), {}, two);
    const auto valueIn = [](const Facts& facts, const std::string& name) -> std::string {
        const auto at = std::ranges::find(facts, name, &Facts::value_type::first);
        return at == facts.end() ? std::string() : at->second;
    };
    const auto add = [&](const std::string& name, const std::string& first, const std::string& second) {
        if (first != second)
            found.push_back({ group, name, what + name, name, first, second });
    };
    for (const auto& [name, value] : one)
        add(name, value, valueIn(two, name));
    for (const auto& [name, value] : two)
        if (std::ranges::find(one, name, &Facts::value_type::first) == one.end())
            add(name, {}, value);
}

} // namespace

const char* toString(RunDifference::Group group)
{
    static constexpr std::array kNames { "lab", "tuning", "software", "plan", "host" };
    return kNames.at(static_cast<std::size_t>(group));
}

Result<std::vector<RunDifference>> runDifferences(const Recording& before, const Recording& after)
{
    Found found;
    const auto one = before.lab(), two = after.lab();
    if (!one || !two)
        return one ? two.error() : one.error();
    addLabs(*one, *two, found);
    const RunHeader& first = before.header();
    const RunHeader& second = after.header();
    addFacts(Group::software, "Loadstone: ", first.versionsJson, second.versionsJson, found);
    if (const auto plans = addPlans(before, after, found); !plans)
        return plans.error();
    addFacts(Group::host, "", first.hostJson, second.hostJson, found);
    std::ranges::stable_sort(found, {}, &RunDifference::group);
    return found;
}

std::vector<ReportTable> runDifferenceTables(
    const std::vector<RunDifference>& differences, const std::string& before, const std::string& after)
{
    static constexpr std::array kTitles { "Lab", "Tunings", "Software", "Plan",
        "The machine of the load generator" };
    std::vector<ReportTable> tables;
    for (std::size_t group = 0; group < kTitles.size(); ++group) {
        ReportTable table { kTitles.at(group), "", { { "What", false }, { before, false }, { after, false } },
            {} };
        for (const RunDifference& one : differences)
            if (static_cast<std::size_t>(one.group) == group)
                table.rows.push_back({ one.label, one.before.empty() ? "-" : one.before,
                    one.after.empty() ? "-" : one.after });
        if (!table.empty())
            tables.push_back(std::move(table));
    }
    return tables;
}

} // namespace loadstone
