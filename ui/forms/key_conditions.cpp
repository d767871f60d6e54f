// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/key_conditions.h"

#include "format.h"
#include "forms/key_words.h"

#include <loadstone/preset_value.h>

#include <algorithm>
#include <array>

namespace loadstone::ui {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOfAll { { { "mixes[", "mix." },
    { "targets[", "target." } } };

/// The condition's key in the entry in which `path` is: "tests[3].kind" for "tests[].kind" and "tests[3].logs".
std::string inEntryOf(std::string_view key, const std::string& path)
{
    std::string placed;
    for (std::size_t i = 0; i < key.size(); ++i) {
        placed += key[i];
        const bool isList = key[i] == '[' && i + 1 < key.size() && key[i + 1] == ']';
        if (!isList || !path.starts_with(placed))
            continue;
        const std::size_t close = path.find(']', placed.size());
        if (close != std::string::npos)
            placed += path.substr(placed.size(), close - placed.size());
    }
    return placed;
}

bool isStated(const Document& document, const std::string& path)
{
    const auto inherited = inheritedPath(path);
    return document.has(path) || (inherited && document.has(*inherited));
}

bool holds(const Document& document, const KeyCondition& condition, const std::string& path)
{
    const std::string key = inEntryOf(condition.key, path);
    if (condition.values.empty())
        return isStated(document, key);
    const std::string value = effectiveText(document, key);
    return std::ranges::find(condition.values, value) != condition.values.end();
}

} // namespace

std::optional<std::string> inheritedPath(const std::string& path)
{
    for (const auto& [list, table] : kOfAll) {
        const std::size_t close = path.starts_with(list) ? path.find("].") : std::string::npos;
        if (close == std::string::npos)
            continue;
        std::string inherited = std::string(table) + path.substr(close + 2);
        if (findKey(FileKind::plan, inherited) != nullptr)
            return inherited;
    }
    return std::nullopt;
}

std::string effectiveText(const Document& document, const std::string& path)
{
    if (const auto stated = document.getText(path))
        return *stated;
    if (const auto inherited = inheritedPath(path); inherited && !document.has(path))
        return effectiveText(document, *inherited);
    if (!document.has(path))
        if (auto preset = presetValue(document.getText("preset").value_or(""), path))
            return *preset;
    const KeyRow* row = findKey(document.kind(), path);
    if (row == nullptr || !row->fallback.empty() || document.has(path))
        return row == nullptr ? std::string() : std::string(row->fallback);
    // What all have in common has no default of its own: that of an entry holds.
    for (const auto& [list, table] : kOfAll)
        if (path.starts_with(table))
            if (const KeyRow* one =
                    findKey(document.kind(), std::string(list) + "]." + path.substr(table.size())))
                return std::string(one->fallback);
    return {};
}

QString whyNot(const Document& document, const std::string& path)
{
    const KeyRow* row = findKey(document.kind(), path);
    if (row == nullptr)
        return {};
    KeyRow failing; // with those of its conditions that do not hold
    failing.path = row->path;
    for (const KeyCondition& condition : row->when)
        if (!holds(document, condition, path))
            failing.when.push_back(condition);
    return failing.when.empty() ? QString()
                                : QStringLiteral("Applies where %1.").arg(text(describeConditions(failing)));
}

bool isOfOtherKind(const Document& document, const KeyRow& row)
{
    return std::ranges::any_of(row.when, [&](const KeyCondition& condition) {
        return condition.key == "kind" && !holds(document, condition, "kind");
    });
}

QString withoutIt(const Document& document, const std::string& path)
{
    if (const auto inherited = inheritedPath(path); inherited && document.has(*inherited))
        if (const auto value = document.getText(*inherited))
            return QStringLiteral("as for all: %1").arg(text(*value));
    if (const auto preset = presetValue(document.getText("preset").value_or(""), path))
        return QStringLiteral("preset: %1").arg(text(*preset));
    const std::string fallback = [&] {
        const KeyRow* row = findKey(document.kind(), path);
        return row != nullptr && document.has(path) ? std::string(row->fallback)
                                                    : effectiveText(document, path);
    }();
    return fallback.empty() ? QString() : QStringLiteral("default: %1").arg(text(fallback));
}

Result<void> eraseReplaced(Document& document, const std::string& table)
{
    constexpr std::string_view kEmbedded = ".embedded";
    if (!table.ends_with(kEmbedded))
        return {};
    const std::string target = table.substr(0, table.size() - kEmbedded.size());
    for (const char* const place :
        { ".smtp.host", ".smtp.port", ".pop3.host", ".pop3.port", ".imap.host", ".imap.port" })
        if (const auto done = document.erase(target + place); !done)
            return done;
    return {};
}

} // namespace loadstone::ui
