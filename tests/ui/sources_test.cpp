// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog of attached sources: its list, and a move that the chart follows.
#include "history/history_page.h"
#include "run/chart/attach_dialog.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/chart/offset_curve.h"
#include "run/chart/sources_dialog.h"
#include "run/run_page.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <loadstone/computer.h>
#include <loadstone/counter_export.h>
#include <loadstone/source.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSortFilterProxyModel>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A window that shows a run.
struct Shown {
    Workbench bench;
    std::filesystem::path file;
    std::unique_ptr<MainWindow> window;
    RunPage* page = nullptr;

    explicit Shown(const std::function<void(const std::filesystem::path&)>& prepare = {},
        const test::DemoRecording& demo = smallDemo())
    {
        const RunId id = demo.write(bench.history / "runs").value();
        file = bench.history / "runs" / (id.text() + ".loadstone");
        if (prepare)
            prepare(file);
        window = std::make_unique<MainWindow>(bench.options, fakeStarter(bench.history));
        window->show();
        window->begin();
        REQUIRE(waitUntil([&] { return window->pages()->history()->table()->model()->rowCount() == 1; }));
        window->pages()->openRun(id);
        page = window->pages()->currentRun();
        REQUIRE(waitUntil([&] { return page->view() != nullptr && !page->view()->lines.empty(); }));
    }
    /// As the menu opens it.
    SourcesDialog& dialog()
    {
        for (QAction* action : window->findChildren<QAction*>())
            if (QString(action->text()).remove(QLatin1Char('&')) == QStringLiteral("Attached sources…"))
                action->trigger();
        auto* found = page->findChild<SourcesDialog*>();
        REQUIRE(found != nullptr);
        return *found;
    }
};

void attachTwo(const std::filesystem::path& file)
{
    SourceFacts facts { "log ex.csv", "EX", {}, Seconds(15), {}, {} };
    facts.counters = { counterOf(
        ForeignCounter { "EX", "Database", "Information Store", "Log Record Stalls/sec" }) };
    const std::vector<SourceTick> ticks { { Seconds(0), Seconds(15), { 3 } },
        { Seconds(15), Seconds(30), { 5 } } };
    REQUIRE(attachSource(file, facts, ticks));
    facts.origin = "host web";
    facts.offset = Seconds(0);
    REQUIRE(attachSource(file, facts, ticks));
}

std::string cellOf(const SourceRow& row, const char* title)
{
    for (const Column<SourceRow>& column : sourceColumns())
        if (column.title == QLatin1String(title))
            return column.text(row).toStdString();
    return "no such column";
}

bool says(const QWidget& dialog, const char* words)
{
    const auto labels = dialog.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) {
        return label->isVisibleTo(&dialog) && label->text().contains(QString::fromUtf8(words));
    });
}

QPushButton& buttonOf(const QWidget& dialog, const char* words)
{
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (QString(button->text()).remove(QLatin1Char('&')) == QString::fromUtf8(words))
            return *button;
    FAIL("no button " << words);
    throw std::logic_error("not reached");
}

} // namespace

TEST_CASE("a run without sources says what a source is, and nothing can be moved")
{
    Shown shown;
    SourcesDialog& dialog = shown.dialog();
    REQUIRE(waitUntil([&] { return says(dialog, "No source is attached to this run."); }));
    CHECK_FALSE(dialog.findChild<DataTable*>()->isVisible());
    CHECK_FALSE(dialog.findChild<QDoubleSpinBox*>()->isEnabled());
    CHECK_FALSE(buttonOf(dialog, "Move").isEnabled());
}

