// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_writer.h"

#include "history/database.h"
#include "history/layout.h"
#include "history/new_recording.h"
#include "history/seal.h"
#include "history/text.h"
#include "history/writer_mark.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unistd.h>

namespace loadstone::history {

namespace {

constexpr std::size_t kMostExceptions = 5000; // of a target: a thousand of each kind

} // namespace

class RecordingWriter::Impl {
public:
    Impl(std::filesystem::path file, WriterMark mark)
        : m_file(std::move(file))
        , m_mark(std::move(mark))
    {
    }

    Result<void> open(const RunHeader& header);
    Result<void> append(const metrics::Tick& tick, const AuditAccount* audit);
    Result<void> putPhase(const Phase& phase);
    Result<void> addEvent(const RunEvent& event);
    Result<void> addTranscript(const Transcript& transcript);
    Result<void> putAudit(const AuditTotals& totals, const std::vector<AuditTotals>& targets);
    Result<void> putTotals(const char* table, std::int64_t id, const AuditTotals& totals);
    Result<void> finish(const RunEnd& end);
    void maskWith(SecretMask secrets) { m_secrets = std::move(secrets); }

private:
    /// As it is kept: no secrets, valid UTF-8.
    [[nodiscard]] std::string kept(const std::string& text) const
    {
        return validUtf8(m_secrets.masked(text));
    }
    Result<HotTick> checked(const metrics::Tick& tick) const;
    Result<void> insertTick(const metrics::Tick& tick, const HotTick& hot);
    Result<void> insertFailures(const metrics::Tick& tick);
    Result<void> writeEnd(const RunEnd& end);
    Result<void> sealRest();
    Result<void> seal(std::size_t ticks)
    {
        SourcePlace place;
        place.counters = static_cast<std::uint32_t>(m_counters.size());
        place.histograms = m_histograms;
        return sealTicks(*m_database, place, m_sealed, std::span(m_hot).first(ticks), m_counters);
    }
    [[nodiscard]] Error closed() const { return fail(m_file.string() + ": this recording is finished"); }

