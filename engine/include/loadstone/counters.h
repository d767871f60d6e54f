// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/plan_file.h"
#include "loadstone/result.h"
#include "loadstone/series.h"

#include <stop_token>
#include <string>
#include <vector>

namespace loadstone {

/// What the sources of counters of a plan ([[counters]]) do on this machine and may do only when the user has agreed to it, each as a
/// text to be shown as it is: commands, destinations of ssh, files that are read, secrets that are sent. None for most plans. An Error
/// when the plan cannot be used (isUnusablePlan()) or read. Any thread, as all functions here.
Result<std::vector<std::string>> agreementsOf(const PlanInput& plan);

/// An Error (isUnusablePlan()) with those that are not among `agreed`, and how to agree; what Run::start() says then.
Result<void> checkAgreed(const PlanInput& plan, const std::vector<std::string>& agreed);

/// One counter that a source gives now.
struct CounterValue {
    CounterInfo info; ///< its id is its place
    double value = 0; ///< counts per second; NaN: it has no value now
};

/// The answer of one of a plan's sources.
struct SourceAnswer {
    std::string name; ///< of the computer
    std::string role; ///< "sut", "generator", "directory"; empty: none
    std::string origin; ///< "ssh bench@ex1", "exporter http://ex1:9100/metrics"
    bool answered = false;
    std::string trouble; ///< why it did not answer
    std::vector<CounterValue> counters;
    std::vector<std::string> notes; ///< what the source says of its answer, one sentence each
    /// What the plan wants of it by name (processes, control groups, volumes, metrics, values) and is not there, with the reason.
    std::vector<std::string> missing;
};

/// Which plan is asked, and what may be done for that.
struct CounterQuery {
    PlanInput plan;
    std::vector<std::string> agreed; ///< see RunOptions; a source without agreement is not asked
    std::stop_token stop; ///< ends the questions soon
    /// Twice, a second apart, so that rates have values; else once.
    bool rates = true;
};

/// Asks the sources of a plan, all at the same time; starts no load. In the order of the plan. An Error when the plan cannot be used
/// (isUnusablePlan()) or read, or `stop` was asked for (operation_canceled).
Result<std::vector<SourceAnswer>> askSources(const CounterQuery& query);

/// One counter that published reports of mail servers print, and where Loadstone has its like.
struct PublishedCounter {
    std::string report; ///< title, publisher and date
    std::string counter; ///< as it is printed there
    std::string here; ///< the counter's path, or the table that has it; empty: there is none
    std::string source; ///< what gives it: "every source that reads Linux or Windows"
    std::string unit;
    std::string note; ///< why there is none, or in what it differs; empty: the same
};
/// Of the reports that README names.
std::vector<PublishedCounter> publishedCounters();

} // namespace loadstone
