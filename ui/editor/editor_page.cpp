// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: text, checks, file and recovery meet here, each in classes of its own and a few lines of this page.
#include "editor/editor_page.h"

#include "banner.h"
#include "confirm.h"
#include "editor/find_bar.h"
#include "editor/recovery.h"
#include "editor/text_bytes.h"
#include "editor/toml_editor.h"
#include "file_watch.h"
#include "format.h"
#include "icons.h"
#include "plans/plan_facts.h"
#include "plans/problem_columns.h"
#include "tables/data_table.h"

#include <QAction>
#include <QCompleter>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kKeepMilliseconds = 1'000; // what is typed is lost for no longer
const QString kSplitter = QStringLiteral("editor/splitter");

QString kindName(FileKind kind)
{
    switch (kind) {
    case FileKind::plan:
        return EditorPage::tr("plan");
    case FileKind::profile:
        return EditorPage::tr("profile");
    case FileKind::lab:
        return EditorPage::tr("lab");
    case FileKind::study:
        return EditorPage::tr("study");
    case FileKind::result:
        return EditorPage::tr("result");
    }
    return {};
}
}

EditorPage::EditorPage(Document document, RecoveryStore& recovery, QWidget* parent)
    : Page(parent)
    , m_base(std::move(document))
    , m_recovery(recovery)
    , m_number(recovery.next())
    , m_editor(new TomlEditor)
    , m_find(new FindBar(*m_editor))
    , m_rows(new RowsModel<Problem>(problemColumns(), this))
    , m_problems(new DataTable)
    , m_banner(new Banner)
    , m_help(new QLabel)
    , m_state(new QLabel)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_tasks(new PlanActions(this))
    , m_watch(new FileWatch(this))
    , m_keeping(new QTimer(this))
    , m_shipped(isShipped(m_base.file()))
{
    makeActions();
    layOut();
    m_keeping->setSingleShot(true);
    m_keeping->setInterval(kKeepMilliseconds);
    connect(m_keeping, &QTimer::timeout, this, [this] { keep(); });
    connect(m_tasks, &PlanActions::wanted, this, [this](PlanTask task) {
        m_checker.checkNow();
        emit taskWanted(task);
    });
    connect(&m_checker, &TextChecker::checked, this, &EditorPage::showChecked);
    connect(m_watch, &FileWatch::written, this, &EditorPage::lookAtFile);
    connect(m_editor, &TomlEditor::helpChanged, m_help, &QLabel::setText);
    connect(m_problems->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const int row = m_problems->currentSourceRow(); row >= 0 && m_problems->hasFocus()) {
            const Problem& problem = m_rows->rows()[static_cast<std::size_t>(row)];
            m_editor->goTo(problem.line, problem.column);
        }
    });
    connect(m_problems, &QTableView::activated, this, [this] {
        if (const int row = m_problems->currentSourceRow(); row >= 0) {
            const Problem& problem = m_rows->rows()[static_cast<std::size_t>(row)];
            m_editor->goTo(problem.line, problem.column);
            m_editor->setFocus();
        }
    });
    m_editor->setKind(m_base.kind());
    m_editor->setWhole(m_base);
    setText(m_base.text());
    connect(m_editor->document(), &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if (removed > 0 || added > 0)
            textChanged();
    });
    connect(m_editor->document(), &QTextDocument::modificationChanged, this, &EditorPage::showState);
    if (m_shipped)
        m_banner->say(tr("This file comes with Loadstone. Save stores your changes under another name."),
            Banner::Tone::good);
    m_banner->setVisible(m_shipped || !m_objection.isEmpty());
    m_watch->setFile(m_base.file());
    m_checker.check(m_base, [this] { return textBytes(); });
    m_checker.checkNow();
    showState();
}

EditorPage::~EditorPage()
{
    m_editor->document()->disconnect(this); // its end is no edit
}

