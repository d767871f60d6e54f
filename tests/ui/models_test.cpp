// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"
#include "history/history_columns.h"
#include "history/history_filter.h"
#include "plan_words.h"
#include "run/tabs/notes_tab.h"
#include "run/tabs/result_tables.h"
#include "support/catch.h"
#include "support/program.h"
#include "tables/data_table.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

#include <limits>

using namespace loadstone;
using namespace loadstone::ui;
using std::chrono::milliseconds;
using Seconds = std::chrono::seconds;
using Tester = QAbstractItemModelTester;

namespace {

RunSummary run(const char* title, std::uint64_t sent)
{
    RunSummary summary;
    summary.title = title;
    summary.sent = summary.received = sent;
    return summary;
}

} // namespace

TEST_CASE("the length of a mail plan is the most that it takes, for a drain ends when all has arrived")
{
    PlanSummary plan;
    plan.length = Seconds(200);
    CHECK(planLength(plan) == QStringLiteral("up to 3 min 20 s"));
    plan.kind = RunKind::storage;
    CHECK(planLength(plan) == QStringLiteral("3 min 20 s of tests"));
    plan.kind = RunKind::raw;
    CHECK(planLength(plan) == QStringLiteral("3 min 20 s"));
}

TEST_CASE("a table's values change in place, rows below the old ones come in, other rows are a reset")
{
    RowsModel<RunSummary> model(historyColumns());
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setRows({ run("one", 1), run("two", 2) });
    CHECK(resets.count() == 1);
    model.setRows({ run("one", 1), run("two", 3) });
    CHECK(resets.count() == 1);
    CHECK(changes.count() == 1);
    model.setRows({ run("one", 1), run("two", 3) }); // nothing new
    CHECK(changes.count() == 1);
    QSignalSpy insertions(&model, &QAbstractItemModel::rowsInserted);
    model.setRows({ run("one", 1), run("two", 3), run("three", 4), run("four", 5) });
    REQUIRE(insertions.count() == 1);
    CHECK(insertions[0][1].toInt() == 2);
    CHECK(insertions[0][2].toInt() == 3);
    CHECK(model.rowCount() == 4);
    CHECK(resets.count() == 1);
    model.setRows({ run("zero", 0), run("one", 1), run("two", 3), run("three", 4), run("four", 5) });
    CHECK(resets.count() == 2);
    model.setRows({});
    CHECK(model.rowCount() == 0);
}

TEST_CASE("the focus of a table stays on its row, whatever else comes and goes")
{
    RowsModel<RunSummary> model(historyColumns());
    DataTable table;
    table.setSource(&model);
    const auto sameTitle = [](const RunSummary& a, const RunSummary& b) { return a.title == b.title; };
    const auto replace = [&](std::vector<RunSummary> rows) {
        replaceRows(table, model, std::move(rows), sameTitle);
        return table.currentSourceRow();
    };
    CHECK(replace({ run("one", 1), run("two", 2) }) == -1);
    table.setCurrentSourceRow(1);
    CHECK(table.selectedSourceRows() == QList<int> { 1 });
    CHECK(replace({ run("one", 1), run("two", 2), run("three", 3) }) == 1); // below
    CHECK(replace({ run("zero", 0), run("one", 1), run("two", 2), run("three", 3) }) == 2); // above
    CHECK(replace({ run("two", 5), run("one", 1), run("zero", 0), run("three", 3) }) == 0); // in place
    CHECK(table.selectedSourceRows() == QList<int> { 0 });
    CHECK(replace({ run("one", 1), run("zero", 0), run("three", 3), run("four", 4) }) == -1); // gone
    CHECK(table.selectedSourceRows().isEmpty());
}

TEST_CASE("Home and End go to the first and last row of a table")
{
    RowsModel<RunSummary> model(historyColumns());
    DataTable table;
    table.setSource(&model);
    model.setRows({ run("one", 1), run("two", 2), run("three", 3) });
    table.setVisible(true);
    table.setCurrentSourceRow(1);
    const int first = table.proxy()->mapToSource(table.proxy()->index(0, 0)).row();
    const int last = table.proxy()->mapToSource(table.proxy()->index(2, 0)).row();
    QTest::keyClick(&table, Qt::Key_End);
    CHECK(table.currentSourceRow() == last);
    CHECK(table.selectedSourceRows() == QList<int> { last });
    QTest::keyClick(&table, Qt::Key_Home);
    CHECK(table.currentSourceRow() == first);
}

