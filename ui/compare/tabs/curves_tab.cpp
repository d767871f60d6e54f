// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/curves_tab.h"

#include "charts/curve_chart.h"
#include "charts/series_colours.h"
#include "compare/tabs/points_table.h"
#include "compare/view/compare_words.h"
#include "format.h"

#include <loadstone/comparison_report.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

const QString kFigure = QStringLiteral("compare/curves-figure"),
              kSplit = QStringLiteral("compare/curves-split"), kAxis = QStringLiteral("compare/curves-axis");

QString wordsOf(const CurveChoice& choice)
{
    return choice.group.empty() ? text(choice.label)
                                : text(choice.group) + QStringLiteral(": ") + text(choice.label);
}

Number loadNumber(double load)
{
    return { load, Unit::one, { Notation::shortest, 6 } };
}

QString loadText(const LoadCurves& curves, double load)
{
    return QStringLiteral("%1 %2").arg(text(format(loadNumber(load))), text(curves.axisUnit)).trimmed();
}

QString valueOf(const LoadCurves& curves, double value, bool atLeast)
{
    ComparisonRow row;
    row.unit = curves.unit;
    row.rounding = curves.rounding;
    FigureFlags flags;
    flags.lowerBound = atLeast;
    return numberText(row, value, flags);
}

Curve curveOf(const LoadCurves& curves, const LoadCurve& from, double last)
{
    Curve curve;
    curve.name = text(from.system);
    curve.colour = seriesColour(from.column);
    curve.marker = static_cast<int>(from.column % kMarkerShapes);
    curve.pieces.emplace_back();
    for (const LoadPoint& point : from.points) {
        if (!point.value) { // never a line across
            if (!curve.pieces.back().empty())
                curve.pieces.emplace_back();
            continue;
        }
        CurvePoint drawn { point.load, *point.value, {}, {}, {}, point.atLeast || point.passed == false };
        drawn.words =
            QStringLiteral("%1\n%2: %3")
                .arg(curve.name, loadText(curves, point.load), valueOf(curves, *point.value, point.atLeast));
        if (point.dots.size() > 1)
            drawn.words += (point.geometric ? CurvesTab::tr("\ngeometric mean of %1 runs")
                                            : CurvesTab::tr("\nmean of %1 runs"))
                               .arg(point.dots.size());
        if (point.passed)
            drawn.words +=
                *point.passed ? CurvesTab::tr("\ncriteria met") : CurvesTab::tr("\ncriteria not met");
        curve.pieces.back().push_back(std::move(drawn));
    }
    if (curve.pieces.back().empty() && curve.pieces.size() > 1)
        curve.pieces.pop_back();
    curve.endsEarly = from.endsAt && *from.endsAt < last;
    if (from.knee)
        for (const auto& piece : curve.pieces)
            for (const CurvePoint& point : piece)
                if (point.x == from.knee->load)
                    curve.marks.push_back({ point.x, point.y,
                        CurvesTab::tr("knee, %1").arg(text(format(loadNumber(point.x)))) });
    return curve;
}

/// Every run as a dot, where there are several.
Curve dotsOf(const LoadCurve& from)
{
    Curve dots;
    dots.colour = seriesColour(from.column);
    dots.line = false;
    dots.pieces.emplace_back();
    for (const LoadPoint& point : from.points)
        if (point.dots.size() > 1)
            for (const double value : point.dots)
                dots.pieces.back().push_back(
                    { point.load, value, CurvesTab::tr("a run of %1").arg(text(from.system)), {}, {}, true });
    return dots;
}

QStringList remarksOf(const LoadCurves& curves, double last, const std::string& note)
{
    QStringList remarks;
    for (const LoadCurve& curve : curves.curves) {
        const QString name = text(curve.system);
        if (!curve.endsAt)
            remarks.append(CurvesTab::tr("%1 has no such figure.").arg(name));
        else if (*curve.endsAt < last)
            remarks.append(CurvesTab::tr("%1 ends at %2.").arg(name, loadText(curves, *curve.endsAt)));
    }
    if (!note.empty())
        remarks.append(text(note));
    return remarks;
}

} // namespace

