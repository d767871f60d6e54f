// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "history/archive.h"
#include "history/catalogue.h"
#include "history/recording_reader.h"
#include "history/text.h"
#include "history/writer_mark.h"

#include <loadstone/history.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone {

namespace {

constexpr const char* kExtension = ".loadstone";

/// The user's home where no variable says it; empty where nobody knows.
std::filesystem::path homeOfUser()
{
    std::array<char, 16384> memory {};
    passwd entry {};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, memory.data(), memory.size(), &found) != 0 || found == nullptr
        || found->pw_dir == nullptr)
        return {};
    return found->pw_dir;
}

Result<std::filesystem::path> defaultFolder()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value != nullptr ? value : "");
    };
    if (auto folder = variable("LOADSTONE_HISTORY"); !folder.empty())
        return folder;
    if (auto data = variable("XDG_DATA_HOME"); data.is_absolute())
        return data / "loadstone" / "history";
    auto home = variable("HOME");
    if (!home.is_absolute())
        home = homeOfUser();
    if (!home.is_absolute())
        return fail("nothing says where the history is: HOME is not set, and this user has no home; write "
                    "--history FOLDER, or set LOADSTONE_HISTORY");
    return home / ".local" / "share" / "loadstone" / "history";
}

/// Makes a folder of the history, for its owner alone: transcripts and names of users are in it.
Result<void> makeFolder(const std::filesystem::path& folder)
{
    std::error_code error;
    if (std::filesystem::is_directory(folder, error))
        return {};
    if (folder.has_parent_path())
        std::filesystem::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST)
        return {};
    return systemError("cannot make the history folder " + folder.string());
}

/// When a run came into the history, as far as that is known without opening it: the time in its id, but not later than its file
/// was made. An id is what its writer says, and one of a far future would be the newest for ever.
std::pair<std::int64_t, std::int64_t> arrivalOf(const RunId& id, const std::filesystem::path& file)
{
    std::tm parts {};
    const std::string& text = id.text();
    const auto digits = [&](std::size_t at, std::size_t count) { return std::stoi(text.substr(at, count)); };
    parts.tm_year = digits(0, 4) - 1900;
    parts.tm_mon = digits(4, 2) - 1;
    parts.tm_mday = digits(6, 2);
    parts.tm_hour = digits(9, 2);
    parts.tm_min = digits(11, 2);
    parts.tm_sec = digits(13, 2);
    const std::int64_t said = ::timegm(&parts);
    struct statx made { };
    if (::statx(AT_FDCWD, file.c_str(), 0, STATX_BTIME | STATX_MTIME, &made) != 0)
        return { said, 0 };
    const bool born = (made.stx_mask & STATX_BTIME) != 0 && made.stx_btime.tv_sec != 0;
    const statx_timestamp& there = born ? made.stx_btime : made.stx_mtime;
    // Within a second by the file: an id knows no parts of one.
    return { std::min<std::int64_t>(said, there.tv_sec), there.tv_sec * 1'000'000'000 + there.tv_nsec };
}

bool isLive(RunState state)
{
    return state <= RunState::running;
}

Result<RunSummary> summaryOf(const Recording& recording)
{
    const auto results = computeResults(recording);
    if (!results)
        return results.error();
    const auto annotations = recording.annotations();
    if (!annotations)
        return annotations.error();
    const history::Remarks remarks = history::remarksOf(*annotations);
    const RunHeader& header = recording.header();
    RunSummary summary;
    summary.id = header.id;
    summary.title = remarks.title.empty() ? header.title : remarks.title;
    summary.started = header.started;
    summary.length = recording.length();
    summary.state = results->state;
    summary.valid = results->valid;
    if (isOver(results->state)) {
        const auto verdict = verdictOf(recording);
        if (!verdict)
            return verdict.error();
        summary.verdict = verdict->verdict;
    }
    summary.planName = header.planName;
    summary.computer = header.computer;
    summary.tags = remarks.tags;
    summary.note = remarks.note;
    summary.kind = header.kind;
    // Of a storage plan's tests those with a load say what the run is about: backups and checksums read as fast as they can.
    const auto hasLoad = [](const MixResult& mix) { return mix.storage && mix.storage->hasLoad(); };
    const bool anyLoad = std::any_of(results->mixes.begin(), results->mixes.end(), hasLoad);
    const char* const leading = header.kind == RunKind::mail ? "mail.sent-rate" : "io.rate";
    double highest = 0;
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
    for (const MixResult& mix : results->mixes) {
        summary.sent += mix.measured.sent;
        summary.received += mix.measured.received;
        attempts += mix.attempts;
        failures += mix.failures;
        if (anyLoad && !hasLoad(mix))
            continue;
        const Figure* rate = findFigure(mix.figures, leading);
        const double its = rate != nullptr ? rate->value.value_or(0) : 0;
        if (summary.mix >= 0 && its < highest)
            continue;
        highest = its;
        summary.mix = mix.mix;
        summary.figures.clear();
        for (const Figure& figure : mix.figures)
            if (figure.subject.empty() && !figure.counter)
                summary.figures.push_back(figure);
    }
    for (const Figure& figure : results->figures)
        summary.figures.push_back(figure);
    if (!results->preparations.empty())
        for (const Figure& figure : results->preparations.back().figures)
            summary.figures.push_back(figure);
    std::ranges::sort(summary.figures, {}, &Figure::id);
    if (attempts > 0)
        summary.errorRate = static_cast<double>(failures) / static_cast<double>(attempts);
    if (results->audit) {
        summary.lost = results->audit->lost;
        summary.twice = results->audit->twice;
        summary.damaged = results->audit->damaged;
        summary.outstanding = results->audit->outstanding;
    }
    return summary;
}

/// The figures of a run as the catalogue keeps them: by key, with the version of their definitions.
std::vector<history::StoredFigure> storedFigures(const RunSummary& summary)
{
    std::vector<history::StoredFigure> stored;
    for (const Figure& figure : summary.figures) {
        const FigureInfo& info = infoOf(figure.id);
        stored.push_back({ std::string(info.key), info.version, figure });
    }
    return stored;
}

/// Puts the figures that the catalogue kept into the summary. False: one of them is not known any more, or means something
/// else now, and the run is read again.
bool takeFigures(history::CatalogueEntry& entry)
{
    std::vector<Figure>& figures = entry.summary.figures;
    for (history::StoredFigure& stored : entry.figures) {
        const auto id = findFigure(stored.key);
        if (!id || infoOf(*id).version != stored.version)
            return false;
        stored.figure.id = *id;
        stored.figure.statistic = infoOf(*id).statistic;
        figures.push_back(std::move(stored.figure));
    }
    std::ranges::sort(figures, {}, &Figure::id);
    return true;
}

/// A file that cannot be read stays in the list, and says why.
RunSummary summaryOfUnreadable(const RunId& id, const Error& error)
{
    RunSummary summary;
    summary.id = id;
    summary.title = "Unreadable recording";
    summary.note = history::validUtf8(error.message);
    summary.state = RunState::failed;
    summary.valid = false;
    summary.verdict = Verdict::unreadable;
    return summary;
}

} // namespace

