// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_report.h"

#include <fmt/format.h>

#include <utility>

namespace loadstone::storage {

void GroupReport::say(Severity severity, std::string text)
{
    const Nanoseconds at = monoNow() - m_origin;
    const std::lock_guard lock(m_mutex);
    m_events.push_back({ at, severity, fmt::format("{}: {}", m_group, text) });
}

void GroupReport::sayDamage(const Damage& damage)
{
    const char* what = "is damaged";
    std::string where = fmt::format("page {}", damage.number);
    switch (damage.kind) {
    case Damage::Kind::correctable:
        what = "has one wrong bit";
        break;
    case Damage::Kind::wrongPage:
        what = "is another page";
        break;
    case Damage::Kind::badPage:
        what = "has a wrong checksum";
        break;
    case Damage::Kind::badSegment:
        where = fmt::format("segment {}", damage.number);
        break;
    case Damage::Kind::badHeader:
        where = "its header";
        break;
    case Damage::Kind::cut:
        where = "the file";
        what = "does not have the length that it was made with";
        break;
    case Damage::Kind::missing:
        where = fmt::format("file {} of the log", damage.number + 1); // a person counts from one
        what = "is missing";
        break;
    }
    say(Severity::error, fmt::format("{}: {} {}", damage.path, where, what));
}

void GroupReport::addError(std::string what, int error)
{
    const std::lock_guard lock(m_mutex);
    ++m_errors[{ std::move(what), error }];
}

void GroupReport::progress(std::uint64_t done, std::uint64_t toDo)
{
    const std::lock_guard lock(m_mutex);
    m_levels.done = done;
    m_levels.toDo = toDo;
}

void GroupReport::show(const GroupLevels& levels)
{
    const std::lock_guard lock(m_mutex);
    const GroupLevels before = std::exchange(m_levels, levels);
    m_levels.done = before.done;
    m_levels.toDo = before.toDo;
}

void GroupReport::clearLevels()
{
    const std::lock_guard lock(m_mutex);
    m_levels = {};
}

void GroupReport::fail(const std::string& why)
{
    const std::lock_guard lock(m_mutex);
    if (m_failure.empty())
        m_failure = fmt::format("{}: {}", m_group, why);
}

std::string GroupReport::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

GroupLevels GroupReport::levels() const
{
    const std::lock_guard lock(m_mutex);
    return m_levels;
}

std::vector<RunEvent> GroupReport::takeEvents()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_events, {});
}

TransferErrors GroupReport::takeErrors()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_errors, {});
}

} // namespace loadstone::storage
