// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace loadstone::ui {

/// The time slider of a past run: where in it the page stands, with play, pause and speed. At its right end
/// the page shows the whole run.
class ReplayBar : public QWidget {
    Q_OBJECT
public:
    explicit ReplayBar(QWidget* parent = nullptr);

    void setLength(Nanoseconds length);
    /// None: at the end.
    void setPosition(std::optional<Nanoseconds> at);
    [[nodiscard]] std::optional<Nanoseconds> position() const { return m_at; }
    [[nodiscard]] bool playing() const { return m_timer.isActive(); }
    void togglePlay();
    void step(Nanoseconds by);

signals:
    void positionChanged(std::optional<loadstone::Nanoseconds> at);

private:
    void advance();
    void showPosition();
    void stopPlaying();

    Nanoseconds m_length {};
    std::optional<Nanoseconds> m_at;
    QTimer m_timer;
    QElapsedTimer m_clock; // since the last advance
    QToolButton* m_play;
    QToolButton* m_end;
    QSlider* m_slider;
    QComboBox* m_speed;
    QLabel* m_label;
};

} // namespace loadstone::ui
