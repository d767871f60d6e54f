// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_sums.h"
#include "engine/history/sample_run.h"
#include "sample_storage.h"
#include "support/catch.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::test;
using namespace loadstone::analysis;
using namespace std::chrono_literals;

namespace {

constexpr double kMegabyte = 1048576;

RunResults resultsOf(const std::filesystem::path& file)
{
    return computeResults(Recording::open(file).value()).value();
}

StorageResult onlyStorage(const RunResults& results)
{
    REQUIRE(results.mixes.size() == 1);
    REQUIRE(results.mixes[0].storage);
    return *results.mixes[0].storage;
}

/// What both groups do in each second of a measurement.
void load(StorageSample& sample)
{
    const auto set = [&](const char* group, Quantity quantity, double value) {
        sample.set(quantity, group, value);
    };
    set("one", Quantity::transactions, 2);
    set("one", Quantity::databaseReads, 60);
    set("one", Quantity::databaseWrites, 40);
    set("one", Quantity::logWrites, 20);
    set("one", Quantity::logBytes, 120'000);
    set("one", Quantity::logFilesBegun, 1);
    set("one", Quantity::recordsInserted, 28);
    set("one", Quantity::recordsDeleted, 14);
    set("one", Quantity::recordsReplaced, 3);
    set("one", Quantity::recordsRead, 27);
    set("one", Quantity::durableCommits, 15);
    set("one", Quantity::lazyCommits, 30);
    set("one", Quantity::wrongRecords, 0);
    set("one", Quantity::pageFaultStalls, 0);
    set("one", Quantity::cacheSize, 30e6);
    set("one", Quantity::sessionsInUse, 8);
    set("one", Quantity::databaseSize, 1100);
    set("two", Quantity::transactions, 1);
    set("two", Quantity::databaseReads, 30);
    set("two", Quantity::databaseWrites, 30);
    set("two", Quantity::logWrites, 12);
    set("two", Quantity::logBytes, 60'000);
    set("two", Quantity::pageFaultStalls, 0);
    set("two", Quantity::cacheSize, 20e6);
    set("two", Quantity::sessionsInUse, 5);
    set("two", Quantity::databaseSize, 600);
}

/// What reads a database or a log in each second.
void reading(StorageSample& sample, const char* what, double megabytes, double busy)
{
    sample.set(Quantity::pageBytesSeen, what, megabytes * kMegabyte);
    sample.set(Quantity::pagesSeen, what, megabytes * 128);
    sample.set(Quantity::pageCheckTime, what, busy);
}

void replaying(StorageSample& sample, const char* group, double logs, double busy)
{
    sample.set(Quantity::logsReplayed, group, logs);
    sample.set(Quantity::recoveryTime, group, busy);
}

const BackupRow* backupOf(const StorageResult& result, const std::string& group, const std::string& database)
{
    const auto row = std::find_if(result.backup.begin(), result.backup.end(),
        [&](const BackupRow& one) { return one.group == group && one.database == database; });
    return row == result.backup.end() ? nullptr : &*row;
}

} // namespace

TEST_CASE("a load's rates, shape and sizes are its measurement's, of each group and of all", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::rampUp, 0);
    load(sample);
    sample.set(Quantity::databaseSize, "one", 1000);
    sample.set(Quantity::databaseSize, "two", 500);
    sample.set(Quantity::processorTime, "_Total", 99);
    sample.ticks(5);
    sample.phase(PhaseKind::measurement, 0);
    load(sample);
    sample.set(Quantity::processorTime, "_Total", 10);
    sample.io(IoClass::databaseRead, 90, 90 * 8192, 5ms);
    sample.transactions(3, 100ms);
    sample.ticks(15);
    sample.io(IoClass::databaseRead, 90, 90 * 8192, 20ms);
    sample.ticks(14);
    sample.set(Quantity::pageFaultStalls, "one", 3);
    sample.set(Quantity::pageFaultStalls, "two", 2);
    sample.set(Quantity::databaseSize, "one", 2000);
    sample.set(Quantity::databaseSize, "two", 700);
    sample.set(Quantity::processorTime, "_Total", 40);
    sample.ticks(1);
    sample.phase(PhaseKind::rampDown, 0);
    sample.set(Quantity::databaseSize, "one", 9999);
    sample.set(Quantity::pageFaultStalls, "one", 1000);
    sample.ticks(3);
    sample.finish();

    const RunResults results = resultsOf(file);
    CHECK(results.kind != RunKind::mail);
    const StorageResult storage = onlyStorage(results);
    CHECK(storage.kind == StorageResult::Kind::performance);
    CHECK(storage.hasLoad());
    CHECK(storage.databaseFiles == 3);
    CHECK(storage.achieved.value() == Approx(160));
    CHECK(storage.target == 300.0);
    CHECK(storage.bytesAtBegin == std::optional<std::uint64_t>(1500));
    CHECK(storage.bytesAtEnd == std::optional<std::uint64_t>(2700));

    REQUIRE(storage.groups.size() == 2);
    const StorageGroupRow& one = storage.groups[0];
    CHECK(one.name == "one");
    CHECK(one.transactions == 60);
    CHECK(one.inserted == 28 * 30);
    CHECK(one.deleted == 14 * 30);
    CHECK(one.replaced == 3 * 30);
    CHECK(one.retrieved == 27 * 30);
    CHECK(one.durableCommits == 15 * 30);
    CHECK(one.lazyCommits == 30 * 30);
    CHECK(one.logFiles == 30);
    CHECK(one.cacheBytes == std::optional<std::uint64_t>(30'000'000));
    CHECK(one.sessions == std::optional<std::uint64_t>(8));
    CHECK(one.transactionRate.value() == Approx(2));
    CHECK(one.transferRate.value() == Approx(100));
    CHECK(one.logWriteRate.value() == Approx(20));
    CHECK(one.readsPerWrite.value() == Approx(1.5));
    CHECK(one.transfersPerLogWrite.value() == Approx(5));
    CHECK(one.transfersPerTransaction.value() == Approx(50));
    CHECK(one.bytesPerLogWrite.value() == Approx(6000));
    CHECK(one.stallRate.value() == Approx(0.1));
    CHECK(one.highestStallRate == 3.0);
    const StorageGroupRow& all = storage.allGroups;
    CHECK(all.name.empty());
    CHECK(all.transactions == 90);
    CHECK(all.readsPerWrite.value() == Approx(90.0 / 70));
    CHECK(all.bytesPerLogWrite.value() == Approx(180'000.0 / 32));
    CHECK(all.stallRate.value() == Approx(5.0 / 30));
    CHECK(all.highestStallRate == 5.0); // at once in both groups
    CHECK(all.cacheBytes == std::optional<std::uint64_t>(50'000'000));
    CHECK(all.sessions == std::optional<std::uint64_t>(13));

    const MixResult& mix = results.mixes[0];
    CHECK(mix.complete);
    REQUIRE(mix.io.size() == 1);
    CHECK(mix.io[0].device.mean == 12'500us);
    CHECK(mix.io[0].longestSample == std::optional<Nanoseconds>(20ms));
    CHECK(mix.iosPerSecond() == Approx(90));
    CHECK(mix.commands.empty()); // I/O is none
    REQUIRE(mix.actions.size() == 1);
    CHECK(mix.actions[0].name == "Transaction");
    REQUIRE(storage.host.size() == 2);
    CHECK(storage.host[0].counter == "% Processor Time");
    CHECK(storage.host[0].average == Approx(11));
    CHECK(storage.host[0].minimum == 10);
    CHECK(storage.host[0].maximum == 40);
    CHECK(storage.host[1].counter == infoOf(Quantity::pageFaultStalls).counter);
    CHECK(storage.host[1].maximum == 5);
    CHECK(storage.databases.empty()); // no maintenance
    CHECK(storage.backup.empty());
}

TEST_CASE("databases that are backed up at once take their group as long as the longest", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::measurement, 1);
    for (const char* name : { "one-1", "one-2", "two-1" })
        reading(sample, name, 1, 1000);
    sample.ticks(3);
    reading(sample, "one-1", 0.5, 500);
    reading(sample, "one-2", 0, 0);
    sample.ticks(1);
    sample.finish();

    const RunResults results = resultsOf(file);
    CHECK(results.mixes[0].complete);
    const StorageResult storage = onlyStorage(results);
    CHECK(storage.kind == StorageResult::Kind::backup);
    CHECK_FALSE(storage.achieved);
    CHECK(storage.groups.empty());
    REQUIRE(storage.backup.size() == 6); // three databases, two groups, all
    const BackupRow* first = backupOf(storage, "one", "one-1");
    REQUIRE(first != nullptr);
    CHECK(static_cast<double>(first->bytes) == 3.5 * kMegabyte);
    CHECK(first->time == 3500ms);
    CHECK(first->bytesPerSecond.value() == Approx(kMegabyte));
    const BackupRow* group = backupOf(storage, "one", "");
    REQUIRE(group != nullptr);
    CHECK(static_cast<double>(group->bytes) == 6.5 * kMegabyte);
    CHECK(group->time == 3500ms);
    CHECK(group->bytesPerSecond.value() == Approx(6.5 / 3.5 * kMegabyte));
    const BackupRow* two = backupOf(storage, "two", "");
    REQUIRE(two != nullptr);
    CHECK(two->time == 4s);
    const BackupRow& all = storage.backup.back();
    CHECK(all.group.empty());
    CHECK(static_cast<double>(all.bytes) == 10.5 * kMegabyte);
    CHECK(all.time == 4s);
    CHECK(all.bytesPerSecond.value() == Approx(10.5 / 4 * kMegabyte));
    CHECK(storage.allDatabases.pages == 1344);
    CHECK(storage.allDatabases.time == 10500ms); // the sum
}

TEST_CASE("databases that are backed up one after the other take their group as long as all", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::measurement, 1);
    reading(sample, "one-1", 10, 1000);
    sample.ticks(1);
    reading(sample, "one-1", 4, 400);
    reading(sample, "one-2", 6, 600);
    sample.ticks(1);
    reading(sample, "one-1", 0, 0);
    reading(sample, "one-2", 10, 1000);
    sample.ticks(1);
    sample.finish();
    const StorageResult storage = onlyStorage(resultsOf(file));
    REQUIRE(storage.backup.size() == 4); // "two" has read nothing
    CHECK(backupOf(storage, "one", "one-1")->time == 1400ms);
    CHECK(backupOf(storage, "one", "one-2")->time == 1600ms);
    CHECK(backupOf(storage, "one", "")->time == 3s);
    CHECK(backupOf(storage, "", "")->time == 3s);
}

TEST_CASE("databases that are backed up within one second take their group as long as both", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::measurement, 1);
    reading(sample, "one-1", 1, 200);
    reading(sample, "one-2", 2, 300);
    reading(sample, "two-1", 1, 400);
    sample.ticks(1);
    sample.finish();
    const StorageResult storage = onlyStorage(resultsOf(file));
    const BackupRow* group = backupOf(storage, "one", "");
    REQUIRE(group != nullptr);
    CHECK(group->time == 500ms);
    CHECK(group->bytesPerSecond.value() == Approx(6 * kMegabyte));
    CHECK(backupOf(storage, "two", "")->time == 400ms);
    CHECK(storage.backup.back().time == 500ms); // groups are backed up at once
    CHECK(storage.backup.back().bytesPerSecond.value() == Approx(8 * kMegabyte));
}

TEST_CASE("a log of a recovery takes the time of all groups over the logs of all", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::rampUp, 2); // logs are generated
    load(sample);
    sample.ticks(3);
    sample.clear();
    sample.phase(PhaseKind::measurement, 2);
    replaying(sample, "one", 10, 1000);
    replaying(sample, "two", 5, 1000);
    sample.set(Quantity::transactionsReplayed, "two", 7);
    sample.ticks(3);
    replaying(sample, "one", 0, 0);
    sample.ticks(1);
    sample.finish();
    const StorageResult storage = onlyStorage(resultsOf(file));
    CHECK(storage.groups.empty());
    REQUIRE(storage.recovery.size() == 3);
    CHECK(storage.recovery[0].group == "one");
    CHECK(storage.recovery[0].logs == 30);
    CHECK(storage.recovery[0].time == 3s);
    CHECK(storage.recovery[0].secondsPerLog.value() == Approx(0.1));
    CHECK(storage.recovery[1].secondsPerLog.value() == Approx(0.2));
    CHECK(storage.recovery[1].transactions == 28);
    const RecoveryRow& all = storage.recovery[2];
    CHECK(all.group.empty());
    CHECK(all.logs == 50);
    CHECK(all.time == 4s);
    CHECK(all.secondsPerLog.value() == Approx(4.0 / 50)); // and neither the groups' mean nor 7 s over 50
}

