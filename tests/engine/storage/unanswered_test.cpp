// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/placed_device.h"
#include "storage/test/group_worker.h"
#include "support/catch.h"
#include "support/program.h"

#include <fmt/format.h>

#include <thread>

using namespace loadstone;
using namespace loadstone::storage;
using test::ScratchFolder;

namespace {

struct Volume {
    std::atomic<bool> silent { false }; ///< from now on
    std::atomic<bool> waitedFor { false }; ///< since then, with transfers under way
};

/// A device whose volume may fall silent: transfers go to it, and none is completed.
class SilentDevice : public PlacedDevice {
public:
    SilentDevice(std::unique_ptr<Device> device, Volume& volume)
        : PlacedDevice(std::move(device), [](const std::filesystem::path&) { return 0; })
        , m_volume(volume)
    {
    }
    std::size_t reap(std::span<IoCompletion> completions, Nanoseconds wait) override
    {
        if (!m_volume.silent)
            return PlacedDevice::reap(completions, wait);
        if (pending() > 0)
            m_volume.waitedFor = true;
        sleepUntil(now() + wait);
        return 0;
    }

private:
    Volume& m_volume;
};

} // namespace

TEST_CASE("a volume that answers no more keeps no run from ending, which says so")
{
    const ScratchFolder folder(LOADSTONE_BIN_DIR);
    for (const char* name : { "data", "log" })
        std::filesystem::create_directory(folder / name);
    const plan::LoadedPlan loaded = plan::parsePlan(
        fmt::format(
            "format = 1\nkind = \"storage\"\n[database]\ncache_minimum = \"2 MB\"\ncache_maximum = \"2 MB\"\n"
            "log_buffer = \"256 KB\"\nlog_file = \"256 KB\"\ncheckpoint_depth = \"1 MB\"\n"
            "[load]\nthreads = 2\n[[groups]]\ndatabases = [\"{}\"]\nlog = \"{}\"\ndatabase_size = \"6 MB\"\n"
            "[[tests]]\nkind = \"performance\"\nduration = \"1 min\"\n",
            (folder / "data").string(), (folder / "log").string()),
        "plan.toml");
    REQUIRE(loaded.ok());
    auto setup = setUpStorageTest(*loaded.plan.storage(), StoragePurpose::run, {});
    REQUIRE(setup);
    Volume volume;
    (*setup)->patience = std::chrono::milliseconds(50);
    (*setup)->makeDevice = [&, make = (*setup)->makeDevice](const DeviceOptions& options) {
        auto made = make(options);
        return made
            ? Result<std::unique_ptr<Device>>(std::make_unique<SilentDevice>(*std::move(made), volume))
            : std::move(made);
    };
    const StorageSeries series(loaded.plan.storage()->test, (*setup)->volumes);
    GroupWorker worker(**setup, 0, series);
    worker.start(monoNow());
    worker.obey({ GroupOrders::What::make, nullptr, 1 });
    while (!worker.fulfilled())
        std::this_thread::yield();
    REQUIRE(worker.failure().empty());
    worker.obey({ GroupOrders::What::load, &(*setup)->plan.test.tests.front(), 1 });
    while (worker.levels().sessions == 0)
        std::this_thread::yield();
    std::uint64_t due = 0, ended = 0;
    const auto unfinishedAt = [&](MonoTime until) {
        metrics::Slab slab = metrics::Slab::of(series.list());
        worker.collect(slab, until);
        due += slab[series.group(0).due];
        ended += slab[series.transactions().response].count();
        return slab;
    };
    for (int look = 0; look < 200; ++look) { // while it works: nothing is counted twice, and nothing left out
        const std::uint64_t unfinished = unfinishedAt(monoNow())[series.transactions().age].count();
        REQUIRE(due == ended + unfinished);
        std::this_thread::yield();
    }
    volume.silent = true;
    while (!volume.waitedFor)
        std::this_thread::yield();
    const MonoTime later = monoNow() + std::chrono::seconds(40);
    const metrics::Slab slab = unfinishedAt(later);
    CHECK(slab[series.transactions().age].count() == 2); // one of each session
    CHECK(due == ended + 2);
    const auto transfers = [&](const metrics::Slab& from) {
        Histogram ages;
        for (std::size_t place = 0; place < (*setup)->volumes.size(); ++place)
            for (const StorageSeries::Io& io : series.io(place))
                ages.merge(from[io.age]);
        return ages;
    };
    CHECK(transfers(slab).count() > 0);
    CHECK(transfers(slab).maximum() >= std::chrono::seconds(40));
    worker.stop();
    worker.join();
    CHECK(transfers(unfinishedAt(later)).maximum() >= std::chrono::seconds(40)); // nobody has seen them end
    CHECK_THAT(worker.failure(),
        Catch::Contains("transfers were never completed") && Catch::Contains((folder / "data").string()));
}
