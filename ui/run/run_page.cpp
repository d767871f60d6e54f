// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_page.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "icons.h"
#include "run/chart/chart_panel.h"
#include "run/chart/replay_bar.h"
#include "run/chart/sources_dialog.h"
#include "run/headline_strip.h"
#include "run/run_tabs.h"
#include "run/summary_line.h"
#include "run/tabs/notes_tab.h"
#include "run/view/run_feed.h"
#include "run/view/window_bar.h"
#include "run/view/window_box.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kSplit = QStringLiteral("splitter/page-2"), kEnlarged = QStringLiteral("page/enlarged"),
              kHeadline = QStringLiteral("page/headline");
}

RunPage::RunPage(QWidget* parent)
    : Page(parent)
    , m_feed(new RunFeed(this))
    , m_stack(new QStackedWidget)
    , m_placeholder(new QLabel)
    , m_title(new QLabel)
    , m_headline(new HeadlineStrip)
    , m_summary(new SummaryLine)
    , m_window(new WindowBar)
    , m_targetRow(new QWidget)
    , m_target(new QComboBox)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_panel(new ChartPanel)
    , m_lower(new QWidget)
    , m_tabs(new RunTabs)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    m_placeholder->setAlignment(Qt::AlignCenter);
    m_placeholder->setWordWrap(true);
    m_placeholder->setMargin(40);
    m_stack->addWidget(m_placeholder);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_title->setMargin(6);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->addWidget(m_title, 1);
    top->addWidget(m_targetRow);
    layout->addLayout(top);
    auto* choice = new QHBoxLayout(m_targetRow);
    choice->setContentsMargins(0, 0, 6, 0);
    auto* label = new QLabel(tr("&Under test:"));
    label->setBuddy(m_target);
    choice->addWidget(label);
    choice->addWidget(m_target);
    m_target->setToolTip(tr("What is shown: all servers under test together, or one of them alone"));
    m_targetRow->hide();
    m_title->setSizePolicy(
        QSizePolicy::Ignored, QSizePolicy::Preferred); // long titles must not widen the window
    layout->addWidget(m_summary);
    layout->addWidget(m_headline);
    m_headline->hide();
    makeActions();
    auto* lowerLayout = new QVBoxLayout(m_lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->setSpacing(0);
    lowerLayout->addWidget(m_window);
    lowerLayout->addWidget(m_tabs, 1);
    m_splitter->addWidget(m_panel);
    m_splitter->addWidget(m_lower);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ 500, 290 });
    m_splitter->setChildrenCollapsible(false);
    layout->addWidget(m_splitter, 1);
    m_stack->addWidget(page);

    connect(m_target, &QComboBox::activated, this, &RunPage::chooseTarget);
    connect(m_feed, &RunFeed::opened, this, &RunPage::setHeader);
    connect(m_feed, &RunFeed::changed, this, qOverload<std::shared_ptr<const RunView>>(&RunPage::show));
    connect(m_feed, &RunFeed::failed, this, &RunPage::showFailure);
    connect(m_panel, &ChartPanel::queryChanged, this, &RunPage::updateQuery);
    connect(m_window->box(), &WindowBox::windowChanged, this, &RunPage::updateQuery);
    connect(m_window, &WindowBar::keepWanted, this, &RunPage::keepWindow);
    connect(m_panel, &ChartPanel::selectionChanged, m_window->box(), &WindowBox::setSelected);
    connect(m_tabs, &RunTabs::queryChanged, this, [this] {
        updateQuery();
        if (m_view)
            m_window->show(*m_view, m_tabs->scope());
    });
    connect(m_tabs, &RunTabs::enlargeWanted, m_enlarge, &QAction::toggle);
    connect(m_summary, &SummaryLine::reportWanted, this, [this] {
        if (const auto runs = chosenRuns(); !runs.empty())
            emit reportWanted(runs.front(), chosenWindow());
    });
    connect(m_tabs, &RunTabs::markWanted, this, [this] {
        setMark(m_panel->chart()->cursorTime().value_or(m_view ? m_view->shown : Nanoseconds(0)));
    });
    connect(m_panel, &ChartPanel::markWanted, this, &RunPage::setMark);
    connect(m_panel, &ChartPanel::chartWanted, this, [this] { m_enlarge->setChecked(false); });
    connect(m_tabs, &RunTabs::timeChosen, m_panel, [panel = m_panel](Nanoseconds at) {
        panel->goTo({ at, std::nullopt });
    });
    connect(m_tabs->notes(), &NotesTab::noteEdited, this, &RunPage::noteEdited);
    connect(m_tabs->notes(), &NotesTab::tagsEdited, this, &RunPage::tagsEdited);
}

