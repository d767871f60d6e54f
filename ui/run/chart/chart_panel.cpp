// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/chart_panel.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "icons.h"
#include "run/chart/add_counters_dialog.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/chart/replay_bar.h"
#include "run/chart/value_boxes.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kLines = QStringLiteral("lines/mail"), kAutomatic = QStringLiteral("lines/automatic"),
              kLegendColumns = QStringLiteral("columns/legend"), kSplit = QStringLiteral("splitter/chart");
}

ChartPanel::ChartPanel(QWidget* parent)
    : QWidget(parent)
    , m_legend(new LegendModel(this))
    , m_chart(new PerformanceChart)
    , m_replay(new ReplayBar)
    , m_boxes(new ValueBoxes)
    , m_legendView(new LegendView(m_legend))
    , m_follow(new QComboBox)
    , m_splitter(new QSplitter(Qt::Vertical))
{
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    auto* upper = new QWidget;
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(0);
    upperLayout->addWidget(m_chart, 1);
    upperLayout->addWidget(m_replay);
    upperLayout->addWidget(m_boxes);
    m_splitter->addWidget(upper);
    m_splitter->addWidget(m_legendView);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setSizes({ 400, 8 * (fontMetrics().height() + 5) });
    m_splitter->setChildrenCollapsible(false);
    layout->addWidget(m_splitter, 1);
    m_replay->hide();

    connect(m_legend, &LegendModel::keysChanged, this, [this] {
        m_automatic = m_automatic && m_choosing;
        applyLines();
        emit queryChanged();
    });
    connect(m_legend, &LegendModel::styleChanged, this, &ChartPanel::applyLines);
    connect(m_legendView, &LegendView::currentRowChanged, this, &ChartPanel::showSelected);
    connect(m_chart, &PerformanceChart::visibleChanged, this, [this] {
        if (m_chart->showsWholeRun())
            m_follow->setCurrentIndex(0);
        emit queryChanged();
    });
    connect(m_chart, &PerformanceChart::windowSelected, this, &ChartPanel::setSelection);
    connect(m_replay, &ReplayBar::positionChanged, this, &ChartPanel::queryChanged);
    m_legendView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_legendView, &QWidget::customContextMenuRequested, this, &ChartPanel::showContextMenu);
}

void ChartPanel::makeActions()
{
    const auto make = [this](const QString& text, const char* picture, const QKeySequence& keys,
                          bool checkable) {
        auto* action = new QAction(icon(QLatin1String(picture)), text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut); // of the window's pages only the visible one hears it
        action->setCheckable(checkable);
        if (!keys.isEmpty())
            action->setToolTip(QStringLiteral("%1 (%2)").arg(
                QString(text).remove(QLatin1Char('&')), keys.toString(QKeySequence::NativeText)));
        addAction(action);
        m_actions.append(action);
        return action;
    };
    m_add = make(tr("&Add counters…"), "add", QKeySequence(Qt::CTRL | Qt::Key_I), false);
    connect(m_add, &QAction::triggered, this, &ChartPanel::addCounters);
    m_remove = make(tr("&Remove counters"), "remove", QKeySequence(Qt::Key_Delete), false);
    // Anywhere else on the page Delete would take lines away that one is not looking at.
    removeAction(m_remove);
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    m_legendView->addAction(m_remove);
    connect(m_remove, &QAction::triggered, this, [this] { m_legend->remove(m_legendView->selectedRows()); });
    m_properties = make(tr("Line &properties…"), "plan", QKeySequence(Qt::CTRL | Qt::Key_P), false);
    connect(m_properties, &QAction::triggered, this, [this] {
        if (m_legendView->currentRow() >= 0)
            m_legendView->editProperties(m_legendView->currentRow());
    });
    m_defaults = make(tr("&Usual counters"), "recording", {}, false);
    connect(m_defaults, &QAction::triggered, this, [this] {
        m_choosing = true;
        m_automatic = true;
        m_legend->setKeys(defaultLines(m_header, m_view ? m_view->latencies : std::vector<LatencyRow> {}));
        m_choosing = false;
    });
    m_highlight = make(tr("&Highlight selected"), "highlight", QKeySequence(Qt::CTRL | Qt::Key_H), true);
    connect(m_highlight, &QAction::toggled, this, &ChartPanel::showSelected);

    auto* drags = new QActionGroup(this);
    const auto drag = [&](const QString& text, const char* picture, const QKeySequence& keys,
                          PerformanceChart::Drag what) {
        QAction* action = make(text, picture, keys, true);
        drags->addAction(action);
        m_drags.append(action);
        connect(action, &QAction::triggered, this, [this, what] { m_chart->setDrag(what); });
        return action;
    };
    drag(tr("Drag to &zoom"), "zoom", QKeySequence(Qt::ALT | Qt::Key_1), PerformanceChart::Drag::zoom)
        ->setChecked(true);
    drag(tr("Drag to p&an"), "pan", QKeySequence(Qt::ALT | Qt::Key_2), PerformanceChart::Drag::pan);
    drag(tr("Drag to choose the &statistics window"), "select", QKeySequence(Qt::ALT | Qt::Key_3),
        PerformanceChart::Drag::select);
    m_reset = make(tr("Show &everything"), "whole", QKeySequence(Qt::CTRL | Qt::Key_0), false);
    connect(m_reset, &QAction::triggered, m_chart, &PerformanceChart::showEverything);
    QAction* play =
        make(tr("Play or pause the repla&y"), "play", QKeySequence(Qt::CTRL | Qt::Key_Space), false);
    connect(play, &QAction::triggered, this, [this] {
        if (m_replay->isVisible())
            m_replay->togglePlay();
    });
    m_wallClock = make(tr("&Time of day on the axis"), "history", {}, true);
    connect(m_wallClock, &QAction::toggled, this,
        [this](bool on) { m_chart->setWallClock(on ? std::optional(m_header.started) : std::nullopt); });
}

