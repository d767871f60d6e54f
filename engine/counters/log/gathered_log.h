// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/log/counter_log.h"
#include "counters/log/log_notes.h"

#include <cstdint>
#include <map>

namespace loadstone::counters {

/// The values of a log that has several lines for one instant, by device or by subject: gathered first, then handed out by time.
class GatheredLog final : public CounterLog {
public:
    explicit GatheredLog(std::string format) { m_head.format = std::move(format); }

    // While it is read:
    LogHead& editHead() { return m_head; }
    LogNotes& editNotes() { return m_notes; }
    /// The number of this column, which is added where it is new. Throws std::length_error past kMostColumns, and past kMostLetters of all
    /// their names.
    std::uint32_t column(const ForeignCounter& name);
    /// Throws std::length_error past kMostValues. Of two values of one column and instant the later one counts.
    void add(Nanoseconds at, std::uint32_t column, double value);
    /// All is there. Throws std::length_error where instants times columns are more than kMostCells.
    void settle();

    [[nodiscard]] const LogHead& head() const override { return m_head; }
    void select(std::span<const std::size_t> columns) override;
    Result<bool> next(LogSample& sample) override;
    [[nodiscard]] std::vector<std::string> notes() const override { return m_notes.all(); }
    [[nodiscard]] double share() const override;

    static constexpr std::size_t kMostColumns = 200'000;
    static constexpr std::size_t kMostLetters = std::size_t { 32 } << 20;
    static constexpr std::size_t kMostValues = 10'000'000; ///< 240 MB
    static constexpr std::size_t kMostCells = 200'000'000; ///< of the table that is written

private:
    struct Value {
        Nanoseconds at;
        std::uint32_t column;
        double value;
    };
    LogHead m_head;
    LogNotes m_notes;
    std::map<ForeignCounter, std::uint32_t> m_columns;
    std::vector<Value> m_values; // by time
    std::vector<std::uint32_t> m_places; // of each column in a sample; kNoPlace: not selected
    std::size_t m_selected = 0, m_next = 0, m_letters = 0;
};

/// The log, once all of `file` is in it. An Error that names the file where the log holds no value, with its first note or else `remedy`, and
/// where it is too large.
Result<std::unique_ptr<CounterLog>> finishedLog(
    std::unique_ptr<GatheredLog> log, const std::string& file, const std::string& remedy);

/// A number of a log; anything else is missing.
double parseLogValue(std::string_view text);
/// "2026-11-23" or "2026-11-23 10:47:42" with a blank or a T between, since 1970 as if it were UTC; nothing for other text. Takes it off
/// `text`, which keeps what stands behind it.
std::optional<Nanoseconds> takeIsoTime(std::string_view& text);

} // namespace loadstone::counters
