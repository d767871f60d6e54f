// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than most: one writer, whose checks, chunks and transactions share the state of the source that it writes.
#include "history/counter_codec.h"
#include "history/database.h"
#include "history/layout.h"
#include "history/migrations.h"
#include "history/recording_writer.h"
#include "history/seal.h"
#include "history/series_rows.h"
#include "history/text.h"

#include <loadstone/source.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

namespace loadstone {

using history::Database;
using history::HotTick;
using history::kChunkTicks;
using history::kKeptHot;
using history::kLongestRun;
using history::SourcePlace;
using history::tickId;
using history::Transaction;

namespace {

Result<void> checkOffset(const std::string& file, Nanoseconds offset)
{
    if (offset < -kLongestRun || offset > kLongestRun)
        return fail(file + ": an offset of a source of more than ten years");
    return {};
}

Result<void> checkCounter(const std::string& file, const CounterInfo& info, std::size_t id)
{
    if (info.id != id)
        return fail(file + ": counter ids of a source must count from 0");
    if (info.key.quantity.has_value() == info.key.foreign.has_value() || info.kind == CounterKind::latency)
        return fail(file + ": counter " + std::to_string(id)
            + " of a source is neither of the table's nor a foreign one");
    return {};
}

Result<void> checkFacts(const std::string& file, const SourceFacts& facts)
{
    const auto bad = [&](const std::string& what) { return fail(file + ": " + what); };
    if (facts.counters.size() > history::kMostSeries || facts.histograms.size() > history::kMostSeries)
        return bad(
            "a source with more than " + std::to_string(history::kMostSeries) + " counters or histograms");
    for (std::size_t i = 0; i < facts.counters.size(); ++i)
        if (auto good = checkCounter(file, facts.counters[i], i); !good)
            return good;
    for (std::size_t i = 0; i < facts.histograms.size(); ++i) {
        const HistogramInfo& info = facts.histograms[i];
        if (info.id != i)
            return bad("histogram ids of a source must count from 0");
        if (!info.key.quantity || !info.key.clock || infoOf(*info.key.quantity).kind != SeriesKind::latency)
            return bad("latencies " + std::to_string(i) + " of a source have no key of latencies");
    }
    if (facts.began.time_since_epoch() < Nanoseconds(0))
        return bad("a source that began before 1970");
    return checkOffset(file, facts.offset);
}

Result<Database> openRecording(const std::filesystem::path& file)
{
    auto database = Database::open(file, Database::Access::write);
    if (!database)
        return database.error();
    if (auto known = history::checkKind(*database, file.string(), history::recordingKind()); !known)
        return known.error();
    // The writer of a live run folds the log into the file itself; to do so here would hold it up.
    if (auto done = database->execute("PRAGMA wal_autocheckpoint=0"); !done)
        return done.error();
    return database;
}

/// The first column of the one row that the query gives.
Result<std::int64_t> oneNumber(Database& database, const std::string& query, std::int64_t highest)
{
    auto row = database.prepare(query);
    if (!row)
        return row.error();
    if (auto found = row->next(); !found)
        return found.error();
    const std::int64_t value = row->integer(0, 0, highest);
    if (auto good = row->sound(); !good)
        return good.error();
    return value;
}

Result<void> addMove(Database& database, std::uint32_t source, Nanoseconds offset)
{
    auto move = database.prepare("INSERT INTO source_move (source, made, offset) VALUES (?1, ?2, ?3)");
    if (!move)
        return move.error();
    move->bind(1, source).bind(2, std::max<std::int64_t>(0, wallNow().time_since_epoch().count()));
    return move->bind(3, offset.count()).run();
}

/// The row has the id of the source that says it, so that it can go with it. Older recordings have numbered them.
Result<void> addRole(Database& database, std::uint32_t source, const SourceFacts& facts)
{
    if (facts.role.empty())
        return {};
    auto row = database.prepare("INSERT INTO role (id, computer, role) VALUES "
                                "(iif(EXISTS (SELECT 1 FROM role WHERE id = ?3), NULL, ?3), ?1, ?2)");
    if (!row)
        return row.error();
    row->bind(3, source);
    row->bindCopy(1, history::validUtf8(facts.computer));
    return row->bindCopy(2, history::validUtf8(facts.role)).run();
}

Result<void> checkThere(Database& database, const std::string& file, std::uint32_t source)
{
    const auto found = oneNumber(database,
        fmt::format(
            "SELECT count(*) FROM source WHERE id = {} AND complete <> {}", source, history::kSourceRemoved),
        1);
    if (!found)
        return found.error();
    return *found == 1 ? Result<void>() : fail(file + ": no source " + std::to_string(source));
}

} // namespace

class SourceWriter::Impl {
public:
    Impl(std::string file, Database database)
        : m_file(std::move(file))
        , m_database(std::move(database))
    {
    }
    Result<void> begin(const SourceFacts& facts);
    Result<void> addCounters(std::span<const CounterInfo> counters);
    Result<void> append(std::span<const SourceTick> ticks);
    Result<void> finish();
    [[nodiscard]] std::uint32_t id() const { return m_place.source; }
    [[nodiscard]] std::size_t counters() const { return m_counters.size(); }
    [[nodiscard]] std::uint64_t ticks() const { return m_sealed + m_stored; }

private:
    Result<void> place(const SourceFacts& facts);
    Result<void> addSome(std::span<const CounterInfo> counters);
    Result<void> fillSealed(std::uint32_t series);
    Result<HotTick> checked(const SourceTick& tick, std::uint64_t number, Nanoseconds previousEnd) const;
    Result<void> store();
    Result<void> seal(std::size_t ticks);
    Result<void> storeHot();

