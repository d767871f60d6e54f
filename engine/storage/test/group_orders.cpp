// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_orders.h"

namespace loadstone::storage {

void GroupControl::obey(const GroupOrders& orders)
{
    const std::lock_guard lock(m_mutex);
    m_next = orders;
    m_generation.fetch_add(1, std::memory_order_release);
    m_wake.notify_all();
}

void GroupControl::stop()
{
    m_stop.store(true, std::memory_order_release);
    const std::lock_guard lock(m_mutex);
    m_wake.notify_all();
}

bool GroupControl::fulfilled() const noexcept
{
    return m_fulfilled.load(std::memory_order_acquire) == m_generation.load(std::memory_order_acquire);
}

std::optional<GroupOrders> GroupControl::await()
{
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return interrupted(); });
    if (stopped())
        return std::nullopt;
    m_obeyed = m_generation.load(std::memory_order_relaxed);
    return m_next;
}

bool GroupControl::interrupted() const noexcept
{
    return stopped() || m_generation.load(std::memory_order_acquire) != m_obeyed;
}

} // namespace loadstone::storage
