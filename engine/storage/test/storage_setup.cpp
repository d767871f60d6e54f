// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/storage_setup.h"

#include "base/joined.h"
#include "base/posix_file.h"
#include "storage/device/file_mark.h"
#include "storage/device/volume.h"
#include "storage/page/initial_tree.h"
#include "storage/page/page_copies.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sys/resource.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

// Requests of a group that the kernel has at once, besides one of each session or reader: the cleaner's batches, and those of the log
// and the maintenance.
constexpr unsigned kSpareDepth = PageCopies::kSlots * PageCopies::kMostPages + 64;
static_assert(plan::kMostSessionsOfGroup + kSpareDepth <= kMostDepth);
constexpr rlim_t kOtherFiles = 200; // that the program has open
constexpr std::size_t kLongestMemoryInfo = 64U << 10;

GroupMake makeOf(const plan::StorageTest& test, const plan::StorageGroupPlan& group)
{
    const plan::StorageDatabase& database = test.database;
    GroupMake make;
    make.pageSize = database.pageSize;
    const std::uint64_t filled = group.databaseSize / database.pageSize;
    make.pagesPerDatabase =
        static_cast<std::uint64_t>(static_cast<double>(filled) * (1 + database.growthReserve));
    make.log = { database.logSector, database.logFile };
    make.shape = { database.shortPad, database.longPad, database.compression, database.duplication };
    make.records = InitialTree::recordsFor(
        filled, database.pageSize, plan::recordSize(database), plan::longValueSize(database));
    make.databaseFolders.assign(group.databases.begin(), group.databases.end());
    return make;
}

GroupOptions optionsOf(
    const plan::StorageTest& test, const plan::StorageGroupPlan& group, const GroupMake& make)
{
    const plan::StorageDatabase& database = test.database;
    GroupOptions options;
    options.name = group.name;
    options.databaseFolders = make.databaseFolders;
    options.logFolder = group.log;
    options.pageSize = make.pageSize;
    options.pagesPerDatabase = make.pagesPerDatabase;
    options.cacheBytes = static_cast<std::size_t>(database.cacheMaximum / test.groups.size());
    options.logBuffer = static_cast<std::size_t>(database.logBuffer);
    options.log = make.log;
    options.checkpointDepth = database.checkpointDepth;
    // So many that none has to be made under load, nor in a recovery test.
    options.logFiles = static_cast<std::size_t>(plan::logFilesOfGroup(test));
    options.direct = database.direct;
    options.durability = database.durability == plan::RawDurability::writeThrough ? Durability::writeThrough
                                                                                  : Durability::flushed;
    return options;
}

std::vector<fs::path> foldersOf(const plan::StorageGroupPlan& group)
{
    return { group.databases.begin(), group.databases.end() };
}

/// What lies on one device: how much is to be put there, and what of it is there already.
struct Filling {
    std::string folder; // one of those on it
    std::uint64_t needed = 0, has = 0, free = 0;
};