    std::filesystem::path m_file;
    SecretMask m_secrets;
    std::optional<WriterMark> m_mark;
    std::optional<Database> m_database; // after the mark: closed before it is given up
    Statement m_insertTick;
    std::vector<CounterKind> m_counters;
    std::uint32_t m_histograms = 0;
    std::uint64_t m_sealed = 0; // ticks in chunks
    std::vector<HotTick> m_hot; // ticks m_sealed and on
    Nanoseconds m_end {};
    /// Ids by target, place, kind, code and words.
    std::map<std::tuple<std::string, std::string, std::string, int, std::string>, std::int64_t>
        m_failureKinds;
};

Result<void> RecordingWriter::Impl::open(const RunHeader& header)
{
    auto database = Database::open(m_file, Database::Access::write);
    if (!database)
        return database.error();
    m_database = std::move(*database);
    for (const CounterInfo& info : header.counters)
        m_counters.push_back(info.kind);
    m_histograms = static_cast<std::uint32_t>(header.histograms.size());
    // FULL: a tick that was acknowledged survives the loss of power too.
    if (auto done = m_database->execute("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=1000; "
                                        "PRAGMA journal_size_limit=16777216");
        !done)
        return done;
    auto insert = m_database->prepare("INSERT INTO hot VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    if (!insert)
        return insert.error();
    m_insertTick = std::move(*insert);
    return {};
}

Result<HotTick> RecordingWriter::Impl::checked(const metrics::Tick& tick) const
{
    const auto bad = [&](const std::string& what) {
        return fail(m_file.string() + ": tick " + std::to_string(tick.number) + " " + what);
    };
    const std::uint64_t next = m_sealed + m_hot.size();
    if (tick.number != next)
        return bad("arrived instead of tick " + std::to_string(next));
    if (tick.number >= kMostTicks)
        return bad("is beyond what a recording can hold");
    HotTick hot { { tick.begin, tick.end, tick.phase }, tick.values, tick.histograms };
    if (!follows(hot.time, m_end))
        return bad("does not follow the previous tick in time");
    if (hot.samples.size() > m_counters.size())
        return bad("has more values than there are counters");
    hot.samples.resize(m_counters.size(), std::numeric_limits<double>::quiet_NaN());
    for (double& value : hot.samples)
        if (!std::isfinite(value))
            value = std::numeric_limits<double>::quiet_NaN();
    // Looked into now: what is damaged must not wait for the sealing, where it would block all that follows.
    Histogram parsed;
    for (std::size_t i = 0; i < hot.latencies.size(); ++i) {
        if (hot.latencies[i].first >= m_histograms
            || (i > 0 && hot.latencies[i].first <= hot.latencies[i - 1].first))
            return bad("has histograms out of order");
        if (hot.latencies[i].second.empty() || !parsed.mergeEncoded(hot.latencies[i].second))
            return bad("has a damaged histogram");
    }
    return hot;
}

Result<void> RecordingWriter::Impl::append(const metrics::Tick& tick, const AuditAccount* audit)
{
    if (!m_database)
        return closed();
    auto hot = checked(tick);
    if (!hot)
        return hot.error();
    auto transaction = Transaction::begin(*m_database, true);
    if (!transaction)
        return transaction.error();
    if (auto done = insertTick(tick, *hot); !done)
        return done;
    if (audit != nullptr)
        if (auto done = putAudit(audit->all, audit->targets); !done)
            return done;
    const bool full = m_hot.size() >= kChunkTicks + kKeptHot;
    if (full)
        if (auto done = seal(kChunkTicks); !done)
            return done;
    if (auto done = transaction->commit(); !done)
        return done;
    if (full) {
        m_hot.erase(m_hot.begin(), m_hot.begin() + kChunkTicks);
        m_sealed += kChunkTicks;
    }
    m_end = hot->time.end;
    m_hot.push_back(std::move(*hot));
    return {};
}

Result<void> RecordingWriter::Impl::insertTick(const metrics::Tick& tick, const HotTick& hot)
{
    if (auto done = insertHot(m_insertTick, tickId(0, tick.number), hot); !done)
        return done;
    return insertFailures(tick);
}

Result<void> RecordingWriter::Impl::insertFailures(const metrics::Tick& tick)
{
    if (tick.errors.empty())
        return {};
    auto newKind = m_database->prepare("INSERT OR IGNORE INTO failure_kind VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    auto insert = m_database->prepare("INSERT INTO failure VALUES (?1, ?2, ?3) "
                                      "ON CONFLICT DO UPDATE SET count = count + excluded.count");
    if (!newKind || !insert)
        return newKind ? insert.error() : newKind.error();
    for (const metrics::ErrorCount& error : tick.errors) {
        const std::string target = validUtf8(error.target);
        const std::string where = validUtf8(error.where);
        const std::string kind = textOf(error.kind, error.code);
        const std::string text = kept(error.text);
        // A kind stays known even if this transaction fails: hence OR IGNORE when it is written again.
        const auto id = m_failureKinds
                            .try_emplace({ target, where, kind, error.code, text },
                                static_cast<std::int64_t>(m_failureKinds.size()))
                            .first->second;
        newKind->bind(1, id).bindText(2, target).bindText(3, where).bindText(4, kind);
        newKind->bind(5, error.code).bindText(6, text);
        if (auto done = newKind->run(); !done)
            return done;
        insert->bind(1, static_cast<std::int64_t>(tick.number)).bind(2, id);
        if (auto done = insert->bind(3, static_cast<std::int64_t>(error.count)).run(); !done)
            return done;
    }
    return {};
}

Result<void> RecordingWriter::Impl::putPhase(const Phase& phase)
{
    if (!m_database)
        return closed();
    if (phase.index >= kMostPhases)
        return fail(m_file.string() + ": more phases than a recording holds");
    auto put = m_database->prepare("INSERT OR REPLACE INTO phase VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    if (!put)
        return put.error();
    const std::string mixName = validUtf8(phase.mixName);
    put->bind(1, phase.index).bind(2, phase.mix).bindText(3, mixName).bind(4, static_cast<int>(phase.kind));
    return put->bind(5, phase.begin.count()).bind(6, phase.end.count()).bind(7, phase.open ? 1 : 0).run();
}

Result<void> RecordingWriter::Impl::addEvent(const RunEvent& event)
{
    if (!m_database)
        return closed();
    auto add = m_database->prepare("INSERT INTO event (target, at, severity, text) VALUES (?1, ?2, ?3, ?4)");
    if (!add)
        return add.error();
    const std::string target = validUtf8(event.target);
    const std::string text = kept(event.text);
    add->bindText(1, target).bind(2, event.at.count()).bind(3, static_cast<int>(event.severity));
    return add->bindText(4, text).run();
}

Result<void> RecordingWriter::Impl::addTranscript(const Transcript& transcript)
{
    if (!m_database)
        return closed();
    auto add = m_database->prepare(
        "INSERT INTO transcript (target, at, phase, place, kind, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    if (!add)
        return add.error();
    const std::string target = validUtf8(transcript.target);
    const std::string where = validUtf8(transcript.where);
    const char* const kind = toString(transcript.kind);
    const std::string text = kept(transcript.text);
    add->bindText(1, target).bind(2, transcript.at.count()).bind(3, transcript.phase);
    return add->bindText(4, where).bindText(5, kind).bindText(6, text).run();
}

Result<void> RecordingWriter::Impl::putAudit(
    const AuditTotals& totals, const std::vector<AuditTotals>& targets)
{
    if (!m_database)
        return closed();
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (auto done = putTotals("target_audit", static_cast<std::int64_t>(i), targets[i]); !done)
            return done;
    return putTotals("audit", 1, totals);
}

Result<void> RecordingWriter::Impl::putTotals(const char* table, std::int64_t id, const AuditTotals& totals)
{
    auto put = m_database->prepare(
        std::string("INSERT OR REPLACE INTO ") + table + " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    if (!put)
        return put.error();
    int index = 1;
    put->bind(index++, id);
    for (const std::uint64_t total : { totals.accepted, totals.expected, totals.deliveredOnce, totals.late,
             totals.twice, totals.damaged, totals.lost, totals.outstanding, totals.unknown })
        put->bind(index++, static_cast<std::int64_t>(total));
    return put->run();
}

Result<void> RecordingWriter::Impl::finish(const RunEnd& end)
{
    if (!m_database)
        return closed();
    // Two steps: the end is small and matters most, should the disk be full.
    if (auto done = writeEnd(end); !done)
        return done;
    if (auto done = sealRest(); !done)
        return done;
    m_insertTick = {};
    // Fold the log into the file, and where nobody is reading it, leave one plain file behind. A reader that
    // prevents either does no harm: the next connection does it.
    (void)m_database->pragma("wal_checkpoint(TRUNCATE)");
    (void)m_database->execute("PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE");
    m_database.reset();
    m_mark.reset();
    return {};
}

Result<void> RecordingWriter::Impl::writeEnd(const RunEnd& end)
{
    auto transaction = Transaction::begin(*m_database, true);
    if (!transaction)
        return transaction.error();
    if (auto done = m_database->execute("DELETE FROM audit_exception; DELETE FROM invalid_reason"); !done)
        return done;
    auto state = m_database->prepare("UPDATE run SET state = ?1, reason = ?2, audited = ?3");
    auto exception = m_database->prepare("INSERT INTO audit_exception VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    auto invalid = m_database->prepare("INSERT INTO invalid_reason (target, text) VALUES (?1, ?2)");
    for (const auto* statement : { &state, &exception, &invalid })
        if (!*statement)
            return statement->error();
    const std::string why = kept(end.reason);
    state->bind(1, static_cast<int>(end.state)).bindText(2, why).bind(3, end.audited ? 1 : 0);
    if (auto done = state->run(); !done)
        return done;
    if (auto done = putAudit(end.audit, end.targetAudits); !done)
        return done;
    const std::size_t most = kMostExceptions * std::max<std::size_t>(1, end.targetAudits.size());
    for (std::size_t i = 0; i < std::min(end.exceptions.size(), most); ++i) {
        const AuditException& item = end.exceptions[i];
        const std::string texts[] = { validUtf8(item.target), toString(item.kind), validUtf8(item.token),
            validUtf8(item.mailbox), kept(item.detail) };
        exception->bind(1, static_cast<std::int64_t>(i)).bindText(2, texts[0]).bindText(3, texts[1]);
        exception->bindText(4, texts[2]).bindText(5, texts[3]);
        exception->bind(6, item.accepted.count()).bindText(7, texts[4]);
        if (auto done = exception->run(); !done)
            return done;
    }
    for (const InvalidReason& reason : end.invalidReasons) {
        const std::string target = validUtf8(reason.target);
        const std::string text = kept(reason.text);
        if (auto done = invalid->bindText(1, target).bindText(2, text).run(); !done)
            return done;
    }
    return transaction->commit();
}

Result<void> RecordingWriter::Impl::sealRest()
{
    while (!m_hot.empty()) {
        auto transaction = Transaction::begin(*m_database, true);
        if (!transaction)
            return transaction.error();
        const std::size_t ticks = std::min<std::size_t>(m_hot.size(), kChunkTicks);
        if (auto done = seal(ticks); !done)
            return done;
        if (auto done = transaction->commit(); !done)
            return done;
        m_hot.erase(m_hot.begin(), m_hot.begin() + static_cast<std::ptrdiff_t>(ticks));
        m_sealed += ticks;
    }
    return {};
}

RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() = default;

Result<RecordingWriter> RecordingWriter::create(
    const std::filesystem::path& file, const RunHeader& header, const ResultSeries& series)
{
    auto mark = WriterMark::take(file);
    if (!mark)
        return mark.error();
    if (auto created = createRecording(file, header, series); !created)
        return created.error();
    auto impl = std::make_unique<Impl>(file, std::move(*mark));
    if (auto opened = impl->open(header); !opened) {
        // A recording without a run, of which nothing can be read, is of no use to anybody.
        impl.reset();
        for (const char* suffix : { "", "-wal", "-shm", "-journal" })
            ::unlink((file.string() + suffix).c_str());
        return opened.error();
    }
    return RecordingWriter(std::move(impl));
}

void RecordingWriter::maskWith(SecretMask secrets)
{
    m_impl->maskWith(std::move(secrets));
}
Result<void> RecordingWriter::append(const metrics::Tick& tick, const AuditAccount* audit)
{
    return m_impl->append(tick, audit);
}
Result<void> RecordingWriter::putPhase(const Phase& phase)
{
    return m_impl->putPhase(phase);
}
Result<void> RecordingWriter::addEvent(const RunEvent& event)
{
    return m_impl->addEvent(event);
}
Result<void> RecordingWriter::addTranscript(const Transcript& transcript)
{
    return m_impl->addTranscript(transcript);
}
Result<void> RecordingWriter::finish(const RunEnd& end)
{
    return m_impl->finish(end);
}

} // namespace loadstone::history
