// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/group_worker.h"
#include "storage/iops_steering.h"
#include "storage/placed_device.h"
#include "storage/settling.h"

#include <algorithm>

namespace loadstone::storage {

/// A storage group from being opened until it is closed, or given up as if it had crashed; with the device that it has for that
/// time, and all that works on it.
struct GroupLife {
    GroupWorker& worker;
    std::unique_ptr<PlacedDevice> device;
    Loop loop;
    std::optional<StorageGroup> group; ///< not where its files are only read
    std::optional<GroupLoad> load;
    std::vector<std::unique_ptr<Maintenance>> maintenance; ///< of each database, where there is any
    std::optional<LogCopyReader> logCopies;
    std::optional<IopsSteering> steering;
    std::optional<Settling> settling; ///< until it has settled
    bool pacing = false; ///< pace() goes on
    bool ending = false; ///< it is to end

    GroupLife(std::unique_ptr<PlacedDevice> placed, GroupWorker& itsWorker)
        : worker(itsWorker)
        , device(std::move(placed))
        , loop(
              *device, [this](std::span<const IoCompletion> done) { worker.measure(*this, done); },
              [this](std::span<IoRequest> asked) { worker.submitting(*this, asked); })
    {
    }
    GroupLife(const GroupLife&) = delete;
    GroupLife& operator=(const GroupLife&) = delete;
    /// The coroutines go before what they use, and no I/O is under way into memory that goes.
    ~GroupLife() { loop.abandon(); }

    [[nodiscard]] bool busy() const
    {
        return pacing || (load && load->running() > 0) || (logCopies && logCopies->running())
            || std::any_of(
                maintenance.begin(), maintenance.end(), [](const auto& one) { return one->running(); });
    }
    void end()
    {
        ending = true;
        if (load)
            load->stop();
        for (const auto& one : maintenance)
            one->stop();
        if (logCopies)
            logCopies->stop();
    }

    /// With the device that the setup gives.
    static Result<HeldLife> begin(StorageSetup& setup, GroupWorker& worker);
};

template <class T>
std::optional<T> GroupWorker::drive(GroupLife& life, Task<T> task)
{
    std::optional<T> result;
    const auto root = [](Task<T> what, std::optional<T>& into) -> Task<> { into.emplace(co_await what); };
    life.loop.spawn(root(std::move(task), result));
    while (!result && !m_stop.load(std::memory_order_acquire))
        turn(life);
    return result;
}

} // namespace loadstone::storage
