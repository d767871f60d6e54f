// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/quantile_tab.h"

#include "charts/curve_chart.h"
#include "charts/series_colours.h"
#include "compare/tabs/points_table.h"
#include "compare/view/compare_words.h"
#include "format.h"
#include "history/history_store.h"

#include <loadstone/recording.h>

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace loadstone::ui {

namespace {

enum As { asTime, asShare };

struct Latency {
    SeriesKey key;
    QString name;
};

Number milliseconds(double value)
{
    return { value, Unit::seconds, { Notation::milliseconds, 4 } };
}

/// The latencies that people wait for, of actions first.
std::vector<Latency> latenciesOf(const RunHeader& header)
{
    std::vector<Latency> all;
    for (const LatencyScope scope : { LatencyScope::action, LatencyScope::delivery, LatencyScope::command })
        for (const HistogramInfo& info : header.histograms)
            if (info.scope == scope && !isAge(info.clock)
                && (scope != LatencyScope::action || info.clock == LatencyClock::response))
                all.push_back({ info.key, text(latencyNameOf(info.key)) });
    return all;
}

} // namespace

struct QuantileTab::Answer {
    std::shared_ptr<const CompareView> view;
    std::vector<Latency> latencies;
    std::vector<std::vector<QuantileShift>> curves; // of each column; empty: it is the baseline, or has none
};

QuantileTab::QuantileTab(HistoryStore& store, QWidget* parent)
    : CompareTab(parent)
    , m_store(store)
    , m_latency(new QComboBox)
    , m_mix(new QComboBox)
    , m_as(new QComboBox)
    , m_words(new QLabel)
    , m_chart(new CurveChart)
    , m_table(new PointsTable)
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    auto* label = new QLabel(tr("&Latency:"));
    label->setBuddy(m_latency);
    m_latency->setAccessibleName(tr("Latency"));
    m_latency->setMinimumContentsLength(24);
    m_latency->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_mix->setAccessibleName(tr("Mix"));
    m_mix->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_as->addItem(tr("difference in ms"), asTime);
    m_as->addItem(tr("difference in %"), asShare);
    m_as->setAccessibleName(tr("Unit of the difference"));
    bar->addWidget(label);
    bar->addWidget(m_latency, 1);
    bar->addWidget(m_mix);
    bar->addWidget(m_as);
    bar->addStretch(1);
    layout->addLayout(bar);
    m_table->setAccessibleName(tr("Differences of percentiles"));
    auto* split = new QSplitter;
    split->addWidget(m_chart);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({ 620, 400 });
    layout->addWidget(split, 1);
    m_words->setWordWrap(true);
    m_words->setText(
        tr("The band is where 95 % of the differences lie when the stretches of these runs are "
           "drawn again (block bootstrap). It is "
           "about these runs alone: other runs of the same configurations differ by more. Where a "
           "column has several runs, their times are taken together; the table's cells are means "
           "of each run's percentile, so the two can differ."));
    layout->addWidget(m_words);
    m_chart->setFromZero(false, false);
    connect(m_latency, &QComboBox::activated, this, [this](int at) {
        m_wanted = m_latency->itemText(at);
        ask();
    });
    connect(m_mix, &QComboBox::activated, this, &QuantileTab::ask);
    connect(m_as, &QComboBox::activated, this, &QuantileTab::draw);
}

QuantileTab::~QuantileTab()
{
    if (m_stop)
        *m_stop = true;
}

void QuantileTab::show(std::shared_ptr<const CompareView> view)
{
    m_view = std::move(view);
    QStringList names;
    if (m_view && m_view->comparison)
        for (const ComparisonMix& mix : m_view->comparison->mixes)
            if (!mix.name.empty())
                names.append(mixTitle(mix));
    QStringList listed;
    for (int i = 0; i < m_mix->count(); ++i)
        listed.append(m_mix->itemText(i));
    if (names != listed) {
        m_mix->clear();
        m_mix->addItems(names);
        m_mix->setVisible(names.size() > 1);
    }
    m_due = true;
    if (m_visible)
        ask();
}

void QuantileTab::showEvent(QShowEvent* event)
{
    CompareTab::showEvent(event);
    m_visible = true;
    if (m_due)
        ask();
}

void QuantileTab::hideEvent(QHideEvent* event)
{
    CompareTab::hideEvent(event);
    m_visible = false;
}

