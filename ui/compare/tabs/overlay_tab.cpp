// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: one feed for each run, one axis and one chart, and what joins them.
#include "compare/tabs/overlay_tab.h"

#include "charts/chart_picture.h"
#include "charts/performance_chart.h"
#include "charts/series_colours.h"
#include "compare/tabs/overlay_choices.h"
#include "compare/view/overlay_runs_model.h"
#include "elided_label.h"
#include "format.h"
#include "icons.h"
#include "run/chart/add_counters_dialog.h"
#include "run/chart/cursor_strip.h"
#include "run/view/usual_lines.h"
#include "tables/data_table.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr int kDrawMilliseconds = 30;
constexpr int kRestMilliseconds = 100; // a chart is at rest when it has not moved for so long
constexpr std::size_t kMostShownFirst = 12; // runs
constexpr std::size_t kFewCounters = 2; // at first
constexpr Qt::PenStyle kPens[] = { Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine };
const QString kKeys = QStringLiteral("compare/overlay-counters"),
              kRows = QStringLiteral("compare/overlay-rows"),
              kColumns = QStringLiteral("compare/overlay-columns"),
              kLayout = QStringLiteral("compare/overlay-layout");

/// Nearly all of the time of one is that of the other as well, so that their averages can be compared.
bool haveSameTime(TimeWindow a, TimeWindow b)
{
    const double common = seconds(std::min(a.end, b.end) - std::max(a.begin, b.begin));
    return common > 0
        && common >= kEnoughCovered * std::max(seconds(a.end - a.begin), seconds(b.end - b.begin));
}

} // namespace

OverlayTab::OverlayTab(QWidget* parent)
    : CompareTab(parent)
    , m_chart(new PerformanceChart)
    , m_strip(new CursorStrip)
    , m_runsModel(new OverlayRunsModel(this))
    , m_runsTable(new DataTable)
    , m_readoutTable(new DataTable)
    , m_readoutRows(new RowsModel<OverlayReadout>(readoutColumns(), this))
    , m_alignment(new QComboBox)
    , m_load(new QComboBox)
    , m_layout(new QComboBox)
    , m_words(new ElidedLabel)
    , m_add(new QAction(icon(QStringLiteral("add")), tr("Counters…"), this))
    , m_remove(new QAction(icon(QStringLiteral("remove")), tr("Remove counter"), this))
    , m_drawing(new QTimer(this))
    , m_resting(new QTimer(this))
    , m_rows(new QSplitter(Qt::Vertical))
    , m_columns(new QSplitter)
{
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeBar());
    layout->addWidget(m_strip);
    makeReadouts();
    m_columns->addWidget(m_runsTable);
    m_columns->addWidget(m_readoutTable);
    m_columns->setSizes({ 330, 700 });
    m_rows->addWidget(m_chart);
    m_rows->addWidget(m_columns);
    m_rows->setStretchFactor(0, 1);
    m_rows->setSizes({ 420, 180 });
    layout->addWidget(m_rows, 1);
    m_chart->setLayout(ChartLayout::lanes);
    m_drawing->setSingleShot(true);
    m_resting->setSingleShot(true);
    m_drawing->setInterval(kDrawMilliseconds);
    connect(m_drawing, &QTimer::timeout, this, &OverlayTab::draw);
    m_resting->setInterval(kRestMilliseconds);
    connect(m_resting, &QTimer::timeout, this, &OverlayTab::ask);
    connect(m_chart, &PerformanceChart::visibleChanged, this, [this] {
        // Dragged within what was read: to read it again would take the processors from the pictures.
        isRead(m_read, m_chart->visible()) ? m_resting->start() : ask();
    });
    connect(m_chart, &PerformanceChart::cursorsChanged, this, [this](const Cursors& cursors) {
        Cursors shown = cursors; // as the axis counts
        if (shown.a)
            *shown.a -= m_axis.origin;
        if (shown.b)
            *shown.b -= m_axis.origin;
        m_strip->setCursors(m_chart->wallClock() ? cursors : shown, m_chart->wallClock());
        readOut();
        ask();
    });
    connect(m_strip, &CursorStrip::lockChosen, this, [this](bool locked) {
        Cursors next = m_chart->cursors();
        next.locked = locked;
        m_chart->setCursors(next);
    });
    connect(m_strip, &CursorStrip::removed, this, [this] { m_chart->setCursors({}); });
    connect(m_runsModel, &OverlayRunsModel::edited, this, [this] {
        for (std::size_t i = 0; i < m_sources.size(); ++i)
            if (m_runsModel->runs()[i].shown && !m_sources[i]->open && m_visible)
                openRuns();
        align();
    });
}

