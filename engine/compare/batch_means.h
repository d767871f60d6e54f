// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/compared.h>
#include <loadstone/readings.h>
#include <loadstone/recording.h>

#include <optional>
#include <span>

/// How well a run knows its own means: standard errors by batch means over about 20 stretches of a measurement. They hold what fluctuates
/// within the run, and nothing of what differs from run to run.
namespace loadstone::compare {

inline constexpr std::size_t kBatches = 20;

/// One standard error of the mean of the batches; none for fewer than ten that have one.
std::optional<double> standardError(std::span<const double> means);
/// Of the average of a counter over a window.
Result<std::optional<double>> errorOfCounter(
    const Recording& recording, const CounterReading& counter, const TimeWindow& window);
/// Sets ComparedValue::withinError of message rates and of mean response times.
Result<void> addWithinErrors(const Recording& recording, ComparedMix& mix);

} // namespace loadstone::compare
