// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "storage/device/file_identity.h"
#include "storage/device/file_mark.h"
#include "storage/raw/raw_series.h"
#include "storage/raw/raw_shape.h"
#include "storage/raw/raw_worker.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/results.h>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <numeric>
#include <set>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::storage;

namespace {

std::vector<MonoTime> due(const plan::RawLoad& load, Share share, Nanoseconds until, std::uint64_t seed = 1)
{
    std::vector<MonoTime> times;
    DueTimes clock(load, MonoTime(std::chrono::hours(5)), share, seed);
    for (; clock.next() < MonoTime(std::chrono::hours(5)) + until; clock.pass())
        times.push_back(clock.next());
    return times;
}

plan::RawTest testOf(plan::RawPattern pattern, std::uint64_t blocks)
{
    plan::RawTest test;
    test.block = 4096;
    test.size = blocks * 4096;
    test.pattern = pattern;
    return test;
}

} // namespace

TEST_CASE("constant arrivals of all workers are as even as those of one, and not one too many in an hour")
{
    plan::RawLoad load;
    load.perSecond = 333;
    const auto alone = due(load, { 0, 1 }, std::chrono::hours(1));
    CHECK(alone.size() == 333U * 3600);
    std::vector<MonoTime> together;
    for (unsigned i = 0; i < 3; ++i) {
        const auto own = due(load, { i, 3 }, std::chrono::hours(1));
        together.insert(together.end(), own.begin(), own.end());
    }
    std::ranges::sort(together);
    REQUIRE(together.size() == alone.size());
    Nanoseconds most {};
    for (std::size_t i = 0; i < alone.size(); ++i)
        most = std::max(most, std::chrono::abs(together[i] - alone[i]));
    CHECK(most <= Nanoseconds(1));
}

