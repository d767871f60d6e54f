// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/load_picture.h"

#include "format.h"
#include "forms/key_conditions.h"

#include <loadstone/units.h>

#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr std::size_t kMostSteps = 100;
constexpr int kHeight = 110, kLegend = 18; // pixels
constexpr double kFaint = 0.35; // of ramps

Nanoseconds durationAt(const Document& document, const std::string& path)
{
    const auto time = parseDuration(effectiveText(document, path));
    return time ? *time : Nanoseconds();
}

double numberAt(const Document& document, const std::string& path)
{
    return std::max(0.0, text(effectiveText(document, path)).toDouble());
}

} // namespace

std::vector<LoadStep> loadSteps(const Document& document)
{
    std::vector<LoadStep> steps;
    const bool ofUsers = effectiveText(document, "workload.pacing") == "users";
    const bool isRaw = document.getText("kind") == "raw";
    for (std::size_t i = 0; i < std::min(document.size("mixes"), kMostSteps); ++i) {
        const std::string mix = "mixes[" + std::to_string(i) + "].";
        LoadStep step;
        step.name = text(document.getText(mix + "name").value_or("Mix " + std::to_string(i + 1)));
        step.height = isRaw ? numberAt(document, mix + "depth")
            : ofUsers
            ? numberAt(document, mix + "users")
            : numberAt(document, mix + "clients") * numberAt(document, mix + "mailboxes_per_client");
        step.rampUp = durationAt(document, mix + "ramp_up");
        step.measurement = durationAt(document, mix + "measurement");
        step.rampDown = durationAt(document, mix + "ramp_down");
        step.quiet = durationAt(document, mix + "quiet_time");
        if (step.measurement == Nanoseconds())
            step.measurement =
                std::max(Nanoseconds(), durationAt(document, mix + "total") - step.rampUp - step.rampDown);
        steps.push_back(std::move(step));
    }
    return steps;
}

QString loadWords(const std::vector<LoadStep>& steps, bool ofUsers)
{
    Nanoseconds length {};
    double most = 0;
    for (const LoadStep& step : steps) {
        length += step.rampUp + step.measurement + step.rampDown + step.quiet;
        most = std::max(most, step.height);
    }
    const QString mixes =
        steps.size() == 1 ? LoadPicture::tr("1 mix") : LoadPicture::tr("%1 mixes").arg(steps.size());
    const QString count = formatCount(static_cast<std::uint64_t>(std::min(most, 1e15)));
    return ofUsers
        ? LoadPicture::tr("%1, %2 of load, up to %3 users").arg(mixes, formatDuration(length), count)
        : LoadPicture::tr("%1, %2, up to %3 transfers at once").arg(mixes, formatDuration(length), count);
}

LoadPicture::LoadPicture(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(kHeight + kLegend);
    setAccessibleName(tr("Load over time"));
}

QSize LoadPicture::sizeHint() const
{
    return { 480, kHeight + kLegend };
}

void LoadPicture::showSteps(std::vector<LoadStep> steps, bool ofUsers)
{
    m_steps = std::move(steps);
    m_ofUsers = ofUsers;
    setAccessibleDescription(loadWords(m_steps, ofUsers));
    update();
}

void LoadPicture::setCurrent(int step)
{
    m_current = step;
    update();
}

QRectF LoadPicture::plot() const
{
    const int left = fontMetrics().horizontalAdvance(QStringLiteral("1,000,000")) + 8;
    return QRectF(left, 6, std::max(10, width() - left - 8), kHeight - 12);
}

double LoadPicture::total() const
{
    double sum = 0;
    for (const LoadStep& step : m_steps)
        sum += seconds(step.rampUp + step.measurement + step.rampDown + step.quiet);
    return sum;
}

void LoadPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot();
    const QPalette& colours = palette();
    painter.fillRect(area, colours.color(QPalette::Base));
    painter.setPen(colours.color(QPalette::Mid));
    painter.drawRect(area);
    double most = 0;
    for (const LoadStep& step : m_steps)
        most = std::max(most, step.height);
    const double time = total();
    painter.setPen(colours.color(QPalette::WindowText));
    const QRectF words(0, area.bottom() + 2, width(), kLegend);
    if (time <= 0 || most <= 0) {
        painter.drawText(area, Qt::AlignCenter,
            m_steps.empty() ? tr("No mix yet: add one below.")
                            : tr("The mixes have no load or no time yet."));
        return;
    }
    const auto xOf = [&](double at) { return area.left() + area.width() * at / time; };
    const auto yOf = [&](double height) { return area.bottom() - area.height() * 0.92 * height / most; };
    double at = 0;
    QColor strong = colours.color(QPalette::Highlight), faint = strong;
    faint.setAlphaF(kFaint);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const LoadStep& step = m_steps[i];
        const double up = at + seconds(step.rampUp), measured = up + seconds(step.measurement),
                     down = measured + seconds(step.rampDown);
        const double top = yOf(step.height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(faint);
        painter.drawPolygon(QPolygonF({ { xOf(at), area.bottom() }, { xOf(up), top }, { xOf(measured), top },
            { xOf(down), area.bottom() } }));
        painter.setBrush(strong);
        painter.drawRect(QRectF(QPointF(xOf(up), top), QPointF(xOf(measured), area.bottom())));
        if (static_cast<int>(i) == m_current) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(colours.color(QPalette::WindowText), 1.5));
            painter.drawRect(QRectF(QPointF(xOf(at), top), QPointF(xOf(down), area.bottom())));
        }
        at = down + seconds(step.quiet);
    }
    painter.setPen(colours.color(QPalette::WindowText));
    const QString highest = formatCount(static_cast<std::uint64_t>(std::min(most, 1e15)));
    painter.drawText(
        QRectF(0, yOf(most) - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter, highest);
    painter.drawText(QRectF(0, area.bottom() - 12, area.left() - 6, 14), Qt::AlignRight | Qt::AlignVCenter,
        QStringLiteral("0"));
    painter.drawText(words.adjusted(area.left(), 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(
            loadWords(m_steps, m_ofUsers), Qt::ElideRight, static_cast<int>(area.width() * 0.6)));
    painter.drawText(words.adjusted(area.left(), 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
        tr("strong: measured, faint: ramps"));
}

void LoadPicture::mousePressEvent(QMouseEvent* event)
{
    const QRectF area = plot();
    const double where = (event->position().x() - area.left()) / area.width() * total();
    double at = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const LoadStep& step = m_steps[i];
        at += seconds(step.rampUp + step.measurement + step.rampDown + step.quiet);
        if (where >= 0 && where < at)
            return emit clicked(static_cast<int>(i));
    }
}

} // namespace loadstone::ui