OverlayTab::~OverlayTab() = default;

QWidget* OverlayTab::makeBar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    for (QAction* action : { m_add, m_remove }) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(action == m_add ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        row->addWidget(button);
    }
    m_add->setToolTip(tr("Chooses counters that are drawn of all runs"));
    m_remove->setToolTip(tr("Takes the counter of the chosen line away"));
    connect(m_add, &QAction::triggered, this, &OverlayTab::addCounters);
    connect(m_remove, &QAction::triggered, this, [this] {
        const int at = m_readoutTable->currentSourceRow();
        if (at < 0 || static_cast<std::size_t>(at) >= m_lineOf.size() || m_keys.size() < 2)
            return;
        std::vector<LineKey> keys = m_keys;
        keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(m_lineOf[static_cast<std::size_t>(at)].second));
        setKeys(std::move(keys));
    });
    auto* label = new QLabel(tr("A&lign at:"));
    label->setBuddy(m_alignment);
    addAlignments(m_alignment);
    m_load->setAccessibleName(tr("Load level"));
    m_load->hide();
    addLayouts(m_layout);
    row->addWidget(label);
    row->addWidget(m_alignment);
    row->addWidget(m_load);
    row->addWidget(m_layout);
    auto* whole = new QToolButton;
    whole->setIcon(icon(QStringLiteral("whole")));
    whole->setToolTip(tr("Shows everything (Home in the chart)"));
    whole->setAccessibleName(tr("Show everything"));
    connect(whole, &QToolButton::clicked, m_chart, &PerformanceChart::showEverything);
    row->addWidget(whole);
    row->addWidget(m_words, 1);
    connect(m_alignment, &QComboBox::activated, this, &OverlayTab::align);
    connect(m_load, &QComboBox::activated, this, &OverlayTab::align);
    connect(m_layout, &QComboBox::activated, this, [this] {
        m_chart->setLayout(chartLayoutOf(*m_layout));
        draw();
    });
    return bar;
}

void OverlayTab::makeReadouts()
{
    m_runsTable->setSource(m_runsModel);
    m_runsTable->setSortingEnabled(false);
    m_runsTable->setAccessibleName(tr("Runs of the overlay"));
    m_runsTable->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
        | QAbstractItemView::AnyKeyPressed);
    m_runsTable->setWidestColumn(220);
    m_readoutTable->setSource(m_readoutRows);
    m_readoutTable->freezeFirstColumn();
    m_readoutTable->setAccessibleName(tr("What the lines show at the cursors"));
    m_readoutTable->setWidestColumn(240);
    connect(m_readoutTable->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        m_chart->setSelectedLine(m_readoutTable->currentSourceRow(), m_readoutTable->currentSourceRow() >= 0);
    });
    connect(m_chart, &PerformanceChart::lineClicked, m_readoutTable, &DataTable::setCurrentSourceRow);
    for (const int step : { -1, 1 }) {
        auto* move = new QAction(this);
        move->setShortcut(Qt::CTRL | (step < 0 ? Qt::Key_Left : Qt::Key_Right));
        move->setShortcutContext(Qt::WidgetShortcut);
        connect(move, &QAction::triggered, this, [this, step] {
            const int at = m_runsTable->currentSourceRow();
            if (at >= 0)
                m_runsModel->setShift(at,
                    m_runsModel->runs()[static_cast<std::size_t>(at)].byHand + std::chrono::seconds(step));
        });
        m_runsTable->addAction(move);
    }
}

void OverlayTab::show(std::shared_ptr<const CompareView> view)
{
    m_view = std::move(view);
    if (m_visible)
        openRuns();
}

void OverlayTab::showEvent(QShowEvent* event)
{
    CompareTab::showEvent(event);
    m_visible = true;
    openRuns();
}

void OverlayTab::hideEvent(QHideEvent* event)
{
    CompareTab::hideEvent(event);
    m_visible = false;
}

