// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_verdict.h"

#include "analysis/storage/latency_criteria.h"
#include "analysis/storage/load_measurement.h"
#include "analysis/storage/rate_criteria.h"
#include "analysis/storage/storage_findings.h"

#include <iterator>
#include <utility>

namespace loadstone::analysis {

namespace {

Result<std::vector<Criterion>> judgeLoad(const Recording& recording, const plan::StorageTest& test,
    const plan::StorageTestStep& step, const Phase& phase)
{
    LoadMeasurement load(recording, test, step, phase);
    const plan::LatencyLimits& limits = load.limits();
    std::vector<Criterion> judged;
    if (const auto done = judgeLatencies(
            load, IoClass::databaseRead, limits.averageDatabaseRead, limits.maximumDatabaseRead, judged);
        !done)
        return done.error();
    if (const auto done =
            judgeLatencies(load, IoClass::logWrite, limits.averageLogWrite, limits.maximumLogWrite, judged);
        !done)
        return done.error();
    for (const auto judge : { judgePageFaultStalls, judgeTransferRate, judgeMinutes })
        if (const auto done = judge(load, judged); !done)
            return done.error();
    return judged;
}

} // namespace

Result<std::vector<Criterion>> judgeStorageTest(
    const Recording& recording, const plan::StorageTest& test, const Phase& measurement, bool chosen)
{
    std::vector<Criterion> criteria;
    if (measurement.mix < 0 || static_cast<std::size_t>(measurement.mix) >= test.tests.size())
        return criteria;
    const plan::StorageTestStep& step = test.tests[static_cast<std::size_t>(measurement.mix)];
    if (step.isLoad()) {
        auto judged = judgeLoad(recording, test, step, measurement);
        if (!judged)
            return judged.error();
        criteria = *std::move(judged);
    }
    const auto window =
        chosen ? std::optional(TimeWindow { measurement.begin, measurement.end }) : std::nullopt;
    auto findings = judgeFindings(recording, measurement.mix, step.kind, window);
    if (!findings)
        return findings.error();
    std::move(findings->begin(), findings->end(), std::back_inserter(criteria));
    return criteria;
}

} // namespace loadstone::analysis
