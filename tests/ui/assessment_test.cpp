// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/chart/replay_bar.h"
#include "run/run_page.h"
#include "run/tabs/audit_tab.h"
#include "run/tabs/load_tab.h"
#include "run/tabs/results_tab.h"
#include "run/tabs/score_tab.h"
#include "run/view/run_reader.h"
#include "run/view/window_bar.h"
#include "run/view/window_box.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <loadstone/source.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>

#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A page with a finished run on it, one of its tabs in front.
struct Opened {
    test::ScratchFolder folder;
    std::filesystem::path file;
    RunPage page;

    explicit Opened(const test::DemoRecording& demo)
    {
        const auto id = demo.write(folder.path());
        REQUIRE(id);
        file = folder.path() / (id->text() + ".loadstone");
        page.resize(1200, 800);
        page.setVisible(true);
        page.open(file);
        REQUIRE(waitUntil([&] { return page.view() != nullptr; }));
    }
    template <class Tab>
    Tab& front()
    {
        auto* tab = page.findChild<Tab*>();
        REQUIRE(tab != nullptr);
        page.findChild<QTabWidget*>()->setCurrentWidget(tab);
        return *tab;
    }
    /// computeScore()'s own, in the words of the screen.
    [[nodiscard]] QString scoreOf(const ScoreOptions& options) const
    {
        const auto recording = Recording::open(file);
        REQUIRE(recording);
        const auto score = computeScore(*recording, options);
        REQUIRE(score);
        REQUIRE(score->value);
        return QStringLiteral("core %1 ms").arg(formatValue(seconds(*score->value) * 1e3));
    }
    void replayTo(Nanoseconds at)
    {
        auto* replay = page.findChild<ReplayBar*>();
        replay->setPosition(at);
        emit replay->positionChanged(at);
    }
    [[nodiscard]] Nanoseconds length() const { return page.view()->length; }
};

/// Waits until a label of these words, or that begin with them, is seen.
bool says(const QWidget& tab, const QString& words)
{
    return waitUntil([&] {
        for (const QLabel* label : tab.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words))
                return true;
        return false;
    });
}

std::filesystem::path weightsFile(const test::ScratchFolder& folder, const std::string& text)
{
    const auto file = folder.path() / "weights.toml";
    std::ofstream(file) << text;
    return file;
}

} // namespace

TEST_CASE("the score on the screen is the engine's, and another window, percentile or weights change it")
{
    Opened opened(usersDemo());
    auto& tab = opened.front<ScoreTab>();
    const QString usual = opened.scoreOf({});
    CHECK(says(tab, usual));
    CHECK(tab.table()->model()->rowCount() == 9); // all that the profile weighs

    ScoreOptions options;
    options.from = Nanoseconds(0);
    options.to = opened.length();
    opened.page.findChild<WindowBox*>()->choose(WindowKind::given);
    const QString whole = opened.scoreOf(options);
    CHECK(whole != usual);
    CHECK(says(tab, whole));

    tab.findChild<QDoubleSpinBox*>()->setValue(50);
    options.percentile = 50;
    CHECK(says(tab, opened.scoreOf(options)));
    CHECK(tab.table()->model()->headerData(3, Qt::Horizontal).toString() == QStringLiteral("50 % [ms]"));

    options.weights = weightsFile(opened.folder, "[score]\nread = 1\nsend = 70\n");
    tab.chooseWeights(text(options.weights.string()));
    CHECK(says(tab, opened.scoreOf(options)));
    CHECK(waitUntil([&] { return tab.table()->model()->rowCount() == 2; }));
}

TEST_CASE("a score in a replay reaches no further than the replay")
{
    Opened opened(usersDemo());
    auto& tab = opened.front<ScoreTab>();
    REQUIRE(says(tab, opened.scoreOf({})));
    opened.replayTo(Seconds(20)); // the first measurement began at 6 s
    ScoreOptions options;
    options.from = Seconds(6);
    options.to = Seconds(20);
    CHECK(says(tab, opened.scoreOf(options)));
    opened.replayTo(Seconds(3));
    CHECK(says(tab, QStringLiteral("No mix has begun its measurement yet.")));
    CHECK_FALSE(tab.table()->isVisible());
}