TEST_CASE("a checksum tells what was read of each database and log, and the sums", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::measurement, 3);
    for (const char* name : { "one-1", "one-2", "two-1" })
        reading(sample, name, 1, 250);
    sample.set(Quantity::badPages, "one-2", 1);
    sample.set(Quantity::correctablePages, "two-1", 2);
    sample.set(Quantity::wrongPageNumbers, "two-1", 3);
    sample.set(Quantity::logFilesSeen, "one log", 4);
    sample.set(Quantity::logSegmentsSeen, "one log", 500);
    sample.set(Quantity::badLogFiles, "two log", 1);
    sample.set(Quantity::badLogSegments, "two log", 6);
    sample.ticks(2);
    sample.finish();
    const StorageResult storage = onlyStorage(resultsOf(file));
    CHECK(storage.kind == StorageResult::Kind::checksum);
    REQUIRE(storage.databases.size() == 3);
    CHECK(storage.databases[1].name == "one-2");
    CHECK(storage.databases[1].bad == 2);
    CHECK(storage.databases[2].time == 500ms);
    CHECK(storage.allDatabases.pages == 768);
    CHECK(storage.allDatabases.bad == 2);
    CHECK(storage.allDatabases.correctable == 4);
    CHECK(storage.allDatabases.wrongPageNumber == 6);
    CHECK(static_cast<double>(storage.allDatabases.bytes) == 6 * kMegabyte);
    CHECK(storage.allDatabases.time == 1500ms);
    REQUIRE(storage.logs.size() == 2);
    CHECK(storage.logs[0].name == "one log");
    CHECK(storage.logs[0].segments == 1000);
    CHECK(storage.allLogs.files == 8);
    CHECK(storage.allLogs.badFiles == 2);
    CHECK(storage.allLogs.badSegments == 12);
}

