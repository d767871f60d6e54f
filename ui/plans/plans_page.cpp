// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plans/plans_page.h"

#include "confirm.h"
#include "format.h"
#include "forms/clear_on_escape.h"
#include "icons.h"
#include "plans/plan_columns.h"
#include "plans/plan_library.h"
#include "tables/data_table.h"
#include "tables/enter_from_search.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

const QString kColumns = QStringLiteral("plans/columns-1"), kSplitter = QStringLiteral("plans/splitter"),
              kPlace = QStringLiteral("plans/place");
const QString kAll = QStringLiteral("all"), kShipped = QStringLiteral("shipped"),
              kRecent = QStringLiteral("recent");
constexpr int kWidest = 320; // pixels of a column
enum { emptyList, list };

constexpr const char* kNewPlan = R"(# What the test is for, in a sentence.

format = 1
kind = "mail"
title = "New plan"
seed = 1

[target]
user = "u{n:3}"
password = "secret"

[target.embedded]                       # instead: [target.smtp] and [target.imap] with host and port

[workload]
pacing = "closed"

[[workload.steps]]
action = "send message"
size = "10 KB"

[mix]
measurement = "1 min"

[[mixes]]
name = "10 users"
clients = 1
threads_per_client = 10
mailboxes_per_client = 10
)";

/// "plan-2.toml", the first name that is free.
QString freeName(const QFileInfo& file)
{
    for (int i = 2;; ++i) {
        const QString name =
            QStringLiteral("%1/%2-%3.%4").arg(file.path(), file.completeBaseName()).arg(i).arg(file.suffix());
        if (!QFileInfo::exists(name))
            return name;
    }
}

} // namespace

PlansPage::PlansPage(PlanLibrary& library, QWidget* parent)
    : Page(parent)
    , m_library(library)
    , m_rows(new RowsModel<PlanFacts>(planColumns(), this))
    , m_table(new DataTable)
    , m_bar(new QToolBar)
    , m_search(new QLineEdit)
    , m_place(new QComboBox)
    , m_count(new QLabel)
    , m_stack(new QStackedWidget)
    , m_details(new QTextBrowser)
    , m_splitter(new QSplitter)
    , m_tasks(new PlanActions(this))
{
    makeActions();
    layOut();
    setAcceptDrops(true);
    connect(m_tasks, &PlanActions::wanted, this, [this](PlanTask task) {
        if (const PlanFacts* facts = chosen())
            emit taskWanted(task, facts->file);
    });
    connect(m_search, &QLineEdit::textChanged, this, &PlansPage::showFiles);
    enterFromSearch(*m_search, *m_table);
    connect(m_place, &QComboBox::currentIndexChanged, this, [this] {
        m_removeFolder->setEnabled(m_library.folders().contains(m_place->currentData().toString()));
        showFiles();
    });
    connect(m_table, &QTableView::activated, this, [this] {
        if (const PlanFacts* facts = chosen(); facts != nullptr && facts->kind == FileKind::lab)
            emit labWanted(facts->file);
        else
            m_tasks->action(PlanTask::edit)->trigger();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PlansPage::showDetails);
    connect(&m_library, &PlanLibrary::changed, this, &PlansPage::showFiles);
    connect(&m_library, &PlanLibrary::foldersChanged, this, &PlansPage::showFolders);
    connect(&m_library, &PlanLibrary::message, this, &PlansPage::message);
    showFolders();
    showFiles();
}

void PlansPage::makeActions()
{
    const auto make = [this](const QString& words, const char* picture, const QKeySequence& keys,
                          const QString& tip, auto work) {
        auto* action = new QAction(icon(QLatin1String(picture)), words, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut);
        action->setToolTip(
            keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
        connect(action, &QAction::triggered, this, work);
        addAction(action);
        return action;
    };
    m_new = make(tr("New plan as &text"), "add", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
        tr("A short plan to begin with, as a text"),
        [this] { emit newWanted(QString::fromLatin1(kNewPlan)); });
    m_duplicate = make(tr("D&uplicate"), "", QKeySequence(Qt::CTRL | Qt::Key_D), tr("Copies the file"),
        [this] { duplicate(); });
    m_delete = make(tr("&Delete…"), "delete", QKeySequence::Delete,
        tr("Deletes the file from the disk; asks first"), [this] { removeChosen(); });
    removeAction(m_delete); // anywhere else Delete is a key of fields
    m_delete->setShortcutContext(Qt::WidgetShortcut);
    m_addFolder = make(
        tr("Add &folder…"), "open", {}, tr("Shows the files of a folder of yours"), [this] { addFolder(); });
    m_removeFolder = make(tr("Remove f&older"), "remove", {},
        tr("Takes the shown folder out of the list; its files stay"), [this] { removeFolder(); });
    m_find = make(tr("&Search"), "zoom", QKeySequence::Find, tr("Search in the plans"), [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
}

void PlansPage::layOut()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_bar->setIconSize(QSize(18, 18));
    m_bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (const PlanTask task : { PlanTask::run, PlanTask::enqueue, PlanTask::preflight, PlanTask::rehearse,
             PlanTask::edit, PlanTask::wizard })
        m_bar->addAction(m_tasks->action(task));
    m_bar->addSeparator();
    m_bar->addActions({ m_new, m_duplicate, m_delete, m_addFolder });
    layout->addWidget(m_bar);
    auto* row = new QHBoxLayout;
    m_search->setPlaceholderText(tr("Search title, kind, needs, file (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search in the plans"));
    clearOnEscape(*m_search);
    m_place->setAccessibleName(tr("Which files to show"));
    m_place->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(m_search, 1);
    row->addWidget(m_place);
    layout->addLayout(row);

    m_table->setWidestColumn(kWidest);
    m_table->setSource(m_rows);
    m_table->keepSortOrder();
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Plans"));
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    m_table->addActions(m_tasks->runActions()
        + QList<QAction*> { separator, m_tasks->action(PlanTask::edit), m_tasks->action(PlanTask::wizard),
            m_duplicate, m_delete });
    m_details->setOpenLinks(false);
    m_details->setAccessibleName(tr("About the chosen file"));
    auto* nothing = new QLabel;
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    nothing->setText(
        tr("<h3>No file matches</h3><p>Drop a plan (.toml) or a folder here, press <b>Add folder…</b>, "
           "or clear the search.</p>"));
    m_stack->addWidget(nothing);
    m_stack->addWidget(m_table);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_details);
    m_splitter->setSizes({ 760, 320 });
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setCollapsible(0, false);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_count);
}

void PlansPage::offerWizards(const QList<QAction*>& actions)
{
    auto* menu = new QMenu(this);
    menu->addActions(actions);
    menu->addSeparator();
    menu->addAction(m_new);
    auto* button = new QToolButton;
    button->setText(tr("&New"));
    button->setIcon(icon(QStringLiteral("add")));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tr("A new plan, in a wizard or as a text"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMenu(menu);
    m_bar->insertWidget(m_new, button);
    m_bar->removeAction(m_new); // stands in the menu
}

QIcon PlansPage::picture() const
{
    return icon(QStringLiteral("plan"));
}

void PlansPage::activated()
{
    m_table->setFocus();
}

const PlanFacts* PlansPage::chosen() const
{
    const QList<int> rows = m_table->selectedSourceRows();
    return rows.isEmpty() ? nullptr : &m_rows->rows()[static_cast<std::size_t>(rows.first())];
}

void PlansPage::choose(const std::filesystem::path& file)
{
    const auto name = file.lexically_normal();
    const auto& rows = m_rows->rows();
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const PlanFacts& f) { return f.file == name; });
    m_wanted = at == rows.end() ? name : std::filesystem::path();
    if (at == rows.end())
        return;
    m_table->setCurrentSourceRow(static_cast<int>(at - rows.begin()));
    m_table->scrollTo(m_table->currentIndex());
}

