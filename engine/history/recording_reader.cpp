// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"

#include "history/migrations.h"
#include "history/target_view.h"
#include "history/writer_mark.h"

#include <algorithm>
#include <cmath>

namespace loadstone {

using history::Database;
using history::kLongestRun;
using history::Statement;

namespace {

constexpr std::int64_t kSeveralTargets = 2; // the format since which a recording may have them
constexpr std::uint32_t kMostTargets = 1000;
constexpr std::size_t kMostMixes = 10'000;
constexpr std::size_t kMostRows = 1'000'000; // of events, transcripts, annotations
constexpr std::size_t kLongText = 16U << 20;
constexpr std::int64_t kLatest = kLongestRun.count();
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

Nanoseconds duration(Statement& row, int column)
{
    return Nanoseconds(row.integer(column, 0, kLatest));
}

WallTime wallTime(Statement& row, int column)
{
    return WallTime(Nanoseconds(row.integer(column, 0, kNever)));
}

std::uint32_t number(Statement& row, int column, std::uint32_t below)
{
    return static_cast<std::uint32_t>(row.integer(column, 0, std::int64_t { below } - 1));
}

template <class Enum>
Enum choice(Statement& row, int column, Enum last)
{
    return static_cast<Enum>(row.integer(column, 0, static_cast<std::int64_t>(last)));
}

/// All rows of a query; a table with more than `most` is damage, and so is one whose ids (column 0) do not
/// rise: a file can be twisted so that its pages go round in circles.
template <class Take>
Result<void> eachRow(
    Database& database, const std::string& file, const std::string& sql, std::size_t most, Take take)
{
    auto rows = database.prepare(sql);
    if (!rows)
        return rows.error();
    std::int64_t last = -1;
    for (std::size_t n = 0;; ++n) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        const std::int64_t id = rows->integer(0, 0, kNever);
        if (id <= last || n >= most)
            return fail(file + ": damaged: rows out of order or too many in: " + sql);
        last = id;
        take(*rows);
    }
}

} // namespace

Recording::Impl::Impl(std::filesystem::path file, Database database)
    : m_file(std::move(file))
    , m_database(std::move(database))
{
}

Error Recording::Impl::damage(const std::string& what) const
{
    return fail(m_file.string() + ": damaged: " + what);
}

Result<std::unique_ptr<Recording::Impl>> Recording::Impl::open(
    const std::filesystem::path& file, const std::string& target)
{
    auto database = Database::open(file, Database::Access::read);
    if (!database)
        return database.error();
    auto impl = std::make_unique<Impl>(file, std::move(*database));
    // Asked before the file is read: a writer says how the run ended before it gives up its mark.
    const bool alive = history::writerLives(file);
    const auto version = impl->m_database.pragma("data_version");
    if (!version)
        return version.error();
    impl->m_dataVersion = *version;
    auto transaction = history::Transaction::begin(impl->m_database, false);
    if (!transaction)
        return transaction.error();
    const auto format = history::checkKind(impl->m_database, file.string(), history::recordingKind());
    if (!format)
        return format.error();
    if (auto done = impl->readHeader(); !done)
        return done.error();
    if (*format >= kSeveralTargets)
        if (auto done = impl->readTargets(); !done)
            return done.error();
    impl->m_ticks.emplace(impl->m_database, file.string(),
        static_cast<std::uint32_t>(impl->m_header.counters.size()),
        static_cast<std::uint32_t>(impl->m_header.histograms.size()));
    if (auto done = impl->look(target); !done)
        return done.error();
    if (auto done = impl->readProgress(alive); !done)
        return done.error();
    return impl;
}

Result<bool> Recording::Impl::refresh()
{
    const bool alive = m_state > RunState::running || history::writerLives(m_file);
    auto version = m_database.pragma("data_version");
    if (!version)
        return version.error();
    const RunState before = m_state;
    if (*version == m_dataVersion && (alive || m_state > RunState::running))
        return false;
    auto transaction = history::Transaction::begin(m_database, false);
    if (!transaction)
        return transaction.error();
    if (auto done = readProgress(alive); !done)
        return done.error();
    const bool changed = *version != m_dataVersion || m_state != before;
    m_dataVersion = *version;
    return changed;
}