TEST_CASE("where there is nothing to divide by there is no value", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    sample.phase(PhaseKind::measurement, 0);
    sample.finish(RunState::stopped);
    const RunResults none = resultsOf(file); // no tick at all
    CHECK_FALSE(none.mixes[0].complete);
    StorageResult storage = onlyStorage(none);
    CHECK_FALSE(storage.achieved);
    CHECK_FALSE(storage.bytesAtBegin);
    CHECK(storage.host.empty());
    REQUIRE(storage.groups.size() == 2);
    CHECK_FALSE(storage.groups[0].transactionRate);
    CHECK_FALSE(storage.groups[0].cacheBytes);
    CHECK_FALSE(storage.groups[0].sessions);
    CHECK_FALSE(storage.allGroups.highestStallRate);

    const auto idle = folder.path("idle.loadstone");
    StorageSample second(idle);
    second.phase(PhaseKind::measurement, 0);
    second.set(Quantity::transactions, "one", 0);
    second.ticks(2);
    second.phase(PhaseKind::measurement, 2);
    second.clear();
    replaying(second, "one", 0, 1000);
    second.ticks(2);
    second.finish();
    const RunResults results = resultsOf(idle);
    REQUIRE(results.mixes.size() == 2);
    storage = results.mixes[0].storage.value();
    CHECK(storage.achieved == 0.0);
    CHECK(storage.groups[0].transactionRate == 0.0);
    CHECK_FALSE(storage.groups[0].transfersPerTransaction);
    CHECK_FALSE(storage.groups[0].readsPerWrite);
    CHECK_FALSE(storage.groups[0].transfersPerLogWrite);
    CHECK_FALSE(storage.groups[0].bytesPerLogWrite);
    CHECK_FALSE(storage.bytesAtEnd); // nobody says
    storage = results.mixes[1].storage.value();
    REQUIRE(storage.recovery.size() == 2);
    CHECK(storage.recovery[0].time == 2s);
    CHECK_FALSE(storage.recovery[0].secondsPerLog);
    CHECK_FALSE(storage.recovery[1].secondsPerLog);
}

