// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/replay_bar.h"

#include "format.h"
#include "icons.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProxyStyle>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace loadstone::ui {

namespace {
constexpr int kFrameMilliseconds = 200;
constexpr int kSpeeds[] = { 1, 2, 5, 10, 30, 60, 300 };
constexpr std::int64_t kSliderUnit = 100'000'000; // 0.1 s: a week fits into an int

/// A click moves the handle there, not a page towards it.
class JumpStyle : public QProxyStyle {
public:
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* data) const override
    {
        return hint == SH_Slider_AbsoluteSetButtons ? int(Qt::LeftButton)
                                                    : QProxyStyle::styleHint(hint, option, widget, data);
    }
};
}

ReplayBar::ReplayBar(QWidget* parent)
    : QWidget(parent)
    , m_play(new QToolButton)
    , m_end(new QToolButton)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_speed(new QComboBox)
    , m_label(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    m_play->setAutoRaise(true);
    m_play->setToolTip(tr("Play or pause the replay (Ctrl+Space)"));
    m_play->setAccessibleName(tr("Play or pause"));
    m_end->setIcon(icon(QStringLiteral("end")));
    m_end->setAutoRaise(true);
    m_end->setToolTip(tr("Show the whole run"));
    m_end->setAccessibleName(tr("Show the whole run"));
    m_slider->setAccessibleName(tr("Replay position"));
    auto* const jump = new JumpStyle;
    jump->setParent(m_slider); // a widget does not own its style
    m_slider->setStyle(jump);
    m_slider->setPageStep(100);
    m_slider->setSingleStep(10);
    for (const int speed : kSpeeds)
        m_speed->addItem(tr("%1×").arg(speed), speed);
    m_speed->setCurrentIndex(3);
    m_speed->setToolTip(tr("Speed of the replay"));
    m_speed->setAccessibleName(tr("Speed of the replay"));
    m_label->setMinimumWidth(
        m_label->fontMetrics().horizontalAdvance(QStringLiteral("00:00:00.0 of 00:00:00")));
    m_label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(m_play);
    layout->addWidget(m_end);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_label);
    layout->addWidget(m_speed);
    m_timer.setInterval(kFrameMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &ReplayBar::advance);
    connect(m_play, &QToolButton::clicked, this, &ReplayBar::togglePlay);
    connect(m_end, &QToolButton::clicked, this, [this] {
        stopPlaying();
        setPosition(std::nullopt);
        emit positionChanged(m_at);
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        const Nanoseconds at(value * kSliderUnit);
        m_at = value >= m_slider->maximum() ? std::nullopt : std::optional(at);
        showPosition();
        emit positionChanged(m_at);
    });
    stopPlaying();
    showPosition();
}

void ReplayBar::setLength(Nanoseconds length)
{
    if (length == m_length)
        return;
    m_length = length;
    {
        const QSignalBlocker blocked(m_slider);
        m_slider->setMaximum(static_cast<int>((length.count() + kSliderUnit - 1) / kSliderUnit));
        m_slider->setPageStep(std::max(10, m_slider->maximum() / 20));
    }
    setPosition(m_at && *m_at < length ? m_at : std::nullopt);
}

void ReplayBar::setPosition(std::optional<Nanoseconds> at)
{
    m_at = at;
    const QSignalBlocker blocked(m_slider);
    m_slider->setValue(at ? static_cast<int>(at->count() / kSliderUnit) : m_slider->maximum());
    showPosition();
}

void ReplayBar::togglePlay()
{
    if (playing()) {
        stopPlaying();
        return;
    }
    if (!m_at) { // at the end: from the beginning
        setPosition(Nanoseconds(0));
        emit positionChanged(m_at);
    }
    m_clock.start();
    m_timer.start();
    m_play->setIcon(icon(QStringLiteral("pause")));
}

void ReplayBar::stopPlaying()
{
    m_timer.stop();
    m_play->setIcon(icon(QStringLiteral("play")));
}

void ReplayBar::step(Nanoseconds by)
{
    const Nanoseconds next = std::max(Nanoseconds(0), m_at.value_or(m_length) + by);
    setPosition(next < m_length ? std::optional(next) : std::nullopt);
    emit positionChanged(m_at);
}

void ReplayBar::advance()
{
    const Nanoseconds passed(m_clock.nsecsElapsed() * m_speed->currentData().toInt());
    m_clock.start();
    step(passed);
    if (!m_at)
        stopPlaying();
}

void ReplayBar::showPosition()
{
    m_label->setText(m_at ? tr("%1 of %2").arg(formatElapsed(*m_at), formatElapsed(m_length))
                          : tr("whole run, %1").arg(formatElapsed(m_length)));
}

} // namespace loadstone::ui
