// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/value_boxes.h"

#include "format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace loadstone::ui {

ValueBoxes::ValueBoxes(QWidget* parent)
    : QWidget(parent)
    , m_counter(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 2);
    const QString names[] = { tr("Last"), tr("Average"), tr("Minimum"), tr("Maximum"), tr("Duration") };
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        auto* box = new QLineEdit;
        box->setReadOnly(true);
        box->setAlignment(Qt::AlignRight);
        box->setFixedWidth(13 * fontMetrics().averageCharWidth());
        box->setFocusPolicy(Qt::ClickFocus); // to copy from; Tab need not stop here five times
        box->setAccessibleName(names[i]);
        auto* label = new QLabel(names[i]);
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box);
        layout->addSpacing(8);
        m_boxes[i] = box;
    }
    m_counter->setTextFormat(Qt::PlainText);
    layout->addWidget(m_counter, 1);
    clear();
}

void ValueBoxes::show(const QString& counter, const QString& unit, const CounterStatistics& s)
{
    const double values[] = { s.last, s.average, s.minimum, s.maximum };
    for (std::size_t i = 0; i < 4; ++i)
        m_boxes[i]->setText(formatValue(values[i]));
    m_boxes[4]->setText(formatElapsed(s.duration));
    m_counter->setText(unit.isEmpty() ? counter : QStringLiteral("%1  [%2]").arg(counter, unit));
}

void ValueBoxes::clear()
{
    for (QLineEdit* box : m_boxes)
        box->clear();
    m_counter->clear();
}

} // namespace loadstone::ui
