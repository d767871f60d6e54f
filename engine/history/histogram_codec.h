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

/// Consecutive histograms of one series, each as Histogram::encode() gives it (empty: no samples),
/// which come back byte for byte. An Error when one is not of that form.
Result<std::string> encodeHistograms(std::span<const std::string> histograms);
/// `count` of them; an Error when the bytes are not those of so many.
Result<std::vector<std::string>> decodeHistograms(std::string_view bytes, std::size_t count);

} // namespace loadstone::history
