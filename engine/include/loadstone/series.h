// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/key.h"
#include "loadstone/time.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

using CounterKind = SeriesKind;

/// One counter of a recording, named as PerfMon names it. A missing sample is NaN, never 0.
struct CounterInfo {
    std::uint32_t id = 0; ///< dense, from 0, within one recording
    std::string computer; ///< host name; empty: the machine that ran Loadstone
    std::string object; ///< "Processor"
    std::string instance; ///< "_Total"; empty if the object has only one
    std::string counter; ///< "% Processor Time"
    std::string unit; ///< of one value: "%", "s", "bytes", "bytes/s", "messages"; "" for a bare number
    std::string counts; ///< what one event is, if products differ ("per recipient"); else empty
    std::string help; ///< one sentence, where the value comes from
    CounterKind kind = CounterKind::level;

    SeriesKey key {}; ///< which series it is; the names above are made from it, for people

    /// `\Object(instance)\Counter`, with `\\computer` in front when there is one.
    [[nodiscard]] std::string path() const;
    bool operator==(const CounterInfo&) const = default;
};
/// The counter of a key, with the texts of the table of quantities. Its id is 0.
CounterInfo counterOf(SeriesKey key);
/// A foreign counter; the caller sets unit, texts and kind.
CounterInfo counterOf(ForeignCounter foreign);

/// What a latency histogram is about.
enum class LatencyScope : std::uint8_t { action, command, delivery, generator };

/// One latency histogram series of a recording.
struct HistogramInfo {
    std::uint32_t id = 0; ///< dense, from 0, within one recording
    LatencyScope scope = LatencyScope::action;
    LatencyClock clock = LatencyClock::service;
    std::string name; ///< "Send message", "POP3 RETR", "Delivery"
    SeriesKey key {};
    bool operator==(const HistogramInfo&) const = default;
};
/// The latencies of a key, which has a clock. Their id is 0.
HistogramInfo histogramOf(SeriesKey key, LatencyScope scope);

/// The id of the series that has this key; none: no series has it.
std::optional<std::uint32_t> findSeries(const std::vector<CounterInfo>& counters, const SeriesKey& key);
std::optional<std::uint32_t> findSeries(const std::vector<HistogramInfo>& histograms, const SeriesKey& key);
/// The same by a path that a person typed: `\Memory\Available MBytes`.
std::optional<std::uint32_t> findTyped(const std::vector<CounterInfo>& counters, std::string_view path);

/// The same for a counter of any computer: the computer in front of its path does not matter, nor must the typed path have one.
std::optional<std::uint32_t> findTypedOnAny(const std::vector<CounterInfo>& counters, std::string_view path);

/// The key without the name of its computer: the same for the like counter of any computer.
SeriesKey withoutHost(SeriesKey key);

/// A key as one line of text, the same in every recording, as settings keep it: "actions.time;action=Send message;clock=response".
std::string keptText(const SeriesKey& key);
/// The other way; nothing for a text that is not of a key that this version knows.
std::optional<SeriesKey> seriesKeyOf(std::string_view text);

enum class PhaseKind : std::uint8_t {
    rampUp,
    measurement,
    rampDown,
    quiet,
    drain,
    initialisation, ///< mailboxes are filled as planned
    cleanUp, ///< what Loadstone made is removed from them
};
/// Without load and without a planned length: it lasts until the mailboxes are done.
constexpr bool isPreparation(PhaseKind kind)
{
    return kind == PhaseKind::initialisation || kind == PhaseKind::cleanUp;
}

/// A part of a run, with its real times. A tick is always in one phase.
struct Phase {
    std::uint32_t index = 0; ///< dense, in order of time
    std::int32_t mix = -1; ///< index into the suite's mixes; -1 outside of any
    std::string mixName;
    PhaseKind kind = PhaseKind::rampUp;
    Nanoseconds begin {}; ///< since the run's start
    Nanoseconds end {}; ///< if open is true: the planned end, or the begin if none is known
    bool open = false; ///< not ended (or cut off by the death of the program)
    bool operator==(const Phase&) const = default;
};

/// "ramp-up", "measurement", "ramp-down", "quiet", "drain", "initialisation", "clean-up".
const char* toString(PhaseKind kind);
const char* toString(LatencyScope scope);

/// Figures of which only a lower bound is known: something had not ended, or they are beyond 19.5 hours.
struct AtLeast {
    bool mean = false, maximum = false, p50 = false, p95 = false, p99 = false, p999 = false;
    bool operator==(const AtLeast&) const = default;
};

/// Figures of the latencies in a window, in nanoseconds; every field is 0 if nothing ended and nothing is unfinished.
struct LatencySummary {
    std::uint64_t count = 0; ///< that ended
    Nanoseconds mean {}, minimum {}, maximum {};
    Nanoseconds p50 {}, p95 {}, p99 {}, p999 {};
    /// Actions that had not ended. A figure that is `atLeast` counts each with its age so far. Any other figure is of the actions that ended;
    /// it is never below the bound that the ages give.
    std::uint64_t unfinished = 0;
    AtLeast atLeast {};
    [[nodiscard]] bool empty() const { return count == 0 && unfinished == 0; }
    bool operator==(const LatencySummary&) const = default;
};

} // namespace loadstone
