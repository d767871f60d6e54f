// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/live_source.h"
#include "plan/model/counter_source.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loadstone::counters {

/// Reads lines "NAME VALUE", of a CommandSource with its format lines: a counter for each name that the plan lists, or for each that is
/// printed. Empty lines and those that begin with # mean nothing. One thread at a time.
class LinesReader {
public:
    explicit LinesReader(const plan::CounterSourceSpec& spec);

    [[nodiscard]] const std::vector<CounterInfo>& counters() const { return m_counters; }
    /// One answer, and when it had come; the answer before began the time that it is about. A value that is not a finite number, or is
    /// printed twice, is missing. Any text is an answer.
    LiveReading read(std::string_view text, MonoTime received);
    /// The last question had no answer: what is read next has no counts.
    void miss() { m_before.reset(); }

private:
    struct Seen;
    std::optional<std::size_t> placeOf(std::string_view name);
    void add(std::string name, const std::string& unit, bool rises);
    void take(std::string_view line, Seen& seen);

    std::string m_computer;
    bool m_listed; // the plan lists the names
    std::optional<double> m_missingLine;
    std::vector<CounterInfo> m_counters;
    std::vector<bool> m_rises;
    std::unordered_map<std::string, std::size_t> m_places;
    std::vector<double> m_totals; // of the answer before, of those that rise
    std::vector<bool> m_everStated; // in any answer, by place
    std::optional<MonoTime> m_before; // when it had come
    std::vector<std::string> m_told; // notes of the answer before
};

} // namespace loadstone::counters