TEST_CASE("a run without a profile is offered the weights of one")
{
    Opened opened(smallDemo());
    auto& tab = opened.front<ScoreTab>();
    CHECK(says(tab, QStringLiteral("has no profile")));
    CHECK_FALSE(tab.table()->isVisible());
    for (QPushButton* button : tab.findChildren<QPushButton*>())
        if (button->text().contains(QStringLiteral("medium-5.5")))
            button->click();
    ScoreOptions options;
    options.weights = findWeights("medium-5.5");
    CHECK(says(tab, opened.scoreOf(options)));
    CHECK(tab.table()->isVisible());
}

TEST_CASE("weights that cannot be read say why, and others can be chosen")
{
    Opened opened(usersDemo());
    auto& tab = opened.front<ScoreTab>();
    tab.chooseWeights(text(weightsFile(opened.folder, "[score]\nread = \"much\"\n").string()));
    CHECK(says(tab, QStringLiteral("weights.toml")));
    CHECK_FALSE(tab.table()->isVisible());
    tab.chooseWeights({});
    CHECK(says(tab, opened.scoreOf({})));
}

TEST_CASE("what was chosen for scores is there in the next session, as far as every run has it")
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    {
        ScoreTab before;
        before.findChild<QDoubleSpinBox*>()->setValue(99.9);
        before.chooseWeights(QStringLiteral("light-4.0"));
        before.saveTo(settings);
    }
    ScoreTab after;
    after.restoreFrom(settings);
    const ScoreQuery query = after.query();
    CHECK(query.percentile == 99.9);
    CHECK(query.weights == "light-4.0");
    settings.setValue(QStringLiteral("score/weights"), QStringLiteral("/no/such/file.toml"));
    ScoreTab gone;
    gone.restoreFrom(settings);
    CHECK(gone.query().weights.empty());
}

TEST_CASE("criteria that are not met are told above the results, one by one")
{
    Opened opened(usersDemo("1 ms"));
    auto& tab = opened.front<ResultsTab>();
    CHECK(says(tab, QStringLiteral("NOT met")));
    REQUIRE(tab.criteria()->isVisible());
    const QString table = tab.criteria()->asText(false);
    INFO(table.toStdString());
    CHECK(table.contains(QStringLiteral("Read message, 95 %\t<= 1 ms\t")));
    CHECK(table.contains(QStringLiteral("\tNOT met\tsince ")));
    CHECK(table.contains(QStringLiteral("Send message, 95 %\t<= 1 min\t")));
    opened.replayTo(Seconds(20));
    CHECK(says(tab, QStringLiteral("These are figures of the whole run, not those at")));
}

TEST_CASE("criteria that are met are told too, and a plan without any leaves no empty table")
{
    Opened met(usersDemo());
    CHECK(says(met.front<ResultsTab>(), QStringLiteral("criteria of the plan are met.")));
    Opened none(smallDemo());
    auto& tab = none.front<ResultsTab>();
    REQUIRE(waitUntil([&] { return none.page.view()->criteria != nullptr; }));
    CHECK_FALSE(tab.criteria()->isVisible());
}

