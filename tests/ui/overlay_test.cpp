// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "charts/time_ticks.h"
#include "compare/tabs/overlay_tab.h"
#include "compare/view/common_lines.h"
#include "compare/view/overlay_axis.h"
#include "compare/view/overlay_runs_model.h"
#include "compare_fixture.h"
#include "format.h"
#include "tables/data_table.h"

#include <loadstone/counter_log.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTabWidget>

#include <fstream>
#include <set>
#include <string>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;

namespace {

OverlayRun runOf(int startsAt, int rampUp, std::vector<const char*> mixes, int length = 600)
{
    OverlayRun run;
    run.started = WallTime(std::chrono::hours(400'000)) + Seconds(startsAt);
    run.length = Seconds(length);
    int at = 0;
    for (std::size_t i = 0; i < mixes.size(); ++i) {
        Phase up;
        up.mix = static_cast<std::int32_t>(i);
        up.mixName = mixes[i];
        up.kind = PhaseKind::rampUp;
        up.begin = Seconds(at);
        up.end = Seconds(at += rampUp);
        run.phases.push_back(up);
        Phase measured = up;
        measured.kind = PhaseKind::measurement;
        measured.begin = Seconds(at);
        measured.end = Seconds(at += 60);
        run.phases.push_back(measured);
    }
    return run;
}

/// A minute of typeperf's samples of one counter at `value`, or fewer, attached to the run from its start.
void attach(const TwoConfigurations& runs, const RunId& run, const char* log, const char* computer,
    const char* role, int value, int samples = 60)
{
    const auto file = runs.folder.path() / log;
    std::ofstream out(file);
    out << "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\" << computer << "\\Web Service\\Requests\"\n";
    for (int i = 0; i < samples; ++i)
        out << "\"11/21/2026 14:03:" << (i < 10 ? "0" : "") << i << ".000\",\"" << value << "\"\n";
    out.close();
    AttachOptions options;
    options.offset = Nanoseconds(0);
    options.role = role;
    const auto attached = attachLog(runs.folder.path() / "runs" / (run.text() + ".loadstone"), file, options);
    INFO((attached ? std::string() : attached.error().message));
    REQUIRE(attached);
}

LineInfo sourceLine(const char* origin, const char* computer, const char* role, const char* counter)
{
    CounterInfo info = counterOf(ForeignCounter { computer, "Web Service", "", counter });
    LineInfo line { LineKey::ofSource(origin, info), text(info.counter), {},
        QStringLiteral("Web Service (%1)").arg(QLatin1String(origin)), QLatin1String(computer), {}, {} };
    line.source = QLatin1String(origin);
    line.family = QStringLiteral("Web Service");
    line.role = role;
    return line;
}

} // namespace

TEST_CASE("a counter is the same in all runs by its computer, whatever its log is called")
{
    const auto common = [](const std::vector<LineInfo>& lines) {
        std::vector<std::string> texts;
        for (const LineInfo& line : commonLinesOf(lines))
            texts.push_back(bytes(line.key.text()));
        return texts;
    };
    CHECK(common({ sourceLine("log /a/first.csv", "EX1", "", "Requests") })
        == common({ sourceLine("log /b/second.csv", "EX1", "", "Requests") }));
    CHECK(common({ sourceLine("log a.csv", "EX1", "", "Requests") })
        != common({ sourceLine("log a.csv", "EX2", "", "Requests") }));
    // By the role where one computer has it: another lab's server has another name.
    CHECK(common({ sourceLine("http://ex1/metrics", "EX1", "sut", "Requests") })
        == common({ sourceLine("log b.csv", "EX2", "sut", "Requests") }));
    const auto two = common({ sourceLine("http://ex1/metrics", "EX1", "sut", "Requests"),
        sourceLine("http://ex2/metrics", "EX2", "sut", "Requests") });
    CHECK(two[0] == common({ sourceLine("log b.csv", "EX1", "", "Requests") })[0]);
    CHECK(two[0] != two[1]);
    // A log that names another computer leaves the role to the run's own.
    const auto beside = common({ sourceLine("http://ex1/metrics", "EX1", "sut", "Requests"),
        sourceLine("log b.csv", "OTHER", "sut", "Requests") });
    CHECK(beside[0] == common({ sourceLine("log c.csv", "EX9", "sut", "Requests") })[0]);
    CHECK(beside[1] == common({ sourceLine("log c.csv", "OTHER", "", "Requests") })[0]);
    // Two logs of one computer: each is a line.
    const auto both = common({ sourceLine("log a.csv", "EX1", "", "Requests"),
        sourceLine("log b.csv", "EX1", "", "Requests"), sourceLine("log b.csv", "EX1", "", "Hits") });
    CHECK(std::set<std::string>(both.begin(), both.end()).size() == 3);
    CHECK(both[0] == common({ sourceLine("log c.csv", "EX1", "", "Requests") })[0]);
    CHECK(both[2] == common({ sourceLine("log c.csv", "EX1", "", "Hits") })[0]);
}

TEST_CASE("runs are aligned at the begin of their measurement, and the axis counts from there")
{
    const OverlayAxis axis =
        overlayAxis({ runOf(0, 30, { "10" }), runOf(5000, 90, { "10" }) }, OverlayAlign::measurement);
    CHECK(axis.starts == std::vector<Nanoseconds> { Seconds(60), Seconds(0) });
    CHECK(axis.origin == Seconds(90));
    CHECK(axis.length == Seconds(660));
}

TEST_CASE("runs are aligned at the same load, wherever it comes in each of them")
{
    const std::vector<OverlayRun> runs { runOf(0, 30, { "10", "20", "30" }), runOf(0, 30, { "20", "30" }),
        runOf(0, 30, { "50" }) };
    CHECK(commonLoads(runs) == QStringList { QStringLiteral("20"), QStringLiteral("30") });
    const OverlayAxis axis = overlayAxis(runs, OverlayAlign::load, QStringLiteral("20"));
    CHECK(axis.starts[1] - axis.starts[0] == Seconds(90)); // the mix before
    CHECK(axis.aligned == std::vector<bool> { true, true, false });
}

TEST_CASE("runs lie apart by the clock, and can be moved by hand")
{
    std::vector<OverlayRun> runs { runOf(0, 30, { "10" }), runOf(90, 30, { "10" }) };
    CHECK(overlayAxis(runs, OverlayAlign::wallClock).starts
        == std::vector<Nanoseconds> { Seconds(0), Seconds(90) });
    runs[1].started += std::chrono::hours(24);
    const auto ofDay = overlayAxis(runs, OverlayAlign::timeOfDay).starts;
    CHECK(ofDay[1] - ofDay[0] == Seconds(90));
    runs[1].byHand = Seconds(-100);
    const auto moved = overlayAxis(runs, OverlayAlign::timeOfDay).starts;
    CHECK(moved[1] - moved[0] == Seconds(-10));
    CHECK(moved[1] == Seconds(0)); // the axis begins with the first one
    CHECK(overlayAxis({}, OverlayAlign::start).starts.empty());
}

TEST_CASE("a chart that is panned within what was read is not read again, and a zoomed one is")
{
    const TimeWindow shown { Seconds(1000), Seconds(2000) };
    const TimeWindow read = withMargins(shown);
    CHECK(read == TimeWindow { Seconds(500), Seconds(2500) });
    CHECK(isRead(read, shown));
    CHECK(isRead(read, { Seconds(500), Seconds(1500) }));
    CHECK(isRead(read, { Seconds(1500), Seconds(2500) }));
    CHECK_FALSE(isRead(read, { Seconds(1501), Seconds(2501) }));
    CHECK_FALSE(isRead(read, { Seconds(1000), Seconds(1900) }));
    CHECK_FALSE(isRead({}, shown));
    CHECK(ofRun(read, Seconds(600)) == TimeWindow { Seconds(0), Seconds(1900) });
    CHECK(ofRun(read, Seconds(9000)) == TimeWindow { Seconds(0), Nanoseconds(1) });
}

TEST_CASE("a shift is typed in seconds, or in minutes and seconds")
{
    Nanoseconds shift {};
    CHECK(parseShift(QStringLiteral("-1:30"), shift));
    CHECK(shift == Seconds(-90));
    CHECK(parseShift(QStringLiteral(" 90 s "), shift));
    CHECK(shift == Seconds(90));
    CHECK(parseShift(QStringLiteral("+0.5"), shift));
    CHECK(shift == std::chrono::milliseconds(500));
    CHECK(parseShift(QStringLiteral("1:00:00"), shift));
    CHECK(shift == std::chrono::hours(1));
    for (const char* wrong : { "", "abc", "1:2:3:4", "9999999999999", "--3", "nan" })
        CHECK_FALSE(parseShift(QLatin1String(wrong), shift));
}

TEST_CASE("times of an axis that counts from a measurement are below 0 before it")
{
    const auto ticks = timeTicks({ Seconds(0), Seconds(180) }, 4, {}, Seconds(60));
    REQUIRE(ticks.size() >= 3);
    CHECK(ticks.front().label == QStringLiteral("-01:00"));
    CHECK(ticks.front().second == Approx(0).margin(1e-6));
    CHECK(ticks[1].label == QStringLiteral("00:00"));
    CHECK(ticks[1].second == Approx(60).margin(1e-6));
}

TEST_CASE("the model of runs keeps the rules of models")
{
    OverlayRunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRuns({ { "a", QStringLiteral("A"), {}, Qt::red, true, {} },
        { "b", QStringLiteral("B"), {}, Qt::blue, true, {} } });
    CHECK(model.setData(model.index(1, OverlayRunsModel::Shift), QStringLiteral("-2"), Qt::EditRole));
    CHECK(model.runs()[1].byHand == Seconds(-2));
    CHECK_FALSE(model.setData(model.index(1, OverlayRunsModel::Shift), QStringLiteral("soon"), Qt::EditRole));
    CHECK(model.setData(model.index(0, OverlayRunsModel::Name), Qt::Unchecked, Qt::CheckStateRole));
    CHECK_FALSE(model.runs()[0].shown);
}

TEST_CASE("the counters of several runs lie over each other, and the cursors are at one place of all")
{
    const ShownComparison shown;
    OverlayTab& tab = *shown.page.overlayTab();
    shown.page.tabs()->setCurrentWidget(&tab);
    REQUIRE(soon([&] {
        return !tab.keys().empty() && tab.awaited() == 0
            && tab.chart()->lines().size() == 2 * tab.keys().size();
    }));
    const auto& lines = tab.chart()->lines();
    CHECK(lines[0].colour != lines[1].colour);
    REQUIRE_FALSE(lines[0].bands.empty());
    // The cursors of the keyboard, locked.
    tab.chart()->setFocus();
    QTest::keyClick(tab.chart(), Qt::Key_A);
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(tab.chart(), Qt::Key_Right);
    QTest::keyClick(tab.chart(), Qt::Key_B);
    QTest::keyClick(tab.chart(), Qt::Key_L);
    REQUIRE(tab.chart()->cursors().window());
    CHECK(tab.chart()->cursors().locked);
    const auto apart = *tab.chart()->cursors().b - *tab.chart()->cursors().a;
    QTest::keyClick(tab.chart(), Qt::Key_Right);
    QTest::keyClick(tab.chart(), Qt::Key_B);
    CHECK(*tab.chart()->cursors().b - *tab.chart()->cursors().a == apart);
    REQUIRE(soon([&] {
        const QString value = tab.readouts()->proxy()->index(1, 7).data().toString();
        return !value.isEmpty() && value != QStringLiteral("–");
    }));
    // A run that is moved takes its lines along, and nothing else.
    const Nanoseconds before = tab.axis().starts[1] - tab.axis().starts[0];
    const auto& rows = tab.runs()->runs();
    const auto second =
        std::find_if(std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.shown; }) + 1,
            rows.end(), [](const auto& row) { return row.shown; });
    REQUIRE(second != rows.end()); // of each column the first repeat is shown
    tab.runs()->setShift(static_cast<int>(second - rows.begin()), Seconds(5));
    CHECK(tab.axis().starts[1] - tab.axis().starts[0] == before + Seconds(5));
    REQUIRE(soon([&] { return tab.awaited() == 0; }));
    CHECK_FALSE(tab.picture().isNull());
    CHECK(tab.data().front().rows.size() > 20);
}

