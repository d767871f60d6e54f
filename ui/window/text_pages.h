// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/recovery.h"
#include "plans/plan_task.h"

#include <loadstone/document.h>

#include <QObject>

namespace loadstone::ui {

class EditorPage;
class PageHost;

/// The pages on which files are edited as texts: one for each file. GUI thread only.
class TextPages : public QObject {
    Q_OBJECT
public:
    TextPages(PageHost& pages, RecoveryStore& recovery);

    /// On the page that the file has, or on a new one; null: it cannot be read, and failed() says why.
    EditorPage* open(const std::filesystem::path& file);
    /// A text that has no file yet, or was read already.
    EditorPage* add(Document document);
    /// `name`, or with a number where another page has it: "plan.toml", "plan-2.toml".
    [[nodiscard]] std::string freeName(const std::string& name) const;
    /// What an earlier program left behind, on a page over its file; what it left is discarded, for the page keeps it again.
    void restore(const RecoveredText& text);
    [[nodiscard]] QList<EditorPage*> all() const;

signals:
    void taskWanted(loadstone::ui::PlanTask task, loadstone::ui::EditorPage* page);
    void added(loadstone::ui::EditorPage* page);
    void used(const std::filesystem::path& file); ///< it was opened or saved
    void failed(const QString& message);

private:
    PageHost& m_pages;
    RecoveryStore& m_recovery;
};

} // namespace loadstone::ui
