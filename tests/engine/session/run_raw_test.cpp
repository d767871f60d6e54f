// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/preflight.h>
#include <loadstone/report.h>
#include <loadstone/run.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

/// Runs raw device tests of a small file in a scratch folder of the build tree, which is on a disk.
struct RawFixture {
    ScratchFolder folder { LOADSTONE_BIN_DIR };
    fs::path file = folder / "raw.dat";

    fs::path plan(const std::string& device, const std::string& rest)
    {
        const fs::path path = folder / "plan.toml";
        std::ofstream(path) << fmt::format(
            "format = 1\nkind = \"raw\"\nseed = 3\n[health]\nkeep_processors_awake = false\n"
            "max_slip_p99 = \"60 s\"\nmax_worker_cpu = 100\n"
            "max_run_queue_wait = 100\nmax_throttled = 100\nmax_steal = 100\nmax_standstill = \"1 h\"\n"
            "[device]\npath = \"{}\"\nsize = \"2 MB\"\n{}\n{}\n",
            file.string(), device, rest);
        return path;
    }
    Result<std::unique_ptr<Run>> start(const std::string& device, const std::string& rest)
    {
        RunOptions options;
        options.plan = plan(device, rest);
        options.historyFolder = folder / "history";
        return Run::start(options);
    }
};

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

const IoRow* rowOf(const MixResult& mix, IoClass ioClass)
{
    const auto row = std::ranges::find(mix.io, ioClass, &IoRow::ioClass);
    return row == mix.io.end() ? nullptr : &*row;
}

const std::string kTwoMixes = R"([io]
block = "4 KB"
[mix]
measurement = "1 s"
[[mixes]]
name = "reads"
depth = 4
[[mixes]]
name = "paced"
depth = 8
read_share = "50 %"
rate = "400/s"
arrivals = "poisson"
)";

} // namespace

TEST_CASE("a raw device test fills its file, measures each mix, and tells what every kind of I/O came to")
{
    RawFixture fixture;
    const std::string backEnd = GENERATE("automatic", "threads");
    const auto run = fixture.start(fmt::format("back_end = \"{}\"", backEnd), kTwoMixes);
    REQUIRE(run);
    const auto results = (*run)->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::finished);
    CHECK(results->valid);
    CHECK_FALSE(results->audit);
    CHECK(results->preparations.empty());
    REQUIRE(results->mixes.size() == 2);
    const MixResult& reads = results->mixes[0];
    CHECK(reads.complete);
    REQUIRE(reads.io.size() == 1);
    const IoRow& row = reads.io[0];
    CHECK(row.ioClass == IoClass::databaseRead);
    CHECK(row.count > 0);
    CHECK(row.failures == 0);
    CHECK(row.bytes == row.count * 4096);
    CHECK(row.count == reads.attempts);
    CHECK(row.device.count == row.count);
    CHECK(row.queued.count == row.count);
    CHECK(row.device.mean > 0ns);
    REQUIRE(reads.actions.size() == 1);
    CHECK(reads.actions[0].response->mean >= row.device.mean);

    const MixResult& paced = results->mixes[1];
    const IoRow* read = rowOf(paced, IoClass::databaseRead);
    const IoRow* write = rowOf(paced, IoClass::databaseWrite);
    REQUIRE(read != nullptr);
    REQUIRE(write != nullptr);
    const auto recording = Recording::open((*run)->file());
    REQUIRE(recording);
    REQUIRE(recording->phases().size() == 3);
    CHECK(recording->phases()[0].kind == PhaseKind::initialisation);
    // Writes are a Poisson process of 200/s: five standard deviations, and what a slow machine leaves undone. A phase that such a
    // machine ends late is longer than planned. Of the reads some are the last ones of the mix before.
    const Phase& phase = recording->phases()[2];
    const double due = 200 * seconds(phase.end - phase.begin);
    CHECK(static_cast<double>(write->count) < due + 5 * std::sqrt(due));
    CHECK(read->count > 20);
    CHECK(write->count > 20);

    const auto events = recording->events();
    REQUIRE(events);
    CHECK(std::ranges::any_of(*events, [&](const RunEvent& event) {
        return event.text.find(
                   backEnd == "threads" ? "8 threads of pread and pwrite, as the plan asks for" : "io_uring")
            != std::string::npos;
    }));
    CHECK(computeLoads(*recording)->empty());
    CHECK(fs::file_size(fixture.file) == (2 << 20) + 4096); // and what says whose it is
    const std::string content = contentOf(fixture.file);
    CHECK(content.substr(0, 4096) != content.substr(4096, 4096));
    CHECK_THAT(contentOf(fixture.file.string() + ".loadstone"), ContainsSubstring("complete = yes"));

    const std::string table = formatResultTable(*results, *verdictOf(*recording));
    CHECK_THAT(table, ContainsSubstring("the figures are the storage's") && ContainsSubstring("Bytes/IO"));
    CHECK(table.find("Messages") == std::string::npos);
    CHECK(table.find("audit") == std::string::npos);
    const auto json = nlohmann::json::parse(formatResultsJson(*results));
    CHECK(json["mixes"][0]["io"][0]["count"] == row.count);
    REQUIRE(writeHtmlReport(*recording, fixture.folder / "report.html"));
    const std::string html = contentOf(fixture.folder / "report.html");
    CHECK_THAT(html, ContainsSubstring("I/O per second") && ContainsSubstring(fixture.file.string()));
    CHECK(html.find("Messages per second") == std::string::npos);
    CHECK(html.find("Mailboxes per client") == std::string::npos);
}