void RunPage::makeActions()
{
    m_sourcesAction = new QAction(tr("&Attached sources…"), this);
    m_sourcesAction->setEnabled(false);
    connect(m_sourcesAction, &QAction::triggered, this, &RunPage::showSources);
    m_labAction = new QAction(tr("La&b of the run…"), this);
    m_labAction->setEnabled(false);
    connect(m_labAction, &QAction::triggered, this, &RunPage::labWanted);
    m_headlineAction = new QAction(tr("&Large figures during a run"), this);
    m_headlineAction->setCheckable(true);
    m_headlineAction->setChecked(true);
    connect(m_headlineAction, &QAction::toggled, this, [this] {
        updateHeadline();
        updateQuery();
    });
    m_enlarge = new QAction(tr("&Enlarge the tables"), this);
    m_enlarge->setCheckable(true);
    m_enlarge->setShortcut(Qt::Key_F11);
    m_enlarge->setToolTip(tr("Gives the tables the room of the chart (F11, or a double click on a tab)"));
    addAction(m_enlarge); // of the window's pages only the visible one hears the key
    m_enlargeChart = new QAction(tr("Enlarge the &chart"), this);
    m_enlargeChart->setCheckable(true);
    m_enlargeChart->setShortcut(Qt::SHIFT | Qt::Key_F11);
    m_enlargeChart->setToolTip(tr("Gives the chart the room of the tables (Shift+F11)"));
    addAction(m_enlargeChart);
    connect(m_enlarge, &QAction::toggled, this, [this](bool on) {
        if (on)
            m_enlargeChart->setChecked(false);
        hidePart(*m_panel, on, *m_tabs);
    });
    connect(m_enlargeChart, &QAction::toggled, this, [this](bool on) {
        if (on)
            m_enlarge->setChecked(false);
        hidePart(*m_lower, on, *m_panel->chart());
    });
}

void RunPage::hidePart(QWidget& part, bool hidden, QWidget& stays)
{
    QWidget* const focus = QApplication::focusWidget();
    if (hidden && part.isAncestorOf(focus)) {
        m_focusBefore = focus;
        stays
            .setFocus(); // Qt would give the keyboard to whatever is next in the window, as a chooser of plans
    }
    part.setHidden(hidden);
    if (hidden || m_focusBefore == nullptr || !part.isAncestorOf(m_focusBefore))
        return;
    if (focus == nullptr || focus == &stays || stays.isAncestorOf(focus))
        m_focusBefore->setFocus();
    m_focusBefore = nullptr;
}

QList<QAction*> RunPage::actionsOf(PageMenu menu) const
{
    if (menu == PageMenu::run)
        return { m_sourcesAction, m_labAction };
    if (menu != PageMenu::view)
        return {};
    return QList<QAction*> { m_enlarge, m_enlargeChart, m_headlineAction } + m_panel->viewActions();
}

void RunPage::setLive()
{
    m_live = true;
}

void RunPage::setTitle(const QString& title)
{
    m_name = title;
    emit titleChanged();
}

QString RunPage::title() const
{
    if (m_live)
        return m_view && m_view->growing() ? tr("Live (running)") : tr("Live");
    const QString name = m_header ? text(m_header->title) : m_name;
    return m_deleted ? tr("%1 (deleted)").arg(name) : name;
}

QString RunPage::titleDetail() const
{
    return m_header && !m_live ? formatWhen(m_header->started).section(QLatin1Char('-'), 1) : QString();
}

QString RunPage::tip() const
{
    return m_header && !m_live
        ? QStringLiteral("%1\n%2").arg(text(m_header->title), formatWhen(m_header->started))
        : QString();
}

QIcon RunPage::picture() const
{
    return icon(m_live ? QStringLiteral("live") : QStringLiteral("recording"));
}

std::vector<RunSummary> RunPage::chosenRuns() const
{
    if (!m_header)
        return {};
    RunSummary run;
    run.id = m_header->id;
    run.title = m_header->title;
    run.started = m_header->started;
    return { run };
}

