// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/source.h>
#include <loadstone/time.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace loadstone::test {

/// A run of two mixes, each with a minute of ramp-up and ten minutes of measurement: 0:00 to 22:00. Ten messages a second in the first
/// one, 20 in the second; the processor of the machine that ran Loadstone as `own` says. The plan has sources ex1 (role sut) and dc1
/// (directory), and `criteria`.
void writeServerRun(const std::filesystem::path& file, const std::string& criteria,
    const std::function<double(std::uint64_t second)>& own);

/// Samples of one counter that are `every` long, from `begin` to `end` on the source's axis.
std::vector<SourceTick> samplesEvery(
    Nanoseconds every, Nanoseconds begin, Nanoseconds end, const std::function<double(double at)>& value);

/// A source with the processor time of a computer, as an exporter or ssh gives it.
SourceFacts processorOf(
    const std::string& computer, const std::string& role = "sut", Nanoseconds offset = {});

} // namespace loadstone::test
