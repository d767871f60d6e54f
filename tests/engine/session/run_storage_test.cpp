// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "support/catch.h"
#include "support/named_series.h"
#include "support/program.h"

#include <loadstone/judgement.h>
#include <loadstone/preflight.h>
#include <loadstone/run.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

constexpr const char* kDatabase = R"([database]
cache_minimum = "2 MB"
cache_maximum = "2 MB"
log_buffer = "256 KB"
log_file = "256 KB"
log_sector = "4 KB"
checkpoint_depth = "1 MB"
[load]
threads = 2
operations = 6
)";
constexpr const char* kProgramme = R"([[tests]]
kind = "performance"
duration = "2 s"
warm_up = "20 s"
[[tests]]
kind = "backup"
[[tests]]
kind = "recovery"
logs = 5
[[tests]]
kind = "checksum"
)";

/// Storage tests of two small groups in a scratch folder of the build tree, which is on a disk.
struct StorageFixture {
    ScratchFolder folder { LOADSTONE_BIN_DIR };

    StorageFixture()
    {
        for (const char* name : { "data-1", "data-2", "log-1", "log-2", "copies" })
            fs::create_directory(folder / name);
    }
    [[nodiscard]] fs::path database(int group, int index = 1) const
    {
        return folder / fmt::format("data-{}", group) / fmt::format("group-{}-{}.database", group, index);
    }
    fs::path plan(const std::string& tests = kProgramme, const std::string& database = kDatabase,
        const std::string& size = "6 MB") const
    {
        const fs::path path = folder / "plan.toml";
        std::ofstream(path) << fmt::format(
            "format = 1\nkind = \"storage\"\nseed = 3\npreset = \"exchange-2007\"\n"
            "[health]\nkeep_processors_awake = false\nmax_slip_p99 = \"60 s\"\nmax_worker_cpu = 100\n"
            "max_run_queue_wait = 100\nmax_throttled = 100\nmax_steal = 100\nmax_standstill = \"1 h\"\n{}"
            "[[groups]]\ndatabases = [\"{}\", \"{}\"]\nlog = \"{}\"\ndatabase_size = \"{}\"\n"
            "[[groups]]\ndatabases = [\"{}\"]\nlog = \"{}\"\ndatabase_size = \"{}\"\n{}",
            database, (folder / "data-1").string(), (folder / "data-1").string(), (folder / "log-1").string(),
            size, (folder / "data-2").string(), (folder / "log-2").string(), size, tests);
        return path;
    }
    [[nodiscard]] Result<std::unique_ptr<Run>> start(
        const fs::path& plan, RunPurpose purpose = RunPurpose::run) const
    {
        RunOptions options;
        options.plan = plan;
        options.purpose = purpose;
        options.historyFolder = folder / "history";
        return Run::start(options);
    }
    /// Runs to the end, which has to be in that state.
    [[nodiscard]] Recording finished(
        const fs::path& plan, RunPurpose purpose = RunPurpose::run, RunState state = RunState::finished) const
    {
        const auto run = start(plan, purpose);
        REQUIRE(run);
        const auto results = (*run)->wait();
        REQUIRE(results);
        CHECK(results->state == state);
        auto recording = Recording::open((*run)->file());
        REQUIRE(recording);
        return *std::move(recording);
    }
};

/// What a counter came to within all phases of one kind of one mix; -1: all phases of the run.
std::uint64_t total(const Recording& recording, Quantity quantity, const std::string& instance, int mix = -1,
    PhaseKind kind = PhaseKind::measurement)
{
    const QuantityInfo& info = infoOf(quantity);
    const auto id = findSeries(
        recording.header().counters, keyNamed(std::string(info.object), instance, std::string(info.counter)));
    REQUIRE(id);
    std::uint64_t all = 0;
    const history::TickReader& ticks = history::readerOf(recording).ticks();
    for (const Phase& phase : recording.phases()) {
        if (mix >= 0 && (phase.mix != mix || phase.kind != kind))
            continue;
        const auto events = analysis::eventsWithin(recording, *id, ticks.rangeOf({ phase.begin, phase.end }));
        REQUIRE(events);
        all += events->total;
    }
    return all;
}

bool tells(const Recording& recording, const std::string& text)
{
    const auto events = recording.events();
    REQUIRE(events);
    return std::ranges::any_of(
        *events, [&](const RunEvent& event) { return event.text.find(text) != std::string::npos; });
}

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

} // namespace

