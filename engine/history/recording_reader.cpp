// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"

#include "history/migrations.h"
#include "history/rows.h"
#include "history/writer_mark.h"

#include <algorithm>
#include <utility>

namespace loadstone::history {

namespace {

constexpr const char* kTotals =
    "accepted, expected, delivered_once, late, twice, damaged, lost, outstanding, unknown";

AuditTotals totalsIn(Statement& row, int column)
{
    AuditTotals totals;
    for (auto* total : { &totals.accepted, &totals.expected, &totals.deliveredOnce, &totals.late,
             &totals.twice, &totals.damaged, &totals.lost, &totals.outstanding, &totals.unknown })
        *total = static_cast<std::uint64_t>(row.integer(column++));
    return totals;
}

/// What rows name that has to be known: kinds, targets. The first name that is not known is remembered.
class KnownNames {
public:
    explicit KnownNames(const RunHeader& header)
        : m_header(header)
    {
    }

    template <class Kind>
    Kind of(const Result<Kind>& parsed)
    {
        if (!parsed && m_what.empty())
            m_what = parsed.error().message;
        return parsed ? *parsed : Kind {};
    }
    /// Whether a row about `target` is shown. A view of one target has its own rows, which then name none, and with `ofAll` those
    /// about all targets.
    bool shows(std::string& target, bool ofAll)
    {
        if (!target.empty() && std::ranges::find(m_header.targets, target) == m_header.targets.end()
            && m_what.empty())
            m_what = "a target \"" + target + "\", which the run does not have";
        if (m_header.target.empty())
            return true;
        if (target.empty())
            return ofAll;
        return std::exchange(target, {}) == m_header.target;
    }
    [[nodiscard]] bool sound() const { return m_what.empty(); }
    [[nodiscard]] const std::string& what() const { return m_what; }

private:
    const RunHeader& m_header;
    std::string m_what;
};

} // namespace

RecordingReader::RecordingReader(std::filesystem::path file, Database database)
    : m_file(std::move(file))
    , m_database(std::move(database))
    , m_sources(m_database, m_file.string())
{
}

Error RecordingReader::damage(const std::string& what) const
{
    return fail(m_file.string() + ": damaged: " + what);
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(
    const std::filesystem::path& file, const std::string& target)
{
    return open(file, &target);
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::openWhole(const std::filesystem::path& file)
{
    return open(file, nullptr);
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(
    const std::filesystem::path& file, const std::string* target)
{
    auto database = Database::open(file, Database::Access::read);
    if (!database)
        return database.error();
    auto impl = std::make_unique<RecordingReader>(file, std::move(*database));
    // Asked before the file is read: a writer says how the run ended before it gives up its mark.
    const bool alive = writerLives(file);
    const auto version = impl->m_database.pragma("data_version");
    if (!version)
        return version.error();
    impl->m_dataVersion = *version;
    auto transaction = Transaction::begin(impl->m_database, false);
    if (!transaction)
        return transaction.error();
    const auto format = checkKind(impl->m_database, file.string(), recordingKind());
    if (!format)
        return format.error();
    if (auto done = impl->readHeader(); !done)
        return done.error();
    if (auto done = impl->readTargets(); !done)
        return done.error();
    SourcePlace place;
    place.counters = static_cast<std::uint32_t>(impl->m_header.counters.size());
    place.histograms = static_cast<std::uint32_t>(impl->m_header.histograms.size());
    impl->m_ticks.emplace(impl->m_database, file.string(), place);
    if (target != nullptr)
        if (auto done = impl->look(*target); !done)
            return done.error();
    if (auto done = impl->readProgress(alive); !done)
        return done.error();
    return impl;
}

Result<bool> RecordingReader::refresh()
{
    const bool alive = m_state > RunState::running || writerLives(m_file);
    auto version = m_database.pragma("data_version");
    if (!version)
        return version.error();
    const RunState before = m_state;
    if (*version == m_dataVersion && (alive || m_state > RunState::running))
        return false;
    auto transaction = Transaction::begin(m_database, false);
    if (!transaction)
        return transaction.error();
    if (auto done = readProgress(alive); !done)
        return done.error();
    const bool changed = *version != m_dataVersion || m_state != before;
    m_sourcesOld = m_sourcesOld || changed;
    m_dataVersion = *version;
    return changed;
}

Result<void> RecordingReader::readProgress(bool writerLives)
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

Result<void> RecordingReader::readPhases()
{
    std::vector<Phase> phases;
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, mix, mix_name, kind, begin, end, open FROM phase ORDER BY id", kMostPhases,
        [&](Statement& row) {
            phases.push_back(
                { number(row, 0, kMostPhases), static_cast<std::int32_t>(row.integer(1, -1, kMostMixes)),
                    row.text(2), choice(row, 3, PhaseKind::cleanUp), duration(row, 4), duration(row, 5),
                    row.integer(6, 0, 1) != 0 });
        });
    if (!read)
        return read;
    // Each has results of its own, of all together and of every target.
    std::size_t measurements = 0;
    for (const Phase& phase : phases)
        measurements += phase.kind == PhaseKind::measurement ? 1 : 0;
    if (measurements > kMostMixes)
        return damage(std::to_string(measurements) + " measurements, and a run has at most "
            + std::to_string(kMostMixes));
    Nanoseconds end {};
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (phases[i].index != i || phases[i].end < phases[i].begin || phases[i].begin < end)
            return damage("phase " + std::to_string(i));
        end = phases[i].open ? phases[i].begin : phases[i].end;
    }
    m_phases = std::move(phases);
    return {};
}

Result<const std::vector<std::unique_ptr<ReadSource>>*> RecordingReader::sources() const
{
    if (m_sourcesOld)
        if (auto done = m_sources.follow(); !done)
            return done.error();
    m_sourcesOld = false;
    return &m_sources.all();
}

Result<RecordedEnd> RecordingReader::end() const
{
    RecordedEnd end;
    auto run = m_database.prepare("SELECT reason, audited, state FROM run WHERE one = 1");
    auto audit = m_database.prepare(std::string("SELECT ") + kTotals + " FROM "
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
    const bool told = run->integer(1, 0, 1) != 0 || choice(*run, 2, RunState::failed) <= RunState::running;
    if (*counted && told)
        end.audit = totalsIn(*audit, 0);
    KnownNames known(m_header);
    auto exceptions = eachRow(m_database, m_file.string(),
        "SELECT id, kind, token, mailbox, accepted, detail, target FROM audit_exception ORDER BY id",
        kMostRows, [&](Statement& row) {
            AuditException exception { known.of(parseAuditFinding(row.text(1))), row.text(2), row.text(3),
                duration(row, 4), row.text(5), row.text(6) };
            if (known.shows(exception.target, false))
                end.exceptions.push_back(std::move(exception));
        });
    auto reasons = eachRow(m_database, m_file.string(),
        "SELECT id, text, target FROM invalid_reason ORDER BY id", kMostRows, [&](Statement& row) {
            InvalidReason reason { row.text(1), row.text(2) };
            if (known.shows(reason.target, true))
                end.invalidReasons.push_back(std::move(reason));
        });
    if (!known.sound())
        return damage(known.what());
    for (const auto& part : { run->sound(), audit->sound(), exceptions, reasons })
        if (!part)
            return part.error();
    return end;
}

Result<std::vector<AuditTotals>> RecordingReader::targetAudits() const
{
    std::vector<AuditTotals> all;
    auto read = eachRow(m_database, m_file.string(),
        std::string("SELECT id, ") + kTotals + " FROM target_audit ORDER BY id", kMostTargets,
        [&](Statement& row) { all.push_back(totalsIn(row, 1)); });
    if (!read)
        return read.error();
    if (!all.empty() && all.size() != m_series.targets.size())
        return damage("audits of targets");
    return all;
}

Result<RunLog> RecordingReader::log() const
{
    auto transaction = Transaction::begin(m_database, false);
    if (!transaction)
        return transaction.error();
    auto happened = events();
    if (!happened)
        return happened.error();
    auto remarked = annotations();
    if (!remarked)
        return remarked.error();
    return RunLog { std::move(*happened), std::move(*remarked) };
}

Result<std::vector<RunEvent>> RecordingReader::events() const
{
    std::vector<RunEvent> out;
    KnownNames known(m_header);
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, at, severity, text, target FROM event ORDER BY id", kMostRows, [&](Statement& row) {
            RunEvent event { duration(row, 1), choice(row, 2, Severity::error), row.text(3), row.text(4) };
            if (known.shows(event.target, true))
                out.push_back(std::move(event));
        });
    if (!read)
        return read.error();
    if (!known.sound())
        return damage(known.what());
    return out;
}

Result<std::vector<Transcript>> RecordingReader::transcripts() const
{
    std::vector<Transcript> out;
    KnownNames known(m_header);
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, at, phase, place, kind, text, target FROM transcript ORDER BY id", kMostRows,
        [&](Statement& row) {
            Transcript transcript { duration(row, 1), number(row, 2, kMostPhases), row.text(3),
                known.of(parseFailureKind(row.text(4), 0)), row.text(5), row.text(6) };
            if (known.shows(transcript.target, false))
                out.push_back(std::move(transcript));
        });
    if (!read)
        return read.error();
    if (!known.sound())
        return damage(known.what());
    return out;
}