void QuantileTab::ask()
{
    m_due = false;
    if (m_stop)
        *m_stop = true;
    m_stop = std::make_shared<std::atomic<bool>>(false);
    if (!m_view || !m_view->comparison || m_mix->count() == 0) {
        m_answer.reset();
        draw();
        return;
    }
    m_chart->setEmptyText(tr("Reading the histograms…"));
    m_store.run(
        [view = m_view, mixAt = static_cast<std::size_t>(std::max(0, m_mix->currentIndex())),
            wanted = m_wanted, stop = m_stop](History&) -> Result<std::shared_ptr<const Answer>> {
            auto answer = std::make_shared<Answer>();
            answer->view = view;
            const Comparison& made = *view->comparison;
            const std::size_t baseline = made.options.baseline;
            answer->curves.resize(view->columns.size());
            const ComparedColumn& base = view->columns[baseline];
            const ComparisonMix& mix = made.mixes[mixAt];
            if (base.runs.front().external || !mix.mixes[baseline])
                return std::shared_ptr<const Answer>(answer);
            const auto recording = Recording::open(base.runs.front().file, base.runs.front().target);
            if (!recording)
                return recording.error();
            answer->latencies = latenciesOf(recording->header());
            auto chosen = std::find_if(answer->latencies.begin(), answer->latencies.end(),
                [&](const Latency& one) { return one.name == wanted; });
            if (chosen == answer->latencies.end())
                chosen = answer->latencies.begin();
            if (chosen == answer->latencies.end())
                return std::shared_ptr<const Answer>(answer);
            const auto before = ColumnLatencies(base).read(*mix.mixes[baseline], chosen->key, stop.get());
            if (!before)
                return before.error();
            for (std::size_t c = 0; c < view->columns.size() && !*stop; ++c) {
                if (c == baseline || !mix.mixes[c])
                    continue;
                const auto after =
                    ColumnLatencies(view->columns[c]).read(*mix.mixes[c], chosen->key, stop.get());
                if (!after)
                    return after.error();
                answer->curves[c] = quantileCurve(*before, *after);
            }
            return std::shared_ptr<const Answer>(answer);
        },
        this,
        [this, stop = m_stop](const Result<std::shared_ptr<const Answer>>& answer) {
            if (*stop)
                return;
            if (!answer) {
                m_answer.reset();
                m_chart->setEmptyText(text(answer.error().message));
                draw();
                return;
            }
            m_answer = *answer;
            take(**answer);
        });
}

void QuantileTab::take(const Answer& answer)
{
    QStringList names;
    for (const Latency& latency : answer.latencies)
        names.append(latency.name);
    m_latency->clear();
    m_latency->addItems(names);
    m_latency->setEnabled(!names.isEmpty());
    m_latency->setCurrentIndex(std::max<int>(0, static_cast<int>(names.indexOf(m_wanted))));
    QStringList faulty; // left out, as their means have no difference
    for (const ComparedColumn& column : answer.view->columns)
        if (std::ranges::none_of(countingRuns(column), std::identity()))
            faulty.append(text(column.name));
    m_chart->setEmptyText(faulty.isEmpty()
            ? tr("Neither of the runs has enough samples of this latency, or the baseline is a "
                 "published result, which has no histograms.")
            : tr("Percentiles are compared of valid runs that were measured to their end. None of %1 is one.")
                  .arg(faulty.join(tr(", "))));
    draw();
}

void QuantileTab::draw()
{
    m_points = {};
    std::vector<Curve> curves;
    std::vector<std::pair<double, QString>> ticks;
    const bool share = m_as->currentData().toInt() == asShare;
    const QString unit = share ? QStringLiteral("%") : QStringLiteral("ms");
    if (m_answer && m_answer->view->comparison) {
        const Comparison& made = *m_answer->view->comparison;
        const QString what = tr("%1, %2").arg(m_latency->currentText(), m_mix->currentText());
        m_points.title = bytes(what);
        m_points.columns = { { "Column", false }, { "Percentile", true }, { "Baseline [ms]", true },
            { "Here [ms]", true }, { "Difference [ms]", true }, { "from [ms]", true }, { "to [ms]", true } };
        for (std::size_t c = 0; c < m_answer->curves.size(); ++c) {
            const auto& shifts = m_answer->curves[c];
            if (shifts.empty())
                continue;
            Curve curve { text(made.columns[c]), seriesColour(c), static_cast<int>(c % kMarkerShapes), true,
                {}, {}, false };
            curve.pieces.emplace_back();
            for (std::size_t i = 0; i < shifts.size(); ++i) {
                const QuantileShift& s = shifts[i];
                const double factor = share ? (s.before > 0 ? 100 / s.before : 0) : 1e3;
                const QString percentile =
                    text(format(Number { s.percentile, Unit::one, { Notation::shortest, 4 } }));
                if (ticks.size() <= i)
                    ticks.emplace_back(static_cast<double>(i), percentile);
                CurvePoint point { static_cast<double>(i), s.shift * factor, {}, s.low * factor,
                    s.high * factor, s.atLeast };
                point.words = tr("%1, percentile %2\n%3 instead of %4")
                                  .arg(curve.name, percentile, formatIn(s.after, QStringLiteral("s")),
                                      formatIn(s.before, QStringLiteral("s")));
                curve.pieces.back().push_back(std::move(point));
                m_points.rows.push_back(
                    { made.columns[c], Number { s.percentile, Unit::one, { Notation::shortest, 4 } },
                        milliseconds(s.before), milliseconds(s.after), milliseconds(s.shift),
                        milliseconds(s.low), milliseconds(s.high) });
            }
            curves.push_back(std::move(curve));
        }
        m_chart->setTitle(tr("%1, of what ended well: difference from %2")
                              .arg(what, text(made.columns[made.options.baseline])));
    }
    m_chart->setXTicks(std::move(ticks));
    m_chart->setTitles(tr("Percentile"), tr("Difference [%1]").arg(unit));
    m_chart->setLevels({ { 0, tr("no difference") } });
    m_chart->setCurves(std::move(curves));
    m_table->show(m_points);
}

QImage QuantileTab::picture()
{
    return m_chart->image();
}

bool QuantileTab::writeSvg(const QString& file)
{
    return m_chart->writeSvg(file);
}

} // namespace loadstone::ui
