// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/chart/replay_bar.h"
#include "run/run_page.h"
#include "run/tabs/errors_tab.h"
#include "run/tabs/log_tab.h"
#include "run/tabs/notes_tab.h"
#include "run/tabs/results_tab.h"
#include "run/view/run_feed.h"
#include "run/view/run_reader.h"
#include "run/view/window_bar.h"
#include "run/view/window_box.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// The same finished run for every case that only reads.
std::filesystem::path finishedDemo()
{
    static const test::ScratchFolder folder;
    static const auto id = smallDemo().write(folder.path());
    REQUIRE(id.has_value());
    return folder.path() / (id->text() + ".loadstone");
}

/// A page with the finished run on it, and its first lines.
struct Opened {
    RunPage page;
    Opened()
    {
        page.resize(1000, 700);
        page.setVisible(true);
        page.open(finishedDemo());
        REQUIRE(waitUntil([&] { return page.view() != nullptr && !page.view()->lines.empty(); }));
    }
    template <class Widget>
    Widget& the()
    {
        auto* widget = page.findChild<Widget*>();
        REQUIRE(widget != nullptr);
        return *widget;
    }
};

Phase phase(const char* mix, PhaseKind kind, int begin, int end, bool open = false)
{
    return { 0, 0, mix, kind, Seconds(begin), Seconds(end), open };
}

} // namespace

TEST_CASE("the tables can be over what the chart shows, and follow it")
{
    Opened opened;
    opened.the<WindowBox>().choose(WindowKind::chart);
    REQUIRE(waitUntil([&] { return opened.page.view()->query.window.over == WindowKind::chart; }));
    CHECK(opened.page.view()->window == TimeWindow { Seconds(0), opened.page.view()->length });
    opened.page.chartPanel()->chart()->zoomTo({ Seconds(10), Seconds(20) });
    REQUIRE(waitUntil([&] { return opened.page.view()->window == TimeWindow { Seconds(10), Seconds(20) }; }));
}

TEST_CASE("response times open with the last measurement, and with the whole run where there is none")
{
    Opened opened;
    REQUIRE(waitUntil([&] { return opened.page.view() != nullptr; }));
    const auto& phases = opened.page.view()->phases;
    const auto measured = std::find_if(
        phases.rbegin(), phases.rend(), [](const Phase& p) { return p.kind == PhaseKind::measurement; });
    REQUIRE(measured != phases.rend());
    CHECK(opened.page.view()->window == TimeWindow { measured->begin, measured->end });

    RunReader reader;
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    REQUIRE(writer->tick());
    REQUIRE(reader.open(writer->file()));
    RunQuery query;
    query.window.over = WindowKind::lastMeasurement;
    const auto young = reader.read(query);
    REQUIRE(young);
    CHECK((*young)->window == TimeWindow { Nanoseconds(0), (*young)->shown });
}

TEST_CASE("the window of a phase is the phase as it is by now")
{
    WindowBox choice;
    QSignalSpy changes(&choice, &WindowBox::windowChanged);
    choice.setPhases(
        { phase("a", PhaseKind::rampUp, 0, 10), phase("a", PhaseKind::measurement, 10, 15, true) });
    choice.setCurrentIndex(choice.count() - 1);
    CHECK(choice.window() == TimeWindow { Seconds(10), Nanoseconds::max() }); // as far as there is anything
    const auto before = changes.count();
    choice.setPhases({ phase("a", PhaseKind::rampUp, 0, 10), phase("a", PhaseKind::measurement, 10, 34) });
    CHECK(choice.window() == TimeWindow { Seconds(10), Seconds(34) });
    CHECK(changes.count() == before + 1);
}

TEST_CASE("a phase that is not there at the replay's time is returned to when it comes again")
{
    WindowBox choice;
    const std::vector<Phase> all { phase("a", PhaseKind::rampUp, 0, 10),
        phase("a", PhaseKind::measurement, 10, 34) };
    choice.setPhases(all);
    const int last = choice.count() - 1;
    choice.setCurrentIndex(last);
    choice.setPhases({ all[0] });
    CHECK(choice.window() == TimeWindow {});
    choice.setPhases(all);
    CHECK(choice.currentIndex() == last);
    choice.reset(); // another run
    choice.setPhases(all);
    CHECK(choice.currentIndex() == 0);
}