TEST_CASE("a source is moved by seconds with the keyboard: the chart follows, and results stay")
{
    Shown shown(attachTwo);
    auto* legend = shown.page->chartPanel()->legend();
    const auto line = [&]() -> const LineInfo* {
        for (const LineInfo& info : legend->available())
            if (info.source == QStringLiteral("log ex.csv"))
                return &info;
        return nullptr;
    };
    REQUIRE(waitUntil([&] { return line() != nullptr; }));
    legend->add({ line()->key });
    const auto begin = [&]() -> std::optional<Nanoseconds> {
        const auto lines = legend->chartLines();
        return lines.empty() || lines.back().bands.size() != 2 ? std::nullopt
                                                               : std::optional(lines.back().bands[0].begin);
    };
    REQUIRE(waitUntil([&] { return begin() == Seconds(15); }));
    const RunResults results = *shown.page->view()->results;
    const RunVerdict verdict = verdictOf(Recording::open(shown.file).value()).value();

    SourcesDialog& dialog = shown.dialog();
    auto* table = dialog.findChild<DataTable*>();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 2; }));
    CHECK(table->currentSourceRow() == 0);
    CHECK(says(dialog, "no result of the run changes"));
    const auto row = [&](std::size_t index) {
        return static_cast<RowsModel<SourceRow>*>(table->proxy()->sourceModel())->rows().at(index);
    };
    CHECK(cellOf(row(0), "Source") == "log ex.csv");
    CHECK(cellOf(row(0), "Computer") == "EX");
    CHECK(cellOf(row(0), "Begins") == "00:15");
    CHECK(cellOf(row(0), "Ends") == "00:45");
    CHECK(cellOf(row(0), "Interval") == "15.0 s");
    CHECK(cellOf(row(0), "Offset") == "+15.000 s");
    CHECK(cellOf(row(0), "Moves") == "none");
    CHECK(cellOf(row(1), "Source") == "host web");
    CHECK_FALSE(buttonOf(dialog, "Move").isEnabled());

    auto* by = dialog.findChild<QDoubleSpinBox*>();
    by->setFocus();
    by->selectAll();
    QTest::keyClicks(by, QStringLiteral("-2.125"));
    CHECK(says(dialog, "Offset then: +12.875 s"));
    QTest::keyClick(by, Qt::Key_Return);
    REQUIRE(waitUntil([&] { return cellOf(row(0), "Offset") == "+12.875 s"; }));
    CHECK_THAT(cellOf(row(0), "Moves"), Catch::StartsWith("1, the last by -2.125 s on "));
    CHECK(by->value() == 0); // pressed again, Return moves nothing
    CHECK_FALSE(buttonOf(dialog, "Move").isEnabled());
    CHECK(cellOf(row(1), "Moves") == "none");
    REQUIRE(waitUntil([&] { return begin() == Nanoseconds(12'875'000'000); }));
    CHECK(*shown.page->view()->results == results);
    CHECK(verdictOf(Recording::open(shown.file).value()).value() == verdict);
}

TEST_CASE("an attached log is removed after a question, and what the run measured cannot be")
{
    Shown shown(attachTwo);
    auto* legend = shown.page->chartPanel()->legend();
    const auto offers = [&](const char* source) {
        return std::ranges::any_of(
            legend->available(), [&](const LineInfo& info) { return info.source == QLatin1String(source); });
    };
    REQUIRE(waitUntil([&] { return offers("log ex.csv") && offers("host web"); }));
    const auto draws = [&](const char* source) {
        return std::ranges::any_of(legend->keys(), [&](const LineKey& key) { return key.source == source; });
    };
    for (const LineInfo& info : std::vector<LineInfo>(legend->available()))
        if (!info.key.source.empty())
            legend->add({ info.key });
    REQUIRE(draws("log ex.csv"));
    SourcesDialog& dialog = shown.dialog();
    auto* table = dialog.findChild<DataTable*>();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 2; }));
    {
        const Answers no;
        buttonOf(dialog, "Remove…").click();
        REQUIRE(no.asked.size() == 1);
        CHECK(no.asked[0].contains(QStringLiteral("log ex.csv")));
        CHECK(sourcesOf(Recording::open(shown.file).value()).value().size() == 2);
    }
    const Answers yes(QStringLiteral("Yes"));
    buttonOf(dialog, "Remove…").click();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 1; }));
    CHECK(sourcesOf(Recording::open(shown.file).value()).value().size() == 1);
    CHECK_FALSE(buttonOf(dialog, "Remove…").isEnabled()); // of the run itself
    REQUIRE(waitUntil([&] { return !offers("log ex.csv"); }));
    CHECK(offers("host web"));
    CHECK(waitUntil([&] { return !draws("log ex.csv"); })); // its lines go with it
    CHECK(draws("host web"));
}

TEST_CASE("a source whose writing was cut short says so in the list")
{
    SourceRow row;
    row.name = "log a.csv";
    const auto columns = sourceColumns();
    CHECK(columns[0].text(row) == QStringLiteral("log a.csv (incomplete)"));
    row.info.complete = true;
    CHECK(columns[0].text(row) == QStringLiteral("log a.csv"));
    row.info.offset = std::chrono::microseconds(-400); // clocks that are alike
    const auto offset = std::ranges::find(columns, QStringLiteral("Offset"), &Column<SourceRow>::title);
    REQUIRE(offset != columns.end());
    CHECK(offset->text(row) == QStringLiteral("0.000 s"));
}

