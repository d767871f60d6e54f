// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/diagram_view.h"

#include "format.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFontMetricsF>
#include <QGraphicsPathItem>
#include <QGraphicsRectItem>
#include <QGraphicsSimpleTextItem>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kSoonMilliseconds = 60; // typing goes on between two layouts
constexpr double kMargin = 8; // points
constexpr int kTextPoints = 11;

QFont fontOf(bool strong)
{
    QFont font = QApplication::font();
    font.setPixelSize(kTextPoints); // a point of the diagram is a pixel of the scene
    font.setBold(strong);
    return font;
}

QRectF rectOf(const DiagramRect& rect)
{
    return { rect.x, rect.y, rect.width, rect.height };
}

/// Between two colours of the palette: legible whether it is light or dark.
QColor mixed(const QColor& a, const QColor& b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
        static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
        static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

/// A text that is too small to be read is a line: drawing the letters of a large lab takes longer than all else.
class Words : public QGraphicsSimpleTextItem {
public:
    using QGraphicsSimpleTextItem::QGraphicsSimpleTextItem;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override
    {
        constexpr double kLegible = 4; // pixels
        if (QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform()) * kTextPoints
            >= kLegible)
            return QGraphicsSimpleTextItem::paint(painter, option, widget);
        const QRectF rect = boundingRect();
        QColor faint = brush().color();
        faint.setAlphaF(0.4F);
        painter->fillRect(
            QRectF(rect.left(), rect.center().y() - rect.height() / 6, rect.width(), rect.height() / 3),
            faint);
    }
};

void addLabel(QGraphicsItem* parent, const DiagramLabel& label, const QFont& font, const QColor& ink)
{
    if (label.text.empty())
        return;
    auto* words = new Words; // in this order, so that the text is laid out once
    words->setFont(font);
    words->setText(text(label.text));
    words->setBrush(ink);
    words->setPos(label.rect.x, label.rect.y);
    words->setAcceptedMouseButtons(Qt::NoButton);
    words->setParentItem(parent);
}

/// The items of the parts that have changed are made again; the others stay, so that they need not be laid out and painted.
template <class Part, class Make>
void redraw(const std::vector<Part>& before, const std::vector<Part>& now, std::vector<QGraphicsItem*>& items,
    Make make)
{
    for (std::size_t i = now.size(); i < items.size(); ++i)
        delete items[i];
    items.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (i < before.size() && before[i] == now[i]) {
            items[i]->setPos(0, 0); // it may have been dragged
            continue;
        }
        if (i < before.size())
            delete items[i];
        items[i] = make(now[i]);
    }
}
}

