// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/rate_criteria.h"

#include "analysis/storage/storage_companions.h"
#include "analysis/storage/storage_sums.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace loadstone::analysis {

namespace {

using namespace std::chrono_literals;
using Kind = Criterion::Kind;

std::string rateText(double perSecond)
{
    return formatNumber(perSecond) + "/s";
}

/// Database reads and writes per second, of all groups.
Result<std::vector<double>> transferRates(const Recording& recording, const std::vector<Stretch>& stretches)
{
    std::vector<std::uint32_t> ids = groupCounters(recording.header(), Quantity::databaseReads);
    const std::vector<std::uint32_t> writes = groupCounters(recording.header(), Quantity::databaseWrites);
    ids.insert(ids.end(), writes.begin(), writes.end());
    return meanValues(recording, ids, stretches);
}

} // namespace

Result<void> judgePageFaultStalls(LoadMeasurement& load, std::vector<Criterion>& judged)
{
    Criterion criterion = atMost(Kind::pageFaultStalls, "", load.test().limits.pageFaultStalls);
    const std::vector<std::uint32_t> ids =
        groupCounters(load.recording().header(), Quantity::pageFaultStalls);
    const auto value = load.ratePerSecond(ids);
    const auto samples = meanValues(load.recording(), ids, load.samples());
    if (!value || !samples)
        return value ? samples.error() : value.error();
    criterion.value = *value;
    criterion.met = criterion.value && *criterion.value <= load.test().limits.pageFaultStalls;
    if (criterion.value.value_or(0) > 0 && !samples->empty()) {
        std::vector<bool> any, above;
        std::size_t highest = 0;
        for (std::size_t i = 0; i < samples->size(); ++i) {
            any.push_back((*samples)[i] > 0);
            above.push_back((*samples)[i] > load.test().limits.pageFaultStalls);
            if ((*samples)[i] > (*samples)[highest])
                highest = i;
        }
        criterion.reason = fmt::format("in {} of {} samples; highest {}, {}", std::ranges::count(any, true),
            any.size(), rateText((*samples)[highest]), windowText(load.samples()[highest].window));
        if (!criterion.met)
            if (const auto done = load.explain(criterion.reason, "samples above the limit: ", above, false);
                !done)
                return done;
    }
    criterion.failedSince = load.meanFailsSince(*samples, criterion);
    judged.push_back(std::move(criterion));
    return {};
}

Result<void> judgeTransferRate(LoadMeasurement& load, std::vector<Criterion>& judged)
{
    // What mailboxes ask for was settled when the plan was read.
    if (!load.test().load.target())
        return {};
    const double target = *load.test().load.target();
    Criterion criterion;
    criterion.kind = Kind::transferRate;
    criterion.least = target * (1 - load.test().limits.margin);
    const auto read = load.ratePerSecond(groupCounters(load.recording().header(), Quantity::databaseReads));
    const auto written =
        load.ratePerSecond(groupCounters(load.recording().header(), Quantity::databaseWrites));
    const auto samples = transferRates(load.recording(), load.samples());
    if (!read || !written || !samples)
        return !read ? read.error() : !written ? written.error() : samples.error();
    if (*read && *written) {
        criterion.value = **read + **written;
        criterion.met = *criterion.value >= *criterion.least;
        criterion.reason = fmt::format(
            "{} reads, {} writes; target {:.10g}/s", rateText(**read), rateText(**written), target);
    }
    if (criterion.value && !criterion.met) {
        std::vector<bool> below;
        for (const double rate : *samples)
            below.push_back(rate < *criterion.least);
        if (const auto done = load.explain(criterion.reason, "samples below the limit: ", below); !done)
            return done;
    }
    criterion.failedSince = load.meanFailsSince(*samples, criterion);
    judged.push_back(std::move(criterion));
    return {};
}

Result<void> judgeMinutes(LoadMeasurement& load, std::vector<Criterion>& judged)
{
    const plan::StorageLoad& asked = load.test().load;
    if (asked.pacing == plan::StoragePacing::threads || asked.tuning || !asked.target())
        return {};
    Criterion criterion = atMost(Kind::minutesOffTarget, "", 0);
    // A shorter measurement is judged as a whole.
    const bool brief = load.planned() < 1min;
    const TimeWindow window = load.window();
    const bool whole = brief && !load.open() && 10 * (window.end - window.begin) >= 9 * load.planned();
    const std::vector<Stretch> stretches =
        stretchesOf(load.recording(), window, 1min, whole ? Rest::takeLarge : Rest::leaveOut);
    const auto rates = transferRates(load.recording(), stretches);
    if (!rates)
        return rates.error();
    std::vector<bool> off, failing;
    bool any = false;
    for (const double rate : *rates) {
        off.push_back(
            !(std::abs(rate - asked.targetIops) <= asked.margin * asked.targetIops)); // NaN: nothing
        any = any || off.back();
        failing.push_back(any);
    }
    if (rates->empty()) {
        criterion.cannotTell = true;
        criterion.reason = brief ? "the measurement is not complete" : "no complete minute";
        judged.push_back(std::move(criterion));
        return {};
    }
    criterion.value = static_cast<double>(std::ranges::count(off, true));
    criterion.met = !any;
    criterion.failedSince = failsSince(stretches, failing);
    const auto [least, most] = std::minmax_element(rates->begin(), rates->end());
    const std::string target =
        fmt::format("; target {:.10g}/s, within {:.4g} %", asked.targetIops, asked.margin * 100);
    if (brief)
        criterion.reason =
            fmt::format("{} over the measurement, which is shorter than a minute", rateText(*most)) + target;
    else
        criterion.reason =
            fmt::format("of {}, between {} and {}", rates->size(), rateText(*least), rateText(*most))
            + target;
    if (any && !brief)
        addPart(criterion.reason, "minutes outside: " + describePattern(stretches, off, "minutes"));
    judged.push_back(std::move(criterion));
    return {};
}

} // namespace loadstone::analysis