TEST_CASE("the load has a column for each mix that was measured by then, beside the profile")
{
    Opened opened(usersDemo());
    auto& tab = opened.front<LoadTab>();
    const auto heading = [&](const QString& name) {
        for (const DataTable* table : tab.findChildren<DataTable*>())
            if (table->accessibleName() == name)
                return table->asText(false).section(QLatin1Char('\n'), 0, 0);
        return QString();
    };
    const QString load = QStringLiteral("Transaction load"), userDay = QStringLiteral("Per user-day");
    CHECK(waitUntil([&] { return heading(load) == QStringLiteral("\t10 clients\t20 clients"); }));
    CHECK(heading(userDay) == QStringLiteral("\t10 clients\t20 clients\tProfile\tDifference"));
    CHECK(says(tab, QStringLiteral("20 clients: ")));
    opened.replayTo(Seconds(20));
    CHECK(waitUntil([&] { return heading(load) == QStringLiteral("\t10 clients"); }));
    CHECK(says(tab, QStringLiteral("The steady state is that of the whole run")));
}

TEST_CASE("what takes long is computed where it is looked at, after the chart, and seldom while a run grows")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), usersDemo());
    REQUIRE(writer);
    for (int t = 0; t < 12; ++t)
        REQUIRE(writer->tick());
    RunReader reader;
    REQUIRE(reader.open(writer->file()));
    RunQuery query;
    const auto read = [&] {
        auto view = reader.read(query);
        REQUIRE(view);
        return *view;
    };
    CHECK(read()->criteria == nullptr);
    query.criteria = true;
    auto view = read();
    CHECK(view->criteria == nullptr);
    CHECK(view->unfinished);
    view = read();
    REQUIRE(view->criteria != nullptr);
    CHECK(view->criteria->judgement.stated);
    CHECK_FALSE(view->unfinished);
    REQUIRE(writer->tick());
    CHECK(read()->criteria == view->criteria); // as it was: ten seconds have not gone by
    while (*writer->tick()) { }
    REQUIRE(writer->finish());
    const auto end = read();
    CHECK(end->criteria != view->criteria); // at its end it is judged at once
    CHECK(end->criteria->judgement.mixes.size() == 2);
}

TEST_CASE("criteria of a chosen window are of that window, whatever window was judged before")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), usersDemo());
    REQUIRE(writer);
    for (int t = 0; t < 24; ++t)
        REQUIRE(writer->tick());
    const auto check = [&] {
        RunReader reader;
        REQUIRE(reader.open(writer->file()));
        std::shared_ptr<const CriteriaView> before;
        for (const int begin : { 6, 12 }) {
            RunQuery query;
            query.criteria = true;
            query.window.over = WindowKind::given;
            query.window.window = { Seconds(begin), Seconds(begin + 6) };
            const auto quick = reader.read(query);
            REQUIRE(quick);
            REQUIRE(*quick != nullptr);
            CHECK((*quick)->criteria == nullptr);
            CHECK((*quick)->unfinished);
            const auto view = reader.read(query);
            REQUIRE(view);
            REQUIRE(*view != nullptr);
            REQUIRE((*view)->criteria != nullptr);
            CHECK((*view)->criteria != before);
            CHECK_FALSE((*view)->unfinished);
            before = (*view)->criteria;
        }
    };
    check(); // while the run grows
    while (*writer->tick()) { }
    REQUIRE(writer->finish());
    check();
}

TEST_CASE("counters over a steady state say why there is none, not for ever that it is looked for")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), usersDemo());
    REQUIRE(writer);
    for (int t = 0; t < 3; ++t) // before any measurement
        REQUIRE(writer->tick());
    REQUIRE(writer->finish());
    RunReader reader;
    REQUIRE(reader.open(writer->file()));
    RunQuery query;
    query.readings = true;
    query.window.over = WindowKind::steadyState;
    auto view = reader.read(query);
    REQUIRE(view);
    REQUIRE(*view != nullptr);
    view = reader.read(query);
    REQUIRE(view);
    REQUIRE(*view != nullptr);
    REQUIRE((*view)->readings != nullptr);
    CHECK_FALSE((*view)->windowProblem.empty());
    CHECK((*view)->readings->problem == (*view)->windowProblem);
    CHECK((*view)->readings->problem != "The steady state is being looked for.");
}