Result<void> Recording::Impl::readProgress(bool writerLives)
{
    auto row = m_database.prepare("SELECT state FROM run WHERE one = 1");
    if (!row)
        return row.error();
    auto found = row->next();
    if (!found)
        return found.error();
    if (!*found)
        return damage("no run in it");
    const auto state = choice(*row, 0, RunState::failed);
    if (auto good = row->sound(); !good)
        return good;
    if (auto done = readPhases(); !done)
        return done;
    if (auto done = m_ticks->follow(); !done)
        return done;
    m_state = state;
    if (state <= RunState::running)
        m_state = !writerLives ? RunState::interrupted
            : m_phases.empty() ? RunState::preparing
                               : RunState::running;
    return {};
}

Result<void> Recording::Impl::readHeader()
{
    auto row =
        m_database.prepare("SELECT id, title, started, plan_name, plan_text, seed, versions, host, computer, "
                           "planned_length, sent, received, attempts, failures, final_window "
                           "FROM run WHERE one = 1");
    if (!row)
        return row.error();
    auto found = row->next();
    if (!found)
        return found.error();
    if (!*found)
        return damage("no run in it");
    auto id = RunId::parse(row->text(0));
    if (!id)
        return damage("the run's id: " + id.error().message);
    m_header.id = *id;
    m_header.title = row->text(1);
    m_header.started = wallTime(*row, 2);
    m_header.planName = row->text(3);
    m_header.planText = row->text(4, kLongText);
    m_header.seed = static_cast<std::uint64_t>(row->integer(5, std::numeric_limits<std::int64_t>::min()));
    m_header.versionsJson = row->text(6, kLongText);
    m_header.hostJson = row->text(7, kLongText);
    m_header.computer = row->text(8);
    m_header.plannedLength = duration(*row, 9);
    m_series.sent = number(*row, 10, history::kMostSeries);
    m_series.received = number(*row, 11, history::kMostSeries);
    m_series.attempts = number(*row, 12, history::kMostSeries);
    m_series.failures = number(*row, 13, history::kMostSeries);
    m_series.finalWindow = duration(*row, 14);
    for (const auto& part : { row->sound(), readCounters(), readHistograms(), readMixes() })
        if (!part)
            return part;
    for (const std::uint32_t counter :
        { m_series.sent, m_series.received, m_series.attempts, m_series.failures })
        if (counter >= m_header.counters.size() || m_header.counters[counter].kind != CounterKind::count)
            return damage("the results' counters");
    return {};
}

Result<void> Recording::Impl::readCounters()
{
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, computer, object, instance, counter, unit, counts, help, kind FROM counter ORDER BY id",
        history::kMostSeries, [&](Statement& row) {
            m_header.counters.push_back(
                { number(row, 0, history::kMostSeries), row.text(1), row.text(2), row.text(3), row.text(4),
                    row.text(5), row.text(6), row.text(7), choice(row, 8, CounterKind::count) });
        });
    if (!read)
        return read;
    if (!m_header.counters.empty() && m_header.counters.back().id + 1 != m_header.counters.size())
        return damage("counters are missing");
    return {};
}

Result<void> Recording::Impl::readHistograms()
{
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, scope, clock, name FROM histogram ORDER BY id", history::kMostSeries,
        [&](Statement& row) {
            m_header.histograms.push_back({ number(row, 0, history::kMostSeries),
                choice(row, 1, LatencyScope::generator), choice(row, 2, LatencyClock::slip), row.text(3) });
        });
    if (!read)
        return read;
    if (!m_header.histograms.empty() && m_header.histograms.back().id + 1 != m_header.histograms.size())
        return damage("latency series are missing");
    return {};
}

