// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/secret_mask.h"
#include "metrics/tick.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::history {

/// Why the figures are not the server's alone: one sentence.
struct InvalidReason {
    std::string text;
    std::string target {}; ///< one of several; empty: all, or the only one
    bool operator==(const InvalidReason&) const = default;
};

/// What is known when a run ends.
struct RunEnd {
    RunState state = RunState::finished;
    std::string reason; ///< why it was stopped or failed; empty otherwise
    AuditTotals audit;
    bool audited = false; ///< the plan reads mailboxes, so that the audit means something
    std::vector<AuditException> exceptions;
    std::vector<InvalidReason> invalidReasons;
    std::vector<AuditTotals> targetAudits {}; ///< of several targets, in the order of ResultSeries::targets
};

/// A mix as the plan has it: what the results need to know beside ticks and phases.
struct MixFacts {
    std::string name;
    std::uint64_t mailboxes = 0, threads = 0;
    double recipientsPerMessage = 0;
    Nanoseconds measurement {}; ///< planned
    bool operator==(const MixFacts&) const = default;
};

/// One of several targets.
struct TargetFacts {
    std::string name;
    std::vector<MixFacts> mixes; ///< with its own mailboxes, threads and recipients
    bool operator==(const TargetFacts&) const = default;
};

/// What the plan says of the run and results need; fixed when it begins.
struct ResultSeries {
    Nanoseconds finalWindow {};
    std::vector<MixFacts> mixes;
    std::vector<TargetFacts> targets {}; ///< empty for one
    bool operator==(const ResultSeries&) const = default;
};

/// The audit as it stands at the end of a tick.
struct AuditAccount {
    AuditTotals all;
    std::vector<AuditTotals> targets {}; ///< of several targets, in the order of ResultSeries::targets
};

/// The only writer of a recording's file. One thread at a time (the store thread). Each call is one
/// transaction that is safe against kill -9 when it returns. A full disk is an Error with SQLITE_FULL: the
/// file stays readable, and the same call may be repeated.
class RecordingWriter {
public:
    static Result<RecordingWriter> create(
        const std::filesystem::path& file, const RunHeader& header, const ResultSeries& series);
    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;
    ~RecordingWriter(); ///< without finish(): the recording reads as interrupted

    /// What is written from now on has none of these in it: words of servers, transcripts, reasons.
    void maskWith(SecretMask secrets);
    /// Ticks must come in order of their numbers. The audit is written with the tick, so that neither is ever newer than the other.
    Result<void> append(const metrics::Tick& tick, const AuditAccount* audit = nullptr);
    /// Inserts or updates the phase of this index.
    Result<void> putPhase(const Phase& phase);
    Result<void> addEvent(const RunEvent& event);
    Result<void> addTranscript(const Transcript& transcript);
    /// Writes the end, checkpoints, closes.
    Result<void> finish(const RunEnd& end);

    class Impl;

private:
    explicit RecordingWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace loadstone::history
