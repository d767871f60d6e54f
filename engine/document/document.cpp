// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/document_state.h"
#include "document/edits.h"
#include "document/inline_edits.h"
#include "document/key_problems.h"
#include "document/rows_of_paths.h"
#include "document/value_text.h"

#include <loadstone/document.h>

#include <algorithm>

namespace loadstone {

using document::Node;
using document::ParsedText;
using document::Path;
using document::TextVersion;

namespace {

/// Of a path that a caller wrote; the top is the empty one.
const Node* nodeAt(const ParsedText& text, std::string_view path)
{
    const Node* const root = text.root();
    if (root == nullptr || path.empty())
        return root;
    const Path steps = document::parsePath(path);
    return steps.empty() ? nullptr : follow(*root, steps);
}

/// "clients of mixes[2]"
std::string nameOf(const Path& path)
{
    if (path.size() < 2)
        return document::spellPath(path);
    return std::holds_alternative<std::string>(path.back())
        ? document::spellPath({ path.back() }) + " of " + document::spellPath(document::parentOf(path))
        : document::spellPath(path);
}

std::string entryName(const std::string& list, std::size_t at)
{
    return list + "[" + std::to_string(at) + "]";
}

/// The place of a value in a text that is TOML; nothing where it has none of its own.
std::optional<document::Spot> spotOf(const ParsedText& text, std::string_view path)
{
    const document::Layout* const layout = text.layout();
    const Path steps = document::parsePath(path);
    if (layout == nullptr || steps.empty())
        return std::nullopt;
    auto spot = findSpot(text.text(), *layout, steps);
    return spot && spot->steps == steps.size() ? spot : std::nullopt;
}

using Edit = std::function<Result<TextVersion>(const TextVersion&, const Path&)>;

/// The version after an edit at a path.
Result<TextVersion> edited(const TextVersion& from, const std::string& path, const Edit& edit)
{
    if (const document::SyntaxError* wrong = from->error())
        return fail("line " + std::to_string(wrong->at.line) + ": " + wrong->message + "; " + wrong->remedy);
    if (from->layout() == nullptr)
        return fail("the text cannot be edited key by key; edit it as a text");
    const Path steps = document::parsePath(path);
    if (steps.empty())
        return fail("\"" + path + "\" is not a path; write it like mixes[2].clients");
    auto version = edit(from, steps);
    if (!version)
        return version.error().within(path);
    if ((*version)->text().size() > Document::kMostBytes)
        return fail("the text would have more than " + std::to_string(Document::kMostBytes) + " bytes");
    return version;
}

} // namespace

Document::Document()
    : Document(std::string())
{
}

Document::Document(std::string text, std::string name)
    : m_state(std::make_shared<State>())
{
    m_state->now = m_state->kept = std::make_shared<const ParsedText>(std::move(text));
    m_state->name = std::move(name);
}

const std::string& Document::text() const
{
    return m_state->now->text();
}

const std::filesystem::path& Document::file() const
{
    return m_state->file;
}

std::string Document::name() const
{
    return m_state->name;
}

FileKind Document::kind() const
{
    const std::string written = getText("kind").value_or("");
    for (const FileKind kind : { FileKind::profile, FileKind::lab, FileKind::study, FileKind::result })
        if (written == toString(kind))
            return kind;
    const bool isProfile = written.empty()
        && (m_state->name.find("profile") != std::string::npos
            || m_state->file.parent_path().filename() == "profiles");
    return isProfile ? FileKind::profile : FileKind::plan;
}

bool Document::isWellFormed() const
{
    return m_state->now->root() != nullptr;
}

std::vector<Problem> Document::problems() const
{
    if (const document::SyntaxError* wrong = m_state->now->error())
        return { { ProblemSeverity::error, wrong->at.line, wrong->at.column, "", wrong->message,
            wrong->remedy } };
    return document::keyProblems(kind(), *m_state->now->root());
}

std::pair<int, int> Document::positionOf(std::string_view path) const
{
    const Node* const root = m_state->now->root();
    const document::Position at = root == nullptr ? document::Position() : document::positionOf(*root, path);
    return { std::max(1, at.line), std::max(1, at.column) };
}

bool Document::has(std::string_view path) const
{
    return nodeAt(*m_state->now, path) != nullptr;
}

std::optional<std::string> Document::get(std::string_view path) const
{
    const auto spot = spotOf(*m_state->now, path);
    if (!spot)
        return std::nullopt;
    return std::string(spot->value().region.of(text()));
}

std::optional<std::string> Document::getText(std::string_view path) const
{
    const Node* const node = nodeAt(*m_state->now, path);
    if (node == nullptr || node->kind == Node::Kind::table || node->kind == Node::Kind::array)
        return std::nullopt;
    return node->kind == Node::Kind::text ? node->text : get(path);
}

std::size_t Document::size(std::string_view path) const
{
    const Node* const node = nodeAt(*m_state->now, path);
    return node != nullptr && node->kind == Node::Kind::array ? node->items.size() : 0;
}

std::vector<std::string> Document::keys(std::string_view path) const
{
    std::vector<std::string> keys;
    if (const Node* const node = nodeAt(*m_state->now, path))
        for (const document::Member& member : node->members)
            keys.push_back(member.key);
    return keys;
}

std::shared_ptr<const ParsedText> Document::parsed() const
{
    return m_state->now;
}

Result<void> Document::State::take(Document& document, const std::string& what, Result<TextVersion> version)
{
    const State& now = *document.m_state;
    if (!version)
        return version.error();
    if (*version == now.now || (*version)->text() == now.now->text())
        return {};
    auto next = std::make_shared<State>(now);
    next->history.add(what, now.now->text(), (*version)->text());
    next->now = *std::move(version);
    document.m_state = std::move(next);
    return {};
}

Result<void> Document::set(const std::string& path, const std::string& toml)
{
    return State::take(*this, nameOf(document::parsePath(path)),
        edited(m_state->now, path,
            [&](const TextVersion& from, const Path& steps) { return setValue(from, steps, toml); }));
}

Result<void> Document::setText(const std::string& path, const std::string& text)
{
    const auto edit = [&](const TextVersion& from, const Path& steps) -> Result<TextVersion> {
        const Node* const present = follow(*from->root(), steps);
        const KeyRow* const row = document::rowOf(kind(), *from->root(), steps);
        const std::string spelling = get(path).value_or("");
        const auto spelled = document::spellText(row, text, present, spelling);
        if (!spelled)
            return spelled.error();
        // Several lines may not come out as they were typed (line ends), or may not stand there: then on one line.
        const auto value = document::parseValue(*spelled);
        const bool isExact = value
            && (value->kind != Node::Kind::text || value->text == text
                || text.find('\n') == std::string::npos);
        if (isExact)
            if (auto version = setValue(from, steps, *spelled); version || *spelled == tomlText(text))
                return version;
        return setValue(from, steps, tomlText(text));
    };
    return State::take(*this, nameOf(document::parsePath(path)), edited(m_state->now, path, edit));
}

Result<void> Document::erase(const std::string& path)
{
    return State::take(*this, "removal of " + nameOf(document::parsePath(path)),
        edited(m_state->now, path, document::eraseValue));
}

Result<void> Document::append(const std::string& list, const std::string& entry)
{
    return insert(list, size(list), entry);
}

Result<void> Document::insert(const std::string& list, std::size_t at, const std::string& entry)
{
    return State::take(*this, "new entry of " + list,
        edited(m_state->now, list,
            [&](const TextVersion& from, const Path& steps) { return insertEntry(from, steps, at, entry); }));
}

Result<void> Document::remove(const std::string& list, std::size_t at)
{
    return State::take(*this, "removal of " + entryName(list, at),
        edited(m_state->now, list,
            [&](const TextVersion& from, const Path& steps) { return removeEntry(from, steps, at); }));
}

Result<void> Document::duplicate(const std::string& list, std::size_t at)
{
    return State::take(*this, "copy of " + entryName(list, at),
        edited(m_state->now, list,
            [&](const TextVersion& from, const Path& steps) { return duplicateEntry(from, steps, at); }));
}

Result<void> Document::move(const std::string& list, std::size_t from, std::size_t to)
{
    return State::take(*this, "place of " + entryName(list, from),
        edited(m_state->now, list, [&](const TextVersion& version, const Path& steps) {
            return moveEntry(version, steps, from, to);
        }));
}

void Document::replaceText(std::string text)
{
    static_cast<void>(
        State::take(*this, "text", Result<TextVersion>(std::make_shared<const ParsedText>(std::move(text)))));
}

Result<void> Document::change(const std::string& what, const std::function<Result<void>(Document&)>& edits)
{
    Document changed = *this;
    if (const auto done = edits(changed); !done)
        return done;
    return State::take(*this, what, Result<TextVersion>(changed.m_state->now));
}

bool Document::canUndo() const
{
    return m_state->history.canUndo();
}

bool Document::canRedo() const
{
    return m_state->history.canRedo();
}

std::string Document::undoName() const
{
    return m_state->history.undoName();
}

std::string Document::redoName() const
{
    return m_state->history.redoName();
}

void Document::undo()
{
    if (!canUndo())
        return;
    auto next = std::make_shared<State>(*m_state);
    next->now = std::make_shared<const ParsedText>(next->history.undo(text()));
    m_state = std::move(next);
}

void Document::redo()
{
    if (!canRedo())
        return;
    auto next = std::make_shared<State>(*m_state);
    next->now = std::make_shared<const ParsedText>(next->history.redo(text()));
    m_state = std::move(next);
}

bool Document::isModified() const
{
    return m_state->now != m_state->kept && text() != m_state->kept->text();
}

} // namespace loadstone
