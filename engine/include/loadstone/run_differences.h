// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone {

/// One difference in how two runs were made; how they went is another question.
struct RunDifference {
    enum class Group : std::uint8_t {
        lab, ///< hardware and topology, as the labs describe them
        tuning, ///< settings that were changed from their defaults, of the labs
        software, ///< programs with their versions: of the labs, and those that Loadstone was made with
        plan, ///< keys of the plan and its profile
        host, ///< what Loadstone read of the generator's machine
        study, ///< the study and its case that a run was made for
    };
    Group group = Group::lab;
    std::string
        item; ///< of a lab the item's id; of a plan the key's path: "mixes[20 clients].clients"; else a name
    std::string label; ///< for people: "Mail server: memory"
    std::string key; ///< of the value: "size"; empty: the item itself
    std::string before, after; ///< as written; empty: absent
    bool operator==(const RunDifference&) const = default;
};
const char* toString(RunDifference::Group group); ///< "lab", "tuning", "software", "plan", "host", "study"
const char* titleOf(RunDifference::Group group); ///< as headings have it: "The machine of the load generator"

/// What differs, by groups in the order above. Of the labs that count (Recording::lab()) what differences() finds; of the plans each key
/// whose value differs, where an absent key has its default, and a duration or size counts by its value; entries of lists
/// with names are matched by them. Names of lab files do not count, nor do comments. An Error when a recording cannot be read.
Result<std::vector<RunDifference>> runDifferences(const Recording& before, const Recording& after);

/// A table for each group with differences, under headings such as the runs' ids.
std::vector<ReportTable> runDifferenceTables(
    const std::vector<RunDifference>& differences, const std::string& before, const std::string& after);

} // namespace loadstone
