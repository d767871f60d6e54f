// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"
#include "history/tick_codec.h"

#include <loadstone/time.h>

#include <cstdint>
#include <limits>
#include <string>

/// What the rows of a recording's tables are read with: nothing in them is trusted.
namespace loadstone::history {

// As many as a plan can have: results take their time for each, and a recording may come from elsewhere.
inline constexpr std::uint32_t kMostTargets = 50;
inline constexpr std::size_t kMostMixes = 200;
inline constexpr std::size_t kMostRows = 1'000'000; // of events, transcripts, annotations
inline constexpr std::size_t kLongText = 16U << 20;
inline constexpr std::size_t kMostLabs = 64; // of one run
inline constexpr std::size_t kMostLabText = 64U << 20; // of all of them, bytes
inline constexpr std::int64_t kLatest = kLongestRun.count();
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

inline Nanoseconds duration(Statement& row, int column)
{
    return Nanoseconds(row.integer(column, 0, kLatest));
}

inline WallTime wallTime(Statement& row, int column)
{
    return WallTime(Nanoseconds(row.integer(column, 0, kNever)));
}

inline std::uint32_t number(Statement& row, int column, std::uint32_t below)
{
    return static_cast<std::uint32_t>(row.integer(column, 0, std::int64_t { below } - 1));
}

template <class Enum>
Enum choice(Statement& row, int column, Enum last)
{
    return static_cast<Enum>(row.integer(column, 0, static_cast<std::int64_t>(last)));
}

/// All rows of a query; a table with more than `most` is damage, and so is one whose ids (column 0) do not
/// rise: a file can be twisted so that its pages go round in circles.
template <class Take>
Result<void> eachRow(
    Database& database, const std::string& file, const std::string& sql, std::size_t most, Take take)
{
    auto rows = database.prepare(sql);
    if (!rows)
        return rows.error();
    std::int64_t last = -1;
    for (std::size_t n = 0;; ++n) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        const std::int64_t id = rows->integer(0, 0, kNever);
        if (id <= last || n >= most)
            return fail(file + ": damaged: rows out of order or too many in: " + sql);
        last = id;
        take(*rows);
    }
}

} // namespace loadstone::history
