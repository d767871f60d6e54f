// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/document_page.h"

#include "confirm.h"
#include "editor/recovery.h"
#include "file_watch.h"
#include "format.h"
#include "forms/document_model.h"
#include "forms/key_words.h"
#include "icons.h"
#include "plan_view.h"
#include "plans/plan_facts.h"
#include "tables/open_cell.h"

#include <QAction>
#include <QKeyEvent>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kTypingMilliseconds = 400; // a text is read when typing has paused for so long
constexpr int kKeepMilliseconds = 1000; // a text that is not saved is kept so long after its first change
constexpr int kFieldRole = Qt::UserRole, kLineRole = Qt::UserRole + 1;
} // namespace

DocumentPage::DocumentPage(DocumentModel& model, DocumentKindWords words, QWidget* parent)
    : Page(parent)
    , m_document(model)
    , m_words(std::move(words))
    , m_tabs(new QTabWidget)
    , m_text(new PlanView)
    , m_problems(new QListWidget)
    , m_rows(new QSplitter(Qt::Vertical))
    , m_bar(new QHBoxLayout)
    , m_typing(new QTimer(this))
    , m_keeping(new QTimer(this))
    , m_watch(new FileWatch(this))
{
    m_undo = makeAction(tr("&Undo"), QKeySequence::Undo, [this] {
        commitFields();
        takeText();
        m_document.undo();
    });
    m_redo = makeAction(tr("&Redo"), QKeySequence::Redo, [this] { m_document.redo(); });
    m_save = makeAction(tr("&Save %1").arg(m_words.noun), QKeySequence::Save, [this] { save(); });
    m_saveAs = makeAction(tr("Save %1 &as…").arg(m_words.noun), QKeySequence::SaveAs, [this] { saveAs(); });
    for (QAction* action : { m_save, m_undo, m_redo }) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        m_bar->addWidget(button);
    }
    m_text->setReadOnly(false);
    m_text->setUndoRedoEnabled(false); // the document's own undo knows all views
    m_text->setAccessibleName(tr("Text of the %1").arg(m_words.noun));
    m_text->installEventFilter(this);
    m_problems->setAccessibleName(tr("Problems"));
    m_problems->setWordWrap(true);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kTypingMilliseconds);
    m_keeping->setSingleShot(true);
    m_keeping->setInterval(kKeepMilliseconds);
    connect(m_typing, &QTimer::timeout, this, &DocumentPage::takeText);
    connect(m_keeping, &QTimer::timeout, this, [this] { keep(false); });
    connect(m_text->document(), &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if (m_text->hasFocus() && (removed > 0 || added > 0)) {
            m_typed = true;
            m_typing->start();
        }
    });
    connect(m_problems, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        goTo(bytes(item->data(kFieldRole).toString()), item->data(kLineRole).toInt());
    });
    connect(m_problems, &QListWidget::itemClicked, m_problems, &QListWidget::itemActivated);
}

DocumentPage::~DocumentPage()
{
    m_document.disconnect(this); // fields that go may still write into the document
}

QAction* DocumentPage::makeAction(
    const QString& words, const QKeySequence& keys, const std::function<void()>& work)
{
    auto* action = new QAction(words, this);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, work);
    return action;
}

void DocumentPage::begin(QWidget* body)
{
    m_tabs->addTab(m_text, tr("Te&xt"));
    m_rows->addWidget(body);
    m_rows->addWidget(m_problems);
    m_rows->setSizes({ 600, 90 });
    m_rows->setStretchFactor(0, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(m_bar);
    layout->addWidget(m_rows, 1);
    connect(m_tabs, &QTabWidget::currentChanged, this, &DocumentPage::showCurrentTab);
    connect(&m_document, &DocumentModel::changed, this, &DocumentPage::followDocument);
    connect(&m_document, &DocumentModel::refused, this, &DocumentPage::message);
    followDocument();
    m_watch->setFile(file());
    connect(m_watch, &FileWatch::written, this, &DocumentPage::lookAtFile);
    m_document.setParent(
        this); // children are deleted in the order in which they came: views use it to their end
}

const std::filesystem::path& DocumentPage::file() const
{
    return m_document.document().file();
}

bool DocumentPage::isModified() const
{
    // What the file had before another program changed it is as unsaved as a change of one's own.
    return m_document.document().isModified() || !m_otherBase.isEmpty();
}

bool DocumentPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // the page's action takes it
            return true;
        }
    }
    if (watched == m_text && event->type() == QEvent::FocusOut)
        takeText();
    return Page::eventFilter(watched, event);
}

