// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/loop.h"

#include <optional>

namespace loadstone::test {

/// Runs one coroutine, and what it needs, to its end.
template <class T>
T await(storage::Loop& loop, storage::Task<T> task)
{
    std::optional<T> result;
    const auto root = [](storage::Task<T> what, std::optional<T>& into) -> storage::Task<> {
        into.emplace(co_await what);
    };
    loop.spawn(root(std::move(task), result));
    while (!result)
        loop.turn(std::chrono::milliseconds(1));
    return std::move(*result);
}

} // namespace loadstone::test
