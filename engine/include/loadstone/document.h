// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/keys.h"
#include "loadstone/problem.h"
#include "loadstone/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::document {
class ParsedText;
}

namespace loadstone {

/// A TOML file that people write and programs edit. The text is the model: what an edit does not name keeps every byte, comments,
/// order and line ends included. Comment lines directly above a header belong to that header, and those within a table or directly below
/// its last key to that table; what else stands between tables stays where it is. A path names a value: "mixes[2].clients" (indices from
/// 0; keys that are not bare in quotes: a."b c"). Each edit is proved by a parse before it is taken; an edit that fails changes nothing.
/// Not thread-safe; a copy is cheap enough to hand to another thread.
class Document {
public:
    /// Texts are at most this long, in bytes.
    static constexpr std::size_t kMostBytes = 16U << 20U;

    Document();
    /// `name` for messages; a document from a text has no file yet.
    explicit Document(std::string text, std::string name = "untitled");
    /// An Error when the file cannot be read or is too long; a text that is not TOML is read all the same, see problems().
    static Result<Document> read(const std::filesystem::path& file);

    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] const std::filesystem::path& file() const; ///< empty: not saved yet
    [[nodiscard]] std::string name() const; ///< of the file, without its folder
    /// From `kind`; a text without it is a plan, unless the name says profile.
    [[nodiscard]] FileKind kind() const;
    /// Whether the text is TOML. One that is not can be replaced by setText() and undone, and no more.
    [[nodiscard]] bool isWellFormed() const;
    /// Of the syntax and of the table of keys: unknown keys, types, ranges. What is wrong between values is found by the reader of
    /// the kind (checkPlan(), checkLab()).
    [[nodiscard]] std::vector<Problem> problems() const;
    /// Where a value stands, or the nearest table around it: line and column from 1.
    [[nodiscard]] std::pair<int, int> positionOf(std::string_view path) const;

    [[nodiscard]] bool has(std::string_view path) const;
    /// The value as the text spells it: "\"90 s\"", "[1, 2]".
    [[nodiscard]] std::optional<std::string> get(std::string_view path) const;
    /// Of a text or a plain value without its quotes: "90 s", "true", "4"; nothing for tables and lists.
    [[nodiscard]] std::optional<std::string> getText(std::string_view path) const;
    /// Entries of a list; 0 for what is absent or is not a list.
    [[nodiscard]] std::size_t size(std::string_view path) const;
    /// The keys of a table in the order of the text; empty path: of the top.
    [[nodiscard]] std::vector<std::string> keys(std::string_view path) const;
    /// The text with what it says, for readers within the engine, so that they need not parse it again. Never null.
    [[nodiscard]] std::shared_ptr<const document::ParsedText> parsed() const;

    /// `toml` is a value as TOML spells it. A key that does not exist is written at the end of its table, a table that does not
    /// exist is made.
    Result<void> set(const std::string& path, const std::string& toml);
    /// The same with a text, number or flag in the spelling that the table of keys asks for.
    Result<void> setText(const std::string& path, const std::string& text);
    /// Removes a key with the comment at its line's end, or a table with the comment lines that belong to it. No error when absent.
    Result<void> erase(const std::string& path);
    /// Entries of lists of tables ([[mixes]]); `entry` is the text below the header. A list that does not exist is made. In a list in
    /// brackets `entry` is a value, or keys that become an inline table; an Error where that would lose a comment.
    Result<void> append(const std::string& list, const std::string& entry);
    Result<void> insert(const std::string& list, std::size_t at, const std::string& entry);
    Result<void> remove(const std::string& list, std::size_t at);
    /// The copy stands directly after the entry.
    Result<void> duplicate(const std::string& list, std::size_t at);
    /// `to`: the place that the entry has afterwards.
    Result<void> move(const std::string& list, std::size_t from, std::size_t to);
    /// Replaces the whole text, as a text editor does.
    void replaceText(std::string text);

    /// Several edits as one step of undo: all are taken, or none when `edits` returns an Error.
    Result<void> change(const std::string& what, const std::function<Result<void>(Document&)>& edits);
    [[nodiscard]] bool canUndo() const;
    [[nodiscard]] bool canRedo() const;
    [[nodiscard]] std::string undoName() const; ///< "clients of mixes[2]"
    [[nodiscard]] std::string redoName() const;
    void undo();
    void redo();
    /// The text differs from the one that was read or saved last.
    [[nodiscard]] bool isModified() const;
    /// Writes a new file beside the old one and renames it; an Error when the file was changed by somebody else since it was read,
    /// unless `overwrite`.
    Result<void> save(bool overwrite = false);
    Result<void> saveAs(const std::filesystem::path& file);

private:
    struct State;
    std::shared_ptr<State> m_state; // copied before a change when it is shared
};

/// `text` as a TOML basic string, quotes included.
std::string tomlText(std::string_view text);

} // namespace loadstone