QWidget* ChartPanel::makeToolBar()
{
    auto* bar = new QToolBar;
    bar->setIconSize(QSize(18, 18));
    bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
    bar->addActions({ m_add, m_remove, m_properties, m_highlight });
    bar->addSeparator();
    bar->addActions(m_drags);
    bar->addAction(m_reset);
    bar->addSeparator();
    auto* label = new QLabel(tr("Sho&w: "));
    label->setBuddy(m_follow);
    bar->addWidget(label);
    m_follow->setAccessibleName(tr("Time range of the chart"));
    m_follow->addItem(tr("whole run"), 0);
    m_follow->addItem(tr("last minute"), 60);
    m_follow->addItem(tr("last 5 minutes"), 300);
    m_follow->addItem(tr("last 30 minutes"), 1800);
    m_follow->addItem(tr("last 2 hours"), 7200);
    // Not only when the entry changes: the same one again leads back from a zoom.
    connect(m_follow, &QComboBox::activated, this, [this] {
        const int span = m_follow->currentData().toInt();
        m_chart->setFollow(span == 0 ? std::nullopt : std::optional<Nanoseconds>(std::chrono::seconds(span)));
    });
    bar->addWidget(m_follow);
    return bar;
}

void ChartPanel::setHeader(const RunHeader& header)
{
    const bool sameRun =
        m_header.id == header.id && m_header.target != header.target; // another of its targets
    m_header = header;
    m_view.reset();
    if (!sameRun) {
        setSelection(std::nullopt); // and the tables that are over it
        m_chart->resetZoom();
        m_replay->setPosition(std::nullopt);
    }
    m_chart->setTitle(
        QStringLiteral("%1  ·  %2")
            .arg(text(header.target.empty() ? header.title : header.title + ": " + header.target),
                text(header.id.text())));
    m_sources.reset();
    m_legend->setAvailable(header);
    // The lines of another kind of run, few of which this one has, would leave the chart all but empty.
    const std::vector<LineKey> keys = m_legend->keys();
    const auto here = std::count_if(keys.begin(), keys.end(), [&](const LineKey& key) {
        return std::any_of(m_legend->available().begin(), m_legend->available().end(),
            [&](const LineInfo& info) { return info.key == key; });
    });
    if (!m_legend->available().empty() && 2 * static_cast<std::size_t>(here) < keys.size())
        m_defaults->trigger();
    m_chart->setWallClock(m_wallClock->isChecked() ? std::optional(header.started) : std::nullopt);
}

