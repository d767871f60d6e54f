// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"
#include "history/tick_reader.h"

#include <loadstone/recording.h>

#include <optional>

namespace loadstone {

namespace history {

/// What another room derives from a recording and wants to keep with it; dies with the Recording.
class Derived {
public:
    Derived() = default;
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;
    virtual ~Derived() = default;
};

/// A row for each place, kind and code, in the order of their first ones, with the most frequent words.
std::vector<ErrorRow> withoutWordings(const std::vector<ErrorRow>& rows);

/// What the recording says about its end, as it stands.
struct RecordedEnd {
    std::string reason;
    std::optional<AuditTotals> audit; ///< none when the plan reads no mailboxes, or nothing is known yet
    std::vector<AuditException> exceptions;
    std::vector<std::string> invalidReasons;
};

} // namespace history

/// For the rooms of the engine: reads the tables of a recording's file.
class Recording::Impl {
public:
    static Result<std::unique_ptr<Impl>> open(
        const std::filesystem::path& file, const std::string& target = {});
    Impl(std::filesystem::path file, history::Database database);

    Result<bool> refresh();
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    [[nodiscard]] const RunHeader& header() const { return m_header; }
    [[nodiscard]] const history::ResultSeries& series() const { return m_series; }
    [[nodiscard]] RunState state() const { return m_state; }
    [[nodiscard]] const std::vector<Phase>& phases() const { return m_phases; }
    [[nodiscard]] const history::TickReader& ticks() const { return *m_ticks; }

    Result<history::RecordedEnd> end() const;
    Result<std::vector<RunEvent>> events() const;
    Result<std::vector<Transcript>> transcripts() const;
    Result<std::vector<Annotation>> annotations() const;
    /// A row for each wording; withoutWordings() puts them together.
    Result<std::vector<ErrorRow>> errors(history::TickRange range) const;

    /// A place for one derived object; empty at first.
    [[nodiscard]] std::unique_ptr<history::Derived>& derived() const { return m_derived; }
    [[nodiscard]] history::Database& database() const { return m_database; }

private:
    Result<void> readHeader();
    Result<void> readCounters();
    Result<void> readHistograms();
    Result<void> readMixes();
    Result<void> readTargets();
    /// Leaves what belongs to one target, or to all together.
    Result<void> look(const std::string& target);
    [[nodiscard]] bool isMine(std::string& name) const;
    Result<void> readProgress(bool writerLives);
    Result<void> readPhases();
    [[nodiscard]] Error damage(const std::string& what) const;

    std::filesystem::path m_file;
    mutable history::Database m_database;
    RunHeader m_header;
    history::ResultSeries m_series;
    RunState m_state = RunState::preparing;
    std::vector<Phase> m_phases;
    std::optional<history::TickReader> m_ticks;
    std::int64_t m_dataVersion = -1;
    std::int64_t m_targetIndex = -1; // of the one that is looked at
    mutable std::unique_ptr<history::Derived> m_derived;
};

} // namespace loadstone
