// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/offset.h>

#include <QWidget>

#include <optional>

namespace loadstone::ui {

/// The correlation of a log with a run at each offset, with its peak, the second one, and the offset that is chosen. That is slid with the
/// mouse, or with the arrow keys by one step, with Shift by a minute; Home sets it to the peak.
class OffsetCurve : public QWidget {
    Q_OBJECT
public:
    explicit OffsetCurve(QWidget* parent = nullptr);

    void setProposal(std::optional<OffsetProposal> proposal);
    [[nodiscard]] const std::optional<OffsetProposal>& proposal() const { return m_proposal; }
    void setChosen(std::optional<Nanoseconds> offset);
    [[nodiscard]] std::optional<Nanoseconds> chosen() const { return m_chosen; }
    [[nodiscard]] QSize sizeHint() const override { return { 640, 200 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 240, 120 }; }

signals:
    void slid(loadstone::Nanoseconds offset); ///< by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double xOf(Nanoseconds offset) const;
    [[nodiscard]] double yOf(double correlation) const;
    void slideTo(double x);
    void slideBy(Nanoseconds by);
    void paintCurve(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;

    std::optional<OffsetProposal> m_proposal;
    std::optional<Nanoseconds> m_chosen;
};

} // namespace loadstone::ui
