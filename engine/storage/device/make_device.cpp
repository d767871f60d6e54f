// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/raw_test.h"
#include "storage/device/thread_device.h"
#include "storage/device/uring_device.h"

#include <algorithm>

namespace loadstone::storage {
namespace {

Result<std::unique_ptr<FileDevice>> makeThreads(
    const DeviceOptions& options, std::uint32_t block, std::string why)
{
    auto threads = ThreadDevice::make(options, block, std::move(why));
    if (!threads)
        return threads.error();
    return std::unique_ptr<FileDevice>(std::move(*threads));
}

Result<std::unique_ptr<FileDevice>> makeOfBackend(const DeviceOptions& options)
{
    DeviceOptions wanted = options;
    wanted.depth = std::clamp(wanted.depth, 1U, kMostDepth);
    std::uint32_t block = options.folders.empty() ? 4096 : 512;
    std::string note;
    for (const std::filesystem::path& folder : options.folders) {
        const auto here = directBlock(folder);
        if (!here)
            return here.error();
        block = std::max(block, *here);
        if (wanted.poll && !canPoll(folder)) {
            wanted.poll = false;
            note = "; completions are not polled, although the plan asks for it: the driver of the volume of "
                + folder.string() + " has no queues for polling";
        }
    }
    if (wanted.backend == Backend::threads)
        return makeThreads(wanted, block, "as the plan asks for");
    auto uring = UringDevice::make(wanted, block, std::move(note));
    if (uring)
        return std::unique_ptr<FileDevice>(std::move(*uring));
    if (wanted.backend == Backend::uring)
        return uring.error();
    return makeThreads(wanted, block, "because io_uring cannot be used: " + uring.error().message);
}

} // namespace

Backend backendOf(plan::BackEnd asked) noexcept
{
    switch (asked) {
    case plan::BackEnd::uring:
        return Backend::uring;
    case plan::BackEnd::threads:
        return Backend::threads;
    case plan::BackEnd::automatic:
        break;
    }
    return Backend::automatic;
}

Result<std::unique_ptr<FileDevice>> makeDevice(const DeviceOptions& options)
{
    auto made = makeOfBackend(options);
    if (made)
        (*made)->interruptBy(options.interrupted);
    return made;
}

} // namespace loadstone::storage