void OverlayTab::openRuns()
{
    if (!m_view || !m_view->comparison)
        return;
    std::vector<std::unique_ptr<Source>> before = std::exchange(m_sources, {});
    std::vector<OverlayRunsModel::Run> rows;
    std::size_t shown = 0;
    QStringList external;
    for (std::size_t c = 0; c < m_view->columns.size(); ++c) {
        const ComparedColumn& column = m_view->columns[c];
        for (std::size_t r = 0; r < column.runs.size(); ++r) {
            const ComparedRun& run = column.runs[r];
            if (run.external) {
                external.append(text(column.name));
                continue;
            }
            const auto known = std::find_if(before.begin(), before.end(), [&](const auto& source) {
                return source && source->id == run.id && source->target == run.target;
            });
            const auto row = std::find_if(m_runsModel->runs().begin(), m_runsModel->runs().end(),
                [&](const OverlayRunsModel::Run& one) { return one.id == run.id.text() + run.target; });
            std::unique_ptr<Source> source =
                known == before.end() ? std::make_unique<Source>() : std::move(*known);
            source->id = run.id;
            source->file = run.file;
            source->target = run.target;
            source->column = c;
            source->name = column.runs.size() == 1
                ? text(column.name)
                : tr("%1, run %2").arg(text(column.name), QString::number(r + 1));
            source->colour = r == 0
                ? seriesColour(c)
                : seriesColour(c).lighter(static_cast<int>(100 + 22 * std::min<std::size_t>(r, 4)));
            const bool isShown =
                row != m_runsModel->runs().end() ? row->shown : r == 0 && shown < kMostShownFirst;
            shown += isShown ? 1 : 0;
            rows.push_back({ run.id.text() + run.target, source->name, {}, source->colour, isShown,
                row != m_runsModel->runs().end() ? row->byHand : Nanoseconds(0) });
            if (isShown && !source->open) {
                source->open = true;
                Source* one = source.get();
                connect(&one->feed, &RunFeed::opened, this,
                    [one](std::shared_ptr<const RunHeader> header) { one->header = std::move(header); });
                connect(&one->feed, &RunFeed::changed, this,
                    [this, one](std::shared_ptr<const RunView> now) { take(*one, std::move(now)); });
                connect(&one->feed, &RunFeed::failed, this, [this, one](const QString& message) {
                    one->problem = message;
                    align();
                });
                one->feed.open(one->file, one->target);
            }
            m_sources.push_back(std::move(source));
        }
    }
    m_runsModel->setRuns(std::move(rows));
    external.removeDuplicates();
    m_words->setText(external.isEmpty()
            ? QString()
            : tr("No counters over time: %1").arg(external.join(QStringLiteral(", "))));
    align();
}

std::vector<OverlayTab::Source*> OverlayTab::shownSources() const
{
    std::vector<Source*> shown;
    for (std::size_t i = 0; i < m_sources.size(); ++i)
        if (m_runsModel->runs()[i].shown)
            shown.push_back(m_sources[i].get());
    return shown;
}

int OverlayTab::awaited() const
{
    return static_cast<int>(std::ranges::count_if(shownSources(), [this](const Source* source) {
        return source->problem.isEmpty()
            && (!source->view || source->view->query.lines != source->ownKeys(m_keys));
    }));
}

void OverlayTab::take(Source& source, std::shared_ptr<const RunView> view)
{
    const bool first = source.view == nullptr;
    const bool otherAxis =
        first || source.view->length != view->length || source.view->phases.size() != view->phases.size();
    source.setView(std::move(view));
    if (m_keys.empty())
        chooseUsual();
    if (otherAxis)
        align();
    if (!m_drawing->isActive())
        m_drawing->start();
}

void OverlayTab::chooseUsual()
{
    std::vector<LineKey> keys;
    const auto isThere = [this](const LineKey& key) {
        return std::ranges::any_of(m_sources, [&](const auto& source) {
            return std::ranges::find(source->lines(), key, &LineInfo::key) != source->lines().end();
        });
    };
    for (const QString& saved : m_savedKeys)
        if (const auto key = LineKey::parse(saved); key && isThere(*key))
            keys.push_back(*key);
    for (const auto& source : m_sources)
        if (keys.empty() && source->header) {
            keys = source->commonKeys(usualLines(*source->header, {}, source->ownLines()));
            if (keys.size() > kFewCounters)
                keys.resize(kFewCounters);
        }
    if (!keys.empty())
        setKeys(std::move(keys));
}

void OverlayTab::setKeys(std::vector<LineKey> keys)
{
    m_keys = std::move(keys);
    ask();
    draw();
}