TEST_CASE(
    "a storage programme makes its databases, loads, backs up, recovers and verifies them, and keeps them")
{
    const StorageFixture fixture;
    const Recording recording = fixture.finished(fixture.plan());
    std::vector<std::pair<int, PhaseKind>> phases;
    for (const Phase& phase : recording.phases())
        phases.emplace_back(phase.mix, phase.kind);
    const std::vector<std::pair<int, PhaseKind>> expected { { -1, PhaseKind::initialisation },
        { 0, PhaseKind::rampUp }, { 0, PhaseKind::measurement }, { 0, PhaseKind::rampDown },
        { 1, PhaseKind::measurement }, { 2, PhaseKind::rampUp }, { 2, PhaseKind::measurement },
        { 3, PhaseKind::measurement } };
    CHECK(phases == expected);
    const std::uint64_t pages = fs::file_size(fixture.database(1)) / 8192;
    for (const int group : { 1, 2 }) {
        const std::string name = fmt::format("group-{}", group), database = name + "-1";
        CAPTURE(name);
        CHECK(total(recording, Quantity::transactions, name, 0) > 0);
        CHECK(total(recording, Quantity::databaseReads, name, 0) > 0);
        CHECK(total(recording, Quantity::logWrites, name, 0) > 0);
        CHECK(total(recording, Quantity::recordsInserted, name, 0) > 0);
        CHECK(total(recording, Quantity::wrongRecords, name) == 0);
        for (const int test : { 1, 3 }) {
            CHECK(total(recording, Quantity::pagesSeen, database, test) == pages);
            CHECK(total(recording, Quantity::pageBytesSeen, database, test) == pages * 8192);
            for (const Quantity quantity :
                { Quantity::badPages, Quantity::correctablePages, Quantity::wrongPageNumbers })
                CHECK(total(recording, quantity, database, test) == 0);
        }
        // The checkpoint stood where the log began when the group was opened, in the middle of a file.
        const std::uint64_t logs = total(recording, Quantity::logsReplayed, name, 2);
        CHECK(logs >= 5);
        CHECK(logs <= 7);
        CHECK(total(recording, Quantity::logFilesSeen, name + " log", 3) > 0);
        CHECK(total(recording, Quantity::badLogSegments, name + " log", 3) == 0);
    }
    for (const char* database :
        { "group-1-1", "group-1-2", "group-2-1" }) // pages that a crash left unwritten are no damage
        CHECK(total(recording, Quantity::badPages, database) == 0);
    CHECK(tells(recording, "the cache is filled"));
    CHECK(tells(recording, "5 log files generated; the group crashes now"));
    const auto results = computeResults(recording);
    REQUIRE(results);
    REQUIRE(results->mixes.size() == 4);
    CHECK(std::ranges::all_of(results->mixes, &MixResult::complete));
    const auto& actions = results->mixes[0].actions;
    REQUIRE(actions.size() == 1);
    CHECK(actions[0].name == "Transaction");
    CHECK(actions[0].response->count == results->mixes[0].attempts);

    // The same databases, and what a crash in between left.
    const auto again = fixture.start(fixture.plan());
    REQUIRE(again);
    while (!(*again)->waitFor(10ms) && (*again)->status().elapsed < 2s) { }
    (*again)->stop();
    CHECK((*again)->wait()->state == RunState::stopped);
    const auto ended = Recording::open((*again)->file());
    REQUIRE(ended);
    const auto judged = judge(*ended);
    REQUIRE(judged);
    CHECK(judged->cutShort); // backup, recovery and check are missing
    CHECK_FALSE(judged->met());
    const Recording recovered = fixture.finished(fixture.plan(), RunPurpose::recover);
    CHECK(recovered.phases().size() == 1);
    for (const char* database : { "group-1-1", "group-1-2", "group-2-1" })
        CHECK(total(recovered, Quantity::badPages, database) == 0);
    const Recording verified = fixture.finished(fixture.plan(), RunPurpose::verify);
    REQUIRE(verified.phases().size() == 1);
    CHECK(total(verified, Quantity::pagesSeen, "group-1-2") == pages);
    CHECK(total(verified, Quantity::badPages, "group-1-2") == 0);

    const Recording removed = fixture.finished(fixture.plan(), RunPurpose::cleanUp);
    CHECK(removed.phases().size() == 1);
    for (const char* name : { "data-1", "data-2", "log-1", "log-2" })
        CHECK(fs::is_empty(fixture.folder / name));
}

