// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab_diagram.h>

#include <QGraphicsView>
#include <QPointer>

#include <string>
#include <vector>

class QAction;
class QTimer;

namespace loadstone::ui {

/// The diagram of a lab. The wheel zooms, a box is chosen by a click and moved by a drag: the place that it gets is a column and a row, the
/// rest is laid out again. GUI thread only.
class DiagramView : public QGraphicsView {
    Q_OBJECT
public:
    explicit DiagramView(QWidget* parent = nullptr);

    /// Lays it out soon: changes that come one after the other are drawn once.
    void showLab(const Lab& lab);
    void showNow(); ///< without waiting; for pictures and tests
    void choose(const std::string& id);
    void setFolder(const QString& folder) { m_folder = folder; } ///< where pictures are saved at first
    void setEditable(bool editable) { m_editable = editable; }
    [[nodiscard]] bool isEditable() const { return m_editable; }
    [[nodiscard]] const LabDiagram& diagram() const { return m_diagram; }
    [[nodiscard]] const std::string& chosenItem() const { return m_chosen; }
    /// At this many pixels to a point.
    [[nodiscard]] QImage picture(double scale);
    /// A file of the kind that its name says, SVG or PNG.
    Result<void> write(const std::filesystem::path& file);
    [[nodiscard]] QList<QAction*> viewActions() const { return { m_fit, m_copy, m_export }; }
    void fit();
    /// Where a box goes that is dropped with its centre there: column and row.
    [[nodiscard]] std::pair<double, double> placeAt(std::size_t box, QPointF centre) const;

signals:
    void chosen(const std::string& id);
    void moved(const std::string& id, double column, double row);
    void message(const QString& text);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw();
    void zoom(double factor);
    void exportPicture();
    void step(int by); ///< to the next box, by keys
    void shift(int columns, int rows); ///< the chosen box, by keys
    [[nodiscard]] int boxAt(QPoint pixel) const; ///< -1: none

    Lab m_lab;
    LabDiagram m_diagram;
    std::string m_chosen;
    QString m_folder;
    std::vector<QGraphicsItem*> m_frames, m_lines, m_boxes; // by the diagram's, with their labels as children
    bool m_isStale = true; // nothing is drawn, or in other colours
    QTimer* m_soon;
    QAction *m_fit, *m_copy, *m_export;
    bool m_editable = false;
    bool m_fits = true; // until somebody zooms
    QPoint m_pressed;
    int m_dragged = -1;
};

} // namespace loadstone::ui
