// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "base/random.h"
#include "history/archive.h"
#include "history/database.h"
#include "history/migrations.h"
#include "history/text.h"
#include "sample_run.h"
#include "support/catch.h"

#include <loadstone/source.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

/// Runs SQL on a file as an attacker would, with nothing switched off.
void tamper(const std::filesystem::path& file, const std::string& sql)
{
    auto database = history::Database::open(file, history::Database::Access::write).value();
    database.execute(sql).value();
}

void walk(const std::filesystem::path& file)
{
    const auto recording = Recording::open(file);
    if (!recording)
        return;
    const TimeWindow all { 0s, 1000h };
    for (const CounterInfo& info : recording->header().counters) {
        (void)recording->counter(info.id, all);
        (void)recording->counterBands(info.id, all, 3);
        (void)recording->counterStatistics(info.id, all);
    }
    for (const HistogramInfo& info : recording->header().histograms) {
        (void)recording->latency(info.id, all);
        (void)recording->latencyCurve(info.id, 95, all, 10s);
    }
    if (const auto sources = sourcesOf(*recording))
        for (const SourceInfo& source : *sources) {
            for (const CounterInfo& info : source.counters) {
                (void)sourceCounter(*recording, source.id, info.id, all);
                (void)sourceBands(*recording, source.id, info.id, all, 3);
                (void)sourceStatistics(*recording, source.id, info.id, all);
            }
            for (const HistogramInfo& info : source.histograms)
                (void)sourceHistogram(*recording, source.id, info.id, all);
        }
    (void)recording->events();
    (void)recording->transcripts();
    (void)recording->annotations();
    (void)recording->errors(all);
}

} // namespace

TEST_CASE("what is wrong in a recording is named with the file", "[hostile]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("in.loadstone");
    writeSample(file, 400);
    struct Case {
        const char* sql;
        const char* says;
    };
    const auto [sql, says] = GENERATE(values<Case>({
        { "CREATE TRIGGER t AFTER INSERT ON annotation BEGIN DELETE FROM run; END", "trigger \"t\"" },
        { "CREATE VIEW v AS SELECT * FROM run", "view \"v\"" },
        { "DROP TABLE event; CREATE VIEW event AS SELECT 1 AS id, 2 AS at, 3 AS severity, 'x' AS text",
            "view \"event\"" },
        { "CREATE INDEX i ON event (text)", "index \"i\"" },
        { "DROP TABLE audit", "missing" },
        { "PRAGMA application_id=7", "not a Loadstone recording" },
        { "PRAGMA user_version=99", "newer Loadstone (format 99" },
        { "PRAGMA user_version=0", "no version" },
        { "DELETE FROM run", "no run" },
        { "UPDATE run SET id = '../../etc/passwd'", "id" },
        { "UPDATE run SET state = 77", "out of its bounds" },
        { "UPDATE run SET state = -1", "out of its bounds" },
        { "UPDATE run SET started = -5", "out of its bounds" },
        { "UPDATE run SET final_window = -4", "out of its bounds" },
        { "UPDATE run SET kind = 'tea'", "kind" },
        { "UPDATE counter SET worker = -7 WHERE id = 2", "out of its bounds" },
        { "DELETE FROM counter WHERE id = 2", "counters are missing" },
        { "DELETE FROM histogram WHERE id = 1", "series are missing" },
        { "UPDATE mix SET measurement = 9223372036854775807", "out of its bounds" },
        { "UPDATE phase SET end = -1", "out of its bounds" },
        { "UPDATE phase SET id = 5", "phase 0" },
        { "UPDATE phase SET begin = 500000000000", "phase 0" },
        { "INSERT INTO target VALUES (0, '')", "targets" },
        { "INSERT INTO target_mix VALUES (1, 0, 0, 1, 1, 1)", "targets" }, // of a target that is not there
        { "INSERT INTO target VALUES (5000, 'East')", "out of its bounds" },
        { "UPDATE tick_chunk SET ticks = 0", "out of its bounds" },
        { "UPDATE tick_chunk SET ticks = 1000000", "out of its bounds" },
        { "UPDATE tick_chunk SET ticks = 399", "times of ticks" },
        { "UPDATE tick_chunk SET data = x'00'", "times of ticks" },
        { "UPDATE tick_chunk SET id = 1200", "out of order" },
        { "UPDATE counter_chunk SET data = zeroblob(100000) WHERE id >> 32 = 4",
            "counter_chunk of series 4" },
        { "DELETE FROM counter_chunk WHERE id >> 32 = 4", "counter_chunk of series 4" },
        { "UPDATE counter_brick SET data = x'ffffffff'", "counter_brick" },
        { "UPDATE histogram_chunk SET data = substr(data, 1, 20)", "histogram_chunk" },
        { "UPDATE histogram_sum SET data = x'01ffffffffffffffffff01'", "damaged histogram" },
        { "UPDATE histogram_sum SET data = x'' WHERE id >> 32 = 1", "sum" },
        { "UPDATE failure SET count = -3", "out of its bounds" },
        { "UPDATE event SET severity = 5", "out of its bounds" },
        { "UPDATE event SET target = 'East'", "a target \"East\", which the run does not have" },
        { "UPDATE failure_kind SET target = 'East'", "a target \"East\", which the run does not have" },
        { "INSERT INTO invalid_reason VALUES (0, 'East', 'x')",
            "a target \"East\", which the run does not have" },
        { "UPDATE event SET text = hex(zeroblob(2000000))", "out of its bounds" },
        { "INSERT INTO hot VALUES (400, 400000000000, 401000000000, 0, x'00', x'')", "tick, from tick 400" },
        { "INSERT INTO hot VALUES (401, 400000000000, 401000000000, 0, zeroblob(40), x'')",
            "tick, from tick 401" },
        { "INSERT INTO hot VALUES (400, 1, 401000000000, 0, zeroblob(40), x'')", "tick, from tick 400" },
        { "INSERT INTO hot VALUES (400, 400000000000, 401000000000, 0, zeroblob(40), x'0909')",
            "tick, from tick 400" },
    }));
    CAPTURE(sql);
    tamper(file, sql);
    const auto checked = history::checkRecording(file);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().message.find(file.string()) != std::string::npos);
    CHECK(checked.error().message.find(says) != std::string::npos);
    walk(file);
}

