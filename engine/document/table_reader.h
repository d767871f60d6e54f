// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/problems.h"

#include <loadstone/time.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::document {

/// Reads the keys of one table by type. Ranges and choices are those of the key's row in the table of keys (loadstone/keys.h) of the
/// kind that `problems` has. Every read gives no value both when the key is absent and when it is wrong; what is wrong is reported.
/// finish() reports the keys that nobody asked for.
class TableReader {
public:
    /// `table` null: a table that the file does not have; every key is absent. `path`: "", "target.smtp", "mixes[2]".
    TableReader(const Node* table, std::string path, Problems& problems);

    [[nodiscard]] bool present() const { return m_table != nullptr; }
    /// Stated, rightly or wrongly.
    [[nodiscard]] bool has(const char* key);
    /// Stated, though this table has no such key: the caller reports it, and finish() does not.
    [[nodiscard]] bool hasMisplaced(const char* key);
    /// "target.smtp.port"
    [[nodiscard]] std::string path(const char* key) const;
    /// Of the table itself: "target.smtp"; empty at the top.
    [[nodiscard]] const std::string& path() const { return m_path; }
    Problems& problems() { return m_problems; }
    /// The longest list that the key's row allows.
    [[nodiscard]] std::size_t most(const char* key) const;

    std::optional<std::string> text(const char* key);
    std::optional<bool> flag(const char* key);
    std::optional<std::int64_t> number(const char* key);
    std::optional<Nanoseconds> duration(const char* key);
    std::optional<std::uint64_t> bytes(const char* key);
    /// Per second.
    std::optional<double> rate(const char* key);
    /// "90 %" or 90.
    std::optional<double> percent(const char* key);
    /// "7 %" to 0.07.
    std::optional<double> share(const char* key);
    std::optional<double> real(const char* key);
    std::optional<std::vector<std::string>> texts(const char* key);
    /// `choices`: what the texts mean. They may have more than the row, which messages do not offer, for checks that refuse them with
    /// words of their own.
    template <class E>
    std::optional<E> choice(const char* key, const std::vector<std::pair<const char*, E>>& choices);
    /// Null when absent or no table.
    const Node* table(const char* key);
    /// The tables of a list ([[mixes]]); null when absent or none.
    const Node* tables(const char* key);
    /// The value itself, for what has a type of its own.
    const Node* node(const char* key);

    /// Reports an absent key, unless an unknown one looks like a misspelling of it; after finish().
    void missing(const char* key, std::string remedy);
    void finish();

private:
    /// The value of a key that is read as one of `types`; none: any.
    const Node* ask(const char* key, std::initializer_list<KeyType> types);
    /// The key's row; an empty one where there is none, so that nothing bounds the value.
    [[nodiscard]] const KeyRow& row(const char* key) const;
    const Node* expect(const char* key, KeyType type, Node::Kind kind, const char* remedy);
    std::optional<std::string> quantity(const char* key, KeyType type, const char* example, const char* unit);
    std::optional<double> percentWithin(const char* key, const char* example);
    std::optional<std::size_t> chosen(const char* key, const std::vector<const char*>& names);
    void reportUnknown(const Member& member);

    const Node* m_table;
    std::string m_path;
    std::string m_rows; ///< where the rows of its keys stand: "mixes[]."
    Problems& m_problems;
    std::vector<std::string> m_known;
};

template <class E>
std::optional<E> TableReader::choice(const char* key, const std::vector<std::pair<const char*, E>>& choices)
{
    std::vector<const char*> names;
    names.reserve(choices.size());
    for (const auto& [name, value] : choices)
        names.push_back(name);
    const auto index = chosen(key, names);
    if (!index)
        return std::nullopt;
    return choices[*index].second;
}

/// Sets what was read; keeps the default otherwise.
template <class T, class U>
void assign(T& to, const std::optional<U>& from)
{
    if (from)
        to = static_cast<T>(*from);
}

/// Of `known` the one that `text` is probably a misspelling of; empty when none is near.
std::string nearest(const std::string& text, const std::vector<std::string>& known);

/// A text from the plan as a message may show it: short, without control characters.
std::string shown(const std::string& text);

} // namespace loadstone::document
