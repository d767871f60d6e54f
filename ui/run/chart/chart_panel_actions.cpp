// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_picture.h"
#include "charts/performance_chart.h"
#include "format.h"
#include "icons.h"
#include "run/chart/add_counters_dialog.h"
#include "run/chart/chart_files.h"
#include "run/chart/chart_panel.h"
#include "run/chart/goto_bar.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/chart/range_choice.h"
#include "run/chart/replay_bar.h"
#include "run/chart/set_choice.h"
#include "run/chart/value_boxes.h"
#include "run/view/derived_definitions.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace loadstone::ui {

// What the user can do with the panel: its actions, toolbar and menus.

QAction* ChartPanel::makeAction(
    const QString& text, const char* picture, const QKeySequence& keys, bool checkable)
{
    auto* action = new QAction(text, this);
    if (picture != nullptr)
        action->setIcon(icon(QLatin1String(picture)));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WindowShortcut); // of the window's pages only the visible one hears it
    action->setCheckable(checkable);
    if (!keys.isEmpty())
        action->setToolTip(QStringLiteral("%1 (%2)").arg(
            QString(text).remove(QLatin1Char('&')), keys.toString(QKeySequence::NativeText)));
    addAction(action);
    m_actions.append(action);
    return action;
}

void ChartPanel::makeActions()
{
    for (void (ChartPanel::*const make)() : { &ChartPanel::makeLineActions, &ChartPanel::makeMouseActions,
             &ChartPanel::makeViewActions, &ChartPanel::makeTimeActions }) {
        auto* separator = new QAction(this); // in the window's menu, which is long
        separator->setSeparator(true);
        m_actions.append(separator);
        (this->*make)();
    }
}

void ChartPanel::makeLineActions()
{
    m_add = makeAction(tr("&Add counters…"), "add", QKeySequence(Qt::CTRL | Qt::Key_I), false);
    connect(m_add, &QAction::triggered, this, &ChartPanel::addCounters);
    m_remove = makeAction(tr("&Remove counters"), "remove", QKeySequence(Qt::Key_Delete), false);
    // Anywhere else on the page Delete would take lines away that one is not looking at.
    removeAction(m_remove);
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    m_legendView->addAction(m_remove);
    connect(m_remove, &QAction::triggered, this, [this] { removeLines(m_legendView->selectedRows()); });
    m_removeAll = makeAction(tr("Remove a&ll counters"), "delete", {}, false);
    connect(m_removeAll, &QAction::triggered, this, [this] {
        QList<int> rows;
        for (int row = 0; row < m_legend->rowCount(); ++row)
            rows.append(row);
        const QString set = m_set->name();
        m_set->setName({}); // a set that is kept by name is not meant
        removeLines(rows, set);
    });
    m_bringBack = makeAction(tr("&Bring removed counters back"), nullptr, QKeySequence::Undo, false);
    m_bringBack->setEnabled(false);
    connect(m_bringBack, &QAction::triggered, this, &ChartPanel::bringBack);
    m_defaults = makeAction(tr("&Usual counters"), "recording", {}, false);
    connect(m_defaults, &QAction::triggered, this, [this] { chooseSet({}); });
    m_properties = makeAction(tr("Line &properties…"), "plan", QKeySequence(Qt::CTRL | Qt::Key_P), false);
    connect(m_properties, &QAction::triggered, this,
        [this] { m_legendView->editProperties(m_legendView->selectedRows()); });
    m_highlight =
        makeAction(tr("&Highlight selected"), "highlight", QKeySequence(Qt::CTRL | Qt::Key_H), true);
    connect(m_highlight, &QAction::toggled, this, &ChartPanel::showSelected);
}

void ChartPanel::removeLines(const QList<int>& rows, const QString& set)
{
    if (rows.isEmpty())
        return;
    LinesBefore& before = m_removedFrom.emplace_back();
    before.set = set.isEmpty() ? m_set->name() : set;
    before.automatic = m_automatic;
    for (int row = 0; row < m_legend->rowCount(); ++row)
        before.lines.emplace_back(m_legend->info(row).key, m_legend->style(row));
    m_legend->remove(rows);
    if (m_legend->rowCount() > 0) // the keys go on from where they were
        m_legendView->choose(std::min(*std::ranges::min_element(rows), m_legend->rowCount() - 1));
    m_bringBack->setEnabled(true);
}

