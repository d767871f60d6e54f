// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/figure.h>

#include <string>
#include <vector>

namespace loadstone::report {

/// The member "figures" of whatever has figures: an array, one line. Names that are no UTF-8 are replaced.
std::string figuresJson(const std::vector<Figure>& figures);

} // namespace loadstone::report
