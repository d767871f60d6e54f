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
/// In seconds, as exactNumber(): 120 s are "120".
std::string exactSeconds(Nanoseconds time);

/// From when to when each sample of the run (source 0) or of a source lasts, on the run's axis, in order of time; those that end within
/// the window.
Result<std::vector<TimeWindow>> sampleWindows(
    const Recording& recording, std::uint32_t source, const TimeWindow& window);
/// When they end.
Result<std::vector<Nanoseconds>> sampleTimes(
    const Recording& recording, std::uint32_t source, const TimeWindow& window);
/// Windows that hold all of these times, each some hours of samples: what is read at once.
std::vector<TimeWindow> partsOf(const std::vector<Nanoseconds>& times);

/// The text of OpenMetrics of these counters within the window. Adds the number of samples to `samples`.
Result<void> writeOpenMetrics(const Recording& recording, const std::vector<ChosenCounter>& counters,
    const TimeWindow& window, Output& out, std::uint64_t& samples);

} // namespace loadstone::report
