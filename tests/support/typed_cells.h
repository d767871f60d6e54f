// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

// A number in a table is a number, which writers, comparisons and sums can read; not a text that looks like one.
namespace loadstone::test {

/// Columns whose texts may begin with digits. Empty: of every table.
struct DigitsAllowed {
    const char* table;
    const char* column;
    const char* reason;
};
inline constexpr DigitsAllowed kDigitsAllowed[] {
    { "", "Mix", "a plan gives mixes names such as \"840 users\"" },
    { "", "Test", "likewise" },
    { "Test suite definition", "Value",
        "as published tables have it: all mixes in a cell; a seed is a name" },
    { "System parameters", "Value", "in the words of the plan; a seed is a name" },
    { "Programme", "What it does", "a sentence" },
    { "Versions", "Version", "numbers with two points are none" },
    { "Test log", "Time (UTC)", "a moment" },
    { "Remarks", "Made", "a moment" },
    { "Criteria", "Explanation", "a sentence" },
    { "", "Most frequent words", "what a server said" },
    { "", "Event", "a sentence" },
    { "", "Text", "somebody's words" },
    { "", "Token", "a name" },
    { "", "Mailbox", "a name" },
};

/// The cells that are texts and look like a number with its unit: "12", "≥ 12.3 ms", "<= 1,024", "+7.9 %", "20, 30". Each with its
/// table and column.
inline std::vector<std::string> textsLikeNumbers(const ReportTable& table)
{
    static const std::regex number("^(≥|<=|>=|<|>|\\+|-|±| )*[0-9].*");
    std::vector<std::string> found;
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string column = table.columns.at(i).heading, text = row[i].text();
            const bool allowed = std::ranges::any_of(kDigitsAllowed, [&](const DigitsAllowed& one) {
                return (*one.table == '\0' || table.title == one.table) && column == one.column;
            });
            if (!row[i].number() && !allowed && std::regex_match(text, number))
                found.push_back(table.title + ", " + column + ": " + text);
        }
    return found;
}

/// The same of all tables of a report.
inline std::vector<std::string> textsLikeNumbers(const report::Report& whole)
{
    std::vector<std::string> found;
    for (const report::Section& section : whole.sections)
        for (const ReportTable& table : section.tables)
            for (std::string& one : textsLikeNumbers(table))
                found.push_back(std::move(one));
    return found;
}

} // namespace loadstone::test
