// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history_page.h"

#include "format.h"
#include "forms/clear_on_escape.h"
#include "history/history_columns.h"
#include "history/history_filter.h"
#include "history/history_store.h"
#include "history/note_dialog.h"
#include "history/run_drag.h"
#include "history/run_tags.h"
#include "icons.h"
#include "run/tabs/notes_tab.h"
#include "tables/data_table.h"
#include "tables/enter_from_search.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kRefreshMilliseconds = 3000;
constexpr std::size_t kOpenUnasked = 8;
constexpr std::size_t kMostCompared = 120; // twelve columns of ten repeats
constexpr int kWidestColumn = 260; // pixels: a long title or note leaves room for the figures
const QString kColumns = QStringLiteral("columns/history-2");

bool isRunning(const RunSummary& run)
{
    return !isOver(run.state);
}

QString countOfRuns(std::size_t count)
{
    return count == 1 ? HistoryPage::tr("1 run") : HistoryPage::tr("%1 runs").arg(formatCount(count));
}
}

HistoryPage::HistoryPage(HistoryStore& store, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_rows(new RowsModel<RunSummary>(historyColumns(), this))
    , m_table(new DataTable)
    , m_search(new QLineEdit)
    , m_state(new QComboBox)
    , m_count(new QLabel)
    , m_stack(new QStackedWidget)
    , m_failure(new QLabel)
{
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* row = new QHBoxLayout;
    m_search->setPlaceholderText(tr("Search title, plan, tags, note, date (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search in the history"));
    clearOnEscape(*m_search);
    m_state->setAccessibleName(tr("Which runs to show"));
    m_state->addItem(tr("All runs"), static_cast<int>(HistoryShow::all));
    m_state->addItem(tr("Starred"), static_cast<int>(HistoryShow::starred));
    m_state->addItem(tr("Valid"), static_cast<int>(HistoryShow::valid));
    m_state->addItem(tr("Running"), static_cast<int>(HistoryShow::going));
    m_state->addItem(tr("Ended"), static_cast<int>(HistoryShow::ended));
    auto* bar = new QToolBar;
    bar->setIconSize(QSize(18, 18));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions(m_actions);
    row->addWidget(m_search, 1);
    row->addWidget(m_state);
    layout->addWidget(bar);
    layout->addLayout(row);

    m_table->setWidestColumn(kWidestColumn);
    m_table->setSource(m_rows);
    m_table->keepSortOrder();
    m_table->offerColumns(HistoryFigures);
    m_table->setAccessibleName(tr("Runs"));
    m_table->addActions(m_actions);
    m_table->setRowDrag([this](const QList<int>& rows) {
        std::vector<RunId> runs;
        for (const int at : rows)
            runs.push_back(m_rows->rows()[static_cast<std::size_t>(at)].id);
        return dragOf(runs);
    });
    auto* empty = new QLabel(
        tr("<h2>No runs yet</h2><p>Press <b>Run</b> to try the first-run plan. It takes about three minutes "
           "and needs no setup.</p><p>Or import a recording that was exported elsewhere.</p>"));
    empty->setAlignment(Qt::AlignCenter);
    auto* nothing = new QLabel(tr("No run matches the search."));
    nothing->setAlignment(Qt::AlignCenter);
    auto* reading = new QLabel(tr("Reading the history…"));
    reading->setAlignment(Qt::AlignCenter);
    m_stack->addWidget(reading);
    m_stack->addWidget(m_table);
    m_stack->addWidget(empty);
    m_stack->addWidget(nothing);
    m_failure->setAlignment(Qt::AlignCenter);
    m_failure->setWordWrap(true);
    m_failure->setMargin(40);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_stack->addWidget(m_failure);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_count);
    setAcceptDrops(true);

    auto* find = new QAction(this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WindowShortcut);
    addAction(find);
    connect(find, &QAction::triggered, m_search, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll(); // a second search begins anew
    });
    connect(m_search, &QLineEdit::textChanged, this, &HistoryPage::applyList);
    enterFromSearch(*m_search, *m_table);
    connect(m_state, &QComboBox::currentIndexChanged, this, &HistoryPage::applyList);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& at) {
        // A double click on the star is two clicks on the star.
        if (at.column() != HistoryStar || QGuiApplication::mouseButtons() == Qt::NoButton)
            openSelected();
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& at) {
        if (at.column() == HistoryStar)
            toggleStar();
    });
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::updateActions);
    connect(m_rows, &QAbstractItemModel::modelReset, this, &HistoryPage::updateActions);
    connect(&m_store, &HistoryStore::listed, this, [this] {
        const bool first = !std::exchange(m_listed, true);
        applyList();
        if (first && isVisible() && !m_search->hasFocus())
            m_table->setFocus(); // which could not take it before there was a list
    });
    connect(&m_store, &HistoryStore::failed, this, &HistoryPage::showFailure);
    m_timer.setInterval(kRefreshMilliseconds);
    connect(&m_timer, &QTimer::timeout, &m_store, &HistoryStore::refresh);
    updateActions();
}