DiagramView::DiagramView(QWidget* parent)
    : QGraphicsView(parent)
    , m_soon(new QTimer(this))
    , m_fit(new QAction(tr("&Fit the diagram"), this))
    , m_copy(new QAction(tr("&Copy the diagram"), this))
    , m_export(new QAction(tr("&Export the diagram…"), this))
{
    setScene(new QGraphicsScene(this));
    scene()->setItemIndexMethod(QGraphicsScene::NoIndex); // it is made again more often than it is searched
    setAccessibleName(tr("Diagram of the lab"));
    setRenderHint(QPainter::Antialiasing);
    setDragMode(QGraphicsView::ScrollHandDrag);
    setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    setFrameShape(QFrame::NoFrame);
    setMinimumSize(120, 100);
    m_soon->setSingleShot(true);
    m_soon->setInterval(kSoonMilliseconds);
    connect(m_soon, &QTimer::timeout, this, &DiagramView::draw);
    connect(m_fit, &QAction::triggered, this, &DiagramView::fit);
    connect(m_copy, &QAction::triggered, this, [this] {
        auto* copied = new QMimeData;
        copied->setImageData(picture(2));
        copied->setData(QStringLiteral("image/svg+xml"),
            QByteArray::fromStdString(formatSvg(layOut(m_lab), m_lab.title)));
        QApplication::clipboard()->setMimeData(copied);
        emit message(tr("The diagram is on the clipboard."));
    });
    connect(m_export, &QAction::triggered, this, &DiagramView::exportPicture);
    addActions(viewActions());
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void DiagramView::showLab(const Lab& lab)
{
    m_lab = lab;
    if (!m_soon->isActive())
        m_soon->start();
}

void DiagramView::showNow()
{
    m_soon->stop();
    draw();
}

void DiagramView::draw()
{
    const QFont plain = fontOf(false), bold = fontOf(true);
    const QFontMetricsF plainMetrics(plain), boldMetrics(bold);
    LabDiagram diagram = layOut(m_lab, [&](std::string_view words, bool strong) {
        const QFontMetricsF& metrics = strong ? boldMetrics : plainMetrics;
        return std::pair<double, double>(
            metrics.horizontalAdvance(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()))),
            metrics.height());
    });
    if (std::exchange(m_isStale, false)) {
        scene()->clear();
        m_frames.clear();
        m_lines.clear();
        m_boxes.clear();
        m_diagram = {};
    }
    const QColor ink = palette().color(QPalette::Text);
    const QColor paper = palette().color(QPalette::Base);
    setBackgroundBrush(paper);
    const auto label = [&](QGraphicsItem* parent, const DiagramLabel& words) {
        addLabel(parent, words, words.strong ? bold : plain, ink);
    };
    redraw(m_diagram.frames, diagram.frames, m_frames, [&](const DiagramFrame& frame) {
        auto* rect = scene()->addRect(rectOf(frame.rect), QPen(mixed(paper, ink, 0.5), 1, Qt::DashLine));
        label(rect, frame.title);
        return rect;
    });
    redraw(m_diagram.lines, diagram.lines, m_lines, [&](const DiagramLine& line) {
        QPainterPath path;
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            const QPointF point(line.points[i].x, line.points[i].y);
            i == 0 ? path.moveTo(point) : path.lineTo(point);
        }
        const Qt::PenStyle style = line.kind == LinkKind::runsOn ? Qt::DotLine
            : line.kind == LinkKind::replicates                  ? Qt::DashLine
                                                                 : Qt::SolidLine;
        auto* strokes = scene()->addPath(
            path, QPen(mixed(paper, ink, 0.65), line.kind == LinkKind::storage ? 2 : 1.2, style));
        label(strokes, line.label);
        return strokes;
    });
    redraw(m_diagram.boxes, diagram.boxes, m_boxes, [&](const DiagramBox& box) {
        const QColor tint = QColor(coloursOf(box).line);
        auto* rect = scene()->addRect(
            rectOf(box.rect), QPen(tint, box.isPlaced ? 1.6 : 1), mixed(paper, tint, box.isBus ? 0.5 : 0.16));
        rect->setZValue(1);
        for (const DiagramLabel& words : box.labels)
            label(rect, words);
        return rect;
    });
    m_diagram = std::move(diagram);
    const QRectF whole(0, 0, std::max(m_diagram.width, 1.0), std::max(m_diagram.height, 1.0));
    const QRectF before = sceneRect();
    setSceneRect(whole.adjusted(-kMargin, -kMargin, kMargin, kMargin));
    choose(m_chosen);
    if (m_fits && sceneRect() != before)
        fit();
}

void DiagramView::choose(const std::string& id)
{
    m_chosen = id;
    // An item without a box of its own is shown by that of what contains it.
    std::string shown = id;
    const auto boxOf = [&](const std::string& item) {
        return std::find_if(m_diagram.boxes.begin(), m_diagram.boxes.end(), [&](const DiagramBox& box) {
            return std::find(box.items.begin(), box.items.end(), item) != box.items.end();
        });
    };
    for (int depth = 0; depth < 16 && !shown.empty() && boxOf(shown) == m_diagram.boxes.end(); ++depth) {
        const LabItem* item = m_lab.find(shown);
        shown = item == nullptr ? std::string() : item->in;
    }
    const auto box = boxOf(shown);
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        auto* rect = static_cast<QGraphicsRectItem*>(m_boxes[i]);
        const bool isChosen =
            box != m_diagram.boxes.end() && static_cast<std::size_t>(box - m_diagram.boxes.begin()) == i;
        rect->setPen(isChosen
                ? QPen(palette().color(QPalette::Highlight), 3)
                : QPen(QColor(coloursOf(m_diagram.boxes[i]).line), m_diagram.boxes[i].isPlaced ? 1.6 : 1));
    }
}

