// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/load_point.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::plan {

/// Where transfers go. append: writes alone, one after the other, from the file's end to its beginning again, as a log has them.
enum class RawPattern : std::uint8_t { random, sequential, append };
/// When a write is complete: once it is durable (O_DSYNC); once a flush after it is (fdatasync); once the device has it.
enum class RawDurability : std::uint8_t { writeThrough, flushed, none };
enum class RawArrivals : std::uint8_t { constant, poisson };
enum class BackEnd : std::uint8_t { automatic, uring, threads };

/// What one mix asks of the device.
struct RawLoad : LoadPoint {
    double readShare = 1; ///< 0 to 1
    unsigned depth = 1; ///< transfers under way at once, of all workers together
    double perSecond = 0; ///< transfers due per second; 0: as many as the depth gives
    RawArrivals arrivals = RawArrivals::constant;
    bool operator==(const RawLoad&) const = default;
};

/// The raw device test: transfers of one size to one file.
struct RawTest {
    std::string path; ///< absolute
    std::uint64_t size = 0; ///< bytes, a multiple of block
    std::string confirmed; ///< the path once more, where it is a block device or on a network
    bool direct = true;
    RawDurability durability = RawDurability::writeThrough;
    BackEnd backEnd = BackEnd::automatic;
    bool poll = false;
    std::uint32_t block = 8192; ///< bytes; a power of two
    RawPattern pattern = RawPattern::random;
    std::vector<RawLoad> mixes;
    std::string item; ///< id of the lab's item that it lies on; empty: not said
    bool operator==(const RawTest&) const = default;
};

/// The test in words, for the table of a report; parameters whose values differ between the mixes have them all.
std::vector<std::pair<std::string, std::string>> describe(const RawTest& test);

} // namespace loadstone::plan