TEST_CASE(
    "logs with different names have one lane for the counter of one computer, compared with the baseline")
{
    const TwoConfigurations runs;
    attach(runs, runs.first[0], "before.csv", "EX1", "", 40);
    attach(runs, runs.second[0], "after.csv", "EX1", "", 30);
    HistoryStore store(runs.folder.path());
    ComparePage page(store, runs.folder.path());
    page.resize(1180, 720);
    page.setVisible(true);
    page.setColumns(runs.columns());
    OverlayTab& tab = *page.overlayTab();
    page.tabs()->setCurrentWidget(&tab);
    REQUIRE(soon([&] { return !tab.keys().empty() && tab.awaited() == 0; }));
    tab.setKeys({ commonLinesOf({ sourceLine("log /tmp/before.csv", "EX1", "", "Requests") })[0].key });
    REQUIRE(soon([&] { return tab.awaited() == 0 && tab.chart()->lines().size() == 2; }));
    CHECK(tab.chart()->lines()[0].family == tab.chart()->lines()[1].family); // its lane
    REQUIRE(soon([&] { return tab.readouts()->proxy()->rowCount() == 2; }));
    const auto shown = [&](int row, int column) {
        return bytes(tab.readouts()->proxy()->index(row, column).data().toString());
    };
    CHECK(shown(0, 1) == "Requests, EX1");
    CHECK(shown(1, 1) == "Requests, EX1");
    CHECK(shown(0, 4) == "100 %");
    CHECK(shown(1, 4) == "75 %");
    CHECK(tab.data()[0].rows[0][1].text() == "\\Web Service\\Requests, EX1");
}

