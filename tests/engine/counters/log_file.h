// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/log/counter_log.h"
#include "support/catch.h"
#include "support/program.h"

#include <fstream>

namespace loadstone::test {

/// A log in a folder of its own.
class WrittenLog {
public:
    explicit WrittenLog(const std::string& text) { std::ofstream(path(), std::ios::binary) << text; }
    [[nodiscard]] std::filesystem::path path() const { return m_folder / "log.csv"; }
    [[nodiscard]] std::unique_ptr<counters::CounterLog> open() const
    {
        auto log = counters::openCounterLog(path());
        INFO((log ? std::string() : log.error().message));
        REQUIRE(log);
        return *std::move(log);
    }

private:
    ScratchFolder m_folder;
};

inline std::vector<counters::LogSample> allSamples(counters::CounterLog& log)
{
    std::vector<counters::LogSample> samples;
    for (;;) {
        counters::LogSample sample;
        const auto more = log.next(sample);
        REQUIRE(more);
        if (!*more)
            return samples;
        samples.push_back(std::move(sample));
    }
}

} // namespace loadstone::test
