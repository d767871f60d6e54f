// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_worker.h"

#include "storage/test/group_generating.h"
#include "storage/test/group_loading.h"
#include "storage/test/group_making.h"
#include "storage/test/group_reading.h"
#include "storage/test/group_replaying.h"

#include <fmt/format.h>

#include <sys/prctl.h>

namespace loadstone::storage {

GroupWorker::GroupWorker(StorageSetup& setup, std::size_t group, const StorageSeries& series)
    : m_report(setup.groups[group].options.name)
    , m_meter(setup, group, series, m_report)
    , m_context { setup, group, series, m_control, m_report, m_meter }
{
}

GroupWorker::~GroupWorker()
{
    stop();
    join();
}

void GroupWorker::start(MonoTime origin)
{
    m_report.start(origin);
    m_thread = std::thread([this] {
        run();
        m_end.reached();
    });
    m_clock.follow(m_thread);
}

void GroupWorker::join()
{
    m_end.await(m_thread);
}

void GroupWorker::run()
{
    nameThisThread(fmt::format("storage {}", m_context.index + 1));
    m_threadId.store(thisThreadId(), std::memory_order_relaxed);
    ::prctl(PR_SET_TIMERSLACK, 1UL); // the kernel's 50 us of leisure would be slip
    while (const std::optional<GroupOrders> orders = m_control.await()) {
        m_report.clearLevels();
        m_meter.dropBusy();
        m_context.orders = m_report.failure().empty() ? *orders : GroupOrders();
        Result<void> done = tried();
        const bool brokenOff = !done && done.error().code == boost::system::errc::operation_canceled;
        if (m_control.stopped() && brokenOff)
            done = {};
        if (done && !m_context.unanswered.empty())
            done = fail(m_context.unanswered);
        if (!done)
            m_report.fail(done.error().message);
        m_report.clearLevels();
        m_control.fulfil(); // last: what it came to is said
        if (!m_context.unanswered.empty())
            m_end.never();
    }
}

/// Thread entry: a broken invariant or no memory ends the run, not the program.
Result<void> GroupWorker::tried()
{
    try {
        return carryOut();
    } catch (const std::bad_alloc&) {
        return fail("there is not enough memory; write a smaller database.cache_maximum");
    } catch (const std::exception& e) {
        return fail(e.what());
    }
}

Result<void> GroupWorker::carryOut()
{
    using What = GroupOrders::What;
    switch (m_context.orders.what) {
    case What::nothing:
        break;
    case What::make:
        return GroupMaking(m_context).run();
    case What::load:
        return GroupLoading(m_context).run();
    case What::generate:
        return GroupGenerating(m_context).run();
    case What::replay:
        return GroupReplaying(m_context).run();
    case What::backup:
        return GroupReading(m_context, true).run();
    case What::verify:
        return GroupReading(m_context, false).run();
    }
    return {};
}

} // namespace loadstone::storage
