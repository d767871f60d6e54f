// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/catalogue.h"

#include "base/posix_file.h"
#include "history/archive.h"
#include "history/migrations.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace loadstone::history {

namespace {

/// The files that catalogues of this process have been opened on. Closing a file gives up the locks that SQLite has on it through any
/// other descriptor of the process; the next process to close the catalogue would then remove the log that this one still writes.
/// So a file is looked at by its bytes only before its first catalogue is opened, and nothing else is opened meanwhile.
class KnownFiles {
public:
    std::recursive_mutex mutex;
    [[nodiscard]] bool contains(const std::filesystem::path& file) const
    {
        const auto id = idOf(file);
        return id && m_ids.contains(*id);
    }
    void add(const std::filesystem::path& file)
    {
        if (const auto id = idOf(file))
            m_ids.insert(*id);
    }

private:
    using Id = std::pair<std::uint64_t, std::uint64_t>;
    [[nodiscard]] static std::optional<Id> idOf(const std::filesystem::path& file)
    {
        struct stat status { };
        return ::lstat(file.c_str(), &status) == 0 ? std::optional(Id { status.st_dev, status.st_ino })
                                                   : std::nullopt;
    }
    std::set<Id> m_ids;
};

KnownFiles& knownFiles()
{
    static KnownFiles known;
    return known;
}

/// Whether the file may be written to: it is Loadstone's catalogue, whatever its state, or there is nothing in it. Looked at by
/// its first bytes alone, without SQLite, which would put side files there.
Result<void> checkOwner(const std::filesystem::path& file)
{
    constexpr std::size_t kIdAt = 68; // application_id, "Database File Format" of SQLite
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    if (knownFiles().contains(file))
        return {};
    auto opened = openRegular(file, O_RDONLY);
    if (!opened)
        return opened.error().code == boost::system::errc::no_such_file_or_directory
            ? Result<void>()
            : Result<void>(opened.error());
    std::array<char, kIdAt + 4> head {};
    const ssize_t size = ::pread(opened->get(), head.data(), head.size(), 0);
    if (size < 0)
        return systemError(file.string());
    std::uint32_t id = 0;
    for (std::size_t i = kIdAt; i < head.size(); ++i)
        id = id << 8U | static_cast<unsigned char>(head[i]);
    const bool ours = size == static_cast<ssize_t>(head.size())
        && std::string_view(head.data(), kMagic.size()) == kMagic
        && static_cast<std::int32_t>(id) == catalogueKind().applicationId;
    if (size == 0 || ours)
        return {};
    return fail(file.string()
        + ": exists and is not a catalogue of Loadstone, or a damaged one; it is not overwritten: choose "
          "another "
          "folder for the history (--history), or move the file away. Loadstone makes its catalogue again "
          "from the "
          "recordings beside it, which have all that it lists");
}

Result<Database> openCatalogue(const std::filesystem::path& file)
{
    auto database = file.empty() ? Database::inMemory() : Database::open(file, Database::Access::create);
    if (!database)
        return database;
    // First of all whose it is, in the file itself: that is what it is known by.
    const std::string mine = "PRAGMA application_id=" + std::to_string(catalogueKind().applicationId);
    if (const auto version = database->pragma("user_version"); !version)
        return version.error();
    else if (*version == 0)
        if (auto done = database->execute(mine); !done)
            return done.error();
    // Only a cache: what a loss of power takes is read again from the runs.
    if (auto done = database->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL"); !done)
        return done.error();
    if (auto done = migrate(*database, catalogueKind()); !done)
        return done.error();
    if (auto known = checkKind(*database, file.string(), catalogueKind()); !known)
        return known.error();
    if (!file.empty())
        knownFiles().add(file);
    return database;
}

/// Whether files can be made and changed beside it.
bool isWritable(const std::filesystem::path& file)
{
    return ::access(file.parent_path().c_str(), W_OK) == 0
        && (::access(file.c_str(), W_OK) == 0 || errno == ENOENT);
}

bool isBusy(const Error& error)
{
    return error.code == boost::system::errc::device_or_resource_busy;
}

// Of a figure's flags in the file.
constexpr int kLowerBound = 1, kInvalid = 2, kExternal = 4;

std::int64_t nanosecondsOf(const timespec& time)
{
    return std::int64_t { time.tv_sec } * 1'000'000'000 + time.tv_nsec;
}

} // namespace

FileStamp stampOf(const std::filesystem::path& recording)
{
    FileStamp stamp;
    struct stat found { };
    if (::stat(recording.c_str(), &found) == 0) {
        stamp.fileTime = nanosecondsOf(found.st_mtim);
        stamp.fileBytes = found.st_size;
    }
    // An empty log comes and goes with readers and says nothing.
    if (::stat((recording.string() + "-wal").c_str(), &found) == 0 && found.st_size > 0) {
        stamp.logTime = nanosecondsOf(found.st_mtim);
        stamp.logBytes = found.st_size;
    }
    return stamp;
}

Result<Catalogue> Catalogue::open(const std::filesystem::path& file)
{
    Catalogue catalogue;
    const std::lock_guard lock(knownFiles().mutex);
    if (isWritable(file)) {
        if (const auto ours = checkOwner(file); !ours)
            return ours.error();
        catalogue.m_file = file;
        // With titles and notes in it: for its owner alone.
        const FileDescriptor made(
            ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    }
    auto database = openCatalogue(catalogue.m_file);
    if (!database) {
        if (isBusy(database.error()))
            return database.error();
        if (auto renewed = catalogue.renew(); !renewed)
            return renewed.error();
        return catalogue;
    }
    catalogue.m_database = std::move(*database);
    return catalogue;
}

Result<void> Catalogue::renew()
{
    const std::lock_guard lock(knownFiles().mutex);
    m_database = {};
    if (!m_file.empty())
        if (const auto ours = checkOwner(m_file); !ours)
            return ours;
    for (const char* suffix : { "", "-wal", "-shm" })
        if (!m_file.empty())
            ::unlink((m_file.string() + suffix).c_str());
    auto database = openCatalogue(m_file);
    if (!database)
        return database.error();
    m_database = std::move(*database);
    return {};
}

Result<CatalogueEntries> Catalogue::read()
{
    auto entries = readRows();
    if (entries || isBusy(entries.error()))
        return entries;
    if (auto renewed = renew(); !renewed)
        return renewed.error();
    return CatalogueEntries();
}

Result<CatalogueEntries> Catalogue::readRows()
{
    CatalogueEntries entries;
    auto rows =
        m_database.prepare("SELECT id, file_time, file_bytes, log_time, log_bytes, title, started, length, "
                           "state, valid, plan_name, computer, tags, note, sent, received, "
                           "error_rate, lost, twice, damaged, verdict, kind, outstanding, study, study_case, "
                           "repeat FROM run ORDER BY id");
    if (!rows)
        return rows.error();
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            break;
        auto id = RunId::parse(rows->text(0));
        if (!id || (!entries.empty() && *id <= entries.rbegin()->first))
            return fail(m_file.string() + ": damaged");
        CatalogueEntry entry;
        entry.stamp = { rows->integer(1), rows->integer(2), rows->integer(3), rows->integer(4) };
        RunSummary& run = entry.summary;
        run.id = *id;
        run.title = rows->text(5);
        run.started = WallTime(Nanoseconds(rows->integer(6)));
        run.length = Nanoseconds(rows->integer(7));
        run.state = static_cast<RunState>(rows->integer(8, 0, static_cast<int>(RunState::interrupted)));
        run.valid = rows->integer(9, 0, 1) != 0;
        run.planName = rows->text(10);
        run.computer = rows->text(11);
        run.tags = remarksOf({ { {}, AnnotationKind::tag, rows->text(12), {} } }).tags;
        run.note = rows->text(13);
        run.sent = static_cast<std::uint64_t>(rows->integer(14));
        run.received = static_cast<std::uint64_t>(rows->integer(15));
        run.errorRate = rows->real(16);
        run.lost = static_cast<std::uint64_t>(rows->integer(17));
        run.twice = static_cast<std::uint64_t>(rows->integer(18));
        run.damaged = static_cast<std::uint64_t>(rows->integer(19));
        run.verdict = static_cast<Verdict>(rows->integer(20, 0, static_cast<int>(Verdict::unreadable)));
        run.kind = static_cast<RunKind>(rows->integer(21, 0, static_cast<int>(RunKind::storage)));
        run.outstanding = static_cast<std::uint64_t>(rows->integer(22));
        run.study = { rows->text(23), rows->text(24),
            static_cast<std::uint32_t>(rows->integer(25, 0, 1'000'000)) };
        run.fileBytes = static_cast<std::uint64_t>(entry.stamp.fileBytes + entry.stamp.logBytes);
        run.changed = WallTime(Nanoseconds(std::max(entry.stamp.fileTime, entry.stamp.logTime)));
        entries.emplace(*id, std::move(entry));
    }
    if (auto done = readFigures(entries); !done)
        return done.error();
    return entries;
}

Result<void> Catalogue::readFigures(CatalogueEntries& entries)
{
    auto rows = m_database.prepare(
        "SELECT run, mix, key, version, value, samples, flags, window_begin, window_end FROM figure");
    if (!rows)
        return rows.error();
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            break;
        auto id = RunId::parse(rows->text(0));
        const auto entry = id ? entries.find(*id) : entries.end();
        if (entry == entries.end())
            return fail(m_file.string() + ": damaged");
        entry->second.summary.mix =
            static_cast<std::int32_t>(rows->integer(1, -1, std::numeric_limits<std::int32_t>::max()));
        StoredFigure& stored = entry->second.figures.emplace_back();
        stored.key = rows->text(2);
        stored.version = rows->integer(3);
        Figure& figure = stored.figure;
        if (!rows->isNull(4))
            figure.value = rows->real(4);
        figure.samples = static_cast<std::uint64_t>(rows->integer(5));
        const std::int64_t flags = rows->integer(6, 0, kLowerBound | kInvalid | kExternal);
        figure.flags = { (flags & kLowerBound) != 0, !figure.value, (flags & kInvalid) != 0,
            (flags & kExternal) != 0 };
        figure.window = { Nanoseconds(rows->integer(7)), Nanoseconds(rows->integer(8)) };
    }
    return {};
}

