// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"
#include "history/tick_merge.h"

#include <loadstone/merge.h>
#include <loadstone/source.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace loadstone {

namespace {

using history::RecordingReader;
using history::TickRange;
using history::TickTime;

/// One generator's recording.
struct Part {
    std::unique_ptr<RecordingReader> reader;
    Nanoseconds shift {}; ///< of its axis against the first one's
    std::string name; ///< for people
    [[nodiscard]] const RunHeader& header() const { return reader->header(); }
    [[nodiscard]] const std::vector<TickTime>& times() const { return reader->ticks().times(); }
};

Result<std::vector<Part>> openAll(std::span<const std::filesystem::path> files)
{
    std::vector<Part> parts;
    std::set<RunId> ids;
    for (const std::filesystem::path& file : files) {
        auto reader = RecordingReader::openWhole(file);
        if (!reader)
            return reader.error();
        const RunHeader& header = (*reader)->header();
        if (!ids.insert(header.id).second)
            return fail(file.string() + ": run " + header.id.text() + " is given twice");
        if (!isOver((*reader)->state()))
            return fail(file.string() + ": run " + header.id.text() + " has not ended");
        parts.push_back({ std::move(*reader), {}, {} });
    }
    if (parts.size() < 2)
        return fail("recordings to merge: at least two are needed");
    std::stable_sort(parts.begin(), parts.end(),
        [](const Part& a, const Part& b) { return a.header().started < b.header().started; });
    std::set<std::string> computers;
    for (Part& part : parts) {
        part.shift = part.header().started - parts.front().header().started;
        part.name = part.header().computer;
        if (part.name.empty() || !computers.insert(part.name).second)
            part.name += (part.name.empty() ? "" : " ") + part.header().id.text();
    }
    return parts;
}

bool sameCourse(const std::vector<Phase>& a, const std::vector<Phase>& b)
{
    return std::ranges::equal(a, b, [](const Phase& x, const Phase& y) {
        return x.mix == y.mix && x.mixName == y.mixName && x.kind == y.kind;
    });
}

/// An Error says why the part does not belong to the first one.
Result<void> checkPart(const Part& first, const Part& part)
{
    const auto differs = [&](const std::string& what) {
        return fail(part.reader->file().string() + ": cannot be merged with " + first.reader->file().string()
            + ": " + what);
    };
    if (part.header().kind != first.header().kind)
        return differs(std::string("one is a run of ") + toString(first.header().kind) + ", the other of "
            + toString(part.header().kind));
    if (part.header().planText != first.header().planText)
        return differs("their plans are not the same");
    if (part.reader->series() != first.reader->series())
        return differs("their mixes or targets are not the same");
    if (!sameCourse(part.reader->phases(), first.reader->phases()))
        return differs("their phases are not the same");
    return {};
}

/// That ticks of one number are of one phase and time, as far as both have them.
Result<void> checkTicks(const Part& first, const Part& part, Nanoseconds apart)
{
    const auto wrong = [&](std::size_t tick, const std::string& what) {
        return fail(part.reader->file().string() + ": cannot be merged with " + first.reader->file().string()
            + ": tick " + std::to_string(tick) + " " + what);
    };
    const std::size_t common = std::min(part.times().size(), first.times().size());
    for (std::size_t i = 0; i < common; ++i) {
        const TickTime& mine = part.times()[i];
        const TickTime& theirs = first.times()[i];
        if (mine.phase != theirs.phase)
            return wrong(i,
                "is in phase " + std::to_string(mine.phase) + ", in the other recording in phase "
                    + std::to_string(theirs.phase));
        const auto far = [&](Nanoseconds a, Nanoseconds b) {
            const double distance = std::abs(seconds(a) + seconds(part.shift) - seconds(b));
            return distance > seconds(apart);
        };
        if (far(mine.begin, theirs.begin) || far(mine.end, theirs.end))
            return wrong(i,
                "differs in time by more than "
                    + std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(apart).count())
                    + " ms");
    }
    const Part& longer = part.times().size() > common ? part : first;
    const std::vector<Phase>& phases = longer.reader->phases();
    for (std::size_t i = common; i < longer.times().size(); ++i)
        if (longer.times()[i].phase + 1 != phases.size() || phases.back().kind == PhaseKind::measurement)
            return wrong(i, "is missing in the other recording, before the last phase or in a measurement");
    return {};
}