std::optional<TimeWindow> RunPage::chosenWindow() const
{
    if (!m_view || isPlanned(m_view->query.window) || !m_view->windowProblem.empty())
        return std::nullopt;
    return m_view->window;
}

PerformanceChart* RunPage::picturedChart() const
{
    return m_view ? m_panel->chart() : nullptr;
}

void RunPage::open(const std::filesystem::path& file)
{
    flush(); // while it is still known whose note it is
    delete m_sources.data();
    m_header.reset();
    m_view.reset();
    m_broken = m_grew = false;
    m_sourcesAction->setEnabled(false);
    m_labAction->setEnabled(false);
    m_summary->hide();
    updateHeadline();
    m_panel->clear();
    m_feed->open(file);
}

void RunPage::chooseTarget()
{
    // The chart keeps its lines: a target's series have the names that those of all together have.
    m_feed->open(std::filesystem::path(m_feed->file()), bytes(m_target->currentData().toString()));
}

void RunPage::reopen()
{
    open(std::filesystem::path(m_feed->file()));
}

void RunPage::flush()
{
    m_tabs->notes()->flush();
}

void RunPage::noteDone(const RunId& id, const QString& note, bool saved)
{
    if (m_header && m_header->id == id)
        m_tabs->notes()->noteDone(note, saved);
}

void RunPage::tagsDone(const RunId& id, const QStringList& after, bool saved)
{
    if (m_header && m_header->id == id)
        m_tabs->notes()->tagsDone(after, saved);
}

void RunPage::drop()
{
    m_tabs->notes()->drop();
}

void RunPage::showSources()
{
    if (!m_header)
        return;
    if (!m_sources) {
        m_sources = new SourcesDialog(m_feed->file(), text(m_header->title), this);
        m_sources->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_sources, &SourcesDialog::moved, m_feed, &RunFeed::poll);
    }
    m_sources->show();
    m_sources->raise();
    m_sources->activateWindow();
}

void RunPage::setPlaceholder(const QString& html)
{
    m_placeholder->setText(html);
}

void RunPage::setNote(const QString& note, const QStringList& tags)
{
    if (m_deleted) { // it was imported again: another file of the same name
        m_deleted = false;
        reopen();
        return; // its note comes with its header
    }
    m_tabs->notes()->setNote(note, tags);
    m_listed = true;
}

void RunPage::setUnlisted()
{
    setDeleted(m_listed); // one that was never listed is only too new
}

void RunPage::setDeleted(bool deleted)
{
    if (deleted == m_deleted)
        return;
    m_deleted = deleted;
    if (m_view)
        updateTitle();
    emit titleChanged();
}

void RunPage::setHeader(std::shared_ptr<const RunHeader> header)
{
    const bool sameRun = m_header && m_header->id == header->id; // another of its targets
    m_header = std::move(header);
    m_id = m_header->id;
    if (!sameRun) {
        m_listed = m_deleted = false;
        m_window->box()->reset();
    }
    m_sourcesAction->setEnabled(true);
    m_labAction->setEnabled(true);
    m_target->clear();
    m_target->addItem(tr("All together"));
    for (const std::string& target : m_header->targets) {
        m_target->addItem(text(target), text(target));
        if (target == m_header->target)
            m_target->setCurrentIndex(m_target->count() - 1);
    }
    m_targetRow->setVisible(!m_header->targets.empty());
    m_panel->setRecording(m_feed->file());
    m_panel->setHeader(*m_header);
    if (!sameRun)
        m_tabs->notes()->setHeader(*m_header);
    m_tabs->setHeader(*m_header);
    m_stack->setCurrentIndex(1);
    updateQuery();
    if (sameRun)
        return;
    emit headerChanged();
    emit titleChanged();
}

