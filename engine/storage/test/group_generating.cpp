// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_generating.h"

#include <loadstone/units.h>

#include <fmt/format.h>

namespace loadstone::storage {
namespace {

constexpr auto kLongestWithoutLog = std::chrono::minutes(1);

} // namespace

Result<void> GroupGenerating::run()
{
    auto made = GroupLife::begin(m_context);
    if (!made)
        return made.error();
    GroupLife& life = **made;
    const LogGeometry& log = m_context.group().options.log;
    const std::uint64_t files = m_context.orders.step->logs;
    // So deep that pages are written for want of memory alone, as far as they can be.
    const auto opened = life.open((files + 2) * log.fileSize);
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    life.group->cleaner().holdCheckpoint(true);
    life.makeLoad();
    life.load->setSessions(m_context.test().threadsPerGroup());
    const LogWriter& writer = life.group->log();
    const std::uint64_t first = log.fileOf(writer.end());
    LogPosition written = writer.end();
    std::uint64_t completed = life.completed;
    MonoTime before = monoNow();
    Nanoseconds vain {}; // what sessions did since the log has grown
    while (!m_context.stopped() && !life.group->failure() && log.fileOf(writer.durable()) < first + files) {
        life.turn();
        m_context.report.progress(log.fileOf(writer.durable()) - first, files);
        const MonoTime now = monoNow();
        if (writer.end() != written)
            vain = {};
        else if (life.completed != completed
            || life.device->pending() == 0) // not while a device does not answer
            vain += now - before;
        written = writer.end();
        completed = life.completed;
        before = now;
        if (vain > kLongestWithoutLog)
            return fail(fmt::format(
                "{}: no change has been logged for {}: the load does not produce the log files to replay",
                m_context.group().options.name, formatLatency(kLongestWithoutLog)));
    }
    life.publish();
    if (life.group->failure())
        return *life.group->failure();
    if (!m_context.stopped())
        m_context.report.say(
            Severity::info, fmt::format("{} log files generated; the group crashes now", files));
    return {};
}

} // namespace loadstone::storage
