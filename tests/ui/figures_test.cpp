// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of the table of figures in all six views of results: a figure that is added there is in all of them.
#include "format.h"
#include "history/history_columns.h"
#include "run/tabs/assessment_tables.h"
#include "run/tabs/audit_tab.h"
#include "run/tabs/result_tables.h"
#include "run/tabs/results_tab.h"
#include "run_views.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <map>
#include <set>
#include <sstream>

using namespace loadstone;
using namespace loadstone::ui;
using namespace std::chrono_literals;

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

/// Whether the two cells of a row of a table that has a figure a row are these, behind the cells before.
bool hasRow(const std::vector<PrintedRow>& rows, std::string_view name, const std::string& value)
{
    return std::ranges::any_of(rows, [&](const PrintedRow& row) {
        return row.size() >= 2 && row[row.size() - 2].second == name && row.back().second == value;
    });
}

/// The figures of this key in a list of JSON.
std::vector<Json> ofKey(const Json& figures, std::string_view key)
{
    std::vector<Json> found;
    for (const Json& one : figures)
        if (one["key"] == key)
            found.push_back(one);
    return found;
}

QString titleInHistory(const FigureInfo& info)
{
    return isOfRuns(info.table) ? titleOf(info) : QStringLiteral("Best mix: ") + titleOf(info);
}

std::string csvRow(const MixResult& mix, const Figure& figure)
{
    const FigureInfo& info = infoOf(figure.id);
    std::ostringstream row;
    row << info.csv.table << ',' << mix.name << ',';
    row << (info.csv.item.empty() && info.table == FigureTable::standing ? "all" : info.csv.item) << ',';
    row << (info.csv.ofAll.empty() ? info.csv.quantity : info.csv.ofAll) << ',' << info.unit.name << ',';
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
        { "io.rate", QStringLiteral("Best I/O/s") }, { "response.p95", QStringLiteral("p95") },
        { "score.value", QStringLiteral("Score") } };
    const QString title = others.contains(info.key) ? others.at(info.key) : titleInHistory(info);
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
        const auto anyMix = [&](const auto& has) { return std::ranges::any_of(views.results.mixes, has); };
        const bool expected = info.table == FigureTable::standing
            ? anyMix([](const MixResult& mix) { return mix.counts.has_value(); })
            : info.table != FigureTable::score
                || anyMix([](const MixResult& mix) { return mix.score.has_value(); });
        CHECK(any == expected);
    }
}

} // namespace

