// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/status_line.h"

#include "elided_label.h"
#include "format.h"
#include "forms/inks.h"
#include "run/tabs/result_tables.h"
#include "run/view/run_figures.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <cmath>
#include <limits>

namespace loadstone::ui {

namespace {

constexpr int kMessageMilliseconds = 8000, kFileMilliseconds = 60'000; // a file is looked for longer

bool goesOn(const RunStatus& s)
{
    return s.state == RunState::running || s.state == RunState::preparing;
}

} // namespace

RunFigures figuresOf(const RunStatus& s)
{
    RunFigures f;
    f.phase = s.phase;
    f.elapsed = s.elapsed;
    if (goesOn(s) && s.phase) {
        f.phaseLeft = s.phaseLeft;
        f.totalLeft = s.totalLeft;
        f.leftAtLeast = s.leftAtLeast;
    }
    f.users = s.users;
    f.sentPerSecond = s.sentPerSecond;
    f.receivedPerSecond = s.receivedPerSecond;
    if (s.p95.count() > 0)
        f.p95 = s.p95;
    f.p95AtLeast = s.p95AtLeast;
    f.errors = s.errors;
    if (s.io) {
        f.sentPerSecond = f.receivedPerSecond = std::numeric_limits<double>::quiet_NaN();
        f.io = s.io;
    } else {
        f.audit = s.audit;
    }
    f.recorded = false;
    f.healthy = s.generatorHealthy && s.historyTrouble.empty();
    f.historyTrouble = !s.historyTrouble.empty();
    f.healthReason = text(f.historyTrouble ? s.historyTrouble : s.generatorReason);
    return f;
}

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent)
    , m_phase(addField(tr("Mix and phase")))
    , m_progress(new QProgressBar)
    , m_left(addField(tr("Time left in the phase, and in the whole run")))
    , m_users(addField(tr("Simulated users of the present mix")))
    , m_rate(addField(tr("Messages sent and received, or reads and writes of a storage test, per second, "
                         "over the last tick")))
    , m_p95(addField(tr("95th percentile of the response times, over the last seconds")))
    , m_errors(addField(tr("Failures since the run's start")))
    , m_audit(addField(tr("Delivery audit: messages lost, doubled, damaged or late")))
    , m_health(addField({}))
    , m_message(new ElidedLabel)
    , m_open(new QToolButton)
{
    setSizeGripEnabled(false);
    m_progress->setMaximumWidth(120);
    m_progress->setMaximumHeight(fontMetrics().height());
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Progress of the run"));
    insertWidget(1, m_progress);
    m_message->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_message->setContentsMargins(4, 0, 4, 0);
    addWidget(m_message, 1);
    m_open->setText(tr("Open"));
    m_open->setToolTip(tr("Shows the file that was written"));
    m_open->hide();
    addWidget(m_open);
    connect(m_open, &QToolButton::clicked, this, [this] { emit openWanted(m_file); });
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_message->clear();
        m_open->hide();
    });
    clearFigures();
}

QLabel* StatusLine::addField(const QString& toolTip)
{
    auto* label = new ElidedLabel; // so that long words make no window wider than its screen
    label->setToolTip(toolTip);
    label->setContentsMargins(4, 0, 4, 0);
    label->setTextFormat(Qt::PlainText);
    addWidget(label);
    return label;
}

void StatusLine::say(const QString& message, const QString& file)
{
    m_message->setText(
        QString(message).replace(QLatin1Char('\n'), QLatin1Char(' '))); // the bar keeps its height
    m_file = file;
    m_open->setVisible(!file.isEmpty());
    m_timer.start(file.isEmpty() ? kMessageMilliseconds : kFileMilliseconds);
}

void StatusLine::setIdleText(const QString& text)
{
    m_idle = text;
    if (m_isIdle)
        clearFigures();
}

void StatusLine::clearFigures()
{
    for (QLabel* label : { m_phase, m_left, m_users, m_rate, m_p95, m_errors, m_audit, m_health })
        label->clear();
    m_progress->hide();
    m_isIdle = true;
    m_phase->setText(!m_activity.isEmpty() ? m_activity : m_idle.isEmpty() ? tr("no run") : m_idle);
}

void StatusLine::setActivity(const QString& activity)
{
    m_activity = activity;
    if (!activity.isEmpty())
        m_phase->setText(activity);
    else if (m_isIdle)
        clearFigures();
}

void StatusLine::show(const RunView& view)
{
    showFigures(view.figures, !view.growing() && view.shown == view.length);
}

void StatusLine::show(const RunStatus& status, const RunView* recorded)
{
    RunFigures figures = figuresOf(status);
    if (figures.healthy && recorded != nullptr && recorded->planned
        && !recorded->planned->invalidReasons.empty()) {
        // The generator keeps up again; a measurement in which it did not remains what it is.
        figures.recorded = true;
        figures.healthy = false;
        figures.healthReason = text(recorded->planned->invalidReasons.front());
    }
    if (figures.audit && recorded != nullptr && recorded->planned && recorded->planned->audit)
        figures.audit = recorded->planned->audit; // as the tables have it, not a second later
    showFigures(figures, !goesOn(status));
    if (status.preparation && status.phase && isPreparation(status.phase->kind) && !status.io)
        showPreparation(*status.preparation);
}

