// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loadstone::mail {

/// Which copies are outstanding as a pass of the drain begins. Made by the control thread and then only read, by any thread.
struct OwedCopies {
    struct Copy {
        std::uint64_t id = 0; ///< of the message
        Nanoseconds due {}; ///< acceptance and delivery limit: if it is missing after that, it is lost
        bool operator<(const Copy& other) const { return id < other.id; }
    };
    std::unordered_map<std::uint32_t, std::vector<Copy>> of; ///< by mailbox; by id, ascending
    /// Outstanding copies were written away: mailboxes may owe more than is told here.
    bool incomplete = false;
};

} // namespace loadstone::mail
