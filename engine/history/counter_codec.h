// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::history {

/// A stretch of one counter's samples as few bytes; every finite double comes back exactly, all else as NaN.
std::string encodeCounter(std::span<const double> samples);
/// `count` samples; an Error when the bytes are not those of so many.
Result<std::vector<double>> decodeCounter(std::string_view bytes, std::size_t count);

/// One stretch of a counter's pyramid, rounded outward to single precision.
struct CounterBrick {
    float minimum = 0, maximum = 0; ///< NaN: no sample in it
    float average = 0; ///< each sample weighed with the length of its tick
    float seconds = 0; ///< the samples' ticks together
};
std::string encodeBricks(std::span<const CounterBrick> bricks);
Result<std::vector<CounterBrick>> decodeBricks(std::string_view bytes, std::size_t count);

} // namespace loadstone::history
