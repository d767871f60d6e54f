// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>
#include <loadstone/run_differences.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// How a run was made, as flat lists of values.
namespace loadstone::compare {

/// A value of a plan or profile.
struct PlanValue {
    std::string text; ///< as written
    std::string compared; ///< the same for values that are the same
    int line = 0;
};
/// By the keys' paths, with the names of entries: "mixes[20 clients].clients". Without lab and variant; the seed is the run's.
using PlanValues = std::map<std::string, PlanValue>;
Result<PlanValues> planValues(const RunHeader& header);
/// What a key means that these values do not have, if its row says so. Nothing for a key of an entry, as a mix, that is not there.
std::optional<PlanValue> fallbackOf(const PlanValues& values, const std::string& label);

/// Names in the order of the text.
using Facts = std::vector<std::pair<std::string, std::string>>;
/// Of an object as recordings keep versions and facts of the machine; bounded, nothing for what is no object.
Facts factsOf(const std::string& json);

/// Differences of the labs that count, in the groups lab, tuning and software.
void addLabDifferences(const RunLab& before, const RunLab& after, std::vector<RunDifference>& to);

/// Digest of what runs that are repeats have in common: plan and profile without names, titles, texts for people and seed; the lab's values;
/// versions; the machine's processors, memory, kernel and system. 16 hex digits.
Result<std::string> configurationDigest(const Recording& recording);
/// 16 hex digits, the same for the same text, in every version.
std::string digestOf(const std::string& text);

} // namespace loadstone::compare
