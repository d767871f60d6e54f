// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/series_rows.h"

#include "history/layout.h"
#include "history/rows.h"
#include "history/text.h"

#include <array>
#include <limits>
#include <optional>

namespace loadstone::history {

namespace {

// The columns of a key, in the order of the functions below.
constexpr const char* kKeyColumns =
    "quantity, version, host, generator, target, volume, io_class, storage_group, "
    "database, worker, process, device, script, test, action, command";
constexpr int kKeyColumnCount = 16;

constexpr std::int64_t kNone = -1;
constexpr std::int64_t kMostNumber = 1'000'000; // databases of a group, workers

std::optional<std::uint32_t> numberOf(Statement& row, int column)
{
    const std::int64_t value = row.integer(column, kNone, kMostNumber);
    return value == kNone ? std::nullopt : std::optional(static_cast<std::uint32_t>(value));
}

std::int64_t columnOf(const std::optional<std::uint32_t>& number)
{
    return number ? std::int64_t { *number } : kNone;
}

/// "?1, ?2, ..."
std::string parameters(int count)
{
    std::string text = "?1";
    for (int i = 2; i <= count; ++i)
        text += ", ?" + std::to_string(i);
    return text;
}

/// Binds the columns, the first one to the parameter `first`; texts are copied.
void bindKey(Statement& insert, int first, const SeriesKey& key)
{
    const QuantityInfo* info = key.quantity ? &infoOf(*key.quantity) : nullptr;
    const Subject& subject = key.subject;
    const auto text = [&](std::string_view value) {
        insert.bindCopy(first++, validUtf8(std::string(value)));
    };
    const auto number = [&](std::int64_t value) { insert.bind(first++, value); };
    text(info != nullptr ? info->key : std::string_view());
    number(info != nullptr ? std::int64_t { info->version } : 0);
    text(subject.host);
    text(subject.generator);
    text(subject.target);
    text(subject.volume);
    text(subject.ioClass ? toString(*subject.ioClass) : "");
    text(subject.group);
    number(columnOf(subject.database));
    number(columnOf(subject.worker));
    text(subject.process);
    text(subject.device);
    text(subject.script);
    text(subject.test);
    text(subject.action ? toString(*subject.action) : "");
    text(subject.command);
}

/// An empty quantity gives a key of nothing.
Result<SeriesKey> keyOf(Statement& row, int first)
{
    SeriesKey key;
    const std::string quantity = row.text(first);
    if (!quantity.empty() && !(key.quantity = quantityOf(quantity)))
        return fail("a quantity \"" + quantity + "\", which this version does not know");
    if (key.quantity && row.integer(first + 1) != infoOf(*key.quantity).version)
        return fail("the quantity \"" + quantity + "\" in another version than this program's");
    Subject& subject = key.subject;
    subject.host = row.text(first + 2);
    subject.generator = row.text(first + 3);
    subject.target = row.text(first + 4);
    subject.volume = row.text(first + 5);
    const std::string ioClass = row.text(first + 6);
    subject.group = row.text(first + 7);
    subject.database = numberOf(row, first + 8);
    subject.worker = numberOf(row, first + 9);
    subject.process = row.text(first + 10);
    subject.device = row.text(first + 11);
    subject.script = row.text(first + 12);
    subject.test = row.text(first + 13);
    const std::string action = row.text(first + 14);
    subject.command = row.text(first + 15);
    if (!ioClass.empty() && !(subject.ioClass = ioClassOf(ioClass)))
        return fail("a class of I/O \"" + ioClass + "\", which this version does not know");
    if (!action.empty() && !(subject.action = actionKindOf(action)))
        return fail("an action \"" + action + "\", which this version does not know");
    return key;
}

Result<CounterInfo> counterIn(Statement& row, int first)
{
    const int afterKey = first + kKeyColumnCount;
    auto key = keyOf(row, first);
    if (!key)
        return key.error();
    CounterInfo info;
    if (key->quantity) {
        info = counterOf(*std::move(key));
    } else {
        info = counterOf(ForeignCounter {
            row.text(afterKey), row.text(afterKey + 1), row.text(afterKey + 2), row.text(afterKey + 3) });
        info.unit = row.text(afterKey + 4);
        info.counts = row.text(afterKey + 5);
        info.help = row.text(afterKey + 6);
        info.kind = choice(row, afterKey + 7, CounterKind::count);
    }
    if (info.kind == CounterKind::latency)
        return fail("a counter of latencies");
    return info;
}

Result<HistogramInfo> histogramIn(Statement& row, int first)
{
    const int afterKey = first + kKeyColumnCount;
    auto key = keyOf(row, first);
    const auto clock = latencyClockOf(row.text(afterKey));
    if (!key || !key->quantity || !clock || infoOf(*key->quantity).kind != SeriesKind::latency)
        return fail("a series of latencies" + (key ? std::string() : ": " + key.error().message));
    key->clock = clock;
    return histogramOf(*std::move(key), choice(row, afterKey + 1, LatencyScope::generator));
}

/// All series of a source, whose ids must be dense from `first` on; those that are not go into `later`, where a source has such.
template <class Info, class Take>
Result<std::vector<Info>> readSeries(Database& database, const std::string& file, const std::string& columns,
    const std::string& table, std::uint32_t source, std::uint32_t first, std::optional<std::uint32_t> count,
    const std::string& missing, std::vector<std::uint32_t>* later, Take take)
{
    std::vector<Info> all;
    Result<void> good;
    auto read = eachRow(database, file,
        "SELECT id, " + columns + " FROM " + table + " WHERE source = " + std::to_string(source)
            + " ORDER BY id",
        kMostSeries, [&](Statement& row) {
            if (!good)
                return; // the first thing that is wrong is told
            auto info = take(row);
            if (!info) {
                good = info.error();
                return;
            }
            info->id = static_cast<std::uint32_t>(all.size());
            const std::uint32_t series = number(row, 0, kMostSeries + kMostSourceSeries);
            const bool isNext = series == first + info->id;
            if (later == nullptr || all.empty() ? !isNext : series < first)
                good = fail(missing);
            else if (later != nullptr && (!isNext || !later->empty()))
                later->push_back(series);
            all.push_back(std::move(*info));
        });
    if (!read)
        return read.error();
    if (good && count && all.size() != *count)
        good = fail(missing);
    if (!good)
        return fail(file + ": damaged: " + good.error().message);
    return all;
}

std::optional<std::uint32_t> countOf(const SourcePlace& place, std::uint32_t count)
{
    return place.source == 0 ? std::nullopt : std::optional(count);
}

} // namespace

Result<void> insertCounters(
    Database& database, std::uint32_t source, std::uint32_t first, const std::vector<CounterInfo>& counters)
{
    constexpr int kAfterKey = 3 + kKeyColumnCount;
    auto row = database.prepare("INSERT INTO counter VALUES (" + parameters(kAfterKey + 7) + ")");
    if (!row)
        return row.error();
    for (const CounterInfo& info : counters) {
        row->bind(1, first++).bind(2, source);
        bindKey(*row, 3, info.key);
        const ForeignCounter foreign = info.key.foreign.value_or(ForeignCounter {});
        int column = kAfterKey;
        for (const std::string* text : { &foreign.computer, &foreign.object, &foreign.instance,
                 &foreign.counter, &info.unit, &info.counts, &info.help })
            row->bindCopy(column++, validUtf8(*text));
        if (auto done = row->bind(column, static_cast<int>(info.kind)).run(); !done)
            return done;
    }
    return {};
}

Result<void> insertHistograms(Database& database, std::uint32_t source, std::uint32_t first,
    const std::vector<HistogramInfo>& histograms)
{
    constexpr int kAfterKey = 3 + kKeyColumnCount;
    auto row = database.prepare("INSERT INTO histogram VALUES (" + parameters(kAfterKey + 1) + ")");
    if (!row)
        return row.error();
    for (const HistogramInfo& info : histograms) {
        row->bind(1, first++).bind(2, source);
        bindKey(*row, 3, info.key);
        row->bindCopy(kAfterKey, toString(info.clock)).bind(kAfterKey + 1, static_cast<int>(info.scope));
        if (auto done = row->run(); !done)
            return done;
    }
    return {};
}

Result<std::vector<CounterInfo>> readCounters(Database& database, const std::string& file, SourcePlace& place)
{
    place.later.clear();
    return readSeries<CounterInfo>(database, file,
        std::string(kKeyColumns)
            + ", foreign_computer, foreign_object, foreign_instance, foreign_counter, unit, counts, help, "
              "kind",
        "counter", place.source, place.firstCounter, countOf(place, place.counters), "counters are missing",
        place.source == 0 ? nullptr : &place.later, [](Statement& row) { return counterIn(row, 1); });
}

Result<std::vector<HistogramInfo>> readHistograms(
    Database& database, const std::string& file, const SourcePlace& place)
{
    return readSeries<HistogramInfo>(database, file, std::string(kKeyColumns) + ", clock, scope", "histogram",
        place.source, place.firstHistogram, countOf(place, place.histograms), "latency series are missing",
        nullptr, [](Statement& row) { return histogramIn(row, 1); });
}

} // namespace loadstone::history
