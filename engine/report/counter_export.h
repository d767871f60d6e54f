// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/output.h"

#include <loadstone/counter_choice.h>
#include <loadstone/counter_export.h>

namespace loadstone::report {

/// A name without control characters, which would end a line or a field: each is a blank.
std::string withoutControls(std::string text);
/// With an apostrophe in front of what a spreadsheet would take for a formula: names come from plans and servers.
std::string withoutFormula(std::string text);
/// The shortest decimal number that is this one; nothing where it is not finite.
std::string exactNumber(double value);

/// The text of OpenMetrics of these counters within the window. Adds the number of samples to `samples`.
Result<void> writeOpenMetrics(const Recording& recording, const std::vector<ChosenCounter>& counters,
    const TimeWindow& window, Output& out, std::uint64_t& samples);

} // namespace loadstone::report