TEST_CASE("what is wrong in a source is named with the file", "[hostile]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("in.loadstone");
    writeSample(file, 40); // five counters and four latencies: the source's are those behind
    SourceFacts facts { "log x", "EX", {}, 0s,
        { counterOf(ForeignCounter { "EX", "Database", "", "Stalls" }) }, { sampleHeader().histograms[0] } };
    std::vector<SourceTick> ticks(40);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        ticks[i] = { 15s * i, 15s * (i + 1), { static_cast<double>(i) }, { { 0U, Histogram() } } };
        ticks[i].histograms[0].second.record(3ms);
    }
    REQUIRE(attachSource(file, facts, ticks));
    REQUIRE(history::checkRecording(file));
    struct Case {
        const char* sql;
        const char* says;
    };
    const auto [sql, says] = GENERATE(values<Case>({
        { "UPDATE source SET id = 2", "sources are missing" },
        { "UPDATE source SET counters = 1000000", "out of its bounds" },
        { "UPDATE source SET counters = 2", "counters are missing" },
        { "UPDATE source SET first_counter = 0", "counters are missing" },
        { "UPDATE source SET histograms = 0", "series are missing" },
        { "UPDATE source SET made = -1", "out of its bounds" },
        { "UPDATE counter SET source = 7 WHERE source = 1", "counters are missing" },
        { "UPDATE counter SET kind = 2 WHERE source = 1", "out of its bounds" },
        { "UPDATE counter SET quantity = 'mail.unheard-of' WHERE source = 1", "does not know" },
        { "UPDATE histogram SET clock = 'tea' WHERE source = 1", "a series of latencies" },
        { "DELETE FROM source_move", "moves of sources" },
        { "INSERT INTO source_move VALUES (9, 4, 0, 0)", "moves of sources" },
        { "UPDATE source_move SET offset = 9000000000000000000", "out of its bounds" },
        { "UPDATE source_move SET offset = -9000000000000000000", "out of its bounds" },
        { "DELETE FROM counter_chunk WHERE id >> 32 = 5", "counter_chunk of series 5" },
        { "UPDATE tick_chunk SET data = x'00' WHERE id >> 32 = 1", "times of ticks" },
        { "UPDATE tick_chunk SET ticks = 39 WHERE id >> 32 = 1", "times of ticks" },
        { "UPDATE histogram_sum SET data = x'' WHERE id >> 32 = 4", "sum" },
        { "INSERT INTO hot VALUES ((1 << 32) + 40, 600000000000, 615000000000, 0, x'00', x'')",
            "tick, from tick 40" },
    }));
    CAPTURE(sql);
    tamper(file, sql);
    const auto checked = history::checkRecording(file);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().message.find(file.string()) != std::string::npos);
    CAPTURE(checked.error().message);
    CHECK(checked.error().message.find(says) != std::string::npos);
    walk(file);
}

TEST_CASE("targets that a file makes up show what there is, and no more", "[hostile]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("in.loadstone");
    writeSample(file, 40);
    tamper(file, "INSERT INTO target VALUES (0, 'Level'), (1, 'Ghost'); UPDATE counter SET target = 'Ghost'");
    CHECK(history::checkRecording(file));
    for (const char* target : { "", "Level", "Ghost" }) {
        const auto recording = Recording::open(file, target);
        REQUIRE(recording);
        for (const CounterInfo& info : recording->header().counters)
            CHECK(recording->counter(info.id, { 0s, 1000h }).value().size() == 40);
    }
}

