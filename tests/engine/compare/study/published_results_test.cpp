// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Results typed from published reports against the same figures typed a second time, and the sums and quotients that the reports'
// own figures must follow.
#include "support/catch.h"

#include <loadstone/external_result.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

using namespace loadstone;

namespace {

const std::filesystem::path kSource { LOADSTONE_SOURCE_DIR };

ExternalResult shipped(const std::string& name)
{
    auto checked = checkResult(findResult(name));
    REQUIRE(checked);
    for (const Problem& problem : checked->problems)
        FAIL_CHECK(problem.format(name));
    return std::move(checked->result);
}

/// "system | figure | load | mix | cell", without blanks around the bars.
std::string lineOf(const ExternalResult& result, const ResultValue& value)
{
    return fmt::format("{}|{}|{}|{}|{}", result.systems[value.system].name, result.figures[value.figure].name,
        value.load ? fmt::format("{}", *value.load) : "", value.mix,
        value.printed ? value.printed->text : "");
}

std::set<std::string> witnessOf(const std::filesystem::path& file)
{
    std::set<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line.front() == '#')
            continue;
        std::string plain;
        std::istringstream parts(line);
        for (std::string part; std::getline(parts, part, '|');) {
            const auto first = part.find_first_not_of(' ');
            const auto last = part.find_last_not_of(' ');
            plain += (plain.empty() ? "" : "|")
                + (first == std::string::npos ? "" : part.substr(first, last - first + 1));
        }
        CHECK(lines.insert(plain).second);
    }
    return lines;
}

double valueOf(const ExternalResult& result, const char* system, const char* figure,
    std::optional<double> load = {}, const char* mix = "")
{
    const ResultValue* value = result.find(system, figure, load, mix);
    INFO(system << ", " << figure);
    REQUIRE(value != nullptr);
    REQUIRE(value->printed);
    return value->printed->value;
}

/// As reports round: half goes up.
double rounded(double value, int decimals = 0)
{
    const double scale = std::pow(10, decimals);
    return std::floor(value * scale + 0.5 + 1e-9) / scale;
}

} // namespace

TEST_CASE("typed results have every figure of the second typing, and no other")
{
    std::size_t files = 0, figures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kSource / "tests/results/published")) {
        if (entry.path().extension() != ".cells")
            continue;
        ++files;
        const std::string name = entry.path().stem().string();
        const ExternalResult result = shipped(name);
        std::set<std::string> wanted = witnessOf(entry.path());
        figures += wanted.size();
        for (const ResultValue& value : result.values) {
            if (!value.printed)
                continue;
            const std::string line = lineOf(result, value);
            INFO(name << ": " << line);
            CHECK(wanted.erase(line) == 1);
        }
        for (const std::string& line : wanted)
            FAIL_CHECK(name << " lacks: " << line);
    }
    CHECK(files == 8);
    CHECK(figures > 950);
}

TEST_CASE("the figures of the scalability report follow from each other")
{
    const ExternalResult result = shipped("etesting-exchange-scalability");
    std::set<double> loads;
    for (const ResultPoint& point : result.points)
        loads.insert(point.load);
    // Clients times 1,666 mailboxes.
    CHECK(loads
        == std::set<double> {
            20 * 1666, 30 * 1666, 32 * 1666, 34 * 1666, 36 * 1666, 40 * 1666, 45 * 1666, 50 * 1666 });
    CHECK(
        rounded(
            valueOf(result, "e55", "final-received", 49980) / valueOf(result, "e55", "final-sent", 49980), 3)
        == 3.000);
    CHECK(rounded(valueOf(result, "e2000", "final-received", 83300)
                  / valueOf(result, "e2000", "final-sent", 83300),
              3)
        == 2.996);
    CHECK(rounded(49980 / 3600.0, 1) == valueOf(result, "e55", "final-sent", 49980));
    CHECK(rounded(83300 / 3600.0, 1) == valueOf(result, "e2000", "final-sent", 83300));
}

TEST_CASE("the figures of the MMB report follow from each other, hourly ones cut and not rounded")
{
    const ExternalResult result = shipped("ibm-netfinity-3500-m10-mmb");
    const auto value = [&](const char* figure) { return valueOf(result, "netfinity", figure, 9800); };
    CHECK(40 * 245 == value("mmb"));
    CHECK(std::trunc(value("submitted") / 4) == value("submitted-hourly"));
    CHECK(std::trunc(value("delivered") / 4) == value("delivered-hourly"));
    CHECK(value("sent") / 4 == value("sent-hourly"));
    CHECK(result.find("netfinity", "submitted-hourly", 9800)->printed->slack == 1);
    CHECK(rounded(value("delivered") / value("submitted"), 2) == value("recipients"));
    CHECK(rounded(value("submitted") / 9800 * 2, 3) == value("sent-a-day"));
    CHECK(rounded(value("processor")) == 87);
}

