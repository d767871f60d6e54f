// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of the table of figures in all six views of results: a figure that is added there is in all of them.
#include "format.h"
#include "history/history_columns.h"
#include "run/tabs/result_tables.h"
#include "run_views.h"
#include "workbench_fixture.h"

#include <map>
#include <set>
#include <sstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// Whether tables may leave it out: it says the same as another.
bool repeats(const RunResults& results, const FigureInfo& info)
{
    if (info.unless.empty())
        return false;
    return std::ranges::all_of(results.mixes, [&](const MixResult& mix) {
        const Figure* one = findFigure(mix.figures, info.key);
        const Figure* other = findFigure(mix.figures, info.unless);
        return one == nullptr || !one->value || (other != nullptr && other->value == one->value);
    });
}

std::string csvRow(const MixResult& mix, const Figure& figure)
{
    const FigureInfo& info = infoOf(figure.id);
    std::ostringstream row;
    row << info.csv.table << ',' << mix.name << ',';
    row << (info.csv.item.empty() && info.table == FigureTable::standing ? "all" : info.csv.item) << ',';
    row << (info.csv.ofAll.empty() ? info.csv.quantity : info.csv.ofAll) << ',' << toString(info.unit) << ',';
    return row.str();
}

void checkFigure(const Views& views, const MixResult& mix, const Figure& figure)
{
    const FigureInfo& info = infoOf(figure.id);
    INFO(info.key << " of " << mix.name);
    const std::string printed = format(figure), name = mix.complete ? mix.name : mix.name + " *";
    if (!repeats(views.results, info) && !(mix.io.empty() && info.table == FigureTable::test)) {
        CHECK(has(views.terminal, name, info.column, printed));
        CHECK(has(views.html, name, info.column, printed));
    }
    const std::size_t row = views.csv.find("\n" + csvRow(mix, figure));
    if (figure.value || info.rounding.notation != Notation::latency) {
        REQUIRE(row != std::string::npos);
        const std::size_t at = row + 1 + csvRow(mix, figure).size();
        CHECK((views.csv[at] == ',') == !figure.value);
        if (figure.value)
            CHECK(std::stod(views.csv.substr(at)) == Approx(*figure.value));
    }
    bool inJson = false;
    for (const Json& one : views.json["results"]["mixes"]
                                     [static_cast<std::size_t>(&mix - views.results.mixes.data())]["figures"])
        if (one["key"] == info.key && one["subject"].empty()) {
            inJson = true;
            CHECK(one["value"].is_null() == !figure.value);
            if (figure.value)
                CHECK(one["value"].get<double>() == *figure.value);
            CHECK(one["text"] == printed);
            CHECK(one["better"] == toString(info.better));
        }
    CHECK(inJson);
    const std::vector<FigureKey> keys = keysOf(views.results);
    const auto key = std::ranges::find(keys, FigureKey { figure.id, {} });
    REQUIRE(key != keys.end());
    const std::vector<Column<MixResult>> columns = mixColumns(keys, RunKind::mail);
    const Column<MixResult>& column = columns.at(static_cast<std::size_t>(key - keys.begin()) + 1);
    const bool time = info.rounding.notation == Notation::latency;
    CHECK(column.title.toLower().contains(
        text(std::string(time ? info.csv.quantity : info.column)).toLower().left(1)));
    CHECK((column.text(mix) == QStringLiteral("–")) == !figure.value);
    if (figure.value)
        CHECK(column.order(mix).toDouble() == Approx(*figure.value * (time ? 1e3 : 1)));
    if (mix.mix != views.fromHistory.mix)
        return;
    const Figure* const kept = findFigure(views.fromHistory.figures, figure.id);
    REQUIRE(kept != nullptr);
    CHECK(kept->value == figure.value);
    CHECK(kept->flags == figure.flags);
    const std::map<std::string_view, QString> others { { "mail.sent-rate", QStringLiteral("Best sent/s") },
        { "io.rate", QStringLiteral("Best I/O/s") }, { "response.p95", QStringLiteral("p95") } };
    const QString title =
        others.contains(info.key) ? others.at(info.key) : QStringLiteral("Best mix: ") + titleOf(info);
    const auto history = historyColumns();
    const auto shown = std::ranges::find(history, title, &Column<RunSummary>::title);
    REQUIRE(shown != history.end());
    CHECK(shown->text(views.fromHistory) == formatFigure(figure));
}

/// Of whole mixes: all that the kind of run has.
void checkAll(const Views& views, RunKind kind)
{
    for (const FigureInfo& info : figureTable()) {
        if (!info.shown || !info.isOf(kind) || !isOfMixes(info))
            continue;
        INFO(info.key);
        bool any = false;
        for (const MixResult& mix : views.results.mixes)
            if (const Figure* figure = findFigure(mix.figures, info.key)) {
                any = true;
                checkFigure(views, mix, *figure);
            }
        const bool counted = std::ranges::any_of(
            views.results.mixes, [](const MixResult& mix) { return mix.counts.has_value(); });
        CHECK(any == (info.table != FigureTable::standing || counted));
    }
}

} // namespace

TEST_CASE("the keys of figures are unique, and each row says what it is")
{
    std::set<std::string_view> keys;
    std::set<std::tuple<std::string_view, std::string_view, std::string_view, Unit>> places;
    for (const FigureInfo& info : figureTable()) {
        INFO(info.key);
        CHECK(keys.insert(info.key).second);
        CHECK(places.insert({ info.csv.table, info.csv.item, info.csv.quantity, info.unit }).second);
        CHECK_FALSE(info.column.empty());
        CHECK_FALSE(info.name.empty());
        CHECK_FALSE(info.help.empty());
        CHECK(info.kinds != 0);
        CHECK((info.unless.empty() || findFigure(info.unless)));
    }
}

TEST_CASE("every figure of a mix of mail is in all six views")
{
    const test::ScratchFolder folder;
    const RunId id = smallDemo().write(folder.path()).value();
    checkAll(viewsOf(folder / (id.text() + ".loadstone"), folder), RunKind::mail);
}

TEST_CASE("every figure of a storage test is in all six views")
{
    const test::ScratchFolder folder;
    writeStorageRun(folder / "storage.loadstone");
    checkAll(viewsOf(folder / "storage.loadstone", folder), RunKind::storage);
}