Result<void> Recording::Impl::readMixes()
{
    return eachRow(m_database, m_file.string(),
        "SELECT id, name, mailboxes, threads, recipients, measurement FROM mix ORDER BY id", kMostMixes,
        [&](Statement& row) {
            m_series.mixes.push_back({ row.text(1), static_cast<std::uint64_t>(row.integer(2)),
                static_cast<std::uint64_t>(row.integer(3)), row.real(4), duration(row, 5) });
        });
}

Result<void> Recording::Impl::readTargets()
{
    std::vector<history::TargetFacts>& targets = m_series.targets;
    bool sound = true;
    auto named = eachRow(m_database, m_file.string(), "SELECT id, name FROM target ORDER BY id", kMostTargets,
        [&](Statement& row) {
            sound = sound && number(row, 0, kMostTargets) == targets.size();
            targets.push_back({ row.text(1), m_series.mixes });
        });
    if (!named)
        return named;
    auto mixes = eachRow(m_database, m_file.string(),
        "SELECT id, target, mix, mailboxes, threads, recipients FROM target_mix ORDER BY id", kMostRows,
        [&](Statement& row) {
            const std::uint32_t target = number(row, 1, kMostTargets);
            const std::uint32_t mix = number(row, 2, kMostMixes);
            sound = sound && target < targets.size() && mix < m_series.mixes.size();
            if (!sound)
                return;
            history::MixFacts& facts = targets[target].mixes[mix];
            facts.mailboxes = static_cast<std::uint64_t>(row.integer(3));
            facts.threads = static_cast<std::uint64_t>(row.integer(4));
            facts.recipientsPerMessage = row.real(5);
        });
    if (!mixes)
        return mixes;
    for (const history::TargetFacts& target : targets) {
        sound = sound && !target.name.empty();
        m_header.targets.push_back(target.name);
    }
    return sound ? Result<void>() : damage("targets");
}

Result<void> Recording::Impl::look(const std::string& target)
{
    const auto found = std::find(m_header.targets.begin(), m_header.targets.end(), target);
    if (!target.empty() && found == m_header.targets.end()) {
        std::string names;
        for (const std::string& name : m_header.targets)
            names += (names.empty() ? "; it has " : ", ") + name;
        return fail("run " + m_header.id.text() + " has no target \"" + target + "\""
            + (names.empty() ? "; it is about one server, which needs no name" : names));
    }
    if (m_header.targets.empty())
        return {};
    history::TargetView view = history::viewOf(m_header, m_series, target);
    m_header.counters = std::move(view.counters);
    m_header.histograms = std::move(view.histograms);
    m_header.target = target;
    m_series = std::move(view.series);
    m_ticks->renumber(std::move(view.counterIds), std::move(view.histogramIds));
    m_targetIndex = target.empty() ? -1 : found - m_header.targets.begin();
    return {};
}

/// Takes a target's mark off its own; what belongs to another is left out.
bool Recording::Impl::isMine(std::string& name) const
{
    return m_header.target.empty() || history::takeMark(name, m_header.target);
}

Result<void> Recording::Impl::readPhases()
{
    std::vector<Phase> phases;
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, mix, mix_name, kind, begin, end, open FROM phase ORDER BY id", history::kMostPhases,
        [&](Statement& row) {
            phases.push_back({ number(row, 0, history::kMostPhases),
                static_cast<std::int32_t>(row.integer(1, -1, kMostMixes)), row.text(2),
                choice(row, 3, PhaseKind::cleanUp), duration(row, 4), duration(row, 5),
                row.integer(6, 0, 1) != 0 });
        });
    if (!read)
        return read;
    Nanoseconds end {};
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (phases[i].index != i || phases[i].end < phases[i].begin || phases[i].begin < end)
            return damage("phase " + std::to_string(i));
        end = phases[i].open ? phases[i].begin : phases[i].end;
    }
    m_phases = std::move(phases);
    return {};
}