Result<void> Catalogue::change(const std::vector<CatalogueEntry>& put, const std::vector<RunId>& gone)
{
    if (put.empty() && gone.empty())
        return {};
    auto transaction = Transaction::begin(m_database, true);
    if (!transaction)
        return transaction.error();
    auto insert =
        m_database.prepare("INSERT OR REPLACE INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
                           "?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26)");
    auto removal = m_database.prepare("DELETE FROM run WHERE id = ?1");
    auto figures = m_database.prepare("INSERT INTO figure VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    auto oldFigures = m_database.prepare("DELETE FROM figure WHERE run = ?1");
    auto comparison = m_database.prepare("INSERT INTO comparison VALUES (?1, ?2, ?3, ?4, ?5)");
    auto oldComparison = m_database.prepare("DELETE FROM comparison WHERE run = ?1");
    for (const auto* statement : { &insert, &removal, &figures, &oldFigures, &comparison, &oldComparison })
        if (!*statement)
            return statement->error();
    for (const CatalogueEntry& entry : put) {
        const RunSummary& run = entry.summary;
        const std::string tags = tagAnnotation(run.tags).text;
        insert->bindText(1, run.id.text()).bind(2, entry.stamp.fileTime).bind(3, entry.stamp.fileBytes);
        insert->bind(4, entry.stamp.logTime).bind(5, entry.stamp.logBytes).bindText(6, run.title);
        insert->bind(7, run.started.time_since_epoch().count()).bind(8, run.length.count());
        insert->bind(9, static_cast<int>(run.state)).bind(10, run.valid ? 1 : 0).bindText(11, run.planName);
        insert->bindText(12, run.computer).bindText(13, tags).bindText(14, run.note);
        insert->bind(15, static_cast<std::int64_t>(run.sent))
            .bind(16, static_cast<std::int64_t>(run.received));
        insert->bindReal(17, run.errorRate);
        insert->bind(18, static_cast<std::int64_t>(run.lost)).bind(19, static_cast<std::int64_t>(run.twice));
        insert->bind(20, static_cast<std::int64_t>(run.damaged));
        insert->bind(21, static_cast<int>(run.verdict)).bind(22, static_cast<int>(run.kind));
        insert->bind(23, static_cast<std::int64_t>(run.outstanding));
        insert->bindText(24, run.study.study).bindText(25, run.study.studyCase).bind(26, run.study.repeat);
        if (auto done = insert->run(); !done)
            return done;
        if (auto done = oldFigures->bindText(1, run.id.text()).run(); !done)
            return done;
        for (const auto& [key, version, figure] : entry.figures) {
            figures->bindText(1, run.id.text()).bind(2, run.mix).bindText(3, key).bind(4, version);
            if (figure.value)
                figures->bindReal(5, *figure.value);
            else
                figures->bindNull(5);
            figures->bind(6, static_cast<std::int64_t>(figure.samples));
            figures->bind(7,
                (figure.flags.lowerBound ? kLowerBound : 0) | (figure.flags.invalid ? kInvalid : 0)
                    | (figure.flags.external ? kExternal : 0));
            figures->bind(8, figure.window.begin.count()).bind(9, figure.window.end.count());
            if (auto done = figures->run(); !done)
                return done;
        }
        if (auto done = oldComparison->bindText(1, run.id.text()).run(); !done)
            return done;
        if (!entry.comparison)
            continue;
        comparison->bindText(1, run.id.text()).bindText(2, entry.comparison->pool).bindText(3, run.planName);
        comparison->bind(4, run.started.time_since_epoch().count()).bindBlob(5, entry.comparison->content);
        if (auto done = comparison->run(); !done)
            return done;
    }
    for (const RunId& id : gone) {
        if (auto done = oldComparison->bindText(1, id.text()).run(); !done)
            return done;
        if (auto done = removal->bindText(1, id.text()).run(); !done)
            return done;
        if (auto done = oldFigures->bindText(1, id.text()).run(); !done)
            return done;
    }
    return transaction->commit();
}

Result<std::vector<std::string>> Catalogue::comparisonsOfPool(const std::string& pool, std::size_t most)
{
    std::vector<std::string> contents;
    auto rows =
        m_database.prepare("SELECT content FROM comparison WHERE pool = ?1 ORDER BY started DESC LIMIT ?2");
    if (!rows)
        return rows.error();
    rows->bindText(1, pool).bind(2, static_cast<std::int64_t>(most));
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            return contents;
        contents.emplace_back(rows->blob(0));
    }
}