TEST_CASE(
    "a file that was filled once is used again as it is; a log is written in order, flushed after each write")
{
    RawFixture fixture;
    const std::string append =
        "[io]\nblock = \"4 KB\"\npattern = \"append\"\n[[mixes]]\ndepth = 2\nmeasurement = \"1 s\"\n";
    const auto first = fixture.start("durability = \"flushed\"", append);
    REQUIRE(first);
    const auto results = (*first)->wait();
    REQUIRE(results);
    REQUIRE(results->mixes.size() == 1);
    const IoRow* write = rowOf(results->mixes[0], IoClass::logWrite);
    const IoRow* flush = rowOf(results->mixes[0], IoClass::flush);
    REQUIRE(write != nullptr);
    REQUIRE(flush != nullptr);
    CHECK(write->count > 0);
    CHECK(flush->count + 2 >= write->count);
    CHECK(rowOf(results->mixes[0], IoClass::databaseRead) == nullptr);

    const auto second = fixture.start("", kTwoMixes);
    REQUIRE(second);
    REQUIRE((*second)->wait());
    const auto recording = Recording::open((*second)->file());
    REQUIRE(recording);
    CHECK(recording->phases().front().kind == PhaseKind::measurement);
}

TEST_CASE("nothing that is not Loadstone's is written over, and the error says what to do")
{
    RawFixture fixture;
    std::ofstream(fixture.file) << "precious";
    const auto run = fixture.start("", kTwoMixes);
    REQUIRE_FALSE(run);
    CHECK(isUnusablePlan(run.error()));
    CHECK_THAT(run.error().message,
        ContainsSubstring(fixture.file.string()) && ContainsSubstring("choose another path"));
    CHECK(contentOf(fixture.file) == "precious");
    PreflightOptions look;
    look.plan = fixture.folder / "plan.toml";
    const auto looked = preflight(look);
    REQUIRE(looked);
    CHECK_FALSE(looked->passed());

    fixture.file = fixture.folder / "free";
    look.plan = fixture.plan("", kTwoMixes);
    look.historyFolder = fixture.folder / "history";
    const auto warned = preflight(look);
    REQUIRE(warned);
    CHECK(warned->passed());
    CHECK(std::ranges::any_of(warned->findings, [](const PreflightFinding& finding) {
        return finding.severity == Severity::warning
            && finding.found.find("is on the volume under test") != std::string::npos;
    }));
    CHECK_FALSE(fs::exists(fixture.file));

    fixture.file = fixture.folder / "missing/raw.dat";
    const auto nowhere = fixture.start("", kTwoMixes);
    REQUIRE_FALSE(nowhere);
    CHECK_THAT(nowhere.error().message, ContainsSubstring("missing: No such file or directory"));

    fixture.file = fixture.folder / "huge";
    const fs::path plan = fixture.plan("", kTwoMixes);
    std::string text = contentOf(plan);
    text.replace(text.find("2 MB"), 4, "1000 TB");
    std::ofstream(plan) << text;
    RunOptions options;
    options.plan = plan;
    options.historyFolder = fixture.folder / "history";
    const auto huge = Run::start(options);
    REQUIRE_FALSE(huge);
    CHECK_THAT(huge.error().message, ContainsSubstring("make room, or write a smaller size"));
    CHECK_FALSE(fs::exists(fixture.file));
}

