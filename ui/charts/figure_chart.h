// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include <optional>
#include <vector>

namespace loadstone::ui {

/// A place in a chart of figures that can be looked at: a point of a curve, a bar.
struct FigureSpot {
    QPointF at; ///< in the chart's coordinates
    int series = 0; ///< index of its curve or case
    int item = 0; ///< index within it
    QString words; ///< what it shows, in a line or a few
};

/// What an entry of the legend looks like.
struct LegendEntry {
    QString name;
    QColor colour;
    int marker = -1; ///< a shape of paintMarker(); -1: a square
};

/// A chart of figures over loads, cases or runs, drawn in the palette's colours. The pointer, or the arrow keys, say what the nearest
/// spot shows; Enter or a click chooses it. What is drawn is in the classes below. GUI thread only.
class FigureChart : public QWidget {
    Q_OBJECT
public:
    explicit FigureChart(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    [[nodiscard]] const QString& title() const { return m_title; }
    /// Said where there is nothing to draw.
    void setEmptyText(const QString& text);
    /// The spot that stands out; none: no spot does.
    void setCurrent(std::optional<std::pair<int, int>> seriesAndItem);
    [[nodiscard]] std::optional<std::pair<int, int>> current() const { return m_current; }
    /// As it stands on the screen.
    [[nodiscard]] std::vector<FigureSpot> spots() const;

    // Pictures are the chart as it stands with its title and legend, without the spot that is looked at.
    [[nodiscard]] QImage image(); ///< at twice its size on the screen
    bool writeSvg(const QString& file);
    void copyPicture();

    [[nodiscard]] QSize sizeHint() const override { return { 640, 380 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 220, 140 }; }

signals:
    void currentChanged(int series, int item);
    void activated(int series, int item); ///< a click, or Enter

protected:
    /// Draws everything but the title, within `area`.
    virtual void paintChart(QPainter& painter, const QRectF& area) const = 0;
    virtual std::vector<FigureSpot> spotsWithin(const QRectF& area) const = 0;
    [[nodiscard]] virtual bool isEmpty() const = 0;

    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintAll(QPainter& painter, bool withCurrent) const;
    void paintWords(QPainter& painter, const FigureSpot& spot) const;
    [[nodiscard]] QRectF chartArea() const;
    void step(int alongSeries, int acrossSeries);
    void look(std::optional<std::pair<int, int>> at);

    QString m_title, m_empty;
    std::optional<std::pair<int, int>> m_current;
};

constexpr int kMarkerShapes = 6;
/// A filled shape about a point: circle, square, diamond, triangle up, triangle down, cross. `hollow`: its outline alone.
void paintMarker(QPainter& painter, const QPointF& at, int shape, double radius, const QColor& colour,
    bool hollow = false);
/// The entries in lines that fit into `width`; the height that they take. With `painter` null nothing is drawn.
double paintLegend(QPainter* painter, const QFont& font, const QPalette& palette, const QPointF& topLeft,
    double width, const std::vector<LegendEntry>& entries);

} // namespace loadstone::ui
