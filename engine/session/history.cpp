// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/archive.h"
#include "history/catalogue.h"
#include "history/recording_reader.h"
#include "session/history_folder.h"
#include "session/run_summary.h"

#include <loadstone/compared.h>
#include <loadstone/history.h>
#include <loadstone/lab.h>
#include <loadstone/plan_trend.h>
#include <loadstone/repeatability.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace loadstone {

using session::HistoryFolder;

namespace {

bool isLive(RunState state)
{
    return state <= RunState::running;
}

} // namespace

class History::Impl {
public:
    Impl(HistoryFolder folder, history::Catalogue catalogue)
        : m_folder(std::move(folder))
        , m_catalogue(std::move(catalogue))
    {
    }
    [[nodiscard]] const HistoryFolder& folder() const { return m_folder; }
    Result<std::vector<RunSummary>> list();
    Result<void> annotate(const RunId& id, const Annotation& annotation) const;
    Result<void> remove(const RunId& id);
    Result<RunId> importArchive(const std::filesystem::path& from) const;
    Result<void> rebuild();
    Result<ComparedRun> compared(const RunId& id);
    Result<RepeatPool> repeats(const std::vector<std::string>& poolingKeys);
    Result<std::vector<ComparedRun>> comparedOfPlan(const std::string& planName);

private:
    /// What is known of a run from its file: that of comparisons only where it has ended.
    struct Read {
        RunSummary summary;
        std::optional<history::StoredComparison> comparison {};
    };
    Read readRun(const RunId& id);
    Result<ComparedRun> decoded(const RunId& id, const std::string& content) const;

    HistoryFolder m_folder;
    history::Catalogue m_catalogue;
    std::map<RunId, Recording> m_live; // kept open: looking again costs only what is new
};

History::Impl::Read History::Impl::readRun(const RunId& id)
{
    auto open = m_live.find(id);
    if (open == m_live.end()) {
        auto recording = Recording::open(m_folder.fileOf(id));
        if (!recording)
            return { session::summaryOfUnreadable(id, recording.error()) };
        if (recording->header().id != id)
            return { session::summaryOfUnreadable(id,
                fail(m_folder.fileOf(id).string() + ": holds the run " + recording->header().id.text())) };
        open = m_live.emplace(id, std::move(*recording)).first;
    } else if (auto refreshed = open->second.refresh(); !refreshed) {
        m_live.erase(open);
        return { session::summaryOfUnreadable(id, refreshed.error()) };
    }
    auto summary = session::summaryOf(open->second);
    Read read;
    if (summary && !isLive(summary->state))
        if (const auto run = comparedRun(open->second); run && !run->live)
            read.comparison = { run->facts.poolingKey(), encodeCompared(*run) };
    if (!summary || !isLive(summary->state))
        m_live.erase(open);
    read.summary = summary ? std::move(*summary) : session::summaryOfUnreadable(id, summary.error());
    return read;
}

Result<std::vector<RunSummary>> History::Impl::list()
{
    auto known = m_catalogue.read();
    auto present = m_folder.ids();
    if (!known || !present)
        return known ? present.error() : known.error();
    std::vector<RunSummary> runs;
    std::vector<history::CatalogueEntry> changed;
    for (auto it = known->begin(); it != known->end();)
        it = session::takeFigures(it->second) ? std::next(it) : known->erase(it);
    for (const RunId& id : *present) {
        // Before reading: what comes in meanwhile changes the stamp again.
        const history::FileStamp stamp = history::stampOf(m_folder.fileOf(id));
        const auto entry = known->find(id);
        const bool current =
            entry != known->end() && entry->second.stamp == stamp && !isLive(entry->second.summary.state);
        Read read = current ? Read { entry->second.summary } : readRun(id);
        RunSummary& summary = read.summary;
        summary.fileBytes = static_cast<std::uint64_t>(stamp.fileBytes + stamp.logBytes);
        summary.changed = WallTime(Nanoseconds(std::max(stamp.fileTime, stamp.logTime)));
        const bool same =
            entry != known->end() && entry->second.stamp == stamp && entry->second.summary == summary;
        runs.push_back(summary);
        if (!same)
            changed.push_back(
                { summary, stamp, session::storedFigures(summary), std::move(read.comparison) });
        if (entry != known->end())
            known->erase(entry);
    }
    std::vector<RunId> gone;
    for (const auto& [id, entry] : *known) {
        gone.push_back(id);
        m_live.erase(id);
    }
    std::reverse(runs.begin(), runs.end());
    // The catalogue only saves time: where it cannot be written (full disk, read-only folder) the list still stands.
    (void)m_catalogue.change(changed, gone);
    return runs;
}

