// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace loadstone::test {

/// A stretch of a made-up run.
struct Stage {
    std::int32_t mix = -1;
    PhaseKind kind = PhaseKind::rampUp;
    unsigned length = 0; ///< s, and as many ticks; of a measurement the first lasts 0.5 s and the last 1.5 s
    unsigned load = 0; ///< quarters
    bool checks = false;
};

/// A run whose samples are those of samples.h.
struct MadeUpRun {
    std::string name; ///< "mail"
    RunId id;
    RunKind kind = RunKind::mail;
    std::string plan; ///< its text
    std::vector<CounterInfo> counters; ///< ids are given by write()
    std::vector<HistogramInfo> histograms;
    /// Of those of several targets together, the places of each target's own, which they are the sum of.
    std::map<std::size_t, std::vector<std::size_t>> counterParts, histogramParts;
    history::ResultSeries facts;
    std::vector<Stage> stages;
    std::vector<metrics::ErrorCount> errors; ///< one of them in each fifth second that has load, in turn
    std::vector<RunEvent> events; ///< beside those of the phases
    std::vector<Transcript> transcripts;
    history::RunEnd end;

    /// Writes the recording; throws std::runtime_error where that fails.
    void write(const std::filesystem::path& file) const;
};

/// Scripts over SMTP and POP3 in two mixes, with failures and an audit.
MadeUpRun mailRun();
/// Users of a profile on two servers, whose mailboxes are filled first.
MadeUpRun severalTargetsRun();
/// Reads, writes and flushes in three mixes, the last of which is cut short.
MadeUpRun rawRun();
/// Two groups in two performance tests, a backup, a recovery and a check that finds damage.
MadeUpRun storageRun();
/// These four.
std::vector<MadeUpRun> madeUpRuns();

} // namespace loadstone::test
