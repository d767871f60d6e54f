// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/rehearsal.h>

#include <QWidget>

namespace loadstone::ui {

/// A rehearsal over virtual time: for each phase the mean of actions and messages a second with the busiest second, and the copies that
/// wait for delivery. Measurements stand out.
class RehearsalPicture : public QWidget {
    Q_OBJECT
public:
    explicit RehearsalPicture(QWidget* parent = nullptr);
    void show(const Rehearsal& rehearsal);
    using QWidget::show;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Bar {
        double begin = 0, end = 0; ///< seconds
        double mean = 0, peak = 0;
        bool measured = false;
        QString words;
    };
    struct Lane {
        QString title;
        std::vector<Bar> bars;
        double most = 0;
    };
    [[nodiscard]] QRectF laneRect(std::size_t lane) const;
    void paintLane(QPainter& painter, const QRectF& area, const Lane& lane) const;
    [[nodiscard]] double across(double seconds, const QRectF& area) const;

    std::vector<Lane> m_lanes;
    double m_length = 0; // seconds
};

} // namespace loadstone::ui