bool DocumentPage::event(QEvent* event)
{
    // Save is not enabled by what is typed in a cell; it is before the key is taken for Save's.
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save))
        closeOpenCell(*this);
    return Page::event(event);
}

void DocumentPage::commitFields()
{
    closeOpenCell(*this);
    commit();
}

void DocumentPage::takeText()
{
    if (!m_typed)
        return;
    m_typed = false;
    m_typing->stop();
    m_document.replace(m_text->toPlainText());
}

void DocumentPage::followDocument()
{
    m_abandoned = false;
    const Document& document = m_document.document();
    m_undo->setEnabled(document.canUndo());
    m_redo->setEnabled(document.canRedo());
    m_undo->setToolTip(
        document.canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(text(document.undoName())) : tr("Undo"));
    m_redo->setToolTip(document.canRedo() ? tr("Redo: %1").arg(text(document.redoName())) : tr("Redo"));
    m_save->setEnabled(isModified() || document.file().empty());
    if (!isModified())
        forget();
    else if (m_recovery != nullptr && !m_keeping->isActive())
        m_keeping->start();
    follow();
    showProblems();
    showCurrentTab();
    if (const QString now = title(); now != m_title) {
        m_title = now;
        emit titleChanged();
    }
}

void DocumentPage::showCurrentTab()
{
    if (m_tabs->currentWidget() != m_text)
        return showTab(m_tabs->currentWidget());
    if (m_typed)
        return;
    const int at = m_text->textCursor().position();
    m_text->setText(text(m_document.document().text()));
    if (QTextCursor cursor = m_text->textCursor(); cursor.position() != at) {
        cursor.setPosition(std::min(at, std::max(0, m_text->document()->characterCount() - 1)));
        m_text->setTextCursor(cursor);
    }
}

void DocumentPage::showProblems()
{
    m_problems->clear();
    for (const Problem& problem : m_document.problems()) {
        const bool isError = problem.severity == ProblemSeverity::error;
        auto* item = new QListWidgetItem(
            icon(isError ? QStringLiteral("error") : QStringLiteral("warning")), lineOf(problem), m_problems);
        item->setData(kFieldRole, text(problem.field));
        item->setData(kLineRole, problem.line);
    }
    if (m_problems->count() == 0) {
        auto* none = new QListWidgetItem(tr("No problems were found."), m_problems);
        none->setFlags(Qt::ItemIsEnabled);
    }
}

void DocumentPage::goTo(const std::string& field, int line)
{
    if (reveal(field) || line <= 0)
        return;
    m_tabs->setCurrentWidget(m_text);
    m_text->markLine(line);
    m_text->setFocus();
}

void DocumentPage::setRecovery(RecoveryStore& recovery)
{
    m_recovery = &recovery;
    m_number = recovery.next();
    if (isModified())
        keep(false);
}

void DocumentPage::restore(const RecoveredText& left)
{
    m_document.replace(text(left.text));
    if (!file().empty() && left.base != fingerprintOf(m_document.onDisk()))
        m_otherBase = left.base;
    keep(true); // before what was left behind is removed
    if (!m_otherBase.isEmpty())
        emit message(tr("%1 was changed by another program. Save asks which one to keep.")
                         .arg(text(m_document.document().name())));
}

void DocumentPage::keep(bool now)
{
    const Document& document = m_document.document();
    if (m_recovery != nullptr && isModified() && !m_abandoned)
        m_recovery->keep(m_number, document.file(), text(document.name()), document.text(), now,
            m_otherBase.isEmpty() ? fingerprintOf(m_document.onDisk()) : m_otherBase);
}

void DocumentPage::forget()
{
    m_keeping->stop();
    if (m_recovery != nullptr)
        m_recovery->forget(m_number);
}

bool DocumentPage::save()
{
    commitFields();
    takeText();
    if (file().empty() || isShipped(file()))
        return saveAs();
    if (!m_otherBase.isEmpty() || !m_document.save(false))
        return solveConflict();
    done();
    return true;
}