bool PlansPage::isShown(const PlanFacts& facts) const
{
    const QString place = m_place->currentData().toString();
    const bool here = place == kAll || (place == kShipped && facts.origin == PlanOrigin::shipped)
        || (place == kRecent && facts.origin == PlanOrigin::recent)
        || place == text(facts.file.parent_path().string());
    return here && matches(facts, m_search->text());
}

void PlansPage::showFiles()
{
    std::vector<PlanFacts> shown;
    std::copy_if(m_library.files().begin(), m_library.files().end(), std::back_inserter(shown),
        [this](const PlanFacts& facts) { return isShown(facts); });
    m_count->setText(
        tr("%1 of %2 files").arg(formatCount(shown.size()), formatCount(m_library.files().size())));
    const bool any = !shown.empty();
    const std::filesystem::path wanted = m_wanted;
    replaceRows(*m_table, *m_rows, std::move(shown),
        [](const PlanFacts& a, const PlanFacts& b) { return a.file == b.file; });
    m_stack->setCurrentIndex(any ? list : emptyList);
    if (!wanted.empty())
        choose(wanted);
    if (chosen() == nullptr && any)
        m_table->selectRow(0);
    showDetails();
}

void PlansPage::showFolders()
{
    const QString before = m_place->currentData().toString();
    const QSignalBlocker quiet(m_place);
    m_place->clear();
    m_place->addItem(tr("All files"), kAll);
    m_place->addItem(tr("Come with Loadstone"), kShipped);
    m_place->addItem(tr("Recent"), kRecent);
    for (const QString& folder : m_library.folders()) {
        m_place->addItem(QDir::toNativeSeparators(folder), folder);
        m_place->setItemData(m_place->count() - 1, folder, Qt::ToolTipRole);
    }
    m_place->setCurrentIndex(std::max(0, m_place->findData(before)));
    m_removeFolder->setEnabled(m_library.folders().contains(m_place->currentData().toString()));
}

