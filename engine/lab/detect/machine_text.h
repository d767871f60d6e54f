// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::lab {

/// A collected text (see detectionScript()): what files, links and programs of a machine say. Paths have no leading '/'. Untrusted;
/// any text of kMostCollected bytes is read in linear time. Texts that it gives have no control characters but line feeds, and are UTF-8.
class MachineText {
public:
    static Result<MachineText> parse(std::string_view text, const std::string& name);

    [[nodiscard]] bool has(std::string_view path) const;
    /// All lines of a file; nothing where it is absent.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view path) const;
    /// The first line without the blanks around it; empty where it is absent.
    [[nodiscard]] std::string line(std::string_view path) const;
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view path) const;
    /// What a program printed.
    [[nodiscard]] std::optional<std::string_view> output(std::string_view name) const;
    /// Names of outputs that begin so, without that beginning.
    [[nodiscard]] std::vector<std::string> outputs(std::string_view beginning) const;
    /// The last part of what a link points at: the name of a driver; empty where it is no link.
    [[nodiscard]] std::string linkName(std::string_view path) const;
    [[nodiscard]] std::string link(std::string_view path) const;
    /// Names in a folder by number ("sda2" before "sda10").
    [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> bytes(std::string_view path) const;

    [[nodiscard]] const std::set<std::string>& denied() const
    {
        return m_denied;
    } ///< files without the right to read
    [[nodiscard]] const std::set<std::string>& missing() const { return m_missing; } ///< programs
    [[nodiscard]] bool isWhole() const { return m_whole; } ///< its last line is there

private:
    using Texts = std::map<std::string, std::string, std::less<>>;
    Texts m_files, m_links, m_outputs, m_hex;
    std::set<std::string> m_denied, m_missing;
    bool m_whole = false;
};

/// The values of lines "key: value" in order, with blanks around both cut off.
std::vector<std::pair<std::string, std::string>> fieldsOf(std::string_view text, char separator);
/// The lines of a text without their line feeds.
std::vector<std::string_view> linesOf(std::string_view text);
/// The words of a line.
std::vector<std::string> wordsOf(std::string_view line);
/// A decimal number at the begin of a text.
std::optional<std::uint64_t> wholeNumber(std::string_view text);

} // namespace loadstone::lab