class History::Impl {
public:
    Impl(std::filesystem::path folder, history::Catalogue catalogue)
        : m_folder(std::move(folder))
        , m_catalogue(std::move(catalogue))
    {
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    [[nodiscard]] std::filesystem::path runs() const { return m_folder / "runs"; }
    [[nodiscard]] std::filesystem::path fileOf(const RunId& id) const
    {
        return runs() / (id.text() + kExtension);
    }
    [[nodiscard]] Error missing(const RunId& id) const
    {
        return fail("no run " + id.text() + " in the history " + m_folder.string());
    }
    [[nodiscard]] bool exists(const RunId& id) const
    {
        std::error_code ignored;
        return std::filesystem::exists(fileOf(id), ignored);
    }
    Result<std::vector<RunId>> ids() const;
    Result<std::vector<RunSummary>> list();
    Result<void> annotate(const RunId& id, const Annotation& annotation) const;
    Result<void> remove(const RunId& id);
    Result<RunId> importArchive(const std::filesystem::path& from);
    Result<void> rebuild()
    {
        if (auto done = m_catalogue.renew(); !done)
            return done;
        auto listed = list();
        return listed ? Result<void>() : Result<void>(listed.error());
    }

private:
    RunSummary readRun(const RunId& id);

    std::filesystem::path m_folder;
    history::Catalogue m_catalogue;
    std::map<RunId, Recording> m_live; // kept open: looking again costs only what is new
};

Result<std::vector<RunId>> History::Impl::ids() const
{
    std::vector<RunId> ids;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(runs(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() != kExtension)
            continue;
        if (auto id = RunId::parse(entry->path().stem().string()))
            ids.push_back(*id);
    }
    if (error)
        return fail(runs().string() + ": " + error.message());
    std::map<RunId, std::pair<std::int64_t, std::int64_t>> arrivals;
    for (const RunId& id : ids)
        arrivals.emplace(id, arrivalOf(id, fileOf(id)));
    std::sort(ids.begin(), ids.end(), [&](const RunId& a, const RunId& b) {
        const auto& first = arrivals.at(a);
        const auto& second = arrivals.at(b);
        return first != second ? first < second : a < b;
    });
    return ids;
}

RunSummary History::Impl::readRun(const RunId& id)
{
    auto open = m_live.find(id);
    if (open == m_live.end()) {
        auto recording = Recording::open(fileOf(id));
        if (!recording)
            return summaryOfUnreadable(id, recording.error());
        if (recording->header().id != id)
            return summaryOfUnreadable(
                id, fail(fileOf(id).string() + ": holds the run " + recording->header().id.text()));
        open = m_live.emplace(id, std::move(*recording)).first;
    } else if (auto refreshed = open->second.refresh(); !refreshed) {
        m_live.erase(open);
        return summaryOfUnreadable(id, refreshed.error());
    }
    auto summary = summaryOf(open->second);
    if (!summary || !isLive(summary->state))
        m_live.erase(open);
    return summary ? std::move(*summary) : summaryOfUnreadable(id, summary.error());
}

Result<std::vector<RunSummary>> History::Impl::list()
{
    auto known = m_catalogue.read();
    auto present = ids();
    if (!known || !present)
        return known ? present.error() : known.error();
    std::vector<RunSummary> runs;
    std::vector<history::CatalogueEntry> changed;
    for (auto it = known->begin(); it != known->end();)
        it = takeFigures(it->second) ? std::next(it) : known->erase(it);
    for (const RunId& id : *present) {
        // Before reading: what comes in meanwhile changes the stamp again.
        const history::FileStamp stamp = history::stampOf(fileOf(id));
        const auto entry = known->find(id);
        const bool current =
            entry != known->end() && entry->second.stamp == stamp && !isLive(entry->second.summary.state);
        RunSummary summary = current ? entry->second.summary : readRun(id);
        summary.fileBytes = static_cast<std::uint64_t>(stamp.fileBytes + stamp.logBytes);
        const bool same =
            entry != known->end() && entry->second.stamp == stamp && entry->second.summary == summary;
        runs.push_back(summary);
        if (!same)
            changed.push_back({ summary, stamp, storedFigures(summary) });
        if (entry != known->end())
            known->erase(entry);
    }
    std::vector<RunId> gone;
    for (const auto& [id, entry] : *known) {
        gone.push_back(id);
        m_live.erase(id);
    }
    std::reverse(runs.begin(), runs.end());
    // The catalogue only saves time: where it cannot be written (full disk, read-only folder) the list still
    // stands.
    (void)m_catalogue.change(changed, gone);
    return runs;
}

Result<void> History::Impl::annotate(const RunId& id, const Annotation& annotation) const
{
    if (!exists(id))
        return missing(id);
    return history::addAnnotation(fileOf(id), annotation);
}

Result<void> History::Impl::remove(const RunId& id)
{
    if (!exists(id))
        return missing(id);
    const std::filesystem::path file = fileOf(id);
    {
        // Held while the files go, so that nobody starts to write them.
        auto mark = history::WriterMark::take(file);
        if (!mark)
            return mark.error().within("run " + id.text());
        m_live.erase(id);
        if (::unlink(file.c_str()) != 0)
            return systemError(file.string());
        for (const char* suffix : { "-wal", "-shm", "-journal" })
            ::unlink((file.string() + suffix).c_str());
    }
    return m_catalogue.change({}, { id });
}

Result<RunId> History::Impl::importArchive(const std::filesystem::path& from)
{
    if (auto sound = history::checkRecording(from); !sound)
        return sound.error();
    const auto recording = Recording::open(from);
    if (!recording)
        return recording.error();
    const RunId id = recording->header().id;
    if (exists(id))
        return fail(from.string() + ": run " + id.text() + " is in the history already");
    if (isLive(recording->state()))
        return fail(from.string() + ": run " + id.text() + " is still being written: export it instead");
    if (auto copied = history::copyRecording(from, fileOf(id), false); !copied)
        return copied.error();
    return id;
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
    if (folder.empty()) {
        auto found = defaultFolder();
        if (!found)
            return found.error();
        folder = *std::move(found);
    }
    for (const auto& one : { folder, folder / "runs" })
        if (const auto made = makeFolder(one); !made)
            return made.error();
    auto catalogue = history::Catalogue::open(folder / "catalogue.db");
    if (!catalogue)
        return catalogue.error();
    return History(std::make_unique<Impl>(std::move(folder), std::move(*catalogue)));
}

const std::filesystem::path& History::folder() const
{
    return m_impl->folder();
}
Result<std::vector<RunSummary>> History::list()
{
    return m_impl->list();
}
std::filesystem::path History::fileOf(const RunId& id) const
{
    return m_impl->fileOf(id);
}

Result<Recording> History::openRun(const RunId& id, const std::string& target) const
{
    if (!m_impl->exists(id))
        return m_impl->missing(id);
    return Recording::open(m_impl->fileOf(id), target);
}

Result<RunId> History::find(const std::string& text)
{
    const auto ids = m_impl->ids();
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
        + (matches.size() > 2 ? " or others" : "") + ": write more of it");
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

Result<void> History::remove(const RunId& id)
{
    return m_impl->remove(id);
}

Result<void> History::exportArchive(const RunId& id, const std::filesystem::path& to) const
{
    if (!m_impl->exists(id))
        return m_impl->missing(id);
    return history::copyRecording(m_impl->fileOf(id), to, true);
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
