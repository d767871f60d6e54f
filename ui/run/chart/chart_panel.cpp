// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than most: the parts of the panel meet here, and each of its functions is a few lines that connect two of them.
#include "run/chart/chart_panel.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "run/chart/bar_view.h"
#include "run/chart/cursor_strip.h"
#include "run/chart/goto_bar.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/chart/range_choice.h"
#include "run/chart/replay_bar.h"
#include "run/chart/report_view.h"
#include "run/chart/set_choice.h"
#include "run/chart/value_boxes.h"
#include "run/view/derived_definitions.h"
#include "run/view/usual_lines.h"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadstone::ui {

namespace {
const QString kLooks = QStringLiteral("lines/looks"), kLegendColumns = QStringLiteral("columns/chart-legend"),
              kLegendHeight = QStringLiteral("chart/legend-height"), kView = QStringLiteral("chart/view"),
              kValueRange = QStringLiteral("chart/value-range"),
              kLogarithmic = QStringLiteral("chart/logarithmic"),
              kTimeOfDay = QStringLiteral("chart/time-of-day");
constexpr int kUsualRows = 6,
              kUsualPart = 3; // of the legend, at most, and of the panel: the chart is what one looks at
constexpr int kValueRanges = 3; // that are remembered
}

ChartPanel::ChartPanel(QWidget* parent)
    : QWidget(parent)
    , m_legend(new LegendModel(this))
    , m_chart(new PerformanceChart)
    , m_replay(new ReplayBar)
    , m_boxes(new ValueBoxes)
    , m_legendView(new LegendView(m_legend))
    , m_bars(new BarView)
    , m_report(new ReportView(m_legend, m_legendView->selectionModel()))
    , m_pictures(new QStackedWidget)
    , m_cursorStrip(new CursorStrip)
    , m_goTo(new GoToBar([this] { return typedTimeContext(); }))
    , m_range(new RangeChoice)
    , m_shownSet(m_legend)
    , m_set(new SetChoice([this] { return m_shownSet.present(); }))
    , m_splitter(new QSplitter(Qt::Vertical))
{
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_goTo);
    auto* upper = new QWidget;
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(0);
    for (QWidget* picture : std::initializer_list<QWidget*> { m_chart, m_bars, m_report })
        m_pictures->addWidget(picture);
    upperLayout->addWidget(m_pictures, 1);
    upperLayout->addWidget(m_replay);
    m_boxesRow = makeBoxesRow();
    upperLayout->addWidget(m_boxesRow);
    upperLayout->addWidget(m_cursorStrip);
    m_splitter->addWidget(upper);
    m_splitter->addWidget(m_legendView);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setChildrenCollapsible(false);
    layout->addWidget(m_splitter, 1);
    m_replay->hide();
    m_splitter->installEventFilter(this);
    m_legendView->installEventFilter(this);
    connectParts();
    fitLegend();
}

void ChartPanel::connectParts()
{
    connect(m_legend, &LegendModel::keysChanged, this, &ChartPanel::keysChanged);
    connect(m_legend, &LegendModel::styleChanged, this, &ChartPanel::stylesChanged);
    connect(m_legendView, &LegendView::currentRowChanged, this, [this] {
        showSelected();
        if (m_shownAs == ChartView::heatMap) // it is of the selected line
            emit queryChanged();
    });
    connect(m_legendView, &LegendView::focusChanged, this, &ChartPanel::showSelected);
    connect(m_chart, &PerformanceChart::visibleChanged, this, [this] {
        showRange();
        emit queryChanged();
    });
    connect(m_chart, &PerformanceChart::windowSelected, this, &ChartPanel::setSelection);
    connect(m_chart, &PerformanceChart::cursorsChanged, this, &ChartPanel::applyCursors);
    connect(m_chart, &PerformanceChart::lineClicked, m_legendView, &LegendView::choose);
    connect(m_bars, &BarView::lineClicked, m_legendView, &LegendView::choose);
    connect(m_cursorStrip, &CursorStrip::lockChosen, this, [this](bool locked) {
        Cursors cursors = m_chart->cursors();
        cursors.locked = locked;
        m_chart->setCursors(cursors);
    });
    connect(m_cursorStrip, &CursorStrip::removed, this, [this] { m_chart->setCursors({}); });
    connect(m_range, &RangeChoice::followChosen, m_chart, &PerformanceChart::setFollow);
    connect(m_set, &SetChoice::chosen, this, &ChartPanel::chooseSet);
    connect(m_goTo, &GoToBar::chosen, this, &ChartPanel::goTo);
    connect(m_goTo, &GoToBar::closed, m_chart, qOverload<>(&QWidget::setFocus));
    connect(m_replay, &ReplayBar::positionChanged, this, &ChartPanel::queryChanged);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] {
        // As high as its rows is no wish to have no more of them.
        if (const int height = m_legendView->height(); height < m_legendView->maximumHeight())
            m_legendHeight = height;
        else
            m_legendHeight = std::max(m_legendHeight.value_or(0), height);
    });
    m_legendView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_legendView, &QWidget::customContextMenuRequested, this, &ChartPanel::showLegendMenu);
    for (QWidget* picture : std::initializer_list<QWidget*> { m_chart, m_bars, m_report }) {
        picture->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(picture, &QWidget::customContextMenuRequested, this,
            [this, picture](const QPoint& at) { showChartMenu(picture->mapToGlobal(at)); });
    }
}