bool DocumentPage::solveConflict()
{
    const auto answer = askConflict(this, tr("Save %1").arg(m_words.noun),
        tr("The %1 was not saved. Another program may have changed the file.").arg(m_words.noun));
    if (answer == ConflictAnswer::saveAs)
        return saveAs();
    if (answer != ConflictAnswer::overwrite || !m_document.save(true))
        return false;
    done();
    return true;
}

void DocumentPage::lookAtFile()
{
    if (!m_document.changedOnDisk()) {
        if (m_otherBase == fingerprintOf(m_document.onDisk())) { // it was changed back
            m_otherBase.clear();
            followDocument();
        }
        return;
    }
    commitFields(); // what is being typed into a field is not lost
    takeText();
    const QString name = text(m_document.document().name());
    if (isModified()) {
        if (m_otherBase.isEmpty())
            m_otherBase = fingerprintOf(m_document.onDisk());
        emit message(tr("%1 was changed by another program. Save asks which one to keep.").arg(name));
        return;
    }
    m_document.readAgain();
    emit message(tr("%1 was changed by another program and read again.").arg(name));
}

bool DocumentPage::saveAs()
{
    commitFields();
    takeText();
    const QString suggested = file().empty() ? m_words.noun + QStringLiteral(".toml")
        : isShipped(file())                  ? text(file().filename().string())
                                             : text(file().string());
    const QString name = askTomlFile(this, tr("Save %1 as").arg(m_words.noun), suggested,
        tr("%1 (*.toml);;All files (*)").arg(m_words.files));
    if (name.isEmpty())
        return false;
    if (!m_document.saveAs(bytes(name)))
        return false;
    done();
    return true;
}

void DocumentPage::done()
{
    m_otherBase.clear();
    followDocument();
    m_watch->setFile(file());
    emit message(tr("Saved: %1").arg(text(file().string())));
    emit saved(file());
}

bool DocumentPage::mayClose()
{
    commitFields();
    takeText();
    if (!isModified() || m_abandoned)
        return true;
    QMessageBox box(QMessageBox::Question, tr("%1 not saved").arg(m_words.title),
        tr("\"%1\" has changes that are not saved.").arg(title().remove(QStringLiteral(" *"))),
        QMessageBox::Cancel, this);
    auto* first = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    const auto* away = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setDefaultButton(first);
    box.exec();
    if (box.clickedButton() == first)
        return save();
    m_abandoned = box.clickedButton() == away;
    if (m_abandoned)
        forget();
    return m_abandoned;
}

void DocumentPage::stay()
{
    m_abandoned = false;
    keep(true);
}

void DocumentPage::flush()
{
    commitFields();
    takeText();
    keep(true);
}

QString DocumentPage::title() const
{
    const Document& document = m_document.document();
    QString name = givenTitle();
    if (name.isEmpty())
        name = document.file().empty() ? tr("New %1").arg(m_words.noun) : text(document.name());
    return isModified() ? name + QStringLiteral(" *") : name;
}

QString DocumentPage::titleDetail() const
{
    return text(m_document.document().name());
}

QString DocumentPage::tip() const
{
    return file().empty() ? tr("%1, not saved yet").arg(m_words.title)
                          : tr("%1: %2").arg(m_words.title, text(file().string()));
}

QList<QAction*> DocumentPage::actionsOf(PageMenu menu) const
{
    if (menu == PageMenu::file)
        return { m_save, m_saveAs };
    if (menu == PageMenu::edit)
        return { m_undo, m_redo };
    return {};
}

void DocumentPage::saveTo(QSettings& settings) const
{
    settings.setValue(m_words.noun + QStringLiteral("/rows"), m_rows->saveState());
    settings.setValue(m_words.noun + QStringLiteral("/tab"), m_tabs->currentIndex());
}

void DocumentPage::restoreFrom(const QSettings& settings)
{
    m_rows->restoreState(settings.value(m_words.noun + QStringLiteral("/rows")).toByteArray());
    m_tabs->setCurrentIndex(settings.value(m_words.noun + QStringLiteral("/tab"), 0).toInt());
}

} // namespace loadstone::ui
