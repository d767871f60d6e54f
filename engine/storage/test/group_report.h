// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/damage.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace loadstone::storage {

/// Levels of a group, as they were some milliseconds ago.
struct GroupLevels {
    std::uint64_t cache = 0, depth = 0, size = 0, waiting = 0; ///< bytes, bytes, bytes, transactions
    std::uint64_t sessions = 0;
    double rate = 0; ///< transactions/s that the pacing goes by; 0: none
    std::uint64_t done = 0, toDo = 0; ///< of what goes on, in whatever unit; toDo 0: not known
};

/// (what, errno) and how often.
using TransferErrors = std::map<std::pair<std::string, int>, std::uint64_t>;

/// What a group's worker says of itself, until the control thread takes it. Any thread, once start() was called.
class GroupReport {
public:
    explicit GroupReport(std::string group)
        : m_group(std::move(group))
    {
    }
    void start(MonoTime origin)
    {
        m_origin = origin;
    } ///< of the times of events; before other threads say anything

    void say(Severity severity, std::string text);
    void sayDamage(const Damage& damage);
    void addError(std::string what, int error);
    void progress(std::uint64_t done, std::uint64_t toDo);
    void show(const GroupLevels& levels); ///< all but the progress
    void clearLevels();
    /// Why it goes on no more; the first failure stays.
    void fail(const std::string& why);

    [[nodiscard]] std::string failure() const; ///< empty: it goes on
    [[nodiscard]] GroupLevels levels() const;
    std::vector<RunEvent> takeEvents(); ///< since the last call
    TransferErrors takeErrors(); ///< since the last call

private:
    std::string m_group;
    MonoTime m_origin {};
    mutable std::mutex m_mutex; // what follows
    std::string m_failure;
    std::vector<RunEvent> m_events;
    TransferErrors m_errors;
    GroupLevels m_levels;
};

} // namespace loadstone::storage
