// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of the table of figures in all six views of results: a figure that is added there is in all of them.
#include "engine/analysis/sample_storage.h"
#include "format.h"
#include "history/history_columns.h"
#include "run/tabs/assessment_tables.h"
#include "run/tabs/audit_tab.h"
#include "run/tabs/result_tables.h"
#include "run/tabs/results_tab.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace loadstone;
using namespace loadstone::ui;
using namespace std::chrono_literals;

namespace {

using Json = nlohmann::json;

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

/// A printed table: cells by heading.
using PrintedRow = std::vector<std::pair<std::string, std::string>>;

/// The cells of a line of the terminal's tables, which two blanks part.
std::vector<std::string> cellsOf(const std::string& line)
{
    static const std::regex gap(" {2,}");
    std::vector<std::string> cells;
    for (std::sregex_token_iterator cell(line.begin(), line.end(), gap, -1), end; cell != end; ++cell)
        if (cell->length() > 0)
            cells.push_back(*cell);
    return cells;
}

std::vector<PrintedRow> rowsOfText(const std::string& text)
{
    std::vector<PrintedRow> rows;
    std::istringstream lines(text);
    std::vector<std::string> headings;
    int line = 0;
    for (std::string one; std::getline(lines, one); ++line) {
        if (one.empty()) {
            line = -1;
            headings.clear();
            continue;
        }
        const std::vector<std::string> cells = cellsOf(one);
        if (line == 1)
            headings = cells;
        else if (line > 1 && cells.size() == headings.size()) {
            PrintedRow& row = rows.emplace_back();
            for (std::size_t i = 0; i < cells.size(); ++i)
                row.emplace_back(headings[i], cells[i]);
        }
    }
    return rows;
}

std::vector<std::string> matchesOf(const std::string& text, const std::regex& pattern)
{
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

std::vector<PrintedRow> rowsOfHtml(const std::string& html)
{
    static const std::regex head("<th[^>]*>([^<]*)</th>"), line("(<td.*)</tr>"),
        cell("<td[^>]*>([^<]*)</td>");
    std::vector<PrintedRow> rows;
    for (std::size_t at = html.find("<table>"); at != std::string::npos; at = html.find("<table>", at + 1)) {
        const std::string table = html.substr(at, html.find("</table>", at) - at);
        const std::vector<std::string> headings = matchesOf(table, head);
        for (const std::string& found : matchesOf(table, line)) {
            const std::vector<std::string> cells = matchesOf(found, cell);
            PrintedRow& row = rows.emplace_back();
            for (std::size_t i = 0; i < std::min(cells.size(), headings.size()); ++i)
                row.emplace_back(headings[i], cells[i]);
        }
    }
    return rows;
}

/// Whether a row of this mix has a cell below this heading.
bool has(const std::vector<PrintedRow>& rows, const std::string& mix, std::string_view heading,
    const std::string& cell)
{
    return std::ranges::any_of(rows, [&](const PrintedRow& row) {
        return !row.empty() && row.front().second == mix
            && std::ranges::find(row, std::pair(std::string(heading), cell)) != row.end();
    });
}

/// All six views of one recording.
struct Views {
    RunResults results;
    std::vector<PrintedRow> terminal, html;
    std::string csv;
    Json json;
    RunSummary fromHistory; ///< as another process reads it from the catalogue
};

Views viewsOf(const std::filesystem::path& file, const test::ScratchFolder& folder)
{
    Views views;
    const auto recording = Recording::open(file).value();
    views.results = computeResults(recording).value();
    views.terminal = rowsOfText(formatResultTable(views.results, verdictOf(recording).value(), 1000)
        + formatJudgement(recording, 1000).value());
    writeHtmlReport(recording, folder / "run.html").value();
    views.html = rowsOfHtml(contentOf(folder / "run.html"));
    writeCsv(recording, folder / "run.csv").value();
    views.csv = contentOf(folder / "run-results.csv");
    views.json = Json::parse(formatJson(recording).value());
    {
        auto history = History::open(folder / "history").value();
        history.importArchive(file).value();
        REQUIRE(history.list().value().size() == 1);
    }
    views.fromHistory = History::open(folder / "history").value().list().value().at(0);
    return views;
}

/// A storage plan's run with a load, whose I/O is of all classes.
void writeStorageRun(const std::filesystem::path& file)
{
    using Sample = test::StorageSample;
    Sample sample(file, Sample::planText(), Sample::Has::everything);
    for (const Quantity quantity : { Quantity::transactionsDue, Quantity::transactionsBegun })
        sample.set(quantity, "Transaction", 5);
    sample.set(Quantity::transactionsGivenUp, "Transaction", 0);
    sample.phase(PhaseKind::measurement, 0);
    for (const char* group : { "one", "two" }) {
        sample.set(Quantity::transactions, group, 2);
        sample.set(Quantity::databaseReads, group, 60);
        sample.set(Quantity::databaseWrites, group, 40);
        sample.set(Quantity::logWrites, group, 20);
        sample.set(Quantity::logBytes, group, 133'180);
        sample.set(Quantity::pageFaultStalls, group, 0);
        sample.set(Quantity::cacheSize, group, 32 << 20);
        sample.set(Quantity::sessionsInUse, group, 8);
        sample.set(Quantity::databaseSize, group, 1'000'000'000);
    }
    sample.transactions(4, 30ms);
    std::uint64_t count = 100;
    for (std::size_t i = 0; i < kIoClasses; ++i, count += 10)
        sample.io(static_cast<IoClass>(i), count, count * 4096, 2ms + i * 1ms);
    sample.ticks(30);
    sample.finish();
}

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
        { "io.rate", QStringLiteral("Best I/O/s") }, { "response.p95", QStringLiteral("p95") } };
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

TEST_CASE("I/O/s are the same sum of reads and writes wherever they are shown")
{
    const test::ScratchFolder folder;
    writeStorageRun(folder / "storage.loadstone");
    const Views views = viewsOf(folder / "storage.loadstone", folder);
    double reads = 0, writes = 0, count = 100;
    for (std::size_t i = 0; i < kIoClasses; ++i, count += 10) {
        const IoDirection direction = directionOf(static_cast<IoClass>(i));
        (direction == IoDirection::read ? reads : writes) += direction == IoDirection::neither ? 0 : count;
    }
    REQUIRE(reads > 0);
    REQUIRE(writes > 0);
    // Live and in the replay: of the last second.
    const auto recording = Recording::open(folder / "storage.loadstone").value();
    const std::optional<IoRates> rates = ioRatesAt(recording, 20s).value();
    REQUIRE(rates);
    CHECK(rates->readsPerSecond == Approx(reads));
    CHECK(rates->writesPerSecond == Approx(writes));
    const MixResult& mix = views.results.mixes.at(0);
    const auto value = [&](const char* key) { return findFigure(mix.figures, key)->value.value(); };
    CHECK(value("io.read-rate") == Approx(reads));
    CHECK(value("io.write-rate") == Approx(writes));
    CHECK(value("io.rate") == Approx(reads + writes));
    const std::string all = format(*findFigure(mix.figures, "io.rate"));
    // Of each class, and together: what its row says in terminal, report, CSV and JSON.
    for (const Figure& figure : mix.figures) {
        if (infoOf(figure.id).key != "io.rate")
            continue;
        INFO(nameOf(figure.subject));
        const std::string volume = figure.subject.empty() ? "(All)" : "vda";
        const std::string what =
            figure.subject.empty() ? "Reads and writes" : toString(*figure.subject.ioClass);
        for (const auto* rows : { &views.terminal, &views.html })
            CHECK(std::ranges::count_if(*rows, [&](const PrintedRow& row) {
                const auto cell = [&](const char* heading) {
                    const auto found =
                        std::ranges::find(row, heading, &std::pair<std::string, std::string>::first);
                    return found == row.end() ? std::string() : found->second;
                };
                return cell("Volume") == volume && cell("I/O") == what && cell("I/O/s") == format(figure);
            }) == 1);
        const std::string begin = figure.subject.empty()
            ? "\ndisk," + mix.name + ",,reads and writes,/s,"
            : "\ndisk," + mix.name + ",vda: " + what + ",transfers,/s,";
        const std::size_t at = views.csv.find(begin);
        REQUIRE(at != std::string::npos);
        CHECK(std::stod(views.csv.substr(at + begin.size())) == Approx(*figure.value));
    }
    const Json& json = views.json["results"]["mixes"][0];
    CHECK(json["iosPerSecond"].get<double>() == Approx(reads + writes));
    CHECK(json["readsPerSecond"].get<double>() == Approx(reads));
    double ofClasses = 0;
    for (const Json& row : json["io"])
        if (row["name"] != "Flush")
            ofClasses += row["perSecond"].get<double>();
    CHECK(ofClasses == Approx(reads + writes));
    const Column<MixResult> column = figureColumn({ findFigure("io.rate").value(), {} });
    CHECK(column.text(mix) == formatRate(reads + writes));
    const std::vector<Column<RunSummary>> history = historyColumns();
    CHECK(history.at(HistoryIos).text(views.fromHistory) == formatRate(reads + writes));
}
