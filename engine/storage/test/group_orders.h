// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/storage_test.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace loadstone::storage {

/// What a group's worker is to do next.
struct GroupOrders {
    enum class What : std::uint8_t {
        nothing, ///< what goes on ends in order, and the group is closed
        make, ///< files and contents, as far as they are missing; and recovery, if it was not closed
        load,
        generate, ///< log files to replay; then it crashes
        replay,
        backup,
        verify
    } what = What::nothing;
    const plan::StorageTestStep* step = nullptr; ///< lives as long as the setup; none: nothing, make
    std::uint64_t seed = 0;
};

/// The orders of one worker, between the control thread and the worker's.
class GroupControl {
public:
    // The control thread:
    void obey(const GroupOrders& orders);
    void adjust(double load) { m_adjusted.store(load, std::memory_order_release); }
    void stop(); ///< also the worker's thread, where it cannot go on
    [[nodiscard]] bool fulfilled() const noexcept;

    // The worker's thread:
    /// Waits for orders that it has not had; none: it is to stop.
    std::optional<GroupOrders> await();
    void fulfil() noexcept { m_fulfilled.store(m_obeyed, std::memory_order_release); }
    [[nodiscard]] bool stopped() const noexcept { return m_stop.load(std::memory_order_acquire); }
    /// It is to stop, or there are further orders.
    [[nodiscard]] bool interrupted() const noexcept;
    /// What adjust() has said since the last call; 0: nothing.
    [[nodiscard]] double takeAdjusted() noexcept { return m_adjusted.exchange(0, std::memory_order_acq_rel); }
    /// For what blocks and looks whether it is to stop.
    [[nodiscard]] const std::atomic<bool>& stopFlag() const noexcept { return m_stop; }

private:
    std::atomic<bool> m_stop { false };
    std::atomic<double> m_adjusted { 0 };
    std::atomic<std::uint64_t> m_generation { 0 }, m_fulfilled { 0 }; // of the orders
    std::uint64_t m_obeyed = 0; // the worker's thread's
    std::mutex m_mutex; // what follows
    std::condition_variable m_wake;
    GroupOrders m_next;
};

} // namespace loadstone::storage
