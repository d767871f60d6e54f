// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/configuration.h"

#include "base/json.h"
#include "document/node.h"
#include "document/row_value.h"
#include "lab/host_facts.h"

#include <loadstone/keys.h>
#include <loadstone/lab.h>
#include <loadstone/lab_text.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace loadstone::compare {

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

} // namespace

void addLabDifferences(const RunLab& before, const RunLab& after, Found& found)
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

namespace {

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

} // namespace

Result<PlanValues> planValues(const RunHeader& header)
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

std::optional<PlanValue> fallbackOf(const PlanValues& values, const std::string& label)
{
    if (const auto bracket = label.rfind(']'); bracket != std::string::npos) {
        const std::string entry = label.substr(0, bracket + 1);
        const auto first = values.lower_bound(entry);
        if (first == values.end() || !first->first.starts_with(entry))
            return std::nullopt;
    }
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

// --- host, and what Loadstone was made with

namespace {

Json objectOf(const std::string& text)
{
    Json json = parsedJson(text, 4);
    return json.is_object() ? json : Json::object();
}

std::string wordOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : jsonText(value);
}

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

} // namespace

Facts factsOf(const std::string& json)
{
    Facts facts;
    flatten(objectOf(json), {}, facts);
    return facts;
}

// --- digest

namespace {

/// Keys that say nothing of how a run is made, wherever they stand.
bool isForPeople(const std::string& key, bool lab)
{
    static constexpr std::array kOfPlans { "name", "seed", "lab", "variant", "sources" };
    static constexpr std::array kOfAll { "title", "description", "note", "notes" };
    return std::ranges::find(kOfAll, key) != kOfAll.end()
        || (!lab && std::ranges::find(kOfPlans, key) != kOfPlans.end());
}

/// All values of a document with their places, whatever the order of its keys.
void addValues(const Node& node, const std::string& path, bool lab, std::map<std::string, std::string>& to)
{
    if (node.kind == Node::Kind::table) {
        for (const document::Member& member : node.members)
            if (!isForPeople(member.key, lab))
                addValues(member.value, path + "." + member.key, lab, to);
        return;
    }
    const bool tables =
        node.kind == Node::Kind::array && !node.items.empty() && node.items.front().kind == Node::Kind::table;
    if (!tables) {
        to[path] = spelt(node);
        return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
        addValues(node.items[i], fmt::format("{}[{}]", path, i), lab, to);
}

std::string valuesText(const std::string& toml, bool lab)
{
    const auto parsed = document::parseDocument(toml);
    const Node* root = std::get_if<Node>(&parsed);
    if (root == nullptr)
        return toml;
    std::map<std::string, std::string> values;
    addValues(*root, {}, lab, values);
    std::string text;
    for (const auto& [path, value] : values) {
        // A profile that the plan carries is a document of its own.
        const bool carried = path.ends_with(".text") && path.find("profile") != std::string::npos;
        text += path + "=" + (carried ? valuesText(value, false) : value) + "\n";
    }
    return text;
}

} // namespace

std::string digestOf(const std::string& text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return fmt::format("{:016x}", hash);
}

Result<std::string> configurationDigest(const Recording& recording)
{
    const RunHeader& header = recording.header();
    const auto lab = recording.lab();
    if (!lab)
        return lab.error();
    std::string text = valuesText(header.planText, false);
    if (!lab->empty())
        text += "lab\n" + lab->variant + "\n" + valuesText(lab->text, true);
    text += "versions\n";
    for (const auto& [name, value] : factsOf(header.versionsJson))
        text += name + "=" + value + "\n";
    text += "host\n";
    // What changes from one day to the next, as limits of the process and states of interfaces, is left out.
    const auto host = lab::hostFactsFromJson(header.hostJson).value_or(lab::HostFacts());
    text += fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", host.cpuModel, host.logicalCpus, host.memoryBytes,
        host.kernel, host.operatingSystem, host.cpuGovernor);
    // The commands of a study may make its cases differ where plan and lab are the same.
    if (!header.study.empty())
        text += fmt::format("study\n{}\n{}\n", header.study.study, header.study.studyCase);
    return digestOf(text + header.target);
}

} // namespace loadstone::compare