void EditorPage::setText(const std::string& bytes)
{
    m_objection = notEditable(bytes);
    m_editor->setReadOnly(!m_objection.isEmpty());
    if (!m_objection.isEmpty()) {
        // A part, to know it by; what the widget cannot hold is never saved.
        m_editor->setPlainText(shownText(bytes.substr(0, 64 * 1024)).left(kLongestEditedLine));
        m_banner->say(m_objection);
        m_banner->show();
    } else {
        m_editor->setPlainText(shownText(bytes));
    }
    m_editor->document()->setModified(false);
    m_editor->moveCursor(QTextCursor::Start);
}

void EditorPage::makeActions()
{
    const auto make = [this](const QString& words, const char* picture, const QKeySequence& keys, auto work) {
        auto* action = new QAction(icon(QLatin1String(picture)), words, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut);
        connect(action, &QAction::triggered, this, work);
        addAction(action);
        return action;
    };
    m_save = make(tr("&Save"), "export", QKeySequence::Save, [this] { save(); });
    m_saveAs =
        make(tr("Save &as…"), "", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { saveAs(); });
    m_reload = make(tr("&Reload from disk"), "", {}, [this] {
        if (!isModified()
            || confirmLoss(this, tr("Reload"), tr("Discard the changes on this page?"), QMessageBox::Discard))
            reload();
    });
    m_undo = make(tr("&Undo"), "", QKeySequence::Undo, [this] { m_editor->undo(); });
    m_redo = make(tr("&Redo"), "", QKeySequence::Redo, [this] { m_editor->redo(); });
    m_search = make(tr("&Find…"), "zoom", QKeySequence::Find, [this] { m_find->open(); });
    m_complete = make(tr("What can stand &here"), "", {}, [this] { m_editor->complete(); });
    m_complete->setToolTip(tr("Keys and values that the text can have at the cursor (Ctrl+Space)"));
    connect(m_editor, &QPlainTextEdit::undoAvailable, m_undo, &QAction::setEnabled);
    connect(m_editor, &QPlainTextEdit::redoAvailable, m_redo, &QAction::setEnabled);
    m_undo->setEnabled(false);
    m_redo->setEnabled(false);
}

void EditorPage::layOut()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* bar = new QToolBar;
    bar->setIconSize(QSize(18, 18));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({ m_save, m_undo, m_redo });
    bar->addSeparator();
    for (const PlanTask task :
        { PlanTask::run, PlanTask::enqueue, PlanTask::preflight, PlanTask::rehearse, PlanTask::wizard })
        bar->addAction(m_tasks->action(task));
    layout->addWidget(bar);
    layout->addWidget(m_banner);
    m_problems->setSource(m_rows);
    m_problems->horizontalHeader()->setStretchLastSection(true);
    m_problems->setAccessibleName(tr("Problems"));
    m_problems->setSelectionMode(QAbstractItemView::SingleSelection);
    m_splitter->addWidget(m_editor);
    m_splitter->addWidget(m_problems);
    m_splitter->setSizes({ 560, 130 });
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setCollapsible(0, false);
    layout->addWidget(m_find);
    layout->addWidget(m_splitter, 1);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setWordWrap(true);
    m_help->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setAccessibleName(tr("Help of the key at the cursor"));
    layout->addWidget(m_help);
    m_state->setTextFormat(Qt::PlainText);
    layout->addWidget(m_state);
    setFocusProxy(m_editor);
}

std::string EditorPage::textBytes() const
{
    return m_objection.isEmpty() ? bytesOf(textOf(*m_editor->document()), m_base.text()) : m_base.text();
}

Document EditorPage::document() const
{
    Document document = m_base;
    if (std::string now = textBytes(); now != m_base.text())
        document.replaceText(std::move(now));
    return document;
}

bool EditorPage::isModified() const
{
    // What the file had before another program changed it is as unsaved as a text of one's own.
    return m_objection.isEmpty() && (m_editor->document()->isModified() || !m_otherBase.isEmpty());
}

void EditorPage::textChanged()
{
    m_abandoned = false;
    m_isChecked = false;
    m_checker.check(m_base, [this] { return textBytes(); });
    if (!m_keeping->isActive())
        m_keeping->start();
    showState();
}