TEST_CASE("the name of the live page says that a run goes on, also to those who look at another page")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    REQUIRE(writer->tick());
    RunPage page;
    page.setLive();
    page.setVisible(true);
    CHECK(page.title() == QStringLiteral("Live"));
    page.open(writer->file());
    REQUIRE(waitUntil([&] { return page.title() == QStringLiteral("Live (running)"); }));
    QSignalSpy changed(&page, &Page::titleChanged);
    for (bool more = true; more;) {
        const auto tick = writer->tick();
        REQUIRE(tick);
        more = *tick;
    }
    REQUIRE(writer->finish());
    REQUIRE(waitUntil([&] { return page.title() == QStringLiteral("Live"); }));
    CHECK(changed.count() == 1);
}

TEST_CASE("what follows the end of a growing run goes on following it with the same question")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    const auto grow = [&](int ticks) {
        for (int i = 0; i < ticks; ++i)
            REQUIRE(writer->tick());
    };
    grow(20);
    RunReader reader;
    REQUIRE(reader.open(writer->file()));
    ChartPanel panel;
    panel.setHeader(*reader.header());
    const auto first = reader.read({});
    REQUIRE(first);
    panel.show(*first);
    panel.chart()->setFollow(Seconds(10));
    RunQuery query;
    panel.fillQuery(query);
    query.window.over = WindowKind::chart;
    REQUIRE(reader.read(query));
    grow(20);
    const auto later = reader.read(query);
    REQUIRE(later);
    REQUIRE(*later != nullptr);
    const auto& bands = (*later)->lines.front().bands;
    REQUIRE(bands.size() == 11); // and the one that the line comes from
    CHECK(bands.front().end == Seconds(30));
    CHECK(bands.back().end == Seconds(40));
    CHECK((*later)->window == TimeWindow { Seconds(30), Seconds(40) });
    panel.show(*later);
    CHECK(panel.chart()->visible() == TimeWindow { Seconds(30), Seconds(40) });
}

TEST_CASE("another run begins without the statistics window of the one before")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    ChartPanel panel;
    panel.setHeader(*reader.header());
    panel.setSelection(TimeWindow { Seconds(10), Seconds(20) });
    std::optional<TimeWindow> told = panel.selection();
    QObject::connect(&panel, &ChartPanel::selectionChanged, [&](auto window) { told = window; });
    panel.setHeader(*reader.header());
    CHECK_FALSE(told.has_value());
    CHECK_FALSE(panel.selection().has_value());
}

TEST_CASE("lines that join keep the looks of those that are there, and looks outlive the session")
{
    RunReader reader;
    REQUIRE(reader.open(finishedDemo()));
    RunQuery early;
    early.until = Seconds(0);
    const auto begin = reader.read(early), end = reader.read({});
    REQUIRE(begin);
    REQUIRE(end);
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings")), QSettings::IniFormat);
    LineStyle style;
    {
        ChartPanel panel;
        panel.setHeader(*reader.header());
        panel.show(*begin);
        const int few = panel.legend()->rowCount();
        style = panel.legend()->style(0);
        style.colour = QColor(1, 2, 3);
        style.width = 5;
        panel.legend()->setStyle(0, style);
        panel.show(*end);
        CHECK(panel.legend()->rowCount() > few);
        CHECK(panel.legend()->style(0) == style);
        panel.saveTo(settings);
    }
    {
        ChartPanel idle; // a session in which no run was looked at
        idle.restoreFrom(settings);
        idle.saveTo(settings);
    }
    ChartPanel panel;
    panel.restoreFrom(settings);
    panel.setHeader(*reader.header());
    panel.show(*end);
    CHECK(panel.legend()->style(0) == style);
}

