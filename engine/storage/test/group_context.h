// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/test/group_meter.h"
#include "storage/test/group_orders.h"
#include "storage/test/group_report.h"

#include <set>

namespace loadstone::storage {

/// What the tasks of a group's worker share. The worker's thread.
struct GroupContext {
    StorageSetup& setup;
    std::size_t index; ///< of the group
    const StorageSeries& series;
    GroupControl& control;
    GroupReport& report;
    GroupMeter& meter;
    GroupOrders orders {}; ///< that are being carried out
    std::string unanswered {}; ///< why it goes on no more: transfers that will not be completed
    std::set<std::string> devicesTold {}; ///< descriptions

    [[nodiscard]] StorageSetup::Group& group() const { return setup.groups[index]; }
    [[nodiscard]] const plan::StorageTest& test() const { return setup.plan.test; }
    [[nodiscard]] const StorageSeries::Group& counts() const { return series.group(index); }
    [[nodiscard]] const StorageSeries::Database& database(std::size_t which) const
    {
        return series.database(index, which);
    }
    [[nodiscard]] bool stopped() const noexcept { return control.stopped(); }
};

} // namespace loadstone::storage
