// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// OpenMetrics 1.0 text (github.com/prometheus/OpenMetrics): the samples of one series stand together, in order of time.
#include "report/counter_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace loadstone::report {

namespace {

/// "loadstone_process_processor_time": letters, digits and underscores alone. Counters with the same name differ in their labels.
std::string metricName(const CounterInfo& info)
{
    std::string name = "loadstone";
    for (const std::string* part : { &info.object, &info.counter }) {
        bool apart = true;
        for (const char c : *part) {
            const auto letter = static_cast<unsigned char>(c);
            if (letter >= 0x80 || std::isalnum(letter) == 0) {
                apart = true;
                continue;
            }
            if (apart)
                name += '_';
            apart = false;
            name += static_cast<char>(std::tolower(letter));
        }
    }
    return name;
}

std::string labelValue(const std::string& text)
{
    std::string out;
    for (const char c : withoutControls(text)) {
        if (c == '\\' || c == '"')
            out += '\\';
        out += c;
    }
    return out;
}

std::string labelsOf(const ChosenCounter& one, const std::string& computer)
{
    const CounterInfo& info = one.info;
    std::string labels = fmt::format("computer=\"{}\",object=\"{}\",counter=\"{}\"",
        labelValue(info.computer.empty() ? computer : info.computer), labelValue(info.object),
        labelValue(info.counter));
    if (!info.instance.empty())
        labels += fmt::format(",instance=\"{}\"", labelValue(info.instance));
    if (one.place.source > 0)
        labels += fmt::format(",source=\"{}\"", one.place.source);
    return labels;
}

} // namespace

Result<void> writeOpenMetrics(const Recording& recording, const std::vector<ChosenCounter>& counters,
    const TimeWindow& window, Output& out, std::uint64_t& samples)
{
    std::vector<std::pair<std::string, const ChosenCounter*>> families;
    for (const ChosenCounter& counter : counters)
        families.emplace_back(metricName(counter.info), &counter);
    std::ranges::stable_sort(families, {}, [](const auto& family) { return family.first; });
    std::map<std::uint32_t, std::vector<TimeWindow>> parts; // of each source
    for (std::size_t i = 0; i < families.size() && !out.failed(); ++i) {
        const auto& [name, counter] = families[i];
        if (i == 0 || families[i - 1].first != name)
            out.write(fmt::format("# TYPE {} gauge\n", name)
                + (counter->info.help.empty()
                        ? ""
                        : fmt::format("# HELP {} {}\n", name, labelValue(counter->info.help))));
        const std::string series =
            fmt::format("{}{{{}}}", name, labelsOf(*counter, recording.header().computer));
        const auto [ofSource, isNew] = parts.try_emplace(counter->place.source);
        if (isNew) {
            const auto times = sampleTimes(recording, counter->place.source, window);
            if (!times)
                return times.error();
            ofSource->second = partsOf(*times);
        }
        for (const TimeWindow& part : ofSource->second) {
            const auto points = pointsOf(recording, counter->place, part);
            if (!points)
                return points.error();
            for (const CounterPoint& point : *points) {
                if (!std::isfinite(point.value))
                    continue;
                const auto ms =
                    std::chrono::floor<std::chrono::milliseconds>(recording.header().started + point.at)
                        .time_since_epoch()
                        .count();
                out.write(
                    fmt::format("{} {} {}.{:03}\n", series, exactNumber(point.value), ms / 1000, ms % 1000));
                ++samples;
            }
        }
    }
    out.write("# EOF\n");
    return {};
}

} // namespace loadstone::report
