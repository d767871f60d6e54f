// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/workbench_pages.h"

#include "compare/compare_page.h"
#include "editor/recovery.h"
#include "format.h"
#include "history/history_page.h"
#include "history/run_tags.h"
#include "lab/lab_of_run.h"
#include "lab/lab_page.h"
#include "lab/lab_wizard.h"
#include "lab/recent_labs.h"
#include "result/result_page.h"
#include "run/run_page.h"
#include "study/study_page.h"
#include "trend/trend_page.h"
#include "window/help_window.h"

#include <loadstone/external_result.h>
#include <loadstone/lab_text.h>

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QSettings>

#include <algorithm>

namespace loadstone::ui {

namespace {
QString livePlaceholder()
{
    return WorkbenchPages::tr(
        "<h2>No run in progress</h2><p>Choose a plan above and press <b>Run</b> (F5).</p>"
        "<p>The first-run plan takes about three minutes and needs no setup: it tests the mail "
        "server that comes with Loadstone, on this machine.</p>"
        "<p>A run that another program has begun is in the history, where it can be opened and watched.</p>");
}
}

WorkbenchPages::WorkbenchPages(HistoryStore& store, const std::filesystem::path& history, QWidget* parent)
    : PageHost(parent)
    , m_store(store)
    , m_folder(history)
    , m_starter([](const StudyRunOptions& options) { return StudyRun::start(options); })
    , m_history(new HistoryPage(store))
    , m_live(new RunPage)
{
    m_live->setLive();
    m_live->setPlaceholder(livePlaceholder());
    connectRun(m_live);
    add(m_history);
    add(m_live);
    connect(&m_store, &HistoryStore::changed, this, &WorkbenchPages::updateNotes);
    connect(m_history, &HistoryPage::openWanted, this, &WorkbenchPages::openRun);
    connect(m_history, &HistoryPage::trendWanted, this, &WorkbenchPages::showTrend);
    connect(m_history, &HistoryPage::compareWanted, this, &WorkbenchPages::compareRuns);
}

RunPage* WorkbenchPages::currentRun() const
{
    return qobject_cast<RunPage*>(current());
}

bool WorkbenchPages::showsOpened() const
{
    return currentRun() != nullptr && currentRun() != m_live;
}

QList<RunPage*> WorkbenchPages::runPages() const
{
    QList<RunPage*> runs;
    for (Page* page : pages())
        if (auto* run = qobject_cast<RunPage*>(page))
            runs.append(run);
    return runs;
}

void WorkbenchPages::showLive(const RunId& id, const std::filesystem::path& file, bool inFront)
{
    m_live->open(file);
    m_live->setRunId(id);
    if (inFront)
        choose(m_live);
}

void WorkbenchPages::connectRun(RunPage* page)
{
    connect(page, &RunPage::headerChanged, this, &WorkbenchPages::updateNotes);
    connect(page, &RunPage::broken, this, &WorkbenchPages::broken);
    connect(page, &RunPage::reportWanted, this, &WorkbenchPages::reportWanted);
    connect(page, &RunPage::labWanted, this, [this, page] { chooseLabOf(*page); });
    connect(page, &RunPage::annotationWanted, this, [this, page](const Annotation& annotation) {
        if (page->header())
            m_store.annotate(page->header()->id, annotation);
    });
    // The page may be gone when the answer comes: the store then reports what was not saved.
    const QPointer<RunPage> alive(page);
    connect(page, &RunPage::noteEdited, this, [this, alive](const QString& note) {
        if (!alive->header())
            return;
        const RunId id = alive->header()->id;
        m_store.setNote(id, note, [alive, id, note](bool saved) {
            if (alive)
                alive->noteDone(id, note, saved);
        });
    });
    connect(
        page, &RunPage::tagsEdited, this, [this, alive](const QStringList& before, const QStringList& after) {
            if (!alive->header())
                return;
            const RunId id = alive->header()->id;
            m_store.retag(id, before, after, [alive, id, after](bool saved) {
                if (alive)
                    alive->tagsDone(id, after, saved);
            });
        });
}

void WorkbenchPages::openRun(const RunId& id)
{
    for (RunPage* page : runPages())
        if (page->runId() == id) {
            if (page->isBroken())
                page->reopen();
            choose(page);
            return;
        }
    auto* page = new RunPage;
    const RunSummary* run = m_store.find(id);
    page->setTitle(run != nullptr ? text(run->title) : text(id.text()));
    page->setPlaceholder(tr("Opening…"));
    page->setRunId(id);
    connectRun(page);
    add(page);
    choose(page);
    m_store.run([id](History& history) -> Result<std::filesystem::path> { return history.fileOf(id); }, page,
        [this, page](Result<std::filesystem::path> file) {
            if (file) {
                page->open(*file);
                return;
            }
            close(page, m_history);
            emit notOpened(text(file.error().message));
        });
}

ComparePage* WorkbenchPages::compareRuns(const std::vector<RunId>& runs)
{
    std::vector<ChosenColumn> columns;
    for (const RunId& id : runs)
        columns.push_back({ {}, { id }, {}, {}, {}, {} });
    return compareColumns(columns);
}

ComparePage* WorkbenchPages::compareColumns(const std::vector<ChosenColumn>& columns)
{
    CompareQuery query;
    query.columns = columns;
    return compare(query);
}

ComparePage* WorkbenchPages::compare(const CompareQuery& query)
{
    auto* page = new ComparePage(m_store, m_folder);
    connect(page, &ComparePage::openWanted, this, &WorkbenchPages::openRun);
    page->setColumns(query.columns, query.options);
    add(page);
    choose(page);
    return page;
}

DocumentPage* WorkbenchPages::pageOf(const std::filesystem::path& file) const
{
    std::error_code ignored;
    for (Page* page : pages())
        if (auto* shown = qobject_cast<DocumentPage*>(page); shown != nullptr && !shown->file().empty()
            && std::filesystem::equivalent(shown->file(), file, ignored))
            return shown;
    return nullptr;
}

void WorkbenchPages::addDocument(DocumentPage* page)
{
    if (m_recovery != nullptr)
        page->setRecovery(*m_recovery);
    add(page);
    choose(page);
}

bool WorkbenchPages::restore(const RecoveredText& left)
{
    const FileKind kind = Document(left.text, bytes(left.name)).kind();
    Document document({}, bytes(left.name));
    if (!left.origin.empty())
        if (auto read = Document::read(left.origin))
            document = *std::move(read);
    DocumentPage* page = nullptr;
    if (kind == FileKind::lab)
        page = addLab(std::move(document));
    else if (kind == FileKind::study)
        page = addStudy(std::move(document));
    else if (kind == FileKind::result)
        page = addResult(std::move(document));
    else
        return false;
    page->restore(left);
    return true;
}

bool WorkbenchPages::openFile(const std::filesystem::path& file)
{
    if (DocumentPage* page = pageOf(file)) {
        choose(page);
        return true;
    }
    auto document = Document::read(file);
    if (!document) {
        emit notOpened(text(document.error().message));
        return false;
    }
    if (document->kind() == FileKind::study) {
        addStudy(*std::move(document));
    } else if (document->kind() == FileKind::result) {
        addResult(*std::move(document));
    } else {
        emit notOpened(tr("%1 is neither a study nor a published result.").arg(text(file.string())));
        return false;
    }
    rememberFile(file);
    return true;
}

bool WorkbenchPages::isOfStudy(const RunId& run) const
{
    return std::ranges::any_of(pages(), [&](const Page* page) {
        const auto* study = qobject_cast<const StudyPage*>(page);
        return study != nullptr && study->queue().active()
            && study->queue().status().recording.stem() == run.text();
    });
}

StudyPage* WorkbenchPages::addStudy(Document study)
{
    auto* page = new StudyPage(std::move(study), m_store, m_folder, m_starter);
    connect(page, &StudyPage::saved, this, &WorkbenchPages::rememberFile);
    connect(page, &StudyPage::openWanted, this, &WorkbenchPages::openRun);
    connect(page, &StudyPage::compareWanted, this, &WorkbenchPages::compare);
    addDocument(page);
    return page;
}

ResultPage* WorkbenchPages::addResult(Document result)
{
    auto* page = new ResultPage(std::move(result));
    connect(page, &ResultPage::saved, this, &WorkbenchPages::rememberFile);
    connect(page, &ResultPage::compareWanted, this, [this](const std::filesystem::path& file) {
        std::vector<ChosenColumn> columns;
        if (const auto checked = checkResult(file))
            for (const ResultSystem& system : checked->result.systems)
                columns.push_back(
                    { text(system.name.empty() ? system.id : system.name), {}, file, system.id, {}, {} });
        if (columns.size() > CompareOptions::kMostColumns)
            columns.resize(CompareOptions::kMostColumns);
        compareColumns(columns);
    });
    addDocument(page);
    return page;
}

void WorkbenchPages::chooseStudy()
{
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open study"), {}, tr("Studies (*.toml);;All files (*)"));
    if (!file.isEmpty())
        openFile(bytes(file));
}

void WorkbenchPages::chooseResult()
{
    const auto shipped = shippedResults();
    const QString file = QFileDialog::getOpenFileName(this, tr("Open published result"),
        shipped.empty() ? QString() : text(shipped.front().parent_path().string()),
        tr("Results (*.toml);;All files (*)"));
    if (!file.isEmpty())
        openFile(bytes(file));
}

QStringList WorkbenchPages::recentFiles()
{
    return QSettings().value(QStringLiteral("study/recent")).toStringList();
}

void WorkbenchPages::rememberFile(const std::filesystem::path& file)
{
    constexpr int kMostRecent = 8;
    QStringList recent = recentFiles();
    const QString name = QFileInfo(text(file.string())).absoluteFilePath();
    recent.removeAll(name);
    recent.prepend(name);
    QSettings().setValue(QStringLiteral("study/recent"), recent.mid(0, kMostRecent));
}

void WorkbenchPages::showTrend(const RunSummary& like)
{
    auto* page = new TrendPage(m_store, m_folder, like);
    connect(page, &TrendPage::openWanted, this, &WorkbenchPages::openRun);
    add(page);
    choose(page);
}

bool WorkbenchPages::openLab(const std::filesystem::path& file)
{
    if (DocumentPage* page = pageOf(file)) {
        choose(page);
        return true;
    }
    auto document = Document::read(file);
    if (!document) {
        emit notOpened(text(document.error().message));
        return false;
    }
    addLab(*std::move(document));
    rememberLab(file);
    return true;
}

LabPage* WorkbenchPages::addLab(Document lab)
{
    auto* page = new LabPage(std::move(lab));
    connect(page, &LabPage::saved, this, &rememberLab);
    connect(page, &LabPage::saved, this, &WorkbenchPages::labSaved);
    addDocument(page);
    return page;
}

void WorkbenchPages::chooseLab()
{
    const QStringList recent = recentLabs();
    const QString file = QFileDialog::getOpenFileName(this, tr("Open lab"),
        recent.isEmpty() ? QString() : QFileInfo(recent.front()).path(), tr("Labs (*.toml);;All files (*)"));
    if (!file.isEmpty())
        openLab(bytes(file));
}

void WorkbenchPages::newLab()
{
    LabWizard wizard(this);
    auto* help = new HelpWindow(&wizard); // while the wizard is open, no other window takes input
    connect(&wizard, &LabWizard::helpWanted, help, [help] { help->showTopic(QStringLiteral("labs")); });
    if (wizard.exec() != QDialog::Accepted)
        return;
    const LabPage* page = addLab(wizard.document());
    if (!page->file().empty())
        rememberLab(page->file());
}

void WorkbenchPages::chooseLabOf(RunPage& page)
{
    if (!page.header())
        return;
    const RunId id = page.header()->id;
    m_store.run(
        [id](History& history) -> Result<std::string> {
            const auto recording = history.openRun(id);
            if (!recording)
                return recording.error();
            const auto lab = recording->lab();
            if (!lab)
                return lab.error();
            return lab->empty() ? std::string() : describeLab(*lab);
        },
        &page,
        [this, alive = QPointer<RunPage>(&page)](const Result<std::string>& now) {
            if (!now)
                QMessageBox::warning(this, tr("Lab of the run"), text(now.error().message));
            else if (alive)
                attachLabTo(*alive, text(*now));
        });
}

void WorkbenchPages::attachLabTo(RunPage& page, const QString& now)
{
    const RunId id = page.header()->id;
    QStringList files;
    for (Page* other : pages()) // a lab that is open comes first
        if (const auto* lab = qobject_cast<LabPage*>(other); lab != nullptr && !lab->file().empty())
            files.append(QFileInfo(text(lab->file().string())).absoluteFilePath());
    files += recentLabs();
    files.removeDuplicates();
    LabOfRun dialog(text(page.header()->title), now, files, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    rememberLab(bytes(dialog.file()));
    const RunLab lab = dialog.lab();
    m_store.run([id, lab](History& history) { return history.attachLab(id, lab); }, &page,
        [this, alive = QPointer<RunPage>(&page), lab](const Result<void>& done) {
            if (!done)
                QMessageBox::warning(this, tr("Lab of the run"), text(done.error().message));
            else if (alive)
                emit alive->message(
                    tr("The run has the lab %1. Its report prints it.").arg(text(describeLab(lab))));
        });
}

bool WorkbenchPages::mayCloseAll()
{
    for (Page* page : pages())
        if (!page->mayClose()) {
            stayAll();
            choose(page);
            return false;
        }
    return true;
}

void WorkbenchPages::stayAll()
{
    for (Page* page : pages())
        page->stay();
}

void WorkbenchPages::updateNotes()
{
    for (RunPage* page : runPages()) {
        if (!page->header())
            continue;
        const RunSummary* run = m_store.find(page->header()->id);
        if (run == nullptr)
            page->setUnlisted();
        else
            page->setNote(text(run->note), editableTags(*run));
    }
}

} // namespace loadstone::ui