TEST_CASE("the keys of figures are unique, and each row says what it is")
{
    std::set<std::string_view> keys;
    std::set<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>> places;
    for (const FigureInfo& info : figureTable()) {
        INFO(info.key);
        CHECK(keys.insert(info.key).second);
        CHECK(places.insert({ info.csv.table, info.csv.item, info.csv.quantity, info.unit.name }).second);
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

TEST_CASE("every figure of a mix of users, with its score, is in all six views")
{
    const test::ScratchFolder folder;
    const RunId id = usersDemo().write(folder.path()).value();
    const Views views = viewsOf(folder / (id.text() + ".loadstone"), folder);
    checkAll(views, RunKind::mail);
    // Of the actions: terminal and report have those of the last mix.
    const MixResult& mix = views.results.mixes.back();
    REQUIRE(mix.score);
    const std::vector<FiguresRow> rows = scoreRows(*mix.score);
    const std::vector<Column<FiguresRow>> columns = scoreColumns(mix.score->percentile);
    for (const FigureInfo& info : figureTable()) {
        if (info.table != FigureTable::scoreActions)
            continue;
        INFO(info.key);
        const bool percentile = info.key == "score.percentile";
        const std::string heading = percentile ? "95 %" : std::string(info.column);
        const auto column = std::ranges::find_if(
            columns, [&](const Column<FiguresRow>& one) { return one.title.startsWith(text(heading)); });
        REQUIRE(column != columns.end());
        for (const FiguresRow& row : rows) {
            const auto figure = std::ranges::find(row.figures, findFigure(info.key).value(), &Figure::id);
            REQUIRE(figure != row.figures.end());
            CHECK(has(views.terminal, row.name, heading, format(*figure)));
            CHECK(has(views.html, row.name, heading, format(*figure)));
            CHECK((column->text(row) == QStringLiteral("–")) == !figure->value);
        }
        CHECK(ofKey(views.json["results"]["mixes"].back()["figures"], info.key).size() == rows.size());
        CHECK(views.csv.find("," + std::string(info.key) + "\n") != std::string::npos);
    }
}

TEST_CASE("every figure of a run's audit is in all six views")
{
    const test::ScratchFolder folder;
    const RunId id = smallDemo().write(folder.path()).value();
    const Views views = viewsOf(folder / (id.text() + ".loadstone"), folder);
    AuditTab tab;
    tab.setVisible(true);
    RunView view;
    view.results = std::make_shared<const RunResults>(views.results);
    tab.show(view);
    QString shown;
    for (const DataTable* table : tab.findChildren<DataTable*>())
        if (table->accessibleName() == QStringLiteral("Figures of the delivery audit"))
            shown = table->asText(false);
    const auto history = historyColumns();
    for (const FigureInfo& info : figureTable()) {
        if (info.table != FigureTable::audit)
            continue;
        INFO(info.key);
        const Figure* const figure = findFigure(views.results.figures, info.key);
        REQUIRE(figure != nullptr);
        REQUIRE(figure->value);
        CHECK(figure->window.end > figure->window.begin);
        const std::string printed = format(*figure);
        CHECK(hasRow(views.terminal, info.name, printed));
        CHECK(hasRow(views.html, info.name, printed));
        std::ostringstream row;
        row << "\naudit,," << info.csv.item << ',' << info.csv.quantity << ',' << info.unit.name << ','
            << *figure->value << ",," << info.key << '\n';
        CHECK(views.csv.find(row.str()) != std::string::npos);
        const auto inJson = ofKey(views.json["results"]["figures"], info.key);
        REQUIRE(inJson.size() == 1);
        CHECK(inJson[0]["value"].get<double>() == *figure->value);
        CHECK(inJson[0]["better"] == toString(info.better));
        CHECK(shown.contains(text(std::string(info.name)) + QLatin1Char('\t') + formatFigure(*figure)));
        const auto column = std::ranges::find(history, titleInHistory(info), &Column<RunSummary>::title);
        REQUIRE(column != history.end());
        CHECK(column->text(views.fromHistory) == formatFigure(*figure));
    }
}

TEST_CASE("every figure of a preparation that has a value is in terminal, JSON and workbench")
{
    PreparationResult filling;
    filling.end = 10s;
    filling.totals.mailboxes = 1000;
    filling.totals.done = 998;
    filling.totals.failed = 2;
    filling.totals.foldersMade = 5000;
    filling.totals.appended = 199'600;
    filling.totals.entriesMade = 30;
    filling.figures = figuresOf(filling);
    RunResults results;
    results.state = RunState::finished;
    results.preparations = { filling };
    const auto rows = rowsOfText(formatResultTable(results, verdictOf(results, Judgement {}), 1000));
    const Json json = Json::parse(formatResultsJson(results))["preparations"][0]["figures"];
    ResultsTab tab;
    tab.show(results);
    const QString sentence = tab.findChild<QLabel*>(QStringLiteral("preparations"))->text();
    std::size_t known = 0;
    for (const Figure& figure : filling.figures) {
        const FigureInfo& info = infoOf(figure.id);
        INFO(info.key);
        known += figure.value ? 1 : 0;
        CHECK(hasRow(rows, info.name, format(figure)) == figure.value.has_value());
        CHECK(ofKey(json, info.key).size() == 1);
        if (figure.value && !info.words.empty() && (figure.value != 0 || info.better != Better::less))
            CHECK(sentence.contains(formatFigure(figure) + QLatin1Char(' ') + text(std::string(info.words))));
    }
    CHECK(known > 8);
    CHECK_FALSE(findFigure(filling.figures, "prepare.folders-removed")->value); // a clean-up's
}

TEST_CASE("the readings of counters over a test are figures with the counters' units")
{
    const test::ScratchFolder folder;
    writeStorageRun(folder / "storage.loadstone");
    const Views views = viewsOf(folder / "storage.loadstone", folder);
    const MixResult& mix = views.results.mixes.at(0);
    REQUIRE(mix.storage);
    REQUIRE_FALSE(mix.storage->host.empty());
    const auto average = findFigure("counter.average").value();
    for (const HostRow& row : mix.storage->host) {
        INFO(row.counter);
        const Figure* const figure = findFigure(mix.figures, average, {}, row.quantity);
        REQUIRE(figure != nullptr);
        CHECK(figure->value == row.average);
        CHECK(numberOf(*figure).unit == unitOf(row.quantity));
        const auto hasCounter = [&](const std::vector<PrintedRow>& rows) {
            return std::ranges::any_of(rows, [&](const PrintedRow& cells) {
                return std::ranges::find(cells, std::pair(std::string("Counter"), row.counter)) != cells.end()
                    && std::ranges::find(cells, std::pair(std::string("Average"), format(*figure)))
                    != cells.end();
            });
        };
        CHECK(hasCounter(views.terminal));
        CHECK(hasCounter(views.html));
        CHECK(views.csv.find("\nhost," + mix.name + "," + row.counter + ",average,") != std::string::npos);
    }
    CHECK(ofKey(views.json["results"]["mixes"][0]["figures"], "counter.average").size()
        == mix.storage->host.size());
}