TEST_CASE("Poisson arrivals have their rate, the spread that goes with it, and repeat with their seed")
{
    plan::RawLoad load;
    load.perSecond = 100;
    load.arrivals = plan::RawArrivals::poisson;
    const auto times = due(load, { 1, 2 }, std::chrono::seconds(2000), 9);
    const double count = static_cast<double>(times.size()); // 100,000 expected, standard deviation 316
    CHECK(count == Approx(100'000).margin(1300));
    std::vector<double> perSecond(2000);
    for (const MonoTime time : times)
        perSecond[static_cast<std::size_t>(seconds(time - MonoTime(std::chrono::hours(5))))] += 1;
    double squares = 0;
    for (const double n : perSecond)
        squares += (n - count / 2000) * (n - count / 2000);
    CHECK(squares / 2000 == Approx(50).epsilon(0.15)); // variance equals mean
    CHECK(times == due(load, { 1, 2 }, std::chrono::seconds(2000), 9));
    CHECK(times != due(load, { 1, 2 }, std::chrono::seconds(2000), 10));
}

TEST_CASE("random transfers cover the file, ordered ones go through a part each and begin again")
{
    Offsets random(testOf(plan::RawPattern::random, 50), { 1, 2 }, 3);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 2000; ++i)
        seen.insert(random.next());
    CHECK(seen.size() == 50);
    CHECK(*seen.begin() == 0);
    CHECK(*seen.rbegin() == 49 * 4096);
    seen.clear();
    for (unsigned worker = 0; worker < 3; ++worker) {
        Offsets ordered(testOf(plan::RawPattern::append, 50), { worker, 3 }, 3);
        const std::uint64_t first = ordered.next();
        seen.insert(first);
        std::uint64_t before = first, next = ordered.next();
        for (; next != first; before = next, next = ordered.next()) {
            CHECK(next == before + 4096);
            CHECK(seen.insert(next).second);
        }
    }
    CHECK(seen.size() == 50);
}

TEST_CASE("what is dealt out among workers comes to the whole")
{
    for (const unsigned all : { 1U, 7U, 32U, 33U })
        for (const unsigned count : { 1U, 3U, 8U }) {
            unsigned sum = 0;
            for (unsigned i = 0; i < count; ++i)
                sum += Share { i, count }.of(all);
            CHECK(sum == all);
        }
}

TEST_CASE("the handles of a raw test lead to the series of their keys")
{
    const RawSeries series(testOf(plan::RawPattern::append, 1), "sda", 3);
    const auto& counters = series.list().counters();
    REQUIRE(counters.size() == 29 + 3);
    // Each count has a value of its own, so that one shown in another's place is noticed.
    std::vector<std::uint64_t> counts(series.list().counts());
    std::iota(counts.begin(), counts.end(), 1);
    std::vector<double> values(counters.size(), -1);
    series.list().showCounts(counts, values);
    const auto shown = [&](series::CountHandle count, const SeriesKey& key) {
        const auto id = findSeries(counters, key);
        REQUIRE(id);
        CHECK(values[*id] == static_cast<double>(counts[count.id()]));
    };
    const Subject writes = Subject::ofVolume("sda", IoClass::logWrite);
    shown(series.of(RawSeries::kRead).transfers,
        { Quantity::transfers, Subject::ofVolume("sda", IoClass::databaseRead) });
    shown(series.of(RawSeries::kWrite).bytes, { Quantity::transferBytes, writes });
    shown(series.of(RawSeries::kFlush).failed,
        { Quantity::failedTransfers, Subject::ofVolume("sda", IoClass::flush) });
    shown(series.schedule().scheduled, { Quantity::transfersScheduled, Subject::ofVolume("sda") });
    shown(series.schedule().fillBytes, { Quantity::fillBytes, Subject::ofVolume("sda") });
    shown(series.asked(RawSeries::kWrite).begun, { Quantity::transfersBegun, writes });
    shown(series.asked(RawSeries::kWrite).failed, { Quantity::transfersGivenUp, writes });
    const auto pathOf = [&](series::CounterHandle counter) { return series.list().infoOf(counter).path(); };
    CHECK(values[series.whole().reads.id()] == -1); // worked out for each tick
    CHECK(pathOf(series.whole().reads) == "\\Loadstone Storage(sda)\\Reads/sec");
    CHECK(pathOf(series.whole().secondsPerWrite) == "\\Loadstone Storage(sda)\\Avg. sec/Write");
    CHECK(series.list().infoOf(series.whole().busiest).instance == "_Busiest");
    CHECK(series.list().infoOf(series.worker(2)).instance == "worker 2");
    const HistogramInfo& queued = series.list().infoOf(series.of(RawSeries::kWrite).queued);
    CHECK(queued.name == "Queued: sda: Log write");
    CHECK(queued.clock == LatencyClock::slip);
    CHECK(series.list().infoOf(series.of(RawSeries::kRead).response).clock == LatencyClock::response);
    CHECK(series.list().infoOf(series.slip()).name == "Timer slip");
}

TEST_CASE("only a file that bears its mark is taken, and by one at a time")
{
    const test::ScratchFolder folder;
    const fs::path file = folder / "data";
    {
        auto fresh = ClaimedFile::claim(file);
        REQUIRE(fresh);
        CHECK_FALSE(fresh->exists());
        std::ofstream(file) << "contents";
        CHECK_FALSE(fresh->mark("a test", false)); // somebody else's: it came to be since the look
        const FileDescriptor made(::open(file.c_str(), O_RDWR | O_CLOEXEC));
        REQUIRE(writeIdentity(made, file, fresh->identity(), 8));
        REQUIRE(fresh->mark("a test", false));
        const auto second = ClaimedFile::claim(file);
        REQUIRE_FALSE(second);
        CHECK_THAT(second.error().message, ContainsSubstring("data: another run is using it"));
    }
    {
        auto again = ClaimedFile::claim(file);
        REQUIRE(again);
        CHECK(again->exists());
        CHECK(again->size() == 8);
        CHECK_FALSE(again->completeFor("a test"));
        REQUIRE(again->mark("a test", true));
    }
    CHECK(ClaimedFile::claim(file)->completeFor("a test"));
    CHECK_FALSE(ClaimedFile::claim(file)->completeFor("another"));

    const auto refused = [&](const fs::path& path, const char* why) {
        const auto claimed = ClaimedFile::claim(path);
        REQUIRE_FALSE(claimed);
        CHECK_THAT(claimed.error().message, ContainsSubstring(path.string()) && ContainsSubstring(why));
    };
    const auto size = fs::file_size(file);
    std::ofstream(file, std::ios::app) << "more";
    refused(file, "does not end with Loadstone's identity");
    fs::resize_file(file, size);
    REQUIRE(ClaimedFile::claim(file));

    std::ofstream(folder / "mine") << "precious";
    refused(folder / "mine", "not a file of Loadstone (it has no mark mine.loadstone beside it)");
    fs::copy_file(markOf(file), markOf(folder / "mine"));
    refused(folder / "mine", "does not end with Loadstone's identity");
    fs::rename(file, folder / "aside");
    fs::copy_file(folder / "aside", file); // the same name, another file
    refused(file, "is a copy of a file that Loadstone made");
    fs::create_symlink(folder / "mine", folder / "link");
    refused(folder / "link", "not a file of Loadstone");
    fs::copy_file(markOf(file), markOf(folder / "link"));
    REQUIRE_FALSE(ClaimedFile::claim(folder / "link")); // it is not followed, whatever its mark says
    refused(folder.path(), "not a file of Loadstone");
    std::ofstream(markOf(folder / "mine")) << "file = mine\ninode = 99999999999999999999999\ndevice\n = \n";
    refused(folder / "mine", "exists and is not a mark of Loadstone");
}

TEST_CASE("every class of I/O is a read, a write or neither, the same in every sum")
{
    using enum IoDirection;
    const std::vector<std::pair<IoClass, IoDirection>> classes { { IoClass::databaseRead, read },
        { IoClass::databaseWrite, write }, { IoClass::logWrite, write }, { IoClass::logRead, read },
        { IoClass::checksum, read }, { IoClass::backup, read }, { IoClass::maintenance, read },
        { IoClass::backupWrite, write }, { IoClass::other, write }, { IoClass::flush, neither } };
    REQUIRE(classes.size() == kIoClasses);
    MixResult mix;
    for (const auto& [ioClass, direction] : classes) {
        CAPTURE(toString(ioClass));
        CHECK(directionOf(ioClass) == direction);
        IoRow row;
        row.ioClass = ioClass;
        row.perSecond = 8200;
        mix.io = { row };
        CHECK(mix.iosPerSecond(read) == (direction == read ? 8200 : 0));
        CHECK(mix.iosPerSecond(write) == (direction == write ? 8200 : 0));
        CHECK(mix.iosPerSecond() == (direction == neither ? 0 : 8200));
    }
}

TEST_CASE("transfers that a rate makes due are begun, ended or unfinished, and none is forgotten")
{
    const test::ScratchFolder folder(LOADSTONE_BIN_DIR);
    plan::RawTest test = testOf(plan::RawPattern::random, 256);
    test.path = (folder / "raw").string();
    test.direct = false;
    std::ofstream(test.path) << std::string(test.size, 'x');
    plan::RawLoad load;
    load.depth = 1;
    load.readShare = 0.5;
    load.perSecond = 200'000; // more than one at a time can do
    test.mixes = { load };
    const RawSeries series(test, "vda", 1);
    RawWorker worker(test, series, Share { 0, 1 });
    FileOptions options;
    options.direct = false;
    REQUIRE(worker.prepare(options));
    worker.start();
    RawOrders orders;
    orders.what = RawOrders::What::load;
    orders.load = load;
    orders.begin = monoNow();
    worker.obey(orders);
    std::array<std::uint64_t, RawSeries::kFlush> due {}, ended {}, before {};
    // Thirty looks from when it obeys on; the bound is for a worker that never does.
    for (int look = 0, obeyed = 0; obeyed < 30 && look < 50'000'000; ++look) {
        metrics::Slab slab = metrics::Slab::of(series.list());
        std::array<std::uint64_t, RawSeries::kFlush> waiting {};
        const MonoTime until = monoNow();
        worker.collect(slab, until, waiting);
        for (const auto sort : { RawSeries::kRead, RawSeries::kWrite }) {
            due[sort] += slab[series.asked(sort).begun] + waiting[sort] - before[sort];
            ended[sort] += slab[series.of(sort).response].count();
            REQUIRE(due[sort] == ended[sort] + slab[series.of(sort).age].count());
            before[sort] = waiting[sort];
        }
        obeyed += due[0] + due[1] > 0 ? 1 : 0;
        if (before[0] + before[1] > 0) // since it obeys
            REQUIRE(
                static_cast<double>(due[0] + due[1]) >= seconds(until - orders.begin) * load.perSecond - 1);
        std::this_thread::yield();
    }
    worker.stop();
    worker.join();
    CHECK(due[0] + due[1] > ended[0] + ended[1]);
}