TEST_CASE("an average of a part of a run is marked, and not compared with one of the whole")
{
    const TwoConfigurations runs;
    attach(runs, runs.first[0], "before.csv", "EX1", "", 40);
    attach(runs, runs.second[0], "after.csv", "EX1", "", 30, 3);
    HistoryStore store(runs.folder.path());
    ComparePage page(store, runs.folder.path());
    page.resize(1180, 720);
    page.setVisible(true);
    page.setColumns(runs.columns());
    OverlayTab& tab = *page.overlayTab();
    page.tabs()->setCurrentWidget(&tab);
    REQUIRE(soon([&] { return !tab.keys().empty() && tab.awaited() == 0; }));
    tab.setKeys({ commonLinesOf({ sourceLine("log /tmp/before.csv", "EX1", "", "Requests") })[0].key });
    REQUIRE(soon([&] { return tab.awaited() == 0 && tab.readouts()->proxy()->rowCount() == 2; }));
    const auto shown = [&](int row, int column, int role = Qt::DisplayRole) {
        return bytes(tab.readouts()->proxy()->index(row, column).data(role).toString());
    };
    CHECK(shown(1, 2) == "30");
    CHECK(shown(1, 4) == "–");
    CHECK(shown(1, 4, Qt::ToolTipRole).find("over different times") != std::string::npos);
    CHECK(shown(0, 4) == "100 %");
    CHECK(tab.chart()->lines()[1].coverage < 0.1 * tab.chart()->lines()[0].coverage);
    CHECK(bytes(formatShare(tab.chart()->lines()[1].coverage)) == shown(1, 3));
    // Between cursors that lie within both, they are compared.
    const Nanoseconds start = tab.axis().starts[1];
    tab.chart()->setCursors({ start, start + Seconds(2), false });
    REQUIRE(soon([&] { return shown(1, 4) == "75 %"; }));
}
