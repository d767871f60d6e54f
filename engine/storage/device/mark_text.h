// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::storage {

/// The text of a mark that is read: lines "key = value"; lines that begin with # say nothing, nor do others. Untrusted.
class MarkText {
public:
    static MarkText parse(std::string_view text);

    [[nodiscard]] bool has(std::string_view key) const { return m_values.find(key) != m_values.end(); }
    /// The first value of a key; empty where there is none.
    [[nodiscard]] std::string value(std::string_view key) const;
    /// All values of a key, in the order of their lines.
    [[nodiscard]] std::vector<std::string> values(std::string_view key) const;
    /// Nothing where the first value is no such number and nothing else.
    template <class Number>
    [[nodiscard]] std::optional<Number> number(std::string_view key) const
    {
        const std::string text = value(key);
        Number number {};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                        : std::nullopt;
    }

private:
    std::multimap<std::string, std::string, std::less<>> m_values;
};

/// The text of a mark that is written.
class MarkWriter {
public:
    /// `head`: whole lines that begin with #.
    explicit MarkWriter(std::string head)
        : m_text(std::move(head))
    {
    }
    void add(std::string_view key, std::string_view value);
    void add(std::string_view key, std::uint64_t value);
    void add(std::string_view key, double value); ///< as few digits as give this value again
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

} // namespace loadstone::storage
