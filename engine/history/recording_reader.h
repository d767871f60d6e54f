// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"
#include "history/source_reader.h"
#include "history/tick_reader.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <memory>
#include <optional>

namespace loadstone::plan {
struct LoadedPlan; // plan/model/plan.h
}

namespace loadstone::history {

/// What another room derives from a recording and wants to keep with it; dies with the Recording.
class Derived {
public:
    Derived() = default;
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;
    virtual ~Derived() = default;
};

/// A row for each target, place, kind and code, in the order of their first ones, with the most frequent words.
std::vector<ErrorRow> withoutWordings(const std::vector<ErrorRow>& rows);

/// What the recording says about its end, as it stands.
struct RecordedEnd {
    std::string reason;
    std::optional<AuditTotals> audit; ///< none when the plan reads no mailboxes, or nothing is known yet
    std::vector<AuditException> exceptions;
    std::vector<InvalidReason> invalidReasons;
};

/// Reads the tables of a recording's file, for the rooms of the engine: readerOf() gives that of a Recording.
class RecordingReader {
public:
    static Result<std::unique_ptr<RecordingReader>> open(
        const std::filesystem::path& file, const std::string& target = {});
    /// With the series of all targets, as the file has them.
    static Result<std::unique_ptr<RecordingReader>> openWhole(const std::filesystem::path& file);
    /// One target of this run, from the same file; what both have in common is read once.
    Result<std::unique_ptr<RecordingReader>> openTarget(const std::string& target) const;
    RecordingReader(std::filesystem::path file, Database database);

    Result<bool> refresh();
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    [[nodiscard]] const RunHeader& header() const { return m_header; }
    [[nodiscard]] const ResultSeries& series() const { return m_series; }
    [[nodiscard]] RunState state() const { return m_state; }
    [[nodiscard]] const std::vector<Phase>& phases() const { return m_phases; }
    [[nodiscard]] const TickReader& ticks() const { return *m_ticks; }
    /// The plan that the run carries, of the target that is looked at; parsed when it is asked for, once. It may have errors: the
    /// recording may come from another version or from elsewhere.
    [[nodiscard]] const plan::LoadedPlan& keptPlan() const;

    Result<RecordedEnd> end() const;
    /// Of several targets each one's; none where nothing is known.
    Result<std::vector<AuditTotals>> targetAudits() const;
    Result<RunLog> log() const;
    Result<std::vector<RunEvent>> events() const;
    Result<std::vector<Transcript>> transcripts() const;
    Result<std::vector<Annotation>> annotations() const;
    /// As Recording::labs().
    Result<std::vector<RunLab>> labs() const;
    /// A row for each wording; withoutWordings() puts them together.
    Result<std::vector<ErrorRow>> errors(TickRange range) const;

    /// Its sources as they are now, or were when refresh() was called last.
    Result<const std::vector<std::unique_ptr<ReadSource>>*> sources() const;

    /// A place for one derived object; empty at first.
    [[nodiscard]] std::unique_ptr<Derived>& derived() const { return m_derived; }
    [[nodiscard]] Database& database() const { return m_database; }

private:
    /// `target`: none for the whole file, see look().
    static Result<std::unique_ptr<RecordingReader>> open(
        const std::filesystem::path& file, const std::string* target);
    Result<void> readHeader();
    Result<void> readSeries();
    Result<void> readMixes();
    Result<void> readLab();
    Result<void> readStudy();
    Result<void> readTargets();
    /// Leaves what belongs to one target, or to all together.
    Result<void> look(const std::string& target);
    Result<void> readProgress(bool writerLives);
    [[nodiscard]] const std::shared_ptr<const plan::LoadedPlan>& wholePlan() const;
    Result<void> readPhases();
    [[nodiscard]] Error damage(const std::string& what) const;

    std::filesystem::path m_file;
    mutable Database m_database;
    RunHeader m_header;
    ResultSeries m_series;
    RunState m_state = RunState::preparing;
    std::vector<Phase> m_phases;
    std::optional<TickReader> m_ticks;
    std::int64_t m_dataVersion = -1;
    std::int64_t m_targetIndex = -1; // of the one that is looked at
    mutable SourceReader m_sources;
    mutable bool m_sourcesOld = true;
    mutable std::shared_ptr<const plan::LoadedPlan> m_wholePlan; // of all targets; none: not parsed yet
    mutable std::shared_ptr<const plan::LoadedPlan> m_targetPlan; // likewise, of the one that is looked at
    mutable std::unique_ptr<Derived> m_derived;
};

} // namespace loadstone::history
