// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"
#include "support/program.h"

#include <filesystem>
#include <string>

namespace loadstone::test {

/// In memory where there is such a folder: these tests commit thousands of times.
class TemporaryFolder : public ScratchFolder {
public:
    TemporaryFolder();
    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return *this / name; }
};

// Counters 0 to 3 are sent, received, attempts and failures; 4 is a level. Histograms: 0 and 1 are response
// and service of "Send message", 2 is the command "SMTP RCPT", 3 the delivery.
RunHeader sampleHeader(const RunId& id = {}); ///< without an id, always the same one
history::ResultSeries sampleSeries();
/// Second `number` of such a run: 10 + number % 3 sent, three times as many received, the level is number
/// / 4.
metrics::Tick sampleTick(std::uint64_t number, std::uint32_t phase = 0);
/// A finished recording of `ticks` ticks in one measurement phase.
void writeSample(const std::filesystem::path& file, std::uint64_t ticks, const RunId& id = {});

} // namespace loadstone::test