TEST_CASE("Delete takes counters away only where they are listed")
{
    Opened opened;
    QApplication::setActiveWindow(&opened.page);
    LegendModel& legend = *opened.page.chartPanel()->legend();
    const int before = legend.rowCount();
    opened.page.chartPanel()->chart()->setFocus();
    QTest::keyClick(opened.page.chartPanel()->chart(), Qt::Key_Delete);
    CHECK(legend.rowCount() == before);
    auto& view = opened.the<LegendView>();
    view.setFocus();
    view.selectRow(0);
    QTest::keyClick(&view, Qt::Key_Delete);
    CHECK(legend.rowCount() == before - 1);
}

TEST_CASE("choosing the same range again leads back from a zoom, and the box says when it is everything")
{
    Opened opened;
    PerformanceChart& chart = *opened.page.chartPanel()->chart();
    QComboBox* show = nullptr;
    for (auto* box : opened.page.findChildren<QComboBox*>())
        if (box->accessibleName() == QStringLiteral("Time range of the chart"))
            show = box;
    REQUIRE(show != nullptr);
    const auto choose = [&](int entry) {
        show->setCurrentIndex(entry);
        emit show->activated(entry);
    };
    choose(1);
    CHECK(chart.followed() == Seconds(60));
    chart.zoomTo({ Seconds(10), Seconds(20) });
    choose(1);
    CHECK(chart.followed() == Seconds(60));
    chart.zoomTo({ Seconds(10), Seconds(20) });
    chart.showEverything();
    CHECK(chart.showsWholeRun());
    CHECK(show->currentIndex() == 0);
}

TEST_CASE("a picture of the chart can say which run it is of, and what its lines come to")
{
    Opened opened;
    const PerformanceChart& chart = *opened.page.chartPanel()->chart();
    CHECK(chart.title().contains(QString::fromStdString(opened.page.header()->title)));
    CHECK(chart.title().contains(QString::fromStdString(opened.page.header()->id.text())));
    REQUIRE_FALSE(chart.lines().empty());
    CHECK(chart.lines()[0].statistics.samples == 87);
    CHECK(chart.statisticsWindow() == TimeWindow { Seconds(0), Seconds(87) });
    emit opened.page.chartPanel()->chart()->windowSelected(TimeWindow { Seconds(10), Seconds(20) });
    REQUIRE(waitUntil([&] { return chart.lines()[0].statistics.samples == 10; }));
    CHECK(chart.statisticsWindow() == TimeWindow { Seconds(10), Seconds(20) });
}

TEST_CASE("pictures of a run that is not to be quoted say so first, in its replay as well")
{
    Opened opened;
    ChartPanel& panel = *opened.page.chartPanel();
    RunView view = *opened.page.view();
    CHECK_FALSE(panel.chart()->title().contains(QStringLiteral("INVALID")));
    view.outcome = std::make_shared<const RunVerdict>(RunVerdict { Verdict::invalid, "INVALID", {} });
    view.verdict = nullptr;
    panel.show(std::make_shared<const RunView>(view));
    CHECK(panel.chart()->title().startsWith(QStringLiteral("INVALID")));
    view.outcome = std::make_shared<const RunVerdict>(RunVerdict { Verdict::notMet, "NOT MET", {} });
    panel.show(std::make_shared<const RunView>(view));
    CHECK_FALSE(panel.chart()->title().contains(QStringLiteral("NOT")));
}

TEST_CASE("a changed note is saved for the run that it is about, before the page turns to another")
{
    Opened opened;
    auto& tab = opened.the<NotesTab>();
    const RunId about = opened.page.header()->id;
    QString saved;
    RunId savedFor;
    QObject::connect(&opened.page, &RunPage::noteEdited, [&](const QString& note) {
        saved = note;
        savedFor = opened.page.header() ? opened.page.header()->id : RunId();
    });
    tab.findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("slow disk"));
    opened.page.open(finishedDemo());
    CHECK(saved == QStringLiteral("slow disk"));
    CHECK(savedFor == about);
    REQUIRE(waitUntil([&] { return opened.page.header() != nullptr; }));
    CHECK(tab.findChild<QPlainTextEdit*>()->toPlainText().isEmpty()); // until the history says otherwise
}