void OverlayTab::addCounters()
{
    std::vector<LineInfo> all;
    std::set<QString> listed;
    for (const auto& source : m_sources)
        for (const LineInfo& info : source->lines())
            if (listed.insert(info.key.text()).second)
                all.push_back(info);
    AddCountersDialog dialog(all, m_keys, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    std::vector<LineKey> keys = m_keys;
    for (const LineKey& key : dialog.chosen())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    setKeys(std::move(keys));
}

void OverlayTab::setAlign(OverlayAlign align)
{
    m_alignment->setCurrentIndex(m_alignment->findData(static_cast<int>(align)));
    this->align();
}

void OverlayTab::align()
{
    std::vector<OverlayRun> runs;
    std::vector<Source*> placed;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        Source& source = *m_sources[i];
        if (!m_runsModel->runs()[i].shown || !source.header || !source.view)
            continue;
        runs.push_back({ source.header->started, source.view->length, source.view->phases,
            m_runsModel->runs()[i].byHand });
        placed.push_back(&source);
    }
    const auto how = static_cast<OverlayAlign>(m_alignment->currentData().toInt());
    m_load->setVisible(how == OverlayAlign::load);
    const QStringList loads = commonLoads(runs);
    listLoads(m_load, loads);
    OverlayAxis axis = overlayAxis(runs, how, m_load->currentText());
    std::vector<QString> remarks(m_sources.size());
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const auto at = std::find(placed.begin(), placed.end(), m_sources[i].get());
        if (!m_sources[i]->problem.isEmpty())
            remarks[i] = m_sources[i]->problem;
        else if (at != placed.end() && !axis.aligned[static_cast<std::size_t>(at - placed.begin())])
            remarks[i] = how == OverlayAlign::load ? tr("has no such load: at its start")
                                                   : tr("nothing was measured: at its start");
    }
    m_runsModel->setRemarks(remarks);
    for (std::size_t i = 0; i < placed.size(); ++i)
        placed[i]->start = axis.starts[i];
    const bool moved = axis.origin != m_axis.origin;
    const Nanoseconds by = axis.origin - m_axis.origin;
    m_axis = std::move(axis);
    m_chart->setLength(m_axis.length, m_axis.length);
    m_chart->setOrigin(m_axis.origin);
    // Of the baseline, or of the first run.
    const auto baseline = std::find_if(placed.begin(), placed.end(), [this](const Source* source) {
        return m_view && m_view->comparison && source->column == m_view->comparison->options.baseline;
    });
    std::vector<Phase> phases;
    if (!placed.empty()) {
        const Source& of = baseline == placed.end() ? *placed.front() : **baseline;
        const bool isOfAll = std::ranges::all_of(
            placed, [&](const Source* one) { return haveSameMixes(one->view->phases, of.view->phases); });
        phases = bandsOf(of.view->phases, of.start, isOfAll ? QString() : of.name);
    }
    m_chart->setPhases(std::move(phases));
    if (how == OverlayAlign::wallClock && !runs.empty()) {
        WallTime first = WallTime::max();
        for (const OverlayRun& run : runs)
            first = std::min(first, run.started);
        m_chart->setWallClock(first);
    } else {
        m_chart->setWallClock(std::nullopt);
    }
    if (moved) // the cursors stay where they are of what the runs are aligned at
        m_chart->setCursors(shifted(m_chart->cursors(), by));
    ask();
    draw();
}

void OverlayTab::ask()
{
    m_resting->stop();
    const TimeWindow visible = m_chart->visible();
    m_read = withMargins(visible);
    const TimeWindow statistics = m_chart->cursors().window().value_or(visible);
    const auto width = static_cast<std::size_t>(std::max(200, m_chart->width()));
    for (Source* source : shownSources()) {
        RunQuery query;
        query.linesOnly = true;
        query.lines = source->ownKeys(m_keys);
        query.visible = ofRun(m_read, source->start);
        query.bands = 2 * width;
        query.statistics = ofRun(statistics, source->start);
        for (const auto& cursor : { m_chart->cursors().a, m_chart->cursors().b })
            if (cursor && *cursor >= source->start)
                query.moments.push_back(*cursor - source->start);
        source->feed.setQuery(query);
    }
}

std::vector<ChartLine> OverlayTab::makeLines()
{
    std::vector<ChartLine> lines;
    std::vector<ScaledLine> scaled;
    m_lineOf.clear();
    const bool byRun = m_layout->currentData().toInt() == static_cast<int>(OverlayLayout::lanesByRun);
    for (std::size_t k = 0; k < m_keys.size(); ++k)
        for (const Source* source : shownSources()) {
            const LineData* const data = source->data(m_keys[k]);
            if (data == nullptr)
                continue;
            const QString name = source->shortName(m_keys[k], m_keys);
            ChartLine line;
            line.name = m_keys.size() == 1 ? source->name : QStringLiteral("%1: %2").arg(source->name, name);
            line.unit = source->info(m_keys[k]).unit;
            line.colour = source->colour;
            line.style = kPens[k % std::size(kPens)];
            line.family = byRun ? source->name : name;
            line.whole = data->whole;
            line.statistics = data->statistics;
            line.coverage = data->coverage * source->shareOf(m_chart->statisticsWindow());
            line.bands = data->bands;
            for (CounterBand& band : line.bands) {
                band.begin += source->start;
                band.end += source->start;
            }
            line.read = data->read;
            for (ReadValue& value : line.read) {
                value.at += source->start;
                value.value.place += source->start;
            }
            scaled.push_back({ line.unit, name, line.whole });
            lines.push_back(std::move(line));
            m_lineOf.emplace_back(source, k);
        }
    const auto scales = automaticScales(scaled);
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].scale = scales[i].value_or(1);
    return lines;
}

