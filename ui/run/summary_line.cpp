// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/summary_line.h"

#include "elided_label.h"
#include "format.h"
#include "run/view/run_figures.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

namespace loadstone::ui {

namespace {

/// How it went; where in some of several mixes nothing succeeded, in which: the figures behind it are those of another one.
QString outcomeOf(const RunView& view)
{
    if (!view.verdict)
        return stateName(view.state);
    const QString verdict = verdictName(view.verdict->verdict);
    if (view.verdict->verdict != Verdict::nothingSucceeded || !view.planned)
        return verdict;
    QStringList mixes;
    for (const MixResult& mix : view.planned->mixes)
        if (!mix.nothingSucceeded.empty())
            mixes.append(text(mix.name));
    return mixes.isEmpty() || view.planned->mixes.size() == 1
        ? verdict
        : SummaryLine::tr("%1 in %2").arg(verdict, mixes.join(QStringLiteral(", ")));
}

} // namespace

QString summaryWords(const RunView& view)
{
    QStringList parts;
    const QString verdict = outcomeOf(view);
    parts.append(SummaryLine::tr("Run ended: %1").arg(verdict));
    parts.append(formatElapsed(view.length));
    if (const MixResult* best = view.planned ? leadingMix(*view.planned) : nullptr) {
        const QString rate = best->io.empty()
            ? SummaryLine::tr("%1 sent/s, %2 received/s")
                  .arg(formatRate(best->measured.sentPerSecond), formatRate(best->measured.receivedPerSecond))
            : SummaryLine::tr("%1 reads and writes/s").arg(formatRate(best->iosPerSecond()));
        parts.append(
            view.planned->mixes.size() == 1 ? rate : QStringLiteral("%1: %2").arg(text(best->name), rate));
        if (best->response.count > 0)
            parts.append(SummaryLine::tr("response p95 %1%2")
                             .arg(best->response.atLeast.p95 ? QStringLiteral("≥ ") : QString(),
                                 formatTime(best->response.p95)));
    }
    if (const QString errors = noErrorWords(view.figures); view.figures.errors == 0 && !errors.isEmpty())
        parts.append(errors);
    else if (view.figures.errors > 0)
        parts.append(view.figures.errors == 1
                ? SummaryLine::tr("1 error in the whole run")
                : SummaryLine::tr("%1 errors in the whole run").arg(formatCount(view.figures.errors)));
    return parts.join(QStringLiteral("  ·  "));
}

SummaryLine::SummaryLine(QWidget* parent)
    : QFrame(parent)
    , m_words(new ElidedLabel)
{
    setFrameShape(QFrame::StyledPanel);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    QFont bold = font();
    bold.setBold(true);
    m_words->setFont(bold);
    layout->addWidget(m_words, 1);
    auto* report = new QPushButton(tr("Open report"));
    report->setToolTip(tr("Writes the run's HTML report and shows it in the browser"));
    layout->addWidget(report);
    auto* away = new QToolButton;
    away->setText(QStringLiteral("×"));
    away->setToolTip(tr("Hide this line"));
    away->setAccessibleName(tr("Hide the summary"));
    layout->addWidget(away);
    connect(report, &QPushButton::clicked, this, &SummaryLine::reportWanted);
    connect(away, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void SummaryLine::tell(const RunView& view)
{
    m_words->setText(summaryWords(view));
    show();
}

} // namespace loadstone::ui