void HistoryPage::makeActions()
{
    const auto make = [this](const QString& text, const char* picture, const QKeySequence& keys, auto slot) {
        auto* action = new QAction(icon(QLatin1String(picture)), text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut); // of the window's pages only the visible one hears it
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
        m_actions.append(action);
        return action;
    };
    m_open = make(tr("&Open"), "open", QKeySequence(Qt::CTRL | Qt::Key_Return), &HistoryPage::openSelected);
    m_note = make(tr("Edit &note…"), "plan", QKeySequence(Qt::Key_F2), &HistoryPage::editNote);
    m_tags = make(tr("Edit &tags…"), "tag", QKeySequence(Qt::Key_F3), &HistoryPage::editTags);
    m_star = make(tr("&Star"), "star", QKeySequence(Qt::CTRL | Qt::Key_D), &HistoryPage::toggleStar);
    m_compare = make(tr("&Compare"), "compare", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        // The oldest is the baseline, whatever the list is sorted by: what came later is what was changed.
        auto chosen = selectedRuns();
        std::ranges::stable_sort(chosen, {}, &RunSummary::started);
        std::vector<RunId> runs;
        for (const RunSummary& run : chosen)
            runs.push_back(run.id);
        emit compareWanted(runs);
    });
    m_trend =
        make(tr("&History of this plan"), "trend", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H), [this] {
            if (const auto runs = selectedRuns(); runs.size() == 1)
                emit trendWanted(runs.front());
        });
    m_import = make(
        tr("&Import…"), "import", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), &HistoryPage::askImport);
    m_delete = make(tr("&Delete…"), "delete", QKeySequence::Delete, &HistoryPage::removeSelected);
    // Anywhere else Delete is a key of fields and lists.
    removeAction(m_delete);
    m_delete->setShortcutContext(Qt::WidgetShortcut);
}

void HistoryPage::setEmptyView(QWidget* view)
{
    QWidget* before = m_stack->widget(2);
    m_stack->insertWidget(2, view);
    m_stack->removeWidget(before);
    before->deleteLater();
}

void HistoryPage::addNotice(QWidget* notice)
{
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, notice);
}

QIcon HistoryPage::picture() const
{
    return icon(QStringLiteral("history"));
}

void HistoryPage::activated()
{
    // So that the keys of the list work at once; an empty one has buttons in its place.
    auto* instead =
        m_table->isVisibleTo(this) ? nullptr : m_stack->currentWidget()->findChild<QPushButton*>();
    if (instead != nullptr)
        instead->setFocus();
    else
        m_table->setFocus();
}

std::vector<RunSummary> HistoryPage::selectedRuns() const
{
    std::vector<RunSummary> runs;
    for (const int row : m_table->selectedSourceRows())
        runs.push_back(m_rows->rows()[static_cast<std::size_t>(row)]);
    return runs;
}

