// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/// Runs to compare, made by hand.
namespace loadstone::test {

/// A figure of a report: its name, and the digits that it prints. Empty digits: not printed.
ComparedValue printedValue(const std::string& name, const std::string& digits,
    Better better = Better::neither, const std::string& unit = {});
/// A system of a report at one load, with no repeats.
ComparedRun reportOf(const std::string& title, double users, std::vector<ComparedValue> values);
ComparedColumn columnOf(const std::string& name, std::vector<ComparedRun> runs);

/// A figure of a run, by its key: its definition says all else.
ComparedValue measuredValue(std::string_view figure, double value);
/// A run of the history: one mix of 1,000 users with these values. `number` gives its id and start: hours after the first one.
ComparedRun runOf(int number, std::vector<ComparedValue> values, const std::string& configuration = "a");

/// The row of a name (or key) in the first mix that has it; fails the test when there is none.
const ComparisonRow& rowOf(const Comparison& comparison, const std::string& name);

} // namespace loadstone::test
