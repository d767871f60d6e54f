// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/queue_page.h"

#include "format.h"
#include "icons.h"
#include "tables/data_table.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {

using R = QueuedRun;
const QString kColumns = QStringLiteral("queue/columns-1");
constexpr int kTickMilliseconds = 1'000;

QString purposeName(RunPurpose purpose)
{
    switch (purpose) {
    case RunPurpose::run:
        return QueuePage::tr("run");
    case RunPurpose::initialise:
        return QueuePage::tr("initialise");
    case RunPurpose::cleanUp:
        return QueuePage::tr("clean up");
    case RunPurpose::verify:
        return QueuePage::tr("verify");
    case RunPurpose::recover:
        return QueuePage::tr("recover");
    }
    return {};
}

QString stateText(const R& run)
{
    switch (run.state) {
    case R::State::waiting:
        return run.asksPassword && !run.password
            ? QueuePage::tr("waiting; its password is missing, add it again")
            : QueuePage::tr("waiting");
    case R::State::running:
        return QueuePage::tr("running");
    case R::State::ended:
        return QueuePage::tr("ended: %1").arg(run.outcome);
    case R::State::notStarted:
        return QueuePage::tr("not started: %1").arg(run.outcome);
    }
    return {};
}

QVariant stateIcon(const R& run)
{
    switch (run.state) {
    case R::State::waiting:
        return icon(QStringLiteral("pause"));
    case R::State::running:
        return icon(QStringLiteral("live"));
    case R::State::ended:
        return icon(QStringLiteral("history"));
    case R::State::notStarted:
        return icon(QStringLiteral("failed"));
    }
    return {};
}

std::vector<Column<R>> columns()
{
    const auto tip = [](QString (*words)(const R&)) {
        return [words](const R& run, int role) {
            return role == Qt::ToolTipRole ? QVariant(words(run)) : QVariant();
        };
    };
    return {
        { QueuePage::tr("Plan"), {}, [](const R& r) { return r.title; }, {},
            tip([](const R& r) { return text(r.plan.string()); }) },
        { QueuePage::tr("What"), {}, [](const R& r) { return purposeName(r.purpose); }, {}, {} },
        { QueuePage::tr("Length"), QueuePage::tr("As planned"),
            [](const R& r) {
                return r.purpose == RunPurpose::run ? formatDuration(r.length) : QStringLiteral("–");
            },
            [](const R& r) { return QVariant(seconds(r.length)); }, {} },
        { QueuePage::tr("State"), {}, stateText, {},
            [](const R& r, int role) {
                return role == Qt::DecorationRole ? stateIcon(r)
                    : role == Qt::ToolTipRole     ? QVariant(stateText(r))
                                                  : QVariant();
            } },
        { QueuePage::tr("File"), {}, [](const R& r) { return text(r.plan.string()); }, {}, {} },
    };
}

} // namespace

QueuePage::QueuePage(RunQueue& queue, QWidget* parent)
    : Page(parent)
    , m_queue(queue)
    , m_rows(new RowsModel<R>(columns(), this))
    , m_table(new DataTable)
    , m_left(new QLabel)
    , m_stack(new QStackedWidget)
{
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* bar = new QToolBar;
    bar->setIconSize(QSize(18, 18));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({ m_start, m_up, m_down, m_remove, m_clear, m_open });
    layout->addWidget(bar);
    m_table->setSource(m_rows);
    m_table->setSortingEnabled(false); // the order is what the page is about
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Queue of runs"));
    m_table->addActions({ m_up, m_down, m_remove, m_open });
    auto* empty =
        new QLabel(tr("<h3>The queue is empty</h3><p>Choose a plan on the page <b>Plans</b> and press "
                      "<b>Add to the queue</b> (Ctrl+Shift+R).</p>"
                      "<p>Plans in the queue run one after the other, and need no one to start them.</p>"));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    m_stack->addWidget(empty);
    m_stack->addWidget(m_table);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_left);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePage::updateActions);
    connect(m_table, &QTableView::activated, m_open, &QAction::trigger);
    connect(&m_queue, &RunQueue::changed, this, &QueuePage::showRuns);
    connect(&m_queue, &RunQueue::message, this, &QueuePage::message);
    m_tick.setInterval(kTickMilliseconds);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (isVisible())
            updateActions();
    });
    m_tick.start();
    showRuns();
}

