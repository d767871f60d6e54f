// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/rehearsal_box.h"

#include "banner.h"
#include "format.h"
#include "icons.h"

#include <loadstone/report.h>

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr std::size_t kColumns = 100;
constexpr int kPermille = 1000;
}

QStringList rehearsalWords(const Rehearsal& rehearsal)
{
    Nanoseconds length {};
    std::uint64_t connections = 0, sent = 0, recipients = 0, bytesSent = 0, peakSent = 0, peakActions = 0,
                  users = 0;
    double measured = 0;
    std::uint64_t measuredSent = 0, measuredReceived = 0;
    for (const RehearsedPhase& phase : rehearsal.phases) {
        length = std::max(length, phase.begin + phase.length);
        connections += phase.connections;
        sent += phase.sent;
        recipients += phase.recipients;
        bytesSent += phase.bytesSent;
        peakSent = std::max(peakSent, phase.peakSent);
        peakActions = std::max(peakActions, phase.peakActions);
        users = std::max(users, phase.users);
        if (phase.kind == PhaseKind::measurement) {
            measured += seconds(phase.length);
            measuredSent += phase.sent;
            measuredReceived += phase.received;
        }
    }
    QStringList words;
    words.append(
        RehearsalBox::tr("Length: %1, up to %2 users.").arg(formatDuration(length), formatCount(users)));
    if (measured > 0)
        words.append(RehearsalBox::tr(
            "While it measures: %1 messages sent and %2 received per second on average; up to %3 "
            "sent and %4 actions in a second.")
                         .arg(formatRate(static_cast<double>(measuredSent) / measured),
                             formatRate(static_cast<double>(measuredReceived) / measured),
                             formatCount(peakSent), formatCount(peakActions)));
    words.append(RehearsalBox::tr("Connections opened: %1.").arg(formatCount(connections)));
    if (sent > 0) {
        const double stored =
            static_cast<double>(bytesSent) / static_cast<double>(sent) * static_cast<double>(recipients);
        words.append(RehearsalBox::tr(
            "Mail: %1 messages for %2 recipients; the server stores %3 if it keeps a copy for each.")
                         .arg(formatCount(sent), formatCount(recipients),
                             formatSize(static_cast<std::uint64_t>(std::min(stored, 1e18)))));
    }
    if (rehearsal.queueStays)
        words.append(RehearsalBox::tr(
            "Warning: with the modelled server the queue of the delivery stays above 50 copies from "
            "%1 on.")
                         .arg(formatElapsed(*rehearsal.queueStays)));
    if (rehearsal.queueFails)
        words.append(RehearsalBox::tr("Warning: it passes 1,000 copies at %1.")
                         .arg(formatElapsed(*rehearsal.queueFails)));
    for (const std::string& action : rehearsal.leftOut)
        words.append(RehearsalBox::tr("Left out: %1, for which the plan names no server.").arg(text(action)));
    return words;
}

RehearsalBox::RehearsalBox(PlanModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_start(new QPushButton(icon(QStringLiteral("play")), tr("Rehearse &it")))
    , m_cancel(new QPushButton(tr("&Cancel the rehearsal")))
    , m_progress(new QProgressBar)
    , m_facts(makeProse(tr(
          "A rehearsal runs the plan's users in virtual time, against a modelled server: seconds instead of "
          "hours. It says what the plan asks of the server.")))
    , m_table(new QPlainTextEdit)
{
    m_progress->setRange(0, kPermille);
    m_table->setReadOnly(true);
    m_table->setTabChangesFocus(true);
    m_table->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_table->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_table->setAccessibleName(tr("Tables of the rehearsal"));
    auto* line = new QHBoxLayout;
    line->addWidget(m_start);
    line->addWidget(m_cancel);
    line->addWidget(m_progress, 1);
    line->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(line);
    layout->addWidget(m_facts);
    layout->addWidget(m_table, 1);
    connect(m_start, &QPushButton::clicked, this, &RehearsalBox::start);
    connect(m_cancel, &QPushButton::clicked, this, &RehearsalBox::cancel);
    connect(&m_model, &DocumentModel::changed, this, &RehearsalBox::updateButtons);
    updateButtons();
}

RehearsalBox::~RehearsalBox()
{
    if (m_cancelled)
        *m_cancelled = true;
}

QString RehearsalBox::facts() const
{
    return m_facts->text();
}

QString RehearsalBox::table() const
{
    return m_table->toPlainText();
}

void RehearsalBox::updateButtons()
{
    m_start->setEnabled(!m_isBusy && m_model.isRunnable());
    m_start->setToolTip(m_model.isRunnable() || !m_model.isChecked() ? QString() : tr("The plan has errors"));
    m_cancel->setVisible(m_isBusy);
    m_progress->setVisible(m_isBusy);
    if (!m_rehearsed.empty() && m_rehearsed != m_model.document().text()) {
        m_rehearsed.clear();
        m_table->clear();
        m_facts->setText(tr("The plan was changed since it was rehearsed."));
    }
}

void RehearsalBox::start()
{
    m_model.commitFields();
    RehearsalOptions options;
    options.plan = m_model.document();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    const QPointer<RehearsalBox> alive(this);
    options.progress = [worker = m_worker.get(), alive, cancelled = m_cancelled](double share) {
        if (*cancelled)
            return false;
        QMetaObject::invokeMethod(
            worker,
            [alive, share] {
                if (alive)
                    alive->m_progress->setValue(static_cast<int>(share * kPermille));
            },
            Qt::QueuedConnection);
        return true;
    };
    m_isBusy = true;
    m_progress->setValue(0);
    m_table->clear();
    m_facts->setText(tr("rehearsing…"));
    updateButtons();
    m_worker->post([options] { return rehearse(options); }, this,
        [this, cancelled = m_cancelled, of = m_model.document().text()](Result<Rehearsal> rehearsal) {
            if (*cancelled)
                return;
            m_isBusy = false;
            if (rehearsal) {
                m_rehearsed = of;
                m_facts->setText(rehearsalWords(*rehearsal).join(QLatin1Char('\n')));
                m_table->setPlainText(text(plainLines(formatRehearsal(*rehearsal, kColumns))));
            } else
                m_facts->setText(text(rehearsal.error().message));
            updateButtons();
            emit finished();
        });
}

void RehearsalBox::cancel()
{
    if (!m_isBusy)
        return;
    *m_cancelled = true;
    m_isBusy = false;
    m_facts->setText(tr("Cancelled."));
    updateButtons();
    emit finished();
}

} // namespace loadstone::ui