void RunPage::show(std::shared_ptr<const RunView> view)
{
    if (m_sources && m_view && m_view->sources != view->sources)
        m_sources->reload();
    const bool wentOn = m_view && m_view->growing();
    m_view = std::move(view);
    if (m_live && wentOn != m_view->growing())
        emit titleChanged(); // seen from other pages
    m_broken = false;
    m_stack->setCurrentIndex(1); // after a reading that failed
    m_panel->setReplay(!m_view->growing());
    m_panel->show(m_view);
    m_window->box()->setPhases(m_view->phases);
    m_window->show(*m_view, m_tabs->scope());
    m_tabs->show(*m_view);
    updateTitle();
    updateHeadline();
    if (m_view->growing()) {
        m_grew = true;
    } else if (m_grew && m_view->verdict) { // it has just ended here
        m_grew = false;
        m_summary->tell(*m_view);
    }
    emit figuresChanged(m_view->figures);
    emit statusChanged();
}

void RunPage::updateHeadline()
{
    const bool wanted = m_headlineAction->isChecked() && m_view && m_view->growing();
    if (wanted)
        m_headline->show(*m_view);
    m_headline->setVisible(wanted);
    const bool asked = m_feed->query().headline;
    if (wanted != asked)
        updateQuery();
}

void RunPage::showLiveFigures(const RunFigures& figures)
{
    if (!m_headline->isHidden())
        m_headline->show(figures);
}

void RunPage::updateQuery()
{
    if (!m_header)
        return;
    RunQuery query;
    m_panel->fillQuery(query);
    m_tabs->fillQuery(query);
    query.window = m_window->box()->query();
    query.headline = m_headlineAction->isChecked() && m_view && m_view->growing();
    m_feed->setQuery(query);
}

void RunPage::updateTitle()
{
    QString state = m_view->outcome ? verdictName(m_view->outcome->verdict) : stateName(m_view->state);
    if (m_deleted)
        state += tr(", deleted");
    m_title->setText(
        QStringLiteral("<b>%1</b> &nbsp;·&nbsp; %2 &nbsp;·&nbsp; %3 &nbsp;·&nbsp; %4 &nbsp;·&nbsp; %5")
            .arg(text(m_header->title).toHtmlEscaped(), text(m_header->planName).toHtmlEscaped(),
                formatWhen(m_header->started), formatElapsed(m_view->length), state));
}

void RunPage::setMark(Nanoseconds wanted)
{
    // The axis of a young run reaches beyond its end, and a mark there would never be seen.
    const Nanoseconds at = std::min(wanted, m_view ? m_view->shown : Nanoseconds(0));
    bool ok = false;
    const QString remark = QInputDialog::getText(
        this, tr("Set mark"), tr("Remark at %1:").arg(formatElapsedExact(at)), QLineEdit::Normal, {}, &ok);
    if (ok && !remark.trimmed().isEmpty())
        emit annotationWanted({ wallNow(), AnnotationKind::mark, bytes(remark.trimmed()), at });
}

void RunPage::keepWindow()
{
    const auto window = chosenWindow(); // as it is now: a run that goes on has other words afterwards
    if (!window)
        return;
    const QString words = chosenWords(*m_view);
    bool ok = false;
    const QString reason = QInputDialog::getText(this, tr("Keep the window"),
        tr("Why the window %1 is chosen:").arg(words), QLineEdit::Normal, {}, &ok);
    if (ok && !reason.trimmed().isEmpty())
        emit annotationWanted({ wallNow(), AnnotationKind::window,
            bytes(QStringLiteral("%1: %2").arg(words, reason.trimmed())), window->begin });
}

void RunPage::showFailure(const QString& message)
{
    m_broken = true;
    m_placeholder->setText(
        tr("<h3>This recording cannot be shown</h3><p>%1</p>").arg(message.toHtmlEscaped()));
    m_stack->setCurrentIndex(0);
    emit broken(message);
}

void RunPage::saveTo(QSettings& settings) const
{
    m_panel->saveTo(settings);
    settings.setValue(kSplit, m_splitter->saveState());
    m_tabs->saveTo(settings);
    settings.setValue(kEnlarged, m_enlarge->isChecked());
    settings.setValue(kHeadline, m_headlineAction->isChecked());
}

void RunPage::restoreFrom(const QSettings& settings)
{
    m_panel->restoreFrom(settings);
    m_splitter->restoreState(settings.value(kSplit).toByteArray());
    m_tabs->restoreFrom(settings);
    // Whoever begins a run wants to see it.
    m_enlarge->setChecked(!m_live && settings.value(kEnlarged, false).toBool());
    m_headlineAction->setChecked(settings.value(kHeadline, true).toBool());
}

} // namespace loadstone::ui
