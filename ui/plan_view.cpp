// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_view.h"

#include "run/tabs/plan_highlighter.h"

#include <QFontDatabase>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>

namespace loadstone::ui {

namespace {
constexpr int kPad = 6; // pixels on both sides of a number
}

class PlanView::Numbers : public QWidget {
public:
    explicit Numbers(PlanView& view)
        : QWidget(&view)
        , m_view(view)
    {
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        painter.fillRect(event->rect(), palette().color(QPalette::AlternateBase));
        m_view.paintNumbers(painter, event->rect());
    }
    void wheelEvent(QWheelEvent* event) override { m_view.wheelEvent(event); }

private:
    PlanView& m_view;
};

PlanView::PlanView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_numbers(new Numbers(*this))
{
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    setAccessibleName(tr("Plan text"));
    new PlanHighlighter(document());
    connect(this, &QPlainTextEdit::blockCountChanged, this, &PlanView::placeNumbers);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        if (scrolled != 0)
            m_numbers->scroll(0, scrolled);
        else
            m_numbers->update(0, area.y(), m_numbers->width(), area.height());
    });
    placeNumbers();
}

void PlanView::setText(const QString& text)
{
    if (text != toPlainText())
        setPlainText(text);
}

void PlanView::markLine(int line)
{
    setExtraSelections({});
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) // about the plan as a whole
        return;
    QTextEdit::ExtraSelection mark;
    mark.format.setBackground(palette().color(QPalette::Highlight).lighter(170));
    mark.format.setForeground(Qt::black);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    mark.cursor = QTextCursor(block);
    setExtraSelections({ mark });
    setTextCursor(QTextCursor(block));
    centerCursor();
}

void PlanView::placeNumbers()
{
    const int digits = static_cast<int>(QString::number(blockCount()).size());
    const int width = fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits + 2 * kPad;
    setViewportMargins(width, 0, 0, 0);
    const QRect inside = contentsRect();
    m_numbers->setGeometry(inside.left(), inside.top(), width, inside.height());
}

void PlanView::paintNumbers(QPainter& painter, const QRect& area) const
{
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    QTextBlock block = firstVisibleBlock();
    QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    while (block.isValid() && box.top() <= area.bottom()) {
        if (block.isVisible() && box.bottom() >= area.top())
            painter.drawText(QRectF(0, box.top(), m_numbers->width() - kPad, fontMetrics().height()),
                static_cast<int>(Qt::AlignRight | Qt::AlignTop), QString::number(block.blockNumber() + 1));
        block = block.next();
        box = blockBoundingGeometry(block).translated(contentOffset());
    }
}

void PlanView::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    placeNumbers();
}

} // namespace loadstone::ui
