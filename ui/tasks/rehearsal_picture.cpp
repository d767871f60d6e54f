// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/rehearsal_picture.h"

#include "format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kPad = 8, kLaneHeight = 84; // pixels

double perSecond(std::uint64_t count, const RehearsedPhase& phase)
{
    const double length = seconds(phase.length);
    return length > 0 ? static_cast<double>(count) / length : 0;
}
}

RehearsalPicture::RehearsalPicture(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Load over time"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize RehearsalPicture::sizeHint() const
{
    return { 700, static_cast<int>(m_lanes.size()) * kLaneHeight + 2 * kPad + fontMetrics().height() };
}

QSize RehearsalPicture::minimumSizeHint() const
{
    return { 200, sizeHint().height() };
}

void RehearsalPicture::show(const Rehearsal& rehearsal)
{
    Lane actions { tr("Actions per second"), {}, 0 }, sent { tr("Messages sent per second"), {}, 0 },
        queue { tr("Copies waiting for delivery"), {}, 0 };
    m_length = 0;
    for (const RehearsedPhase& phase : rehearsal.phases) {
        const double begin = seconds(phase.begin), end = begin + seconds(phase.length);
        const bool measured = phase.kind == PhaseKind::measurement;
        const QString name = phase.mix.empty() ? phaseName(phase.kind)
                                               : tr("%1, %2").arg(text(phase.mix), phaseName(phase.kind));
        std::uint64_t count = 0;
        for (const RehearsedAction& action : phase.actions)
            count += action.count;
        const auto add = [&](Lane& lane, double mean, double peak, const QString& words) {
            lane.bars.push_back({ begin, end, mean, peak, measured,
                tr("%1 (%2 to %3): %4")
                    .arg(name, formatElapsed(phase.begin), formatElapsed(phase.begin + phase.length),
                        words) });
            lane.most = std::max({ lane.most, mean, peak });
        };
        add(actions, perSecond(count, phase), static_cast<double>(phase.peakActions),
            tr("%1 actions/s, %2 in the busiest second")
                .arg(formatRate(perSecond(count, phase)), formatCount(phase.peakActions)));
        add(sent, perSecond(phase.sent, phase), static_cast<double>(phase.peakSent),
            tr("%1 messages/s, %2 in the busiest second")
                .arg(formatRate(perSecond(phase.sent, phase)), formatCount(phase.peakSent)));
        add(queue, static_cast<double>(phase.queueEnd), static_cast<double>(phase.queueMost),
            tr("%1 copies at the end, %2 at most")
                .arg(formatCount(phase.queueEnd), formatCount(phase.queueMost)));
        m_length = std::max(m_length, end);
    }
    m_lanes.clear();
    for (Lane* lane : { &actions, &sent, &queue })
        if (lane->most > 0)
            m_lanes.push_back(std::move(*lane));
    updateGeometry();
    update();
    setVisible(!m_lanes.empty());
}

QRectF RehearsalPicture::laneRect(std::size_t lane) const
{
    const double title = fontMetrics().height() + 2;
    return { kPad, kPad + static_cast<double>(lane) * kLaneHeight + title, width() - 2.0 * kPad,
        kLaneHeight - title - kPad };
}

double RehearsalPicture::across(double seconds, const QRectF& area) const
{
    return m_length > 0 ? area.left() + area.width() * seconds / m_length : area.left();
}

void RehearsalPicture::paintLane(QPainter& painter, const QRectF& area, const Lane& lane) const
{
    const QColor ink = palette().color(QPalette::Highlight);
    QColor light = ink, lighter = ink;
    light.setAlpha(90);
    lighter.setAlpha(40);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(
        QRectF(area.left(), area.top() - fontMetrics().height() - 2, area.width(), fontMetrics().height()),
        Qt::AlignLeft, lane.title);
    painter.drawText(
        QRectF(area.left(), area.top() - fontMetrics().height() - 2, area.width(), fontMetrics().height()),
        Qt::AlignRight, tr("at most %1").arg(formatValue(lane.most)));
    const auto up = [&](double value) {
        return area.bottom() - area.height() * (lane.most > 0 ? value / lane.most : 0);
    };
    for (const Bar& bar : lane.bars) {
        const double left = across(bar.begin, area), right = std::max(across(bar.end, area), left + 1);
        painter.fillRect(QRectF(left, up(bar.peak), right - left, area.bottom() - up(bar.peak)), lighter);
        painter.fillRect(QRectF(left, up(bar.mean), right - left, area.bottom() - up(bar.mean)),
            bar.measured ? ink : light);
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

void RehearsalPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        paintLane(painter, laneRect(i), m_lanes[i]);
    if (m_lanes.empty())
        return;
    const QRectF foot(
        kPad, height() - kPad - fontMetrics().height(), width() - 2.0 * kPad, fontMetrics().height());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(foot, Qt::AlignLeft,
        tr("Strong: measurement; faint: other phases; faintest: the busiest second, or the most"));
    painter.drawText(foot, Qt::AlignRight,
        formatElapsed(std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(m_length))));
}

bool RehearsalPicture::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const QRectF area = laneRect(i);
        for (const Bar& bar : m_lanes[i].bars)
            if (QRectF(across(bar.begin, area), area.top(), across(bar.end, area) - across(bar.begin, area),
                    area.height())
                    .contains(help->pos())) {
                QToolTip::showText(help->globalPos(), bar.words, this);
                return true;
            }
    }
    QToolTip::hideText();
    return true;
}

} // namespace loadstone::ui
