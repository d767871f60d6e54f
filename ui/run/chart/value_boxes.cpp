// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/value_boxes.h"

#include "elided_label.h"
#include "format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace loadstone::ui {

namespace {
constexpr int kFrame = 14; // pixels that a line's frame and margins take
}

ValueBoxes::ValueBoxes(QWidget* parent)
    : QWidget(parent)
    , m_counter(new ElidedLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    const QString names[] = { tr("Last"), tr("Average"), tr("Minimum"), tr("Maximum"), tr("Duration") };
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        auto* box = new QLineEdit;
        box->setReadOnly(true);
        box->setAlignment(Qt::AlignRight);
        const auto widthOf = [&](const char* words) {
            return box->fontMetrics().horizontalAdvance(QLatin1String(words)) + kFrame;
        };
        box->setMinimumWidth(widthOf("12,345.67 %")); // in a narrow window
        box->setMaximumWidth(widthOf("-12,345,678 %"));
        box->setFocusPolicy(Qt::ClickFocus); // to copy from; Tab need not stop here five times
        box->setAccessibleName(names[i]);
        auto* label = new QLabel(names[i]);
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box);
        layout->addSpacing(8);
        m_boxes[i] = box;
    }
    layout->addWidget(m_counter, 1);
    clear();
}

void ValueBoxes::show(const QString& counter, const QString& unit, const CounterStatistics& s)
{
    const double values[] = { s.last, s.average, s.minimum, s.maximum };
    for (std::size_t i = 0; i < 4; ++i)
        m_boxes[i]->setText(formatIn(values[i], unit));
    m_boxes[4]->setText(formatElapsedExact(s.duration));
    m_name = unit.isEmpty() ? counter : QStringLiteral("%1  [%2]").arg(counter, unit);
    elideName();
}

void ValueBoxes::elideName()
{
    m_counter->setText(m_counter->fontMetrics().elidedText(m_name, Qt::ElideRight, m_counter->width()));
    m_counter->setToolTip(m_counter->text() == m_name ? QString() : m_name);
}

void ValueBoxes::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    elideName();
}

void ValueBoxes::clear()
{
    for (QLineEdit* box : m_boxes)
        box->clear();
    m_name.clear();
    elideName();
}

} // namespace loadstone::ui
