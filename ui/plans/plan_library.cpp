// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plans/plan_library.h"

#include "format.h"
#include "lab/recent_labs.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QSettings>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr int kSettleMilliseconds = 300; // changes of folders come in bursts
constexpr int kTellMilliseconds = 100; // what is read is shown at most so often
constexpr std::size_t kMostFiles = 2'000, kMostEntries = 20'000; // of one folder: shown, looked at
constexpr int kMostRecent = 12, kMostFolders = 50;
constexpr qsizetype kMostWatched = 500; // files: the system has a limit for all programs
const QString kFolders = QStringLiteral("plans/folders"), kRecent = QStringLiteral("plans/recent");

/// The files of a folder by name; nothing of what only looks like a file.
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& folder, QString& problem)
{
    std::vector<std::filesystem::path> files;
    std::error_code failure;
    std::filesystem::directory_iterator entry(folder, failure), end;
    std::size_t seen = 0;
    for (; !failure && entry != end && seen < kMostEntries; entry.increment(failure), ++seen) {
        std::error_code ignored;
        if (entry->path().extension() == ".toml" && entry->is_regular_file(ignored))
            files.push_back(entry->path());
    }
    if (failure)
        problem = PlanLibrary::tr("%1: %2").arg(text(folder.string()), text(failure.message()));
    else if (seen == kMostEntries || files.size() > kMostFiles)
        problem = PlanLibrary::tr("%1: only some of its files are shown; it has too many.")
                      .arg(text(folder.string()));
    std::sort(files.begin(), files.end());
    if (files.size() > kMostFiles)
        files.resize(kMostFiles);
    return files;
}

} // namespace

PlanLibrary::PlanLibrary(QObject* parent)
    : QObject(parent)
    , m_watcher(new QFileSystemWatcher(this))
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettleMilliseconds);
    connect(&m_soon, &QTimer::timeout, this, &PlanLibrary::refresh);
    m_tell.setSingleShot(true);
    m_tell.setInterval(kTellMilliseconds);
    connect(&m_tell, &QTimer::timeout, this, &PlanLibrary::changed);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(m_watcher, &QFileSystemWatcher::fileChanged, &m_soon, qOverload<>(&QTimer::start));
}

PlanLibrary::~PlanLibrary() = default;

void PlanLibrary::load()
{
    const QSettings settings;
    m_recent = settings.value(kRecent).toStringList().mid(0, kMostRecent);
    m_folders = settings.value(kFolders).toStringList().mid(0, kMostFolders);
    emit foldersChanged();
    refresh();
}

void PlanLibrary::save() const
{
    QSettings settings;
    settings.setValue(kRecent, m_recent);
    settings.setValue(kFolders, m_folders);
}

void PlanLibrary::setFolders(const QStringList& folders)
{
    m_folders = folders.mid(0, kMostFolders);
    save();
    emit foldersChanged();
    refresh();
}

void PlanLibrary::addFolder(const QString& folder)
{
    const QString name = QFileInfo(folder).absoluteFilePath();
    if (!m_folders.contains(name))
        setFolders(m_folders + QStringList(name));
}

void PlanLibrary::removeFolder(const QString& folder)
{
    QStringList rest = m_folders;
    rest.removeAll(folder);
    setFolders(rest);
}

void PlanLibrary::addRecent(const std::filesystem::path& file)
{
    const QString name = QFileInfo(text(file.string())).absoluteFilePath();
    m_recent.removeAll(name);
    m_recent.prepend(name);
    m_recent = m_recent.mid(0, kMostRecent);
    save();
    refresh();
}

void PlanLibrary::forgetRecent(const std::filesystem::path& file)
{
    m_recent.removeAll(QFileInfo(text(file.string())).absoluteFilePath());
    save();
    refresh();
}