void EditorPage::showChecked(const CheckedText& result)
{
    m_editor->setKind(result.kind);
    if (result.document.isWellFormed())
        m_editor->setWhole(result.document);
    m_editor->setProblems(result.problems);
    replaceRows(*m_problems, *m_rows, result.problems);
    m_tasks->setFile(
        TaskedFile { result.kind, result.plan ? std::optional(result.plan->kind) : std::nullopt });
    m_isChecked = !m_checker.pending();
    showState();
    if (m_isChecked)
        emit checked();
}

void EditorPage::showState()
{
    QString words = m_isChecked ? countOfProblems(m_rows->rows()) : tr("checking…");
    words = tr("%1: %2").arg(kindName(m_base.kind()), words);
    if (isModified())
        words += tr(" · not saved");
    m_state->setText(words);
    m_save->setEnabled(isModified() || m_base.file().empty());
    m_reload->setEnabled(!m_base.file().empty());
    if (const QString now = title(); now != m_title) {
        m_title = now;
        emit titleChanged();
    }
}

void EditorPage::keep(bool now)
{
    if (isModified())
        m_recovery.keep(m_number, m_base.file(), text(m_base.name()), textBytes(), now,
            m_otherBase.isEmpty() ? fingerprintOf(m_base.text()) : m_otherBase);
    else
        m_recovery.forget(m_number);
}

void EditorPage::kept()
{
    m_keeping->stop();
    m_recovery.forget(m_number);
    m_otherBase.clear();
    m_editor->document()->setModified(false);
    m_watch->setFile(m_base.file());
    showState();
}

void EditorPage::restore(const RecoveredText& left)
{
    if (!notEditable(left.text).isEmpty())
        return;
    m_editor->replaceAll(shownText(left.text));
    m_editor->document()->setModified(true);
    if (!m_base.file().empty() && left.base != fingerprintOf(m_base.text()))
        m_otherBase = left.base;
    keep();
    if (!m_otherBase.isEmpty())
        sayOther();
}

void EditorPage::sayOther()
{
    m_banner->say(tr("The file was changed by another program. File → Reload from disk shows its text; Save "
                     "asks which one to keep."));
    m_banner->show();
}

void EditorPage::take(const Document& edited)
{
    const bool isFirst = textBytes().empty();
    if (edited.text() != textBytes())
        m_editor->replaceAll(shownText(edited.text()));
    if (isFirst) { // there is nothing to go back to
        m_editor->document()->clearUndoRedoStacks();
        m_editor->document()->setModified(true);
    }
    if (edited.isModified() || edited.file().empty())
        return;
    m_base = edited;
    m_shipped = isShipped(m_base.file());
    m_banner->setVisible(m_shipped);
    kept();
    emit saved(file());
}

bool EditorPage::changedOnDisk() const
{
    if (m_base.file().empty())
        return false;
    const auto now = Document::read(m_base.file());
    return now && now->text() != m_base.text();
}

void EditorPage::lookAtFile()
{
    if (!changedOnDisk()) {
        if (m_otherBase == fingerprintOf(m_base.text())) { // it was changed back
            m_otherBase.clear();
            m_banner->setVisible(m_shipped);
            showState();
        }
        return;
    }
    if (!isModified()) {
        reload();
        emit message(tr("%1 was changed by another program and read again.").arg(text(m_base.name())));
        return;
    }
    if (m_otherBase.isEmpty())
        m_otherBase = fingerprintOf(m_base.text());
    sayOther();
    showState();
}

void EditorPage::reload()
{
    auto read = Document::read(m_base.file());
    if (!read) {
        QMessageBox::warning(this, tr("Reload"), text(read.error().message));
        return;
    }
    m_base = *std::move(read);
    if (notEditable(m_base.text()).isEmpty() && m_objection.isEmpty())
        m_editor->replaceAll(shownText(m_base.text())); // which can be undone
    else
        setText(m_base.text());
    m_banner->setVisible(m_shipped || !m_objection.isEmpty());
    kept();
}

bool EditorPage::solveConflict()
{
    const auto answer = askConflict(this, tr("File changed"),
        tr("%1 was changed by another program since it was read.").arg(text(m_base.name())));
    if (answer == ConflictAnswer::saveAs)
        return saveAs();
    return answer == ConflictAnswer::overwrite && saveHere(true);
}