    std::string m_file;
    Database m_database;
    SourcePlace m_place;
    std::vector<CounterKind> m_counters;
    std::uint64_t m_sealed = 0; // ticks in chunks
    std::vector<HotTick> m_hot; // ticks m_sealed and on
    std::size_t m_stored = 0; // so many of them have rows
    Nanoseconds m_end {};
    bool m_finished = false;
};

Result<void> SourceWriter::Impl::begin(const SourceFacts& facts)
{
    auto transaction = Transaction::begin(m_database, true);
    if (!transaction)
        return transaction.error();
    if (auto done = place(facts); !done)
        return done;
    auto row = m_database.prepare("INSERT INTO source VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9)");
    if (!row)
        return row.error();
    row->bind(1, m_place.source).bindCopy(2, history::validUtf8(facts.origin));
    row->bindCopy(3, history::validUtf8(facts.computer));
    row->bind(4, std::max<std::int64_t>(0, wallNow().time_since_epoch().count()));
    row->bind(5, facts.began.time_since_epoch().count())
        .bind(6, m_place.firstCounter)
        .bind(7, m_place.counters);
    if (auto done = row->bind(8, m_place.firstHistogram).bind(9, m_place.histograms).run(); !done)
        return done;
    if (auto done = addMove(m_database, m_place.source, facts.offset); !done)
        return done;
    if (auto done = history::insertCounters(m_database, m_place.source, m_place.firstCounter, facts.counters);
        !done)
        return done;
    if (auto done =
            history::insertHistograms(m_database, m_place.source, m_place.firstHistogram, facts.histograms);
        !done)
        return done;
    if (auto done = addRole(m_database, m_place.source, facts); !done)
        return done;
    for (const CounterInfo& info : facts.counters)
        m_counters.push_back(info.kind);
    return transaction->commit();
}

Result<void> SourceWriter::Impl::addCounters(std::span<const CounterInfo> counters)
{
    if (m_finished)
        return fail(m_file + ": this source is finished");
    for (std::size_t i = 0; i < counters.size(); ++i)
        if (auto good = checkCounter(m_file, counters[i], m_counters.size() + i); !good)
            return good;
    if (m_counters.size() + counters.size() > history::kMostSeries)
        return fail(
            m_file + ": a source with more than " + std::to_string(history::kMostSeries) + " counters");
    // Each counter gets two rows for each chunk of before: so many counters at once that other writers do not wait long.
    constexpr std::size_t kRowsAtOnce = 2000;
    const std::size_t rows = 1 + 2 * (m_sealed / kChunkTicks);
    const std::size_t atOnce = std::max<std::size_t>(1, kRowsAtOnce / rows);
    for (std::size_t at = 0; at < counters.size(); at += atOnce)
        if (auto done = addSome(counters.subspan(at, std::min(atOnce, counters.size() - at))); !done)
            return done;
    return {};
}

/// All or none of them.
Result<void> SourceWriter::Impl::addSome(std::span<const CounterInfo> counters)
{
    constexpr std::int64_t kMost = history::kMostSeries + history::kMostSourceSeries;
    auto transaction = Transaction::begin(m_database, true);
    if (!transaction)
        return transaction.error();
    const auto first = oneNumber(m_database, "SELECT coalesce(max(id), -1) + 1 FROM counter", kMost);
    if (!first)
        return first.error();
    if (*first + static_cast<std::int64_t>(counters.size()) > kMost)
        return fail(m_file + ": more series than a recording holds");
    SourcePlace place = m_place;
    if (place.counters == 0)
        place.firstCounter = static_cast<std::uint32_t>(*first);
    for (std::uint32_t i = 0; i < counters.size(); ++i, ++place.counters)
        if (m_place.counters > 0)
            place.later.push_back(static_cast<std::uint32_t>(*first) + i);
    if (auto done = history::insertCounters(m_database, place.source, static_cast<std::uint32_t>(*first),
            { counters.begin(), counters.end() });
        !done)
        return done;
    for (std::size_t i = 0; i < counters.size(); ++i)
        if (auto done = fillSealed(static_cast<std::uint32_t>(*first) + static_cast<std::uint32_t>(i)); !done)
            return done;
    auto count = m_database.prepare("UPDATE source SET counters = ?2, first_counter = ?3 WHERE id = ?1");
    if (!count)
        return count.error();
    if (auto done = count->bind(1, place.source).bind(2, place.counters).bind(3, place.firstCounter).run();
        !done)
        return done;
    if (auto done = transaction->commit(); !done)
        return done;
    m_place = std::move(place);
    for (const CounterInfo& info : counters)
        m_counters.push_back(info.kind);
    for (HotTick& tick : m_hot)
        tick.samples.resize(m_counters.size(), std::numeric_limits<double>::quiet_NaN());
    return {};
}

/// A series that comes late has chunks without samples for the ticks that are sealed: so a chunk that is missing stays damage.
Result<void> SourceWriter::Impl::fillSealed(std::uint32_t series)
{
    if (m_sealed == 0)
        return {};
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    const std::string samples =
        history::encodeCounter(std::vector<double>(kChunkTicks, std::numeric_limits<double>::quiet_NaN()));
    const std::string extremes = history::encodeBricks(std::vector<history::CounterBrick>(
        kChunkTicks / history::kBrickTicks, history::CounterBrick { kNone, kNone, kNone, 0 }));
    auto chunk = m_database.prepare("INSERT INTO counter_chunk VALUES (?1, ?2)");
    auto brick = m_database.prepare("INSERT INTO counter_brick VALUES (?1, ?2)");
    if (!chunk || !brick)
        return chunk ? brick.error() : chunk.error();
    for (std::uint64_t at = 0; at < m_sealed; at += kChunkTicks) {
        if (auto done = chunk->bind(1, history::chunkId(series, at)).bindBlob(2, samples).run(); !done)
            return done;
        if (auto done = brick->bind(1, history::chunkId(series, at)).bindBlob(2, extremes).run(); !done)
            return done;
    }
    return {};
}

/// Behind all series that the file has; within the transaction, so that no other process takes the same place.
Result<void> SourceWriter::Impl::place(const SourceFacts& facts)
{
    constexpr std::int64_t kMost = history::kMostSeries + history::kMostSourceSeries;
    const auto source = oneNumber(m_database, "SELECT coalesce(max(id), 0) + 1 FROM source", kMost);
    const auto counter = oneNumber(m_database, "SELECT coalesce(max(id), -1) + 1 FROM counter", kMost);
    const auto histogram = oneNumber(m_database, "SELECT coalesce(max(id), -1) + 1 FROM histogram", kMost);
    for (const auto* number : { &source, &counter, &histogram })
        if (!*number)
            return number->error();
    if (*source > history::kMostSources)
        return fail(m_file + ": more than " + std::to_string(history::kMostSources) + " sources");
    m_place = { static_cast<std::uint32_t>(*source), static_cast<std::uint32_t>(*counter),
        static_cast<std::uint32_t>(facts.counters.size()), static_cast<std::uint32_t>(*histogram),
        static_cast<std::uint32_t>(facts.histograms.size()) };
    if (*counter + m_place.counters > kMost || *histogram + m_place.histograms > kMost)
        return fail(m_file + ": more series than a recording holds");
    return {};
}

Result<HotTick> SourceWriter::Impl::checked(
    const SourceTick& tick, std::uint64_t number, Nanoseconds previousEnd) const
{
    const auto bad = [&](const std::string& what) {
        return fail(m_file + ": tick " + std::to_string(number) + " of a source " + what);
    };
    if (number >= history::kMostTicks)
        return bad("is beyond what a recording can hold");
    HotTick hot { { tick.begin, tick.end, 0 }, tick.values, {} };
    if (!follows(hot.time, previousEnd))
        return bad("does not follow the previous tick in time");
    if (hot.samples.size() > m_counters.size())
        return bad("has more values than there are counters");
    hot.samples.resize(m_counters.size(), std::numeric_limits<double>::quiet_NaN());
    for (double& value : hot.samples)
        if (!std::isfinite(value))
            value = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < tick.histograms.size(); ++i) {
        const auto& [id, histogram] = tick.histograms[i];
        if (id >= m_place.histograms || (i > 0 && id <= tick.histograms[i - 1].first))
            return bad("has histograms out of order");
        if (!histogram.empty())
            hot.latencies.emplace_back(id, histogram.encode());
    }
    return hot;
}