CurvesTab::CurvesTab(QWidget* parent)
    : CompareTab(parent)
    , m_figure(new QComboBox)
    , m_axis(new QComboBox)
    , m_logarithmic(new QCheckBox(tr("Lo&garithmic")))
    , m_remarks(new QLabel)
    , m_chart(new CurveChart)
    , m_table(new PointsTable)
    , m_split(new QSplitter)
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    auto* label = new QLabel(tr("Fi&gure:"));
    label->setBuddy(m_figure);
    m_figure->setAccessibleName(tr("Figure over load"));
    m_figure->setMinimumContentsLength(24);
    m_figure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_axis->addItem(tr("over users"), static_cast<int>(LoadAxis::load));
    m_axis->addItem(tr("over clients"), static_cast<int>(LoadAxis::clients));
    m_axis->addItem(tr("over the achieved rate"), static_cast<int>(LoadAxis::rate));
    m_axis->setAccessibleName(tr("Load axis"));
    m_logarithmic->setToolTip(tr("The value axis is logarithmic: values of 0 and below are not drawn"));
    bar->addWidget(label);
    bar->addWidget(m_figure, 1);
    bar->addWidget(m_axis);
    bar->addWidget(m_logarithmic);
    bar->addStretch(1);
    layout->addLayout(bar);
    m_table->setAccessibleName(tr("Points of the curves"));
    m_chart->setEmptyText(tr("No figure of these columns is known at two loads or more. A plan with several "
                             "mixes has such figures."));
    m_split->addWidget(m_chart);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setSizes({ 640, 380 });
    layout->addWidget(m_split, 1);
    m_remarks->setWordWrap(true);
    m_remarks->setTextFormat(Qt::PlainText);
    m_remarks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_remarks);
    connect(m_figure, &QComboBox::activated, this, [this](int at) {
        m_wanted = m_figure->itemText(at);
        draw();
    });
    connect(m_axis, &QComboBox::activated, this, &CurvesTab::draw);
    connect(m_logarithmic, &QCheckBox::toggled, m_chart, &CurveChart::setLogarithmic);
    connect(m_chart, &FigureChart::currentChanged, this, [this](int series, int item) {
        // The line of the table that has the point.
        const auto& curves = m_chart->curves();
        if (series < 0 || static_cast<std::size_t>(series) >= curves.size())
            return;
        int left = item;
        for (const auto& piece : curves[static_cast<std::size_t>(series)].pieces) {
            if (left >= static_cast<int>(piece.size())) {
                left -= static_cast<int>(piece.size());
                continue;
            }
            const auto at =
                std::find(m_loads.begin(), m_loads.end(), piece[static_cast<std::size_t>(left)].x);
            if (at != m_loads.end())
                m_table->setCurrentSourceRow(static_cast<int>(at - m_loads.begin()));
            return;
        }
    });
}

void CurvesTab::show(std::shared_ptr<const CompareView> view)
{
    m_view = std::move(view);
    fillFigures();
    draw();
}

void CurvesTab::fillFigures()
{
    m_choices = m_view ? m_view->curves : std::vector<CurveChoice>();
    QStringList words;
    for (const CurveChoice& choice : m_choices)
        words.append(wordsOf(choice));
    const QSignalBlocker quiet(m_figure);
    m_figure->clear();
    m_figure->addItems(words);
    m_figure->setEnabled(!words.isEmpty());
    m_figure->setCurrentIndex(std::max<int>(0, static_cast<int>(words.indexOf(m_wanted))));
}

void CurvesTab::draw()
{
    const int at = m_figure->currentIndex();
    if (!m_view || at < 0 || static_cast<std::size_t>(at) >= m_choices.size()) {
        m_chart->setCurves({});
        m_points = {};
        m_table->show(m_points);
        m_remarks->clear();
        return;
    }
    const LoadCurves curves = loadCurves(m_view->columns, m_choices[static_cast<std::size_t>(at)].key,
        static_cast<LoadAxis>(m_axis->currentData().toInt()));
    double last = 0;
    for (const LoadCurve& curve : curves.curves)
        last = std::max(last, curve.endsAt.value_or(0));
    std::vector<Curve> drawn;
    for (const LoadCurve& curve : curves.curves)
        drawn.push_back(curveOf(curves, curve, last));
    for (const LoadCurve& curve : curves.curves)
        if (Curve dots = dotsOf(curve); !dots.pieces.back().empty())
            drawn.push_back(std::move(dots));
    const QString unit = curves.unit.empty() ? QString() : QStringLiteral(" [%1]").arg(text(curves.unit));
    const QString axis = curves.axis == LoadAxis::rate ? tr("Achieved rate")
        : curves.axis == LoadAxis::clients             ? tr("Clients")
                                                       : tr("Load");
    m_chart->setTitle(curves.hasGeometricMeans()
            ? tr("%1 (of several runs: the geometric mean)").arg(text(curves.label))
            : text(curves.label));
    m_chart->setTitles(
        curves.axisUnit.empty() ? axis : QStringLiteral("%1 [%2]").arg(axis, text(curves.axisUnit)),
        text(curves.label) + unit);
    m_chart->setFromZero(true, true);
    m_chart->setCurves(std::move(drawn));
    m_points = curveTable(curves);
    m_loads = curves.loads();
    m_table->show(m_points);
    m_remarks->setText(remarksOf(curves, last, m_points.note).join(QLatin1Char('\n')));
    m_remarks->setVisible(!m_remarks->text().isEmpty());
}

QImage CurvesTab::picture()
{
    return m_chart->image();
}

bool CurvesTab::writeSvg(const QString& file)
{
    return m_chart->writeSvg(file);
}

void CurvesTab::saveTo(QSettings& settings) const
{
    settings.setValue(kFigure, m_wanted);
    settings.setValue(kAxis, m_axis->currentIndex());
    settings.setValue(kSplit, m_split->saveState());
}

void CurvesTab::restoreFrom(const QSettings& settings)
{
    m_wanted = settings.value(kFigure).toString();
    m_axis->setCurrentIndex(std::clamp(settings.value(kAxis, 0).toInt(), 0, m_axis->count() - 1));
    m_split->restoreState(settings.value(kSplit).toByteArray());
}

} // namespace loadstone::ui