Result<void> History::Impl::annotate(const RunId& id, const Annotation& annotation) const
{
    if (!m_folder.has(id))
        return m_folder.missing(id);
    return history::addAnnotation(m_folder.fileOf(id), annotation);
}

Result<void> History::Impl::remove(const RunId& id)
{
    m_live.erase(id); // before its files go
    if (auto done = m_folder.remove(id); !done)
        return done;
    return m_catalogue.change({}, { id });
}

Result<RunId> History::Impl::importArchive(const std::filesystem::path& from) const
{
    if (auto sound = history::checkRecording(from); !sound)
        return sound.error();
    const auto recording = Recording::open(from);
    if (!recording)
        return recording.error();
    const RunId id = recording->header().id;
    if (m_folder.has(id))
        return fail(from.string() + ": run " + id.text() + " is in the history already");
    if (isLive(recording->state()))
        return fail(from.string() + ": run " + id.text() + " is still being written: export it instead");
    if (auto copied = history::copyRecording(from, m_folder.fileOf(id), false); !copied)
        return copied.error();
    return id;
}

Result<void> History::Impl::rebuild()
{
    if (auto done = m_catalogue.renew(); !done)
        return done;
    auto listed = list();
    return listed ? Result<void>() : Result<void>(listed.error());
}

Result<ComparedRun> History::Impl::decoded(const RunId& id, const std::string& content) const
{
    auto run = decodeCompared(content);
    if (run)
        run->file = m_folder.fileOf(id); // the folder may have been moved
    return run;
}

Result<ComparedRun> History::Impl::compared(const RunId& id)
{
    if (!m_folder.has(id))
        return m_folder.missing(id);
    if (const auto content = m_catalogue.comparisonOf(id, history::stampOf(m_folder.fileOf(id)));
        content && !content->empty())
        if (auto run = decoded(id, *content))
            return run;
    const auto recording = Recording::open(m_folder.fileOf(id));
    if (!recording)
        return recording.error();
    return comparedRun(*recording);
}

Result<RepeatPool> History::Impl::repeats(const std::vector<std::string>& poolingKeys)
{
    if (const auto listed = list(); !listed)
        return listed.error();
    RepeatPool pool;
    for (const std::string& key : std::set<std::string>(poolingKeys.begin(), poolingKeys.end())) {
        const auto contents = m_catalogue.comparisonsOfPool(key, RepeatPool::kMostRuns);
        if (!contents)
            return contents.error();
        for (const std::string& content : *contents)
            (void)pool.add(content); // what another version wrote says nothing
    }
    return pool;
}

Result<std::vector<ComparedRun>> History::Impl::comparedOfPlan(const std::string& planName)
{
    if (const auto listed = list(); !listed)
        return listed.error();
    const auto contents = m_catalogue.comparisonsOfPlan(planName, PlanTrend::kMostRuns);
    if (!contents)
        return contents.error();
    constexpr std::size_t kMuch =
        8U << 20; // a value takes some 40 bytes here, and thirty times as much in memory
    std::size_t size = 0;
    for (const auto& [id, content] : *contents)
        size += content.size();
    std::vector<ComparedRun> runs;
    for (const auto& [id, content] : *contents)
        if (auto run = decoded(id, content)) {
            if (size > kMuch)
                for (ComparedMix& mix : run->mixes)
                    std::erase_if(mix.values, [](const ComparedValue& value) { return value.detail; });
            runs.push_back(*std::move(run));
        }
    std::ranges::reverse(runs);
    return runs;
}