Result<std::vector<Annotation>> RecordingReader::annotations() const
{
    std::vector<Annotation> out;
    KnownNames known(m_header);
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, made, kind, text, at FROM annotation ORDER BY id", kMostRows, [&](Statement& row) {
            out.push_back({ wallTime(row, 1), known.of(parseAnnotationKind(row.text(2))), row.text(3),
                duration(row, 4) });
        });
    if (!read)
        return read.error();
    if (!known.sound())
        return damage(known.what());
    return out;
}

Result<std::vector<RunLab>> RecordingReader::labs() const
{
    std::vector<RunLab> out;
    std::size_t bytes = 0;
    auto read = eachRow(m_database, m_file.string(), "SELECT id, name, variant, text FROM lab ORDER BY id",
        kMostLabs, [&](Statement& row) {
            // Past the limit nothing is kept, and the whole is damage.
            std::string text = bytes > kMostLabText ? std::string() : row.text(3, kLongText);
            bytes += text.size();
            out.push_back({ row.text(1), row.text(2), std::move(text) });
        });
    if (!read)
        return read.error();
    if (bytes > kMostLabText)
        return damage("its labs are longer than 64 MB in total");
    return out;
}

std::vector<ErrorRow> withoutWordings(const std::vector<ErrorRow>& rows)
{
    std::vector<ErrorRow> merged;
    std::vector<std::uint64_t> most; // of the words that a merged row has
    for (const ErrorRow& row : rows) {
        const auto same = std::find_if(merged.begin(), merged.end(), [&](const ErrorRow& other) {
            return other.target == row.target && other.where == row.where && other.kind == row.kind
                && other.code == row.code;
        });
        if (same == merged.end()) {
            merged.push_back(row);
            most.push_back(row.text.empty() ? 0 : row.count);
            continue;
        }
        same->count += row.count;
        std::uint64_t& count = most[static_cast<std::size_t>(same - merged.begin())];
        if (!row.text.empty() && row.count > count) {
            same->text = row.text;
            count = row.count;
        }
    }
    return merged;
}

Result<std::vector<ErrorRow>> RecordingReader::errors(TickRange range) const
{
    std::vector<ErrorRow> out;
    KnownNames known(m_header);
    if (range.empty())
        return out;
    const std::string ticks =
        "WHERE tick >= " + std::to_string(range.first) + " AND tick < " + std::to_string(range.last);
    auto read = eachRow(m_database, m_file.string(),
        "SELECT id, place, failure_kind.kind, code, n, text, target FROM (SELECT kind, sum(count) AS n FROM "
        "failure "
            + ticks
            + " GROUP BY kind) AS found JOIN failure_kind ON failure_kind.id = found.kind ORDER BY id",
        kMostRows, [&](Statement& row) {
            const int code = static_cast<int>(row.integer(3, -1, 100'000));
            ErrorRow error { row.text(1), known.of(parseFailureKind(row.text(2), code)), code,
                static_cast<std::uint64_t>(row.integer(4)), row.text(5), row.text(6) };
            if (known.shows(error.target, false))
                out.push_back(std::move(error));
        });
    if (!read)
        return read.error();
    if (!known.sound())
        return damage(known.what());
    return out;
}

} // namespace loadstone::history
