// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Averages, minima and maxima of all counters, computed a second time from the text of the exported samples alone.
#include "base/posix_file.h"
#include "engine/history/sample_run.h"
#include "server_run.h"
#include "support/catch.h"

#include <loadstone/counter_export.h>
#include <loadstone/report.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <sstream>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Eight hours after a ramp-up of ten minutes; ticks of 1 s, each seventh of 1.7 s; some samples are missing.
void writeLongRun(const std::filesystem::path& file)
{
    RunHeader header = sampleHeader();
    header.counters[4] = counterOf(Quantity::processorTime);
    header.counters[4].id = 4;
    header.histograms.clear();
    history::ResultSeries series;
    series.mixes = { { "500 users", 500, 50, 3.0, 8h } };
    auto writer = history::RecordingWriter::create(file, header, series).value();
    writer.putPhase({ 0, 0, "500 users", PhaseKind::rampUp, 0s, 600s, false }).value();
    writer.putPhase({ 1, 0, "500 users", PhaseKind::measurement, 600s, 600s + 8h, false }).value();
    Nanoseconds at {};
    for (std::uint64_t number = 0; at < 600s + 8h; ++number) {
        metrics::Tick tick;
        tick.number = number;
        tick.begin = at;
        tick.end = at = std::min<Nanoseconds>(at + (number % 7 == 6 ? 1700ms : 1000ms), 600s + 8h);
        if (tick.begin < 600s && tick.end > 600s)
            tick.end = at = 600s;
        tick.phase = tick.end <= 600s ? 0 : 1;
        const auto n = static_cast<double>(number);
        tick.values = { static_cast<double>(number * 7919 % 23), static_cast<double>(number % 5), 3, 0,
            number % 11 == 3 ? kMissing : 50 + 30 * std::sin(n / 100) };
        writer.append(tick).value();
    }
    writer.finish({}).value();
}

/// No cell of these files has a comma or a quotation mark in it.
std::vector<std::string> cellsOf(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream in(line + ",");
    for (std::string cell; std::getline(in, cell, ',');) {
        std::erase(cell, '"');
        cells.push_back(cell);
    }
    return cells;
}

struct Tally {
    double sum = 0, length = 0, least = 0, most = 0;
    std::uint64_t samples = 0;
    [[nodiscard]] double average() const { return sum / length; }
};

/// Of the file's rows by the column's heading. `whole`: of those that end between `from` and `to`, with all of their length, as results are; then
/// `from` and `to` become the begin of the first and the end of the last. Else of those that overlap this time, with their part in it.
std::map<std::string, Tally> tallyOf(const std::filesystem::path& csv, double& from, double& to, bool whole)
{
    double first = to, last = from;
    std::istringstream in(readFile(csv).value());
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> headings = cellsOf(line);
    std::map<std::string, Tally> tallies;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = cellsOf(line);
        const double at = std::stod(cells.at(1)), begin = at - std::stod(cells.at(2));
        constexpr double kTiny = 1e-6; // of a printed time, s
        if (whole && (at <= from + kTiny || at > to + kTiny))
            continue;
        const double length = whole ? at - begin : std::min(at, to) - std::max(begin, from);
        if (length <= kTiny)
            continue;
        first = std::min(first, begin);
        last = std::max(last, at);
        for (std::size_t i = 5; i < headings.size(); ++i) {
            Tally& tally = tallies[headings[i]];
            if (cells.at(i).empty())
                continue;
            const double value = std::stod(cells[i]);
            tally.least = tally.samples == 0 ? value : std::min(tally.least, value);
            tally.most = tally.samples == 0 ? value : std::max(tally.most, value);
            tally.sum += value * length;
            tally.length += length;
            ++tally.samples;
        }
    }
    if (whole) {
        from = first;
        to = last;
    }
    return tallies;
}

bool equal(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max({ 1.0, std::abs(a), std::abs(b) });
}

/// "1,234.500"
std::string printed(double value)
{
    std::string text = fmt::format("{:.3f}", value);
    for (std::size_t i = text.find('.'); i > (value < 0 ? 4U : 3U); i -= 3)
        text.insert(i - 3, ",");
    return text;
}

