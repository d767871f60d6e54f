// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/sample_storage.h"
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/history.h>

#include <fstream>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

RunId idOf(const std::string& text)
{
    return RunId::parse(text).value();
}

// A finished run of 30 s in the history's folder.
RunId addRun(const History& history, const std::string& text)
{
    const RunId id = idOf(text);
    writeSample(history.fileOf(id), 30, id);
    return id;
}

bool contains(const Error& error, const std::string& what)
{
    return error.message.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("the list shows each run's figures, newest first", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    CHECK(history.list().value().empty());
    addRun(history, "20261121-140305-0001");
    addRun(history, "20261122-140305-0002");
    const auto runs = history.list().value();
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].id.text() == "20261122-140305-0002");
    CHECK(runs[0].title == "A sample");
    CHECK(runs[0].state == RunState::finished);
    CHECK(runs[0].sent == 330);
    CHECK(runs[0].received == 990);
    const auto figure = [&](const RunSummary& run, const char* key) {
        const Figure* found = findFigure(run.figures, key);
        return found != nullptr ? found->value.value_or(-1) : -1;
    };
    CHECK(figure(runs[0], "mail.sent-rate") == Approx(11));
    CHECK(figure(runs[0], "response.p95") >= 0.001);
    CHECK(runs[0].errorRate == Approx(30.0 / 360));
    CHECK(runs[0].changed > WallTime {});
    CHECK(runs[0].fileBytes == std::filesystem::file_size(history.fileOf(runs[0].id)));
    // From the catalogue it reads the same, in this object and in another process's.
    CHECK(history.list().value() == runs);
    CHECK(History::open(folder.path("history")).value().list().value() == runs);
}

TEST_CASE("the list shows the I/O of a storage run, of its tests with a load", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    addRun(history, "20261120-140305-0001");
    StorageSample sample(history.fileOf(idOf("20261121-140305-7f3a"))); // the id that it has
    sample.phase(PhaseKind::measurement, 0);
    sample.io(IoClass::databaseRead, 90, 90 * 8192, 5ms);
    sample.io(IoClass::logWrite, 20, 20 * 6000, 2ms);
    sample.transactions(3, 40ms);
    sample.ticks(30);
    sample.clear();
    sample.phase(PhaseKind::measurement, 3);
    sample.io(IoClass::checksum, 5000, 5000 * 65536, 1ms); // as fast as it can
    sample.ticks(2);
    sample.finish();
    const auto runs = history.list().value();
    REQUIRE(runs.size() == 2);
    const Figure* const rate = findFigure(runs[0].figures, "io.rate");
    REQUIRE(rate != nullptr);
    CHECK(rate->value.value() == Approx(110));
    const Figure* const p95 = findFigure(runs[0].figures, "response.p95");
    REQUIRE(p95 != nullptr);
    CHECK(p95->value.value() >= 0.039); // of the transactions
    CHECK(findFigure(runs[1].figures, "io.rate") == nullptr); // a run of mail
    CHECK(History::open(folder.path("history")).value().list().value() == runs);
}

TEST_CASE("notes and tags live in the recording and show in the list", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const RunId id = addRun(history, "20261121-140305-0001");
    REQUIRE(history.list().value().front().tags.empty());
    history.setTags(id, { "baseline", "two words" }).value();
    history.setNote(id, "first").value();
    history.setNote(id, "second").value();
    auto other = History::open(folder.path("history")).value();
    auto run = other.list().value().front();
    CHECK(run.tags == std::vector<std::string> { "baseline", "two words" });
    CHECK(run.note == "second");
    CHECK(other.openRun(id).value().annotations().value().size() == 3);
    history.setTags(id, {}).value();
    CHECK(other.list().value().front().tags.empty());
    CHECK(contains(history.setNote(idOf("20200101-000000-0000"), "x").error(), "no run 20200101"));
}

TEST_CASE("an archive brings a run to another history, remarks included", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("here")).value();
    const RunId id = addRun(history, "20261121-140305-0001");
    history.setNote(id, "to be shared").value();
    const auto archive = folder.path("run.loadstone");
    history.exportArchive(id, archive).value();
    auto there = History::open(folder.path("there")).value();
    CHECK(there.importArchive(archive).value() == id);
    CHECK(there.list().value().front().note == "to be shared");
    CHECK(computeResults(there.openRun(id).value()).value()
        == computeResults(history.openRun(id).value()).value());
    CHECK(contains(there.importArchive(archive).error(), "already"));
}

