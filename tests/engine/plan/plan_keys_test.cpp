// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of keys say what the readers do: both have the same keys, and defaults, ranges and needed keys hold.
#include "document/asked_keys.h"
#include "document/node.h"
#include "key_documents.h"
#include "plan/model/plan.h"
#include "plan/read/read_plan.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

using namespace loadstone;
using document::Node;
using test::kProfile;
using test::plans;

namespace {

const std::filesystem::path kSource { LOADSTONE_SOURCE_DIR };

Node parsed(const std::string& text)
{
    const auto document = document::parseDocument(text);
    REQUIRE(std::holds_alternative<Node>(document));
    return std::get<Node>(document);
}

struct Reading {
    std::variant<plan::Plan, plan::Profile> value;
    std::vector<Problem> errors;
};

Reading readAs(FileKind kind, const Node& root)
{
    Reading reading;
    std::vector<Problem> problems;
    if (kind == FileKind::profile) {
        document::Problems found(root, FileKind::profile);
        reading.value = plan::readProfile(root, "p", found);
        problems = found.take();
    } else {
        plan::CheckedPlan checked = plan::readOneTarget(
            root, "test", [](const std::string&) -> Result<std::string> { return std::string(kProfile); });
        reading.value = std::move(checked.plan);
        problems = std::move(checked.problems);
    }
    std::ranges::copy_if(problems, std::back_inserter(reading.errors),
        [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
    return reading;
}

std::string listOf(const std::vector<Problem>& problems)
{
    std::string text;
    for (const Problem& problem : problems)
        text += problem.format("file") + "\n";
    return text;
}

Node* memberOf(Node& table, std::string_view key)
{
    for (document::Member& member : table.members)
        if (member.key == key)
            return &member.value;
    return nullptr;
}

/// A table of a document with those above it, by their paths without indices.
using Chain = std::vector<std::pair<std::string, Node*>>;

/// All tables that a path without indices means; single tables are made where they are missing.
void walk(const Chain& above, const std::string& rest, std::vector<Chain>& to)
{
    if (rest.empty()) {
        to.push_back(above);
        return;
    }
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::string step = rest.substr(0, end), then = end == rest.size() ? "" : rest.substr(end + 1);
    const bool list = step.ends_with("[]");
    const std::string key = list ? step.substr(0, step.size() - 2) : step;
    Node& table = *above.back().second;
    Node* value = memberOf(table, key);
    const std::string path = above.back().first.empty() ? step : above.back().first + "." + step;
    const auto go = [&](Node& node) {
        Chain chain = above;
        chain.emplace_back(path, &node);
        walk(chain, then, to);
    };
    if (list) {
        for (std::size_t i = 0; value != nullptr && i < value->items.size(); ++i)
            go(value->items[i]);
        return;
    }
    // Only where its presence says nothing by itself.
    if (value == nullptr || value->kind != Node::Kind::table)
        return;
    go(*value);
}

std::pair<std::string, std::string> apart(std::string_view path)
{
    const auto dot = path.rfind('.');
    return dot == std::string_view::npos
        ? std::pair(std::string(), std::string(path))
        : std::pair(std::string(path.substr(0, dot)), std::string(path.substr(dot + 1)));
}

std::string textOf(const Node& value)
{
    return value.kind == Node::Kind::text   ? value.text
        : value.kind == Node::Kind::boolean ? (value.boolean ? "true" : "false")
                                            : "";
}

bool holds(FileKind kind, const KeyCondition& condition, const Chain& chain)
{
    const auto [table, key] = apart(condition.key);
    Node* node = chain.front().second;
    const auto same = std::ranges::find(chain, table, &std::pair<std::string, Node*>::first);
    if (same != chain.end())
        node = same->second;
    else
        for (const document::PathStep& step : document::parsePath(table))
            node = node == nullptr ? nullptr : memberOf(*node, std::get<std::string>(step));
    const Node* value = node == nullptr ? nullptr : memberOf(*node, key);
    if (condition.values.empty())
        return value != nullptr;
    const std::string text =
        value != nullptr ? textOf(*value) : std::string(findKey(kind, condition.key)->fallback);
    return std::ranges::find(condition.values, text) != condition.values.end();
}

/// Where a row applies in `root`: its tables, with all conditions met. A table of the file alone has to apply as well.
std::vector<Chain> placesOf(FileKind kind, const KeyRow& row, Node& root)
{
    std::vector<Chain> found, places;
    walk({ { "", &root } }, apart(row.path).first, found);
    for (const Chain& chain : found)
        if (std::ranges::all_of(
                row.when, [&](const KeyCondition& condition) { return holds(kind, condition, chain); }))
            places.push_back(chain);
    return places;
}

std::string tomlOf(const KeyRow& row, const std::string& text)
{
    const bool bare =
        row.type == KeyType::flag || row.type == KeyType::integer || row.type == KeyType::number;
    return bare ? text : "\"" + text + "\"";
}

void put(Node& table, const std::string& key, const std::string& toml)
{
    Node value = parsed("x = " + toml).members.front().value;
    if (Node* same = memberOf(table, key))
        *same = std::move(value);
    else
        table.members.push_back({ key, table.begin, std::move(value) });
}

/// Calls `test` with each place of each row in the documents of its kind, each time in a document of its own. It says whether the
/// place showed something; for each row some place has to.
void atEachPlace(FileKind kind, const std::function<bool(const KeyRow&)>& chosen,
    const std::function<bool(const KeyRow&, Node& root, Node& table)>& test)
{
    const std::vector<const char*> profiles { kProfile };
    for (const KeyRow& row : keysOf(kind)) {
        if (row.path.starts_with("targets[]") || !chosen(row))
            continue; // those are [target]'s once more
        std::size_t places = 0;
        for (const char* text : kind == FileKind::profile ? profiles : plans()) {
            Node count = parsed(text);
            for (std::size_t i = 0; i < placesOf(kind, row, count).size(); ++i) {
                Node root = parsed(text);
                INFO(row.path << ", place " << i << " in: " << std::string(text).substr(10, 60));
                places += test(row, root, *placesOf(kind, row, root)[i].back().second) ? 1 : 0;
            }
        }
        INFO("no document has a place for " << row.path);
        CHECK(places > 0);
    }
}

/// Just outside of the range; nothing where there is no such end.
std::vector<std::string> outside(const KeyRow& row)
{
    std::vector<std::string> values;
    const auto add = [&](double value) {
        switch (row.type) {
        case KeyType::integer:
            values.push_back(fmt::format("{:.0f}", value));
            break;
        case KeyType::number:
            values.push_back(fmt::format("{:.7f}", value));
            break;
        case KeyType::duration:
            values.push_back(fmt::format("{:.9f} s", value));
            break;
        case KeyType::bytes:
            values.push_back(fmt::format("{:.0f} B", value));
            break;
        case KeyType::rate:
            values.push_back(fmt::format("{:.6f}/s", value));
            break;
        case KeyType::percent:
            values.push_back(fmt::format("{:.6f} %", value));
            break;
        case KeyType::text:
            values.emplace_back(static_cast<std::size_t>(value), 'a');
            break;
        default:
            break;
        }
    };
    const bool whole =
        row.type == KeyType::integer || row.type == KeyType::bytes || row.type == KeyType::text;
    if (row.most)
        add(whole ? *row.most + 1 : *row.most * 1.001);
    if (row.least && *row.least > 0)
        add(whole ? *row.least - 1 : *row.least * 0.999);
    return values;
}

std::string textOfFile(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

template <class Read>
void forEachToml(const char* folder, Read read)
{
    for (const auto& entry : std::filesystem::directory_iterator(kSource / folder))
        if (entry.path().extension() == ".toml")
            read(textOfFile(entry.path()));
}

} // namespace

TEST_CASE("readers of plans and profiles and the tables of keys have the same keys, types and choices")
{
    document::AskedKeys keys;
    const auto asPlan = [](const std::string& text) { plan::parsePlan(text, "plan.toml"); };
    for (const char* folder : { "resources/plans", "tests/plans/good", "tests/plans/bad" })
        forEachToml(folder, asPlan);
    for (const char* text : plans())
        asPlan(text);
    asPlan("format = 1\nkind = \"mail\"\n[[targets]]\n[[profiles]]\nname = \"p\"\ntext = \"\"\n");
    const auto asProfile = [](const std::string& text) {
        if (const auto document = document::parseDocument(text); std::holds_alternative<Node>(document))
            readAs(FileKind::profile, std::get<Node>(document));
    };
    forEachToml("resources/profiles", asProfile);
    asProfile(kProfile);

    CHECK(keys.faults() == std::set<std::string> {});
    for (const FileKind kind : { FileKind::plan, FileKind::profile })
        for (const KeyRow& row : keysOf(kind)) {
            const bool ofTarget = row.path.starts_with("targets[].")
                && findKey(kind, "target." + std::string(row.path.substr(10))) != nullptr;
            if (ofTarget || row.path.ends_with('*'))
                continue; // read as [target], or by names that people choose
            INFO("no reader asks for " << toString(kind) << " key " << row.path);
            CHECK(keys.asked().contains({ kind, std::string(row.path) }));
        }
    // What other checks refuse with words of their own.
    CHECK(keys.furtherChoices()
        == std::set<std::string> { "database.durability: none", "messages[].body: bitmap",
            "messages[].body: document", "messages[].body: sheet", "target.imap.auth: apop",
            "target.imap.auth: none", "target.imap.auth: user/pass", "target.pop3.auth: none",
            "target.smtp.auth: apop", "target.smtp.auth: user/pass" });
}

TEST_CASE("the documents of these tests are good")
{
    for (const char* text : plans()) {
        const Reading reading = readAs(FileKind::plan, parsed(text));
        INFO(text << listOf(reading.errors));
        CHECK(reading.errors.empty());
    }
    CHECK(readAs(FileKind::profile, parsed(kProfile)).errors.empty());
}

TEST_CASE("a key that is stated with its default changes nothing")
{
    for (const FileKind kind : { FileKind::plan, FileKind::profile })
        atEachPlace(
            kind,
            [](const KeyRow& row) {
                // A plan keeps whether this one was stated; what it means is the same.
                return !row.fallback.empty() && !row.path.ends_with(".verify_certificate");
            },
            [&](const KeyRow& row, Node& root, Node& table) {
                const auto [path, key] = apart(row.path);
                std::erase_if(
                    table.members, [&](const document::Member& member) { return member.key == key; });
                const Reading without = readAs(kind, root);
                put(table, key, tomlOf(row, std::string(row.fallback)));
                const Reading with = readAs(kind, root);
                if (!without.errors.empty())
                    return false; // the document needs another value
                INFO(listOf(with.errors));
                CHECK(with.errors.empty());
                CHECK(with.value == without.value);
                return true;
            });
}

TEST_CASE("a value outside of the range of its row is refused")
{
    for (const FileKind kind : { FileKind::plan, FileKind::profile })
        atEachPlace(
            kind, [](const KeyRow& row) { return !outside(row).empty() && row.path != "format"; },
            [&](const KeyRow& row, Node& root, Node& table) {
                const std::string key = apart(row.path).second;
                const bool source = row.path.starts_with("counters[].")
                    && (key == "ssh" || key == "openmetrics" || key == "command");
                if (source && memberOf(table, key) == nullptr)
                    return false; // an entry has one of them
                for (const std::string& value : outside(row)) {
                    put(table, key, tomlOf(row, value));
                    const Reading reading = readAs(kind, root);
                    INFO(value.substr(0, 80) << "\n" << listOf(reading.errors));
                    CHECK(std::ranges::any_of(reading.errors, [&](const Problem& problem) {
                        return problem.field.ends_with(key)
                            && problem.message.find("unknown") == std::string::npos;
                    }));
                }
                return true;
            });
}

TEST_CASE("a file without a key that its row needs is refused")
{
    for (const FileKind kind : { FileKind::plan, FileKind::profile })
        atEachPlace(
            kind, [](const KeyRow& row) { return row.required && !row.path.starts_with("profile"); },
            [&](const KeyRow& row, Node& root, Node& table) {
                const std::string key = apart(row.path).second;
                std::erase_if(
                    table.members, [&](const document::Member& member) { return member.key == key; });
                CHECK(!readAs(kind, root).errors.empty());
                return true;
            });
}

TEST_CASE("a key of another kind of plan is named as such")
{
    Node root = parsed("format = 1\nkind = \"raw\"\n[device]\npath = \"/data/x.dat\"\nsize = \"1 "
                       "GB\"\n[[mixes]]\nmeasurement = \"60 s\"\n");
    put(root, "drain", "\"1 s\"");
    const Reading reading = readAs(FileKind::plan, root);
    REQUIRE(reading.errors.size() == 1);
    CHECK(reading.errors.front().field == "drain");
    CHECK(reading.errors.front().message == "this key does not apply here");
    CHECK(reading.errors.front().remedy == "remove it; it applies where kind is \"mail\"");
}
