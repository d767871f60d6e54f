// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: the page joins the feed, the tabs and what the user chooses, and each join is a few lines here.
#include "compare/compare_page.h"

#include "banner.h"
#include "compare/column_choosers.h"
#include "compare/compare_exporter.h"
#include "compare/tabs/bars_tab.h"
#include "compare/tabs/configuration_tab.h"
#include "compare/tabs/curves_tab.h"
#include "compare/tabs/overlay_tab.h"
#include "compare/tabs/quantile_tab.h"
#include "compare/tabs/table_tab.h"
#include "compare/view/comparison_feed.h"
#include "compare/view/comparison_model.h"
#include "compare/view/comparison_table.h"
#include "format.h"
#include "history/run_drag.h"
#include "icons.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <utility>

namespace loadstone::ui {

namespace {

const QString kTab = QStringLiteral("compare/tab"), kDifference = QStringLiteral("compare/difference");

std::vector<ChosenColumn> columnsOf(const std::vector<RunId>& runs)
{
    std::vector<ChosenColumn> columns;
    for (const RunId& id : runs)
        columns.push_back({ {}, { id }, {}, {}, {}, {} });
    return columns;
}

} // namespace

ComparePage::ComparePage(HistoryStore& store, const std::filesystem::path& history, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_feed(new ComparisonFeed(history, this))
    , m_exporter(new CompareExporter(m_feed->store(), this))
    , m_stack(new QStackedWidget)
    , m_tabs(new QTabWidget)
    , m_table(new TableTab)
    , m_curves(new CurvesTab)
    , m_bars(new BarsTab)
    , m_overlay(new OverlayTab)
    , m_quantiles(new QuantileTab(m_feed->store()))
    , m_configuration(new ConfigurationTab)
    , m_all { m_table, m_curves, m_bars, m_overlay, m_quantiles, m_configuration }
    , m_reasons(new Banner)
    , m_warnings(new Banner)
    , m_empty(new QLabel)
    , m_search(new QLineEdit)
    , m_show(new QComboBox)
    , m_difference(new QComboBox)
    , m_match(new QComboBox)
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton)
{
    makeActions();
    layOut();
    setAcceptDrops(true);
    connect(m_feed, &ComparisonFeed::changed, this, &ComparePage::take);
    connect(m_feed, &ComparisonFeed::progress, this, [this](const QString& what, int done, int of) {
        m_progress->setVisible(of != 0);
        m_cancel->setVisible(of != 0);
        m_progress->setRange(0, std::max(0, of)); // 0: nobody knows how long
        m_progress->setValue(done);
        m_progress->setFormat(of > 0 ? tr("%1: %v of %m").arg(what) : what);
    });
    connect(&m_store, &HistoryStore::changed, this, [this] { m_feed->historyChanged(m_store.runs()); });
    for (CompareTab* tab : m_all) {
        connect(tab, &CompareTab::baselineWanted, this, &ComparePage::setBaseline);
        connect(tab, &CompareTab::runWanted, this, &ComparePage::openWanted);
    }
    connect(m_table, &TableTab::moveWanted, this, &ComparePage::moveColumn);
    connect(m_table, &TableTab::removeWanted, this, &ComparePage::removeColumn);
    connect(m_exporter, &CompareExporter::message, this, &ComparePage::message);
    connect(m_exporter, &CompareExporter::written, this,
        [this](const QString& file) { emit message(tr("Written: %1").arg(file)); });
    const auto tabChosen = [this] { m_exporter->setTab(qobject_cast<CompareTab*>(m_tabs->currentWidget())); };
    connect(m_tabs, &QTabWidget::currentChanged, this, tabChosen);
    tabChosen();
    setColumns({});
}

ComparePage::~ComparePage() = default;

const CompareQuery& ComparePage::query() const
{
    return m_feed->query();
}

void ComparePage::makeActions()
{
    const auto make = [this](const QString& words, const char* picture, const QString& tip, auto work) {
        auto* action = picture == nullptr ? new QAction(words, this)
                                          : new QAction(icon(QLatin1String(picture)), words, this);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    m_addRuns = make(
        tr("&Runs of the history…"), "history", tr("Adds runs as columns (Ctrl+I)"), [this] { addRuns(); });
    m_addRuns->setShortcut(Qt::CTRL | Qt::Key_I);
    m_addRuns->setShortcutContext(Qt::WindowShortcut);
    addAction(m_addRuns);
    m_addResult = make(tr("&Published result…"), "open", tr("Adds systems of a published result as columns"),
        [this] { addResult(); });
    m_addStudy = make(tr("Cases of a &study…"), "plan",
        tr("Adds cases of a study as columns, with their repeats"), [this] { addStudy(); });
    m_copy = make(tr("&Copy table"), nullptr, tr("Copies the whole table, as spreadsheets take it"),
        [this] { m_table->table()->copyAll(); });
    m_find = make(tr("&Find a figure"), nullptr, tr("Search (Ctrl+F)"), [this] {
        m_tabs->setCurrentWidget(m_table);
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    m_find->setShortcut(QKeySequence::Find);
    m_find->setShortcutContext(Qt::WindowShortcut);
    addAction(m_find);
    const auto flag = [this](const QString& words, const QString& tip, bool on, auto change) {
        auto* action = new QAction(words, this);
        action->setCheckable(true);
        action->setChecked(on);
        action->setToolTip(tip);
        connect(action, &QAction::toggled, this, [this, change](bool checked) {
            CompareQuery next = m_feed->query();
            change(next, checked);
            ask(next);
        });
        return action;
    };
    m_group = flag(tr("&Group repeats"), tr("Runs of one configuration are repeats: one column"), true,
        [](CompareQuery& query, bool on) { query.groupRepeats = on; });
    m_details = flag(tr("&Details, too"), tr("Also totals, plans, minima and maxima"), false,
        [](CompareQuery& query, bool on) { query.options.all = on; });
    m_anyway = flag(tr("&Compare anyway"),
        tr("Differences also between columns that are not comparable; the reasons stay"), false,
        [](CompareQuery& query, bool on) { query.options.evenIfNotComparable = on; });
}

QWidget* ComparePage::makeBar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    const auto menuButton = [row](const QString& words, const char* picture, const QString& tip,
                                const QList<QAction*>& actions) {
        auto* button = new QToolButton;
        button->setText(words);
        button->setIcon(icon(QLatin1String(picture)));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setToolTip(tip);
        auto* menu = new QMenu(button);
        menu->setToolTipsVisible(true);
        menu->addActions(actions);
        button->setMenu(menu);
        row->addWidget(button);
        return button;
    };
    menuButton(tr("&Add"), "add", tr("Adds a column"), { m_addRuns, m_addResult, m_addStudy });
    menuButton(tr("&Options"), "view", tr("What is compared, and how"), { m_group, m_details, m_anyway });
    m_match->addItem(tr("Match mixes by load"), static_cast<int>(MixMatch::users));
    m_match->addItem(tr("Match mixes by name"), static_cast<int>(MixMatch::name));
    m_match->addItem(tr("Match mixes by order"), static_cast<int>(MixMatch::phase));
    m_match->setAccessibleName(tr("How mixes are matched"));
    m_match->setToolTip(tr("Which mixes of two runs stand in one row"));
    m_difference->addItem(tr("Difference in %"), static_cast<int>(DifferenceAs::percent));
    m_difference->addItem(tr("Ratio"), static_cast<int>(DifferenceAs::ratio));
    m_difference->addItem(tr("Difference"), static_cast<int>(DifferenceAs::value));
    m_difference->setAccessibleName(tr("How differences are shown"));
    m_show->addItem(tr("All figures"), static_cast<int>(CompareFilter::Show::all));
    m_show->addItem(tr("Only what differs"), static_cast<int>(CompareFilter::Show::differing));
    m_show->addItem(tr("Only shown differences"), static_cast<int>(CompareFilter::Show::shown));
    m_show->setAccessibleName(tr("Which figures to show"));
    m_search->setPlaceholderText(tr("Find a figure (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Find a figure"));
    row->addWidget(m_match);
    row->addWidget(m_difference);
    row->addWidget(m_show);
    row->addWidget(m_search, 1);
    menuButton(
        tr("E&xport"), "export", tr("Writes the comparison, or the picture in front"), m_exporter->actions());
    connect(m_match, &QComboBox::activated, this, [this] {
        CompareQuery next = m_feed->query();
        next.options.match = static_cast<MixMatch>(m_match->currentData().toInt());
        ask(next);
    });
    connect(m_difference, &QComboBox::activated, this, [this] {
        m_table->model()->setDifferenceAs(static_cast<DifferenceAs>(m_difference->currentData().toInt()));
    });
    connect(m_show, &QComboBox::activated, this, &ComparePage::updateFilter);
    connect(m_search, &QLineEdit::textChanged, this, &ComparePage::updateFilter);
    return bar;
}

void ComparePage::layOut()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(makeBar());
    layout->addWidget(m_reasons);
    layout->addWidget(m_warnings);
    m_reasons->hide();
    m_warnings->hide();
    m_tabs->addTab(m_table, tr("Tab&le"));
    m_tabs->addTab(m_curves, tr("&Curves over load"));
    m_tabs->addTab(m_bars, tr("&Bars"));
    m_tabs->addTab(m_overlay, tr("Co&unters over time"));
    m_tabs->addTab(m_quantiles, tr("&Percentiles"));
    m_tabs->addTab(m_configuration, tr("Confi&guration"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(40);
    m_empty->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_empty, &QLabel::linkActivated, this, [this] { ask(*m_before); });
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_tabs);
    layout->addWidget(m_stack, 1);
    auto* below = new QHBoxLayout;
    m_progress->setFixedWidth(420); // its words in one line
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stops reading; what is known by then stands"));
    connect(m_cancel, &QToolButton::clicked, m_feed, &ComparisonFeed::cancel);
    below->addWidget(m_progress);
    below->addWidget(m_cancel);
    below->addStretch(1);
    layout->addLayout(below);
    m_progress->hide();
    m_cancel->hide();
}

void ComparePage::ask(const CompareQuery& query)
{
    m_feed->setQuery(query);
    m_feed->historyChanged(m_store.runs()); // what they are like now: what changes from here on is read again
}

void ComparePage::setColumns(std::vector<ChosenColumn> columns, const std::optional<CompareOptions>& options)
{
    CompareQuery next = m_feed->query();
    next.columns = std::move(columns);
    next.options = options.value_or(next.options);
    if (next.options.baseline >= next.columns.size())
        next.options.baseline = 0;
    m_empty->setText(next.columns.empty() ? tr("<h2>Nothing to compare yet</h2><p>Choose two to twelve runs "
                                               "in the history and press <b>Compare</b> "
                                               "(Ctrl+Shift+C), or drag them here.</p><p><b>Add</b> has "
                                               "runs, published results and cases of studies.</p>")
                                          : tr("Reading…"));
    if (next.columns.empty())
        m_stack->setCurrentWidget(m_empty);
    ask(next);
    emit titleChanged();
}

void ComparePage::addColumns(const std::vector<ChosenColumn>& columns)
{
    std::vector<ChosenColumn> all = m_feed->query().columns;
    const auto has = [&all](const ChosenColumn& column) {
        return std::any_of(all.begin(), all.end(), [&](const ChosenColumn& other) {
            if (!column.runs.empty())
                return std::any_of(column.runs.begin(), column.runs.end(), [&](const RunId& id) {
                    return std::find(other.runs.begin(), other.runs.end(), id) != other.runs.end();
                });
            return other.result == column.result && other.system == column.system
                && other.study == column.study && other.part == column.part && other.runs.empty();
        });
    };
    for (const ChosenColumn& column : columns)
        if (!has(column))
            all.push_back(column);
    setColumns(std::move(all));
}

void ComparePage::take(std::shared_ptr<const CompareView> view)
{
    m_view = std::move(view);
    m_exporter->setView(m_view, title());
    if (m_view->comparison == nullptr) {
        QString words = m_view->query.columns.size() < 2 && m_view->unread.isEmpty()
            ? tr("<h2>One more column</h2><p>A comparison takes two columns at least: <b>Add</b> has runs, "
                 "published results and cases of "
                 "studies.</p>")
            : tr("<h2>These columns cannot be compared</h2><p>%1</p>").arg(m_view->problem.toHtmlEscaped());
        for (const QString& unread : m_view->unread)
            words += QStringLiteral("<p>%1</p>").arg(unread.toHtmlEscaped());
        if (m_before && m_before->columns != m_view->query.columns)
            words += tr("<p><a href=\"before\">Back to the columns before</a></p>");
        m_empty->setText(words);
        m_stack->setCurrentWidget(m_empty);
    } else {
        m_before = m_view->query;
        for (CompareTab* tab : m_all)
            tab->show(m_view);
        m_stack->setCurrentWidget(m_tabs);
        if (m_empty->hasFocus() || QWidget::hasFocus())
            m_table->table()->setFocus();
    }
    m_exporter->setTab(qobject_cast<CompareTab*>(m_tabs->currentWidget()));
    sayWhatIsWrong();
    emit titleChanged();
    emit compared();
}

void ComparePage::sayWhatIsWrong()
{
    QStringList reasons, warnings = m_view->comparison ? m_view->unread : QStringList();
    if (m_view->comparison) {
        const Comparison& made = *m_view->comparison;
        for (std::size_t i = 0; i < made.columns.size(); ++i) {
            QStringList own;
            for (const std::string& reason : made.status[i].notComparable)
                own.append(text(reason));
            if (!own.isEmpty())
                reasons.append(
                    QStringLiteral("%1: %2").arg(text(made.columns[i]), own.join(QStringLiteral("; "))));
            for (const std::string& caution : made.status[i].cautions)
                warnings.append(QStringLiteral("%1: %2").arg(text(made.columns[i]), text(caution)));
        }
        for (const std::string& warning : made.warnings)
            warnings.append(text(warning));
        if (!made.unmatched.empty()) {
            QStringList names;
            for (const std::string& name : made.unmatched)
                names.append(text(name));
            warnings.append(tr("Mixes that no other column has: %1.").arg(names.join(QStringLiteral(", "))));
            // Of whole runs alone: what the runs were made for is not in the table.
            if (made.options.match == MixMatch::users
                && std::ranges::all_of(made.mixes, [](const ComparisonMix& mix) { return mix.name.empty(); }))
                warnings.prepend(
                    tr("No load was measured in two columns. \"Match mixes by name\" or \"by order\" "
                       "sets different loads beside each other."));
        }
    }
    m_reasons->setVisible(!reasons.isEmpty());
    if (!reasons.isEmpty())
        m_reasons->say(tr("Not comparable. %1").arg(reasons.join(QLatin1Char('\n'))));
    m_warnings->setVisible(!warnings.isEmpty());
    if (!warnings.isEmpty())
        m_warnings->say(warnings.join(QLatin1Char('\n')));
}

std::vector<std::size_t> ComparePage::partsOf(int column) const
{
    const CompareQuery& query = m_feed->query();
    const auto& shown = m_view ? m_view->query.columns : query.columns;
    return column < 0 || static_cast<std::size_t>(column) >= shown.size()
        ? std::vector<std::size_t>()
        : ui::partsOf(query, shown, static_cast<std::size_t>(column));
}

void ComparePage::setBaseline(int column)
{
    const auto parts = partsOf(column);
    if (parts.empty())
        return;
    CompareQuery next = m_feed->query();
    next.options.baseline = parts.front();
    ask(next);
}

void ComparePage::moveColumn(int from, int to)
{
    if (!m_view || from == to || partsOf(from).empty() || partsOf(to).empty())
        return;
    std::vector<int> order(m_view->query.columns.size());
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    std::vector<std::size_t> places;
    for (const int shown : order)
        for (const std::size_t place : partsOf(shown))
            places.push_back(place);
    CompareQuery next = m_feed->query();
    for (std::size_t place = 0; place < next.columns.size(); ++place) // those that could not be read
        if (std::ranges::find(places, place) == places.end())
            places.push_back(place);
    const auto baseline = std::ranges::find(places, next.options.baseline);
    next.options.baseline = static_cast<std::size_t>(baseline - places.begin());
    const std::vector<ChosenColumn> before = std::exchange(next.columns, {});
    for (const std::size_t place : places)
        next.columns.push_back(before[place]);
    ask(next);
}

void ComparePage::removeColumn(int column)
{
    const auto parts = partsOf(column);
    if (parts.empty())
        return;
    CompareQuery next = m_feed->query();
    std::size_t& baseline = next.options.baseline;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        next.columns.erase(next.columns.begin() + static_cast<std::ptrdiff_t>(*part));
        if (baseline > *part)
            --baseline;
    }
    baseline = std::min(baseline, next.columns.empty() ? 0 : next.columns.size() - 1);
    ask(next);
    emit titleChanged();
}

void ComparePage::addRuns()
{
    if (const auto runs = chooseRuns(m_store.runs(), this); !runs.empty())
        addColumns(columnsOf(runs));
}

void ComparePage::addResult()
{
    if (const auto columns = chooseResultSystems(this); !columns.empty())
        addColumns(columns);
}

void ComparePage::addStudy()
{
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Cases of a study"), {}, tr("Studies (*.toml);;All files (*)"));
    if (!file.isEmpty())
        addFiles({ file });
}

void ComparePage::addFiles(const QStringList& files)
{
    QStringList refused;
    for (const QString& file : files)
        if (const auto columns = columnsOfFile(file, this, refused); !columns.empty())
            addColumns(columns);
    if (!refused.isEmpty())
        emit message(refused.join(QStringLiteral("; ")));
}

bool ComparePage::takesDrop(const QMimeData& dropped) const
{
    return dropped.hasFormat(kRunsMimeType) || dropped.hasUrls();
}

void ComparePage::takeDrop(const QMimeData& dropped)
{
    if (const auto runs = runsOf(dropped); !runs.empty())
        return addColumns(columnsOf(runs));
    QStringList files;
    for (const QUrl& url : dropped.urls())
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    addFiles(files);
}

void ComparePage::dragEnterEvent(QDragEnterEvent* event)
{
    if (takesDrop(*event->mimeData()))
        event->acceptProposedAction();
}

void ComparePage::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    takeDrop(*event->mimeData());
}

