// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/external/names.h"

#include "base/joined.h"
#include "base/trimmed.h"
#include "document/row_value.h"
#include "plan/read/lab_reference.h"

#include <loadstone/document.h>
#include <loadstone/figure.h>
#include <loadstone/lab.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::compare {

namespace {

constexpr std::size_t kMostNamed = 8; // in a remedy

bool mayStandInName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// A volume and a class of I/O: "db1: Log write".
std::optional<Subject> volumeNamed(std::string_view name)
{
    const auto colon = name.rfind(": ");
    if (colon == std::string_view::npos)
        return Subject::ofVolume(std::string(name));
    const auto ioClass = ioClassOf(name.substr(colon + 2));
    return ioClass ? std::optional(Subject::ofVolume(std::string(name.substr(0, colon)), ioClass))
                   : std::nullopt;
}

} // namespace

bool isName(std::string_view text)
{
    constexpr std::size_t kLongest = 64;
    return !text.empty() && text.size() <= kLongest && std::ranges::all_of(text, mayStandInName);
}

std::optional<std::string> shownText(document::TableReader& reader, const char* key, bool lines)
{
    auto text = reader.text(key);
    if (!text)
        return std::nullopt;
    if (const auto fault = document::faultOfText(*text, lines)) {
        reader.problems().error(reader.path(key), fault->message, fault->remedy);
        return std::nullopt;
    }
    return text;
}

std::string textOrNone(document::TableReader& reader, const char* key, bool lines)
{
    return shownText(reader, key, lines).value_or("");
}

std::string readId(document::TableReader& reader, std::map<std::string, std::string, std::less<>>& ids)
{
    const auto id = reader.text("id");
    if (!id)
        return {};
    if (!isName(*id)) {
        reader.problems().error(reader.path("id"), fmt::format("\"{}\" is not an id", document::shown(*id)),
            "use up to 64 letters, digits, - and _, as in ex1-cached");
        return {};
    }
    const auto [same, isNew] = ids.emplace(*id, reader.path("id"));
    if (!isNew) {
        reader.problems().error(reader.path("id"),
            fmt::format("\"{}\" is the id of {}, too", *id, same->second), "give each an id of its own");
        return {};
    }
    return *id;
}

std::vector<std::string> shownTexts(document::TableReader& reader, const char* key)
{
    std::vector<std::string> good;
    const auto texts = reader.texts(key);
    const std::size_t most = reader.most(key);
    if (texts && texts->size() > most)
        reader.problems().error(reader.path(key),
            fmt::format("has {} entries, and at most {} are read", texts->size(), most), "shorten the list");
    for (std::size_t i = 0; texts && i < std::min(texts->size(), most); ++i) {
        const std::string field = fmt::format("{}[{}]", reader.path(key), i);
        if (const auto fault = document::faultOfText((*texts)[i], false))
            reader.problems().error(field, fault->message, fault->remedy);
        else if (std::ranges::find(good, (*texts)[i]) != good.end())
            reader.problems().error(field,
                fmt::format("\"{}\" stands there twice", document::shown((*texts)[i])), "remove one of them");
        else
            good.push_back((*texts)[i]);
    }
    return good;
}

std::string oneOf(const std::string& wrong, const std::vector<std::string>& known)
{
    if (const std::string near = document::nearest(wrong, known); !near.empty())
        return fmt::format("did you mean \"{}\"?", near);
    std::vector<std::string> named(known.begin(), known.begin() + std::min(kMostNamed, known.size()));
    return named.empty()
        ? "there is none so far; add one"
        : fmt::format("write one of: {}{}", joined(named, ", "), named.size() < known.size() ? ", …" : "");
}