void ChartPanel::setHeader(const RunHeader& header)
{
    const bool sameRun =
        m_header.id == header.id && m_header.target != header.target; // another of its targets
    m_header = header;
    m_view.reset();
    if (!sameRun) {
        setSelection(std::nullopt); // and the tables that are over it
        m_chart->setCursors({});
        m_chart->setCursor(std::nullopt);
        m_chart->resetZoom();
        m_held = false;
        m_legend->holdScales(false);
        m_replay->setPosition(std::nullopt);
        forgetRemovals();
    }
    nameChart(nullptr);
    m_sources.reset();
    m_computers.reset();
    m_derived.reset();
    m_typedDerived = derivedTexts();
    m_legend->setAvailable(header);
    if (!sameRun) {
        // What was added to another run for a try does not stick to this one.
        if (!std::exchange(m_used, true))
            m_set->setName(firstCounterSet());
        m_setDue = !m_set->name().isEmpty();
        applySet();
        // A range that was typed for one run may have nothing of another in it.
        if (m_chart->valueRange())
            m_valueRanges[static_cast<qsizetype>(m_chart->valueRangeMode())]->trigger();
    }
    m_chart->setWallClock(m_wallClock->isChecked() ? std::optional(header.started) : std::nullopt);
}

void ChartPanel::nameChart(const RunVerdict* outcome)
{
    QStringList parts { text(m_header.target.empty() ? m_header.title
                                                     : m_header.title + ": " + m_header.target),
        text(m_header.id.text()) };
    if (outcome != nullptr && !isQuotable(outcome->verdict)) // first: the end of a long title is cut off
        parts.prepend(verdictName(outcome->verdict).toUpper());
    m_chart->setTitle(parts.join(QStringLiteral("  ·  ")));
}

void ChartPanel::show(std::shared_ptr<const RunView> shown)
{
    m_view = std::move(shown);
    const RunView& view = *m_view;
    nameChart(view.outcome.get());
    if (!sameLines(view)) {
        m_sources = view.sources;
        m_computers = view.computers;
        m_derived = view.derived;
        const std::vector<LineKey> attached = attachedLines();
        m_legend->setAvailable(m_header, m_sources ? *m_sources : std::vector<SourceInfo> {},
            m_computers ? *m_computers : std::vector<ComputerFacts> {},
            m_derived ? *m_derived : std::vector<CounterInfo> {});
        removeLost(attached);
        m_choosing = true;
        m_shownSet.addNew(m_set->name());
        m_choosing = false;
    }
    if (std::exchange(m_setDue, false) && m_legend->rowCount() == 0)
        chooseSet({}); // a set that does not fit the run would leave the chart empty
    if (m_automatic)
        addUsualLines();
    // What is held does not change with what comes after it, nor when the run ends.
    m_held = (view.growing() || m_held) && !m_chart->showsWholeRun() && !m_chart->followed()
        && m_chart->visible().end < view.shown;
    m_legend->holdScales(m_held);
    m_legend->setData(view);
    m_chart->setGrowing(view.growing(), m_header.plannedLength);
    m_chart->setLength(view.length, view.shown);
    m_chart->setPhases(view.phases);
    m_chart->setOverview(view.overview);
    std::vector<ChartMark> marks;
    if (view.annotations)
        for (const Annotation& a : *view.annotations)
            if (a.kind == AnnotationKind::mark && a.at <= view.shown)
                marks.push_back({ a.at, QString::fromStdString(a.text) });
    m_chart->setMarks(std::move(marks));
    m_replay->setLength(view.length);
    if (!m_legendView->currentIndex().isValid() && m_legend->rowCount() > 0)
        m_legendView->choose(0);
    m_chart->setHeatMap(m_shownAs == ChartView::heatMap ? view.heatMap : nullptr);
    showRange();
    applyLines();
    if (m_shownAs == ChartView::heatMap && heatMapQuery() != view.query.heatMap)
        emit queryChanged(); // its limit is a criterion's, which has come in with this view
}