Result<void> copyTicks(const history::TickReader& ticks, const SourceFacts& facts, SourceWriter& writer)
{
    const std::uint64_t count = ticks.times().size();
    for (std::uint64_t at = 0; at < count; at += history::kHistogramTicks) {
        const TickRange range { at, std::min(count, at + history::kHistogramTicks) };
        std::vector<SourceTick> batch(range.last - range.first);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            batch[i].begin = ticks.times()[at + i].begin;
            batch[i].end = ticks.times()[at + i].end;
            batch[i].values.resize(facts.counters.size());
        }
        for (std::uint32_t id = 0; id < facts.counters.size(); ++id) {
            const auto values = ticks.samples(id, range);
            if (!values)
                return values.error();
            for (std::size_t i = 0; i < batch.size(); ++i)
                batch[i].values[id] = (*values)[i];
        }
        for (std::uint32_t id = 0; id < facts.histograms.size(); ++id) {
            auto read =
                ticks.each(id, range, [&](std::uint64_t tick, std::string_view bytes) -> Result<void> {
                    auto histogram = Histogram::decode(bytes);
                    if (!histogram)
                        return histogram.error();
                    batch[tick - at].histograms.emplace_back(id, std::move(*histogram));
                    return {};
                });
            if (!read)
                return read;
        }
        if (auto done = writer.append(batch); !done)
            return done;
    }
    return writer.finish();
}

Result<void> copySource(
    const history::TickReader& ticks, const SourceFacts& facts, const std::filesystem::path& to)
{
    auto writer = SourceWriter::create(to, facts);
    if (!writer)
        return writer.error();
    return copyTicks(ticks, facts, *writer);
}

/// The generator's own series, and the sources that it had.
Result<void> addSources(const Part& part, const std::filesystem::path& to)
{
    const RunHeader& header = part.header();
    SourceFacts own { "run " + header.id.text(), header.computer, header.started, part.shift, header.counters,
        header.histograms };
    own.role = "generator";
    for (CounterInfo& info : own.counters)
        if (info.key.quantity && info.key.subject.generator.empty())
            info.key.subject.generator = part.name;
    for (HistogramInfo& info : own.histograms)
        if (info.key.subject.generator.empty())
            info.key.subject.generator = part.name;
    if (auto done = copySource(part.reader->ticks(), own, to); !done)
        return done;
    const auto sources = part.reader->sources();
    if (!sources)
        return sources.error();
    for (const auto& source : **sources) {
        if (source->info.removed)
            continue;
        SourceFacts facts = source->info;
        facts.origin = part.name + ": " + facts.origin;
        facts.offset += part.shift;
        if (auto done = copySource(source->ticks, facts, to); !done)
            return done;
    }
    return {};
}

/// Writes the merged recording's own part.
class Merger {
public:
    Merger(const std::vector<Part>& parts, const history::TickMerge& ticks)
        : m_parts(parts)
        , m_ticks(ticks)
    {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i].times().size() > parts[m_longest].times().size())
                m_longest = i;
    }

    [[nodiscard]] RunHeader header() const
    {
        RunHeader header = m_parts.front().header();
        header.id = RunId::make();
        header.origin = RunOrigin::merged;
        header.counters = m_ticks.counters();
        header.histograms = m_ticks.histograms();
        return header;
    }

    Result<void> write(history::RecordingWriter& writer) const
    {
        if (auto done = writePhases(writer); !done)
            return done;
        if (auto done = writeTicks(writer); !done)
            return done;
        if (auto done = writeLog(writer); !done)
            return done;
        return writeEnd(writer);
    }