Result<void> SourceWriter::Impl::append(std::span<const SourceTick> ticks)
{
    if (m_finished)
        return fail(m_file + ": this source is finished");
    std::vector<HotTick> fresh;
    Nanoseconds end = m_end;
    for (const SourceTick& tick : ticks) {
        auto hot = checked(tick, m_sealed + m_hot.size() + fresh.size(), end);
        if (!hot)
            return hot.error();
        end = hot->time.end;
        fresh.push_back(std::move(*hot));
    }
    std::move(fresh.begin(), fresh.end(), std::back_inserter(m_hot));
    const auto done = store();
    m_hot.resize(m_stored); // of what failed nothing is left, so that it may be written again
    if (!m_hot.empty())
        m_end = m_hot.back().time.end;
    return done;
}

Result<void> SourceWriter::Impl::store()
{
    while (m_hot.size() >= kChunkTicks + kKeptHot)
        if (auto done = seal(kChunkTicks); !done)
            return done;
    return storeHot();
}

Result<void> SourceWriter::Impl::seal(std::size_t ticks)
{
    std::optional<Transaction> transaction;
    const auto open = [&]() -> Result<void> {
        auto begun = Transaction::begin(m_database, true);
        if (!begun)
            return begun.error();
        transaction.emplace(std::move(*begun));
        return {};
    };
    const auto pause = [&]() -> Result<void> {
        if (auto done = transaction->commit(); !done)
            return done;
        return open();
    };
    auto done = open();
    if (done)
        done = history::sealTicks(
            m_database, m_place, m_sealed, std::span(m_hot).first(ticks), m_counters, pause);
    if (done)
        done = transaction->commit();
    if (!done)
        return done; // a part of the chunk may be there: the next attempt replaces it
    m_end = m_hot[ticks - 1].time.end;
    m_hot.erase(m_hot.begin(), m_hot.begin() + static_cast<std::ptrdiff_t>(ticks));
    m_sealed += ticks;
    m_stored -= std::min(m_stored, ticks);
    return {};
}