TEST_CASE("results of a window that cuts seconds are over whole ones, and the words above them say which")
{
    RunView view;
    view.shown = Seconds(100);
    view.phases = { { 0, 0, "10 clients", PhaseKind::measurement, Seconds(20), Seconds(80), false } };
    view.window = { std::chrono::milliseconds(25'600), std::chrono::milliseconds(32'700) };
    view.query.window = { WindowKind::given, view.window };
    RunResults results;
    results.window = view.window;
    results.mixes.resize(1);
    results.mixes[0].measured.begin = Seconds(25);
    results.mixes[0].measured.end = Seconds(32);
    view.results = std::make_shared<const RunResults>(results);
    CHECK(windowWords(view, TabScope::measurements)
              .startsWith(QStringLiteral("00:25 to 00:32, 00:07 of measurement 1 (10 clients): what was ")));
}

TEST_CASE("without a steady state the results are empty, and not those of the window before")
{
    Opened opened(usersDemo());
    auto& tab = opened.front<ResultsTab>();
    auto* window = opened.page.findChild<WindowBox*>();
    window->choose(WindowKind::lastMeasurement);
    REQUIRE(waitUntil([&] { return tab.mixes()->isVisible() && tab.mixes()->model()->rowCount() == 1; }));
    window->choose(WindowKind::steadyState);
    REQUIRE(waitUntil([&] { return !opened.page.view()->windowProblem.empty(); }));
    CHECK(says(tab, QStringLiteral("steady")));
    CHECK(tab.mixes()->model()->rowCount() == 0);
    window->choose(WindowKind::lastMeasurement);
    CHECK(waitUntil([&] { return tab.mixes()->isVisible() && tab.mixes()->model()->rowCount() == 1; }));
}

TEST_CASE("the criteria of a page are judged again when a log is attached to its run, moved or removed")
{
    test::DemoRecording demo = usersDemo();
    const std::string of = "processor = { of = \"sut\", most = \"50 %\" }\n";
    const auto at = demo.plan.find("[criteria]\n");
    REQUIRE(at != std::string::npos);
    demo.plan.insert(at + std::string("[criteria]\n").size(), of);
    demo.plan.insert(demo.plan.find("[[mixes]]"),
        "[[counters]]\nname = \"ex1\"\nrole = \"sut\"\nopenmetrics = \"http://127.0.0.1:9100/metrics\"\n\n");
    Opened opened(demo);
    opened.front<ResultsTab>();
    const auto isMet = [&](bool met) {
        return waitUntil([&] {
            const auto view = opened.page.view();
            return view->criteria && view->criteria->judgement.met() == met;
        });
    };
    CHECK(isMet(false)); // nothing is known of it
    SourceFacts facts;
    facts.origin = "log ex1.csv";
    facts.computer = "ex1";
    facts.role = "sut";
    Subject ex1;
    ex1.host = "ex1";
    facts.counters = { counterOf(SeriesKey(Quantity::processorTime, ex1)) };
    std::vector<SourceTick> ticks;
    for (Nanoseconds t {}; t < opened.length(); t += Seconds(5))
        ticks.push_back({ t, t + Seconds(5), { 40 } });
    REQUIRE(attachSource(opened.file, facts, ticks));
    CHECK(isMet(true));
    REQUIRE(moveSource(opened.file, 1, Seconds(100000)));
    CHECK(isMet(false));
    REQUIRE(moveSource(opened.file, 1, Nanoseconds(0)));
    CHECK(isMet(true));
    const auto isDrawn = [&](bool drawn) {
        return waitUntil([&] {
            return std::ranges::any_of(opened.page.chartPanel()->legend()->keys(), [](const LineKey& key) {
                return !key.source.empty();
            }) == drawn;
        });
    };
    CHECK(isDrawn(true)); // among the usual counters, which the page goes on to have
    REQUIRE(removeSource(opened.file, 1));
    CHECK(isMet(false));
    CHECK(isDrawn(false));
    REQUIRE(attachSource(opened.file, facts, ticks));
    CHECK(isDrawn(true));
}