void QueuePage::makeActions()
{
    const auto make = [this](const QString& words, const char* picture, const QKeySequence& keys,
                          const QString& tip, auto work) {
        auto* action = new QAction(icon(QLatin1String(picture)), words, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut);
        action->setToolTip(
            keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
        connect(action, &QAction::triggered, this, work);
        addAction(action);
        return action;
    };
    const auto onChosen = [this](auto work) {
        return [this, work] {
            if (const R* run = chosen())
                work(*run);
        };
    };
    m_start = make(tr("&Start the queue"), "run", QKeySequence(Qt::CTRL | Qt::Key_F5),
        tr("Starts the plans, one after the other"), [this] { m_queue.setPaused(!m_queue.isPaused()); });
    m_up = make(tr("Move &up"), "", QKeySequence(Qt::CTRL | Qt::Key_Up), tr("Runs the plan earlier"),
        onChosen([this](const R& run) { m_queue.move(run.id, -1); }));
    m_down = make(tr("Move &down"), "", QKeySequence(Qt::CTRL | Qt::Key_Down), tr("Runs the plan later"),
        onChosen([this](const R& run) { m_queue.move(run.id, 1); }));
    m_remove = make(tr("&Remove"), "remove", QKeySequence::Delete,
        tr("Takes the plan out of the queue; its file stays"), onChosen([this](const R& run) {
            const int row = m_table->currentSourceRow();
            m_queue.remove(run.id);
            m_table->setCurrentSourceRow(std::min(row, m_rows->rowCount() - 1)); // the next one
        }));
    m_clear = make(tr("&Clear ended"), "", {},
        tr("Takes out those that had their turn; their runs stay in the history"),
        [this] { m_queue.clearEnded(); });
    m_open = make(
        tr("&Open run"), "open", {}, tr("Shows the run of the chosen line"), onChosen([this](const R& run) {
            if (!run.run.empty())
                emit openWanted(run.run);
        }));
}

const R* QueuePage::chosen() const
{
    const int row = m_table->currentSourceRow();
    return row < 0 || row >= m_rows->rowCount() ? nullptr : &m_rows->rows()[static_cast<std::size_t>(row)];
}

void QueuePage::showRuns()
{
    replaceRows(*m_table, *m_rows, m_queue.runs(), [](const R& a, const R& b) { return a.id == b.id; });
    m_stack->setCurrentIndex(m_queue.runs().empty() ? 0 : 1);
    updateActions();
    if (const QString now = title(); now != m_title) {
        m_title = now;
        emit titleChanged();
    }
}

void QueuePage::updateActions()
{
    const R* run = chosen();
    const bool waits = run != nullptr && run->state == R::State::waiting;
    m_up->setEnabled(waits);
    m_down->setEnabled(waits);
    m_remove->setEnabled(run != nullptr && run->state != R::State::running);
    m_open->setEnabled(run != nullptr && !run->run.empty());
    m_clear->setEnabled(m_queue.runs().size() > m_queue.waiting() + (m_queue.isDriving() ? 1 : 0));
    m_start->setText(m_queue.isPaused() ? tr("&Start the queue") : tr("&Pause after this run"));
    m_start->setIcon(icon(m_queue.isPaused() ? QStringLiteral("run") : QStringLiteral("pause")));
    m_start->setEnabled(m_queue.waiting() > 0 || !m_queue.isPaused());
    const QString count =
        m_queue.waiting() == 1 ? tr("1 plan waits") : tr("%1 plans wait").arg(m_queue.waiting());
    QString words = tr("%1, %2 left").arg(count, formatDuration(m_queue.left()));
    if (m_queue.isPaused() && m_queue.waiting() > 0)
        words += m_queue.isDriving() ? tr(" · paused after the present run")
                                     : tr(" · paused: Start the queue begins with the first");
    m_left->setText(m_queue.runs().empty() ? QString() : words);
}

QString QueuePage::title() const
{
    return m_queue.waiting() == 0 ? tr("Queue") : tr("Queue (%1)").arg(m_queue.waiting());
}

QIcon QueuePage::picture() const
{
    return icon(QStringLiteral("play"));
}

QList<QAction*> QueuePage::actionsOf(PageMenu menu) const
{
    if (menu == PageMenu::run)
        return { m_start, m_open };
    if (menu == PageMenu::edit)
        return { m_up, m_down, m_remove, m_clear };
    return {};
}

void QueuePage::activated()
{
    m_table->setFocus();
    if (chosen() == nullptr && m_rows->rowCount() > 0)
        m_table->selectRow(0);
}

void QueuePage::saveTo(QSettings& settings) const
{
    m_table->saveColumns(settings, kColumns);
}

void QueuePage::restoreFrom(const QSettings& settings)
{
    m_table->restoreColumns(settings, kColumns);
}

} // namespace loadstone::ui