std::vector<LineKey> ChartPanel::attachedLines() const
{
    std::vector<LineKey> lines = m_legend->keys();
    std::erase_if(
        lines, [this](const LineKey& key) { return key.source.empty() || !m_legend->isAvailable(key); });
    return lines;
}

/// Lines of a log that was taken out of the run go with it.
void ChartPanel::removeLost(const std::vector<LineKey>& attached)
{
    QList<int> rows;
    for (const LineKey& key : attached)
        if (!m_legend->isAvailable(key))
            rows.append(m_legend->rowOf(key));
    m_choosing = true; // the user has chosen nothing by that: usual counters stay the usual ones
    if (!rows.isEmpty())
        m_legend->remove(rows);
    m_choosing = false;
}

bool ChartPanel::sameLines(const RunView& view) const
{
    if (view.computers != m_computers || view.derived != m_derived || !view.sources != !m_sources)
        return false;
    return view.sources == m_sources || haveSameLines(*view.sources, *m_sources);
}

void ChartPanel::clear()
{
    m_view.reset();
    m_chart->setLines({});
    m_chart->setOverview({});
    m_chart->setPhases({});
    m_bars->setLines({});
    m_boxes->clear();
}

void ChartPanel::setReplay(bool on)
{
    m_replay->setVisible(on);
    if (!on)
        m_replay->setPosition(std::nullopt);
}

void ChartPanel::fillQuery(RunQuery& query) const
{
    query.until = m_replay->position();
    query.lines = m_legend->keys();
    query.derived = m_typedDerived;
    query.criteria = !m_legend->hasLimits(); // whichever tab is looked at
    // What follows the run's end is for the reader to place: it knows how long the run is by now.
    query.follow = m_chart->followed().value_or(Nanoseconds(0));
    query.visible = m_chart->showsWholeRun() || m_chart->followed() ? TimeWindow {} : m_chart->visible();
    query.bands = static_cast<std::size_t>(std::clamp(m_chart->width(), 200, 1600));
    query.statistics = m_selection.value_or(TimeWindow {});
    query.overview = query.lines.empty() ? std::nullopt : std::optional(query.lines.front());
    if (m_shownAs == ChartView::heatMap)
        query.heatMap = heatMapQuery();
    query.moments.clear();
    for (const auto& cursor : { m_chart->cursors().a, m_chart->cursors().b })
        if (cursor)
            query.moments.push_back(*cursor);
}

std::optional<HeatMapQuery> ChartPanel::heatMapQuery() const
{
    const std::vector<ChartLine> lines = m_legend->chartLines();
    const auto ofRow = [&](int row) {
        const ChartLine& line = lines[static_cast<std::size_t>(row)];
        HeatMapQuery query { m_legend->info(row).key.series, {} };
        const auto setLimit = [&](double milliseconds) { // as lines of latencies are
            query.limit = Nanoseconds(std::llround(milliseconds * 1e6));
        };
        if (line.threshold)
            setLimit(*line.threshold);
        else if (!line.limits.empty())
            setLimit(line.limits.front().value);
        return query;
    };
    const int selected = m_legendView->currentRow();
    if (selected >= 0 && selected < m_legend->rowCount() && m_legend->info(selected).key.isLatency())
        return ofRow(selected);
    for (int row = 0; row < m_legend->rowCount(); ++row)
        if (m_legend->info(row).key.isLatency())
            return ofRow(row);
    for (const HistogramInfo& histogram : m_header.histograms)
        if (histogram.clock == LatencyClock::response || histogram.clock == LatencyClock::service)
            return HeatMapQuery { histogram.key, {} };
    return std::nullopt;
}

void ChartPanel::setSelection(std::optional<TimeWindow> window)
{
    if (window == m_selection)
        return;
    m_selection = window;
    m_chart->setSelection(window);
    emit selectionChanged(window);
    emit queryChanged();
}

void ChartPanel::keysChanged()
{
    if (!m_choosing) {
        m_automatic = false;
        m_shownSet.keep(m_set->name());
        m_set->setOwn(m_set->name().isEmpty());
    }
    fitLegend();
    applyLines();
    emit queryChanged();
}

void ChartPanel::stylesChanged()
{
    if (!m_choosing)
        m_shownSet.keep(m_set->name());
    QSettings().setValue(kLooks, m_legend->looks()); // at once: a program that dies does not take them along
    applyLines();
}