TEST_CASE("importing what is no sound recording names the file and adds nothing", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const auto file = folder.path("in.loadstone");
    writeSample(file, 30);
    SECTION("absent")
    {
        std::filesystem::remove(file);
    }
    SECTION("empty")
    {
        std::ofstream(file, std::ios::trunc);
    }
    SECTION("text")
    {
        std::ofstream(file, std::ios::trunc) << "hello, this is no database at all";
    }
    SECTION("cut off")
    {
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    }
    SECTION("a folder")
    {
        std::filesystem::remove(file);
        std::filesystem::create_directory(file);
    }
    const auto imported = history.importArchive(file);
    REQUIRE_FALSE(imported);
    CHECK(contains(imported.error(), file.string()));
    CHECK(history.list().value().empty());
}

TEST_CASE("a run that is being written is listed, and can be neither removed nor imported", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const RunId id = sampleHeader().id;
    const Phase phase { 0, 0, "500 users", PhaseKind::measurement, 0s, 2h, true };
    auto writer =
        history::RecordingWriter::create(history.fileOf(id), sampleHeader(), sampleSeries()).value();
    CHECK(history.list().value().front().state == RunState::preparing);
    writer.putPhase(phase).value();
    writer.append(sampleTick(0)).value();
    CHECK(history.list().value().front().state == RunState::running);
    CHECK(history.list().value().front().sent == 10);
    writer.append(sampleTick(1)).value();
    CHECK(history.list().value().front().sent == 21);
    CHECK(contains(history.remove(id).error(), "is writing this recording; stop it first"));
    auto there = History::open(folder.path("there")).value();
    CHECK(contains(there.importArchive(history.fileOf(id)).error(), "still being written"));

    SECTION("its export has what was recorded so far")
    {
        history.exportArchive(id, folder.path("part.loadstone")).value();
        CHECK(there.importArchive(folder.path("part.loadstone")).value() == id);
        CHECK(there.list().value().front().state == RunState::interrupted);
        CHECK(there.openRun(id).value().ticks() == 2);
    }
    SECTION("when it is finished it can be removed")
    {
        writer.finish({}).value();
        CHECK(history.list().value().front().state == RunState::finished);
        history.remove(id).value();
        CHECK(history.list().value().empty());
        CHECK(std::filesystem::is_empty(folder.path("history") / "runs"));
    }
}

TEST_CASE("a run whose writer died is listed as interrupted", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    {
        auto writer = history::RecordingWriter::create(
            history.fileOf(sampleHeader().id), sampleHeader(), sampleSeries())
                          .value();
        writer.append(sampleTick(0)).value();
        CHECK(history.list().value().front().state == RunState::preparing);
    }
    CHECK(history.list().value().front().state == RunState::interrupted);
}

TEST_CASE("a run is found by a unique beginning or as the last", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    CHECK(contains(history.find("last").error(), "empty"));
    const RunId first = addRun(history, "20261121-140305-0001");
    const RunId second = addRun(history, "20261121-150305-0002");
    CHECK(history.find("last").value() == second);
    CHECK(history.find("20261121-14").value() == first);
    CHECK(contains(history.find("20261121").error(), "may be"));
    CHECK_FALSE(history.find("1999"));
    CHECK_FALSE(history.find(""));
}

TEST_CASE("a missing or damaged catalogue is made anew from the runs", "[history]")
{
    const TemporaryFolder folder;
    const auto path = folder.path("history");
    const RunId id = addRun(History::open(path).value(), "20261121-140305-0001");
    const auto expected = History::open(path).value().list().value();
    SECTION("missing")
    {
        std::filesystem::remove(path / "catalogue.db");
    }
    SECTION("overwritten behind what says whose it is")
    {
        std::fstream file(path / "catalogue.db", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(100);
        file << std::string(9000, 'x');
    }
    SECTION("cut off")
    {
        std::filesystem::resize_file(path / "catalogue.db", 4096);
    }
    SECTION("made anew on purpose")
    {
        History::open(path).value().rebuild().value();
    }
    CHECK(History::open(path).value().list().value() == expected);
}

TEST_CASE("files that come, change and go behind its back show in the list", "[history]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const RunId id = addRun(history, "20261121-140305-0001");
    REQUIRE(history.list().value().size() == 1);
    std::ofstream(history.fileOf(id), std::ios::trunc) << "damaged";
    auto runs = history.list().value();
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].title == "Unreadable recording");
    CHECK(runs[0].note.find(history.fileOf(id).string()) != std::string::npos);
    std::filesystem::remove(history.fileOf(id));
    CHECK(history.list().value().empty());
}
