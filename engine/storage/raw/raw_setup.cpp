// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/volume.h"
#include "storage/raw/raw_workload.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace loadstone::storage {
namespace {

Result<void> checkVolume(const plan::RawTest& test, const Volume& volume)
{
    const bool confirmed = test.confirmed == test.path;
    if (volume.isBlockDevice && !confirmed)
        return fail(fmt::format("{}: is a block device, and everything on it would be overwritten; if you "
                                "want that, write device.confirm = \"{}\"",
            test.path, test.path));
    if (!volume.shared.empty() && !confirmed)
        return fail(fmt::format("{}: is on {}, which may report a write as durable when it is not; to test "
                                "it nevertheless, write device.confirm = \"{}\"",
            test.path, volume.shared, test.path));
    return {};
}

Result<void> checkSpace(const plan::RawTest& test, const Volume& volume, std::uint64_t has)
{
    const std::uint64_t needed = test.size > has ? test.size - has : 0;
    const std::uint64_t spare = volume.isBlockDevice || needed == 0 ? 0 : kSpare;
    if (needed + spare <= volume.bytesFree)
        return {};
    return fail(
        fmt::format("{}: {} more are needed there{}, and {} are free; make room, or write a smaller size",
            test.path, formatBytes(needed), spare > 0 ? " and " + formatBytes(spare) + " to spare" : "",
            formatBytes(volume.bytesFree)));
}

} // namespace

Result<std::unique_ptr<RawSetup>> setUpRawTest(
    const plan::RawPlan& plan, unsigned workers, const std::filesystem::path& historyFolder)
{
    auto setup = std::make_unique<RawSetup>();
    setup->plan = plan;
    setup->workers = std::max({ 1U, workers });
    const plan::RawTest& test = setup->plan.test;
    const auto volume = volumeOf(test.path);
    if (!volume)
        return volume.error();
    if (const auto good = checkVolume(test, *volume); !good)
        return good.error();
    std::uint64_t has = 0;
    if (volume->isBlockDevice) {
        setup->blockDevice = FileDescriptor(::open(test.path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC));
        if (!setup->blockDevice)
            return errno == EBUSY ? fail(test.path + ": is mounted, or otherwise in use")
                                  : systemError(test.path);
        struct stat status { };
        if (::fstat(setup->blockDevice.get(), &status) != 0)
            return systemError(test.path);
        if (!S_ISBLK(status.st_mode) || status.st_rdev != volume->device)
            return fail(test.path + ": was replaced after it was checked");
    } else {
        auto claimed = ClaimedFile::claim(test.path);
        if (!claimed)
            return claimed.error();
        has = claimed->size();
        setup->file.emplace(*std::move(claimed));
    }
    if (const auto fits = checkSpace(test, *volume, has); !fits)
        return fits.error();
    setup->volume = volume->name;
    if (const auto history = volumeOf(historyFolder / "x");
        !historyFolder.empty() && history && history->device == volume->device)
        setup->warnings.push_back(fmt::format(
            "the history in {} is on the volume under test: its writes are part of what is measured",
            historyFolder.string()));
    if (volume->inMemory)
        setup->warnings.push_back(test.path + ": is in memory, not on a disk");
    if (!test.direct)
        setup->warnings.emplace_back(
            "without direct I/O the kernel's page cache is part of what is measured");
    return setup;
}

} // namespace loadstone::storage
