// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison_report.h>

#include <string>

namespace loadstone::report {

/// All that a comparison says as one JSON object: numbers as they are, absent ones null.
std::string comparisonJson(const ComparisonReport& report);

} // namespace loadstone::report
