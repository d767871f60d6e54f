// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace loadstone::storage {

/// Transfers that a device does not answer may still go to or from the memory that they were given: what holds it is kept until
/// the process ends, where a leak checker sees that it is meant. Any thread.
template <class T>
void keepForEver(T held)
{
    static std::mutex mutex;
    static auto* const kept = new std::vector<T>;
    const std::lock_guard lock(mutex);
    kept->push_back(std::move(held));
}

} // namespace loadstone::storage