void HistoryPage::showRows(std::vector<RunSummary> shown)
{
    // The model knows rows, the user chose runs: a new run above must not hand the choice to its neighbours.
    const auto selected = selectedRuns();
    const int currentRow = m_table->currentSourceRow(), column = m_table->currentIndex().column();
    const RunId current = currentRow >= 0 ? m_rows->rows()[static_cast<std::size_t>(currentRow)].id : RunId();
    const auto holds = [&](const RunSummary& run) {
        return std::any_of(
            selected.begin(), selected.end(), [&](const RunSummary& s) { return s.id == run.id; });
    };
    m_rows->setRows(std::move(shown));
    QItemSelection selection;
    QModelIndex at;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const RunSummary& run = m_rows->rows()[static_cast<std::size_t>(row)];
        const QModelIndex index = m_table->proxy()->mapFromSource(m_rows->index(row, std::max(0, column)));
        if (holds(run))
            selection.select(index, index);
        if (run.id == current)
            at = index;
    }
    QItemSelectionModel* model = m_table->selectionModel();
    if (at.isValid() && at != m_table->currentIndex())
        model->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
    model->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!m_table->currentIndex().isValid() && selected.empty() && m_rows->rowCount() != 0)
        m_table->selectRow(0); // so that Enter opens the latest
}

void HistoryPage::updateActions()
{
    const auto runs = selectedRuns();
    for (QAction* action : { m_open, m_tags, m_star })
        action->setEnabled(!runs.empty());
    m_delete->setEnabled(!std::all_of(runs.begin(), runs.end(), isRunning));
    m_delete->setToolTip(!runs.empty() && !m_delete->isEnabled()
            ? tr("A run in progress cannot be deleted: stop it first")
            : tr("Delete the selected runs (Del)"));
    m_star->setText(!runs.empty() && isStarred(runs[0]) ? tr("Remove &star") : tr("&Star"));
    m_note->setEnabled(runs.size() == 1);
    m_trend->setEnabled(runs.size() == 1);
    m_trend->setToolTip(tr("A figure over all runs of the selected run's plan (Ctrl+Shift+H)"));
    const bool few = runs.size()<2, many = runs.size()> kMostCompared;
    m_compare->setEnabled(!few && !many);
    m_compare->setToolTip(few ? tr("Select the runs to compare first: two or more")
            : many            ? tr("At most %1 runs can be compared at once").arg(kMostCompared)
                              : tr("The selected runs side by side (Ctrl+Shift+C)"));
}

void HistoryPage::applyList()
{
    if (!m_listed) // an empty list would say that there are no runs
        return;
    std::vector<RunSummary> shown;
    const auto show = static_cast<HistoryShow>(m_state->currentData().toInt());
    std::uint64_t size = 0;
    for (const RunSummary& run : m_store.runs()) {
        size += run.fileBytes;
        if (matchesShow(run, show) && matchesSearch(run, m_search->text()))
            shown.push_back(run);
    }
    m_count->setText(
        tr("%1 of %2 runs, %3 on disk")
            .arg(formatCount(shown.size()), formatCount(m_store.runs().size()), formatSize(size)));
    const std::size_t count = shown.size();
    showRows(std::move(shown));
    updateActions(); // the chosen run may have ended meanwhile
    m_stack->setCurrentIndex(m_store.runs().empty() ? 2 : count == 0 ? 3 : 1);
}

void HistoryPage::showFailure(const QString& message)
{
    if (m_listed) // what was listed still stands
        return;
    m_failure->setText(tr("<h2>The history cannot be read</h2><p>%1</p>").arg(message.toHtmlEscaped()));
    m_stack->setCurrentWidget(m_failure);
}

void HistoryPage::openSelected()
{
    const auto runs = selectedRuns();
    if (runs.size() > kOpenUnasked
        && QMessageBox::question(this, tr("Open runs"), tr("Open all these %1 runs?").arg(runs.size()))
            != QMessageBox::Yes)
        return;
    for (const RunSummary& run : runs)
        emit openWanted(run.id);
}

void HistoryPage::editNote()
{
    const auto runs = selectedRuns();
    if (runs.size() != 1)
        return;
    NoteDialog dialog(text(runs[0].title), text(runs[0].note), this);
    if (dialog.exec() == QDialog::Accepted)
        m_store.setNote(runs[0].id, dialog.note());
}

void HistoryPage::editTags()
{
    const auto runs = selectedRuns();
    if (runs.empty())
        return;
    const QString present = commonTags(runs).join(QStringLiteral(", "));
    bool ok = false;
    const QString label = runs.size() == 1
        ? tr("Tags, separated by commas:")
        : tr("Tags that all these %1 runs have, separated by commas:").arg(runs.size());
    const QString edited = QInputDialog::getText(this, tr("Tags"), label, QLineEdit::Normal, present, &ok);
    if (!ok)
        return;
    for (const RunSummary& run : runs)
        m_store.retag(run.id, parseTags(present), parseTags(edited));
}

