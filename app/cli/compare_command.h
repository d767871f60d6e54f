// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>
#include <loadstone/load_curve.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace loadstone::cli {

struct CompareCommand {
    std::filesystem::path history;
    /// "NAME=WHAT" or WHAT: runs with commas between repeats, a study's file, "study.toml:case", a result's file, "result.toml:system".
    std::vector<std::string> columns;
    std::string baseline, control; ///< names of columns, or their numbers from 1; empty: the first one, none
    std::string question; ///< id of a comparison of the study that is the only column; empty: none
    std::string match = "users";
    std::string format; ///< empty: by the output's ending, else text
    std::filesystem::path output; ///< empty: standard output
    std::vector<std::string> rows; ///< parts of names of figures
    std::vector<std::string> quotients; ///< "users/processors"
    std::vector<std::string> curves; ///< parts of names of figures to draw over load
    std::string axis = "load";
    std::vector<std::string>
        percentiles; ///< parts of names of latencies whose percentiles are compared by their histograms
    std::string trend; ///< the plan's file name: the trend of its runs instead of a comparison
    std::string trendMix; ///< its mix; empty: the first one that has the figure
    std::optional<double> matters, confidence; ///< per cent; none: the study's, else 2 and 95
    bool all = false, evenIfNotComparable = false;
};
int compare(const CompareCommand& command);
/// The options of `loadstone compare`; `action` becomes what they ask for.
void addCompare(CLI::App& app, CompareCommand& command, std::function<int()>& action);

} // namespace loadstone::cli