Result<history::RecordedEnd> Recording::Impl::end() const
{
    history::RecordedEnd end;
    auto run = m_database.prepare("SELECT reason, audited, state FROM run WHERE one = 1");
    auto audit = m_database.prepare(
        "SELECT accepted, expected, delivered_once, late, twice, damaged, lost, outstanding, unknown FROM "
        + (m_targetIndex < 0 ? "audit WHERE one = 1"
                             : "target_audit WHERE id = " + std::to_string(m_targetIndex)));
    if (!run || !audit)
        return run ? audit.error() : run.error();
    const auto ended = run->next();
    const auto counted = audit->next();
    if (!ended || !counted)
        return ended ? counted.error() : ended.error();
    if (!*ended)
        return damage("no run in it");
    end.reason = run->text(0, kLongText);
    const bool known = run->integer(1, 0, 1) != 0 || choice(*run, 2, RunState::failed) <= RunState::running;
    if (*counted && known) {
        AuditTotals totals;
        int column = 0;
        for (auto* total : { &totals.accepted, &totals.expected, &totals.deliveredOnce, &totals.late,
                 &totals.twice, &totals.damaged, &totals.lost, &totals.outstanding, &totals.unknown })
            *total = static_cast<std::uint64_t>(audit->integer(column++));
        end.audit = totals;
    }
    auto exceptions = eachRow(m_database, m_file.string(),
        "SELECT id, kind, token, mailbox, accepted, detail FROM audit_exception ORDER BY id", kMostRows,
        [&](Statement& row) {
            AuditException exception { row.text(1), row.text(2), row.text(3), duration(row, 4), row.text(5) };
            if (isMine(exception.mailbox))
                end.exceptions.push_back(std::move(exception));
        });
    auto reasons = eachRow(m_database, m_file.string(), "SELECT id, text FROM invalid_reason ORDER BY id",
        kMostRows, [&](Statement& row) {
            std::string reason = row.text(1);
            if (isMine(reason) || !history::isMarked(reason, m_header.targets))
                end.invalidReasons.push_back(std::move(reason));
        });
    for (const auto& part : { run->sound(), audit->sound(), exceptions, reasons })
        if (!part)
            return part.error();
    return end;
}

Result<std::vector<RunEvent>> Recording::Impl::events() const
{
    std::vector<RunEvent> out;
    auto read = eachRow(m_database, m_file.string(), "SELECT id, at, severity, text FROM event ORDER BY id",
        kMostRows, [&](Statement& row) {
            out.push_back({ duration(row, 1), choice(row, 2, Severity::error), row.text(3) });
        });
    if (!read)
        return read.error();
    return out;
}

Result<std::vector<Transcript>> Recording::Impl::transcripts() const
{
    std::vector<Transcript> out;
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, at, phase, place, kind, text FROM transcript ORDER BY id", kMostRows,
        [&](Statement& row) {
            Transcript transcript { duration(row, 1), number(row, 2, history::kMostPhases), row.text(3),
                row.text(4), row.text(5) };
            if (isMine(transcript.where))
                out.push_back(std::move(transcript));
        });
    if (!read)
        return read.error();
    return out;
}

Result<std::vector<Annotation>> Recording::Impl::annotations() const
{
    std::vector<Annotation> out;
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, made, kind, text, at FROM annotation ORDER BY id", kMostRows, [&](Statement& row) {
            out.push_back({ wallTime(row, 1), row.text(2), row.text(3), duration(row, 4) });
        });
    if (!read)
        return read.error();
    return out;
}

Result<std::vector<ErrorRow>> Recording::Impl::errors(history::TickRange range) const
{
    std::vector<ErrorRow> out;
    if (range.empty())
        return out;
    const std::string ticks =
        "WHERE tick >= " + std::to_string(range.first) + " AND tick < " + std::to_string(range.last);
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, place, failure_kind.kind, code, n FROM (SELECT kind, sum(count) AS n FROM failure "
            + ticks
            + " GROUP BY kind) AS found JOIN failure_kind ON failure_kind.id = found.kind ORDER BY id",
        kMostRows, [&](Statement& row) {
            ErrorRow error { row.text(1), row.text(2), static_cast<int>(row.integer(3, -1, 100'000)),
                static_cast<std::uint64_t>(row.integer(4)) };
            if (isMine(error.where))
                out.push_back(std::move(error));
        });
    if (!read)
        return read.error();
    return out;
}

} // namespace loadstone
