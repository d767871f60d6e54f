// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "report/charts.h"
#include "report/counter_export.h"
#include "report/model.h"
#include "sample_suite.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

using namespace loadstone;
namespace fs = std::filesystem;

namespace {

Recording sample(const test::ScratchFolder& folder, const test::SampleSuite& suite = {})
{
    test::writeSampleSuite(folder / "sample.loadstone", suite);
    auto recording = Recording::open(folder / "sample.loadstone");
    REQUIRE(recording);
    return *std::move(recording);
}

std::size_t occurrences(const std::string& text, const std::string& what)
{
    std::size_t n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++n;
    return n;
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

/// Every element that is opened is closed in order: what a browser would silently mend.
void checkNesting(const std::string& html)
{
    std::vector<std::string> open;
    for (auto at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const auto end = html.find('>', at);
        REQUIRE(end != std::string::npos);
        const std::string tag = html.substr(at + 1, end - at - 1);
        const std::string name =
            tag.substr(tag.front() == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag.front() == '/' ? 1 : 0));
        if (tag.front() == '!' || tag.back() == '/' || name == "meta")
            continue;
        if (tag.front() != '/') {
            open.push_back(name);
            continue;
        }
        REQUIRE_FALSE(open.empty());
        REQUIRE(open.back() == tag.substr(1));
        open.pop_back();
    }
    CHECK(open.empty());
}

} // namespace

TEST_CASE("the HTML report is one well-nested page with verdict, tables and charts and nothing to fetch")
{
    const test::ScratchFolder folder;
    const Recording recording = sample(folder);
    REQUIRE(writeHtmlReport(recording, folder / "report.html"));
    const std::string html = *readFile(folder / "report.html");
    checkNesting(html);
    CHECK(html.find("verdict good") != std::string::npos);
    CHECK(html.find("<script") == std::string::npos);
    CHECK(html.find("http") == std::string::npos);
    CHECK(html.find("src=") == std::string::npos);
    CHECK(html.find("nan") == std::string::npos);
    for (const char* text : { "Messages over the measurement", "Messages over the final window",
             "Clients per test mix", "20, 30", "Threads per client", "22 s for all mixes",
             "Send one message of 10 KB to 3 recipients", "Made-up Processor 3000",
             "Messages per second by users", "Send message: response time", "Delivery time",
             "Context switches per second", "Delivery audit", "20261121-140305-7f3a", "Timer slip" })
        CHECK(html.find(text) != std::string::npos);
    CHECK(occurrences(html, "<svg class=\"chart\"") >= 9);
}

TEST_CASE("mixes of as many users have no chart by users")
{
    RunResults results;
    for (const std::uint64_t users : { 200, 200 }) {
        MixResult mix;
        mix.mailboxes = users;
        mix.measured.end = std::chrono::minutes(1);
        mix.measured.sentPerSecond = 5;
        results.mixes.push_back(mix);
    }
    CHECK(report::ratesByUsersChart(results).curves.empty());
    results.mixes[1].mailboxes = 400;
    CHECK(report::ratesByUsersChart(results).curves.size() == 2);
}

TEST_CASE("B15: no cell of the HTML report may break a word, on paper neither, while its table has room")
{
    const test::ScratchFolder folder;
    REQUIRE(writeHtmlReport(sample(folder), folder / "run.html"));
    const std::string html = *readFile(folder / "run.html");
    const auto begin = html.find("<style>");
    std::istringstream style(html.substr(begin, html.find("</style>") - begin));
    std::size_t rules = 0;
    for (std::string rule; std::getline(style, rule, '}');) {
        const std::string of = rule.substr(0, rule.find_last_of('{'));
        if (of.find("td") == std::string::npos && of.find(".n") == std::string::npos)
            continue;
        ++rules;
        INFO(rule); // these two make a column as narrow as one letter
        CHECK(rule.find("anywhere") == std::string::npos);
        CHECK(rule.find("break-all") == std::string::npos);
    }
    CHECK(rules >= 2);
}

TEST_CASE("a report's latencies stand where its counters do: in the middle of their stretch")
{
    const test::ScratchFolder folder;
    const auto report = report::buildReport(sample(folder));
    REQUIRE(report);
    const auto points = [&](const std::string& title) {
        for (const report::Section& section : report->sections)
            for (const report::Chart& chart : section.charts)
                if (chart.title == title)
                    return chart.curves.at(0).points;
        return std::vector<report::Point>();
    };
    const auto rates = points("Messages per second"), latencies = points("Send message: response time");
    REQUIRE_FALSE(rates.empty());
    CHECK(rates.front().x == 0.5);
    REQUIRE(latencies.size() == rates.size()); // a tick each
    for (std::size_t i = 0; i < rates.size(); ++i)
        CHECK(latencies[i].x == rates[i].x);
}

TEST_CASE("an invalid run and a failed audit are the first thing in the HTML report")
{
    const test::ScratchFolder folder;
    test::SampleSuite suite;
    suite.invalid = true;
    suite.audit = { 100, 300, 299, 0, 0, 0, 1, 0, 0 };
    const Recording recording = sample(folder, suite);
    REQUIRE(writeHtmlReport(recording, folder / "report.html"));
    const std::string html = *readFile(folder / "report.html");
    CHECK(html.find("verdict bad") < html.find("<section>"));
    CHECK(html.find("INVALID") < html.find("<section>"));
    CHECK(html.find("1 lost") < html.find("<section>"));
    CHECK(html.find("accepted with &quot;250 2.0.0 &lt;ok&gt;&quot;") != std::string::npos);
}