private:
    [[nodiscard]] std::uint64_t length() const { return m_parts[m_longest].times().size(); }

    /// On the first one's axis; what only a longer one has comes behind.
    [[nodiscard]] TickTime timeOf(std::uint64_t tick) const
    {
        const std::vector<TickTime>& first = m_parts.front().times();
        if (tick < first.size())
            return first[tick];
        const Part& longest = m_parts[m_longest];
        TickTime time = longest.times()[tick];
        const Nanoseconds before = first.empty() ? Nanoseconds(0) : first.back().end;
        time.begin = std::max(before, time.begin + longest.shift);
        time.end = std::max(time.begin, time.end + longest.shift);
        return time;
    }

    Result<void> writePhases(history::RecordingWriter& writer) const
    {
        std::vector<Phase> phases = m_parts.front().reader->phases();
        if (!phases.empty() && length() > 0)
            phases.back().end = std::max(phases.back().end, timeOf(length() - 1).end);
        for (const Phase& phase : phases)
            if (auto done = writer.putPhase(phase); !done)
                return done;
        return {};
    }

    Result<void> writeTicks(history::RecordingWriter& writer) const
    {
        for (std::uint64_t at = 0; at < length(); at += history::kHistogramTicks) {
            auto ticks = m_ticks.read({ at, std::min(length(), at + history::kHistogramTicks) });
            if (!ticks)
                return ticks.error();
            for (std::size_t i = 0; i < ticks->size(); ++i) {
                metrics::Tick& tick = (*ticks)[i];
                const TickTime time = timeOf(at + i);
                tick.number = at + i;
                tick.begin = time.begin;
                tick.end = time.end;
                tick.phase = time.phase;
                if (auto done = writer.append(tick); !done)
                    return done;
            }
        }
        return {};
    }

    /// Where something happened on a part's axis, on the merged one.
    static Nanoseconds moved(Nanoseconds at, const Part& part)
    {
        return std::clamp(at + part.shift, Nanoseconds(0), history::kLongestRun);
    }

    Result<void> writeLog(history::RecordingWriter& writer) const
    {
        std::vector<RunEvent> events;
        std::vector<Transcript> transcripts;
        for (const Part& part : m_parts) {
            auto said = part.reader->events();
            if (!said)
                return said.error();
            for (RunEvent& event : *said)
                events.push_back({ moved(event.at, part), event.severity, part.name + ": " + event.text,
                    std::move(event.target) });
            auto kept = part.reader->transcripts();
            if (!kept)
                return kept.error();
            for (Transcript& transcript : *kept) {
                transcript.at = moved(transcript.at, part);
                transcripts.push_back(std::move(transcript));
            }
        }
        const auto earlier = [](const auto& a, const auto& b) { return a.at < b.at; };
        std::ranges::stable_sort(events, earlier);
        std::ranges::stable_sort(transcripts, earlier);
        for (const RunEvent& event : events)
            if (auto done = writer.addEvent(event); !done)
                return done;
        for (const Transcript& transcript : transcripts)
            if (auto done = writer.addTranscript(transcript); !done)
                return done;
        return {};
    }

    static void add(AuditTotals& sum, const AuditTotals& part)
    {
        sum.accepted += part.accepted;
        sum.expected += part.expected;
        sum.deliveredOnce += part.deliveredOnce;
        sum.late += part.late;
        sum.twice += part.twice;
        sum.damaged += part.damaged;
        sum.lost += part.lost;
        sum.outstanding += part.outstanding;
        sum.unknown += part.unknown;
    }

    Result<void> writeEnd(history::RecordingWriter& writer) const
    {
        history::RunEnd all;
        all.audited = true; // only where each part was: else messages would be missing from the totals
        all.targetAudits.resize(m_parts.front().reader->series().targets.size());
        for (const Part& part : m_parts) {
            auto end = part.reader->end();
            if (!end)
                return end.error();
            addState(part, end->reason, all);
            all.audited = all.audited && end->audit;
            if (end->audit)
                add(all.audit, *end->audit);
            const auto targets = part.reader->targetAudits();
            if (!targets)
                return targets.error();
            for (std::size_t i = 0; i < targets->size(); ++i)
                add(all.targetAudits[i], (*targets)[i]);
            for (AuditException& exception : end->exceptions) {
                exception.accepted = moved(exception.accepted, part);
                all.exceptions.push_back(std::move(exception));
            }
            for (const history::InvalidReason& reason : end->invalidReasons)
                all.invalidReasons.push_back({ part.name + ": " + reason.text, reason.target });
        }
        return writer.finish(all);
    }

    /// All finished only where each one did; one that died is a failure of all together.
    static void addState(const Part& part, const std::string& reason, history::RunEnd& all)
    {
        RunState state = part.reader->state();
        std::string why = reason;
        if (state == RunState::interrupted) {
            state = RunState::failed;
            why = "its program died";
        }
        all.state = std::max(all.state, state);
        if (!why.empty())
            all.reason += (all.reason.empty() ? "" : "; ") + part.name + ": " + why;
    }

    const std::vector<Part>& m_parts;
    const history::TickMerge& m_ticks;
    std::size_t m_longest = 0;
};

/// `writer` has made the file `to`.
Result<void> writeMerged(const std::vector<Part>& parts, const Merger& merger,
    history::RecordingWriter writer, const std::filesystem::path& to)
{
    if (auto done = merger.write(writer); !done)
        return done;
    for (const Part& part : parts)
        if (auto done = addSources(part, to); !done)
            return done;
    return {};
}

} // namespace

Result<RunId> mergeRecordings(
    std::span<const std::filesystem::path> recordings, const std::filesystem::path& to, Nanoseconds apart)
{
    auto parts = openAll(recordings);
    if (!parts)
        return parts.error();
    for (std::size_t i = 1; i < parts->size(); ++i) {
        if (auto good = checkPart(parts->front(), (*parts)[i]); !good)
            return good.error();
        if (auto good = checkTicks(parts->front(), (*parts)[i], apart); !good)
            return good.error();
    }
    std::vector<history::TickMerge::Part> readers;
    for (const Part& part : *parts)
        readers.push_back(part.reader.get());
    history::TickMerge ticks(std::move(readers));
    if (auto good = ticks.matchSeries(); !good)
        return good.error();
    const Merger merger(*parts, ticks);
    const RunHeader header = merger.header();
    auto writer = history::RecordingWriter::create(to, header, parts->front().reader->series());
    if (!writer)
        return writer.error();
    if (auto done = writeMerged(*parts, merger, std::move(*writer), to); !done) {
        for (const char* suffix : { "", "-wal", "-shm", "-journal" })
            ::unlink((to.string() + suffix).c_str());
        return done.error();
    }
    return header.id;
}

} // namespace loadstone
