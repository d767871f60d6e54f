// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"

#include "charts/chart_canvas.h"
#include "charts/overview_strip.h"
#include "format.h"

#include <QGraphicsLayout>
#include <QVBoxLayout>
#include <QtCharts/QChart>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {
constexpr Nanoseconds kShortest = std::chrono::seconds(2); // a few ticks: nothing more to see below
constexpr Nanoseconds kEmptyRun = std::chrono::seconds(60); // the axis of a run that has hardly begun
constexpr Nanoseconds kBehind = std::chrono::seconds(1); // less is what the last tick brings

/// The next of some round times, so that the axis of a growing run stands still for a while.
Nanoseconds roundAxis(Nanoseconds length)
{
    constexpr int kMinutes[] = { 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 960,
        1440 };
    for (const int minutes : kMinutes)
        if (length <= std::chrono::minutes(minutes))
            return std::chrono::minutes(minutes);
    return std::chrono::ceil<std::chrono::days>(length);
}

/// "42 s", "1:05".
QString durationOf(Nanoseconds length)
{
    const auto whole = std::chrono::floor<std::chrono::seconds>(length);
    return whole < std::chrono::minutes(1) ? QStringLiteral("%1 s").arg(whole.count()) : formatElapsed(whole);
}
}

PerformanceChart::PerformanceChart(QWidget* parent)
    : QWidget(parent)
    , m_canvas(new ChartCanvas(this))
    , m_overview(new OverviewStrip(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_overview);
    m_overview->hide();
    connect(m_overview, &OverviewStrip::windowChosen, this, &PerformanceChart::zoomTo);
    connect(m_canvas->chart(), &QChart::plotAreaChanged, m_overview,
        [this](const QRectF& plot) { m_overview->setPlot(plot.left(), plot.right()); });
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(nullptr);
    m_canvas->setFocusPolicy(Qt::NoFocus);
    m_canvas->viewport()->setMouseTracking(true);
    m_canvas->viewport()->installEventFilter(this);
    setAccessibleName(tr("Chart of the chosen counters"));
}

void PerformanceChart::setLines(std::vector<ChartLine> lines)
{
    m_canvas->setLines(std::move(lines));
}

void PerformanceChart::setSelectedLine(int line, bool emphasised)
{
    m_canvas->setSelectedLine(line, emphasised);
}

void PerformanceChart::setPhases(std::vector<Phase> phases)
{
    m_decor.phases = std::move(phases);
    applyDecor();
}

void PerformanceChart::setMarks(std::vector<ChartMark> marks)
{
    m_decor.marks = std::move(marks);
    applyDecor();
}

void PerformanceChart::setSelection(std::optional<TimeWindow> window)
{
    m_marked.reset();
    showMarking();
    if (window == m_decor.cursors.window())
        return;
    m_decor.cursors.a = window ? std::optional(window->begin) : std::nullopt;
    m_decor.cursors.b = window ? std::optional(window->end) : std::nullopt;
    m_canvas->setOverlay(m_decor);
    emit cursorsChanged(m_decor.cursors);
}

void PerformanceChart::setCursors(const Cursors& cursors)
{
    if (cursors == m_decor.cursors)
        return;
    const auto before = m_decor.cursors.window();
    m_decor.cursors = cursors;
    m_canvas->setOverlay(m_decor);
    emit cursorsChanged(cursors);
    if (const auto window = cursors.window(); window != before)
        emit windowSelected(window);
}

std::vector<CursorReadout> PerformanceChart::readouts() const
{
    std::vector<CursorReadout> all;
    for (const ChartLine& line : m_canvas->lines())
        all.push_back(readout(line.bands, m_decor.cursors, line.read));
    return all;
}

void PerformanceChart::setLayout(ChartLayout layout)
{
    m_canvas->setChartLayout(layout);
}

ChartLayout PerformanceChart::chartLayout() const
{
    return m_canvas->chartLayout();
}

void PerformanceChart::setValueRangeMode(ValueRange mode)
{
    m_canvas->setValueRangeMode(mode);
}

ValueRange PerformanceChart::valueRangeMode() const
{
    return m_canvas->valueRangeMode();
}

void PerformanceChart::setLogarithmic(bool on)
{
    m_valueZoom.reset(); // it was drawn on the other axis
    m_canvas->setLogarithmic(on);
    applyValueRange();
}

bool PerformanceChart::isLogarithmic() const
{
    return m_canvas->isLogarithmic();
}

void PerformanceChart::setHeatMap(std::shared_ptr<const HeatMap> map)
{
    m_canvas->setHeatMap(std::move(map));
}

bool PerformanceChart::showsHeatMap() const
{
    return m_canvas->showsHeatMap();
}

void PerformanceChart::setOverview(std::vector<CounterBand> wholeRun)
{
    m_overview->setVisible(!wholeRun.empty());
    m_overview->setBands(std::move(wholeRun));
    applyOverview();
}

void PerformanceChart::setLength(Nanoseconds length, Nanoseconds shown)
{
    m_length = length;
    m_shown = shown;
    applyLength();
}

void PerformanceChart::setGrowing(bool growing, Nanoseconds planned)
{
    if (m_growing == growing && m_planned == planned)
        return;
    m_growing = growing;
    m_planned = planned;
    applyLength();
}

void PerformanceChart::applyLength()
{
    m_decor.shownUntil = m_growing || m_shown < m_length ? std::optional(m_shown) : std::nullopt;
    applyWindow();
}

