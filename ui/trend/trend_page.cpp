// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trend/trend_page.h"

#include "charts/curve_chart.h"
#include "charts/series_colours.h"
#include "compare/tabs/points_table.h"
#include "compare/view/compare_words.h"
#include "format.h"
#include "icons.h"

#include <loadstone/comparison_report.h>
#include <loadstone/table_formats.h>

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace loadstone::ui {

namespace {

const QString kSplit = QStringLiteral("trend/split"), kFigure = QStringLiteral("trend/figure");

QString wordsOf(const TrendChoice& choice)
{
    QStringList parts;
    for (const std::string& part : { choice.mix, choice.group, choice.label })
        if (!part.empty())
            parts.append(text(part));
    return parts.join(QStringLiteral(": "));
}

ComparisonRow rowLike(const PlanTrend& trend)
{
    ComparisonRow row;
    row.unit = trend.unit;
    row.rounding = trend.rounding;
    return row;
}

} // namespace

/// What the thread has read.
struct TrendPage::Kept {
    std::map<std::string, ComparedRun> runs;
};

TrendPage::TrendPage(
    HistoryStore& store, const std::filesystem::path& history, const RunSummary& like, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_planName(like.planName)
    , m_title(like.title)
    , m_kept(std::make_shared<Kept>())
    , m_figure(new QComboBox)
    , m_chart(new CurveChart)
    , m_table(new PointsTable)
    , m_questions(new QLabel)
    , m_empty(new QLabel)
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton)
    , m_stack(new QStackedWidget)
    , m_split(new QSplitter(Qt::Vertical))
    , m_reading(history)
{
    makeActions();
    layOut();
    connect(&m_store, &HistoryStore::changed, this, &TrendPage::ask);
    ask();
}

TrendPage::~TrendPage()
{
    if (m_stop)
        *m_stop = true;
}

void TrendPage::makeActions()
{
    for (const bool svg : { false, true }) {
        auto* action = new QAction(svg ? tr("Picture as SVG…") : tr("Picture as PNG…"), this);
        connect(action, &QAction::triggered, this, [this, svg] { writePicture(svg); });
        m_exports.append(action);
    }
    auto* copy = new QAction(tr("&Copy the picture"), this);
    connect(copy, &QAction::triggered, m_chart, &FigureChart::copyPicture);
    auto* numbers = new QAction(tr("&Numbers of the picture as CSV…"), this);
    connect(numbers, &QAction::triggered, this, &TrendPage::writeNumbers);
    m_exports += { copy, numbers };
}

void TrendPage::layOut()
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    auto* label = new QLabel(tr("Fi&gure:"));
    label->setBuddy(m_figure);
    m_figure->setAccessibleName(tr("Figure over the runs"));
    m_figure->setMinimumContentsLength(36);
    m_figure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    bar->addWidget(label);
    bar->addWidget(m_figure, 1);
    bar->addStretch(1);
    layout->addLayout(bar);
    m_chart->setEmptyText(tr("None of the runs has this figure."));
    m_chart->setFromZero(false, false);
    m_table->setAccessibleName(tr("Runs of the plan"));
    m_split->addWidget(m_chart);
    m_split->addWidget(m_table);
    m_split->setSizes({ 380, 220 });
    m_stack->addWidget(m_split);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_stack->addWidget(m_empty);
    layout->addWidget(m_stack, 1);
    m_questions->setTextFormat(Qt::PlainText);
    m_questions->setWordWrap(true);
    m_questions->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_questions);
    auto* below = new QHBoxLayout;
    m_progress->setMaximumWidth(420);
    m_progress->setFormat(tr("Reading the runs: %v of %m"));
    m_cancel->setText(tr("Cancel"));
    below->addWidget(m_progress);
    below->addWidget(m_cancel);
    below->addStretch(1);
    layout->addLayout(below);
    m_progress->hide();
    m_cancel->hide();
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (m_stop)
            *m_stop = true;
        m_progress->hide();
        m_cancel->hide();
    });
    connect(m_figure, &QComboBox::activated, this, [this](int at) {
        m_wanted = m_figure->itemText(at);
        draw();
    });
    const auto open = [this](int run) {
        if (run >= 0 && static_cast<std::size_t>(run) < m_trend.runs.size())
            emit openWanted(m_trend.runs[static_cast<std::size_t>(run)].id);
    };
    connect(m_table, &QTableView::activated, this, [this, open] { open(m_table->currentSourceRow()); });
    connect(m_chart, &FigureChart::activated, this, [this, open](int, int item) {
        int left = item; // points without a value are not drawn
        for (std::size_t i = 0; i < m_trend.points.size(); ++i)
            if (m_trend.points[i].value && left-- == 0)
                return open(static_cast<int>(i));
    });
    connect(m_chart, &FigureChart::currentChanged, this, [this](int, int item) {
        int left = item;
        for (std::size_t i = 0; i < m_trend.points.size(); ++i)
            if (m_trend.points[i].value && left-- == 0)
                return m_table->setCurrentSourceRow(static_cast<int>(i));
    });
}