void ChartPanel::bringBack()
{
    if (m_removedFrom.empty())
        return;
    LinesBefore before = std::move(m_removedFrom.back());
    m_removedFrom.pop_back();
    m_bringBack->setEnabled(!m_removedFrom.empty());
    const std::vector<LineKey> left = m_legend->keys();
    bool isMore = false;
    for (int row = 0; row < m_legend->rowCount(); ++row) { // what was added since stays
        const LineKey key = m_legend->info(row).key;
        if (std::none_of(before.lines.begin(), before.lines.end(),
                [&](const auto& line) { return line.first == key; })) {
            before.lines.emplace_back(key, m_legend->style(row));
            isMore = true;
        }
    }
    m_set->setName(before.set);
    m_legend->setLines(before.lines); // a set that is kept by name has them again
    m_automatic = before.automatic && !isMore;
    m_set->setOwn(before.set.isEmpty() && !m_automatic);
    const std::vector<LineKey> now = m_legend->keys();
    const auto restored = std::ranges::find_if(
        now, [&](const LineKey& key) { return std::ranges::find(left, key) == left.end(); });
    if (!now.empty())
        m_legendView->choose(restored == now.end() ? 0 : static_cast<int>(restored - now.begin()));
}

void ChartPanel::makeMouseActions()
{
    auto* drags = new QActionGroup(this);
    const auto drag = [&](const QString& text, const char* picture, const QKeySequence& keys,
                          PerformanceChart::Drag what) {
        QAction* action = makeAction(text, picture, keys, true);
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
    m_reset = makeAction(tr("Show &everything"), "whole", QKeySequence(Qt::CTRL | Qt::Key_0), false);
    connect(m_reset, &QAction::triggered, m_chart, &PerformanceChart::showEverything);
}

void ChartPanel::makeViewActions()
{
    auto* views = new QActionGroup(this);
    const std::pair<ChartView, QString> names[] = { { ChartView::lines, tr("&Lines") },
        { ChartView::lanes, tr("L&anes") }, { ChartView::heatMap, tr("&Heat map") },
        { ChartView::bars, tr("&Bars") }, { ChartView::report, tr("&Report") } };
    int key = Qt::Key_4; // after those of the mouse
    for (const auto& [view, name] : names) {
        QAction* action =
            makeAction(name, nullptr, QKeySequence(Qt::ALT | static_cast<Qt::Key>(key++)), true);
        views->addAction(action);
        m_views.append(action);
        connect(action, &QAction::triggered, this, [this, view = view] {
            m_shownAs = view;
            applyView();
            emit chartWanted();
        });
    }
    m_views[0]->setChecked(true);
    auto* ranges = new QActionGroup(this);
    const QString modes[] = { tr("Value axis: what is &visible"),
        tr("Value axis: the whole &run but its drain"),
        tr("Value axis: the whole run but its drain, &same for all lanes of a unit") };
    for (int mode = 0; mode < 3; ++mode) {
        QAction* action = makeAction(modes[mode], nullptr, {}, true);
        ranges->addAction(action);
        m_valueRanges.append(action);
        connect(action, &QAction::triggered, this,
            [this, mode] { chooseValueRange(static_cast<ValueRange>(mode)); });
    }
    m_valueRanges[static_cast<qsizetype>(m_chart->valueRangeMode())]->setChecked(true);
    QAction* fixed = makeAction(tr("Value axis of lines: &from, to…"), nullptr, {}, true);
    ranges->addAction(fixed);
    m_valueRanges.append(fixed);
    connect(fixed, &QAction::triggered, this, &ChartPanel::askValueRange);
    m_logarithmic = makeAction(tr("Lo&garithmic values"), nullptr, {}, true);
    m_logarithmic->setToolTip(tr("Decades are equally high; values of 0 and below are gaps"));
    connect(m_logarithmic, &QAction::toggled, m_chart, &PerformanceChart::setLogarithmic);
}

void ChartPanel::makeTimeActions()
{
    QAction* play =
        makeAction(tr("Play or pause the repla&y"), "play", QKeySequence(Qt::CTRL | Qt::Key_Space), false);
    connect(play, &QAction::triggered, this, [this] {
        if (m_replay->isVisible())
            m_replay->togglePlay();
    });
    m_freeze = makeAction(tr("&Freeze the chart of a live run"), "pause", QKeySequence(Qt::Key_Pause), true);
    m_freeze->setEnabled(false);
    connect(m_freeze, &QAction::triggered, this, &ChartPanel::freeze);
    m_goToTime = makeAction(tr("&Go to time…"), nullptr, QKeySequence(Qt::CTRL | Qt::Key_G), false);
    m_goToTime->setObjectName(QStringLiteral("goToTime"));
    connect(m_goToTime, &QAction::triggered, this, [this] {
        emit chartWanted(); // or the field could not be seen
        m_goTo->begin();
    });
    m_mark = makeAction(tr("Set &mark…"), "mark", QKeySequence(Qt::CTRL | Qt::Key_M), false);
    connect(m_mark, &QAction::triggered, this, [this] {
        if (m_view)
            emit markWanted(markTime());
    });
    m_wallClock = makeAction(tr("&Time of day on the axis"), "history", {}, true);
    connect(m_wallClock, &QAction::toggled, this, [this](bool on) {
        const bool isKnown = m_header.started != WallTime();
        m_chart->setWallClock(on && isKnown ? std::optional(m_header.started) : std::nullopt);
        applyCursors(); // their times are written as the axis writes them
    });
}

QWidget* ChartPanel::makeToolBar()
{
    auto* bar = new QToolBar;
    bar->setIconSize(QSize(18, 18));
    bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
    bar->addActions({ m_add, m_remove, m_properties, m_highlight });
    bar->addSeparator();
    bar->addActions(m_drags);
    bar->addActions({ m_reset, m_mark });
    bar->addSeparator();
    auto* label = new QLabel(tr("Sho&w: "));
    label->setBuddy(m_range);
    bar->addWidget(label);
    bar->addWidget(m_range);
    bar->addAction(m_freeze);
    bar->addSeparator();
    auto* view = new QToolButton;
    auto* menu = new QMenu(view);
    menu->addActions(m_views);
    menu->addSeparator();
    menu->addActions(m_valueRanges);
    menu->addAction(m_logarithmic);
    view->setMenu(menu);
    view->setPopupMode(QToolButton::InstantPopup);
    view->setToolButtonStyle(Qt::ToolButtonTextOnly);
    view->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    view->setToolTip(tr("How the counters are shown (Alt+4 to Alt+8)"));
    view->setAccessibleName(tr("View"));
    const auto name = [view](const QAction* chosen) {
        view->setText(tr("View: %1 ▾").arg(QString(chosen->text()).remove(QLatin1Char('&'))));
    };
    name(m_views[0]);
    for (QAction* action : m_views)
        connect(action, &QAction::toggled, view, [name, action](bool on) {
            if (on)
                name(action);
        });
    bar->addWidget(view);
    bar->addSeparator();
    bar->addWidget(m_set);
    return bar;
}

QWidget* ChartPanel::makeBoxesRow()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(2);
    layout->addWidget(m_boxes, 1);
    for (QAction* action : { m_defaults, m_removeAll }) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        layout->addWidget(button);
    }
    return row;
}

