// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plans/plan_task.h"

#include "icons.h"

#include <QKeySequence>
#include <QWidget>

#include <array>

namespace loadstone::ui {

namespace {

struct Row {
    PlanTask task;
    const char* words;
    const char* tip;
    const char* picture;
    int keys; ///< 0: none
};

const std::array kRows {
    Row { PlanTask::run, QT_TRANSLATE_NOOP("PlanActions", "&Run this plan"),
        QT_TRANSLATE_NOOP("PlanActions", "Checks the plan and what it needs, then starts it"), "run",
        static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::Key_R) },
    Row { PlanTask::enqueue, QT_TRANSLATE_NOOP("PlanActions", "Add to the &queue"),
        QT_TRANSLATE_NOOP("PlanActions", "Runs the plan after those that are in the queue already"), "add",
        static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::SHIFT) | static_cast<int>(Qt::Key_R) },
    Row { PlanTask::preflight, QT_TRANSLATE_NOOP("PlanActions", "&Preflight…"),
        QT_TRANSLATE_NOOP("PlanActions",
            "Checks the servers or folders of the plan, and says what would cure what is found"),
        "valid", static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::Key_T) },
    Row { PlanTask::rehearse, QT_TRANSLATE_NOOP("PlanActions", "Re&hearse…"),
        QT_TRANSLATE_NOOP(
            "PlanActions", "Computes what the plan asks of the server, without sending anything"),
        "play", static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::SHIFT) | static_cast<int>(Qt::Key_T) },
    Row { PlanTask::initialise, QT_TRANSLATE_NOOP("PlanActions", "&Initialise…"),
        QT_TRANSLATE_NOOP("PlanActions",
            "Fills the mailboxes, or makes the databases, as a run of its own; what is there already stays"),
        "import", 0 },
    Row { PlanTask::cleanUp, QT_TRANSLATE_NOOP("PlanActions", "&Clean up…"),
        QT_TRANSLATE_NOOP(
            "PlanActions", "Removes what Loadstone made in the mailboxes or folders of the plan; asks first"),
        "delete", 0 },
    Row { PlanTask::verify, QT_TRANSLATE_NOOP("PlanActions", "&Verify databases…"),
        QT_TRANSLATE_NOOP("PlanActions", "Checks each page and log of the plan's databases; changes nothing"),
        "whole", 0 },
    Row { PlanTask::recover, QT_TRANSLATE_NOOP("PlanActions", "Rec&over databases…"),
        QT_TRANSLATE_NOOP(
            "PlanActions", "Opens the databases after a crash, replays their logs and closes them"),
        "end", 0 },
    Row { PlanTask::edit, QT_TRANSLATE_NOOP("PlanActions", "&Edit as text"),
        QT_TRANSLATE_NOOP("PlanActions", "Opens the file in the text editor"), "plan",
        static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::Key_E) },
    Row { PlanTask::wizard, QT_TRANSLATE_NOOP("PlanActions", "Edit in &wizard…"),
        QT_TRANSLATE_NOOP("PlanActions", "Goes through the plan page by page"), "select",
        static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::ALT) | static_cast<int>(Qt::Key_E) },
};

} // namespace

bool isPossible(PlanTask task, const TaskedFile& file)
{
    const bool mail = file.tests == RunKind::mail, storage = file.tests == RunKind::storage;
    switch (task) {
    case PlanTask::edit:
        return true;
    case PlanTask::wizard:
        return file.kind == FileKind::plan;
    case PlanTask::run:
    case PlanTask::enqueue:
    case PlanTask::preflight:
        return file.tests.has_value();
    case PlanTask::rehearse:
        return mail;
    case PlanTask::initialise:
    case PlanTask::cleanUp:
        return mail || storage;
    case PlanTask::verify:
    case PlanTask::recover:
        return storage;
    }
    return false;
}

PlanActions::PlanActions(QWidget* page)
    : QObject(page)
    , m_first(new QAction(this))
    , m_second(new QAction(this))
{
    m_first->setSeparator(true);
    m_second->setSeparator(true);
    for (const Row& row : kRows) {
        auto* action = new QAction(icon(QLatin1String(row.picture)), tr(row.words), this);
        const QKeySequence keys = row.keys == 0 ? QKeySequence() : QKeySequence(row.keys);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut); // of the window's pages only the visible one hears it
        action->setToolTip(keys.isEmpty()
                ? tr(row.tip)
                : tr("%1 (%2)").arg(tr(row.tip), keys.toString(QKeySequence::NativeText)));
        connect(action, &QAction::triggered, this, [this, task = row.task] { emit wanted(task); });
        page->addAction(action);
        m_actions.append(action);
    }
    setFile(std::nullopt);
}

void PlanActions::setFile(const std::optional<TaskedFile>& file)
{
    for (const Row& row : kRows)
        action(row.task)->setEnabled(file && isPossible(row.task, *file));
}

QAction* PlanActions::action(PlanTask task) const
{
    return m_actions[static_cast<int>(task)];
}

QList<QAction*> PlanActions::runActions() const
{
    return { action(PlanTask::run), action(PlanTask::enqueue), m_first, action(PlanTask::preflight),
        action(PlanTask::rehearse), m_second, action(PlanTask::initialise), action(PlanTask::cleanUp),
        action(PlanTask::verify), action(PlanTask::recover) };
}

} // namespace loadstone::ui
