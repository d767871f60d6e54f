// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/toml_editor.h"

#include "format.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextBlock>
#include <QToolTip>
#include <QTreeView>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr std::size_t kMostMarked = 500; // problems that are underlined
constexpr int kListWidth = 620, kWordWidth = 200; // pixels
}

TomlEditor::TomlEditor(QWidget* parent)
    : PlanView(parent)
    , m_completer(new QCompleter(this))
    , m_list(new QStandardItemModel(0, 2, this))
{
    setReadOnly(false);
    setAccessibleName(tr("Text"));
    setAccessibleDescription(tr("Ctrl+Space shows what can stand at the cursor."));
    auto* popup = new QTreeView;
    popup->setRootIsDecorated(false);
    popup->setUniformRowHeights(true);
    popup->setHeaderHidden(true);
    popup->setSelectionBehavior(QAbstractItemView::SelectRows);
    popup->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_completer->setModel(m_list);
    m_completer->setPopup(popup);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(12);
    m_completer->setWidget(this);
    popup->setColumnWidth(0, kWordWidth);
    popup->setAccessibleName(tr("What can stand here"));
    connect(m_completer, QOverload<const QModelIndex&>::of(&QCompleter::activated), this,
        [this](const QModelIndex& index) { insert(index.row()); });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        tellHelp();
        showMarks();
    });
}

TomlContext TomlEditor::context() const
{
    const QTextCursor cursor = textCursor();
    return contextAt(m_kind, cursor.block(), cursor.positionInBlock());
}

void TomlEditor::tellHelp()
{
    const QString help = helpAt(m_kind, context());
    if (help != m_help) {
        m_help = help;
        emit helpChanged(help);
    }
}

void TomlEditor::setProblems(const std::vector<Problem>& problems)
{
    m_problems = problems;
    showMarks();
}

QTextEdit::ExtraSelection TomlEditor::underlined(const Problem& problem) const
{
    QTextEdit::ExtraSelection mark;
    const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
    if (!block.isValid())
        return mark;
    const QString line = block.text();
    int from = std::clamp(problem.column - 1, 0, static_cast<int>(line.size()));
    int to = from;
    while (to < line.size() && line[to] != QLatin1Char('#') && line[to] != QLatin1Char(','))
        ++to;
    while (to > from && line[to - 1].isSpace())
        --to;
    if (to == from) { // at the end of the line, or an empty one
        from = 0;
        to = static_cast<int>(line.size());
    }
    mark.cursor = QTextCursor(block);
    mark.cursor.setPosition(block.position() + from);
    mark.cursor.setPosition(block.position() + to, QTextCursor::KeepAnchor);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    const bool error = problem.severity == ProblemSeverity::error;
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(
        error ? QColor(dark ? 0xff7070 : 0xd00000) : QColor(dark ? 0xe0b060 : 0xb07000));
    return mark;
}

void TomlEditor::showMarks()
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextEdit::ExtraSelection here;
    QColor tone = palette().color(QPalette::Highlight);
    tone.setAlpha(28);
    here.format.setBackground(tone);
    here.format.setProperty(QTextFormat::FullWidthSelection, true);
    here.cursor = textCursor();
    here.cursor.clearSelection();
    marks.append(here);
    for (std::size_t i = 0; i < std::min(m_problems.size(), kMostMarked); ++i)
        if (auto mark = underlined(m_problems[i]); !mark.cursor.isNull())
            marks.append(mark);
    setExtraSelections(marks);
}

void TomlEditor::goTo(int line, int column)
{
    const QTextBlock block = document()->findBlockByNumber(std::max(line, 1) - 1);
    if (!block.isValid())
        return;
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, block.length() - 1));
    setTextCursor(cursor);
    centerCursor();
}

void TomlEditor::replaceAll(const QString& text)
{
    const int at = textCursor().position();
    const int scrolled = verticalScrollBar()->value();
    QTextCursor all(document());
    all.beginEditBlock();
    all.select(QTextCursor::Document);
    all.insertText(text);
    all.endEditBlock();
    QTextCursor back(document());
    back.setPosition(std::min(at, document()->characterCount() - 1));
    setTextCursor(back);
    verticalScrollBar()->setValue(scrolled);
}

