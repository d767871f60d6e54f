// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/completion.h"
#include "plan_view.h"

#include <loadstone/problem.h>

#include <vector>

class QCompleter;
class QStandardItemModel;

namespace loadstone::ui {

/// A field for the text of a file of Loadstone: colours, line numbers, problems underlined, and completion from the table of keys
/// (Ctrl+Space, or while a word is typed). Undo is the field's own.
class TomlEditor : public PlanView {
    Q_OBJECT
public:
    explicit TomlEditor(QWidget* parent = nullptr);

    void setKind(FileKind kind) { m_kind = kind; }
    /// The text as it last was TOML: says which keys apply.
    void setWhole(const Document& whole) { m_whole = whole; }
    void setProblems(const std::vector<Problem>& problems);
    /// Puts the cursor there; line and column from 1, 0 where there is none.
    void goTo(int line, int column);
    /// Replaces the whole text as one step of undo, with the cursor where it was.
    void replaceAll(const QString& text);
    [[nodiscard]] TomlContext context() const;
    void complete(); ///< shows what can stand at the cursor
    [[nodiscard]] QCompleter* completer() const { return m_completer; }

signals:
    void helpChanged(const QString& words); ///< of the key at the cursor

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    [[nodiscard]] bool canInsertFromMimeData(const QMimeData* source) const override;

private:
    void insert(int suggestion);
    void showMarks();
    void tellHelp();
    void toggleComment();
    [[nodiscard]] QTextEdit::ExtraSelection underlined(const Problem& problem) const;

    FileKind m_kind = FileKind::plan;
    Document m_whole;
    std::vector<Problem> m_problems;
    QCompleter* m_completer;
    QStandardItemModel* m_list;
    std::vector<Suggestion> m_suggestions;
    TomlContext m_at; // of the suggestions
    QString m_help;
};

} // namespace loadstone::ui