bool EditorPage::saveHere(bool overwrite)
{
    if (!m_otherBase.isEmpty() && !overwrite)
        return solveConflict();
    Document document = this->document();
    if (const auto done = document.save(overwrite); !done) {
        if (!overwrite && changedOnDisk())
            return solveConflict();
        QMessageBox::warning(this, tr("Save"), text(done.error().message));
        return false;
    }
    m_base = std::move(document);
    kept();
    m_banner->setVisible(false);
    emit message(tr("Saved: %1").arg(text(file().string())));
    emit saved(file());
    return true;
}

bool EditorPage::save()
{
    return m_base.file().empty() || m_shipped ? saveAs() : saveHere(false);
}

bool EditorPage::saveAs()
{
    QSettings settings;
    const QString last = settings.value(QStringLiteral("plans/saveFolder")).toString();
    const QString suggested = m_base.file().empty() || m_shipped
        ? QStringLiteral("%1/%2").arg(last.isEmpty() ? QStringLiteral(".") : last, text(m_base.name()))
        : text(file().string());
    const QString name = askTomlFile(
        this, tr("Save as"), suggested, tr("Plans and other files of Loadstone (*.toml);;All files (*)"));
    if (name.isEmpty())
        return false;
    Document document = this->document();
    if (const auto done = document.saveAs(bytes(name)); !done) {
        QMessageBox::warning(this, tr("Save as"), text(done.error().message));
        return false;
    }
    settings.setValue(QStringLiteral("plans/saveFolder"), QFileInfo(name).absolutePath());
    m_base = std::move(document);
    m_shipped = isShipped(m_base.file());
    kept();
    m_banner->setVisible(m_shipped);
    m_checker.check(m_base, [this] { return textBytes(); }); // a profile is looked for beside the file
    emit message(tr("Saved: %1").arg(name));
    emit saved(file());
    return true;
}

bool EditorPage::mayClose()
{
    if (!isModified() || m_abandoned)
        return true;
    QMessageBox box(QMessageBox::Question, tr("Not saved"),
        tr("\"%1\" has changes that are not saved.").arg(title().remove(QStringLiteral(" *"))),
        QMessageBox::Cancel, this);
    const auto* keep = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    const auto* away = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == keep)
        return save();
    m_abandoned = box.clickedButton() == away;
    if (m_abandoned) {
        m_keeping->stop();
        m_recovery.forget(m_number);
    }
    return m_abandoned;
}

void EditorPage::stay()
{
    m_abandoned = false;
    keep(true);
}

void EditorPage::flush()
{
    if (isModified() && !m_abandoned) // the program ends without a question
        keep(true);
}

QString EditorPage::title() const
{
    static const std::string none = Document().name(); // of what has none
    const bool isNew = m_base.file().empty() && none == m_base.name();
    const QString name = isNew ? tr("New file") : text(m_base.name());
    return isModified() ? name + QStringLiteral(" *") : name;
}

QString EditorPage::titleDetail() const
{
    return text(file().parent_path().filename().string());
}

QString EditorPage::tip() const
{
    return file().empty() ? tr("Text, not saved yet") : tr("Text of %1").arg(text(file().string()));
}

QIcon EditorPage::picture() const
{
    return icon(QStringLiteral("plan"));
}

QList<QAction*> EditorPage::actionsOf(PageMenu menu) const
{
    switch (menu) {
    case PageMenu::file:
        return { m_save, m_saveAs, m_reload };
    case PageMenu::edit:
        return { m_undo, m_redo, m_search, m_complete, m_tasks->action(PlanTask::wizard) };
    case PageMenu::run:
        return m_tasks->runActions();
    case PageMenu::view:
    case PageMenu::exported:
        break;
    }
    return {};
}

void EditorPage::activated()
{
    m_editor->setFocus();
    m_checker.check(
        m_base, [this] { return textBytes(); }); // the lab that it names may be another one by now
}

void EditorPage::saveTo(QSettings& settings) const
{
    settings.setValue(kSplitter, m_splitter->saveState());
}

void EditorPage::restoreFrom(const QSettings& settings)
{
    m_splitter->restoreState(settings.value(kSplitter).toByteArray());
}

} // namespace loadstone::ui