void TrendPage::ask()
{
    std::vector<RunSummary> own;
    for (const RunSummary& run : m_store.runs())
        if (run.planName == m_planName && run.title == m_title && isOver(run.state))
            own.push_back(run);
    if (own.size() > PlanTrend::kMostRuns)
        own.resize(PlanTrend::kMostRuns); // the newest come first
    const auto same = [](const RunSummary& a, const RunSummary& b) {
        return a.id == b.id && a.figures == b.figures && a.valid == b.valid;
    };
    if (!own.empty() && std::equal(own.begin(), own.end(), m_listed.begin(), m_listed.end(), same))
        return;
    m_listed = own;
    if (m_stop)
        *m_stop = true;
    m_stop = std::make_shared<std::atomic<bool>>(false);
    m_progress->setRange(0, static_cast<int>(own.size()));
    m_progress->show();
    m_cancel->show();
    const auto tell = [this, stop = m_stop](int done) {
        QMetaObject::invokeMethod(this, [this, stop, done] {
            if (!*stop)
                m_progress->setValue(done);
        });
    };
    m_reading.run(
        [kept = m_kept, own, stop = m_stop, tell](History& history) -> Result<std::vector<ComparedRun>> {
            std::vector<ComparedRun> runs;
            for (const RunSummary& run : own) {
                if (*stop)
                    break;
                tell(static_cast<int>(runs.size()));
                auto known = kept->runs.find(run.id.text());
                if (known == kept->runs.end()) {
                    auto read = history.compared(run.id);
                    if (!read)
                        continue; // it is damaged or has gone
                    known = kept->runs.emplace(run.id.text(), *std::move(read)).first;
                }
                runs.push_back(known->second);
            }
            return runs;
        },
        this,
        [this, stop = m_stop](Result<std::vector<ComparedRun>> runs) {
            if (*stop)
                return;
            m_progress->hide();
            m_cancel->hide();
            if (runs)
                m_runs = *std::move(runs);
            fillFigures();
            draw();
            emit read();
        });
}

void TrendPage::fillFigures()
{
    m_choices = trendChoices(m_runs);
    QStringList words;
    for (const TrendChoice& choice : m_choices)
        words.append(wordsOf(choice));
    m_figure->clear();
    m_figure->addItems(words);
    m_figure->setEnabled(!words.isEmpty());
    m_figure->setCurrentIndex(std::max<int>(0, static_cast<int>(words.indexOf(m_wanted))));
}

