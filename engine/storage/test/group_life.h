// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/placed_device.h"
#include "storage/load/iops_steering.h"
#include "storage/load/settling.h"
#include "storage/test/group_context.h"
#include "storage/test/store_meter.h"

#include <memory>
#include <optional>
#include <vector>

namespace loadstone::storage {

class GroupLife;
/// Ends a life; or leaves it alone for ever, if its device does not answer: transfers may still go to and from its memory.
struct LetGo {
    void operator()(GroupLife* life) const;
};
using HeldLife = std::unique_ptr<GroupLife, LetGo>;

/// A storage group from being opened until it is closed, or given up as if it had crashed; with the device that it has for that
/// time, and all that works on it. The worker's thread.
class GroupLife {
public:
    GroupContext& context;
    std::unique_ptr<PlacedDevice> device;
    std::uint64_t completed = 0; ///< transfers
    Loop loop;
    std::optional<StorageGroup> group; ///< not where its files are only read
    std::optional<GroupLoad> load;
    std::vector<std::unique_ptr<Maintenance>> maintenance; ///< of each database, where there is any
    std::optional<LogCopyReader> logCopies;
    std::optional<IopsSteering> steering;
    std::optional<Settling> settling; ///< until it has settled
    bool pacing = false; ///< transactions are made due
    bool ending = false; ///< it is to end

    /// With the device that the setup gives.
    static Result<HeldLife> begin(GroupContext& context);
    GroupLife(std::unique_ptr<PlacedDevice> placed, GroupContext& shared);
    GroupLife(const GroupLife&) = delete;
    GroupLife& operator=(const GroupLife&) = delete;
    /// The coroutines go before what they use, and no I/O is under way into memory that goes.
    ~GroupLife() { loop.abandon(); }

    /// Opens the group, and says what recovery had to do. False: the worker is to stop.
    [[nodiscard]] Result<bool> open(std::optional<std::uint64_t> checkpointDepth = {});
    [[nodiscard]] Result<void> close();
    /// An Error says why nothing of the group may be read for its own sake.
    [[nodiscard]] Result<void> requireClosed();
    Task<Result<Checkpoint>> readCheckpoint();
    /// Makes the load of the plan; it has no session yet.
    void makeLoad();
    [[nodiscard]] bool busy() const;
    void end();

    /// Runs a coroutine, and what it needs, to its end. None: the worker is to stop, and the life must be given up at once.
    template <class T>
    std::optional<T> drive(Task<T> task)
    {
        std::optional<T> result;
        const auto root = [](Task<T> what, std::optional<T>& into) -> Task<> { into.emplace(co_await what); };
        loop.spawn(root(std::move(task), result));
        while (!result && !context.stopped())
            turn();
        return result;
    }
    void turn(); ///< of the loop; records what comes of it
    void publish() { m_meter.publish(*this, true); }

private:
    friend struct LetGo;
    void watchTransfers();
    void leaveUnanswered();
    StoreMeter m_meter;
    std::uint64_t m_completedBefore = 0;
    MonoTime m_answered {}; // when the last transfer was seen to be complete, or none was under way
    bool m_silent = false; // nothing has been completed for long
};

} // namespace loadstone::storage
