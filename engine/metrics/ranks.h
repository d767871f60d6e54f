// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace loadstone::metrics {

/// Each value's place among all that are there, from 1; equal values share the mean of theirs. NaN is missing and stays NaN.
std::vector<double> ranksOf(std::span<const double> values);

} // namespace loadstone::metrics