void ChartPanel::addCounters()
{
    AddCountersDialog dialog(m_legend->available(), m_legend->keys(), this);
    dialog.setRecording(m_recording, m_header.target);
    const bool accepted = dialog.exec() == QDialog::Accepted;
    refreshDerived(); // also where one was deleted, and nothing added
    if (accepted)
        addLines(dialog.chosen());
}

void ChartPanel::refreshDerived()
{
    if (std::vector<std::string> texts = derivedTexts(); texts != m_typedDerived) {
        m_typedDerived = std::move(texts);
        emit queryChanged();
    }
}

void ChartPanel::chooseValueRange(ValueRange mode)
{
    m_chart->setValueRange(std::nullopt);
    m_chart->setValueRangeMode(mode);
}

void ChartPanel::askValueRange()
{
    static const QRegularExpression form(QStringLiteral("^\\s*(\\S+)\\s+to\\s+(\\S+)\\s*$"));
    const auto [shownLow, shownHigh] = m_chart->valueRange().value_or(m_chart->shownValues());
    QString typed = tr("%1 to %2").arg(formatValue(shownLow), formatValue(shownHigh));
    for (QString problem;;) {
        bool ok = false;
        typed = QInputDialog::getText(this, tr("Value axis"),
            problem + tr("From and to, as the axis has them (for instance 0 to 50):"), QLineEdit::Normal,
            typed, &ok);
        if (!ok)
            break;
        const QRegularExpressionMatch match = form.match(typed);
        bool lowOk = false, highOk = false;
        const double low = QLocale().toDouble(match.captured(1), &lowOk);
        const double high = QLocale().toDouble(match.captured(2), &highOk);
        if (lowOk && highOk && low < high) {
            m_chart->setValueRange(std::pair(low, high));
            return;
        }
        problem =
            tr("\"%1\" is not two numbers with \"to\" between them, the smaller one first.\n").arg(typed);
    }
    if (!m_chart->valueRange()) // else the one that was set stays
        m_valueRanges[static_cast<qsizetype>(m_chart->valueRangeMode())]->trigger();
}