TEST_CASE("the chosen kind of error and the transcript that is read stay while others come in")
{
    ErrorsTab tab;
    const auto table = [&](const char* name) -> DataTable& {
        for (auto* found : tab.findChildren<DataTable*>())
            if (found->accessibleName() == QLatin1String(name))
                return *found;
        throw std::runtime_error(name);
    };
    DataTable &kinds = table("Errors by kind"), &transcripts = table("Transcripts of failed sessions");
    const auto* words = tab.findChild<QPlainTextEdit*>();
    std::vector<Transcript> said { { Seconds(1), 0, "Login", FailureKind::refused, "login one" },
        { Seconds(2), 0, "Send message", FailureKind::timeout, "send one" },
        { Seconds(3), 0, "Send message", FailureKind::timeout, "send two" } };
    const auto show = [&](std::vector<ErrorRow> errors) {
        RunView view;
        view.state = RunState::running;
        view.length = view.shown = view.window.end = view.errorWindow.end = Seconds(60);
        view.errors = std::move(errors);
        view.transcripts = std::make_shared<const std::vector<Transcript>>(said);
        tab.show(view);
    };
    show({ { "Login", FailureKind::refused, 0, 1, "" }, { "Send message", FailureKind::timeout, 0, 2, "" } });
    CHECK(transcripts.model()->rowCount() == 3);
    kinds.setCurrentSourceRow(1);
    CHECK(transcripts.model()->rowCount() == 2);
    transcripts.setCurrentSourceRow(1);
    CHECK(words->toPlainText() == QStringLiteral("send two"));

    said.push_back({ Seconds(4), 0, "Check mail", FailureKind::protocol, "check one" });
    said.push_back({ Seconds(5), 0, "Send message", FailureKind::timeout, "send three" });
    show({ { "Check mail", FailureKind::protocol, 0, 1, "" }, { "Login", FailureKind::refused, 0, 1, "" },
        { "Send message", FailureKind::timeout, 0, 3, "" } });
    CHECK(kinds.currentSourceRow() == 2);
    CHECK(transcripts.model()->rowCount() == 3);
    CHECK(words->toPlainText() == QStringLiteral("send two"));

    show({ { "Login", FailureKind::refused, 0, 1, "" } }); // within another window
    CHECK(kinds.currentSourceRow() == -1);
    CHECK(transcripts.model()->rowCount() == 5);
    CHECK(words->toPlainText() == QStringLiteral("send two"));
}

TEST_CASE("the line of the log that is read stays when others come in below and a mark above")
{
    LogTab tab;
    RunView view;
    view.state = RunState::running;
    view.shown = Seconds(60);
    std::vector<RunEvent> events { { Seconds(1), Severity::info, "one" },
        { Seconds(20), Severity::info, "two" } };
    const auto show = [&] {
        view.events = std::make_shared<const std::vector<RunEvent>>(events);
        tab.show(view);
        return tab.table()->currentSourceRow();
    };
    show();
    tab.table()->setCurrentSourceRow(1);
    events.push_back({ Seconds(30), Severity::info, "three" });
    CHECK(show() == 1);
    view.annotations = std::make_shared<const std::vector<Annotation>>(
        std::vector<Annotation> { { wallNow(), AnnotationKind::mark, "here", Seconds(10) } });
    CHECK(show() == 2);
    CHECK(tab.table()->model()->rowCount() == 4);
}