void DiagramView::fit()
{
    m_fits = true;
    fitInView(sceneRect(), Qt::KeepAspectRatio);
    constexpr double kLargest = 1.25; // a small lab does not fill the screen with two boxes
    if (transform().m11() > kLargest)
        setTransform(QTransform::fromScale(kLargest, kLargest));
}

void DiagramView::zoom(double factor)
{
    const double next = transform().m11() * factor;
    if (next < 0.1 || next > 8)
        return;
    m_fits = false;
    scale(factor, factor);
}

void DiagramView::wheelEvent(QWheelEvent* event)
{
    zoom(std::pow(1.0015, event->angleDelta().y()));
    event->accept();
}

void DiagramView::keyPressEvent(QKeyEvent* event)
{
    const bool moves = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (moves)
            return shift(event->key() == Qt::Key_Left ? -1 : 1, 0);
        return QGraphicsView::keyPressEvent(event);
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (moves)
            return shift(0, event->key() == Qt::Key_Up ? -1 : 1);
        return QGraphicsView::keyPressEvent(event);
    case Qt::Key_Plus:
        return zoom(1.25);
    case Qt::Key_Minus:
        return zoom(0.8);
    case Qt::Key_0:
        return fit();
    case Qt::Key_N:
        return step(1);
    case Qt::Key_P:
        return step(-1);
    default:
        QGraphicsView::keyPressEvent(event);
    }
}

void DiagramView::step(int by)
{
    const int boxes = static_cast<int>(m_diagram.boxes.size());
    if (boxes == 0)
        return;
    int at = by > 0 ? -1 : 0;
    for (int i = 0; i < boxes; ++i)
        if (m_diagram.boxes[static_cast<std::size_t>(i)].items.front() == m_chosen)
            at = i;
    const auto& box = m_diagram.boxes[static_cast<std::size_t>((at + by + boxes) % boxes)];
    const std::string id = box.items.front();
    choose(id);
    ensureVisible(rectOf(box.rect));
    emit chosen(id);
}

void DiagramView::shift(int columns, int rows)
{
    const auto& boxes = m_diagram.boxes;
    const auto box = std::find_if(boxes.begin(), boxes.end(), [&](const DiagramBox& one) {
        return std::find(one.items.begin(), one.items.end(), m_chosen) != one.items.end();
    });
    if (!m_editable || box == boxes.end())
        return;
    const int column = static_cast<int>(box->column) + columns;
    if (column < 0 || column >= kDiagramColumns)
        return;
    const auto at = static_cast<std::size_t>(box - boxes.begin());
    std::pair<double, double> place { column, box->row };
    if (rows != 0) {
        // Just beyond the next one in that direction.
        const double own = rectOf(box->rect).center().y();
        std::optional<QPointF> next;
        for (const DiagramBox& other : boxes) {
            const QPointF centre = rectOf(other.rect).center();
            if (other.column == box->column && (centre.y() - own) * rows > 0
                && (!next || std::abs(centre.y() - own) < std::abs(next->y() - own)))
                next = centre;
        }
        if (!next)
            return;
        place = placeAt(at, { next->x(), next->y() + rows });
    }
    m_soon->start();
    emit moved(box->items.front(), place.first, place.second);
}

int DiagramView::boxAt(QPoint pixel) const
{
    const QPointF point = mapToScene(pixel);
    for (std::size_t i = 0; i < m_diagram.boxes.size(); ++i) {
        QRectF rect = rectOf(m_diagram.boxes[i].rect);
        for (const DiagramLabel& label : m_diagram.boxes[i].labels)
            rect = rect.united(rectOf(label.rect));
        if (rect.contains(point))
            return static_cast<int>(i);
    }
    return -1;
}