void ChartPanel::copyPicture() const
{
    QApplication::clipboard()->setImage(chartImage(*m_chart));
}

void ChartPanel::addFileActions(QMenu& menu)
{
    menu.addAction(tr("&Copy picture"), this, &ChartPanel::copyPicture);
    const std::pair<ChartFile, QString> files[] = { { ChartFile::png, tr("Save chart as P&NG…") },
        { ChartFile::svg, tr("Save chart as S&VG…") }, { ChartFile::csv, tr("Save its &data as CSV…") } };
    for (const auto& [kind, name] : files)
        menu.addAction(
            name, this, [this, kind = kind] { saveChart(*this, *m_chart, kind, text(m_header.id.text())); });
}

void ChartPanel::addTimeActions(QMenu& menu, std::optional<Nanoseconds> at)
{
    if (at && m_view) {
        const QString time = formatMoment(*at);
        const auto put = [this, at](CursorName which) {
            m_chart->setCursors(moved(m_chart->cursors(), which, *at, m_view->length));
        };
        menu.addAction(tr("Put cursor &A at %1").arg(time), this, [put] { put(CursorName::a); });
        menu.addAction(tr("Put cursor &B at %1").arg(time), this, [put] { put(CursorName::b); });
        menu.addAction(tr("Set &mark at %1…").arg(time), this, [this, at] { emit markWanted(*at); });
    }
    QMenu* phases = menu.addMenu(tr("&Zoom to phase"));
    phases->setEnabled(m_view && !m_view->phases.empty());
    if (m_view)
        for (const Phase& phase : m_view->phases)
            phases->addAction(phase.mixName.empty()
                    ? phaseName(phase.kind)
                    : tr("%1, %2").arg(text(phase.mixName).replace(QLatin1Char('&'), QStringLiteral("&&")),
                        phaseName(phase.kind)),
                this, [this, window = TimeWindow { phase.begin, phase.end }] { m_chart->zoomTo(window); });
    menu.addActions({ m_reset, m_goToTime });
}

void ChartPanel::showLegendMenu(const QPoint& at)
{
    QMenu menu;
    menu.addActions({ m_properties, m_highlight, m_remove });
    for (QAction* action : m_legendView->actions())
        if (action != m_remove) // which stands above
            menu.addAction(action);
    menu.addSeparator();
    menu.addActions({ m_add, m_defaults, m_removeAll, m_bringBack });
    menu.addSeparator();
    addFileActions(menu);
    menu.exec(m_legendView->viewport()->mapToGlobal(at));
}

void ChartPanel::showChartMenu(const QPoint& at)
{
    QMenu menu;
    if (m_pictures->currentWidget() == m_chart)
        addTimeActions(menu, m_chart->cursorTime());
    menu.addSeparator();
    menu.addActions({ m_add, m_properties, m_highlight });
    if (m_pictures->currentWidget() == m_chart)
        menu.addAction(m_logarithmic);
    menu.addSeparator();
    addFileActions(menu);
    menu.exec(at);
}

} // namespace loadstone::ui