TEST_CASE("the errors say which window they are of, and so do the transcripts")
{
    Opened opened;
    auto& tab = opened.the<ErrorsTab>();
    const auto says = [&](const QString& words) {
        const auto labels = tab.findChildren<QLabel*>();
        return std::any_of(
            labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(words); });
    };
    CHECK(says(QStringLiteral("from 00:00 to 01:27: 2 errors")));
    emit opened.page.chartPanel()->chart()->windowSelected(TimeWindow { Seconds(10), Seconds(20) });
    REQUIRE(waitUntil([&] { return opened.page.view()->errorWindow.end == Seconds(20); }));
    CHECK(says(QStringLiteral("from 00:10 to 00:20")));
    CHECK(says(QStringLiteral("0 of the run's 2 errors")));
    for (const QTableView* table : tab.findChildren<QTableView*>())
        CHECK(table->model()->rowCount() == 0);
}

TEST_CASE("a mark is never set beyond the recording's end")
{
    Opened opened;
    Answers answers;
    answers.typed = QStringLiteral("here");
    opened.page.chartPanel()->chart()->setCursor(Seconds(400));
    Nanoseconds at {};
    QObject::connect(&opened.page, &RunPage::annotationWanted, [&](const Annotation& mark) { at = mark.at; });
    emit opened.the<LogTab>().markWanted();
    CHECK(at == opened.page.view()->length);
}

TEST_CASE("a chosen window is kept with its reason, and the window as planned is not")
{
    Opened opened;
    Answers answers;
    answers.typed = QStringLiteral("steady");
    auto* keep = opened.page.windowBar()->findChild<QPushButton*>();
    REQUIRE(keep != nullptr);
    CHECK_FALSE(keep->isEnabled());
    emit opened.page.chartPanel()->chart()->windowSelected(TimeWindow { Seconds(10), Seconds(20) });
    REQUIRE(waitUntil([&] { return keep->isEnabled(); }));
    Annotation kept;
    QObject::connect(&opened.page, &RunPage::annotationWanted, [&](const Annotation& made) { kept = made; });
    keep->click();
    CHECK(kept.kind == AnnotationKind::window);
    CHECK(kept.at == Seconds(10));
    CHECK(kept.text.starts_with("00:10 to 00:20, 00:10 of "));
    CHECK(kept.text.ends_with(": steady"));
    // It is in the event log from then on.
    RunView view = *opened.page.view();
    view.annotations = std::make_shared<std::vector<Annotation>>(1, kept);
    auto& log = opened.the<LogTab>();
    log.show(view);
    const auto* rows = log.findChild<QTableView*>()->model();
    bool isThere = false;
    for (int row = 0; row < rows->rowCount(); ++row)
        for (int column = 0; column < rows->columnCount(); ++column)
            isThere =
                isThere || rows->index(row, column).data().toString().toStdString() == "Window " + kept.text;
    CHECK(isThere);
}

TEST_CASE("a page comes back when its recording can be read again")
{
    Opened opened;
    auto& feed = opened.the<RunFeed>();
    emit feed.failed(QStringLiteral("disk away"));
    CHECK(opened.page.isBroken());
    CHECK(opened.the<QStackedWidget>().currentIndex() == 0);
    emit feed.changed(opened.page.view());
    CHECK_FALSE(opened.page.isBroken());
    CHECK(opened.the<QStackedWidget>().currentIndex() == 1);
}

TEST_CASE("the results of a run that filled mailboxes say what was done to them, instead of missing a mix")
{
    ResultsTab tab;
    tab.setVisible(true);
    auto* label = tab.findChild<QLabel*>(QStringLiteral("preparations"));
    REQUIRE(label != nullptr);
    CHECK_FALSE(label->isVisible());
    RunResults results;
    PreparationResult filling;
    filling.totals.mailboxes = 1000;
    filling.totals.done = 998;
    filling.totals.failed = 2;
    filling.totals.appended = 199'600;
    filling.figures = figuresOf(filling);
    results.preparations.push_back(filling);
    tab.show(results);
    CHECK(label->isVisible());
    CHECK(label->text().contains(QStringLiteral("initialisation: 1,000 mailboxes, 998 done, 2 given up")));
    CHECK(label->text().contains(QStringLiteral("199,600 messages appended")));
    CHECK_FALSE(label->text().contains(QStringLiteral("contacts"))); // there are none
    results.preparations[0].totals.entriesMade = 1530;
    results.preparations[0].figures = figuresOf(results.preparations[0]);
    tab.show(results);
    CHECK(label->text().contains(QStringLiteral("1,530 appointments and contacts made")));
    for (const QLabel* other : tab.findChildren<QLabel*>())
        CHECK_FALSE((other->isVisible() && other->text().startsWith(QStringLiteral("No mix"))));
}