void ChartPanel::addUsualLines()
{
    // Actions join when their first latencies come in; the lines that are there stay as they are.
    const std::vector<LineKey> before = m_legend->keys();
    const bool over = m_view->figures.verdict && std::ranges::none_of(before, &LineKey::isLatency);
    const std::vector<LineKey> keys = withUsualLines(
        before, usualLines(m_header, m_view->latencies, m_legend->available(), over), m_legend->available());
    if (keys == before)
        return;
    const int selected = m_legendView->currentRow();
    m_choosing = true;
    if (std::equal(before.begin(), before.end(), keys.begin())) {
        m_legend->add(keys); // and the selection stays
    } else {
        m_legend->setKeys(keys);
        if (selected >= 0)
            m_legendView->choose(m_legend->rowOf(before[static_cast<std::size_t>(selected)]));
    }
    m_choosing = false;
}

void ChartPanel::chooseSet(const QString& name)
{
    m_set->setName(name);
    applySet();
}

QString ChartPanel::counterSet() const
{
    return m_set->name();
}

void ChartPanel::forgetRemovals()
{
    m_removedFrom.clear();
    m_bringBack->setEnabled(false);
}

void ChartPanel::applySet()
{
    forgetRemovals(); // other lines are meant by now
    m_choosing = true;
    m_automatic = !m_shownSet.show(m_set->name());
    if (m_automatic) {
        m_shownSet.leave();
        m_set->setName({});
        std::vector<std::pair<LineKey, LineStyle>> lines;
        for (const LineKey& key :
            usualLines(m_header, m_view ? m_view->latencies : std::vector<LatencyRow> {},
                m_legend->available(), m_view && m_view->figures.verdict))
            lines.emplace_back(key, LineStyle {}); // what was hidden or scaled by hand is not so any more
        m_legend->setLines(lines);
    }
    m_choosing = false;
    if (m_legend->rowCount() > 0)
        m_legendView->choose(0);
}

void ChartPanel::addLines(const std::vector<LineKey>& keys)
{
    m_legend->add(keys);
    if (!keys.empty())
        m_legendView->choose(m_legend->rowOf(keys.front()));
}

void ChartPanel::applyLines()
{
    m_chart->setLines(m_legend->chartLines());
    m_bars->setLines(m_legend->chartLines());
    m_legend->setReadouts(m_chart->readouts());
    showSelected();
}

void ChartPanel::applyCursors()
{
    const Cursors& cursors = m_chart->cursors();
    m_cursorStrip->setCursors(cursors, m_chart->wallClock());
    m_legendView->showCursors(cursors.a.has_value(), cursors.b.has_value());
    m_legend->setReadouts(m_chart->readouts());
    fitLegend(); // more columns may need a scroll bar
    emit queryChanged();
}

void ChartPanel::showSelected()
{
    const int row = m_legendView->currentRow();
    // Walking the legend by keys shows which line is which.
    m_chart->setSelectedLine(row, m_highlight->isChecked() || m_legendView->hasFocus());
    m_bars->setSelectedLine(row);
    if (row < 0 || row >= m_legend->rowCount()) {
        m_boxes->clear();
        return;
    }
    m_boxes->show(m_legend->shortName(row), m_legend->info(row).unit, m_legend->statistics(row));
}

void ChartPanel::showRange()
{
    const bool zoomed = !m_chart->showsWholeRun() && !m_chart->followed();
    const bool growing = m_view && m_view->growing();
    m_range->showRange(zoomed, m_chart->followed());
    m_freeze->setEnabled(growing);
    m_freeze->setChecked(growing && zoomed);
}

void ChartPanel::fitLegend()
{
    const QScrollBar* bar = m_legendView->horizontalScrollBar();
    const int below = bar->maximum() > 0 ? bar->sizeHint().height() : 0;
    const int whole = m_legendView->wholeHeight() + below;
    m_legendView->setMaximumHeight(whole);
    m_legendView->setMinimumHeight(std::min(whole, 4 * fontMetrics().height()));
    const int wanted = m_legendHeight.value_or(
        std::min((kUsualRows + 1) * (fontMetrics().height() + 6), m_splitter->height() / kUsualPart));
    const int height = std::min(whole, m_legendView->heightOfWholeRows(wanted - below) + below);
    m_splitter->setSizes({ std::max(1, m_splitter->height() - height), height });
}

void ChartPanel::setView(ChartView view)
{
    m_views[static_cast<qsizetype>(view)]->trigger();
}