Result<void> SourceWriter::Impl::storeHot()
{
    if (m_stored == m_hot.size())
        return {};
    auto transaction = Transaction::begin(m_database, true);
    if (!transaction)
        return transaction.error();
    auto insert = m_database.prepare("INSERT INTO hot VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    if (!insert)
        return insert.error();
    for (std::size_t i = m_stored; i < m_hot.size(); ++i)
        if (auto done = history::insertHot(*insert, tickId(m_place.source, m_sealed + i), m_hot[i]); !done)
            return done;
    if (auto done = transaction->commit(); !done)
        return done;
    m_stored = m_hot.size();
    return {};
}

Result<void> SourceWriter::Impl::finish()
{
    if (m_finished)
        return fail(m_file + ": this source is finished");
    while (!m_hot.empty())
        if (auto done = seal(std::min<std::size_t>(m_hot.size(), kChunkTicks)); !done)
            return done;
    auto whole = m_database.prepare("UPDATE source SET complete = 1 WHERE id = ?1 AND complete = 0");
    if (!whole)
        return whole.error();
    if (auto done = whole->bind(1, m_place.source).run(); !done)
        return done;
    m_finished = true;
    return {};
}

SourceWriter::SourceWriter(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}
SourceWriter::SourceWriter(SourceWriter&&) noexcept = default;
SourceWriter& SourceWriter::operator=(SourceWriter&&) noexcept = default;
SourceWriter::~SourceWriter() = default;

Result<SourceWriter> SourceWriter::create(const std::filesystem::path& recording, const SourceFacts& facts)
{
    if (auto good = checkFacts(recording.string(), facts); !good)
        return good.error();
    auto database = openRecording(recording);
    if (!database)
        return database.error();
    auto impl = std::make_unique<Impl>(recording.string(), std::move(*database));
    if (auto begun = impl->begin(facts); !begun)
        return begun.error();
    return SourceWriter(std::move(impl));
}

std::uint32_t SourceWriter::id() const
{
    return m_impl->id();
}
Result<void> SourceWriter::addCounters(std::span<const CounterInfo> counters)
{
    return m_impl->addCounters(counters);
}
std::size_t SourceWriter::counters() const
{
    return m_impl->counters();
}
std::uint64_t SourceWriter::ticks() const
{
    return m_impl->ticks();
}
Result<void> SourceWriter::append(std::span<const SourceTick> ticks)
{
    return m_impl->append(ticks);
}
Result<void> SourceWriter::finish()
{
    return m_impl->finish();
}

Result<std::uint32_t> attachSource(
    const std::filesystem::path& recording, const SourceFacts& facts, std::span<const SourceTick> ticks)
{
    auto writer = SourceWriter::create(recording, facts);
    if (!writer)
        return writer.error();
    if (auto done = writer->append(ticks); !done)
        return done.error();
    if (auto done = writer->finish(); !done)
        return done.error();
    return writer->id();
}

namespace {

/// Changes one source of a recording, in a transaction that any process may make.
template <class Change>
Result<void> changeSource(const std::filesystem::path& recording, std::uint32_t source, Change change)
{
    auto database = openRecording(recording);
    if (!database)
        return database.error();
    auto transaction = Transaction::begin(*database, true);
    if (!transaction)
        return transaction.error();
    if (auto there = checkThere(*database, recording.string(), source); !there)
        return there;
    const Result<void> done = change(*database);
    return done ? transaction->commit() : done;
}

} // namespace

Result<void> moveSource(const std::filesystem::path& recording, std::uint32_t source, Nanoseconds offset)
{
    if (auto good = checkOffset(recording.string(), offset); !good)
        return good;
    return changeSource(
        recording, source, [&](Database& database) { return addMove(database, source, offset); });
}

Result<void> removeSource(const std::filesystem::path& recording, std::uint32_t source)
{
    return changeSource(recording, source, [&](Database& database) -> Result<void> {
        const auto isLog = oneNumber(database,
            fmt::format("SELECT origin LIKE '{}%' FROM source WHERE id = {}", kLogOrigin, source), 1);
        if (!isLog)
            return isLog.error();
        if (*isLog == 0)
            return fail(fmt::format(
                "{}: source {} was measured during the run and belongs to it; only a log that was "
                "attached can be removed",
                recording.string(), source));
        // The role goes with the source that says it, or with the last one of its computer: attached again it may have another one.
        return database.execute(fmt::format(
            "UPDATE source SET complete = {0} WHERE id = {1};"
            "DELETE FROM role WHERE computer = (SELECT computer FROM source WHERE id = {1}) AND (id = {1} OR "
            "NOT EXISTS (SELECT 1 FROM source WHERE source.computer = role.computer AND complete <> {0}))",
            history::kSourceRemoved, source));
    });
}

} // namespace loadstone
