// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/storage/exceedings.h"
#include "analysis/window/stretches.h"
#include "history/layout.h"
#include "plan/model/storage_test.h"

#include <loadstone/judgement.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::analysis {

/// The measurement of a storage plan's test under load, cut into samples: what its criteria are judged by. The recording and the
/// plan outlive it.
class LoadMeasurement {
public:
    LoadMeasurement(const Recording& recording, const plan::StorageTest& test,
        const plan::StorageTestStep& step, const Phase& phase);

    [[nodiscard]] const Recording& recording() const { return m_recording; }
    [[nodiscard]] const plan::StorageTest& test() const { return m_test; }
    [[nodiscard]] const plan::LatencyLimits& limits() const { return m_limits; }
    [[nodiscard]] Nanoseconds planned() const { return m_planned; }
    /// It goes on, or was cut off.
    [[nodiscard]] bool open() const { return m_open; }
    [[nodiscard]] TimeWindow window() const { return m_window; }
    [[nodiscard]] history::TickRange ticks() const { return m_range; }
    [[nodiscard]] Nanoseconds sampleLength() const { return m_sampleLength; }
    [[nodiscard]] const std::vector<Stretch>& samples() const { return m_samples; }
    [[nodiscard]] Nanoseconds lengthOf(const Stretch& sample) const;

    /// Over the measurement, of all these counters together; none where there are none, or no tick yet.
    [[nodiscard]] Result<std::optional<double>> ratePerSecond(const std::vector<std::uint32_t>& ids) const;
    /// Since when a mean over the measurement so far fails the criterion; `values`: one for each sample. None where it is met.
    [[nodiscard]] std::optional<Nanoseconds> meanFailsSince(
        const std::vector<double>& values, const Criterion& criterion) const;
    /// Adds to a reason how the exceeding samples lie, and what else happened in them; `stalls`: page fault stalls are told.
    Result<void> explain(
        std::string& reason, const char* which, const std::vector<bool>& exceeding, bool stalls = true);

private:
    const Recording& m_recording;
    const plan::StorageTest& m_test;
    const plan::LatencyLimits& m_limits;
    Nanoseconds m_planned;
    bool m_open;
    TimeWindow m_window;
    history::TickRange m_range;
    Nanoseconds m_sampleLength;
    std::vector<Stretch> m_samples;
    std::optional<std::vector<Companion>> m_companions; // read when something is to be explained
};

/// A criterion with an upper limit, not judged yet.
Criterion atMost(Criterion::Kind kind, const std::string& subject, double most);
/// Puts several parts of a reason in one line.
void addPart(std::string& text, const std::string& part);

} // namespace loadstone::analysis
