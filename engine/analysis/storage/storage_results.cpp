// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_results.h"

#include "history/recording_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace loadstone::analysis {

namespace {

using ResultKind = StorageResult::Kind;
using TestKind = plan::StorageTestKind;

static_assert(static_cast<int>(ResultKind::performance) == static_cast<int>(TestKind::performance)
    && static_cast<int>(ResultKind::stress) == static_cast<int>(TestKind::stress)
    && static_cast<int>(ResultKind::backup) == static_cast<int>(TestKind::backup)
    && static_cast<int>(ResultKind::recovery) == static_cast<int>(TestKind::recovery)
    && static_cast<int>(ResultKind::checksum) == static_cast<int>(TestKind::checksum));

/// 0 of what is no such number: recordings may be damaged.
std::uint64_t wholeOf(double value)
{
    return value >= 0 && value < 0x1p63 ? static_cast<std::uint64_t>(value) : 0;
}

std::optional<double> quotient(double value, double divisor)
{
    if (!(divisor > 0))
        return std::nullopt;
    return value / divisor;
}

std::optional<double> quotient(std::uint64_t value, std::uint64_t divisor)
{
    return quotient(static_cast<double>(value), static_cast<double>(divisor));
}

Nanoseconds milliseconds(double value)
{
    constexpr double kMost = 1e12; // three decades: sums stay within their type
    return Nanoseconds(std::llround(std::clamp(value, 0.0, kMost) * 1e6));
}

/// The sums by what they are of.
class Sums {
public:
    Sums(const RunHeader& header, const StorageSums& sums)
    {
        for (const auto& [id, sum] : sums.counters)
            m_byKey.emplace(header.counters[id].key, &sum);
    }
    [[nodiscard]] const CounterSum* find(const Subject& subject, Quantity quantity) const
    {
        const auto found = m_byKey.find(SeriesKey(quantity, subject));
        return found == m_byKey.end() ? nullptr : found->second;
    }
    /// Of a count; 0 where the recording does not have it.
    [[nodiscard]] std::uint64_t count(const Subject& subject, Quantity quantity) const
    {
        const CounterSum* sum = find(subject, quantity);
        return sum == nullptr ? 0 : wholeOf(sum->total);
    }

private:
    std::map<SeriesKey, const CounterSum*> m_byKey;
};

/// From the first read to the last one, of what records by tick for how many ms it was at work.
TimeWindow spanOf(const CounterSum& busy)
{
    const Nanoseconds first = milliseconds(busy.first), last = milliseconds(busy.latest);
    const Nanoseconds firstLength = busy.firstTick.end - busy.firstTick.begin;
    const Nanoseconds lastLength = busy.lastTick.end - busy.lastTick.begin;
    // At work to the end of the first tick, if there is another; and from the beginning of the last one.
    const bool several = busy.firstTick.begin != busy.lastTick.begin;
    return { several || first > firstLength ? busy.firstTick.end - first : busy.firstTick.begin,
        busy.lastTick.begin + std::min(last, lastLength) };
}

/// The time of several pieces of work together, from the begin of the first to the end of the last; of one alone its own. Ticks say for how
/// long each was at work, and not where in the tick: within one tick pieces that followed each other look as if they had been at once.
class Together {
public:
    void add(const CounterSum* busy)
    {
        if (busy == nullptr || !busy->active)
            return;
        const TimeWindow span = spanOf(*busy), ticks { busy->firstTick.begin, busy->lastTick.end };
        m_span = m_count == 0 ? span : unionOf(m_span, span);
        m_ticks = m_count == 0 ? ticks : unionOf(m_ticks, ticks);
        const Nanoseconds own = milliseconds(busy->total);
        m_sum += own;
        m_longest = std::max(m_longest, own);
        ++m_count;
    }
    /// Of pieces that may have been at work at once.
    [[nodiscard]] Nanoseconds time() const
    {
        return m_count <= 1 ? m_sum : std::max(m_longest, m_span.end - m_span.begin);
    }
    /// Of pieces that began one when another had ended, unless their ticks show that they did not.
    [[nodiscard]] Nanoseconds timeInTurn() const
    {
        return m_sum <= m_ticks.end - m_ticks.begin ? std::max(m_sum, time()) : time();
    }
    /// Adds a part whose pieces began in turn.
    void addInTurn(const Together& part)
    {
        if (part.m_count == 0)
            return;
        m_span = m_count == 0 ? part.m_span : unionOf(m_span, part.m_span);
        m_ticks = m_count == 0 ? part.m_ticks : unionOf(m_ticks, part.m_ticks);
        m_sum += part.timeInTurn();
        m_longest = std::max(m_longest, part.timeInTurn());
        ++m_count;
    }

private:
    static TimeWindow unionOf(TimeWindow a, TimeWindow b)
    {
        return { std::min(a.begin, b.begin), std::max(a.end, b.end) };
    }
    TimeWindow m_span; // as far as the ticks show it
    TimeWindow m_ticks; // whole ones
    Nanoseconds m_sum {}, m_longest {};
    std::size_t m_count = 0;
};

struct GroupCount {
    Quantity quantity;
    std::uint64_t StorageGroupRow::*figure;
};
constexpr GroupCount kGroupCounts[] {
    { Quantity::transactions, &StorageGroupRow::transactions },
    { Quantity::durableCommits, &StorageGroupRow::durableCommits },
    { Quantity::lazyCommits, &StorageGroupRow::lazyCommits },
    { Quantity::recordsInserted, &StorageGroupRow::inserted },
    { Quantity::recordsDeleted, &StorageGroupRow::deleted },
    { Quantity::recordsReplaced, &StorageGroupRow::replaced },
    { Quantity::recordsRead, &StorageGroupRow::retrieved },
    { Quantity::wrongRecords, &StorageGroupRow::wrongRecords },
    { Quantity::databaseReads, &StorageGroupRow::databaseReads },
    { Quantity::databaseWrites, &StorageGroupRow::databaseWrites },
    { Quantity::logWrites, &StorageGroupRow::logWrites },
    { Quantity::logBytes, &StorageGroupRow::logBytes },
    { Quantity::logFilesBegun, &StorageGroupRow::logFiles },
    { Quantity::pageFaultStalls, &StorageGroupRow::stalls },
};

/// Rates and quotients from the counts, over `length` seconds.
void complete(StorageGroupRow& row, double length, const CounterSum* stalls)
{
    const std::uint64_t transfers = row.databaseReads + row.databaseWrites;
    row.transactionRate = quotient(static_cast<double>(row.transactions), length);
    row.transferRate = quotient(static_cast<double>(transfers), length);
    row.logWriteRate = quotient(static_cast<double>(row.logWrites), length);
    row.stallRate = quotient(static_cast<double>(row.stalls), length);
    if (stalls != nullptr && stalls->samples > 0)
        row.highestStallRate = stalls->most;
    row.readsPerWrite = quotient(row.databaseReads, row.databaseWrites);
    row.transfersPerLogWrite = quotient(transfers, row.logWrites);
    row.transfersPerTransaction = quotient(transfers, row.transactions);
    row.bytesPerLogWrite = quotient(row.logBytes, row.logWrites);
}

void addGroups(StorageResult& result, const plan::StorageTest& test, const Sums& sums, double length,
    const CounterSum& stallsOfAll)
{
    StorageGroupRow& all = result.allGroups;
    bool cachesKnown = !test.groups.empty();
    std::uint64_t caches = 0;
    for (const plan::StorageGroupPlan& group : test.groups) {
        StorageGroupRow row;
        row.name = group.name;
        const Subject subject = Subject::ofGroup(group.name);
        for (const GroupCount& one : kGroupCounts) {
            row.*one.figure = sums.count(subject, one.quantity);
            all.*one.figure += row.*one.figure;
        }
        const CounterSum* cache = sums.find(subject, Quantity::cacheSize);
        cachesKnown = cachesKnown && cache != nullptr && cache->samples > 0;
        if (cache != nullptr && cache->samples > 0) {
            row.cacheBytes = wholeOf(cache->last);
            caches += *row.cacheBytes;
        }
        const CounterSum* sessions = sums.find(subject, Quantity::sessionsInUse);
        if (sessions != nullptr && sessions->samples > 0) {
            row.sessions = wholeOf(sessions->last);
            all.sessions = all.sessions.value_or(0) + *row.sessions;
        }
        complete(row, length, sums.find(subject, Quantity::pageFaultStalls));
        result.groups.push_back(std::move(row));
    }
    if (cachesKnown)
        all.cacheBytes = caches;
    complete(all, length, &stallsOfAll);
    result.achieved = all.transferRate;
    result.target = test.load.target();
}

/// What a level was when tick `first` began: at the end of the one before it, or else in that tick. NaN: nobody knows.
Result<double> levelAt(const Recording& recording, std::uint32_t counter, std::uint64_t first)
{
    const auto samples =
        history::readerOf(recording).ticks().samples(counter, { first > 0 ? first - 1 : 0, first + 1 });
    if (!samples)
        return samples.error();
    const auto known =
        std::find_if(samples->begin(), samples->end(), [](double sample) { return !std::isnan(sample); });
    return known == samples->end() ? std::nan("") : *known;
}

/// The databases' size before and after; known only where it is of every group.
Result<void> addSizes(StorageResult& result, const Recording& recording, const plan::StorageTest& test,
    history::TickRange range, const Sums& sums)
{
    if (range.empty() || test.groups.empty())
        return {};
    std::uint64_t begin = 0, end = 0;
    for (const plan::StorageGroupPlan& group : test.groups) {
        const SeriesKey key(Quantity::databaseSize, Subject::ofGroup(group.name));
        const CounterSum* size = sums.find(key.subject, *key.quantity);
        if (size == nullptr || size->samples == 0)
            return {};
        end += wholeOf(size->last);
        const auto counter = findSeries(recording.header().counters, key);
        if (!counter)
            return {};
        const auto before = levelAt(recording, *counter, range.first);
        if (!before)
            return before.error();
        if (std::isnan(*before))
            return {};
        begin += wholeOf(*before);
    }
    result.bytesAtBegin = begin;
    result.bytesAtEnd = end;
    return {};
}

struct VerificationCount {
    Quantity quantity;
    std::uint64_t VerificationRow::*figure;
};
constexpr VerificationCount kOfDatabase[] {
    { Quantity::pagesSeen, &VerificationRow::pages },
    { Quantity::badPages, &VerificationRow::bad },
    { Quantity::correctablePages, &VerificationRow::correctable },
    { Quantity::wrongPageNumbers, &VerificationRow::wrongPageNumber },
    { Quantity::pageBytesSeen, &VerificationRow::bytes },
};
constexpr VerificationCount kOfLog[] {
    { Quantity::logFilesSeen, &VerificationRow::files },
    { Quantity::badLogFiles, &VerificationRow::badFiles },
    { Quantity::logSegmentsSeen, &VerificationRow::segments },
    { Quantity::badLogSegments, &VerificationRow::badSegments },
    { Quantity::logBytesSeen, &VerificationRow::bytes },
};

/// Nothing of what was not read.
void addVerification(std::vector<VerificationRow>& rows, VerificationRow& all, const Subject& subject,
    std::span<const VerificationCount> counts, Quantity busy, const Sums& sums)
{
    VerificationRow row;
    row.name = instanceOf({ busy, subject });
    row.subject = subject;
    bool any = false;
    for (const VerificationCount& one : counts) {
        row.*one.figure = sums.count(subject, one.quantity);
        any = any || row.*one.figure > 0;
    }
    if (const CounterSum* time = sums.find(subject, busy))
        row.time = milliseconds(time->total);
    if (!any)
        return;
    for (const VerificationCount& one : counts)
        all.*one.figure += row.*one.figure;
    all.time += row.time;
    rows.push_back(std::move(row));
}

Subject databaseOf(const plan::StorageGroupPlan& group, std::size_t index)
{
    Subject subject = Subject::ofGroup(group.name);
    subject.database = static_cast<std::uint32_t>(index);
    return subject;
}

void addVerifications(StorageResult& result, const plan::StorageTest& test, const Sums& sums)
{
    for (const plan::StorageGroupPlan& group : test.groups) {
        for (std::size_t i = 0; i < group.databases.size(); ++i)
            addVerification(result.databases, result.allDatabases, databaseOf(group, i), kOfDatabase,
                Quantity::pageCheckTime, sums);
        addVerification(
            result.logs, result.allLogs, Subject::ofGroup(group.name), kOfLog, Quantity::logCheckTime, sums);
    }
}

BackupRow backupRow(const Subject& subject, std::uint64_t bytes, Nanoseconds time)
{
    return { subject.group,
        subject.database ? instanceOf({ Quantity::pageBytesSeen, subject }) : std::string(), bytes, time,
        quotient(static_cast<double>(bytes), seconds(time)), subject };
}

void addBackup(StorageResult& result, const plan::StorageTest& test, const Sums& sums)
{
    Together all;
    std::uint64_t bytesOfAll = 0;
    for (const plan::StorageGroupPlan& group : test.groups) {
        Together together;
        std::uint64_t bytesOfGroup = 0;
        for (std::size_t i = 0; i < group.databases.size(); ++i) {
            const Subject database = databaseOf(group, i);
            const std::uint64_t bytes = sums.count(database, Quantity::pageBytesSeen);
            if (bytes == 0)
                continue;
            Together alone;
            const CounterSum* busy = sums.find(database, Quantity::pageCheckTime);
            for (Together* time : { &alone, &together })
                time->add(busy);
            result.backup.push_back(backupRow(database, bytes, alone.time()));
            bytesOfGroup += bytes;
        }
        if (bytesOfGroup > 0)
            result.backup.push_back(
                backupRow(Subject::ofGroup(group.name), bytesOfGroup, together.timeInTurn()));
        all.addInTurn(together);
        bytesOfAll += bytesOfGroup;
    }
    if (bytesOfAll > 0)
        result.backup.push_back(backupRow({}, bytesOfAll, all.time()));
}

void addRecovery(StorageResult& result, const plan::StorageTest& test, const Sums& sums)
{
    Together together;
    RecoveryRow all;
    for (const plan::StorageGroupPlan& group : test.groups) {
        RecoveryRow row;
        row.group = group.name;
        const Subject subject = Subject::ofGroup(group.name);
        row.logs = sums.count(subject, Quantity::logsReplayed);
        row.transactions = sums.count(subject, Quantity::transactionsReplayed);
        row.pagesRestored = sums.count(subject, Quantity::pagesRestored);
        const CounterSum* busy = sums.find(subject, Quantity::recoveryTime);
        if (row.logs + row.transactions + row.pagesRestored == 0 && (busy == nullptr || !busy->active))
            continue;
        Together alone;
        alone.add(busy);
        together.add(busy);
        row.time = alone.time();
        row.secondsPerLog = quotient(seconds(row.time), static_cast<double>(row.logs));
        all.logs += row.logs;
        all.transactions += row.transactions;
        all.pagesRestored += row.pagesRestored;
        result.recovery.push_back(std::move(row));
    }
    if (result.recovery.empty())
        return;
    all.time = together.time();
    all.secondsPerLog = quotient(seconds(all.time), static_cast<double>(all.logs));
    result.recovery.push_back(std::move(all));
}

void addHost(StorageResult& result, const RunHeader& header, const StorageSums& sums)
{
    for (const std::uint32_t id : hostCounters(header)) {
        const auto found = sums.counters.find(id);
        if (found == sums.counters.end() || found->second.samples == 0)
            continue;
        const CounterSum& sum = found->second;
        result.host.push_back({ header.counters[id].counter, header.counters[id].unit, sum.average(),
            sum.least, sum.most, *header.counters[id].key.quantity });
    }
    if (result.hasLoad() && sums.stalls.samples > 0)
        result.host.push_back({ std::string(infoOf(Quantity::pageFaultStalls).counter), "/s",
            sums.stalls.average(), sums.stalls.least, sums.stalls.most, Quantity::pageFaultStalls });
}

} // namespace

Result<StorageResult> storageResultOf(const Recording& recording, const plan::StorageTest& test,
    const plan::StorageTestStep& step, history::TickRange range, const StorageSums& sums)
{
    StorageResult result;
    result.kind = static_cast<ResultKind>(step.kind);
    result.databaseFiles = test.databases();
    const Sums byName(recording.header(), sums);
    if (result.hasLoad()) {
        const auto& times = history::readerOf(recording).ticks().times();
        const double length =
            range.empty() ? 0 : seconds(times[range.last - 1].end - times[range.first].begin);
        addGroups(result, test, byName, length, sums.stalls);
        if (auto done = addSizes(result, recording, test, range, byName); !done)
            return done.error();
    }
    addVerifications(result, test, byName);
    if (result.kind == ResultKind::backup)
        addBackup(result, test, byName);
    if (result.kind == ResultKind::recovery)
        addRecovery(result, test, byName);
    addHost(result, recording.header(), sums);
    return result;
}

} // namespace loadstone::analysis
