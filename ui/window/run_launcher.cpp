// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_launcher.h"

#include "format.h"
#include "window/problems_dialog.h"

#include <QFile>
#include <QMessageBox>

namespace loadstone::ui {

RunLauncher::RunLauncher(LiveRun& live, std::filesystem::path historyFolder, QWidget* window)
    : QObject(window)
    , m_live(live)
    , m_historyFolder(std::move(historyFolder))
    , m_window(window)
{
}

void RunLauncher::launch(const std::filesystem::path& plan)
{
    if (m_checking || m_live.active())
        return;
    if (plan.empty()) {
        emit refused(tr("No plan is chosen."));
        return;
    }
    m_checking = true;
    m_worker.post([plan] { return checkPlan(plan); }, this,
        [this](Result<PlanSummary> summary) {
            m_checking = false;
            if (summary)
                checked(*summary);
            else
                QMessageBox::warning(m_window, tr("Plan"), text(summary.error().message));
        });
}

void RunLauncher::checked(const PlanSummary& plan)
{
    if (!plan.problems.empty()) {
        QFile file(text(plan.file.string()));
        const QString source =
            file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(4 * 1024 * 1024)) : QString();
        ProblemsDialog dialog(plan, source, m_window);
        if (dialog.exec() != QDialog::Accepted)
            return;
    }
    RunOptions options;
    options.plan = plan.file;
    options.historyFolder = m_historyFolder;
    m_live.start(options);
}

} // namespace loadstone::ui