void PerformanceChart::setFollow(std::optional<Nanoseconds> span)
{
    m_follow = span;
    m_zoom.reset();
    applyWindow();
    emit visibleChanged();
}

void PerformanceChart::setWallClock(std::optional<WallTime> start)
{
    m_canvas->setWallClock(start);
    m_decor.start = start;
    applyDecor();
}

void PerformanceChart::setOrigin(Nanoseconds origin)
{
    m_decor.origin = origin;
    applyDecor();
}

void PerformanceChart::setValueRange(std::optional<std::pair<double, double>> range)
{
    m_valueRange = range;
    m_valueZoom.reset();
    applyValueRange();
}

std::pair<double, double> PerformanceChart::shownValues() const
{
    const ChartMapping map = m_canvas->mapping();
    return { map.low, map.high };
}

Nanoseconds PerformanceChart::axisLength() const
{
    if (m_length <= Nanoseconds(0))
        return kEmptyRun;
    if (!m_growing)
        return std::max(m_length, kShortest);
    Nanoseconds axis = roundAxis(m_length);
    if (m_planned > Nanoseconds(0))
        axis = std::min(axis, std::max(m_planned, kEmptyRun));
    return std::max(axis, m_length); // phases without a planned end take longer than the plan
}

TimeWindow PerformanceChart::visible() const
{
    if (m_zoom)
        return *m_zoom;
    if (m_follow) {
        const Nanoseconds end = std::max(m_shown, *m_follow);
        return { end - *m_follow, end };
    }
    return { Nanoseconds(0), axisLength() };
}

std::optional<Nanoseconds> PerformanceChart::behind() const
{
    const Nanoseconds behind = m_shown - visible().end;
    return m_growing && behind >= kBehind ? std::optional(behind) : std::nullopt;
}

TimeWindow PerformanceChart::withinRun(TimeWindow window) const
{
    const Nanoseconds whole = axisLength();
    const Nanoseconds span = std::clamp(window.end - window.begin, kShortest, whole);
    const Nanoseconds begin = std::clamp(window.begin, Nanoseconds(0), whole - span);
    return { begin, begin + span };
}

void PerformanceChart::zoomTo(TimeWindow window)
{
    const TimeWindow next = withinRun(window);
    if (next.begin == Nanoseconds(0) && next.end >= axisLength())
        m_zoom.reset();
    else
        m_zoom = next;
    applyWindow();
    emit visibleChanged();
}

void PerformanceChart::zoomBy(double factor, std::optional<Nanoseconds> about)
{
    const TimeWindow now = visible();
    const Nanoseconds centre = about.value_or(m_decor.cursor.value_or(now.begin + (now.end - now.begin) / 2));
    const auto scaled = [&](Nanoseconds t) {
        return centre + Nanoseconds(std::llround(static_cast<double>((t - centre).count()) * factor));
    };
    zoomTo({ scaled(now.begin), scaled(now.end) });
}

void PerformanceChart::panBy(double share)
{
    const TimeWindow now = visible();
    const Nanoseconds by(std::llround(static_cast<double>((now.end - now.begin).count()) * share));
    zoomTo({ now.begin + by, now.end + by });
}

void PerformanceChart::resetZoom()
{
    m_zoom.reset();
    m_valueZoom.reset();
    applyWindow();
    applyValueRange();
    emit visibleChanged();
}

void PerformanceChart::showEverything()
{
    m_follow.reset();
    resetZoom();
}

void PerformanceChart::setCursor(std::optional<Nanoseconds> at)
{
    m_pointerX.reset();
    m_cursorPinned = m_cursorPinned && at; // what is not there holds nothing
    m_decor.cursor = at;
    m_canvas->setOverlay(m_decor);
}

void PerformanceChart::applyDecor()
{
    m_canvas->setDecor(m_decor);
}

void PerformanceChart::applyWindow()
{
    const auto late = behind();
    m_decor.notice = late ? tr("%1 behind, End to follow").arg(durationOf(*late)) : QString();
    m_canvas->setWindow(visible());
    applyDecor();
    applyOverview();
}

void PerformanceChart::applyOverview()
{
    m_overview->setTimes({ Nanoseconds(0), axisLength() }, visible(), m_decor.phases);
}

void PerformanceChart::applyValueRange()
{
    m_canvas->setValueRange(m_valueZoom ? m_valueZoom : m_valueRange);
}

void PerformanceChart::renderTo(QPainter& painter, const QRectF& target)
{
    m_canvas->renderTo(painter, target);
}

QSize PerformanceChart::chartSize() const
{
    return m_canvas->size();
}

void PerformanceChart::setChartSize(QSize size)
{
    m_canvas->resize(size);
    for (int pass = 0; pass < 3; ++pass) // new ticks have labels of another width, which move the axes again
        m_canvas->chart()->layout()->activate();
}

std::vector<QRectF> PerformanceChart::plots() const
{
    std::vector<QRectF> plots;
    for (const ChartMapping& map : m_canvas->laneMappings())
        plots.push_back(map.plot);
    return plots;
}

int PerformanceChart::pictures() const
{
    return m_canvas->pictures();
}

const std::vector<ChartLine>& PerformanceChart::lines() const
{
    return m_canvas->lines();
}

TimeWindow PerformanceChart::statisticsWindow() const
{
    const TimeWindow window = m_decor.cursors.window().value_or(visible());
    return { std::min(window.begin, m_shown), std::min(window.end, m_shown) };
}

} // namespace loadstone::ui
