// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plan_wizards.h"

#include "editor/recovery.h"
#include "format.h"
#include "icons.h"
#include "window/help_window.h"
#include "wizard/jetstress_import.h"
#include "wizard/plan_name.h"
#include "wizard/plan_wizard.h"

namespace loadstone::ui {

PlanWizards::PlanWizards(std::filesystem::path historyFolder, RecoveryStore& recovery, QWidget* window)
    : QObject(window)
    , m_historyFolder(std::move(historyFolder))
    , m_recovery(recovery)
    , m_window(window)
{
    const auto add = [this](const QString& words, const QString& picture, const std::function<void()>& what) {
        auto* action = new QAction(icon(picture), words, this);
        connect(action, &QAction::triggered, this, what);
        m_actions.append(action);
        return action;
    };
    add(tr("New &mail benchmark…"), QStringLiteral("add"), [this] {
        makeNew(RunKind::mail);
    })->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_M);
    add(tr("New &storage benchmark…"), QStringLiteral("add"), [this] { makeNew(RunKind::storage); });
    add(tr("New ra&w device test…"), QStringLiteral("add"), [this] { makeNew(RunKind::raw); });
    add(tr("Import &Jetstress configuration…"), QStringLiteral("import"), [this] { importJetstress(); });
    add(tr("&Edit plan in wizard…"), QStringLiteral("plan"), [this] {
        if (m_chosen)
            edit(m_chosen());
    })->setShortcut(Qt::CTRL | Qt::ALT | Qt::Key_W); // the pages of plans have others for theirs
}

void PlanWizards::makeNew(RunKind kind)
{
    open(PlanWizard::newPlan(kind));
}

void PlanWizards::edit(const std::filesystem::path& file)
{
    auto document = Document::read(file);
    if (document)
        open(*document);
    else
        emit problem(text(document.error().message));
}

std::optional<PlanWizards::Finished> PlanWizards::show(const Document& document, bool isUnsaved)
{
    const auto wizard = PlanWizard::openFor(document, m_window, m_historyFolder);
    if (!wizard) {
        emit problem(text(wizard.error().message));
        return {};
    }
    if (m_cannotRun)
        (*wizard)->setCannotRun(m_cannotRun());
    connect(wizard->get(), &PlanWizard::saved, this, &PlanWizards::saved);
    // Its own window of help: while a wizard is open, no other window takes input.
    auto* help = new HelpWindow(wizard->get());
    connect(wizard->get(), &PlanWizard::helpWanted, help, &HelpWindow::showTopic);
    m_number = m_recovery.next();
    m_open = wizard->get();
    connect(&m_open->model(), &DocumentModel::changed, this, [this] { keepText(false); });
    if (isUnsaved) {
        m_open->setUnsaved();
        keepText(false);
    }
    m_open->exec();
    m_open = nullptr;
    // Some window managers leave the keyboard nowhere when two dialogs close at once.
    m_window->activateWindow();
    if (m_left)
        return {};
    m_recovery.forget(m_number); // saved, given up, or handed on
    const bool run = (*wizard)->runWanted();
    if (!run && (*wizard)->document().isModified())
        return {};
    return Finished { (*wizard)->document(), run };
}

void PlanWizards::keepText(bool now)
{
    if (m_open == nullptr)
        return;
    const Document& plan = m_open->document();
    if (m_open->isUnsaved())
        m_recovery.keep(m_number, plan.file(), text(plan.file().empty() ? planFileName(plan) : plan.name()),
            plan.text(), now);
    else
        m_recovery.forget(m_number);
}

bool PlanWizards::leave(const QWidget* dialog)
{
    if (m_open == nullptr || dialog != m_open)
        return false;
    m_open->commit();
    keepText(true);
    m_left = true;
    m_open->done(QDialog::Rejected);
    return true;
}

void PlanWizards::open(const Document& document, bool isUnsaved)
{
    if (const auto finished = show(document, isUnsaved); finished && finished->run)
        emit runWanted(finished->document);
}

void PlanWizards::importJetstress()
{
    JetstressImport dialog(m_window);
    if (dialog.exec() == QDialog::Accepted)
        open(dialog.plan(), true);
}

} // namespace loadstone::ui
