// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_view.h"

#include <QWidget>

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
    void setHeader(const RunHeader& header);
    /// What the history says now; left alone while the user is editing.
    void setNote(const QString& note, const QStringList& tags);

signals:
    void saveWanted(const QString& note, const QStringList& tags);

private:
    void updateButton();
    [[nodiscard]] QStringList tags() const;

    QPlainTextEdit* m_note;
    QLineEdit* m_tags;
    QPushButton* m_save;
    QTextBrowser* m_facts;
    QString m_savedNote;
    QStringList m_savedTags;
};

/// "a, b c,,d" as a list without empty or doubled tags.
QStringList parseTags(const QString& text);

} // namespace loadstone::ui