void ChartPanel::applyView()
{
    const bool isChart = m_shownAs != ChartView::bars && m_shownAs != ChartView::report;
    m_pictures->setCurrentWidget(m_shownAs == ChartView::bars ? static_cast<QWidget*>(m_bars)
            : m_shownAs == ChartView::report                  ? static_cast<QWidget*>(m_report)
                                                              : m_chart);
    m_chart->setPictureBody(m_shownAs == ChartView::bars ? static_cast<const PictureBody*>(m_bars)
            : m_shownAs == ChartView::report             ? static_cast<const PictureBody*>(m_report)
                                                         : nullptr);
    if (m_shownAs != ChartView::heatMap)
        m_chart->setHeatMap(nullptr);
    if (isChart)
        m_chart->setLayout(m_shownAs == ChartView::lanes ? ChartLayout::lanes : ChartLayout::overlay);
    m_valueRanges.last()->setEnabled(
        m_shownAs == ChartView::lines); // lanes have an axis each, bars one of their own
    // The report says it all.
    m_legendView->setVisible(m_shownAs != ChartView::report);
    m_boxesRow->setVisible(m_shownAs != ChartView::report);
    emit queryChanged();
}

void ChartPanel::goTo(const TypedTime& time)
{
    const TimeWindow now = m_chart->visible();
    if (time.phase) {
        m_chart->zoomTo(*time.phase);
    } else if (time.at < now.begin || time.at > now.end) {
        const Nanoseconds half = (now.end - now.begin) / 2;
        m_chart->zoomTo({ time.at - half, time.at + half });
    }
    m_chart->setCursor(time.at);
}

void ChartPanel::freeze(bool on)
{
    m_chart->setFocus(); // which says "End to follow"
    if (!on) {
        m_chart->resetZoom();
        return;
    }
    TimeWindow window = m_chart->visible();
    if (m_view && m_view->shown < window.end)
        window.end = m_view->shown;
    else
        window.end -= Nanoseconds(1); // as long as the axis it would be the whole run, and grow
    m_chart->zoomTo(window);
}

TypedTimeContext ChartPanel::typedTimeContext() const
{
    TypedTimeContext context;
    context.started = m_header.started;
    context.clockFirst = m_wallClock->isChecked();
    context.from = m_chart->cursorTime().value_or(m_chart->visible().begin);
    if (!m_view)
        return context;
    context.length = m_view->shown;
    context.phases = m_view->phases;
    if (m_view->events && m_view->transcripts)
        context.firstError = firstErrorOf(*m_view->events, *m_view->transcripts);
    return context;
}

Nanoseconds ChartPanel::markTime() const
{
    return m_chart->cursorTime().value_or(m_view ? m_view->shown : Nanoseconds(0));
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    emit queryChanged();
}

bool ChartPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_splitter && event->type() == QEvent::Resize)
        fitLegend();
    // What the chart's notice says works where a line is chosen, too.
    if (watched == m_legendView && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_End && m_chart->behind())
        return QCoreApplication::sendEvent(m_chart, event);
    return QWidget::eventFilter(watched, event);
}

void ChartPanel::saveTo(QSettings& settings) const
{
    settings.setValue(kLooks, m_legend->looks());
    settings.setValue(kLegendColumns, m_legendView->horizontalHeader()->saveState());
    if (m_legendHeight)
        settings.setValue(kLegendHeight, *m_legendHeight);
    settings.setValue(kView, static_cast<int>(m_shownAs));
    settings.setValue(kValueRange, static_cast<int>(m_chart->valueRangeMode()));
    settings.setValue(kLogarithmic, m_logarithmic->isChecked());
    settings.setValue(kTimeOfDay, m_wallClock->isChecked());
}

void ChartPanel::restoreFrom(const QSettings& settings)
{
    m_legend->remember(settings.value(kLooks).toList());
    m_legendView->horizontalHeader()->restoreState(settings.value(kLegendColumns).toByteArray());
    applyCursors(); // their columns are hidden, whatever was saved
    if (const int height = settings.value(kLegendHeight).toInt(); height > 0)
        m_legendHeight = height;
    if (const int which = settings.value(kView).toInt(); which > 0 && which < m_views.size())
        m_views[which]->trigger();
    if (const int mode = settings.value(kValueRange, -1).toInt(); mode >= 0 && mode < kValueRanges)
        m_valueRanges[mode]->trigger();
    m_logarithmic->setChecked(settings.value(kLogarithmic, false).toBool());
    m_wallClock->setChecked(settings.value(kTimeOfDay, false).toBool());
    fitLegend();
}

} // namespace loadstone::ui
