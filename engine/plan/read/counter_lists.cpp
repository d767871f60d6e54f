// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/counter_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadstone::plan {

namespace {

constexpr std::int64_t kLastProcessor = 4095;

bool isDevice(const std::string& name)
{
    return !name.empty() && name.size() <= kLongestListedName && !hasControlCharacters(name)
        && name.find('/') == std::string::npos && name != "." && name != "..";
}

/// `name`, `name*`, `name{label="value"}`: what stands before the braces; the labels are looked at by who reads the metrics.
bool isMetricPattern(const std::string& text)
{
    const std::size_t end = std::min(text.find('{'), text.size());
    const bool name =
        end > 0 && std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
                || c == ':' || c == '*';
        });
    const bool digitFirst = end > 0 && text[0] >= '0' && text[0] <= '9';
    return name && !digitFirst && (end == text.size() || text.ends_with('}'));
}

} // namespace

bool hasControlCharacters(const std::string& text)
{
    return std::any_of(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

std::string shownInQuotes(const std::string& text)
{
    return fmt::format("\"{}\"", document::shown(text));
}

void readNames(document::TableReader& table, const char* key, std::vector<std::string>& to, const char* what,
    const char* remedy, bool (*good)(const std::string&))
{
    const auto names = table.texts(key);
    if (!names)
        return;
    if (names->size() > kMostListedNames) {
        table.problems().error(table.path(key), fmt::format("has {} entries", names->size()),
            fmt::format("write at most {}", kMostListedNames));
        return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names->size(); ++i) {
        const std::string& name = (*names)[i];
        const std::string field = fmt::format("{}[{}]", table.path(key), i);
        if (name.empty() || name.size() > kLongestListedName || hasControlCharacters(name) || !good(name))
            table.problems().error(field, fmt::format("{} is not {}", shownInQuotes(name), what), remedy);
        else if (!seen.insert(name).second)
            table.problems().error(
                field, fmt::format("{} is named twice", shownInQuotes(name)), "name it once");
        else
            to.push_back(name);
    }
}

bool isAnyName(const std::string& /*name*/)
{
    return true;
}

bool isGroupPath(const std::string& path)
{
    const std::string framed = "/" + path + "/";
    return framed.find("/../") == std::string::npos && framed.find("/./") == std::string::npos;
}

void readMetrics(document::TableReader& table, std::vector<std::string>& to)
{
    readNames(table, "metrics", to, "the name of a metric",
        "write a name, with or without labels, as in \"node_load1\" or \"up{job=\\\"mail\\\"}\"; * is any "
        "text "
        "in a name",
        isMetricPattern);
}

void readProcessors(document::TableReader& table, std::vector<std::uint32_t>& to)
{
    const document::Node* list = table.node("processors");
    if (list == nullptr)
        return;
    const char* const remedy = "write their numbers, as in processors = [0, 1]";
    const std::string field = table.path("processors");
    if (list->kind != document::Node::Kind::array || list->items.empty()
        || list->items.size() > static_cast<std::size_t>(kLastProcessor) + 1) {
        table.problems().error(field, "is not a list of processors", remedy);
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const document::Node& item = list->items[i];
        const bool number =
            item.kind == document::Node::Kind::integer && item.integer >= 0 && item.integer <= kLastProcessor;
        const auto processor = number ? static_cast<std::uint32_t>(item.integer) : 0U;
        if (!number)
            table.problems().error(fmt::format("{}[{}]", field, i), "is not the number of a processor",
                fmt::format("write a number from 0 to {}", kLastProcessor));
        else if (std::find(to.begin(), to.end(), processor) != to.end())
            table.problems().error(
                fmt::format("{}[{}]", field, i), fmt::format("{} is named twice", processor), "name it once");
        else
            to.push_back(processor);
    }
}

void readVolumes(
    document::TableReader& table, std::vector<std::pair<std::string, std::vector<std::string>>>& to)
{
    const document::Node* roles = table.table("volumes");
    if (roles == nullptr)
        return;
    const std::string path = table.path("volumes");
    if (roles->members.size() > kMostListedNames)
        table.problems().error(path, fmt::format("has {} entries", roles->members.size()),
            fmt::format("write at most {}", kMostListedNames));
    for (std::size_t i = 0; i < roles->members.size() && i < kMostListedNames; ++i) {
        const std::string& role = roles->members[i].key;
        if (role.empty() || role.size() > 60 || role != document::shown(role) || role.front() == '_'
            || role.find_first_of("()\\\"") != std::string::npos)
            table.problems().errorAt(roles->members[i].at, path,
                fmt::format("{} is not the name of a volume's role", shownInQuotes(role)),
                "write a short name without ( ) \\ and quotes, as in \"IS Database\" = [\"sda\", \"sdb\"]");
        const document::Node& list = roles->members[i].value;
        std::vector<std::string> devices;
        // Roles have blanks in them, so their places have no path.
        const auto wrong = [&](document::Position at, std::string message) {
            table.problems().errorAt(
                at, path, std::move(message), "write the names of its disks, as in [\"sda\", \"sdb\"]");
        };
        if (list.kind != document::Node::Kind::array || list.items.empty()
            || list.items.size() > kMostListedNames)
            wrong(list.begin,
                fmt::format(
                    "{} is made of no disk, or of more than {}", shownInQuotes(role), kMostListedNames));
        for (std::size_t n = 0;
             list.kind == document::Node::Kind::array && n < list.items.size() && n < kMostListedNames; ++n) {
            const document::Node& item = list.items[n];
            const bool named = item.kind == document::Node::Kind::text && isDevice(item.text);
            if (!named)
                wrong(item.begin, fmt::format("{} is not the name of a disk", shownInQuotes(item.text)));
            else if (std::find(devices.begin(), devices.end(), item.text) != devices.end())
                wrong(item.begin, fmt::format("{} is named twice", shownInQuotes(item.text)));
            else
                devices.push_back(item.text);
        }
        to.emplace_back(role, std::move(devices));
    }
}

} // namespace loadstone::plan
