// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a command prints is read as lines "NAME VALUE", twice, whatever it is: its values are finite or missing, counts never fall below
// 0, and what it has of counters and notes is bounded.

#include "counters/live/lines_reader.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace loadstone;
using namespace loadstone::counters;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

void readTwice(LinesReader reader, std::string_view text)
{
    const std::string_view first = text.substr(0, text.size() / 2);
    std::size_t before = 0;
    int second = 0;
    for (const std::string_view part : { first, text.substr(first.size()) }) {
        const LiveReading reading = reader.read(part, MonoTime(std::chrono::seconds(1 + second++)));
        require(reading.begin <= reading.end && reading.notes.size() <= 20);
        require(reading.values.size() == reader.counters().size() && reading.values.size() >= before);
        before = reading.values.size();
        require(before <= 10'000);
        for (std::size_t i = 0; i < before; ++i)
            require(std::isnan(reading.values[i])
                || (std::isfinite(reading.values[i])
                    && (reader.counters()[i].kind == CounterKind::level || reading.values[i] >= 0)));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    spec.from = plan::CommandSource {};
    readTwice(LinesReader(spec), text);
    plan::CommandSource listed;
    listed.values = { { "active", "messages", false }, { "sent", "messages", true } };
    listed.missingLine = 0;
    spec.from = listed;
    readTwice(LinesReader(spec), text);
    return 0;
}