void TomlEditor::complete()
{
    m_at = context();
    m_suggestions = suggestionsAt(m_kind, m_at, m_whole);
    QAbstractItemView* popup = m_completer->popup();
    if (m_suggestions.empty()) {
        popup->hide();
        return;
    }
    m_list->removeRows(0, m_list->rowCount());
    for (const Suggestion& one : m_suggestions) {
        auto* word = new QStandardItem(one.words);
        auto* help = new QStandardItem(one.help);
        word->setToolTip(one.help);
        help->setToolTip(one.help);
        m_list->appendRow({ word, help });
    }
    QRect at = cursorRect();
    at.translate(viewport()->geometry().topLeft());
    at.setWidth(std::min(kListWidth, std::max(width() - 40, kWordWidth)));
    m_completer->complete(at);
    popup->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void TomlEditor::insert(int suggestion)
{
    if (suggestion < 0 || suggestion >= static_cast<int>(m_suggestions.size()))
        return;
    const Suggestion one = m_suggestions[static_cast<std::size_t>(suggestion)];
    QTextCursor cursor = textCursor();
    const QTextBlock block = cursor.block();
    int to = std::min(m_at.to, block.length() - 1);
    QString words = one.insert;
    // A key that is there already keeps what stands behind it.
    if (m_at.place == TomlContext::Place::key && block.text().mid(to).trimmed().startsWith(QLatin1Char('=')))
        words = one.words;
    cursor.beginEditBlock();
    cursor.setPosition(block.position() + std::min(m_at.from, to));
    cursor.setPosition(block.position() + to, QTextCursor::KeepAnchor);
    cursor.insertText(words);
    if (words == one.insert && one.back > 0)
        cursor.movePosition(QTextCursor::Left, QTextCursor::MoveAnchor, one.back);
    cursor.endEditBlock();
    setTextCursor(cursor);
    if (words.endsWith(QStringLiteral(" = "))) // the value next
        QMetaObject::invokeMethod(this, &TomlEditor::complete, Qt::QueuedConnection);
}

void TomlEditor::toggleComment()
{
    QTextCursor cursor = textCursor();
    QTextBlock first = document()->findBlock(cursor.selectionStart());
    const QTextBlock last = document()->findBlock(cursor.selectionEnd());
    bool allComments = true;
    for (QTextBlock block = first; block.isValid() && block.position() <= last.position();
         block = block.next())
        allComments = allComments
            && (block.text().trimmed().isEmpty() || block.text().trimmed().startsWith(QLatin1Char('#')));
    cursor.beginEditBlock();
    for (QTextBlock block = first; block.isValid() && block.position() <= last.position();
         block = block.next()) {
        QTextCursor at(block);
        const QString line = block.text();
        if (line.trimmed().isEmpty())
            continue;
        if (!allComments) {
            at.insertText(QStringLiteral("# "));
            continue;
        }
        const auto hash = line.indexOf(QLatin1Char('#'));
        at.setPosition(block.position() + static_cast<int>(hash));
        at.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor,
            line.mid(hash).startsWith(QLatin1String("# ")) ? 2 : 1);
        at.removeSelectedText();
    }
    cursor.endEditBlock();
}

void TomlEditor::keyPressEvent(QKeyEvent* event)
{
    QAbstractItemView* popup = m_completer->popup();
    if (popup->isVisible()) {
        switch (event->key()) {
        case Qt::Key_Enter:
        case Qt::Key_Return:
        case Qt::Key_Escape:
        case Qt::Key_Tab:
            event->ignore(); // the list's own
            return;
        default:
            break;
        }
    }
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        complete();
        return;
    }
    if (event->key() == Qt::Key_Slash && event->modifiers() == Qt::ControlModifier) {
        toggleComment();
        return;
    }
    PlanView::keyPressEvent(event);
    const QString typed = event->text();
    const bool word = !typed.isEmpty() && (typed.at(0).isLetter() || typed.at(0) == QLatin1Char('_'))
        && (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) == 0;
    const bool erased = event->key() == Qt::Key_Backspace;
    if (popup->isVisible() && !word && !erased && !typed.isEmpty())
        popup->hide();
    else if (word || (erased && popup->isVisible()))
        complete();
}

bool TomlEditor::canInsertFromMimeData(const QMimeData* source) const
{
    return !source->hasUrls() && PlanView::canInsertFromMimeData(source); // files are for the window
}

bool TomlEditor::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QTextCursor at = cursorForPosition(viewport()->mapFrom(this, help->pos()));
        const int line = at.blockNumber() + 1;
        QStringList words;
        for (const Problem& problem : m_problems)
            if (problem.line == line && words.size() < 5)
                words.append(
                    text(problem.remedy.empty() ? problem.message : problem.message + "; " + problem.remedy));
        if (words.isEmpty())
            if (const QString about = helpAt(m_kind, contextAt(m_kind, at.block(), at.positionInBlock()));
                !about.isEmpty())
                words.append(about);
        if (words.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), words.join(QLatin1Char('\n')), this);
        return true;
    }
    return PlanView::event(event);
}

} // namespace loadstone::ui