/// Compares with all that the programs write of `window`; none: of the measurement.
void check(const Recording& recording, const std::map<std::string, Tally>& tallies,
    const std::optional<TimeWindow>& window, const TemporaryFolder& folder)
{
    const Json json = Json::parse(formatJson(recording, window).value());
    REQUIRE(json["readings"].size() == 1);
    writeCsv(recording, folder.path("out.csv"), window).value();
    std::map<std::string, double> exported; // "path average"
    std::istringstream rows(readFile(folder.path("out-results.csv")).value());
    for (std::string line; std::getline(rows, line);)
        if (const auto cells = cellsOf(line); cells[0] == "counters" && !cells.at(5).empty())
            exported[cells[2] + " " + cells[3]] = std::stod(cells[5]);
    writeHtmlReport(recording, folder.path("out.html"), window).value();
    const std::string html = readFile(folder.path("out.html")).value();
    std::istringstream text(formatReadings(recording, true, 400, window).value());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    std::size_t checked = 0;
    for (const Json& computer : json["readings"][0]["computers"])
        for (const Json& counter : computer["counters"]) {
            const auto path = counter["path"].get<std::string>();
            const std::string heading = computer["own"] ? "\\\\bench1" + path : path;
            INFO(heading);
            REQUIRE(tallies.contains(heading));
            const Tally& tally = tallies.at(heading);
            CHECK(counter["samples"] == tally.samples);
            if (tally.samples == 0)
                continue;
            for (const auto& [name, value] : { std::pair { "average", tally.average() },
                     std::pair { "minimum", tally.least }, std::pair { "maximum", tally.most } }) {
                CHECK(equal(counter[name].get<double>(), value));
                CHECK(equal(exported.at(path + " " + name), value));
            }
            const std::string shown = computer["own"] ? path : path.substr(path.find('\\', 2));
            const auto cell = [](double value) { return "<td class=\"n\">" + printed(value) + "</td>"; };
            CHECK(html.find("<td>" + shown + "</td><td>" + counter["unit"].get<std::string>() + "</td>"
                      + cell(tally.average()) + cell(tally.least) + cell(tally.most))
                != std::string::npos);
            CHECK(std::ranges::any_of(lines, [&](const std::string& line) {
                const std::size_t at = line.find(shown + " ");
                return at != std::string::npos
                    && line.find(" " + printed(tally.average()) + " ", at) != std::string::npos
                    && line.find(" " + printed(tally.least) + " ", at) != std::string::npos
                    && line.find(" " + printed(tally.most) + " ", at) != std::string::npos;
            }));
            ++checked;
        }
    CHECK(checked == 6);
}

} // namespace

TEST_CASE("averages, minima and maxima equal those of the exported samples", "[readings]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run");
    writeLongRun(file);
    std::vector<SourceTick> ticks;
    for (Nanoseconds at = 0s; at < 8h + 500s;) {
        const Nanoseconds length = ticks.size() % 3 == 0 ? 4s : 6500ms;
        const auto n = static_cast<double>(ticks.size());
        ticks.push_back(
            { at, at + length, { ticks.size() % 13 == 0 ? kMissing : 40 + 20 * std::cos(n / 50) } });
        at += length;
    }
    attachSource(file, processorOf("ex1", "sut", 10s + 123456789ns), ticks).value();
    const Recording recording = Recording::open(file).value();

    const auto tallied = [&](double from, double to) {
        CounterExport own;
        own.patterns = { "\\\\bench1\\" };
        exportCounters(recording, own, folder.path("own.csv")).value();
        CounterExport server;
        server.patterns = { "\\\\ex1\\" };
        exportCounters(recording, server, folder.path("server.csv")).value();
        auto tallies = tallyOf(folder.path("own.csv"), from, to, true);
        tallies.merge(tallyOf(folder.path("server.csv"), from, to, false)); // over the same time
        return tallies;
    };
    check(recording, tallied(600, 600 + 8 * 3600), std::nullopt, folder);
    check(recording, tallied(2 * 3600, 6 * 3600), TimeWindow { 2h, 6h }, folder);
}
