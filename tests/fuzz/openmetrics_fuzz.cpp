// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes are a text of metrics or are refused with words. Whatever an exporter answers, one time after the other, each counter has
// a value or is missing, a count is never below 0, and a share of time lies between 0 and 100. The answers are parted by a line "---".

#include "counters/live/metrics_reader.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

plan::CounterSourceSpec spec()
{
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    plan::OpenMetricsSource from;
    from.metrics = { "*", "node_context_switches_total", "up{job=\"x\"}" };
    from.volumes = { { "IS Database", { "sda", "sdb" } } };
    spec.from = from;
    return spec;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::string_view kParting = "---\n";
    counters::MetricsReader reader(spec());
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    MonoTime now {};
    MonoTime last = now;
    bool primed = false;
    while (!rest.empty()) {
        const std::size_t end = rest.find(kParting);
        const std::string_view text = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + kParting.size());
        now += std::chrono::seconds(1);
        const std::size_t before = reader.counters().size();
        const auto reading = reader.read(text, now);
        require(reader.counters().size() >= before && reader.counters().size() <= 10'000);
        if (!reading) {
            require(!reading.error().message.empty());
            primed = false;
            continue;
        }
        require(reading->end == now && reading->begin == (primed ? last : now));
        require(reading->values.size() == reader.counters().size());
        for (std::size_t i = 0; i < reading->values.size(); ++i) {
            const CounterInfo& info = reader.counters()[i];
            const double value = reading->values[i];
            require(!info.counter.empty() && !info.key.subject.host.empty() != info.key.foreign.has_value());
            require(std::isnan(value) || info.kind != CounterKind::count || (primed && value >= 0));
            if (info.key.quantity && info.unit == "%" && info.key.subject.process.empty())
                require(std::isnan(value) || (value >= 0 && value <= 100.0001));
        }
        primed = true;
        last = now;
    }
    return 0;
}