void HistoryPage::toggleStar()
{
    const auto runs = selectedRuns();
    if (runs.empty())
        return;
    const QStringList star { QLatin1String(kStarTag) };
    const bool on = !isStarred(runs[0]);
    for (const RunSummary& run : runs)
        m_store.retag(run.id, on ? QStringList() : star, on ? star : QStringList());
}

void HistoryPage::removeSelected()
{
    auto runs = selectedRuns();
    const auto running = std::erase_if(runs, isRunning); // no other program may take its file away
    if (runs.empty())
        return;
    QStringList names;
    for (const RunSummary& run : runs)
        names.append(tr("\"%1\" of %2").arg(text(run.title), formatWhen(run.started)));
    QMessageBox box(QMessageBox::Warning, tr("Delete runs"),
        runs.size() == 1 ? tr("Delete %1?").arg(names[0])
                         : tr("Delete these %1?").arg(countOfRuns(runs.size())),
        QMessageBox::Cancel, this);
    const QString stays =
        running == 0 ? QString() : tr("%1 in progress cannot be deleted. ").arg(countOfRuns(running));
    box.setInformativeText(stays
        + (runs.size() == 1 ? tr("The recording is deleted from the disk. This cannot be undone.")
                            : tr("The recordings are deleted from the disk. This cannot be undone.")));
    if (runs.size() > 1)
        box.setDetailedText(names.join(QLatin1Char('\n')));
    auto* confirm = box.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != confirm)
        return;
    std::vector<RunId> ids;
    for (const RunSummary& run : runs)
        ids.push_back(run.id);
    m_store.run(
        [ids](History& history) -> Result<QStringList> {
            QStringList problems;
            for (const RunId& id : ids)
                if (const auto done = history.remove(id); !done)
                    problems.append(text(done.error().message));
            return problems;
        },
        this,
        [this, count = ids.size()](Result<QStringList> problems) {
            if (!problems)
                problems = QStringList(text(problems.error().message));
            const auto failed = std::min(count, static_cast<std::size_t>(problems->size()));
            emit message(failed == 0 ? tr("%1 deleted").arg(countOfRuns(count))
                                     : tr("%1 deleted, %2 not").arg(countOfRuns(count - failed)).arg(failed));
            if (failed != 0)
                QMessageBox::warning(this, tr("Delete runs"), problems->join(QLatin1Char('\n')));
            m_store.refresh();
        });
}

void HistoryPage::askImport()
{
    importFiles(QFileDialog::getOpenFileNames(
        this, tr("Import recordings"), {}, tr("Recordings (*.loadstone *.sqlite *.db);;All files (*)")));
}

void HistoryPage::importFiles(const QStringList& files)
{
    for (const QString& file : files)
        m_store.run([path = std::filesystem::path(bytes(file))](
                        History& history) { return history.importArchive(path); },
            this,
            [this](Result<RunId> id) {
                if (id)
                    emit message(tr("Imported run %1").arg(text(id->text())));
                else
                    QMessageBox::warning(this, tr("Import"),
                        tr("The recording was not imported.\n\n%1")
                            .arg(text(id.error().message))); // names the file
                m_store.refresh();
            });
}

void HistoryPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_store.refresh();
    m_timer.start();
}

void HistoryPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_timer.stop();
}

void HistoryPage::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool recordings = std::none_of(urls.begin(), urls.end(), [](const QUrl& url) {
        const QString file = url.toLocalFile();
        return file.endsWith(QStringLiteral(".toml"), Qt::CaseInsensitive) || QFileInfo(file).isDir();
    });
    if (!urls.isEmpty() && recordings) // plans and folders are for the window
        event->acceptProposedAction();
}

void HistoryPage::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    importFiles(files);
}

void HistoryPage::saveTo(QSettings& settings) const
{
    m_table->saveColumns(settings, kColumns);
}

void HistoryPage::restoreFrom(const QSettings& settings)
{
    m_table->restoreColumns(settings, kColumns);
}

} // namespace loadstone::ui
