// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_launcher.h"

#include "format.h"
#include "window/agreement_dialog.h"
#include "window/problems_dialog.h"

#include <loadstone/report.h>

#include <QFile>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QProgressDialog>
#include <QPushButton>

#include <atomic>
#include <cstdio>
#include <memory>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kQuietMilliseconds = 500; // a look that takes no longer needs no words

/// Plans and servers have a say in the text: nothing of it moves a cursor.
void printToTerminal(const QString& text)
{
    std::fprintf(stderr, "%s\n", plainLines(text.toStdString()).c_str());
}
}

RunLauncher::RunLauncher(LiveRun& live, std::filesystem::path historyFolder, QWidget* window)
    : QObject(window)
    , m_live(live)
    , m_historyFolder(std::move(historyFolder))
    , m_window(window)
{
}

void RunLauncher::launch(const PlanInput& plan)
{
    if (m_checking || m_live.active())
        return;
    if (plan.empty()) {
        emit refused(tr("No plan is chosen."));
        return;
    }
    setChecking(true);
    using Found = std::pair<PlanSummary, std::vector<std::string>>;
    const auto look = [plan]() -> Result<Found> {
        auto summary = checkPlan(plan);
        if (!summary)
            return summary.error();
        const auto agreements = agreementsOf(plan);
        return Found { *std::move(summary), agreements ? *agreements : std::vector<std::string>() };
    };
    m_worker.post(look, this, [this, plan](Result<Found> found) {
        setChecking(false);
        if (found)
            checked(plan, found->first, found->second);
        else
            emit problem(text(found.error().message));
    });
}

bool RunLauncher::askAbout(const PlanInput& input, const PlanSummary& plan)
{
    if (m_unattended) {
        QStringList lines;
        for (const Problem& found : plan.problems)
            lines.append(text(found.format(input.document() != nullptr ? input.name() : plan.file.string())));
        if (plan.runnable())
            printToTerminal(lines.join(QLatin1Char('\n')));
        else
            emit problem(lines.join(QLatin1Char('\n')));
        return plan.runnable();
    }
    QFile file(text(plan.file.string()));
    const QString source = input.document() != nullptr ? text(input.document()->text())
        : file.open(QIODevice::ReadOnly)               ? QString::fromUtf8(file.read(4 * 1024 * 1024))
                                                       : QString();
    ProblemsDialog dialog(plan, source, m_window);
    const int answer = dialog.exec();
    if (answer == ProblemsDialog::kCheckAgain)
        QMetaObject::invokeMethod(
            this, [this, input] { launch(input); }, Qt::QueuedConnection);
    return answer == QDialog::Accepted;
}

bool RunLauncher::agree(const std::string& name, const std::vector<std::string>& agreements)
{
    if (agreements.empty())
        return true;
    if (m_unattended) {
        emit problem(
            tr("The plan's sources of counters do on this machine what needs your agreement, and nobody "
               "can give it here; \"loadstone run --allow-commands\" runs the plan."));
        return false;
    }
    AgreementDialog dialog(text(name), agreements, m_window);
    return dialog.exec() == QDialog::Accepted;
}

void RunLauncher::checked(
    const PlanInput& input, const PlanSummary& plan, const std::vector<std::string>& agreements)
{
    if (!plan.problems.empty() && !askAbout(input, plan))
        return;
    if (!agree(input.name(), agreements))
        return;
    RunOptions options;
    options.plan = input;
    options.historyFolder = m_historyFolder;
    options.agreed = agreements;
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
    look(plan, options);
}

void RunLauncher::setChecking(bool on)
{
    m_checking = on;
    emit checkingChanged();
}

