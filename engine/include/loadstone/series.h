// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/time.h"

#include <compare>
#include <cstdint>
#include <string>

namespace loadstone {

/// How the values of a counter are to be read.
enum class CounterKind : std::uint8_t {
    level, ///< a state or a ready-made rate at the end of the tick (CPU %, queue length, bytes/sec)
    count, ///< events within the tick; a chart shows them per second, a window adds them up
};

/// One counter of a recording, named as PerfMon names it. A missing sample is NaN, never 0.
struct CounterInfo {
    std::uint32_t id = 0; ///< dense, from 0, within one recording
    std::string computer; ///< host name; empty: the machine that ran Loadstone
    std::string object; ///< "Processor"
    std::string instance; ///< "_Total"; empty where the object has a single one
    std::string counter; ///< "% Processor Time"
    std::string unit; ///< of one value: "%", "s", "bytes", "bytes/s", "messages"; "" for a bare number
    std::string counts; ///< what one event is where products differ ("per recipient"); else empty
    std::string help; ///< one sentence, where the value comes from
    CounterKind kind = CounterKind::level;

    /// `\Object(instance)\Counter`, with `\\computer` in front when there is one.
    [[nodiscard]] std::string path() const;
    bool operator==(const CounterInfo&) const = default;
};

/// Which two instants a latency lies between.
enum class LatencyClock : std::uint8_t {
    response, ///< from intended to done: what a user waits
    service, ///< from sent to done: what the server needs
    delivery, ///< from acceptance (end of the SMTP transaction) to retrieval
    slip, ///< from intended to sent: the generator's own lateness
    /// From intended to the end of a tick, of what was due by then and had not ended: a level, of which a window has what its last
    /// tick says. A lower bound of the response times to come.
    age,
};
/// What a latency histogram is about.
enum class LatencyScope : std::uint8_t { action, command, delivery, generator };

/// One latency histogram series of a recording.
struct HistogramInfo {
    std::uint32_t id = 0; ///< dense, from 0, within one recording
    LatencyScope scope = LatencyScope::action;
    LatencyClock clock = LatencyClock::service;
    std::string name; ///< "Send message", "POP3 RETR", "Delivery"
    bool operator==(const HistogramInfo&) const = default;
};

enum class PhaseKind : std::uint8_t {
    rampUp,
    measurement,
    rampDown,
    quiet,
    drain,
    initialisation, ///< mailboxes are filled as the plan has them
    cleanUp, ///< what Loadstone made is removed from them
};
/// No load, and of no length that could be planned: it lasts until the mailboxes are done.
constexpr bool isPreparation(PhaseKind kind)
{
    return kind == PhaseKind::initialisation || kind == PhaseKind::cleanUp;
}

/// A stretch of a run, as it really was. Ticks never straddle two phases.
struct Phase {
    std::uint32_t index = 0; ///< dense, in order of time
    std::int32_t mix = -1; ///< index into the suite's mixes; -1 outside of any
    std::string mixName;
    PhaseKind kind = PhaseKind::rampUp;
    Nanoseconds begin {}; ///< since the run's start
    Nanoseconds end {}; ///< where open is true: the planned end, or the begin where none is known
    bool open = false; ///< still going on (or cut off by the death of the program)
    bool operator==(const Phase&) const = default;
};

/// "ramp-up", "measurement", "ramp-down", "quiet", "drain", "initialisation", "clean-up".
const char* toString(PhaseKind kind);
const char* toString(LatencyClock clock);
const char* toString(LatencyScope scope);

/// Figures of which only a lower bound is known: they fall into what had not ended, or beyond 19.5 hours.
struct AtLeast {
    bool mean = false, maximum = false, p50 = false, p95 = false, p99 = false, p999 = false;
    bool operator==(const AtLeast&) const = default;
};

/// What a stretch of latencies comes to. All in nanoseconds; every field 0 when nothing ended and nothing is unfinished.
struct LatencySummary {
    std::uint64_t count = 0; ///< that ended
    Nanoseconds mean {}, minimum {}, maximum {};
    Nanoseconds p50 {}, p95 {}, p99 {}, p999 {};
    std::uint64_t unfinished = 0; ///< that had not ended and are in the figures with their age
    AtLeast atLeast {};
    [[nodiscard]] bool empty() const { return count == 0 && unfinished == 0; }
    bool operator==(const LatencySummary&) const = default;
};

} // namespace loadstone