/// Mailboxes in place of users and rates, which an initialisation and a clean-up do not have.
void StatusLine::showPreparation(const PreparationTotals& totals)
{
    const std::uint64_t through = totals.done + totals.failed;
    QString words = tr("%1 of %2 mailboxes").arg(formatCount(through), formatCount(totals.mailboxes));
    if (totals.failed > 0)
        words += tr(", %1 given up").arg(formatCount(totals.failed));
    m_users->setText(words);
    m_users->show();
    m_rate->hide();
    m_audit->hide();
    m_progress->setVisible(totals.mailboxes > 0);
    if (totals.mailboxes > 0)
        m_progress->setValue(
            static_cast<int>(1000 * static_cast<double>(through) / static_cast<double>(totals.mailboxes)));
}

void StatusLine::showProgress(const RunFigures& f)
{
    // Of a run that may last any time the share is not known, but that of its phase may be.
    const bool ofPhase = f.leftAtLeast && f.phase;
    const Nanoseconds done = ofPhase ? f.elapsed - f.phase->begin : f.elapsed;
    const Nanoseconds left = ofPhase ? f.phaseLeft.value_or(Nanoseconds(0)) : *f.totalLeft;
    m_progress->setVisible(!f.leftAtLeast || left > Nanoseconds(0));
    m_progress->setToolTip(ofPhase ? tr("How far the phase is") : tr("How far the run is"));
    m_progress->setValue(
        done + left > Nanoseconds(0) ? static_cast<int>(1000 * seconds(done) / seconds(done + left)) : 0);
}

void StatusLine::showFigures(const RunFigures& f, bool ended)
{
    m_isIdle = false;
    // No phase has begun before the first one either, in a replay's beginning for one.
    QString phase = ended ? tr("ended") : stateName(RunState::preparing);
    if (f.phase)
        phase = f.phase->mixName.empty() ? phaseName(f.phase->kind)
                                         : tr("%1, %2").arg(text(f.phase->mixName), phaseName(f.phase->kind));
    m_phase->setText(m_activity.isEmpty() ? phase : m_activity);
    if (f.totalLeft) {
        showProgress(f);
        m_left->setText(f.leftAtLeast && *f.totalLeft <= Nanoseconds(0) ? tr("time left not known yet")
                : f.phaseLeft > Nanoseconds(0)
                ? tr("phase %1, run %2 left").arg(formatElapsed(*f.phaseLeft), leftText(f))
                : tr("%1 left").arg(leftText(f)));
    } else {
        m_progress->hide();
        m_left->setText(formatElapsed(f.elapsed));
    }
    m_users->setText(f.users == 0 ? QString() : tr("%1 users").arg(formatCount(f.users)));
    m_rate->setText(f.io ? tr("%1 reads/s, %2 writes/s")
                               .arg(formatRate(f.io->readsPerSecond), formatRate(f.io->writesPerSecond))
            : std::isnan(f.sentPerSecond)
            ? QString()
            : tr("%1 sent/s, %2 received/s")
                  .arg(formatRate(f.sentPerSecond), formatRate(f.receivedPerSecond)));
    m_p95->setText(f.p95 ? tr("response p95 %1").arg(responseText(f)) : QString());
    m_errors->setText(f.errors == 0 ? noErrorWords(f)
            : f.errors == 1         ? tr("1 error")
                                    : tr("%1 errors").arg(formatCount(f.errors)));
    m_audit->setText(f.audit ? tr("audit %1").arg(auditShort(*f.audit)) : QString());
    if (f.recorded)
        m_health->setText(f.verdict ? verdictName(*f.verdict) : f.healthy ? QString() : tr("invalid so far"));
    else
        m_health->setText(f.healthy ? tr("generator ok")
                : f.historyTrouble  ? tr("history cannot be written")
                                    : tr("generator too slow"));
    QPalette alarm = palette();
    alarm.setColor(QPalette::WindowText, problemInk(palette()));
    m_errors->setPalette(f.errors == 0 ? palette() : alarm);
    m_audit->setPalette(!f.audit || auditClean(*f.audit) ? palette() : alarm);
    m_health->setPalette(f.healthy ? palette() : alarm);
    for (QLabel* label : { m_left, m_users, m_rate, m_p95, m_errors, m_audit, m_health })
        label->setVisible(!label->text().isEmpty());
    m_health->setToolTip(!f.healthReason.isEmpty() ? f.healthReason
            : f.recorded                           ? QString()
                                                   : tr("The load generator keeps up."));
}

} // namespace loadstone::ui