TEST_CASE("every host's volumes make its table and its achieved rate, and all hosts the totals")
{
    const ExternalResult hosts = shipped("dell-equallogic-90000-hosts"),
                         tables = shipped("dell-equallogic-90000-summary");
    REQUIRE(hosts.systems.size() == 12);
    int logWrites = 0, latencies = 0;
    double transfers = 0, reads = 0, writes = 0, log = 0, size = 0;
    for (const ResultSystem& system : hosts.systems) {
        const char* id = system.id.c_str();
        INFO(id);
        const auto host = [&](const char* figure) { return valueOf(hosts, id, figure); };
        const auto table = [&](const char* figure) { return valueOf(tables, id, figure); };
        const double read = host("r-reads") + host("s-reads"), written = host("r-writes") + host("s-writes");
        CHECK(rounded(read, 2) == Approx(table("reads")).margin(1e-9));
        CHECK(rounded(written, 2) == Approx(table("writes")).margin(1e-9));
        CHECK(read + written == Approx(host("achieved")).margin(0.0011));
        CHECK(std::abs(read + written - table("transfers")) < 0.0051);
        const double logs = host("l-writes") + host("m-writes");
        logWrites += std::abs(rounded(logs, 2) - table("log-writes")) < 1e-9 ? 1 : 0;
        const auto mean = [&](const char* a, const char* b) {
            return rounded((host(a) + host(b)) / 2 * 1000);
        };
        latencies += mean("r-read-log", "s-read-log") == table("read-latency") ? 1 : 0;
        latencies += mean("r-write-time", "s-write-time") == table("write-latency") ? 1 : 0;
        latencies += mean("l-write-log", "m-write-log") == table("log-latency") ? 1 : 0;
        CHECK(host("files") == 40);
        reads += read;
        writes += written;
        transfers += read + written;
        log += logs;
        size += host("final-size");
    }
    CHECK(logWrites == 11);
    CHECK(latencies == 36);
    CHECK(rounded(transfers, 2) == 36589.88);
    CHECK(rounded(reads, 2) == 19539.84);
    CHECK(rounded(writes, 2) == 17050.04);
    CHECK(rounded(log, 2) == 7017.48);
    CHECK(valueOf(tables, "aggregate", "log-writes") == 7027.48); // as printed: 10 more
    CHECK(rounded(size / (1 << 30), 1) == 26768.5);
    CHECK(rounded(8 * valueOf(tables, "aggregate", "group-read"), 2)
        == valueOf(tables, "aggregate", "system-read"));
}

TEST_CASE("the forty files of the checksum report make its sum")
{
    const ExternalResult result = shipped("dell-equallogic-90000-checksums");
    double pages = 0, megabytes = 0;
    std::size_t files = 0;
    for (const ResultSystem& system : result.systems) {
        if (system.id == "sum")
            continue;
        ++files;
        pages += valueOf(result, system.id.c_str(), "pages");
        megabytes += valueOf(result, system.id.c_str(), "length");
        // 8 KB a page; megabytes are cut.
        CHECK(std::trunc(valueOf(result, system.id.c_str(), "pages") / 128)
            == valueOf(result, system.id.c_str(), "length"));
    }
    CHECK(files == 40);
    CHECK(pages == 292'537'936);
    CHECK(pages == valueOf(result, "sum", "pages"));
    CHECK(pages * 8192 == 2'396'470'771'712);
    CHECK(megabytes == 2'285'432); // the sum that is printed was made of what is not cut
    CHECK(valueOf(result, "sum", "length") == 2'285'452);
    const ExternalResult blizzard = shipped("dell-equallogic-90000-blizzard");
    const auto stress = [&](const char* figure) {
        return valueOf(blizzard, "blizzard", figure, {}, "stress");
    };
    CHECK(stress("r-reads") + stress("s-reads") + stress("r-writes") + stress("s-writes")
        == Approx(2927.739).margin(0.0011));
    CHECK(stress("achieved") == 2927.739);
}
