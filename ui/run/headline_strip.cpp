// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/headline_strip.h"

#include "elided_label.h"
#include "format.h"
#include "run/tabs/assessment_tables.h"
#include "run/view/run_figures.h"

#include <loadstone/report.h>

#include <QFrame>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {
constexpr double kLarge = 2.2; // times the usual type
const QColor kGood(0x1b, 0x7f, 0x3b), kBad(0xb4, 0x23, 0x18);
}

Standing standingOf(const RunView& view)
{
    if (view.verdict)
        return { verdictName(view.verdict->verdict), text(view.verdict->headline), view.verdict->good() };
    if (view.planned && !view.planned->invalidReasons.empty())
        return { HeadlineStrip::tr("invalid"), text(view.planned->invalidReasons.front()), false };
    if (view.preparesAlone())
        return { QStringLiteral("–"), HeadlineStrip::tr("mailboxes are prepared"), std::nullopt };
    if (!view.criteriaSoFar || !view.criteriaSoFar->problem.empty())
        return { QStringLiteral("–"), {}, std::nullopt };
    const Judgement& judgement = view.criteriaSoFar->judgement;
    if (!judgement.stated)
        return { HeadlineStrip::tr("no criteria"), HeadlineStrip::tr("the plan states none"), std::nullopt };
    // As the sentence above the table of criteria has it.
    const auto rows = criterionRows(judgement, true);
    const CriteriaSoFar count = countSoFar(rows);
    if (!count.isMeasured && count.failed == 0)
        return { QStringLiteral("–"), whyNotJudged(rows), std::nullopt };
    const auto all = count.met + count.failed;
    const bool isMet = count.failed == 0;
    QString first;
    if (!isMet)
        first = (count.first->ofWholeRun ? QString() : text(count.first->mix) + QStringLiteral(": "))
            + text(count.first->text.what);
    // Short enough to be legible beside five other tiles.
    return { isMet ? HeadlineStrip::tr("all %1 met").arg(all)
                   : HeadlineStrip::tr("%1 NOT met").arg(count.failed),
        isMet ? HeadlineStrip::tr("of those that can be judged by now")
              : HeadlineStrip::tr("of %1: %2").arg(all).arg(first),
        isMet };
}

HeadlineStrip::HeadlineStrip(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(6);
    m_rate = addTile("rate", {});
    m_response = addTile("response", tr("Response time p95"));
    m_errors = addTile("errors", tr("Errors"));
    m_left = addTile("left", tr("Time left"));
    m_processor = addTile("processor", tr("System under test"));
    m_standing = addTile("standing", tr("Criteria so far"));
    m_processor.box->hide();
}

HeadlineStrip::Tile HeadlineStrip::addTile(const char* name, const QString& caption)
{
    auto* box = new QFrame;
    box->setObjectName(QLatin1String(name));
    box->setFrameShape(QFrame::StyledPanel);
    box->setAutoFillBackground(true);
    Tile tile { box, new ElidedLabel(caption), new ElidedLabel, new ElidedLabel };
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->setSpacing(0);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * kLarge);
    large.setBold(true);
    tile.value->setFont(large);
    tile.value->setObjectName(QStringLiteral("value"));
    tile.detail->setObjectName(QStringLiteral("detail"));
    for (QLabel* label : { tile.caption, tile.value, tile.detail })
        layout->addWidget(label);
    this->layout()->addWidget(box);
    static_cast<QHBoxLayout*>(this->layout())->setStretchFactor(box, 1);
    return tile;
}

void HeadlineStrip::fill(Tile& tile, const QString& value, const QString& detail, Tone tone)
{
    tile.value->setText(value);
    tile.detail->setText(detail);
    tile.box->setAccessibleName(QStringLiteral("%1: %2 %3").arg(tile.caption->text(), value, detail));
    QPalette colours; // the application's
    if (tone == Tone::good || tone == Tone::bad) {
        colours.setColor(QPalette::Window, tone == Tone::good ? kGood : kBad);
        colours.setColor(QPalette::WindowText, Qt::white);
    }
    tile.box->setPalette(colours);
    for (QLabel* label : { tile.caption, tile.value, tile.detail })
        label->setPalette(colours);
}

void HeadlineStrip::show(const RunFigures& figures)
{
    const auto perSecond = [](double rate) { return QStringLiteral("%1/s").arg(formatRate(rate)); };
    if (figures.io) {
        m_rate.caption->setText(tr("Reads and writes"));
        fill(m_rate, perSecond(figures.io->readsPerSecond + figures.io->writesPerSecond),
            tr("%1 reads, %2 writes")
                .arg(perSecond(figures.io->readsPerSecond), perSecond(figures.io->writesPerSecond)));
    } else {
        m_rate.caption->setText(tr("Messages sent"));
        fill(m_rate,
            std::isnan(figures.sentPerSecond) ? QStringLiteral("–") : perSecond(figures.sentPerSecond),
            std::isnan(figures.receivedPerSecond)
                ? QString()
                : tr("received %1").arg(perSecond(figures.receivedPerSecond)));
    }
    fill(m_response, figures.p95 ? responseText(figures) : QStringLiteral("–"),
        tr("all actions, last seconds"));
    fill(m_errors, formatCount(figures.errors), tr("since the start"),
        figures.errors == 0 ? Tone::plain : Tone::bad);
    const QString phase = figures.phase ? phaseName(figures.phase->kind) : QString();
    if (figures.totalLeft) {
        m_left.caption->setText(tr("Time left"));
        fill(m_left, leftText(figures),
            figures.phaseLeft > Nanoseconds(0) ? tr("%1 %2").arg(phase, formatElapsed(*figures.phaseLeft))
                                               : phase);
        m_left.box->setToolTip(figures.leftAtLeast
                ? tr("At least: a phase ends when its work is done, and how long that takes is not known yet")
                : QString());
    } else {
        m_left.caption->setText(tr("Length"));
        fill(m_left, formatElapsed(figures.elapsed), phase);
    }
}

void HeadlineStrip::show(const RunView& view)
{
    show(view.figures);
    m_processor.box->setVisible(view.figures.testedProcessor.has_value());
    if (view.figures.testedProcessor)
        fill(m_processor, QStringLiteral("%1 %").arg(*view.figures.testedProcessor, 0, 'f', 0),
            tr("processors, last seconds"));
    showStanding(view);
}

void HeadlineStrip::showStanding(const RunView& view)
{
    const Standing standing = standingOf(view);
    const bool invalid = view.planned && !view.planned->invalidReasons.empty(); // whatever the criteria are
    m_standing.caption->setText(view.verdict ? tr("Verdict")
            : invalid                        ? tr("Verdict so far")
                                             : tr("Criteria so far"));
    fill(m_standing, standing.word, standing.detail,
        !standing.good       ? Tone::unknown
            : *standing.good ? Tone::good
                             : Tone::bad);
}

} // namespace loadstone::ui
