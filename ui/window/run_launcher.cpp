// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_launcher.h"

#include "format.h"
#include "window/problems_dialog.h"

#include <QFile>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

#include <cstdio>

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
                emit problem(text(summary.error().message));
        });
}

bool RunLauncher::askAbout(const PlanSummary& plan)
{
    if (m_unattended) {
        QStringList lines;
        for (const PlanProblem& found : plan.problems)
            lines.append(text(found.format(plan.file.string())));
        if (plan.runnable())
            std::fprintf(stderr, "%s\n", qPrintable(lines.join(QLatin1Char('\n'))));
        else
            emit problem(lines.join(QLatin1Char('\n')));
        return plan.runnable();
    }
    QFile file(text(plan.file.string()));
    const QString source =
        file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(4 * 1024 * 1024)) : QString();
    ProblemsDialog dialog(plan, source, m_window);
    return dialog.exec() == QDialog::Accepted;
}

void RunLauncher::checked(const PlanSummary& plan)
{
    if (!plan.problems.empty() && !askAbout(plan))
        return;
    RunOptions options;
    options.plan = plan.file;
    options.historyFolder = m_historyFolder;
    if (plan.asksPassword) {
        if (m_unattended) {
            emit problem(tr("The plan asks for the password (prompt = true), and nobody can type it here."));
            return;
        }
        bool given = false;
        const QString password = QInputDialog::getText(m_window, tr("Password"),
            tr("Password of the mailboxes on %1:").arg(text(plan.target)), QLineEdit::Password, {}, &given);
        if (!given || password.isEmpty())
            return;
        options.password = password.toStdString();
    }
    PreflightOptions look;
    look.plan = options.plan;
    look.password = options.password;
    look.historyFolder = options.historyFolder;
    look.limits = look.message = false;
    m_checking = true;
    m_worker.post([look] { return preflight(look); }, this,
        [this, options](Result<Preflight> found) {
            m_checking = false;
            if (found)
                looked(options, *found);
            else
                emit problem(text(found.error().message));
        });
}

/// What is bound to fail is begun only when somebody insists.
void RunLauncher::looked(const RunOptions& options, const Preflight& found)
{
    QStringList errors, warnings;
    for (const PreflightFinding& finding : found.findings)
        if (finding.severity != Severity::info)
            (finding.severity == Severity::error ? errors : warnings)
                .append(
                    tr("%1: %2\n→ %3").arg(text(finding.subject), text(finding.found), text(finding.effect)));
    const QString all = (errors + warnings).join(QStringLiteral("\n\n"));
    if (!errors.isEmpty() && m_unattended) {
        emit problem(all);
        return;
    }
    if (!errors.isEmpty()) {
        QMessageBox box(QMessageBox::Warning, tr("The servers"), tr("The run as planned will fail."),
            QMessageBox::Cancel, m_window);
        box.setInformativeText(all);
        const QAbstractButton* start = box.addButton(tr("Start anyway"), QMessageBox::AcceptRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        if (box.clickedButton() != start)
            return;
    } else if (!warnings.isEmpty())
        std::fprintf(stderr, "%s\n", qPrintable(all));
    m_live.start(options);
}

} // namespace loadstone::ui