TEST_CASE("the list of sources says how far a log lies from its own clock")
{
    SourceRow row;
    const auto columns = sourceColumns();
    const auto against =
        std::ranges::find(columns, QStringLiteral("Against its clock"), &Column<SourceRow>::title);
    REQUIRE(against != columns.end());
    const WallTime started(std::chrono::seconds(1'795'000'000));
    row.info.origin = "host web"; // its clock is measured, not taken from a file
    row.info.began = started;
    row.againstClock = againstItsClock(row.info, started);
    CHECK(against->text(row) == QStringLiteral("–"));
    row.info.origin = "log web.csv";
    row.info.began = started + std::chrono::seconds(453); // by a clock that is 7:33 ahead
    row.info.offset = std::chrono::seconds(30); // where a user put it
    row.againstClock = againstItsClock(row.info, started);
    CHECK(against->text(row) == QStringLiteral("-423.000 s"));
}

TEST_CASE("a move that the recording refuses says why, and a source that comes meanwhile is listed")
{
    Shown shown;
    SourcesDialog& dialog = shown.dialog();
    REQUIRE(waitUntil([&] { return says(dialog, "No source is attached"); }));
    attachTwo(shown.file);
    auto* table = dialog.findChild<DataTable*>();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 2; }));
    CHECK(table->isVisible());
    auto* by = dialog.findChild<QDoubleSpinBox*>();
    by->setValue(by->maximum());
    buttonOf(dialog, "Move").click();
    REQUIRE(waitUntil([&] { return says(dialog, "years"); }));
    CHECK(buttonOf(dialog, "Move").isEnabled());
    CHECK(sourcesOf(Recording::open(shown.file).value()).value()[0].offset == Seconds(15));
}

namespace {

/// The traffic of the run as a log.
std::string trafficLog(const Shown& shown)
{
    const std::filesystem::path file = shown.bench.history / "traffic.csv";
    CounterExport what;
    what.format = CounterFormat::pdh;
    what.patterns = { "Bytes Total/sec" };
    REQUIRE(exportCounters(Recording::open(shown.file).value(), what, file));
    return file.string();
}

AttachDialog& opened(SourcesDialog& dialog, const char* button)
{
    buttonOf(dialog, button).click();
    auto* found = dialog.findChild<AttachDialog*>();
    REQUIRE(found != nullptr);
    return *found;
}

} // namespace

