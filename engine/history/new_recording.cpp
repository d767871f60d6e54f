// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/new_recording.h"

#include "base/posix_file.h"
#include "history/database.h"
#include "history/layout.h"
#include "history/migrations.h"
#include "history/series_rows.h"
#include "history/text.h"

namespace loadstone::history {

namespace {

Result<void> insertRun(Database& database, const RunHeader& header, const ResultSeries& series)
{
    auto run = database.prepare(
        "INSERT INTO run VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, '', 0)");
    if (!run)
        return run.error();
    int column = 0;
    const auto text = [&](const std::string& value) { run->bindCopy(++column, validUtf8(value)); };
    const auto number = [&](std::int64_t value) { run->bind(++column, value); };
    text(toString(header.kind));
    text(toString(header.origin));
    text(header.id.text());
    text(header.title);
    number(header.started.time_since_epoch().count());
    text(header.planName);
    text(header.planText);
    number(static_cast<std::int64_t>(header.seed));
    text(header.versionsJson);
    text(header.hostJson);
    text(header.computer);
    number(header.plannedLength.count());
    number(series.finalWindow.count());
    number(static_cast<int>(RunState::running));
    return run->run();
}

/// The run's lab has the id 0; those that are attached later have higher ones.
Result<void> insertLab(Database& database, const RunLab& lab)
{
    if (lab.empty())
        return {};
    auto row = database.prepare("INSERT INTO lab VALUES (0, ?1, ?2, ?3)");
    if (!row)
        return row.error();
    row->bindCopy(1, validUtf8(lab.name))
        .bindCopy(2, validUtf8(lab.variant))
        .bindCopy(3, validUtf8(lab.text));
    return row->run();
}

Result<void> insertStudy(Database& database, const RunStudy& study)
{
    if (study.empty())
        return {};
    auto row = database.prepare("INSERT INTO study VALUES (1, ?1, ?2, ?3)");
    if (!row)
        return row.error();
    row->bindCopy(1, validUtf8(study.study)).bindCopy(2, validUtf8(study.studyCase));
    return row->bind(3, study.repeat).run();
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
    auto mix = database.prepare("INSERT INTO mix VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    if (!mix)
        return mix.error();
    if (auto done = insertCounters(database, 0, 0, header.counters); !done)
        return done;
    if (auto done = insertHistograms(database, 0, 0, header.histograms); !done)
        return done;
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

Result<void> checkHeader(const std::filesystem::path& file, const RunHeader& header)
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
        if (auto done = insertLab(*database, header.lab); !done)
            return done;
        if (auto done = insertStudy(*database, header.study); !done)
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
    if (auto good = checkHeader(file, header); !good)
        return good;
    auto fresh = TemporaryFile::beside(file, 0600); // its side files get the same permissions
    if (!fresh)
        return fresh.error();
    if (auto written = writeFresh(fresh->path(), header, series); !written)
        return written;
    return fresh->become(false);
}

} // namespace loadstone::history