TEST_CASE("tables sort figures as figures and copy what is seen")
{
    RowsModel<RunSummary> model(historyColumns());
    DataTable table;
    table.setSource(&model);
    model.setRows({ run("nine", 900), run("ten", 10000), run("one", 1) });
    table.sortByColumn(HistorySent, Qt::AscendingOrder);
    CHECK(table.proxy()->index(0, HistoryTitle).data().toString() == QStringLiteral("one"));
    CHECK(table.proxy()->index(2, HistoryTitle).data().toString() == QStringLiteral("ten"));
    const QStringList lines = table.asText(false).split(QLatin1Char('\n'));
    REQUIRE(lines.size() == 5); // header, three rows, the end
    CHECK(lines[0].split(QLatin1Char('\t'))[HistoryTitle] == QStringLiteral("Title"));
    CHECK(lines[3].split(QLatin1Char('\t'))[HistorySent] == QStringLiteral("10,000"));
    model.setRows({ run("a\r\n\r\nb\tc", 900) }); // one cell of one row
    const QStringList one = table.asText(false).split(QLatin1Char('\n'));
    REQUIRE(one.size() == 3);
    CHECK(one[1].split(QLatin1Char('\t'))[HistoryTitle] == QStringLiteral("a b c"));
    CHECK(one[1].count(QLatin1Char('\t')) == one[0].count(QLatin1Char('\t')));
    model.setRows({ run("nine", 900), run("ten", 10000), run("one", 1) });
    table.selectRow(1);
    CHECK(table.asText(true).count(QLatin1Char('\n')) == 2);
    CHECK(table.selectedSourceRows() == QList<int> { 0 });
}

TEST_CASE("the order of a list is kept for the next time, that of a run's figures is not")
{
    const test::ScratchFolder folder;
    QSettings settings(QString::fromStdString((folder.path() / "layout.ini").string()), QSettings::IniFormat);
    RowsModel<RunSummary> model(historyColumns());
    model.setRows({ run("nine", 900), run("ten", 10000), run("one", 1) });
    const auto firstAgain = [&](bool isList) {
        for (const bool again : { false, true }) {
            DataTable table;
            table.setSource(&model);
            if (isList)
                table.keepSortOrder();
            if (again) {
                table.restoreColumns(settings, QStringLiteral("columns"));
                return table.proxy()->index(0, HistoryTitle).data().toString();
            }
            table.setVisible(true);
            table.setColumnWidth(HistoryTitle, 123);
            table.sortByColumn(HistorySent, Qt::AscendingOrder);
            table.saveColumns(settings, QStringLiteral("columns"));
        }
        return QString();
    };
    CHECK(firstAgain(true) == QStringLiteral("one"));
    CHECK(firstAgain(false) == QStringLiteral("nine"));
}

