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
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr int kWidest = 8; // pixels

/// The value that all lines have; none: they differ.
template <class Get>
auto common(const std::vector<LineDialog::Line>& lines, Get get)
{
    using Value = std::decay_t<decltype(get(lines.front()))>; // may be an optional itself
    const Value first = get(lines.front());
    const bool same =
        std::all_of(lines.begin(), lines.end(), [&](const auto& line) { return get(line) == first; });
    return same ? std::optional<Value>(std::in_place, first) : std::nullopt;
}

/// An entry for "each its own", which is chosen where the lines differ.
void addDiffering(QComboBox& box, bool differ)
{
    if (!differ)
        return;
    box.insertItem(0, LineDialog::tr("(different)"));
    box.setCurrentIndex(0);
}

QIcon penIcon(Qt::PenStyle style, const QPalette& palette)
{
    QPixmap picture(48, 12);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setPen(QPen(palette.color(QPalette::Text), 2, style, Qt::FlatCap));
    painter.drawLine(0, 6, 48, 6);
    return picture;
}

} // namespace

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

LineDialog::LineDialog(const std::vector<Line>& lines, QWidget* parent)
    : QDialog(parent)
    , m_colour(new QPushButton)
    , m_width(new QComboBox)
    , m_pen(new QComboBox)
    , m_scale(new QComboBox)
    , m_threshold(new QLineEdit)
    , m_group(new QLineEdit)
{
    setWindowTitle(lines.size() == 1 ? tr("Line") : tr("%1 lines").arg(lines.size()));
    auto* form = new QFormLayout(this);
    QStringList names;
    for (const Line& line : lines)
        names.append(line.info.shortName());
    auto* name = new QLabel(names.size() <= 6 ? names.join(QLatin1Char('\n'))
                                              : QStringList(names.mid(0, 5)).join(QLatin1Char('\n'))
                + tr("\nand %1 more").arg(names.size() - 5));
    name->setTextFormat(Qt::PlainText);
    form->addRow(lines.size() == 1 ? tr("Counter:") : tr("Counters:"), name);
    m_colourNow = common(lines, [](const Line& l) { return l.style.colour; });
    form->addRow(tr("&Colour:"), m_colour);
    for (int width = 1; width <= kWidest; ++width)
        m_width->addItem(tr("%1 px").arg(width), width);
    const auto width = common(lines, [](const Line& l) { return l.style.width; });
    m_width->setCurrentIndex(width.value_or(1) - 1);
    addDiffering(*m_width, !width);
    form->addRow(tr("&Width:"), m_width);
    const std::pair<Qt::PenStyle, QString> pens[] = { { Qt::SolidLine, tr("Solid") },
        { Qt::DashLine, tr("Dashes") }, { Qt::DotLine, tr("Dots") }, { Qt::DashDotLine, tr("Dash, dot") },
        { Qt::DashDotDotLine, tr("Dash, two dots") } };
    m_pen->setIconSize(QSize(48, 12));
    for (const auto& [style, text] : pens)
        m_pen->addItem(penIcon(style, palette()), text, static_cast<int>(style));
    const auto pen = common(lines, [](const Line& l) { return l.style.pen; });
    m_pen->setCurrentIndex(std::max(0, m_pen->findData(static_cast<int>(pen.value_or(Qt::SolidLine)))));
    addDiffering(*m_pen, !pen);
    form->addRow(tr("St&yle:"), m_pen);
    fillScaleBox(*m_scale);
    const auto scale = common(lines, [](const Line& l) { return l.style.scale.value_or(0); });
    selectScale(*m_scale, scale.value_or(0));
    addDiffering(*m_scale, !scale);
    form->addRow(tr("&Scale:"), m_scale);
    const auto limit = common(lines, [](const Line& l) { return l.style.threshold; });
    if (limit && *limit)
        m_threshold->setText(QLocale().toString(**limit, 'g', 12));
    m_threshold->setValidator(new QDoubleValidator(m_threshold));
    m_threshold->setPlaceholderText(limit ? tr("none") : tr("(different)"));
    const auto unit = common(lines, [](const Line& l) { return l.info.unit; });
    QString written = unit.value_or(QString()); // a plan's derived counter may have any
    written.replace(QLatin1Char('&'), QStringLiteral("&&"));
    auto* limitLabel = new QLabel(written.isEmpty() ? tr("&Limit:") : tr("&Limit [%1]:").arg(written));
    limitLabel->setTextFormat(Qt::PlainText);
    limitLabel->setBuddy(m_threshold);
    form->addRow(limitLabel, m_threshold);
    const auto group = common(lines, [](const Line& l) { return l.style.group; });
    m_group->setText(group.value_or(QString()));
    m_group->setPlaceholderText(group ? tr("the counter's object") : tr("(different)"));
    m_group->setToolTip(tr("Lines of one unit and group have one scale, and one lane"));
    form->addRow(tr("&Axis group:"), m_group);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_colour, &QPushButton::clicked, this, &LineDialog::chooseColour);
    connect(m_group, &QLineEdit::textEdited, this,
        [this](const QString& typed) { m_change.group = typed.simplified(); });
    connect(m_threshold, &QLineEdit::textEdited, this, &LineDialog::typeLimit);
    m_colour->setAutoDefault(false); // Enter there chooses nothing
    m_width->setFocus(); // else OK has it
    showColour();
}

StyleChange LineDialog::change() const
{
    StyleChange change = m_change;
    if (m_width->currentData().isValid())
        change.width = m_width->currentData().toInt();
    if (m_pen->currentData().isValid())
        change.pen = static_cast<Qt::PenStyle>(m_pen->currentData().toInt());
    if (m_scale->currentData().isValid()) {
        const double factor = m_scale->currentData().toDouble();
        change.scale.emplace(factor > 0 ? std::optional(factor) : std::nullopt);
    }
    return change;
}

void LineDialog::typeLimit()
{
    bool ok = false;
    const double limit = QLocale().toDouble(m_threshold->text(), &ok);
    m_change.threshold.emplace(ok ? std::optional(limit) : std::nullopt);
}

void LineDialog::chooseColour()
{
    const QColor chosen =
        QColorDialog::getColor(m_colourNow.value_or(QColor()), this, tr("Colour of the line"));
    if (!chosen.isValid())
        return;
    m_colourNow = m_change.colour = chosen;
    showColour();
}

void LineDialog::showColour()
{
    if (!m_colourNow) {
        m_colour->setText(tr("(different)"));
        return;
    }
    QPixmap swatch(48, 12);
    swatch.fill(*m_colourNow);
    m_colour->setIcon(swatch);
    m_colour->setIconSize(swatch.size());
    m_colour->setText(m_colourNow->name());
}

} // namespace loadstone::ui