void DiagramView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->position().toPoint();
    m_dragged = event->button() == Qt::LeftButton ? boxAt(m_pressed) : -1;
    if (m_dragged >= 0) {
        const std::string id = m_diagram.boxes[static_cast<std::size_t>(m_dragged)].items.front();
        if (m_editable)
            m_boxes[static_cast<std::size_t>(m_dragged)]->setFlag(QGraphicsItem::ItemIsMovable);
        choose(id);
        emit chosen(id);
    }
    QGraphicsView::mousePressEvent(event);
}

void DiagramView::mouseReleaseEvent(QMouseEvent* event)
{
    QGraphicsView::mouseReleaseEvent(event);
    const int dragged = std::exchange(m_dragged, -1);
    if (dragged < 0 || !m_editable || static_cast<std::size_t>(dragged) >= m_boxes.size())
        return;
    const auto at = static_cast<std::size_t>(dragged);
    const QPointF by = m_boxes[at]->pos();
    if ((event->position().toPoint() - m_pressed).manhattanLength() < QApplication::startDragDistance()) {
        m_boxes[at]->setPos(0, 0);
        return;
    }
    const auto [column, row] = placeAt(at, rectOf(m_diagram.boxes[at].rect).center() + by);
    const std::string id = m_diagram.boxes[at].items.front();
    m_soon->start(); // back to where it was, when nobody takes the place
    emit moved(id, column, row);
}

std::pair<double, double> DiagramView::placeAt(std::size_t box, QPointF centre) const
{
    // The column whose boxes are nearest.
    int column = static_cast<int>(m_diagram.boxes[box].column);
    double nearest = -1;
    for (const DiagramBox& other : m_diagram.boxes) {
        const double away = std::max({ other.rect.x - centre.x(), centre.x() - other.rect.right(), 0.0 });
        if (nearest < 0 || away < nearest) {
            nearest = away;
            column = static_cast<int>(other.column);
        }
    }
    // Between the rows of those that stand above and below.
    double above = -1, below = -1;
    for (std::size_t i = 0; i < m_diagram.boxes.size(); ++i) {
        const DiagramBox& other = m_diagram.boxes[i];
        if (i == box || static_cast<int>(other.column) != column)
            continue;
        if (rectOf(other.rect).center().y() <= centre.y())
            above = std::max(above, static_cast<double>(other.row));
        else if (below < 0 || other.row < below)
            below = other.row;
    }
    const double row = below < 0 ? above + 1 : above < 0 ? std::max(below - 0.5, 0.0) : (above + below) / 2;
    return { column, row };
}

QImage DiagramView::picture(double scale)
{
    const std::string before = m_chosen;
    choose({}); // the frame belongs to the page, not to the lab
    const QRectF whole = sceneRect();
    constexpr double kMostPixels = 16000; // on a side
    const double factor = std::min(scale, kMostPixels / std::max(whole.width(), whole.height()));
    QImage image(
        (whole.size() * factor).toSize().expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied);
    image.fill(palette().color(QPalette::Base));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    scene()->render(&painter, QRectF(image.rect()), whole);
    choose(before);
    return image;
}

Result<void> DiagramView::write(const std::filesystem::path& file)
{
    if (file.extension() != ".png")
        return writeSvg(layOut(m_lab), m_lab.title, file);
    constexpr double kScale = 3; // prints without steps
    if (!picture(kScale).save(text(file.string()), "PNG"))
        return fail("the picture cannot be written to " + file.string());
    return {};
}

void DiagramView::exportPicture()
{
    const QString name = text(m_lab.title.empty() ? "lab" : m_lab.title) + QStringLiteral(".svg");
    const QString file = QFileDialog::getSaveFileName(this, tr("Export the diagram"),
        m_folder.isEmpty() ? name : m_folder + QLatin1Char('/') + name,
        tr("SVG picture (*.svg);;PNG picture (*.png)"));
    if (file.isEmpty())
        return;
    const auto done = write(bytes(file));
    emit message(done ? tr("The diagram was written to %1.").arg(file) : text(done.error().message));
}

void DiagramView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    m_isStale = true;
    m_soon->start();
}

void DiagramView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    if (m_fits)
        fit();
}

} // namespace loadstone::ui
