// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/keys.h>
#include <loadstone/plan_file.h>

#include <QAction>
#include <QList>
#include <QObject>

#include <cstdint>
#include <optional>

namespace loadstone::ui {

/// What the window does with a plan, as the command line does.
enum class PlanTask : std::uint8_t {
    run,
    enqueue, ///< at the end of the queue of runs
    preflight,
    rehearse,
    initialise, ///< mailboxes or databases
    cleanUp,
    verify, ///< storage plans
    recover, ///< storage plans
    edit, ///< as a text
    wizard,
};

/// The kind of file and, of a plan, what it tests: says which tasks there are.
struct TaskedFile {
    FileKind kind = FileKind::plan;
    std::optional<RunKind> tests; ///< none: it is no plan, or not one that can be read
};
[[nodiscard]] bool isPossible(PlanTask task, const TaskedFile& file);

/// The actions for a plan: one for each task, enabled where the task is possible. Pages show them in menus and toolbars.
class PlanActions : public QObject {
    Q_OBJECT
public:
    explicit PlanActions(QWidget* page);
    /// None: there is no file to do something with.
    void setFile(const std::optional<TaskedFile>& file);
    [[nodiscard]] QAction* action(PlanTask task) const;
    /// What is done with a plan, without editing; a separator stands between groups.
    [[nodiscard]] QList<QAction*> runActions() const;

signals:
    void wanted(loadstone::ui::PlanTask task);

private:
    QList<QAction*> m_actions; // by task
    QAction *m_first, *m_second; // separators
};

} // namespace loadstone::ui