void PlansPage::showDetails()
{
    const PlanFacts* facts = chosen();
    m_details->setHtml(facts == nullptr ? QString() : detailsOf(*facts));
    if (facts == nullptr)
        m_tasks->setFile(std::nullopt);
    else
        m_tasks->setFile(TaskedFile { facts->kind, facts->tests });
    m_duplicate->setEnabled(facts != nullptr && facts->failure.isEmpty());
    m_delete->setEnabled(facts != nullptr && facts->origin != PlanOrigin::shipped);
    m_delete->setToolTip(facts != nullptr && !m_delete->isEnabled()
            ? tr("Files that come with Loadstone cannot be deleted")
            : tr("Deletes the file from the disk; asks first (Del)"));
}

void PlansPage::addFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Add folder"));
    if (folder.isEmpty())
        return;
    m_library.addFolder(folder);
    m_place->setCurrentIndex(std::max(0, m_place->findData(QFileInfo(folder).absoluteFilePath())));
}

void PlansPage::removeFolder()
{
    m_library.removeFolder(m_place->currentData().toString());
}

void PlansPage::takeFiles(const QStringList& files)
{
    QStringList others;
    for (const QString& file : files)
        if (QFileInfo(file).isDir())
            m_library.addFolder(file);
        else if (file.endsWith(QStringLiteral(".toml"), Qt::CaseInsensitive)) {
            m_library.addRecent(bytes(file));
            m_wanted = std::filesystem::path(bytes(QFileInfo(file).absoluteFilePath())).lexically_normal();
        } else
            others.append(QFileInfo(file).fileName());
    m_search->clear();
    m_place->setCurrentIndex(0);
    if (!others.isEmpty())
        emit message(tr("Not a plan or a folder: %1").arg(others.join(QStringLiteral(", "))));
}

void PlansPage::duplicate()
{
    const PlanFacts* facts = chosen();
    if (facts == nullptr)
        return;
    const QString from = text(facts->file.string());
    QString to = freeName(QFileInfo(from));
    if (facts->origin == PlanOrigin::shipped) {
        const QStringList folders = m_library.folders();
        const QString folder = folders.isEmpty() ? QDir::homePath() : folders.first();
        to = askTomlFile(this, tr("Duplicate"), folder + QLatin1Char('/') + QFileInfo(from).fileName(),
            tr("Plans (*.toml)"));
        if (to.isEmpty())
            return;
    }
    auto document = Document::read(facts->file);
    const auto written = document ? document->saveAs(bytes(to)) : Result<void>(document.error());
    if (!written) {
        QMessageBox::warning(this, tr("Duplicate"), text(written.error().message));
        return;
    }
    m_wanted = std::filesystem::path(bytes(QFileInfo(to).absoluteFilePath())).lexically_normal();
    m_library.addRecent(bytes(to));
    emit message(tr("Copied to %1").arg(to));
}

void PlansPage::removeChosen()
{
    const PlanFacts* facts = chosen();
    if (facts == nullptr || facts->origin == PlanOrigin::shipped)
        return;
    const std::filesystem::path file = facts->file;
    QMessageBox box(QMessageBox::Warning, tr("Delete file"),
        tr("Delete %1?").arg(text(file.filename().string())), QMessageBox::Cancel, this);
    box.setInformativeText(tr("The file is deleted from the disk. This cannot be undone. Runs that were made "
                              "of it keep its text."));
    const auto* confirm = box.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != confirm)
        return;
    std::error_code failure;
    std::filesystem::remove(file, failure);
    if (failure)
        QMessageBox::warning(
            this, tr("Delete file"), tr("%1: %2").arg(text(file.string()), text(failure.message())));
    else
        emit message(tr("Deleted: %1").arg(text(file.string())));
    m_library.forgetRecent(file);
}

QList<QAction*> PlansPage::actionsOf(PageMenu menu) const
{
    switch (menu) {
    case PageMenu::file:
        return { m_new, m_duplicate, m_delete, m_addFolder, m_removeFolder };
    case PageMenu::edit:
        return { m_tasks->action(PlanTask::edit), m_tasks->action(PlanTask::wizard), m_find };
    case PageMenu::run:
        return m_tasks->runActions();
    case PageMenu::view:
    case PageMenu::exported:
        break;
    }
    return {};
}

void PlansPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    m_library.refresh(); // files that were written in place since
}

void PlansPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void PlansPage::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    takeFiles(files);
}

void PlansPage::saveTo(QSettings& settings) const
{
    m_table->saveColumns(settings, kColumns);
    settings.setValue(kSplitter, m_splitter->saveState());
    settings.setValue(kPlace, m_place->currentData().toString());
}

void PlansPage::restoreFrom(const QSettings& settings)
{
    m_table->restoreColumns(settings, kColumns);
    m_splitter->restoreState(settings.value(kSplitter).toByteArray());
    m_place->setCurrentIndex(std::max(0, m_place->findData(settings.value(kPlace).toString())));
}

} // namespace loadstone::ui