TEST_CASE("a filling that is stopped goes on with the next run")
{
    const StorageFixture fixture;
    const fs::path plan = fixture.plan("[[tests]]\nkind = \"checksum\"\n", kDatabase, "40 MB");
    const auto run = fixture.start(plan, RunPurpose::initialise);
    REQUIRE(run);
    // Its checkpoint is the last of a group's files that is made; then it is filled.
    while (!(*run)->waitFor(1ms) && !fs::exists(fixture.folder / "log-2/group-2.checkpoint")) { }
    (*run)->stop();
    REQUIRE((*run)->wait());
    // How far it came is left to chance; what is not filled is told as that, and not as damaged.
    if (const auto early = fixture.start(plan, RunPurpose::verify)) {
        const auto judged = (*early)->wait();
        REQUIRE(judged);
        const auto checked = Recording::open((*early)->file());
        REQUIRE(checked);
        CHECK((judged->state == RunState::failed) == tells(*checked, "is not completely filled"));
        CHECK(total(*checked, Quantity::badPages, "group-1-1") == 0);
    } else
        CHECK_THAT(early.error().message, ContainsSubstring("make it first"));
    const Recording recording = fixture.finished(plan);
    CHECK(total(recording, Quantity::badPages, "group-2-1") == 0);
    CHECK(tells(recording, "filled with"));
}

namespace {

/// A file without its last 4 KB, which say whose it is.
std::string pagesOf(const fs::path& file)
{
    const std::string content = contentOf(file);
    return content.substr(0, content.size() - std::min<std::size_t>(content.size(), 4096));
}

} // namespace

TEST_CASE("a backup to files copies every page, and goes over nothing that is not Loadstone's")
{
    const StorageFixture fixture;
    const std::string to = (fixture.folder / "copies").string();
    const fs::path plan = fixture.plan(fmt::format("[[tests]]\nkind = \"backup\"\nto = \"{}\"\n", to));
    static_cast<void>(fixture.finished(plan));
    static_cast<void>(fixture.finished(plan)); // over the first one
    CHECK(pagesOf(fixture.folder / "copies/group-2-1.database") == pagesOf(fixture.database(2)));
    static_cast<void>(fixture.finished(plan, RunPurpose::cleanUp));
    static_cast<void>(fixture.finished(
        fixture.plan(contentOf(plan).substr(contentOf(plan).rfind("[[tests]]")), kDatabase, "7 MB")));
    CHECK(pagesOf(fixture.folder / "copies/group-2-1.database") == pagesOf(fixture.database(2)));
    fs::remove(fixture.folder / "copies/group-2-1.database.loadstone");
    std::ofstream(fixture.folder / "copies/group-2-1.database") << "precious";
    const auto run = fixture.start(plan);
    REQUIRE_FALSE(run);
    CHECK_THAT(run.error().message,
        Catch::Matchers::Contains("copies/group-2-1.database: exists and is not a file of Loadstone"));
    CHECK(contentOf(fixture.folder / "copies/group-2-1.database") == "precious");
}

TEST_CASE("planted damage is counted by kind, named with its page, and fails nothing else")
{
    const StorageFixture fixture;
    const fs::path plan = fixture.plan("[[tests]]\nkind = \"checksum\"\n");
    static_cast<void>(fixture.finished(plan, RunPurpose::initialise));
    const auto flip = [&](std::uint64_t page, std::initializer_list<int> bits) {
        std::fstream file(fixture.database(1, 2), std::ios::in | std::ios::out | std::ios::binary);
        for (const int bit : bits) {
            const auto at =
                static_cast<std::streamoff>(page * 8192 + 1000 + static_cast<std::uint64_t>(bit) / 8);
            file.seekg(at);
            const int byte = file.get();
            file.seekp(at);
            file.put(static_cast<char>(byte ^ (1 << (bit % 8))));
        }
    };
    flip(20, { 3 });
    flip(21, { 3, 40 });
    const Recording recording = fixture.finished(plan, RunPurpose::verify);
    CHECK(total(recording, Quantity::correctablePages, "group-1-2") == 1);
    CHECK(total(recording, Quantity::badPages, "group-1-2") == 1);
    CHECK(total(recording, Quantity::badPages, "group-1-1") == 0);
    CHECK(tells(recording, fixture.database(1, 2).string() + ": page 20 has one wrong bit"));
    CHECK(tells(recording, fixture.database(1, 2).string() + ": page 21 has a wrong checksum"));
}