class Places {
public:
    Places(StorageSetup& setup, const fs::path& historyFolder)
        : m_setup(setup)
        , m_historyFolder(historyFolder)
    {
    }
    Result<void> look(const std::string& folder, std::uint64_t needed)
    {
        const plan::StorageTest& test = m_setup.plan.test;
        const auto volume = volumeOf(fs::path(folder) / "x");
        if (!volume)
            return volume.error();
        const bool confirmed =
            std::find(test.database.confirmed.begin(), test.database.confirmed.end(), folder)
            != test.database.confirmed.end();
        if (!volume->shared.empty() && !confirmed)
            return fail(fmt::format("{}: is on {}, which may report a write as durable when it is not; to "
                                    "test it nevertheless, write database.confirm = [\"{}\"]",
                folder, volume->shared, folder));
        // By device: file systems without one of their own (Btrfs, NFS, FUSE) are named after the first folder on them.
        auto known = std::find(m_volumes.begin(), m_volumes.end(), volume->device);
        if (known == m_volumes.end()) {
            known = m_volumes.insert(known, volume->device);
            m_setup.volumes.push_back(volume->name);
        }
        m_setup.places.emplace_back(folder, static_cast<std::size_t>(known - m_volumes.begin()));
        Filling& filling = m_fillings[volume->device];
        filling.folder = folder;
        filling.needed += needed;
        filling.free = volume->bytesFree;
        if (volume->inMemory)
            m_setup.warnings.push_back(folder + ": is in memory, not on a disk");
        if (const auto history = volumeOf(m_historyFolder / "x");
            !m_historyFolder.empty() && history && history->device == volume->device && !m_historyTold) {
            m_historyTold = true;
            m_setup.warnings.push_back(fmt::format(
                "the history in {} is on a volume under test: its writes are part of what is measured",
                m_historyFolder.string()));
        }
        return {};
    }
    void has(const fs::path& file)
    {
        const auto volume = volumeOf(file);
        std::error_code error;
        const std::uint64_t size = fs::file_size(file, error);
        if (volume && !error)
            m_fillings[volume->device].has += size;
    }
    [[nodiscard]] Result<void> checkSpace() const
    {
        for (const auto& [device, filling] : m_fillings) {
            const std::uint64_t more = filling.needed > filling.has ? filling.needed - filling.has : 0;
            if (more == 0 || more + kSpare <= filling.free)
                continue;
            return fail(
                fmt::format("{}: {} more are needed on its volume and {} to spare, and {} are free; make "
                            "room, or write a smaller database_size",
                    filling.folder, formatBytes(more), formatBytes(kSpare), formatBytes(filling.free)));
        }
        return {};
    }

private:
    StorageSetup& m_setup;
    fs::path m_historyFolder;
    std::vector<std::uint64_t> m_volumes; // devices, as in the setup's volumes
    std::map<std::uint64_t, Filling> m_fillings; // by device
    bool m_historyTold = false;
};

Result<void> claimGroup(StorageSetup& setup, const plan::StorageGroupPlan& group, Places& places)
{
    const GroupMake make = makeOf(setup.plan.test, group);
    GroupOptions options = optionsOf(setup.plan.test, group, make);
    auto mark = GroupMark::claim(options, make);
    if (!mark)
        return mark.error();
    const bool isThere = mark->state() == GroupMark::State::made;
    const bool makes = setup.purpose == StoragePurpose::run || setup.purpose == StoragePurpose::make;
    if (!makes)
        options.logFiles = 0; // what is there has to do
    if (!isThere && !makes)
        return fail(
            fmt::format("{}: there is no storage group \"{}\" yet; make it first (loadstone storage init)",
                group.log, group.name));
    options.signature = mark->signature();
    options.owner = mark->identity();
    for (const fs::path& file : mark->files())
        places.has(file);
    setup.groups.push_back({ std::move(options), *std::move(mark), {} });
    if (isThere)
        setup.groups.back().makeContents();
    return {};
}

/// All that are missing at once: one command makes them.
Result<void> requireFolders(const std::vector<plan::SpaceNeed>& needs)
{
    std::vector<std::string> missing;
    for (const plan::SpaceNeed& need : needs) {
        std::error_code none;
        if (fs::is_directory(need.folder, none))
            continue;
        if (fs::exists(fs::symlink_status(need.folder, none)))
            return fail(need.folder + ": is not a folder; name one on the volume under test");
        missing.push_back(need.folder);
    }
    if (missing.empty())
        return {};
    const bool one = missing.size() == 1;
    return fail(fmt::format("{}{}: there {}; make {} (mkdir -p {}) on the volume{} under test",
        missing.front(), one ? "" : fmt::format(" and {} more", missing.size() - 1),
        one ? "is no such folder" : "are no such folders", one ? "it" : "them", joined(missing, " "),
        one ? "" : "s"));
}

