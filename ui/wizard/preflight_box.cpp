// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/preflight_box.h"

#include "format.h"
#include "forms/inks.h"
#include "icons.h"

#include <loadstone/run.h>

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace loadstone::ui {

namespace {
constexpr int kLines = 5;
}

PreflightBox::PreflightBox(PlanModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_start(new QPushButton)
    , m_cancel(new QPushButton(tr("&Cancel the check")))
    , m_make(new QPushButton(tr("&Make the folders")))
    , m_busy(new QProgressBar)
    , m_status(new QLabel)
    , m_findings(new QListWidget)
{
    m_start->setText(m_model.kind() == RunKind::mail ? tr("&Test this server")
            : m_model.kind() == RunKind::raw         ? tr("Chec&k this device")
                                                     : tr("Chec&k these folders"));
    m_start->setIcon(icon(QStringLiteral("play")));
    m_start->setToolTip(m_model.kind() == RunKind::mail
            ? tr("Logs in, asks whether the server takes the mail of the plan, and tries one message")
            : tr("Looks whether the places can be used; nothing is written"));
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setFixedWidth(120);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_findings->setAccessibleName(tr("Findings of the check"));
    m_findings->setWordWrap(true);
    m_findings->setFixedHeight(kLines * (fontMetrics().lineSpacing() + 4));
    m_findings->setSelectionMode(QAbstractItemView::SingleSelection);
    m_findings->hide();
    auto* line = new QHBoxLayout;
    line->addWidget(m_start);
    line->addWidget(m_cancel);
    line->addWidget(m_make);
    line->addWidget(m_busy);
    line->addWidget(m_status, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(line);
    layout->addWidget(m_findings);
    connect(m_start, &QPushButton::clicked, this, &PreflightBox::start);
    connect(m_cancel, &QPushButton::clicked, this, &PreflightBox::cancel);
    connect(m_make, &QPushButton::clicked, this, &PreflightBox::makeFolders);
    connect(&m_model, &DocumentModel::changed, this, &PreflightBox::updateButtons);
    m_make->hide();
    updateButtons();
}

PreflightBox::~PreflightBox()
{
    if (m_cancelled)
        *m_cancelled = true;
}

QString PreflightBox::status() const
{
    return m_status->text();
}

void PreflightBox::updateButtons()
{
    const bool hasErrors = m_model.isChecked() && !m_model.isRunnable();
    m_start->setEnabled(!m_isBusy && !hasErrors);
    m_cancel->setVisible(m_isBusy);
    m_busy->setVisible(m_isBusy);
    if (!m_isBusy && hasErrors)
        m_status->setText(tr("The plan has errors, so that it cannot be checked yet."));
    else if (!m_isBusy && m_status->text().startsWith(tr("The plan has errors")))
        m_status->clear();
}

void PreflightBox::start()
{
    m_model.commitFields();
    PreflightOptions options;
    options.plan = m_model.document();
    options.historyFolder = m_model.historyFolder();
    options.limits = false;
    if (m_model.summary() != nullptr && m_model.summary()->asksPassword) {
        bool given = false;
        const QString password = QInputDialog::getText(
            this, tr("Password"), tr("Password of the mailboxes:"), QLineEdit::Password, {}, &given);
        if (!given || password.isEmpty())
            return;
        options.password = bytes(password);
    }
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    const QPointer<PreflightBox> alive(this);
    options.progress = [worker = m_worker.get(), alive, cancelled = m_cancelled](const std::string& doing) {
        if (*cancelled)
            return false;
        QMetaObject::invokeMethod(
            worker,
            [alive, cancelled, words = text(doing)] {
                if (alive && !*cancelled)
                    alive->m_status->setText(words + QStringLiteral("…"));
            },
            Qt::QueuedConnection);
        return true;
    };
    m_isBusy = true;
    m_missing.clear();
    m_make->hide();
    m_findings->clear();
    m_findings->hide();
    m_status->setText(tr("checking…"));
    updateButtons();
    m_worker->post([options] { return preflight(options); }, this,
        [this, cancelled = m_cancelled](Result<Preflight> found) {
            if (*cancelled)
                return; // said already
            m_isBusy = false;
            show(found);
            updateButtons();
            emit finished();
        });
}

void PreflightBox::cancel()
{
    if (!m_isBusy)
        return;
    *m_cancelled = true;
    m_isBusy = false;
    m_status->setText(tr("Cancelled."));
    updateButtons();
    emit finished();
}

void PreflightBox::add(Severity severity, const QString& words)
{
    auto* item = new QListWidgetItem(words, m_findings);
    item->setIcon(icon(severity == Severity::error ? QStringLiteral("error")
            : severity == Severity::warning        ? QStringLiteral("warning")
                                                   : QStringLiteral("info")));
    if (severity == Severity::error)
        item->setForeground(problemInk(palette()));
}

void PreflightBox::show(const Result<Preflight>& found)
{
    m_findings->show();
    if (!found) {
        add(Severity::error, text(found.error().message));
        m_status->setText(tr("The check could not be made."));
        return;
    }
    int errors = 0, warnings = 0;
    auto findings = found->findings;
    std::ranges::stable_sort(
        findings, std::ranges::greater(), &PreflightFinding::severity); // the list is short
    for (const PreflightFinding& finding : findings) {
        QString words = tr("%1: %2").arg(text(finding.subject), text(finding.found));
        if (!finding.effect.empty())
            words += tr("\n→ %1").arg(text(finding.effect));
        add(finding.severity, words);
        errors += finding.severity == Severity::error ? 1 : 0;
        warnings += finding.severity == Severity::warning ? 1 : 0;
        m_missing.insert(m_missing.end(), finding.missingFolders.begin(), finding.missingFolders.end());
    }
    if (m_findings->count() == 0)
        add(Severity::info, tr("Nothing had to be checked: the embedded server starts with the run."));
    m_make->setVisible(!m_missing.empty());
    m_status->setText(errors > 0 ? tr("A run as planned will fail (errors: %1).").arg(errors)
            : warnings > 0       ? tr("A run can start (warnings: %1).").arg(warnings)
                                 : tr("A run can start."));
}

void PreflightBox::makeFolders()
{
    for (const auto& folder : m_missing) {
        std::error_code failure;
        std::filesystem::create_directories(folder, failure);
        if (failure) {
            add(Severity::error,
                tr("%1 cannot be made: %2").arg(text(folder.string()), text(failure.message())));
            return;
        }
    }
    start();
}

} // namespace loadstone::ui
