// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/bytes.h"

#include <loadstone/compared.h>

#include <string>
#include <string_view>
#include <vector>

/// Runs to compare as bytes. What stands in them: version, head, a table of rows (each with its key and all that does not depend on the
/// mix), mixes, and for each mix the number of the row, the value and what belongs to it. Nothing in them is trusted.
namespace loadstone::compare {

/// A new one comes with a migration of the catalogue, which holds such bytes, so that the runs are read again.
inline constexpr std::uint64_t kBytesVersion = 6;

void putText(std::string& out, std::string_view text);
bool takeText(history::ByteReader& in, std::string& text); ///< at most 64 KB
bool takeView(history::ByteReader& in, std::string_view& text);

/// A row's key as bytes: equal keys have equal bytes.
std::string bytesOf(const RowKey& key);

/// One value of a mix, with the number of its row.
struct EncodedValue {
    std::uint64_t row = 0;
    std::optional<double> value;
    std::uint64_t flags = 0; ///< FigureFlags and what else is yes or no
    std::uint64_t samples = 0;
    double slack = 0;
    std::optional<double> withinError;
    std::string_view printed;
};
inline constexpr std::uint64_t kHasValue = 1, kLowerBound = 2, kInvalid = 4, kExternal = 8, kDetail = 16,
                               kHasWithin = 32, kMissing = 64;
bool takeValue(history::ByteReader& in, EncodedValue& value);

/// A row of the table, its key as bytes.
struct EncodedRow {
    std::string_view key, group, label, unit, counts;
    std::uint64_t notation = 0, digits = 0, roundingFlags = 0, better = 0, statistic = 0;
    std::int64_t version = 0;
};
bool takeRow(history::ByteReader& in, EncodedRow& row);

/// What stands in front of the table of rows. Runs without its facts and texts would do for a pool.
bool takeHead(history::ByteReader& in, ComparedRun& run);
/// A mix without its values, and how many it has.
bool takeMix(history::ByteReader& in, ComparedMix& mix, std::uint64_t& values);

inline constexpr std::uint64_t kMostRows = 100'000, kMostMixes = 10'000, kMostValues = 5'000'000;

} // namespace loadstone::compare