/// A process that takes more memory than there is would be ended in mid-run. Readers work while the caches are closed.
Result<void> requireMemory(const plan::StorageTest& test, StoragePurpose purpose)
{
    std::uint64_t readers = 0;
    for (const plan::StorageTestStep& step : test.tests)
        readers = std::max(readers, step.readers * step.readSize);
    const std::uint64_t cache = purpose == StoragePurpose::verify
        ? 0
        : test.database.cacheMaximum + 2 * test.groups.size() * test.database.logBuffer;
    const std::uint64_t needed = std::max(cache, test.groups.size() * readers);
    const auto told = readFile("/proc/meminfo", kLongestMemoryInfo);
    const auto line = told ? told->find("MemAvailable:") : std::string::npos;
    if (line == std::string::npos)
        return {};
    const std::uint64_t available =
        std::strtoull(told->c_str() + line + sizeof "MemAvailable:" - 1, nullptr, 10) << 10;
    if (needed <= available)
        return {};
    return fail(fmt::format("the test needs {} of memory, and {} are available: write a smaller "
                            "database.cache_maximum, or fewer or smaller "
                            "reads of backups and checksums",
        formatBytes(needed), formatBytes(available)));
}

/// A group has all its log files open.
Result<void> raiseFileLimit(const plan::StorageTest& test)
{
    rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return systemError("limit of open files");
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t needed =
        test.groups.size() * (plan::logFilesOfGroup(test) + 4) + test.databases() + kOtherFiles;
    if (limit.rlim_cur == RLIM_INFINITY || needed <= limit.rlim_cur)
        return {};
    return fail(fmt::format(
        "the test has up to {} files open, and this process may have {}: raise the limit (ulimit -n), "
        "or write fewer logs or a smaller checkpoint_depth",
        needed, limit.rlim_cur));
}

/// What a backup writes goes over nothing of others; better told now than after hours of load.
Result<void> lookAtBackups(const StorageSetup& setup, Places& places)
{
    std::set<fs::path> seen;
    for (const plan::StorageTestStep& step : setup.plan.test.tests)
        for (const StorageSetup::Group& group : setup.groups)
            for (std::size_t i = 0; !step.to.empty() && i < group.options.databaseFolders.size(); ++i) {
                const fs::path copy = fs::path(step.to) / group.options.databasePath(i).filename();
                if (setup.purpose != StoragePurpose::run || !seen.insert(copy).second)
                    continue;
                if (copy == group.options.databasePath(i))
                    return fail(fmt::format(
                        "{}: is the database itself: write another folder for the backup (tests.to)",
                        copy.string()));
                if (const auto claimed = ClaimedFile::claim(copy); !claimed)
                    return claimed.error();
                places.has(copy);
            }
    return {};
}

Result<void> checkSectors(const StorageSetup& setup)
{
    const plan::StorageDatabase& database = setup.plan.test.database;
    for (const auto& place : setup.places) {
        if (!database.direct)
            break;
        const auto block = directBlock(place.first);
        if (!block)
            return block.error();
        if (*block > database.logSector)
            return fail(fmt::format(
                "{}: direct I/O needs blocks of {} bytes there; write database.log_sector = \"4 KB\"",
                place.first.string(), *block));
    }
    return {};
}

void warn(StorageSetup& setup)
{
    const plan::StorageTest& test = setup.plan.test;
    for (const plan::StorageGroupPlan& group : test.groups)
        if (std::any_of(group.databases.begin(), group.databases.end(), [&](const std::string& folder) {
                return setup.volumeOf(fs::path(folder) / "x") == setup.volumeOf(fs::path(group.log) / "x");
            }))
            setup.warnings.push_back(fmt::format(
                "the log of {} is on the same volume as its databases: their latencies affect each other",
                group.name));
    if (!test.database.direct)
        setup.warnings.emplace_back("without direct I/O the kernel's page cache is part of what is measured");
}

} // namespace