TEST_CASE("the results of a storage run grow with it and equal those read afresh", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file);
    auto followed = Recording::open(file).value();
    CHECK(computeResults(followed).value().mixes.empty());
    sample.phase(PhaseKind::rampUp, 0);
    load(sample);
    sample.ticks(2);
    const auto look = [&] {
        followed.refresh().value();
        RunResults results = computeResults(followed).value();
        REQUIRE(results == computeResults(Recording::open(file).value()).value());
        return results;
    };
    sample.phase(PhaseKind::measurement, 0);
    look();
    for (int i = 0; i < 20; ++i) {
        sample.io(IoClass::logWrite, 10, 60'000, 1ms * (i + 1));
        sample.ticks(1);
        const RunResults results = look();
        const StorageResult storage = onlyStorage(results);
        CHECK(storage.achieved.value() == Approx(160));
        CHECK(storage.groups[0].transactions == 2U * (i + 1U));
    }
    sample.clear();
    sample.phase(PhaseKind::measurement, 3);
    reading(sample, "one-1", 1, 100);
    sample.ticks(2);
    RunResults results = look();
    REQUIRE(results.mixes.size() == 2);
    CHECK_FALSE(results.mixes[0].complete); // 20 s of 30 s
    CHECK_FALSE(results.mixes[1].complete); // it goes on
    sample.phase(PhaseKind::measurement, 2);
    results = look();
    CHECK(results.mixes[1].complete); // the run has gone on from there
    CHECK_FALSE(results.mixes[2].complete);
    sample.finish(RunState::stopped);
    results = look();
    CHECK(results.mixes[1].complete);
    CHECK_FALSE(results.mixes[2].complete); // stopped in it
}