TEST_CASE("remarks on a good run stand above its results, and above those of a chosen window")
{
    RunView view;
    view.state = RunState::finished;
    auto results = std::make_shared<RunResults>();
    results->state = RunState::finished;
    view.results = results;
    RunVerdict verdict;
    verdict.verdict = Verdict::met;
    verdict.headline = "All criteria of the plan are met.";
    view.outcome = view.verdict = std::make_shared<const RunVerdict>(verdict);
    ResultsTab tab;
    tab.setVisible(true);
    const auto says = [&](const char* words) {
        return std::ranges::any_of(tab.findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(QString::fromUtf8(words));
        });
    };
    tab.show(view);
    CHECK_FALSE(says("Remarks"));
    verdict.reasons = { "The processors were busy." };
    view.outcome = view.verdict = std::make_shared<const RunVerdict>(verdict);
    tab.show(view);
    CHECK(says("Remarks:\n• The processors were busy."));
    results = std::make_shared<RunResults>(*results);
    results->window = TimeWindow { std::chrono::seconds(1), std::chrono::seconds(2) };
    view.results = results;
    tab.show(view);
    CHECK(says("Remarks on the whole run:\n• The processors were busy."));
}

TEST_CASE(
    "a source that comes while a run is shown can be added to its chart, and moves when its offset does")
{
    const test::ScratchFolder folder;
    const auto id = smallDemo().write(folder.path());
    REQUIRE(id);
    const auto file = folder.path() / (id->text() + ".loadstone");
    RunPage page;
    page.resize(1000, 700);
    page.setVisible(true);
    page.open(file);
    REQUIRE(waitUntil([&] { return page.view() != nullptr && !page.view()->lines.empty(); }));
    auto* panel = page.findChild<ChartPanel*>();
    REQUIRE(panel != nullptr);
    const int rows = panel->legend()->rowCount();

    SourceFacts facts { "log ex.csv", "EX", {}, Seconds(15), {}, {} };
    facts.counters = { counterOf(
        ForeignCounter { "EX", "Database", "Information Store", "Log Record Stalls/sec" }) };
    const std::vector<SourceTick> ticks { { Seconds(0), Seconds(15), { 3 } },
        { Seconds(15), Seconds(30), { 5 } } };
    REQUIRE(attachSource(file, facts, ticks));
    const auto offered = [&]() -> const LineInfo* {
        for (const LineInfo& info : panel->legend()->available())
            if (!info.source.isEmpty())
                return &info;
        return nullptr;
    };
    auto* feed = page.findChild<RunFeed*>();
    REQUIRE(feed != nullptr);
    feed->poll();
    REQUIRE(waitUntil([&] { return offered() != nullptr; }));
    CHECK(panel->legend()->rowCount() == rows); // nothing joins unasked
    panel->legend()->add({ offered()->key });
    const auto points = [&]() -> std::vector<CounterBand> {
        const auto lines = panel->legend()->chartLines();
        return static_cast<int>(lines.size()) == rows + 1 ? lines.back().bands : std::vector<CounterBand> {};
    };
    REQUIRE(waitUntil([&] { return points().size() == 2; }));
    CHECK(points()[0] == CounterBand { Seconds(15), Seconds(30), 3, 3, 3 });
    REQUIRE(moveSource(file, 1, Seconds(40)));
    feed->poll();
    REQUIRE(waitUntil([&] { return points().size() == 2 && points()[0].begin == Seconds(40); }));
    CHECK(points()[1] == CounterBand { Seconds(55), Seconds(70), 5, 5, 5 });
}