std::optional<Subject> subjectNamed(std::string_view figure, std::string_view name)
{
    const auto id = findFigure(figure);
    name = trimmed(name);
    if (!id || name.empty())
        return std::nullopt;
    switch (infoOf(*id).table) {
    case FigureTable::standing:
    case FigureTable::response:
    case FigureTable::service:
    case FigureTable::scoreActions: {
        const auto action = actionKindOf(name);
        Subject script;
        script.script = name;
        return action ? Subject::ofAction(*action) : script;
    }
    case FigureTable::command:
        return Subject::ofCommand(std::string(name));
    case FigureTable::io:
    case FigureTable::device:
    case FigureTable::queued:
        return volumeNamed(name);
    case FigureTable::groupLoad:
    case FigureTable::groupLog:
    case FigureTable::checksum:
    case FigureTable::logChecksum:
    case FigureTable::backup:
    case FigureTable::recovery:
        return Subject::ofGroup(std::string(name));
    default:
        return std::nullopt;
    }
}

void checkLabNames(document::TableReader& reader, const std::filesystem::path& file, const std::string& lab,
    const std::string& variant)
{
    document::Problems& problems = reader.problems();
    if (lab.empty()) {
        if (reader.has("variant") && !problems.touched(reader.path("lab")))
            problems.error(reader.path("variant"), "has no effect: no lab is named here",
                "write lab = \"FILE\" above it, or remove it");
        return;
    }
    const auto found = plan::readLabBeside(file, lab);
    if (!found) {
        problems.error(reader.path("lab"), found.error().message,
            "write the path of a lab, from this file on, or the name of a shipped lab");
        return;
    }
    const CheckedLab checked = readLab(found->text, found->name);
    if (!checked.usable()) {
        problems.error(
            reader.path("lab"), fmt::format("{} has errors", found->name), "check the lab by itself");
        return;
    }
    std::vector<std::string> ids;
    for (const LabVariant& one : checked.lab.variants)
        ids.push_back(one.id);
    if (!variant.empty() && std::ranges::find(ids, variant) == ids.end())
        problems.error(reader.path("variant"),
            fmt::format("{} has no variant \"{}\"", found->name, document::shown(variant)),
            ids.empty() ? "remove it: that lab has no variants" : oneOf(variant, ids));
}

std::filesystem::path fileBeside(const std::filesystem::path& file, const std::string& name)
{
    std::error_code ignored;
    for (const std::string& one : { name, name + ".toml" }) {
        const std::filesystem::path beside = file.parent_path() / one;
        // A file does not mean itself: a study may have the name of a shipped result.
        if (std::filesystem::is_regular_file(beside, ignored)
            && !std::filesystem::equivalent(beside, file, ignored))
            return beside;
    }
    return {};
}

std::vector<Problem> syntaxProblems(
    const std::string& text, const char* kind, std::optional<document::Node>& root)
{
    if (text.size() > Document::kMostBytes)
        return { { ProblemSeverity::error, 0, 0, "",
            fmt::format("has {} bytes, and at most {} are read", text.size(), Document::kMostBytes),
            "divide it" } };
    auto parsed = document::parseDocument(text);
    if (const auto* fault = std::get_if<document::SyntaxError>(&parsed))
        return { { ProblemSeverity::error, fault->at.line, fault->at.column, "", fault->message,
            fault->remedy } };
    root = std::move(std::get<document::Node>(parsed));
    const document::Node* stated = root->find("kind");
    if (stated != nullptr && stated->kind == document::Node::Kind::text && stated->text == kind)
        return {};
    const document::Position at = stated == nullptr ? document::Position { 1, 1 } : stated->begin;
    std::string message = stated == nullptr          ? "is missing"
        : stated->kind == document::Node::Kind::text ? fmt::format("is \"{}\"", document::shown(stated->text))
                                                     : fmt::format("is {}", describe(stated->kind));
    // A file of another kind would have an error in each line.
    if (stated != nullptr)
        root.reset();
    return { { ProblemSeverity::error, at.line, at.column, "kind", std::move(message),
        fmt::format("write kind = \"{}\" at the top", kind) } };
}

} // namespace loadstone::compare
