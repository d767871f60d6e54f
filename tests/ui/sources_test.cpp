// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog of attached sources: its list, and a move that the chart follows.
#include "history/history_page.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/chart/sources_dialog.h"
#include "run/run_page.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <loadstone/source.h>

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
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

    explicit Shown(const std::function<void(const std::filesystem::path&)>& prepare = {})
    {
        const RunId id = bench.addRun();
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
        if (QString(button->text()).remove(QLatin1Char('&')) == QLatin1String(words))
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
    CHECK(says(dialog, "no result and no verdict of the run changes"));
    const auto row = [&](std::size_t index) {
        return static_cast<RowsModel<SourceRow>*>(table->proxy()->sourceModel())->rows().at(index);
    };
    CHECK(cellOf(row(0), "Source") == "log ex.csv");
    CHECK(cellOf(row(0), "Computer") == "EX");
    CHECK(cellOf(row(0), "First sample") == "00:15");
    CHECK(cellOf(row(0), "Last sample") == "00:45");
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