void ChartPanel::show(std::shared_ptr<const RunView> shown)
{
    m_view = std::move(shown);
    const RunView& view = *m_view;
    if (m_automatic)
        addDefaultLines();
    if (view.sources != m_sources) {
        m_sources = view.sources;
        m_legend->setAvailable(m_header, m_sources ? *m_sources : std::vector<SourceInfo> {});
    }
    m_legend->setData(view);
    m_chart->setLength(view.length, view.shown);
    m_chart->setPhases(view.phases);
    std::vector<ChartMark> marks;
    if (view.annotations)
        for (const Annotation& a : *view.annotations)
            if (a.kind == AnnotationKind::mark && a.at <= view.shown)
                marks.push_back({ a.at, QString::fromStdString(a.text) });
    m_chart->setMarks(std::move(marks));
    m_replay->setLength(view.length);
    if (!m_legendView->currentIndex().isValid() && m_legend->rowCount() > 0)
        m_legendView->setCurrentIndex(m_legend->index(0, LegendModel::Counter));
    applyLines();
}

void ChartPanel::addDefaultLines()
{
    // Actions join when their first latencies come in; the lines that are there stay as they are.
    m_choosing = true;
    m_legend->add(defaultLines(m_header, m_view->latencies));
    m_choosing = false;
}

void ChartPanel::clear()
{
    m_view.reset();
    m_chart->setLines({});
    m_chart->setPhases({});
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
    // What follows the run's end is for the reader to place: it knows how long the run is by now.
    query.follow = m_chart->followed().value_or(Nanoseconds(0));
    query.visible = m_chart->showsWholeRun() || m_chart->followed() ? TimeWindow {} : m_chart->visible();
    query.bands = static_cast<std::size_t>(std::clamp(m_chart->width(), 200, 1600));
    query.statistics = m_selection.value_or(TimeWindow {});
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

void ChartPanel::applyLines()
{
    std::vector<ChartLine> lines = m_legend->chartLines();
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].statistics = m_legend->statistics(static_cast<int>(i));
    m_chart->setLines(std::move(lines));
    showSelected();
}

void ChartPanel::showSelected()
{
    const int row = m_legendView->currentRow();
    m_chart->setSelectedLine(row, m_highlight->isChecked());
    if (row < 0 || row >= m_legend->rowCount()) {
        m_boxes->clear();
        return;
    }
    m_boxes->show(m_legend->info(row).shortName(), m_legend->info(row).unit, m_legend->statistics(row));
}

void ChartPanel::addCounters()
{
    AddCountersDialog dialog(m_legend->available(), m_legend->keys(), this);
    if (dialog.exec() == QDialog::Accepted)
        m_legend->add(dialog.chosen());
}

void ChartPanel::showContextMenu(const QPoint& at)
{
    QMenu menu;
    menu.addActions({ m_properties, m_highlight, m_remove });
    menu.addSeparator();
    menu.addActions({ m_add, m_defaults });
    menu.exec(m_legendView->viewport()->mapToGlobal(at));
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    emit queryChanged();
}

void ChartPanel::saveTo(QSettings& settings) const
{
    settings.setValue(kLines, m_legend->save());
    settings.setValue(kAutomatic, m_automatic);
    settings.setValue(kLegendColumns, m_legendView->horizontalHeader()->saveState());
    settings.setValue(kSplit, m_splitter->saveState());
}

void ChartPanel::restoreFrom(const QSettings& settings)
{
    const QVariantList lines = settings.value(kLines).toList();
    m_automatic = settings.value(kAutomatic, lines.isEmpty()).toBool();
    if (m_automatic)
        m_legend->remember(lines); // which lines there are, each recording says again
    else
        m_legend->restore(lines);
    m_legendView->horizontalHeader()->restoreState(settings.value(kLegendColumns).toByteArray());
    m_splitter->restoreState(settings.value(kSplit).toByteArray());
}

} // namespace loadstone::ui