void RunLauncher::look(const PlanSummary& plan, const RunOptions& options)
{
    PreflightOptions preflightOptions;
    preflightOptions.plan = options.plan;
    preflightOptions.password = options.password;
    preflightOptions.agreed = options.agreed;
    preflightOptions.historyFolder = options.historyFolder;
    preflightOptions.limits = preflightOptions.message = false;
    const unsigned number = ++m_look;
    const auto cancelled = std::make_shared<std::atomic<bool>>(false);
    QPointer<QProgressDialog> dialog;
    if (!m_unattended) {
        dialog = new QProgressDialog(tr("Looking at what the plan needs…"), tr("Cancel"), 0, 0, m_window);
        dialog->setWindowTitle(tr("Before the run"));
        dialog->setWindowModality(Qt::WindowModal);
        dialog->setMinimumDuration(kQuietMilliseconds);
        dialog->setAutoClose(false);
        connect(dialog, &QProgressDialog::canceled, this, [this, number, cancelled, dialog] {
            *cancelled = true;
            dialog->deleteLater();
            if (number != m_look)
                return;
            ++m_look;
            setChecking(false);
            emit refused(tr("Cancelled: no run was started."));
        });
    }
    preflightOptions.progress = [this, dialog, cancelled](const std::string& doing) {
        QMetaObject::invokeMethod(this, [dialog, words = text(doing)] {
            if (dialog)
                dialog->setLabelText(tr("Looking at what the plan needs: %1").arg(words));
        });
        return !*cancelled;
    };
    setChecking(true);
    m_worker.post([preflightOptions] { return preflight(preflightOptions); }, this,
        [this, plan, options, number, dialog](Result<Preflight> found) {
            if (number != m_look)
                return;
            if (dialog) {
                dialog->disconnect(this); // its end is no cancelling
                dialog->close();
                dialog->deleteLater();
            }
            setChecking(false);
            if (found)
                looked(plan, options, *found);
            else
                emit problem(text(found.error().message));
        });
}

Result<void> RunLauncher::makeFolders(const std::vector<std::filesystem::path>& folders)
{
    for (const auto& folder : folders) {
        std::error_code failure;
        std::filesystem::create_directories(folder, failure);
        if (failure)
            return fail(folder.string() + ": cannot be made: " + failure.message());
    }
    return {};
}

/// What will fail is begun only when somebody wants it anyway.
void RunLauncher::looked(const PlanSummary& plan, const RunOptions& options, const Preflight& found)
{
    QStringList errors, warnings;
    std::vector<std::filesystem::path> missing;
    for (const PreflightFinding& finding : found.findings) {
        if (finding.severity == Severity::info)
            continue;
        QString words = tr("%1: %2").arg(text(finding.subject), text(finding.found));
        if (!finding.effect.empty())
            words += tr("\n→ %1").arg(text(finding.effect));
        (finding.severity == Severity::error ? errors : warnings).append(words);
        missing.insert(missing.end(), finding.missingFolders.begin(), finding.missingFolders.end());
    }
    const QString all = (errors + warnings).join(QStringLiteral("\n\n"));
    if (!errors.isEmpty() && m_unattended) {
        emit problem(all);
        return;
    }
    if (!errors.isEmpty()) {
        const QString title = plan.kind == RunKind::mail ? tr("The servers") : tr("The folders under test");
        QMessageBox box(
            QMessageBox::Warning, title, tr("The run as planned will fail."), QMessageBox::Cancel, m_window);
        box.setInformativeText(all);
        const QAbstractButton* make =
            missing.empty() ? nullptr : box.addButton(tr("&Make the folders"), QMessageBox::ActionRole);
        const QAbstractButton* start = box.addButton(tr("Start anyway"), QMessageBox::AcceptRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        if (make != nullptr && box.clickedButton() == make) {
            if (const auto made = makeFolders(missing); !made)
                emit problem(text(made.error().message));
            else
                look(plan, options);
            return;
        }
        if (box.clickedButton() != start)
            return;
    } else if (!warnings.isEmpty())
        printToTerminal(all);
    m_live.start(options);
}

} // namespace loadstone::ui
