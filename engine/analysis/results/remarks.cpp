// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/remarks.h"

#include "plan/model/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::analysis {

namespace {

/// Storage is tested on the machine that makes the load: whoever else works there takes its time, too.
void addBusyProcessors(const MixResult& mix, std::vector<std::string>& remarks)
{
    constexpr double kBusy = 95; // %
    for (const HostRow& row : mix.storage->host)
        if (row.quantity == Quantity::processorTime && row.average >= kBusy)
            remarks.push_back(fmt::format(
                "In \"{}\" the processors of this machine were busy for {:.1f} % of the time: its "
                "times include waiting for them.",
                mix.name, row.average));
}

/// Where databases are full, inserts become deletes: the run then has another load than the plan, and than the run before.
void addOtherMix(const MixResult& mix, const plan::StorageLoad& planned, std::vector<std::string>& remarks)
{
    constexpr double kLeast = 1; // percentage points
    constexpr double kChance = 4; // standard deviations of a share
    const StorageGroupRow& had = mix.storage->allGroups;
    const auto operations = static_cast<double>(had.inserted + had.deleted + had.replaced + had.retrieved);
    if (operations <= 0)
        return;
    const double inserts = 100 * static_cast<double>(had.inserted) / operations;
    const double share = planned.insert / 100.0;
    const double deviation = 100 * std::sqrt(share * (1 - share) / operations);
    if (planned.insert - inserts > std::max(kLeast, kChance * deviation))
        remarks.push_back(fmt::format("In \"{}\" {:.1f} % of the operations were inserts and {:.1f} % "
                                      "deletes; the plan has {} % and {} %. In "
                                      "full databases inserts become deletes.",
            mix.name, inserts, 100 * static_cast<double>(had.deleted) / operations, planned.insert,
            planned.erase));
}

} // namespace

std::vector<std::string> remarksOf(const std::vector<MixResult>& mixes, const plan::Plan& plan)
{
    std::vector<std::string> remarks;
    for (const MixResult& mix : mixes)
        if (mix.storage && mix.storage->hasLoad()) {
            addBusyProcessors(mix, remarks);
            if (const plan::StoragePlan* storage = plan.storage())
                addOtherMix(mix, storage->test.load, remarks);
        }
    return remarks;
}

} // namespace loadstone::analysis
