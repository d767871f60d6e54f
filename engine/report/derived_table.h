// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/derived.h>

#include <optional>
#include <string>

namespace loadstone::report {

/// Averages and extremes of computed counters over each measurement, or over its part in a chosen window. No rows where there are none;
/// the note says what cannot be computed.
Result<Table> derivedTable(
    const Recording& recording, const PlanDerived& derived, const std::optional<TimeWindow>& window);
/// The same as one line of JSON: {"problems": [...], "readings": [...]}.
Result<std::string> derivedJson(
    const Recording& recording, const PlanDerived& derived, const std::optional<TimeWindow>& window);

} // namespace loadstone::report
