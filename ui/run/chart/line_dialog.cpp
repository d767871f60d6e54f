// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/line_dialog.h"

#include "format.h"

#include <QColorDialog>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleValidator>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

void fillScaleBox(QComboBox& box)
{
    box.addItem(LineDialog::tr("Automatic"), 0.0);
    for (const double factor : scaleFactors())
        box.addItem(formatScale(factor), factor);
}

void selectScale(QComboBox& box, double factor)
{
    for (int i = 0; i < box.count(); ++i)
        if (std::abs(box.itemData(i).toDouble() - factor) <= factor * 1e-6)
            box.setCurrentIndex(i);
}

LineDialog::LineDialog(const LineInfo& info, const LineStyle& style, QWidget* parent)
    : QDialog(parent)
    , m_style(style)
    , m_colour(new QPushButton)
    , m_width(new QSpinBox)
    , m_scale(new QComboBox)
    , m_threshold(new QLineEdit)
{
    setWindowTitle(tr("Line"));
    auto* form = new QFormLayout(this);
    auto* name = new QLabel(info.shortName());
    name->setTextFormat(Qt::PlainText);
    form->addRow(tr("Counter:"), name);
    form->addRow(tr("&Colour:"), m_colour);
    m_width->setRange(1, 8);
    m_width->setValue(style.width);
    m_width->setSuffix(tr(" px"));
    form->addRow(tr("&Width:"), m_width);
    fillScaleBox(*m_scale);
    selectScale(*m_scale, style.scale.value_or(0));
    form->addRow(tr("&Scale:"), m_scale);
    if (style.threshold)
        m_threshold->setText(QLocale().toString(*style.threshold, 'g', 12));
    m_threshold->setValidator(new QDoubleValidator(m_threshold));
    m_threshold->setPlaceholderText(tr("none"));
    form->addRow(info.unit.isEmpty() ? tr("&Limit:") : tr("&Limit [%1]:").arg(info.unit), m_threshold);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_colour, &QPushButton::clicked, this, &LineDialog::chooseColour);
    showColour();
}

LineStyle LineDialog::style() const
{
    LineStyle style = m_style;
    style.width = m_width->value();
    const double factor = m_scale->currentData().toDouble();
    style.scale = factor > 0 ? std::optional(factor) : std::nullopt;
    bool ok = false;
    const double limit = QLocale().toDouble(m_threshold->text(), &ok);
    style.threshold = ok ? std::optional(limit) : std::nullopt;
    return style;
}

void LineDialog::chooseColour()
{
    const QColor chosen = QColorDialog::getColor(m_style.colour, this, tr("Colour of the line"));
    if (chosen.isValid())
        m_style.colour = chosen;
    showColour();
}

void LineDialog::showColour()
{
    QPixmap swatch(48, 12);
    swatch.fill(m_style.colour);
    m_colour->setIcon(swatch);
    m_colour->setIconSize(swatch.size());
    m_colour->setText(m_style.colour.name());
}

} // namespace loadstone::ui