History::History(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

Result<History> History::open(std::filesystem::path folder)
{
    auto files = HistoryFolder::open(std::move(folder));
    if (!files)
        return files.error();
    auto catalogue = history::Catalogue::open(files->catalogue());
    if (!catalogue)
        return catalogue.error();
    return History(std::make_unique<Impl>(*std::move(files), *std::move(catalogue)));
}

const std::filesystem::path& History::folder() const
{
    return m_impl->folder().path();
}
Result<std::vector<RunSummary>> History::list()
{
    return m_impl->list();
}
std::filesystem::path History::fileOf(const RunId& id) const
{
    return m_impl->folder().fileOf(id);
}

Result<Recording> History::openRun(const RunId& id, const std::string& target) const
{
    if (!m_impl->folder().has(id))
        return m_impl->folder().missing(id);
    return Recording::open(m_impl->folder().fileOf(id), target);
}

Result<RunId> History::find(const std::string& text)
{
    const auto ids = m_impl->folder().ids();
    if (!ids)
        return ids.error();
    if (ids->empty())
        return fail("the history " + folder().string() + " is empty");
    if (text == "last")
        return ids->back();
    std::vector<RunId> matches;
    if (!text.empty())
        std::copy_if(ids->begin(), ids->end(), std::back_inserter(matches),
            [&](const RunId& id) { return id.text().starts_with(text); });
    if (matches.size() == 1)
        return matches.front();
    if (matches.empty())
        return fail("no run \"" + text + "\" in the history " + folder().string());
    return fail("\"" + text + "\" may be " + matches[0].text() + " or " + matches[1].text()
        + (matches.size() > 2 ? " or others" : "") + ": write more of the id");
}

Result<ComparedRun> History::compared(const RunId& id)
{
    return m_impl->compared(id);
}
Result<RepeatPool> History::repeats(const std::vector<std::string>& poolingKeys)
{
    return m_impl->repeats(poolingKeys);
}
Result<std::vector<ComparedRun>> History::comparedOfPlan(const std::string& planName)
{
    return m_impl->comparedOfPlan(planName);
}

Result<void> History::annotate(const RunId& id, const Annotation& annotation)
{
    return m_impl->annotate(id, annotation);
}

Result<void> History::setTags(const RunId& id, const std::vector<std::string>& tags)
{
    return m_impl->annotate(id, history::tagAnnotation(tags));
}

Result<void> History::setNote(const RunId& id, const std::string& note)
{
    const Annotation annotation { wallNow(), AnnotationKind::note, note, {} };
    return m_impl->annotate(id, annotation);
}

Result<void> History::attachLab(const RunId& id, const RunLab& lab)
{
    if (!m_impl->folder().has(id))
        return m_impl->folder().missing(id);
    for (const Problem& problem : readLab(lab.text, lab.name, lab.variant).problems)
        if (problem.severity == ProblemSeverity::error)
            return fail(problem.format(lab.name));
    return history::addLab(fileOf(id), lab);
}

Result<void> History::remove(const RunId& id)
{
    return m_impl->remove(id);
}

Result<void> History::exportArchive(const RunId& id, const std::filesystem::path& to) const
{
    if (!m_impl->folder().has(id))
        return m_impl->folder().missing(id);
    return history::copyRecording(m_impl->folder().fileOf(id), to, true);
}

Result<RunId> History::importArchive(const std::filesystem::path& from)
{
    return m_impl->importArchive(from);
}
Result<void> History::rebuild()
{
    return m_impl->rebuild();
}

} // namespace loadstone