TEST_CASE("a last test without a planned length is complete when the run came to its end", "[storage]")
{
    const TemporaryFolder folder;
    for (const RunState state : { RunState::finished, RunState::stopped, RunState::failed }) {
        const auto file = folder.path(std::string(toString(state)) + ".loadstone");
        StorageSample sample(file);
        sample.phase(PhaseKind::measurement, 3);
        sample.ticks(1);
        sample.finish(state);
        CHECK(resultsOf(file).mixes[0].complete == (state == RunState::finished));
    }
}

TEST_CASE("a storage run whose plan cannot be read still has its I/O", "[storage]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    StorageSample sample(file, "format = 99\nkind = \"storage\"\n");
    sample.phase(PhaseKind::measurement, 0);
    load(sample);
    sample.io(IoClass::databaseRead, 90, 90 * 8192, 5ms);
    sample.ticks(3);
    sample.finish();
    const RunResults results = resultsOf(file);
    REQUIRE(results.mixes.size() == 1);
    CHECK(results.kind != RunKind::mail);
    CHECK_FALSE(results.mixes[0].storage);
    REQUIRE(results.mixes[0].io.size() == 1);
    CHECK(results.mixes[0].io[0].count == 270);
}

TEST_CASE("the longest mean is of whole samples, of a short last one only where it is alone", "[storage]")
{
    const std::vector<SampleMean> samples { { 0, 10, 10e6 }, { 2, 1, 3e6 }, { 3, 1, 9e6 } };
    CHECK_FALSE(longestMean({}, 15s, 60s));
    CHECK(longestMean(samples, 15s, 60s) == LongestMean { 9ms, false });
    CHECK(longestMean(samples, 15s, 52500ms) == LongestMean { 9ms, false }); // half of it
    CHECK(longestMean(samples, 15s, 52s) == LongestMean { 3ms, false });
    CHECK(longestMean({ { 0, 2, 8e6 } }, 15s, 1s) == LongestMean { 4ms, false });
    CHECK(sampleLength(10min) == 15s);
    CHECK(sampleLength(30s) == 5s);
}

TEST_CASE("what a replay shows of a storage test's I/O is its last tick's, of every class", "[storage]")
{
    const TemporaryFolder folder;
    StorageSample sample(folder.path("run"));
    sample.phase(PhaseKind::measurement, 0);
    sample.io(IoClass::databaseRead, 90, 90 * 8192, 5ms);
    sample.io(IoClass::logWrite, 20, 20 * 6000, 2ms);
    sample.ticks(1, 2s);
    sample.clear();
    sample.phase(PhaseKind::measurement, 1);
    sample.io(IoClass::backup, 8200, 8200 * 65536, 1ms);
    sample.ticks(1);
    sample.finish();
    const Recording recording = Recording::open(folder.path("run")).value();
    CHECK(ioRatesAt(recording, 2s).value() == IoRates { 45, 10, (90 * 8192 + 20 * 6000) / 2.0 });
    CHECK(ioRatesAt(recording, 3s).value() == IoRates { 8200, 0, 8200.0 * 65536 });
    CHECK(ioRatesAt(recording, 0s).value() == IoRates());
}

TEST_CASE("a storage run stands for its load in lists and headlines, not for a recovery that reads faster")
{
    RunResults results;
    CHECK(leadingMix(results) == nullptr);
    const auto add = [&](StorageResult::Kind kind, double perSecond) {
        MixResult& mix = results.mixes.emplace_back();
        mix.storage.emplace().kind = kind;
        IoRow& row = mix.io.emplace_back();
        row.ioClass = IoClass::databaseRead;
        row.perSecond = perSecond;
    };
    add(StorageResult::Kind::recovery, 3600);
    CHECK(leadingMix(results) == &results.mixes[0]); // no load at all
    add(StorageResult::Kind::performance, 1000);
    add(StorageResult::Kind::performance, 900);
    add(StorageResult::Kind::checksum, 5000);
    CHECK(leadingMix(results) == &results.mixes[1]);
}