void OverlayTab::draw()
{
    m_drawing->stop();
    m_chart->setTitle(m_view && m_view->comparison ? overlayTitle(m_view->comparison->columns) : QString());
    m_chart->setLines(makeLines());
    m_remove->setEnabled(m_keys.size() > 1);
    m_add->setEnabled(!m_sources.empty());
    readOut();
}

void OverlayTab::readOut()
{
    const std::vector<ChartLine>& lines = m_chart->lines();
    const std::vector<CursorReadout> values = m_chart->readouts();
    std::vector<OverlayReadout> rows;
    const std::size_t baseline = m_view && m_view->comparison ? m_view->comparison->options.baseline : 0;
    for (std::size_t i = 0; i < std::min(lines.size(), m_lineOf.size()); ++i) {
        const auto& [source, key] = m_lineOf[i];
        OverlayReadout row { source->name, source->shortName(m_keys[key], m_keys), lines[i].unit,
            lines[i].colour, values[i], lines[i].statistics };
        row.covered = lines[i].coverage;
        const auto reference = std::ranges::find_if(m_lineOf,
            [&](const auto& other) { return other.second == key && other.first->column == baseline; });
        if (reference != m_lineOf.end() && lines[i].statistics.samples != 0) {
            const ChartLine& base = lines[static_cast<std::size_t>(reference - m_lineOf.begin())];
            if (haveSameTime(source->averaged(m_keys[key]), reference->first->averaged(m_keys[key])))
                row.ofBaseline = lines[i].statistics.average / base.statistics.average;
            else if (base.statistics.samples != 0)
                row.whyNone = tr("The two averages are over different times. Put the cursors A and B around "
                                 "a time that both cover.");
        }
        rows.push_back(std::move(row));
    }
    m_readoutRows->setRows(std::move(rows));
}

QImage OverlayTab::picture()
{
    return chartImage(*m_chart);
}

bool OverlayTab::writeSvg(const QString& file)
{
    return writeChartSvg(*m_chart, file, m_chart->title());
}

std::vector<ReportTable> OverlayTab::data() const
{
    ReportTable table;
    table.title = "Counters";
    table.columns = { { "Run", false }, { "Counter", false }, { "Unit", false },
        { "Since alignment [s]", true }, { "Minimum", true }, { "Average", true }, { "Maximum", true } };
    const auto number = [](double value) { return Number { value, Unit::one, { Notation::shortest, 9 } }; };
    const std::vector<ChartLine>& lines = m_chart->lines();
    for (std::size_t i = 0; i < std::min(lines.size(), m_lineOf.size()); ++i) {
        const auto& [source, key] = m_lineOf[i];
        const std::string& of = m_keys[key].source;
        const std::string counter = m_keys[key].name() + (of.empty() ? "" : ", " + of);
        for (const CounterBand& band : lines[i].bands)
            table.rows.push_back({ bytes(source->name), counter, bytes(lines[i].unit),
                number(seconds(band.end - m_axis.origin)), number(band.minimum), number(band.average),
                number(band.maximum) });
    }
    return { table };
}

void OverlayTab::saveTo(QSettings& settings) const
{
    QStringList keys;
    for (const LineKey& key : m_keys)
        keys.append(key.text());
    if (!keys.isEmpty())
        settings.setValue(kKeys, keys);
    settings.setValue(kRows, m_rows->saveState());
    settings.setValue(kColumns, m_columns->saveState());
    settings.setValue(kLayout, m_layout->currentIndex());
}

void OverlayTab::restoreFrom(const QSettings& settings)
{
    const QStringList keys = settings.value(kKeys).toStringList();
    m_savedKeys.assign(keys.begin(), keys.end());
    m_rows->restoreState(settings.value(kRows).toByteArray());
    m_columns->restoreState(settings.value(kColumns).toByteArray());
    m_layout->setCurrentIndex(std::clamp(settings.value(kLayout, 0).toInt(), 0, m_layout->count() - 1));
    m_chart->setLayout(chartLayoutOf(*m_layout));
}

} // namespace loadstone::ui
