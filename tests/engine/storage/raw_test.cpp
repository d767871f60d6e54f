// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/file_mark.h"
#include "storage/raw_series.h"
#include "storage/raw_shape.h"
#include "support/catch.h"
#include "support/program.h"

#include <algorithm>
#include <fstream>
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

TEST_CASE("the series of a raw test stand where their ids say")
{
    const RawSeries series(testOf(plan::RawPattern::append, 1), "sda", 3);
    const auto& counters = series.counters();
    REQUIRE(counters.size() == RawSeries::kCounters + 3);
    CHECK(counters[RawSeries::bytes(RawSeries::kWrite)].path()
        == "\\Loadstone Storage(sda: Log write)\\Bytes/sec");
    CHECK(counters[RawSeries::failed(RawSeries::kFlush)].path()
        == "\\Loadstone Storage(sda: Flush)\\Failed Transfers/sec");
    CHECK(counters[RawSeries::kFillBytes].counter == "Fill Bytes/sec");
    CHECK(counters[RawSeries::kReads].path() == "\\Loadstone Storage(sda)\\Reads/sec");
    CHECK(counters[RawSeries::kSecondsPerWrite].counter == "Avg. sec/Write");
    CHECK(counters[RawSeries::kBusiest].instance == "_Busiest");
    CHECK(counters[RawSeries::kCounters + 2].instance == "worker 2");
    REQUIRE(series.histograms().size() == RawSeries::kHistograms);
    const HistogramInfo& queued = series.histograms()[RawSeries::queued(RawSeries::kWrite)];
    CHECK(queued.name == "Queued: sda: Log write");
    CHECK(queued.clock == LatencyClock::slip);
    CHECK(series.histograms()[RawSeries::response(RawSeries::kRead)].clock == LatencyClock::response);
    CHECK(series.histograms()[RawSeries::kSlip].name == "Timer slip");
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
    std::ofstream(file, std::ios::app) << "more";
    CHECK_FALSE(ClaimedFile::claim(file)->completeFor("a test"));

    const auto refused = [&](const fs::path& path, const char* why) {
        const auto claimed = ClaimedFile::claim(path);
        REQUIRE_FALSE(claimed);
        CHECK_THAT(claimed.error().message, ContainsSubstring(path.string()) && ContainsSubstring(why));
    };
    std::ofstream(folder / "mine") << "precious";
    refused(folder / "mine", "not Loadstone's (it has no mark mine.loadstone beside it)");
    fs::copy_file(markOf(file), markOf(folder / "mine"));
    refused(folder / "mine", "is not the file that its mark");
    fs::rename(file, folder / "aside");
    fs::copy_file(folder / "aside", file); // the same name, another file
    refused(file, "but a copy, or moved");
    fs::create_symlink(folder / "mine", folder / "link");
    refused(folder / "link", "no regular file");
    refused(folder.path(), "no regular file");
    std::ofstream(markOf(folder / "mine")) << "file = mine\ninode = 99999999999999999999999\ndevice\n = \n";
    refused(folder / "mine", "is not the file that its mark");
}
