// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plan_wizards.h"

#include "format.h"
#include "icons.h"
#include "wizard/jetstress_import.h"
#include "wizard/plan_wizard.h"

namespace loadstone::ui {

PlanWizards::PlanWizards(std::filesystem::path historyFolder, QWidget* window)
    : QObject(window)
    , m_historyFolder(std::move(historyFolder))
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
    })->setShortcut(Qt::CTRL | Qt::Key_E);
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

std::optional<PlanWizards::Finished> PlanWizards::show(const Document& document)
{
    const auto wizard = PlanWizard::openFor(document, m_window, m_historyFolder);
    if (!wizard) {
        emit problem(text(wizard.error().message));
        return {};
    }
    if (m_cannotRun)
        (*wizard)->setCannotRun(m_cannotRun());
    connect(wizard->get(), &PlanWizard::saved, this, &PlanWizards::saved);
    (*wizard)->exec();
    const bool run = (*wizard)->runWanted();
    if (!run && (*wizard)->document().isModified())
        return {};
    return Finished { (*wizard)->document(), run };
}

void PlanWizards::open(const Document& document)
{
    if (const auto finished = show(document); finished && finished->run)
        emit runWanted(finished->document);
}

void PlanWizards::importJetstress()
{
    JetstressImport dialog(m_window);
    if (dialog.exec() == QDialog::Accepted)
        open(dialog.plan());
}

} // namespace loadstone::ui