TEST_CASE("the oracle's sentence stands beside the audit's")
{
    RunResults results;
    results.audit = AuditTotals { 4, 4, 4, 0, 0, 0, 0, 0, 0 };
    results.oracle = OracleTotals { 2, 90, 3, 1 };
    ResultsTab tab;
    tab.setVisible(true);
    tab.show(results);
    CHECK(says(tab, QStringLiteral("3 of 90 checks FAILED")));
    CHECK_FALSE(says(tab, QStringLiteral("compared"))); // while the run goes on
    results.state = RunState::finished;
    tab.show(results);
    CHECK(says(tab, QStringLiteral("1 of 2 could NOT be compared message by message at the end")));
    const auto columns = exceptionColumns();
    CHECK(columns.front().text({ AuditFinding::wrong, "", "u1", Seconds(1), "" })
        == QStringLiteral("mailbox wrong"));
}

TEST_CASE("what speaks against a run is told in the words of its verdict, never without a reason")
{
    ResultsTab tab;
    tab.setVisible(true);
    RunView view;
    RunResults results;
    results.state = RunState::finished;
    results.valid = false;
    view.results = std::make_shared<const RunResults>(results);
    tab.show(view);
    CHECK_FALSE(says(tab, QStringLiteral("INVALID"))); // of which nothing is known but that
    CHECK(says(tab, QStringLiteral("No mix has finished its measurement phase yet."))); // as in a replay
    RunVerdict verdict { Verdict::nothingSucceeded, "NOTHING SUCCEEDED", { "80 of 80 actions failed." } };
    view.verdict = std::make_shared<const RunVerdict>(verdict);
    tab.show(view);
    CHECK(says(tab, QStringLiteral("NOTHING SUCCEEDED\n• 80 of 80 actions failed.")));
    CHECK_FALSE(says(tab, QStringLiteral("the server's alone")));
    CHECK(says(tab, QStringLiteral("No mix was measured.")));
    view.verdict = std::make_shared<const RunVerdict>(RunVerdict { Verdict::met, "Valid", {} });
    tab.show(view);
    CHECK_FALSE(says(tab, QStringLiteral("Valid")));
}

TEST_CASE("a plan that reads no mailboxes has no audit, and a run that died no settled one")
{
    AuditTab tab;
    tab.setVisible(true);
    RunView view;
    RunResults results;
    results.state = RunState::finished;
    results.mixes.emplace_back();
    view.results = std::make_shared<const RunResults>(results);
    tab.show(view);
    CHECK(says(tab, QStringLiteral("kept for the end of the run"))); // a replay, as far as it can tell
    view.verdict = std::make_shared<const RunVerdict>(RunVerdict { Verdict::measured, "Valid", {} });
    tab.show(view);
    CHECK(says(tab, QStringLiteral("No delivery audit: the plan reads no mailboxes.")));
    results.audit = AuditTotals { 4, 4, 4, 0, 0, 0, 0, 0, 0 };
    results.state = RunState::interrupted;
    view.results = std::make_shared<const RunResults>(results);
    tab.show(view);
    CHECK(says(tab, QStringLiteral("before the program died")));
}

TEST_CASE("criteria that are not met stand first, and else they keep the plan's order")
{
    Judgement judgement;
    judgement.stated = true;
    judgement.mixes.push_back({ 0, "first", {}, {} });
    for (const bool met : { true, false, true }) {
        Criterion one;
        one.kind = Criterion::Kind::errorRate;
        one.value = met ? 0 : 1;
        one.most = 0.5;
        one.met = met;
        judgement.mixes[0].criteria.push_back(one);
    }
    Criterion generator;
    generator.kind = Criterion::Kind::generator;
    judgement.wholeRun.push_back(generator);
    const auto rows = criterionRows(judgement);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].mix == "first");
    CHECK(rows[0].text.value.number()->value == 1);
    CHECK(rows[1].mix == "whole run");
    CHECK(!rows[1].met);
    CHECK(rows[2].met);
    CHECK(rows[3].met);
}