TEST_CASE("recordings from before the first release are refused by name", "[migrations]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("old.loadstone");
    writeSample(file, 40);
    tamper(file, "PRAGMA application_id=0x4c445354");
    for (const std::string& message :
        { history::checkRecording(file).error().message, Recording::open(file).error().message })
        CHECK_THAT(message, Catch::Matchers::Contains("from before the first release"));
}

TEST_CASE("series that no version of the program has are damage", "[hostile]")
{
    for (const char* sql : { "UPDATE counter SET quantity = 'mail.magic' WHERE id = 1",
             "UPDATE counter SET version = 99 WHERE id = 1", "UPDATE counter SET action = 'Fly' WHERE id = 1",
             "UPDATE counter SET io_class = 'Fly' WHERE id = 1",
             "UPDATE counter SET quantity = 'actions.time' WHERE id = 1",
             "UPDATE histogram SET quantity = 'mail.sessions' WHERE id = 1",
             "UPDATE histogram SET clock = 'cuckoo' WHERE id = 1", "UPDATE run SET kind = 'tea'" }) {
        INFO(sql);
        const TemporaryFolder folder;
        const auto file = folder.path("in.loadstone");
        writeSample(file, 40);
        tamper(file, sql);
        const auto recording = Recording::open(file);
        REQUIRE_FALSE(recording);
        CHECK_THAT(recording.error().message, Catch::Matchers::Contains("damaged"));
    }
}

TEST_CASE("a pipe in a recording's place is refused, not waited for", "[hostile]")
{
    const TemporaryFolder folder;
    REQUIRE(::mkfifo(folder.path("in.loadstone").c_str(), 0600) == 0);
    CHECK(Recording::open(folder.path("in.loadstone")).error().message.find("regular") != std::string::npos);
}

TEST_CASE("flipped and missing bytes anywhere are survived", "[hostile]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("in.loadstone");
    writeSample(file, 40);
    const std::string whole = readFile(file).value();
    Random random(23);
    int refused = 0;
    for (int round = 0; round < 120; ++round) {
        std::string bytes = whole;
        for (std::uint64_t n = 1 + random.below(8); n > 0; --n)
            bytes[random.below(bytes.size())] = static_cast<char>(random());
        if (random.below(10) == 0)
            bytes.resize(random.below(bytes.size()));
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
        refused += history::checkRecording(file) ? 0 : 1;
        walk(file);
    }
    CHECK(refused > 12); // most of the file is empty pages and text
}

TEST_CASE("text that is no UTF-8 is stored and read as what can be shown", "[hostile]")
{
    CHECK(history::validUtf8("caf\xc3\xa9 \xf0\x9f\x93\xac") == "caf\xc3\xa9 \xf0\x9f\x93\xac");
    CHECK(history::validUtf8("\xff") == "\xef\xbf\xbd");
    CHECK(history::validUtf8("\xc3") == "\xef\xbf\xbd");
    CHECK(history::validUtf8("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); // a surrogate
    CHECK(history::validUtf8("\xc0\x80") == "\xef\xbf\xbd\xef\xbf\xbd"); // overlong
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    writer.addTranscript({ 1s, 0, "SMTP DATA", FailureKind::protocol, std::string("S: \x80\0x", 6) }).value();
    const auto transcripts = Recording::open(file).value().transcripts().value();
    REQUIRE(transcripts.size() == 1);
    CHECK(transcripts[0].text == std::string("S: \xef\xbf\xbd\0x", 8));
}

TEST_CASE("an older file is brought to the present form step by step", "[migrations]")
{
    const TemporaryFolder folder;
    const std::string_view steps[] = { "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (5)",
        "ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 7" };
    const history::FileKind first { "thing", 1234, std::span(steps).first(1) };
    const history::FileKind second { "thing", 1234, steps };
    const auto file = folder.path("thing.db");
    auto database = history::Database::open(file, history::Database::Access::create).value();
    history::migrate(database, first).value();
    CHECK(history::checkKind(database, file.string(), first).value() == 1);
    CHECK(history::checkKind(database, file.string(), second).value() == 1);
    history::migrate(database, second).value();
    CHECK(history::checkKind(database, file.string(), second).value() == 2);
    CHECK(database.pragma("application_id").value() == 1234);
    auto row = database.prepare("SELECT x + y FROM a").value();
    REQUIRE(row.next().value());
    CHECK(row.integer(0) == 12);
    CHECK(history::checkKind(database, file.string(), first).error().message.find("newer")
        != std::string::npos);
}

TEST_CASE("every migration of the resources is a step of its kind of file")
{
    std::size_t catalogue = 0, recording = 0;
    for (const auto& entry :
        std::filesystem::directory_iterator(LOADSTONE_SOURCE_DIR "/resources/migrations")) {
        const std::string name = entry.path().filename().string();
        catalogue += name.starts_with("catalogue-") ? 1 : 0;
        recording += name.starts_with("recording-") ? 1 : 0;
    }
    CHECK(catalogueKind().steps.size() == catalogue);
    CHECK(recordingKind().steps.size() == recording);
}
