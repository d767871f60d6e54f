// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTextBrowser;

namespace loadstone::ui {

/// The run's note and tags, which may be changed, and the facts that were recorded with it.
class NotesTab : public QWidget {
    Q_OBJECT
public:
    explicit NotesTab(QWidget* parent = nullptr);
    /// Another run: its note is not known yet, and that of the run before is gone; see flush().
    void setHeader(const RunHeader& header);
    /// What the history says now; a field that the user is editing is left alone.
    void setNote(const QString& note, const QStringList& tags);
    /// Asks for what was changed to be saved, if anything was and unless that is under way. A note that was written elsewhere meanwhile is
    /// kept above this one.
    void flush();
    /// What became of that; a field that was not saved stays changed.
    void noteDone(const QString& note, bool saved);
    void tagsDone(const QStringList& after, bool saved);
    /// Gives up what is not saved.
    void drop();

signals:
    void noteEdited(const QString& note);
    void tagsEdited(const QStringList& before, const QStringList& after);

private:
    void updateButton();
    [[nodiscard]] bool noteChanged() const;
    [[nodiscard]] bool tagsChanged() const;
    [[nodiscard]] QStringList tags() const;

    QPlainTextEdit* m_note;
    QLabel* m_elsewhere; // that the note is another one by now
    QLineEdit* m_tags;
    QPushButton* m_save;
    QTextBrowser* m_facts;
    QString m_savedNote, m_listedNote; // as the field has it, as the history gave it
    QStringList m_savedTags; // as they read back from the line
    std::optional<QString> m_sentNote; // being saved
    std::optional<QString> m_otherNote; // written elsewhere since this one was begun
    std::optional<QStringList> m_sentTags;
};

/// "a, b c,,d" as a list without empty or doubled tags.
QStringList parseTags(const QString& text);

} // namespace loadstone::ui