void ComparePage::updateFilter()
{
    m_table->model()->setFilter(
        { static_cast<CompareFilter::Show>(m_show->currentData().toInt()), m_search->text() });
}

QString ComparePage::title() const
{
    const auto count = m_view ? m_view->query.columns.size() : m_feed->query().columns.size();
    if (count < 2)
        return tr("Comparison");
    const bool known = m_view && m_view->comparison;
    return known
        ? tr("Compare: %1").arg(text(m_view->comparison->columns[m_view->comparison->options.baseline]))
        : tr("Comparison of %1").arg(count);
}

QString ComparePage::titleDetail() const
{
    return m_view && m_view->comparison ? tr("%1 columns").arg(m_view->comparison->columns.size())
                                        : QString();
}

QString ComparePage::tip() const
{
    if (!m_view || !m_view->comparison)
        return tr("Comparison");
    QStringList names;
    for (const std::string& name : m_view->comparison->columns)
        names.append(text(name));
    return names.join(QLatin1Char('\n'));
}

QIcon ComparePage::picture() const
{
    return icon(QStringLiteral("compare"));
}

QList<QAction*> ComparePage::actionsOf(PageMenu menu) const
{
    if (menu == PageMenu::edit)
        return { m_copy, m_find, m_addRuns, m_addResult, m_addStudy };
    if (menu == PageMenu::view)
        return { m_group, m_details, m_anyway };
    if (menu == PageMenu::exported)
        return m_exporter->actions();
    return {};
}

void ComparePage::activated()
{
    if (m_stack->currentWidget() == m_tabs && m_tabs->currentWidget() == m_table)
        m_table->table()->setFocus();
    else
        setFocus();
}

void ComparePage::saveTo(QSettings& settings) const
{
    settings.setValue(kTab, m_tabs->currentIndex());
    settings.setValue(kDifference, m_difference->currentIndex());
    for (const CompareTab* tab : m_all)
        tab->saveTo(settings);
}

void ComparePage::restoreFrom(const QSettings& settings)
{
    m_tabs->setCurrentIndex(settings.value(kTab, 0).toInt());
    m_difference->setCurrentIndex(
        std::clamp(settings.value(kDifference, 0).toInt(), 0, m_difference->count() - 1));
    m_table->model()->setDifferenceAs(static_cast<DifferenceAs>(m_difference->currentData().toInt()));
    for (CompareTab* tab : m_all)
        tab->restoreFrom(settings);
}

} // namespace loadstone::ui