TEST_CASE("a log is attached from the window at the offset that its traffic proposes, and slid by hand")
{
    test::DemoRecording demo; // of two mixes one looks like the other
    demo.mixes = 1;
    demo.measurementSeconds = 60;
    Shown shown({}, demo);
    SourcesDialog& dialog = shown.dialog();
    REQUIRE(waitUntil([&] { return says(dialog, "No source is attached"); }));
    const std::string log = trafficLog(shown);
    AttachDialog& attach = opened(dialog, "Attach…");
    CHECK_FALSE(buttonOf(attach, "Attach").isEnabled()); // no log yet
    attach.setLog(QString::fromStdString(log + ".none"));
    buttonOf(attach, "Propose").click();
    REQUIRE(waitUntil([&] { return says(attach, "traffic.csv.none"); }));

    // Enter in the field of the log looks where it lies; only then does it attach.
    attach.setLog(QString::fromStdString(log));
    CHECK(buttonOf(attach, "Propose").isDefault());
    auto* begin = attach.findChild<QDoubleSpinBox*>();
    begin->setValue(100); // about
    buttonOf(attach, "Propose").click();
    REQUIRE(waitUntil([&] { return says(attach, "Proposed: "); }));
    CHECK(buttonOf(attach, "Attach").isDefault());
    CHECK(std::abs(begin->value()) <= 1); // where the run's own traffic lies
    OffsetCurve* curve = attach.curve();
    REQUIRE(curve->proposal());
    CHECK(curve->proposal()->best.correlation > 0.99);
    CHECK(curve->chosen() == curve->proposal()->offset);
    // A proposal of what stands there already is taken like any other.
    auto* clocks = attach.findChild<QCheckBox*>();
    clocks->setChecked(true);
    buttonOf(attach, "Propose").click();
    REQUIRE(waitUntil([&] { return !clocks->isChecked(); }));
    REQUIRE(waitUntil([&] { return curve->proposal() && curve->chosen() == curve->proposal()->offset; }));

    // Slid by hand, and back to the peak.
    QTest::keyClick(curve, Qt::Key_Right);
    CHECK(
        begin->value() == Approx(seconds(curve->proposal()->best.offset) + seconds(curve->proposal()->step)));
    QTest::mouseClick(curve, Qt::LeftButton, Qt::NoModifier, QPoint(curve->width() - 14, 40));
    CHECK(begin->value() > 3000);
    QTest::keyClick(curve, Qt::Key_Home);
    CHECK(begin->value() == Approx(seconds(curve->proposal()->best.offset)));

    const Nanoseconds peak = curve->proposal()->best.offset;
    auto* role = attach.findChild<QComboBox*>();
    role->setCurrentIndex(role->findData(QStringLiteral("sut")));
    attach.findChild<QLineEdit*>(QStringLiteral("computer"))->setText(QStringLiteral("ex1"));
    buttonOf(attach, "Attach").click(); // and the dialog goes
    auto* table = dialog.findChild<DataTable*>();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 1; }));
    const auto source = sourcesOf(Recording::open(shown.file).value()).value().at(0);
    CHECK(source.offset == peak);
    const auto computers = computersOf(Recording::open(shown.file).value()).value();
    CHECK(std::ranges::any_of(computers,
        [](const ComputerFacts& computer) { return computer.name == "ex1" && computer.role == "sut"; }));

    // The attached source is proposed a place in the same way.
    REQUIRE(moveSource(shown.file, 1, Seconds(60)));
    dialog.reload();
    const auto row = [&] {
        return static_cast<RowsModel<SourceRow>*>(table->proxy()->sourceModel())->rows().at(0);
    };
    REQUIRE(waitUntil([&] { return row().info.offset == Seconds(60); }));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    AttachDialog& move = opened(dialog, "Propose offset…");
    CHECK_FALSE(buttonOf(move, "Move there").isEnabled()); // it is there
    buttonOf(move, "Propose").click();
    REQUIRE(waitUntil([&] { return says(move, "Proposed: "); }));
    buttonOf(move, "Move there").click();
    REQUIRE(waitUntil([&] { return row().info.offset != Seconds(60); }));
    CHECK(std::abs(seconds(row().info.offset)) <= 1);
}

TEST_CASE("a log whose dialog is closed meanwhile is attached, and one that cannot be read opens it again")
{
    Shown shown;
    SourcesDialog& dialog = shown.dialog();
    REQUIRE(waitUntil([&] { return says(dialog, "No source is attached"); }));
    const std::string log = trafficLog(shown);
    const QPointer<AttachDialog> attach = &opened(dialog, "Attach…");
    attach->setLog(QString::fromStdString(log + ".none"));
    buttonOf(*attach, "Attach").click();
    CHECK_FALSE(attach->close());
    CHECK_FALSE(attach->isVisible());
    REQUIRE(waitUntil([&] { return attach && attach->isVisible(); }));
    CHECK(says(*attach, "traffic.csv.none"));

    attach->setLog(QString::fromStdString(log));
    attach->findChild<QDoubleSpinBox*>()->setValue(1);
    buttonOf(*attach, "Attach").click();
    attach->reject();
    CHECK_FALSE(attach->isVisible());
    REQUIRE(waitUntil([&] { return attach.isNull(); }));
    CHECK(sourcesOf(Recording::open(shown.file).value()).value().size() == 1);
}

TEST_CASE("a log is attached to its end though the list of sources is closed meanwhile")
{
    Shown shown;
    const QPointer<SourcesDialog> dialog = &shown.dialog();
    REQUIRE(waitUntil([&] { return says(*dialog, "No source is attached"); }));
    const QPointer<AttachDialog> attach = &opened(*dialog, "Attach…");
    attach->setLog(QString::fromStdString(trafficLog(shown)));
    attach->findChild<QDoubleSpinBox*>()->setValue(1);
    buttonOf(*attach, "Attach").click();
    delete dialog.data();
    REQUIRE_FALSE(attach.isNull());
    CHECK_FALSE(attach->isVisible());
    REQUIRE(waitUntil([&] { return attach.isNull(); }));
    CHECK(sourcesOf(Recording::open(shown.file).value()).value().size() == 1);
}