TEST_CASE("a device has no databases to verify or recover")
{
    RawFixture fixture;
    RunOptions options;
    options.plan = fixture.plan("", kTwoMixes);
    options.historyFolder = fixture.folder / "history";
    options.purpose = GENERATE(RunPurpose::verify, RunPurpose::recover);
    const auto started = Run::start(options);
    REQUIRE_FALSE(started);
    CHECK(isUnusablePlan(started.error()));
    CHECK_THAT(started.error().message,
        ContainsSubstring("plan.toml: has no databases") && ContainsSubstring("kind = \"storage\""));
    CHECK_FALSE(fs::exists(fixture.file));
    CHECK_FALSE(fs::exists(options.historyFolder)); // nothing began
}

TEST_CASE(
    "an I/O error ends the run in order: what was measured is kept, and the reason names file and cause")
{
    RawFixture fixture;
    const auto run = fixture.start("", "[io]\nblock = \"4 KB\"\n[[mixes]]\nmeasurement = \"30 min\"\n");
    REQUIRE(run);
    while (!(*run)->waitFor(10ms) && (*run)->status().io.value_or(IoRates()).readsPerSecond == 0) { }
    fs::resize_file(fixture.file, 4096); // the others are gone
    const auto results = (*run)->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::failed);
    REQUIRE(results->mixes.size() == 1);
    CHECK_FALSE(results->mixes[0].complete);
    REQUIRE(results->mixes[0].io.size() == 1);
    CHECK(results->mixes[0].io[0].failures > 0);
    CHECK(results->mixes[0].io[0].count > results->mixes[0].io[0].failures);
    REQUIRE(results->mixes[0].errors.size() == 1);
    CHECK(results->mixes[0].errors[0].kind == FailureKind::system);
    CHECK(results->mixes[0].errors[0].code == EIO);
    const auto recording = Recording::open((*run)->file());
    REQUIRE(recording);
    const auto events = recording->events();
    REQUIRE(events);
    CHECK_THAT(events->back().text,
        ContainsSubstring("the run failed: " + fixture.file.string() + ": read of 4096 bytes at "));
    // The file is another one than its mark says: it is filled again.
    CHECK_THAT(formatResultTable(*results, *verdictOf(*recording)),
        ContainsSubstring("Incomplete: the run failed."));
}

TEST_CASE(
    "a raw device test that is stopped while its file is filled leaves one that is filled the next time")
{
    RawFixture fixture;
    const auto run = fixture.start("", kTwoMixes);
    REQUIRE(run);
    (*run)->stop();
    const auto results = (*run)->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::stopped);
    const auto again = fixture.start("", kTwoMixes);
    REQUIRE(again);
    CHECK((*again)->wait()->state == RunState::finished);
}