TEST_CASE("what a run in progress has not measured yet is neither met nor failed")
{
    Judgement judgement;
    judgement.stated = true;
    judgement.mixes.push_back({ 0, "first", {}, {} });
    Criterion failed, unmeasured, audit;
    failed.value = 2;
    failed.most = unmeasured.most = 1;
    audit.kind = Criterion::Kind::audit;
    audit.most = audit.value = 0;
    audit.cannotTell = true;
    audit.reason = "3 of 9 copies are on their way";
    judgement.mixes[0].criteria = { unmeasured, failed };
    judgement.wholeRun = { audit };
    const auto soFar = criterionRows(judgement, true);
    REQUIRE(soFar.size() == 3);
    CHECK(!soFar[0].isOpen);
    CHECK(soFar[1].isOpen);
    CHECK(soFar[1].text.explanation == "not measured yet");
    CHECK(soFar[2].isOpen);
    const auto met = criterionColumns(RunKind::mail)[4];
    CHECK(met.text(soFar[0]) == QStringLiteral("NOT met"));
    CHECK(met.text(soFar[1]) == QStringLiteral("not yet"));
    CHECK(sentenceSoFar(soFar)
        == QStringLiteral("The plan's criteria so far: 1 NOT met, 2 cannot be judged yet."));
    const auto ofWindow = criterionRows(judgement); // a window of it, or of a run that was cut short
    CHECK(met.text(ofWindow.back()) == QStringLiteral("cannot tell"));
    CHECK(ofWindow.back().text.explanation == "3 of 9 copies are on their way");
    judgement.wholeRun[0].value = 1; // a lost copy stays lost
    judgement.wholeRun[0].cannotTell = false;
    CHECK(!criterionRows(judgement, true)[1].isOpen);
    for (const CriterionRow& row : criterionRows(judgement)) // once it is over
        CHECK(!row.isOpen);
}

TEST_CASE("criteria on the screen write microseconds as the other tables do")
{
    const CriterionRow row { "test",
        { "Log writes", "<= 20 ms", "153 us", "of 12 s, 100 us to 153 us; status of 3 users" }, true };
    const auto columns = criterionColumns(RunKind::storage);
    CHECK(columns[2].text(row) == QStringLiteral("<= 20 ms"));
    CHECK(columns[3].text(row) == QStringLiteral("153 µs"));
    CHECK(columns[5].text(row) == QStringLiteral("of 12 s, 100 µs to 153 µs; status of 3 users"));
}

TEST_CASE("what spoils a run is said in its replay and of its windows, what spoils nothing is not")
{
    ResultsTab tab;
    tab.setVisible(true);
    RunView view;
    RunResults results;
    results.state = RunState::finished;
    view.results = std::make_shared<const RunResults>(results);
    view.outcome = std::make_shared<const RunVerdict>(
        RunVerdict { Verdict::invalid, "INVALID: the generator was the bottleneck", { "It was busy." } });
    tab.show(view); // as it was before its end: no verdict
    CHECK(says(
        tab, QStringLiteral("Of the whole run: INVALID: the generator was the bottleneck\n• It was busy.")));
    results.window = TimeWindow { Seconds(10), Seconds(20) };
    view.results = std::make_shared<const RunResults>(results);
    view.verdict = view.outcome;
    tab.show(view);
    CHECK(says(tab, QStringLiteral("Of the whole run: INVALID")));
    view.verdict = nullptr;
    view.outcome = std::make_shared<const RunVerdict>(RunVerdict { Verdict::notMet, "NOT MET", { "p95" } });
    tab.show(view);
    CHECK_FALSE(says(tab, QStringLiteral("Of the whole run")));
}
