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

#include <algorithm>
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

class RunLauncher::Deciding {
public:
    explicit Deciding(RunLauncher& launcher)
        : m_launcher(launcher)
    {
        m_launcher.m_deciding = true;
    }
    ~Deciding()
    {
        m_launcher.m_deciding = false;
        emit m_launcher.checkingChanged();
    }
    Deciding(const Deciding&) = delete;
    Deciding& operator=(const Deciding&) = delete;

private:
    RunLauncher& m_launcher;
};

RunLauncher::RunLauncher(LiveRun& live, std::filesystem::path historyFolder, QWidget* window)
    : QObject(window)
    , m_live(live)
    , m_historyFolder(std::move(historyFolder))
    , m_window(window)
{
}

void RunLauncher::launch(RunRequest request)
{
    if (checking() || m_live.active()) {
        if (request.notStarted)
            request.notStarted(tr("a run is in progress"));
        else if (m_live.active() && !request.quiet)
            emit refused(tr("A run is in progress. Stop it first, or add the plan to the queue."));
        return;
    }
    if (request.plan.empty()) {
        emit refused(tr("No plan is chosen."));
        return;
    }
    m_request = std::move(request);
    setChecking(true);
    using Found = std::pair<PlanSummary, std::vector<std::string>>;
    const auto look = [plan = m_request.plan]() -> Result<Found> {
        auto summary = checkPlan(plan);
        if (!summary)
            return summary.error();
        const auto agreements = agreementsOf(plan);
        return Found { *std::move(summary), agreements ? *agreements : std::vector<std::string>() };
    };
    m_worker.post(look, this, [this](Result<Found> found) {
        setChecking(false);
        if (found)
            checked(found->first, found->second);
        else
            giveUp(text(found.error().message));
    });
}

void RunLauncher::giveUp(const QString& why)
{
    if (!m_request.quiet)
        emit problem(why);
    else if (m_request.notStarted)
        m_request.notStarted(why);
}

bool RunLauncher::askAbout(const PlanSummary& plan)
{
    if (m_unattended) {
        QStringList lines;
        for (const Problem& found : plan.problems)
            lines.append(text(found.format(plan.file.string())));
        if (plan.runnable())
            printToTerminal(lines.join(QLatin1Char('\n')));
        else
            emit problem(lines.join(QLatin1Char('\n')));
        return plan.runnable();
    }
    if (m_request.quiet) {
        if (!plan.runnable())
            giveUp(text(plan.problems.front().format(plan.file.filename().string())));
        return plan.runnable();
    }
    QFile file(text(plan.file.string()));
    const QString source = m_request.plan.document() != nullptr ? text(m_request.plan.document()->text())
        : file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(4 * 1024 * 1024))
                                         : QString();
    ProblemsDialog dialog(plan, source, m_window);
    const int answer = dialog.exec();
    if (answer == ProblemsDialog::kCheckAgain)
        QMetaObject::invokeMethod(
            this, [this, request = m_request] { launch(request); }, Qt::QueuedConnection);
    if (answer == ProblemsDialog::kEdit)
        emit editWanted(m_request.plan);
    return answer == QDialog::Accepted;
}

bool RunLauncher::agree(const PlanSummary& plan, const std::vector<std::string>& agreements)
{
    if (agreements.empty())
        return true;
    if (m_unattended) {
        emit problem(
            tr("The plan's sources of counters do on this machine what needs your agreement, and nobody "
               "can give it here; \"loadstone run --allow-commands\" runs the plan."));
        return false;
    }
    if (m_request.quiet) {
        const bool known = std::all_of(agreements.begin(), agreements.end(), [this](const std::string& one) {
            return std::find(m_request.agreed.begin(), m_request.agreed.end(), one) != m_request.agreed.end();
        });
        if (!known)
            giveUp(tr(
                "the plan's sources of counters need your agreement, and it is not the one that was given"));
        return known;
    }
    AgreementDialog dialog(text(plan.file.filename().string()), agreements, m_window);
    return dialog.ask();
}

bool RunLauncher::askPassword(const PlanSummary& plan, RunOptions& options)
{
    if (!plan.asksPassword || m_request.password) {
        options.password = m_request.password;
        return true;
    }
    if (m_unattended || m_request.quiet) {
        const QString why =
            tr("The plan asks for the password (prompt = true), and nobody can type it here.");
        m_unattended ? emit problem(why) : giveUp(why);
        return false;
    }
    bool given = false;
    const QString password = QInputDialog::getText(m_window, tr("Password"),
        tr("Password of the mailboxes on %1:").arg(text(plan.target)), QLineEdit::Password, {}, &given);
    if (!given || password.isEmpty())
        return false;
    options.password = password.toStdString();
    return true;
}

void RunLauncher::checked(const PlanSummary& plan, const std::vector<std::string>& agreements)
{
    const Deciding deciding(*this);
    if (!plan.problems.empty() && !askAbout(plan))
        return;
    const bool isRun = m_request.purpose == RunPurpose::run; // else no source of counters is asked
    if (isRun && !agree(plan, agreements))
        return;
    RunOptions options;
    options.plan = m_request.plan;
    options.purpose = m_request.purpose;
    options.sessions = m_request.sessions;
    options.historyFolder = m_historyFolder;
    if (isRun)
        options.agreed = agreements;
    if (!askPassword(plan, options))
        return;
    if (isRun)
        look(plan, options);
    else
        start(options);
}

void RunLauncher::start(const RunOptions& options)
{
    emit launched(m_request.plan);
    m_live.start(options);
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
    if (!m_unattended && !m_request.quiet) {
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
                giveUp(text(found.error().message));
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
    const Deciding deciding(*this);
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
    if (!errors.isEmpty() && (m_unattended || m_request.quiet)) {
        m_unattended ? emit problem(all) : giveUp(all);
        return;
    }
    if (!errors.isEmpty()) {
        const QString title = plan.kind == RunKind::mail ? tr("The servers") : tr("The folders under test");
        QMessageBox box(
            QMessageBox::Warning, title, tr("The run as planned will fail."), QMessageBox::Cancel, m_window);
        box.setInformativeText(all);
        const QAbstractButton* make =
            missing.empty() ? nullptr : box.addButton(tr("&Make the folders"), QMessageBox::ActionRole);
        const QAbstractButton* start = box.addButton(tr("&Start anyway"), QMessageBox::AcceptRole);
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
    start(options);
}

} // namespace loadstone::ui
