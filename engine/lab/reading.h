// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/problems.h"

#include <loadstone/lab.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::lab {

// Bounds of what is read, far above what labs need; more is refused.
constexpr std::size_t kMostItems = 10'000;
constexpr std::size_t kMostLinks = 20'000;
constexpr std::size_t kMostVariants = 200;
constexpr std::size_t kMostBases = 16; ///< from a variant to the lab itself
constexpr std::size_t kMostVariantItems = 200'000; ///< items times variants
constexpr std::size_t kMostProperties = 300; ///< of one item
constexpr std::size_t kMostTunings = 2'000; ///< of one item
constexpr std::size_t kMostRoles = 64; ///< of one item

/// Problems of a lab. Warnings are bounded by themselves, so that many of them do not make a lab unusable; and so are searches for what
/// a misspelt word may have meant.
class LabProblems {
public:
    explicit LabProblems(document::Problems& problems)
        : m_problems(problems)
    {
    }
    void error(const std::string& field, std::string message, std::string remedy);
    void errorAt(document::Position at, const std::string& field, std::string message, std::string remedy);
    /// For what the lab can be used with: unknown keys, odd words, sums.
    void flag(const std::string& field, std::string message, std::string remedy);
    void flagAt(document::Position at, const std::string& field, std::string message, std::string remedy);
    /// A key that the table does not have, which is an error.
    void unknownKey(
        const document::Member& member, const std::string& path, const std::vector<std::string>& known);
    /// A property that the table does not have; its value stays in the lab.
    void unknownProperty(
        const document::Member& member, const std::string& path, const std::vector<std::string>& known);
    /// Of `known` the one that `word` is probably a misspelling of; empty when none is near.
    std::string meant(const std::string& word, const std::vector<std::string>& known);
    /// Says how many warnings were left out; last of all.
    void close();
    [[nodiscard]] std::size_t errors() const { return m_errors; }
    /// Grows with each finding and each search for a misspelling.
    [[nodiscard]] std::size_t count() const { return m_errors + m_flags + m_searches; }

private:
    document::Problems& m_problems;
    std::size_t m_errors = 0, m_flags = 0, m_searches = 0;
};

/// What a table says of an item: all of an item, or what a variant sets.
struct ItemPatch {
    std::optional<std::string> name, in, notes;
    std::optional<std::int64_t> count;
    std::optional<std::vector<std::string>> roles;
    std::optional<std::pair<double, double>> place;
    std::vector<LabProperty> properties; ///< in the order of the table of keys, unknown ones last
    std::vector<LabTuning> changed;
    std::vector<std::string> unset; ///< of a variant
    std::vector<std::string> keys; ///< all that are stated, for their places
};

enum class PatchOf : std::uint8_t { item, set };
/// `table` is an entry of [[item]] or of [[variant.set]] with the path `path`.
ItemPatch readPatch(
    const document::Node& table, const std::string& path, ItemKind kind, PatchOf of, LabProblems& findings);
/// Nothing for one without a usable id or kind.
std::optional<LabItem> readItem(const document::Node& table, const std::string& path, LabProblems& findings);
std::optional<LabLink> readLink(const document::Node& table, const std::string& path, LabProblems& findings);
/// Changes an item as a patch says.
void apply(const ItemPatch& patch, LabItem& item, const std::string& path, LabProblems& findings);

/// A text of one key, checked; `lines`: it may have several. Nothing when it is absent or wrong.
std::optional<std::string> readText(const document::Node& table, const char* key, const std::string& path,
    LabProblems& findings, bool lines = false);
/// The id that a key names; the key is required.
std::optional<std::string> readId(
    const document::Node& table, const char* key, const std::string& path, LabProblems& findings);
/// The tables of a list; empty when it is absent, or wrong and reported.
std::vector<const document::Node*> readTables(
    const document::Node& table, const char* key, const std::string& path, LabProblems& findings);

/// "0x2710", "10,000", "dword:000001e0": as a number.
std::optional<double> numberOfTuning(std::string_view value);

} // namespace loadstone::lab
