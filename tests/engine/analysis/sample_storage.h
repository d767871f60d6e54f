// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace loadstone::test {

/// Writes the recording of a storage plan's run as tests have it second by second. The plan has two groups, "one" with two
/// databases and "two" with one, and the tests "Performance" (30 s, 300 transfers/s asked for), "Streaming backup", "Soft
/// recovery" and "Checksum" in this order.
class StorageSample {
public:
    /// Which series it has: those of most tests, or all classes of I/O and how its transactions stand, too.
    enum class Has { usual, everything };
    explicit StorageSample(
        const std::filesystem::path& file, const std::string& plan = planText(), Has has = Has::usual);

    /// Ends the phase that is going on and begins another, planned to last an hour.
    void phase(PhaseKind kind, std::int32_t mix);
    /// A counter's value in all ticks from now on; counters begin without a value. `instance`: "one", "one-1", "one log".
    void set(Quantity quantity, const std::string& instance, double value);
    /// Of all counters again: none.
    void clear();
    /// I/O of a class of the volume "vda" in all ticks from now on, all of it of this length.
    void io(IoClass ioClass, std::uint64_t count, std::uint64_t bytes, Nanoseconds device);
    /// Likewise; response and service times are the same.
    void transactions(std::uint64_t count, Nanoseconds time);
    void ticks(int number, Nanoseconds length = std::chrono::seconds(1));
    void event(const std::string& text);
    /// Ends the phase, and the recording.
    void finish(RunState state = RunState::finished);

    static std::string planText();

private:
    [[nodiscard]] std::uint32_t histogram(const SeriesKey& key) const;
    void closePhase();

    RunHeader m_header;
    std::vector<history::RecordingWriter> m_writer; // one
    std::map<SeriesKey, double> m_values;
    std::map<std::uint32_t, std::string> m_latencies; // of each tick, by id
    std::vector<Phase> m_phases;
    Nanoseconds m_now {};
    std::uint64_t m_tick = 0;
};

} // namespace loadstone::test