TEST_CASE("the results table has columns for the actions that occur and marks incomplete mixes")
{
    RunResults results;
    MixResult mix;
    mix.name = "10 clients";
    mix.recipientsPerMessage = 3;
    mix.finalWindow.begin = std::chrono::minutes(4);
    mix.finalWindow.end = std::chrono::minutes(5);
    mix.finalWindow.receivedToSent = 2.98;
    LatencySummary summary { 10, milliseconds(20), milliseconds(1), milliseconds(90), milliseconds(19),
        milliseconds(50), milliseconds(70), milliseconds(85) };
    mix.actions = { { "Send message", LatencyScope::action, summary, summary },
        { "Hold session", LatencyScope::action, LatencySummary {}, {} } };
    mix.figures = figuresOf({ mix });
    results.mixes = { mix };
    RowsModel<MixResult> model(mixColumns(keysOf(results), RunKind::mail));
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.setRows(results.mixes);
    QStringList cells;
    for (int c = 0; c < model.columnCount(); ++c)
        cells.append(model.index(0, c).data().toString());
    CHECK(cells[0] == QStringLiteral("10 clients (incomplete)"));
    CHECK(cells.contains(QStringLiteral("2.98")));
    const auto column = [&](const char* what) {
        for (int c = 0; c < model.columnCount(); ++c)
            if (model.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString()
                == QStringLiteral("Send message\n%1 [ms]").arg(QLatin1String(what)))
                return cells[c];
        return QStringLiteral("no such column");
    };
    const auto recipients = [&] { // the plan's, whatever window there is
        for (int c = 0; c < model.columnCount(); ++c)
            if (model.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString()
                == QStringLiteral("Final window\nrecipients"))
                return c;
        return -1;
    }();
    REQUIRE(recipients > 0);
    CHECK(cells[recipients] == QStringLiteral("3"));
    CHECK(column("average") == QStringLiteral("20"));
    CHECK(column("p50") == QStringLiteral("19"));
    CHECK(column("p95") == QStringLiteral("50"));
    CHECK(column("p99") == QStringLiteral("70"));
    CHECK(column("p99.9") == QStringLiteral("85"));

    for (int c = 0; c < model.columnCount(); ++c) // which there were none of
        CHECK_FALSE(model.headerData(c, Qt::Horizontal, Qt::DisplayRole)
                        .toString()
                        .startsWith(QStringLiteral("Hold")));

    results.mixes[0].finalWindow = {}; // the plan names none, and nothing comes of it
    results.mixes[0].figures = figuresOf({ results.mixes[0] });
    model.setRows(results.mixes);
    for (int c = 0; c < model.columnCount(); ++c)
        if (model.headerData(c, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .startsWith(QStringLiteral("Final window"))
            && c != recipients)
            CHECK(model.index(0, c).data().toString() == QStringLiteral("–"));
}

TEST_CASE("the results table of a storage test has I/O in the place of messages")
{
    RunResults results;
    results.kind = RunKind::storage;
    MixResult mix;
    mix.name = "reads";
    mix.complete = true;
    const auto add = [&](IoClass ioClass, double perSecond, std::uint64_t count, milliseconds time) {
        IoRow row;
        row.volume = "vda";
        row.ioClass = ioClass;
        row.perSecond = perSecond;
        row.device.count = count;
        row.device.mean = time;
        mix.io.push_back(row);
    };
    add(IoClass::databaseRead, 300, 300, milliseconds(4));
    add(IoClass::logRead, 100, 100, milliseconds(8));
    add(IoClass::backup, 8200, 0, milliseconds(0));
    add(IoClass::flush, 50, 50, milliseconds(9));
    mix.figures = figuresOf({ mix, RunKind::raw });
    results.mixes = { mix };
    RowsModel<MixResult> model(mixColumns(keysOf(results), RunKind::raw));
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.setRows(results.mixes);
    const auto cell = [&](const char* title) {
        for (int c = 0; c < model.columnCount(); ++c)
            if (model.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString() == QLatin1String(title))
                return model.index(0, c).data().toString();
        return QStringLiteral("no such column");
    };
    CHECK(cell("Test") == QStringLiteral("reads"));
    CHECK(cell("I/O/s") == formatRate(8600)); // flushes are none
    CHECK(cell("Reads/s") == formatRate(8600));
    CHECK(cell("Writes/s") == formatRate(0));
    CHECK(cell("Read latency\n[ms]") == QStringLiteral("5")); // weighted
    CHECK(cell("Write latency\n[ms]") == QStringLiteral("–"));
    for (const char* title : { "Mailboxes", "Sent", "Sent/s", "Final window\nsent/s" })
        CHECK(cell(title) == QStringLiteral("no such column"));
}

TEST_CASE("the history shows the I/O of storage tests and no messages of theirs")
{
    RunSummary storage = run("raw", 0);
    storage.kind = RunKind::raw;
    Figure rate;
    rate.id = findFigure("io.rate").value();
    rate.value = 1234;
    storage.figures = { rate };
    RowsModel<RunSummary> model(historyColumns());
    Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.setRows({ storage, run("mail", 7) });
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    CHECK(cell(0, HistoryIos) == formatRate(1234));
    CHECK(cell(1, HistoryIos) == QStringLiteral("–"));
    for (const int column : { HistorySent, HistoryReceived, HistoryRate, HistoryAudit })
        CHECK(cell(0, column) == QStringLiteral("–"));
    CHECK(cell(1, HistorySent) == QStringLiteral("7"));
}

TEST_CASE("a latency without samples shows no figure")
{
    RowsModel<LatencyRow> model(latencyColumns());
    model.setRows({ { "POP3 RETR", LatencyScope::command, std::nullopt, {} } });
    CHECK(model.index(0, 3).data().toString() == QStringLiteral("–"));
    CHECK(model.index(0, 9).data().toString() == QStringLiteral("–"));
}

TEST_CASE("what is said of a delivery's figures is true of it: no server needed that time")
{
    RowsModel<LatencyRow> model(latencyColumns());
    const LatencySummary summary { 10, milliseconds(20), milliseconds(1), milliseconds(90), milliseconds(19),
        milliseconds(50), milliseconds(70), milliseconds(85) };
    model.setRows({ { "Delivery", LatencyScope::delivery, std::nullopt, summary } });
    int figures = 0;
    for (int c = 3; c < model.columnCount(); ++c) {
        if (model.index(0, c).data().toString() == QStringLiteral("–"))
            continue;
        ++figures;
        const auto said = [&](int role) { return model.headerData(c, Qt::Horizontal, role).toString(); };
        CHECK(said(Qt::DisplayRole).startsWith(QStringLiteral("Service")));
        CHECK(said(Qt::ToolTipRole).contains(QStringLiteral("from acceptance to retrieval")));
        CHECK(said(Qt::ToolTipRole).contains(QStringLiteral("Generator")));
    }
    CHECK(figures == 6);
}

TEST_CASE("the history's search takes every word, wherever it stands")
{
    RunSummary summary = run("POP and SMTP suite", 1);
    summary.tags = { "nvme", "starred" };
    summary.note = "with write cache";
    CHECK(matchesSearch(summary, QStringLiteral("cache SUITE nvme")));
    CHECK(matchesSearch(summary, QString()));
    CHECK_FALSE(matchesSearch(summary, QStringLiteral("suite ssd")));
    CHECK(matchesShow(summary, HistoryShow::starred));
    CHECK_FALSE(matchesShow(summary, HistoryShow::going));
}

TEST_CASE("the audit's words name what is wrong and nothing else")
{
    AuditTotals audit;
    audit.accepted = 100;
    audit.expected = audit.deliveredOnce = 300;
    CHECK(auditShort(AuditTotals {}) == QStringLiteral("no messages"));
    CHECK_FALSE(auditSentence(AuditTotals {}, RunState::finished).contains(QStringLiteral("none lost")));
    CHECK(auditShort(audit) == QStringLiteral("ok"));
    CHECK(auditSentence(audit, RunState::finished).contains(QStringLiteral("none lost")));
    audit.lost = 2;
    audit.late = 1;
    CHECK(auditShort(audit) == QStringLiteral("2 lost, 1 late"));
    CHECK_FALSE(auditSentence(audit, RunState::finished).contains(QStringLiteral("none lost")));
    CHECK_FALSE(auditClean(audit));
    audit.lost = 0;
    audit.unknown = 3; // a remark, as the results' help has it
    CHECK(auditClean(audit));
    CHECK(auditShort(audit) == QStringLiteral("ok, 1 late, 3 unknown"));
    audit.outstanding = 6; // what was not seen to arrive is not called ok
    CHECK(auditShort(audit) == QStringLiteral("1 late, 6 outstanding, 3 unknown"));
    CHECK(auditSentence(audit, RunState::interrupted).contains(QStringLiteral("before the program died")));
}

TEST_CASE("the history's verdict on the audit is the status bar's, and there is none before a run's end")
{
    RowsModel<RunSummary> model(historyColumns());
    RunSummary going = run("going", 1), late = run("late", 1), lossy = run("lossy", 1);
    going.state = RunState::running;
    lossy.lost = 2;
    RunSummary unread = run("nobody reads", 1);
    unread.received = 0;
    RunSummary cut = run("cut", 1);
    cut.outstanding = 148;
    model.setRows({ going, late, lossy, unread, cut });
    const auto cell = [&](int row) { return model.index(row, HistoryAudit).data().toString(); };
    CHECK(cell(0) == QStringLiteral("–"));
    CHECK(cell(1) == QStringLiteral("ok"));
    CHECK(cell(2) == QStringLiteral("2 lost"));
    CHECK(cell(3) == QStringLiteral("–"));
    CHECK(cell(4) == QStringLiteral("148 outstanding"));
}

TEST_CASE("B5: the history calls a run what it is, and only a good one is among the valid ones with a tick")
{
    RowsModel<RunSummary> model(historyColumns());
    RunSummary met = run("met", 1), empty = run("empty", 0), failing = run("failing", 1);
    met.verdict = Verdict::met;
    empty.verdict = Verdict::nothingMeasured;
    empty.sent = 0;
    failing.verdict = Verdict::measured;
    failing.errorRate = 0.02;
    RunSummary unsettled = run("unsettled", 1), clean = run("clean", 1);
    unsettled.verdict = clean.verdict = Verdict::measured;
    unsettled.outstanding = 10;
    model.setRows({ met, empty, failing, unsettled, clean });
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    CHECK(cell(0, HistoryVerdict) == QStringLiteral("criteria met"));
    CHECK(cell(1, HistoryVerdict) == QStringLiteral("nothing measured"));
    for (const int column : { HistorySent, HistoryReceived, HistoryRate, HistoryErrors, HistoryAudit })
        CHECK(cell(1, column) == QStringLiteral("–"));
    CHECK(matchesShow(met, HistoryShow::valid));
    CHECK_FALSE(matchesShow(empty, HistoryShow::valid));
    RunSummary wrong = run("wrong", 1); // its figures may be valid all the same
    wrong.verdict = Verdict::wentWrong;
    CHECK(matchesShow(wrong, HistoryShow::valid));
    wrong.valid = false;
    CHECK_FALSE(matchesShow(wrong, HistoryShow::valid));
    const auto image = [&](int row) {
        return model.index(row, HistoryVerdict).data(Qt::DecorationRole).value<QIcon>().pixmap(16).toImage();
    };
    CHECK(image(0) != image(1));
    CHECK(image(0) != image(2));
    CHECK(image(0) != image(3));
    CHECK(image(0) == image(4));
}

TEST_CASE("rows without a figure stand together when sorted, and the others in order")
{
    LatencySummary slow, fast;
    slow.count = fast.count = 1;
    slow.mean = milliseconds(90);
    fast.mean = milliseconds(10);
    RowsModel<LatencyRow> model(latencyColumns());
    DataTable table;
    table.setSource(&model);
    model.setRows({ { "slow", LatencyScope::command, std::nullopt, slow },
        { "none", LatencyScope::command, std::nullopt, {} },
        { "fast", LatencyScope::command, std::nullopt, fast } });
    table.sortByColumn(10, Qt::AscendingOrder); // service, average
    const auto name = [&](int row) { return table.proxy()->index(row, 0).data().toString(); };
    CHECK(name(0) == QStringLiteral("fast"));
    CHECK(name(1) == QStringLiteral("slow"));
    CHECK(name(2) == QStringLiteral("none"));
}

TEST_CASE("figures on the screen")
{
    CHECK(formatValue(std::numeric_limits<double>::quiet_NaN()) == QStringLiteral("–"));
    CHECK(formatValue(0) == QStringLiteral("0"));
    CHECK(formatValue(17) == QStringLiteral("17"));
    CHECK(formatValue(0.012345) == QStringLiteral("0.01235")); // four significant digits
    CHECK(formatValue(27.04) == QStringLiteral("27.04"));
    CHECK(formatValue(999.94) == QStringLiteral("999.9"));
    CHECK(formatValue(8194.37) == QStringLiteral("8,194"));
    CHECK(formatRatio(std::nullopt) == QStringLiteral("–"));
    CHECK(formatShare(0) == QStringLiteral("0 %"));
    CHECK(formatShare(0.0123) == QStringLiteral("1.23 %"));
    CHECK(formatTime(std::chrono::microseconds(845)) == QStringLiteral("845 µs"));
    CHECK(formatTime(milliseconds(1), 0) == QStringLiteral("–"));
    CHECK(formatElapsedExact(milliseconds(59'960)) == QStringLiteral("01:00"));
    CHECK(formatMoment(milliseconds(136'970))
        == QStringLiteral("02:16.9")); // the sample of 02:17 has not been yet
    CHECK(formatMoment(milliseconds(137'000)) == QStringLiteral("02:17"));
    CHECK(formatElapsedExact(milliseconds(61'500)) == QStringLiteral("01:01.5"));
    CHECK(formatElapsedExact(milliseconds(-61'500)) == QStringLiteral("-01:01.5"));
    CHECK(formatElapsedExact(milliseconds(-20)) == QStringLiteral("00:00")); // and not "-00:00"
    CHECK(formatScale(1) == QStringLiteral("1.0"));
    CHECK(formatScale(1e7) == QStringLiteral("10000000.0"));
}

TEST_CASE("tags are separated by commas, trimmed, without doubles")
{
    CHECK(parseTags(QStringLiteral(" a,, b  c ,a,"))
        == QStringList { QStringLiteral("a"), QStringLiteral("b c") });
}
