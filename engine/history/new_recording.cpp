// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/new_recording.h"

#include "base/posix_file.h"
#include "history/database.h"
#include "history/layout.h"
#include "history/migrations.h"
#include "history/text.h"

namespace loadstone::history {

namespace {

Result<void> insertRun(Database& database, const RunHeader& header, const ResultSeries& series)
{
    auto run =
        database.prepare("INSERT INTO run VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
                         "?14, ?15, ?16, '', 0)");
    if (!run)
        return run.error();
    const std::string title = validUtf8(header.title);
    const std::string planName = validUtf8(header.planName);
    const std::string planText = validUtf8(header.planText);
    const std::string versions = validUtf8(header.versionsJson);
    const std::string host = validUtf8(header.hostJson);
    const std::string computer = validUtf8(header.computer);
    run->bindText(1, header.id.text()).bindText(2, title).bind(3, header.started.time_since_epoch().count());
    run->bindText(4, planName).bindText(5, planText).bind(6, static_cast<std::int64_t>(header.seed));
    run->bindText(7, versions).bindText(8, host).bindText(9, computer).bind(10, header.plannedLength.count());
    const auto idOf = [](std::uint32_t counter) { // -1: none
        return counter == kNoCounter ? std::int64_t { -1 } : std::int64_t { counter };
    };
    run->bind(11, idOf(series.sent))
        .bind(12, idOf(series.received))
        .bind(13, series.attempts)
        .bind(14, series.failures);
    return run->bind(15, series.finalWindow.count()).bind(16, static_cast<int>(RunState::running)).run();
}

Result<void> insertTarget(Database& database, std::int64_t index, const TargetFacts& target)
{
    auto named = database.prepare("INSERT INTO target VALUES (?1, ?2)");
    auto mix = database.prepare("INSERT INTO target_mix (target, mix, mailboxes, threads, recipients) "
                                "VALUES (?1, ?2, ?3, ?4, ?5)");
    if (!named || !mix)
        return named ? mix.error() : named.error();
    const std::string name = validUtf8(target.name);
    if (auto done = named->bind(1, index).bindText(2, name).run(); !done)
        return done;
    for (std::size_t i = 0; i < target.mixes.size(); ++i) {
        const MixFacts& facts = target.mixes[i];
        mix->bind(1, index).bind(2, static_cast<std::int64_t>(i));
        mix->bind(3, static_cast<std::int64_t>(facts.mailboxes));
        mix->bind(4, static_cast<std::int64_t>(facts.threads));
        if (auto done = mix->bindReal(5, facts.recipientsPerMessage).run(); !done)
            return done;
    }
    return {};
}

Result<void> insertSeries(Database& database, const RunHeader& header, const ResultSeries& series)
{
    auto counter = database.prepare("INSERT INTO counter VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    auto histogram = database.prepare("INSERT INTO histogram VALUES (?1, ?2, ?3, ?4)");
    auto mix = database.prepare("INSERT INTO mix VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (const auto* statement : { &counter, &histogram, &mix })
        if (!*statement)
            return statement->error();
    for (const CounterInfo& info : header.counters) {
        std::string texts[7];
        int column = 2;
        for (const auto* text : { &info.computer, &info.object, &info.instance, &info.counter, &info.unit,
                 &info.counts, &info.help }) {
            texts[column - 2] = validUtf8(*text);
            counter->bindText(column, texts[column - 2]);
            ++column;
        }
        if (auto done = counter->bind(1, info.id).bind(9, static_cast<int>(info.kind)).run(); !done)
            return done;
    }
    for (const HistogramInfo& info : header.histograms) {
        const std::string name = validUtf8(info.name);
        histogram->bind(1, info.id)
            .bind(2, static_cast<int>(info.scope))
            .bind(3, static_cast<int>(info.clock));
        if (auto done = histogram->bindText(4, name).run(); !done)
            return done;
    }
    for (std::size_t i = 0; i < series.targets.size(); ++i)
        if (auto done = insertTarget(database, static_cast<std::int64_t>(i), series.targets[i]); !done)
            return done;
    for (std::size_t i = 0; i < series.mixes.size(); ++i) {
        const MixFacts& facts = series.mixes[i];
        const std::string name = validUtf8(facts.name);
        mix->bind(1, static_cast<std::int64_t>(i))
            .bindText(2, name)
            .bind(3, static_cast<std::int64_t>(facts.mailboxes));
        mix->bind(4, static_cast<std::int64_t>(facts.threads)).bindReal(5, facts.recipientsPerMessage);
        if (auto done = mix->bind(6, facts.measurement.count()).run(); !done)
            return done;
    }
    return {};
}

Result<void> checkHeader(
    const std::filesystem::path& file, const RunHeader& header, const ResultSeries& series)
{
    const auto bad = [&](const std::string& what) { return fail(file.string() + ": " + what); };
    for (std::size_t i = 0; i < header.counters.size(); ++i)
        if (header.counters[i].id != i)
            return bad("counter ids must count from 0");
    for (std::size_t i = 0; i < header.histograms.size(); ++i)
        if (header.histograms[i].id != i)
            return bad("histogram ids must count from 0");
    if (header.counters.size() > kMostSeries || header.histograms.size() > kMostSeries)
        return bad("more than " + std::to_string(kMostSeries) + " counters or histograms");
    const bool messages = series.sent != kNoCounter || series.received != kNoCounter;
    for (const std::uint32_t id : { messages ? series.sent : series.attempts,
             messages ? series.received : series.attempts, series.attempts, series.failures })
        if (id >= header.counters.size() || header.counters[id].kind != CounterKind::count)
            return bad("results need counters of kind count");
    return {};
}

Result<void> writeFresh(
    const std::filesystem::path& file, const RunHeader& header, const ResultSeries& series)
{
    auto database = Database::open(file, Database::Access::create);
    if (!database)
        return database.error();
    if (auto done = database->execute("PRAGMA page_size=4096; PRAGMA journal_mode=WAL"); !done)
        return done;
    if (auto done = migrate(*database, recordingKind()); !done)
        return done;
    {
        auto transaction = Transaction::begin(*database, true);
        if (!transaction)
            return transaction.error();
        if (auto done = insertRun(*database, header, series); !done)
            return done;
        if (auto done = insertSeries(*database, header, series); !done)
            return done;
        if (auto done = transaction->commit(); !done)
            return done;
    }
    // All of it in the one file that gets the name: what is left in a log beside it would be lost with the renaming, which is what a
    // full disk makes of it.
    return database->checkpoint();
}

} // namespace

Result<void> createRecording(
    const std::filesystem::path& file, const RunHeader& header, const ResultSeries& series)
{
    if (auto good = checkHeader(file, header, series); !good)
        return good;
    auto fresh = TemporaryFile::beside(file, 0600); // its side files get the same permissions
    if (!fresh)
        return fresh.error();
    if (auto written = writeFresh(fresh->path(), header, series); !written)
        return written;
    return fresh->become(false);
}

} // namespace loadstone::history