TEST_CASE("a plan whose tests stand in brackets is verified, from a document that was never saved")
{
    const StorageFixture fixture;
    static_cast<void>(
        fixture.finished(fixture.plan("[[tests]]\nkind = \"checksum\"\n"), RunPurpose::initialise));
    Document document(contentOf(fixture.plan("")), "unsaved");
    REQUIRE(document.set("tests", "[ { kind = \"checksum\" } ]"));
    RunOptions options;
    options.plan = document;
    options.purpose = RunPurpose::verify;
    options.historyFolder = fixture.folder / "history";
    const auto run = Run::start(options);
    REQUIRE(run);
    CHECK((*run)->wait()->state == RunState::finished);
    const auto recording = Recording::open((*run)->file());
    REQUIRE(recording);
    CHECK(recording->header().planName == "unsaved");
    CHECK_THAT(recording->header().planText,
        ContainsSubstring(
            "tests = [ { kind = \"checksum\" }, { kind = \"checksum\", name = \"verification\" } ]"));
    CHECK(total(*recording, Quantity::badPages, "group-1-1") == 0);
}

TEST_CASE("a page that is found damaged under load ends the run, which tells which one and keeps the rest")
{
    const StorageFixture fixture;
    const std::string plan = "[[tests]]\nkind = \"performance\"\nduration = \"1 min\"\nwarm_up = \"1 s\"\n";
    const std::string watched =
        std::string(kDatabase) + "[maintenance]\nenabled = true\ninterval = \"1 ms\"\n";
    static_cast<void>(fixture.finished(fixture.plan(plan, watched), RunPurpose::initialise));
    {
        std::fstream file(fixture.database(1, 2), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(21 * 8192 + 1000);
        file << "damage";
    }
    const Recording recording =
        fixture.finished(fixture.plan(plan, watched), RunPurpose::run, RunState::failed);
    CHECK(total(recording, Quantity::badPages, "group-1-2") == 1);
    CHECK(total(recording, Quantity::badPages, "group-1-1") == 0);
    CHECK(tells(recording, fixture.database(1, 2).string() + ": page 21 has a wrong checksum"));
    CHECK(tells(recording, "the run failed: group-1: " + fixture.database(1, 2).string() + ", page 21"));
    CHECK_FALSE(judge(recording)->met());
}

TEST_CASE("what cannot go well is refused before anything is made")
{
    const StorageFixture fixture;
    const std::string backup =
        fmt::format("[[tests]]\nkind = \"backup\"\nto = \"{}\"\n", (fixture.folder / "data-2").string());
    const auto itself = fixture.start(fixture.plan(backup));
    REQUIRE_FALSE(itself);
    CHECK_THAT(itself.error().message, ContainsSubstring("group-2-1.database: is the database itself"));
    const std::string huge =
        std::regex_replace(kDatabase, std::regex("cache_maximum = \"2 MB\""), "cache_maximum = \"40 TB\"");
    const auto memory = fixture.start(fixture.plan(kProgramme, huge));
    REQUIRE_FALSE(memory);
    CHECK_THAT(memory.error().message, ContainsSubstring("the test needs 40 TB of memory"));
    CHECK(fs::is_empty(fixture.folder / "data-2"));
}

TEST_CASE("only what Loadstone made is written to, and only as it was made")
{
    const StorageFixture fixture;
    {
        std::ofstream(fixture.database(2)) << "precious";
        const auto run = fixture.start(fixture.plan());
        REQUIRE_FALSE(run);
        CHECK(isUnusablePlan(run.error()));
        CHECK_THAT(run.error().message,
            ContainsSubstring(fixture.database(2).string()) && ContainsSubstring("not a file of Loadstone"));
        CHECK(contentOf(fixture.database(2)) == "precious");
        CHECK(fs::is_empty(fixture.folder / "data-1"));
        fs::remove(fixture.database(2));
    }
    const auto missing = fixture.start(fixture.plan(), RunPurpose::verify);
    REQUIRE_FALSE(missing);
    CHECK_THAT(missing.error().message, ContainsSubstring("there is no storage group"));

    static_cast<void>(fixture.finished(fixture.plan(), RunPurpose::initialise));
    const auto larger = fixture.start(fixture.plan(kProgramme, kDatabase, "7 MB"));
    REQUIRE_FALSE(larger);
    CHECK_THAT(larger.error().message,
        ContainsSubstring("loadstone storage clean") && ContainsSubstring("(the plan: ")
            && ContainsSubstring("pages of 8 KB") && !ContainsSubstring("log files of"));

    const auto running = fixture.start(fixture.plan());
    REQUIRE(running);
    const auto second = fixture.start(fixture.plan());
    REQUIRE_FALSE(second);
    CHECK_THAT(second.error().message, ContainsSubstring("another run is using"));
    (*running)->stop();
    REQUIRE((*running)->wait());

    fs::remove_all(fixture.folder / "log-2");
    const auto nowhere = fixture.start(fixture.plan());
    REQUIRE_FALSE(nowhere);
    CHECK_THAT(nowhere.error().message, ContainsSubstring("log-2: there is no such folder"));
}

TEST_CASE("databases on a volume that is not mounted are not forgotten")
{
    const StorageFixture fixture;
    static_cast<void>(fixture.finished(fixture.plan(), RunPurpose::initialise));
    fs::rename(fixture.folder / "data-2", fixture.folder / "away");
    fs::create_directory(fixture.folder / "data-2"); // as the folder is that it would be mounted on
    const Recording refused = fixture.finished(fixture.plan(), RunPurpose::cleanUp, RunState::failed);
    CHECK(tells(refused,
        fixture.database(2).string()
            + ": is missing, and belongs to the storage group; mount its volume first"));
    fs::remove(fixture.folder / "data-2");
    fs::rename(fixture.folder / "away", fixture.folder / "data-2");
    const fs::path mark = fixture.folder / "log-2/group-2.loadstone";
    CHECK(fs::exists(mark));
    static_cast<void>(fixture.finished(fixture.plan(), RunPurpose::cleanUp));
    CHECK(fs::is_empty(fixture.folder / "data-2"));

    std::ofstream(mark.string()).close(); // as a run leaves it that is killed when it has just made it
    static_cast<void>(fixture.finished(fixture.plan(), RunPurpose::initialise));
    CHECK(fs::exists(fixture.database(2)));
}

TEST_CASE("too little space is told before anything is made")
{
    const StorageFixture fixture;
    const auto huge = fixture.start(fixture.plan(kProgramme, kDatabase, "20 TB"));
    REQUIRE_FALSE(huge);
    CHECK_THAT(huge.error().message, ContainsSubstring("make room, or write a smaller database_size"));
    CHECK(fs::is_empty(fixture.folder / "data-1"));
    PreflightOptions look;
    look.plan = fixture.plan();
    look.historyFolder = fixture.folder / "history";
    const auto looked = preflight(look);
    REQUIRE(looked);
    CHECK(looked->passed());
    CHECK(std::ranges::any_of(looked->findings, [](const PreflightFinding& finding) {
        return finding.severity == Severity::warning
            && finding.found.find("is on a volume under test") != std::string::npos;
    }));
}

TEST_CASE(
    "an I/O error under load ends the run in order: what was measured is kept, and the reason names the file")
{
    const StorageFixture fixture;
    const auto run =
        fixture.start(fixture.plan("[[tests]]\nkind = \"performance\"\nduration = \"30 min\"\n"));
    REQUIRE(run);
    while (!(*run)->waitFor(10ms)) {
        const auto status = (*run)->status();
        if (status.phase && status.phase->kind == PhaseKind::measurement && status.io
            && status.io->readsPerSecond > 0)
            break;
    }
    fs::resize_file(fixture.database(2), 1U << 20); // the rest is gone
    const auto results = (*run)->wait();
    REQUIRE(results);
    CHECK(results->state == RunState::failed);
    REQUIRE(results->mixes.size() == 1);
    CHECK_FALSE(results->mixes[0].complete);
    CHECK(results->mixes[0].attempts > 0);
    const auto recording = Recording::open((*run)->file());
    REQUIRE(recording);
    CHECK(tells(*recording, "the run failed: group-2: " + fixture.database(2).string()));
}

TEST_CASE("paced transactions come at the rate that gives the target, whatever the sessions could give")
{
    const StorageFixture fixture;
    const std::string paced = std::string(kDatabase) + "pacing = \"rate\"\ntarget_iops = 40\n";
    const Recording recording = fixture.finished(
        fixture.plan("[[tests]]\nkind = \"performance\"\nduration = \"4 s\"\nwarm_up = \"1 s\"\n", paced));
    // How many are done at that rate depends on what each costs; unpaced there would be hundreds of times as many.
    const auto transactions = total(recording, Quantity::transactions, "group-1");
    CHECK(transactions > 0);
    CHECK(transactions < 2000);
    const auto slip = std::ranges::find(recording.header().histograms, "Timer slip", &HistogramInfo::name);
    REQUIRE(slip != recording.header().histograms.end());
    const auto slips = recording.latency(slip->id, { Nanoseconds(0), recording.length() });
    REQUIRE(slips);
    CHECK(slips->count >= transactions); // of both groups
}
