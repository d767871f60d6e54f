// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/chosen_column.h"
#include "compare/view/comparison_model.h"
#include "support/catch.h"

#include <QAbstractItemModelTester>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

ComparedCell cellOf(double value, double change, CompareWord word)
{
    ComparedCell cell;
    cell.value = value;
    cell.change = change;
    cell.ratio = 1 + change;
    cell.difference = value - value / (1 + change);
    cell.word = word;
    cell.matters = true;
    cell.dots = { { 0, value, {}, {} } };
    return cell;
}

ComparisonRow rowOf(const char* group, const char* label, double base, double other, CompareWord word)
{
    ComparisonRow row;
    row.group = group;
    row.label = label;
    row.unit = "messages/s";
    row.rounding = { Notation::decimals, 1 };
    ComparedCell first;
    first.value = base;
    first.dots = { { 0, base, {}, {} }, { 1, base * 1.01, {}, {} } };
    row.cells = { first, cellOf(other, other / base - 1, word) };
    return row;
}

std::shared_ptr<const CompareView> viewOf(std::vector<ComparisonRow> rows)
{
    Comparison made;
    made.columns = { "first", "second" };
    made.repeats = { 2, 1 };
    made.external = { false, false };
    made.status.resize(2);
    made.mixes.push_back({ "10 clients", 10, "users", { 0, 0 }, std::move(rows) });
    auto view = std::make_shared<CompareView>();
    view->comparison = std::make_shared<const Comparison>(std::move(made));
    return view;
}

std::vector<ComparisonRow> someRows()
{
    return { rowOf("Messages", "Sent/s", 10, 12, CompareWord::better),
        rowOf("Messages", "Received/s", 30, 30, CompareWord::noDifferenceShown),
        rowOf("Errors", "Failed", 1, 2, CompareWord::cannotTell) };
}

} // namespace

TEST_CASE("the model of a comparison keeps the rules of models while it is filtered, folded and shown again")
{
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.show(viewOf(someRows()));
    CHECK(model.rowCount() == 6); // the mix, two groups, three figures
    model.setFilter({ CompareFilter::Show::shown, {} });
    CHECK(model.shownFigures() == 1);
    model.setFilter({ CompareFilter::Show::differing, {} });
    CHECK(model.shownFigures() == 2);
    model.setFilter({ CompareFilter::Show::all, QStringLiteral("clients errors") });
    CHECK(model.shownFigures() == 1);
    model.setFilter({});
    model.setFolded(1, true);
    CHECK(model.rowCount() == 4);
    model.show(viewOf({ someRows().front() }));
    model.setFolded(1, false);
    CHECK(model.rowCount() == 3);
    model.show(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("a difference is shown in per cent, as a ratio or in the figure's unit")
{
    const ComparisonRow row = someRows().front();
    const ComparedCell& cell = row.cells[1];
    CHECK(differenceText(row, cell, DifferenceAs::percent) == QStringLiteral("+20.0 %"));
    CHECK(differenceText(row, cell, DifferenceAs::ratio) == QStringLiteral("× 1.200"));
    CHECK(differenceText(row, cell, DifferenceAs::value) == QStringLiteral("+2.0 messages/s"));
}

TEST_CASE("a word has a shape, and one that does not matter says so")
{
    ComparedCell cell = cellOf(12, 0.2, CompareWord::better);
    CHECK(wordText(cell) == QStringLiteral("▲ better"));
    cell.matters = false;
    CHECK(wordText(cell).contains(QStringLiteral("does not matter")));
    CHECK(wordText(cellOf(8, -0.2, CompareWord::lower)) == QStringLiteral("▼ lower"));
    CHECK(wordText(cellOf(8, -0.2, CompareWord::cannotTell)) == QStringLiteral("? cannot tell"));
    cell.voided = true;
    CHECK(wordText(cell).contains(QStringLiteral("void")));
}

TEST_CASE("a published figure is shown with its own digits")
{
    ComparisonRow row = someRows().front();
    row.cells[1].printed = "36,589.88";
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("36,589.88"));
    row.cells[1].printed = "2396470771712"; // only to be read with commas
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("2,396,470,771,712"));
    row.cells[1].value = 2396470771712.0;
    row.unit = "bytes";
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("2,396,470,771,712 bytes"));
    row.cells[1].value = 2396470771.712; // in another unit than printed
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("2,396,470,771,712"));
    row.cells[1].printed = "1300.5 ms";
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("1300.5 ms"));
    row.cells[1].printed = "more than 1000000";
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("more than 1000000"));
    row.cells[1] = {};
    CHECK(valueText(row, row.cells[1]) == QStringLiteral("–"));
}

TEST_CASE("runs are grouped where two columns are left, and never where none would be")
{
    const RunId a = RunId::make(), b = RunId::make(), c = RunId::make();
    const auto column = [](const RunId& id) { return ChosenColumn { {}, { id }, {}, {}, {}, {} }; };
    const auto run = [](const RunId& id, const char* configuration) {
        ComparedRun made;
        made.id = id;
        made.configuration = configuration;
        return std::vector<ComparedRun> { made };
    };
    const auto together =
        grouped({ column(a), column(b), column(c) }, { run(a, "x"), run(b, "y"), run(c, "x") });
    REQUIRE(together.size() == 2);
    CHECK(together[0].runs == std::vector<RunId> { a, c });
    CHECK(grouped({ column(a), column(b) }, { run(a, "x"), run(b, "x") }).size() == 2);
}

TEST_CASE("every dot of a row lies on its axis, and one value alone has room at both sides")
{
    DotPicture picture;
    picture.own = { 5 };
    const auto [low, high] = dotAxis({ picture });
    CHECK(low < 5);
    CHECK(high > 5);
    picture.baseline = { -3, 9 };
    picture.baselineMean = 3;
    picture.critical = 20;
    const auto [wider, widest] = dotAxis({ picture });
    CHECK(wider <= -17);
    CHECK(widest >= 23);
    CHECK(dotAxis({}) == std::pair(0.0, 1.0));
}
