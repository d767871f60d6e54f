// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/bars_tab.h"

#include "charts/bar_chart.h"
#include "compare/tabs/points_table.h"
#include "compare/view/compare_words.h"
#include "format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kFigure = QStringLiteral("compare/bars-figure"),
              kRatios = QStringLiteral("compare/bars-ratios");

Bar barOf(const Comparison& made, const ComparisonMix& mix, const ComparisonRow& row, std::size_t column)
{
    const ComparedCell& cell = row.cells[column];
    Bar bar;
    bar.value = cell.value;
    bar.text = valueText(row, cell);
    for (const RunDot& dot : cell.dots)
        if (dot.value && dot.counts) // the bar is the mean of these
            bar.dots.push_back(*dot.value);
    bar.bound = cell.flags.lowerBound;
    bar.hollow = !made.status[column].notComparable.empty();
    bar.words = QStringLiteral("%1, %2\n%3").arg(text(made.columns[column]), mixTitle(mix), bar.text);
    if (bar.dots.size() > 1)
        bar.words +=
            (row.geometric ? BarsTab::tr(", geometric mean of %1 runs") : BarsTab::tr(", mean of %1 runs"))
                .arg(bar.dots.size());
    if (const QString word = wordText(cell); !word.isEmpty())
        bar.words += QLatin1Char('\n') + word;
    return bar;
}

} // namespace

BarsTab::BarsTab(QWidget* parent)
    : CompareTab(parent)
    , m_figure(new QComboBox)
    , m_ratios(new QCheckBox(tr("&Ratio to the chosen bar")))
    , m_chart(new BarChart)
    , m_table(new PointsTable)
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    auto* label = new QLabel(tr("Fi&gure:"));
    label->setBuddy(m_figure);
    m_figure->setAccessibleName(tr("Figure as bars"));
    m_figure->setMinimumContentsLength(24);
    m_figure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_ratios->setChecked(true);
    m_ratios->setToolTip(tr("A line shows the ratio of each bar to that of one column; a click on a bar, or "
                            "Enter, chooses the column"));
    bar->addWidget(label);
    bar->addWidget(m_figure, 1);
    bar->addWidget(m_ratios);
    bar->addStretch(1);
    layout->addLayout(bar);
    m_chart->setEmptyText(tr("None of the columns has this figure."));
    m_table->setAccessibleName(tr("Values of the bars"));
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(m_chart);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({ 400, 110 });
    layout->addWidget(split, 1);
    connect(m_figure, &QComboBox::activated, this, [this](int at) {
        m_wanted = m_figure->itemText(at);
        draw();
    });
    connect(m_ratios, &QCheckBox::toggled, this, &BarsTab::draw);
    connect(m_chart, &FigureChart::activated, this, [this](int series, int) {
        m_reference = series;
        draw();
    });
}

void BarsTab::show(std::shared_ptr<const CompareView> view)
{
    const auto columnsOf = [](const std::shared_ptr<const CompareView>& of) {
        return of && of->comparison ? of->comparison->columns : std::vector<std::string>();
    };
    if (columnsOf(view) != columnsOf(m_view))
        m_reference = -1;
    m_view = std::move(view);
    fillFigures();
    draw();
}

void BarsTab::fillFigures()
{
    m_choices.clear();
    if (m_view && m_view->comparison)
        for (const ComparisonMix& mix : m_view->comparison->mixes)
            for (const ComparisonRow& row : mix.rows)
                if (std::none_of(m_choices.begin(), m_choices.end(),
                        [&](const Choice& c) { return c.key == row.key; }))
                    m_choices.push_back({ row.key,
                        row.group.empty() ? text(row.label)
                                          : text(row.group) + QStringLiteral(": ") + text(row.label) });
    QStringList words;
    for (const Choice& choice : m_choices)
        words.append(choice.words);
    const QSignalBlocker quiet(m_figure);
    m_figure->clear();
    m_figure->addItems(words);
    m_figure->setEnabled(!words.isEmpty());
    m_figure->setCurrentIndex(std::max<int>(0, static_cast<int>(words.indexOf(m_wanted))));
}

void BarsTab::draw()
{
    const int at = m_figure->currentIndex();
    m_points = {};
    if (at < 0 || static_cast<std::size_t>(at) >= m_choices.size()) {
        m_chart->setBars({}, {});
        m_table->show(m_points);
        return;
    }
    const Comparison& made = *m_view->comparison;
    const RowKey& key = m_choices[static_cast<std::size_t>(at)].key;
    std::vector<QString> series;
    for (const std::string& name : made.columns)
        series.push_back(text(name));
    const int reference = !m_ratios->isChecked() ? -1
        : m_reference >= 0                       ? m_reference
                                                 : static_cast<int>(made.options.baseline);
    std::vector<BarGroup> groups;
    QString label, unit;
    bool geometric = false;
    for (const ComparisonMix& mix : made.mixes)
        for (const ComparisonRow& row : mix.rows) {
            if (row.key != key)
                continue;
            label = text(row.label);
            unit = text(row.unit);
            geometric = geometric || row.geometric;
            BarGroup group { mixTitle(mix), {} };
            for (std::size_t column = 0; column < row.cells.size(); ++column)
                group.bars.push_back(barOf(made, mix, row, column));
            groups.push_back(std::move(group));
        }
    m_chart->setTitle(geometric ? tr("%1 (of several runs: the geometric mean)").arg(label) : label);
    m_chart->setValueTitle(unit.isEmpty() ? label : QStringLiteral("%1 [%2]").arg(label, unit));
    m_chart->setBars(series, groups);
    m_chart->setReference(reference);
    m_points.title = bytes(label);
    m_points.columns.push_back({ "Load", false });
    for (const QString& name : series) {
        m_points.columns.push_back(
            { bytes(unit.isEmpty() ? name : QStringLiteral("%1 [%2]").arg(name, unit)), true });
        if (reference >= 0)
            m_points.columns.push_back({ bytes(tr("Ratio")), true });
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::vector<Cell> row { bytes(groups[g].name) };
        for (std::size_t s = 0; s < groups[g].bars.size(); ++s) {
            FigureFlags flags;
            flags.lowerBound = groups[g].bars[s].bound;
            row.emplace_back(Number { groups[g].bars[s].value, Unit::one, { Notation::shortest, 6 }, flags });
            if (reference >= 0) {
                const auto ratio = m_chart->ratio(g, s);
                row.emplace_back(Number { ratio, Unit::one, { Notation::plain, 3 } });
            }
        }
        m_points.rows.push_back(std::move(row));
    }
    m_table->show(m_points);
}

QImage BarsTab::picture()
{
    return m_chart->image();
}

bool BarsTab::writeSvg(const QString& file)
{
    return m_chart->writeSvg(file);
}

void BarsTab::saveTo(QSettings& settings) const
{
    settings.setValue(kFigure, m_wanted);
    settings.setValue(kRatios, m_ratios->isChecked());
}

void BarsTab::restoreFrom(const QSettings& settings)
{
    m_wanted = settings.value(kFigure).toString();
    m_ratios->setChecked(settings.value(kRatios, true).toBool());
}

} // namespace loadstone::ui