TEST_CASE("names from a plan cannot break out of the page or the CSV cells")
{
    const test::ScratchFolder folder;
    test::SampleSuite suite;
    suite.title = "</title><script>alert(1)</script>";
    suite.mixSuffix = " \"users\", =1+1 <b>&\xff";
    const Recording recording = sample(folder, suite);
    REQUIRE(writeHtmlReport(recording, folder / "report.html"));
    const std::string html = *readFile(folder / "report.html");
    checkNesting(html);
    CHECK(html.find("<script") == std::string::npos);
    CHECK(html.find("<b>&amp;") == std::string::npos);
    REQUIRE(writeCsv(recording, folder / "report.csv"));
    CHECK(readFile(folder / "report-results.csv")
              ->find("mix,\"560 \"\"users\"\", =1+1 <b>&\xEF\xBF\xBD\",mailboxes,count,,560")
        != std::string::npos);
    REQUIRE(formatJson(recording));
    CHECK(nlohmann::json::parse(*formatJson(recording))["header"]["title"] == suite.title);
}

TEST_CASE("the CSV of counters has a row per tick under PerfMon paths, and missing samples are empty")
{
    const test::ScratchFolder folder;
    const Recording recording = sample(folder);
    REQUIRE(writeCsv(recording, folder / "out.csv"));
    const auto rows = split(*readFile(folder / "out-counters.csv"), '\n');
    REQUIRE(rows.size() == recording.ticks() + 1);
    const auto heading = split(rows[0], ',');
    const auto column = static_cast<std::size_t>(
        std::find(heading.begin(), heading.end(), "\\Processor(_Total)\\% Processor Time") - heading.begin());
    REQUIRE(column < heading.size());
    const auto first = split(rows[1], ','), second = split(rows[2], ',');
    CHECK(first[0] == "2026-11-21T14:03:06.000Z");
    CHECK(first[1] == "1");
    CHECK(first[2] == "ramp-up");
    CHECK(first[3] == "560 users");
    CHECK(first[column].empty()); // a rate has no first sample
    CHECK(std::stod(second[column]) > 0);
    CHECK_FALSE(fs::exists(folder / "out-counters.csv.partial"));
}

TEST_CASE("the CSV and JSON of results hold the numbers of the recording, unrounded")
{
    const test::ScratchFolder folder;
    const Recording recording = sample(folder);
    const RunResults results = *computeResults(recording);
    const auto json = nlohmann::json::parse(*formatJson(recording));
    CHECK(json["results"]["mixes"].size() == 2);
    CHECK(json["results"]["mixes"][1]["measured"]["sent"] == results.mixes[1].measured.sent);
    CHECK(json["results"]["mixes"][1]["actions"][0]["response"]["p95"].get<double>()
        == seconds(results.mixes[1].actions[0].response->p95));
    CHECK(json["results"]["audit"]["accepted"] == results.audit->accepted);
    CHECK(json["header"]["host"]["cores"] == 4);
    CHECK(json["phases"].size() == recording.phases().size());
    CHECK(json["counters"].size() == recording.header().counters.size());
    CHECK(json["transcripts"][0]["text"].get<std::string>().find("try \xEF\xBF\xBD later")
        != std::string::npos);
    CHECK(nlohmann::json::parse(formatResultsJson(results)) == json["results"]);
    REQUIRE(writeJson(recording, folder / "out.json"));
    CHECK(nlohmann::json::parse(*readFile(folder / "out.json")) == json);

    REQUIRE(writeCsv(recording, folder / "out.csv"));
    bool found = false;
    for (const std::string& row : split(*readFile(folder / "out-results.csv"), '\n'))
        if (row.starts_with("measurement,840 users,sent,count,messages,")) {
            found = true;
            const auto fields = split(row, ',');
            REQUIRE(fields.size() == 8);
            CHECK(std::stoull(fields[5]) == results.mixes[1].measured.sent);
            CHECK(fields[7] == "mail.sent");
        }
    CHECK(found);
}

TEST_CASE("a file that cannot be written is an error that names it, and nothing is left behind")
{
    const test::ScratchFolder folder;
    const Recording recording = sample(folder);
    for (const auto write : { writeHtmlReport, writeCsv, writeJson }) {
        const auto written = write(recording, folder / "missing" / "report.out", std::nullopt);
        REQUIRE_FALSE(written);
        CHECK(written.error().message.find("missing/report") != std::string::npos);
    }
}

TEST_CASE("a recording without phases, ticks or a readable plan still gives a report")
{
    const test::ScratchFolder folder;
    test::SampleSuite suite;
    suite.mixes = 0;
    suite.drain = 0;
    const Recording recording = sample(folder, suite);
    REQUIRE(recording.ticks() == 0);
    REQUIRE(writeHtmlReport(recording, folder / "report.html"));
    checkNesting(*readFile(folder / "report.html"));
    CHECK(writeCsv(recording, folder / "report.csv"));
    CHECK(formatJson(recording));
}

TEST_CASE("seconds of a table are written without the noise of binary fractions")
{
    using namespace std::chrono_literals;
    CHECK(report::exactSeconds(120s) == "120"); // 120e9 * 1e-9 is 120.00000000000001
    CHECK(report::exactSeconds(117s) == "117");
    CHECK(report::exactSeconds(1'250'000'001ns) == "1.250000001");
}