void StorageSetup::Group::makeContents()
{
    contents.clear();
    for (std::size_t i = 0; i < options.databaseFolders.size(); ++i)
        // The signature sets databases of several groups apart, which have one seed.
        contents.emplace_back(
            mark.make().shape, mark.seed(), mark.signature() + 1 + static_cast<std::uint32_t>(i));
}

std::size_t StorageSetup::volumeOf(const fs::path& file) const
{
    const fs::path folder = file.parent_path();
    const auto place =
        std::find_if(places.begin(), places.end(), [&](const auto& one) { return one.first == folder; });
    return place == places.end() ? 0 : place->second;
}

Result<std::unique_ptr<StorageSetup>> setUpStorageTest(
    const plan::StoragePlan& plan, StoragePurpose purpose, const fs::path& historyFolder)
{
    auto setup = std::make_unique<StorageSetup>();
    setup->plan = plan;
    setup->purpose = purpose;
    const plan::StorageTest& test = setup->plan.test;
    if (purpose == StoragePurpose::remove) {
        for (const plan::StorageGroupPlan& group : test.groups) {
            auto mark = GroupMark::find(group.log, group.name, foldersOf(group));
            if (!mark)
                return mark.error();
            if (!*mark) {
                setup->warnings.push_back(fmt::format(
                    "{}: there is no storage group \"{}\": nothing was removed", group.log, group.name));
                continue;
            }
            GroupOptions options;
            options.name = group.name;
            setup->groups.push_back({ std::move(options), *std::move(*mark), {} });
        }
        return setup;
    }
    if (const auto enough = raiseFileLimit(test); !enough)
        return enough.error();
    if (const auto fits = requireMemory(test, purpose); !fits)
        return fits.error();
    const bool writes = purpose == StoragePurpose::run || purpose == StoragePurpose::make;
    plan::StorageTest used = test;
    if (purpose != StoragePurpose::run)
        for (plan::StorageTestStep& step : used.tests)
            step.to.clear();
    Places places(*setup, historyFolder);
    const std::vector<plan::SpaceNeed> needs = plan::spaceNeeded(used);
    if (const auto there = requireFolders(needs); !there)
        return there.error();
    for (const plan::SpaceNeed& need : needs)
        if (const auto good = places.look(need.folder, need.bytes); !good)
            return good.error();
    for (const plan::StorageGroupPlan& group : test.groups)
        if (const auto claimed = claimGroup(*setup, group, places); !claimed)
            return claimed.error();
    if (const auto looked = lookAtBackups(*setup, places); !looked)
        return looked.error();
    if (const auto fits = checkSectors(*setup); !fits)
        return fits.error();
    if (const auto fits = places.checkSpace(); writes && !fits)
        return fits.error();
    warn(*setup);
    DeviceOptions& device = setup->device;
    device.backend = backendOf(test.database.backEnd);
    device.depth = std::min(test.mostThreadsPerGroup() + kSpareDepth, kMostDepth);
    for (const plan::StorageTestStep& step : test.tests)
        device.depth = std::max(device.depth, std::min(step.readers + kSpareDepth, kMostDepth));
    for (const auto& [folder, volume] : setup->places)
        if (test.database.direct)
            device.folders.push_back(folder);
    setup->makeDevice = [](const DeviceOptions& options) -> Result<std::unique_ptr<Device>> {
        auto made = loadstone::storage::makeDevice(options);
        if (!made)
            return made.error();
        return std::unique_ptr<Device>(*std::move(made));
    };
    return setup;
}

Result<std::vector<fs::path>> filesOfGroups(const plan::StorageTest& test)
{
    std::vector<fs::path> files;
    for (const plan::StorageGroupPlan& group : test.groups) {
        const auto mark = GroupMark::find(group.log, group.name, foldersOf(group));
        if (!mark)
            return mark.error();
        if (!*mark)
            continue;
        const auto own = (*mark)->files();
        files.insert(files.end(), own.begin(), own.end());
        files.push_back((*mark)->path());
    }
    return files;
}

} // namespace loadstone::storage