Result<std::vector<std::pair<RunId, std::string>>> Catalogue::comparisonsOfPlan(
    const std::string& planName, std::size_t most)
{
    std::vector<std::pair<RunId, std::string>> contents;
    auto rows = m_database.prepare(
        "SELECT run, content FROM comparison WHERE plan_name = ?1 ORDER BY started DESC LIMIT ?2");
    if (!rows)
        return rows.error();
    rows->bindText(1, planName).bind(2, static_cast<std::int64_t>(most));
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            return contents;
        auto id = RunId::parse(rows->text(0));
        if (!id)
            return fail(m_file.string() + ": damaged");
        contents.emplace_back(*std::move(id), std::string(rows->blob(1)));
    }
}

Result<std::string> Catalogue::comparisonOf(const RunId& run, const FileStamp& stamp)
{
    auto rows = m_database.prepare(
        "SELECT content FROM comparison JOIN run ON run.id = comparison.run WHERE run.id = ?1 "
        "AND file_time = ?2 AND file_bytes = ?3 AND log_time = ?4 AND log_bytes = ?5");
    if (!rows)
        return rows.error();
    rows->bindText(1, run.text()).bind(2, stamp.fileTime).bind(3, stamp.fileBytes);
    rows->bind(4, stamp.logTime).bind(5, stamp.logBytes);
    auto more = rows->next();
    if (!more)
        return more.error();
    return *more ? std::string(rows->blob(0)) : std::string();
}

} // namespace loadstone::history