void TrendPage::draw()
{
    m_points = {};
    const int at = m_figure->currentIndex();
    if (m_runs.empty() || at < 0 || static_cast<std::size_t>(at) >= m_choices.size()) {
        m_trend = {};
        m_empty->setText(
            tr("<h2>No figures yet</h2><p>None of the runs of this plan has ended with a measurement.</p>"));
        m_stack->setCurrentWidget(m_empty);
        m_questions->clear();
        return;
    }
    m_stack->setCurrentWidget(m_split);
    const TrendChoice& choice = m_choices[static_cast<std::size_t>(at)];
    m_trend = planTrend(m_runs, choice.key, choice.mix);
    const ComparisonRow row = rowLike(m_trend);
    Curve dots;
    dots.colour = seriesColour(0);
    dots.line = false;
    dots.pieces.emplace_back();
    std::vector<std::pair<double, QString>> ticks;
    // Runs of one day are told apart by the time of day.
    const auto dayOf = [](const TrendRun& run) { return formatWhen(run.started).left(10); };
    const bool isOneDay = !m_trend.runs.empty()
        && std::ranges::all_of(
            m_trend.runs, [&](const TrendRun& run) { return dayOf(run) == dayOf(m_trend.runs.front()); });
    m_points.title = m_trend.label;
    m_points.columns = { { "Started", false }, { "Run", false }, { m_trend.label, true },
        { "Counts", false } };
    for (std::size_t i = 0; i < m_trend.points.size(); ++i) {
        const TrendPoint& point = m_trend.points[i];
        const TrendRun& run = m_trend.runs[point.run];
        const QString value = point.value ? numberText(row, *point.value, point.flags) : QStringLiteral("–");
        ticks.emplace_back(
            static_cast<double>(i), isOneDay ? formatWhen(run.started).mid(11, 5) : dayOf(run));
        m_points.rows.push_back(
            { bytes(formatWhen(run.started)), run.title, bytes(value), point.counts ? "yes" : "no" });
        if (point.value)
            dots.pieces.back().push_back({ static_cast<double>(i), *point.value,
                QStringLiteral("%1\n%2: %3%4")
                    .arg(formatWhen(run.started), text(m_trend.label), value,
                        point.counts ? QString() : tr("\nnot valid or not complete: it does not count")),
                {}, {}, !point.counts });
    }
    QStringList questions;
    for (const ChangePoint& change : m_trend.changes) {
        questions.append(text(questionOf(m_trend, change)));
        if (m_trend.points[change.run].value)
            dots.marks.push_back(
                { static_cast<double>(change.run), *m_trend.points[change.run].value, tr("changed?") });
    }
    if (!m_trend.note.empty())
        questions.append(text(m_trend.note));
    m_questions->setText(questions.join(QLatin1Char('\n')));
    m_chart->setTitle(QStringLiteral("%1, %2").arg(text(m_title), wordsOf(choice)));
    m_chart->setTitles(
        isOneDay ? tr("Run, by its start on %1").arg(dayOf(m_trend.runs.front())) : tr("Run, by its start"),
        text(m_trend.unit)); // the figure's name is in the title
    m_chart->setXTicks(std::move(ticks));
    m_chart->setCurves({ std::move(dots) });
    m_table->show(m_points);
}

void TrendPage::writePicture(bool svg)
{
    const QString suffix = svg ? QStringLiteral("svg") : QStringLiteral("png");
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export the picture"), QStringLiteral("trend.") + suffix, QStringLiteral("*.") + suffix);
    if (file.isEmpty())
        return;
    if (svg ? m_chart->writeSvg(file) : m_chart->image().save(file))
        emit message(tr("Written: %1").arg(file));
    else
        QMessageBox::warning(this, tr("Export"), tr("%1 could not be written.").arg(file));
}

void TrendPage::writeNumbers()
{
    const QString name = QFileDialog::getSaveFileName(
        this, tr("Export the numbers"), QStringLiteral("trend.csv"), QStringLiteral("*.csv"));
    if (name.isEmpty())
        return;
    QFile file(name);
    const std::string content = formatTablesCsv({ m_points });
    if (file.open(QIODevice::WriteOnly)
        && file.write(content.data(), static_cast<qint64>(content.size()))
            == static_cast<qint64>(content.size()))
        emit message(tr("Written: %1").arg(name));
    else
        QMessageBox::warning(this, tr("Export"), tr("%1 could not be written.").arg(name));
}

QString TrendPage::title() const
{
    return tr("History of %1").arg(text(m_title));
}

QString TrendPage::tip() const
{
    return tr("All runs of %1").arg(text(m_planName));
}

QIcon TrendPage::picture() const
{
    return icon(QStringLiteral("trend"));
}

QList<QAction*> TrendPage::actionsOf(PageMenu menu) const
{
    return menu == PageMenu::exported ? m_exports : QList<QAction*>();
}

void TrendPage::activated()
{
    m_chart->setFocus();
}

void TrendPage::saveTo(QSettings& settings) const
{
    settings.setValue(kSplit, m_split->saveState());
    settings.setValue(kFigure, m_wanted);
}

void TrendPage::restoreFrom(const QSettings& settings)
{
    m_split->restoreState(settings.value(kSplit).toByteArray());
    m_wanted = settings.value(kFigure).toString();
}

} // namespace loadstone::ui