PlanLibrary::Listed PlanLibrary::list(const QStringList& recent, const QStringList& folders)
{
    Listed listed;
    std::set<std::filesystem::path> known;
    const auto add = [&](const std::filesystem::path& file, PlanOrigin origin) {
        std::error_code failure;
        const auto name = file.lexically_normal();
        const bool there = std::filesystem::is_regular_file(name, failure);
        if (!there || !known.insert(name).second)
            return;
        PlanFacts facts;
        facts.file = name;
        facts.origin = origin;
        facts.changed = std::filesystem::last_write_time(name, failure);
        facts.size = std::filesystem::file_size(name, failure);
        listed.files.push_back(std::move(facts));
    };
    auto shipped = readableShippedPlans();
    std::stable_partition(
        shipped.begin(), shipped.end(), [](const auto& file) { return file.stem() == "first-run"; });
    for (const auto& file : shipped)
        add(file, PlanOrigin::shipped);
    for (const auto& other : readableShippedOthers())
        add(other, PlanOrigin::shipped);
    for (const QString& file : recent)
        add(bytes(file), PlanOrigin::recent);
    for (const QString& folder : folders) {
        QString problem;
        for (const auto& file : filesOf(bytes(folder), problem))
            add(file, PlanOrigin::folder);
        if (!problem.isEmpty())
            listed.problems.append(problem);
    }
    return listed;
}

void PlanLibrary::refresh()
{
    if (std::exchange(m_listing, true)) {
        m_again = true;
        return;
    }
    m_worker.post([recent = m_recent + recentLabs(),
                      folders = m_folders]() -> Result<Listed> { return list(recent, folders); },
        this,
        [this](Result<Listed> listed) {
            m_listing = false;
            if (listed)
                take(*std::move(listed));
            if (std::exchange(m_again, false))
                refresh();
        });
}

void PlanLibrary::take(Listed listed)
{
    // What is known of a file stays while it is the same file. What is wrong with it may be put right in another one, such as its lab.
    for (PlanFacts& facts : listed.files) {
        const auto known = std::find_if(m_files.begin(), m_files.end(), [&](const PlanFacts& k) {
            std::error_code ignored;
            return k.read && k.usable() && k.file == facts.file && k.changed == facts.changed
                && k.size == facts.size
                && (k.lab.empty() || std::filesystem::last_write_time(k.lab, ignored) == k.labChanged);
        });
        if (known == m_files.end())
            continue;
        const PlanOrigin origin = facts.origin;
        facts = *known;
        facts.origin = origin;
    }
    m_files = std::move(listed.files);
    for (const QString& problem : listed.problems)
        if (!m_told.contains(problem)) { // once: the list is read again and again
            m_told.append(problem);
            emit message(problem);
        }
    watch();
    emit changed();
    readNext();
}

void PlanLibrary::watch()
{
    QStringList watched;
    for (const QString& folder : m_folders)
        if (QFileInfo(folder).isDir())
            watched.append(folder);
    for (const PlanFacts& facts : m_files) {
        if (facts.origin == PlanOrigin::shipped)
            continue;
        // A file that is written in place does not change its folder, and one that is replaced is another file.
        watched.append(text(facts.file.parent_path().string()));
        if (watched.size() < kMostWatched)
            watched.append(text(facts.file.string()));
        if (!facts.lab.empty() && watched.size() < kMostWatched)
            watched.append(text(facts.lab.string()));
    }
    watched.removeDuplicates();
    const QStringList before = m_watcher->directories() + m_watcher->files();
    QStringList gone, added;
    std::ranges::copy_if(
        before, std::back_inserter(gone), [&](const QString& one) { return !watched.contains(one); });
    std::ranges::copy_if(
        watched, std::back_inserter(added), [&](const QString& one) { return !before.contains(one); });
    if (!gone.isEmpty())
        m_watcher->removePaths(gone);
    if (!added.isEmpty())
        m_watcher->addPaths(added);
}

void PlanLibrary::readNext()
{
    const auto next =
        std::find_if(m_files.begin(), m_files.end(), [](const PlanFacts& f) { return !f.read; });
    if (next == m_files.end() || m_listing)
        return;
    m_worker.post([facts = *next]() -> Result<PlanFacts> { return readPlanFacts(facts); }, this,
        [this, asked = *next](Result<PlanFacts> read) {
            PlanFacts facts = read ? *std::move(read) : asked;
            if (!read) { // a library threw: the others are read all the same
                facts.read = true;
                facts.failure = text(read.error().message);
            }
            for (PlanFacts& known : m_files)
                if (known.file == facts.file && known.changed == facts.changed && known.size == facts.size) {
                    facts.origin = known.origin;
                    known = facts;
                }
            if (!m_tell.isActive())
                m_tell.start();
            readNext();
        });
}

} // namespace loadstone::ui
