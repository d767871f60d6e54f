// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// I/O/s in all places that show them: the status of a run that goes on, its replay, tables, reports and exports.
#include "engine/analysis/sample_storage.h"
#include "format.h"
#include "history/history_columns.h"
#include "run/tabs/result_tables.h"
#include "run/view/run_reader.h"
#include "run_views.h"
#include "window/status_line.h"
#include "workbench_fixture.h"

#include <QLabel>
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>

using namespace loadstone;
using namespace loadstone::ui;
using namespace std::chrono_literals;

namespace {

/// Transfers per second by what they do: of each class, and of what fills the file of a raw device test.
struct Transfers {
    std::map<IoClass, double> ofClass;
    double filling = 0;

    [[nodiscard]] double sum(IoDirection direction) const
    {
        double all = direction == IoDirection::write ? filling : 0;
        for (const auto& [ioClass, rate] : ofClass)
            all += directionOf(ioClass) == direction ? rate : 0;
        return all;
    }
};

/// In the tick that ends at `at`, counter by counter.
Transfers transfersAt(const Recording& recording, Nanoseconds at)
{
    Transfers transfers;
    for (const CounterInfo& info : recording.header().counters) {
        const bool fills = info.key.quantity == Quantity::fillWrites;
        if (!fills && !(info.key.quantity == Quantity::transfers && info.key.subject.isOwnIo()))
            continue;
        const auto points = recording.counter(info.id, { Nanoseconds(0), at }).value();
        if (!points.empty() && points.back().at == at && std::isfinite(points.back().value))
            (fills ? transfers.filling : transfers.ofClass[*info.key.subject.ioClass]) += points.back().value;
    }
    return transfers;
}

/// What the page of a run shows as it was at `until`.
RunView shownAt(RunReader& reader, Nanoseconds until)
{
    RunQuery query;
    query.until = until;
    return *reader.read(query).value();
}

QString rateOf(StatusLine& line)
{
    for (const QLabel* label : line.findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("reads/s")))
            return label->text();
    return {};
}

/// What was shown of a run's last tick, by the tick's end.
using Live = std::map<Nanoseconds, IoRates>;

/// Live as in the replay: in the figures and in the words of the status bar.
void checkLive(const Live& live, const std::filesystem::path& file)
{
    const auto recording = Recording::open(file).value();
    RunReader reader;
    reader.open(file).value();
    StatusLine during, after;
    IoRates most;
    for (const auto& [at, rates] : live) {
        INFO("at " << seconds(at) << " s");
        const Transfers transfers = transfersAt(recording, at);
        CHECK(rates.readsPerSecond == Approx(transfers.sum(IoDirection::read)));
        CHECK(rates.writesPerSecond == Approx(transfers.sum(IoDirection::write)));
        most.readsPerSecond = std::max(most.readsPerSecond, rates.readsPerSecond);
        most.writesPerSecond = std::max(most.writesPerSecond, rates.writesPerSecond);
        if (at == recording.length()) // a run that is over is shown without its last second
            continue;
        const RunView replayed = shownAt(reader, at);
        REQUIRE(replayed.figures.io);
        CHECK(replayed.figures.io->readsPerSecond == Approx(rates.readsPerSecond));
        CHECK(replayed.figures.io->writesPerSecond == Approx(rates.writesPerSecond));
        CHECK(replayed.figures.io->bytesPerSecond == Approx(rates.bytesPerSecond));
        RunStatus status;
        status.io = rates;
        during.show(status);
        after.show(replayed);
        CHECK_FALSE(rateOf(during).isEmpty());
        CHECK(rateOf(during) == rateOf(after));
    }
    CHECK(most.readsPerSecond > 0);
    CHECK(most.writesPerSecond > 0);
}

/// The average of each class over a window, as the chart's boxes have it.
std::map<std::string, double> averagesOf(const std::filesystem::path& file, TimeWindow window)
{
    RunReader reader;
    reader.open(file).value();
    RunQuery query;
    query.statistics = window;
    std::vector<std::string> names;
    for (const CounterInfo& info : reader.header()->counters)
        if (info.key.quantity == Quantity::transfers && info.key.subject.isOwnIo()) {
            query.lines.push_back(LineKey::ofCounter(info));
            names.push_back(nameOf(info.key.subject));
        }
    const auto view = reader.read(query).value();
    std::map<std::string, double> averages;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (view->lines[i].statistics.samples > 0)
            averages[names[i]] = view->lines[i].statistics.average;
    return averages;
}

std::string cellOf(const PrintedRow& row, std::string_view heading)
{
    const auto found = std::ranges::find(row, heading, &std::pair<std::string, std::string>::first);
    return found == row.end() ? std::string() : found->second;
}

/// Rows of the tables of I/O that say this of the mix's volume and class.
std::ptrdiff_t rowsThatSay(const std::vector<PrintedRow>& rows, const std::string& mix,
    const std::string& volume, const std::string& what, const std::string& rate)
{
    return std::ranges::count_if(rows, [&](const PrintedRow& row) {
        return !row.empty() && row.front().second == mix && cellOf(row, "Volume") == volume
            && cellOf(row, "I/O") == what && cellOf(row, "I/O/s") == rate;
    });
}

double csvValue(const std::string& csv, const std::string& rowBegin)
{
    const std::size_t at = csv.find("\n" + rowBegin);
    INFO(rowBegin);
    REQUIRE(at != std::string::npos);
    return std::stod(csv.substr(at + 1 + rowBegin.size()));
}

/// One mix in all views of its results: each class, and their sums.
void checkMix(const Views& views, std::size_t index, const std::filesystem::path& file, RunKind kind)
{
    const MixResult& mix = views.results.mixes[index];
    INFO(mix.name);
    const Json& json = views.json["results"]["mixes"][index];
    const std::string name = mix.complete ? mix.name : mix.name + " *";
    const Figure* const all = findFigure(mix.figures, "io.rate");
    REQUIRE(all != nullptr);
    const std::map<std::string, double> averages = averagesOf(file, all->window);
    std::map<IoDirection, double> sums;
    double inJson = 0;
    for (const IoRow& row : mix.io) {
        if (!row.ioClass)
            continue;
        INFO(row.name());
        sums[row.direction()] += row.perSecond;
        const Subject subject = Subject::ofVolume(row.volume, row.ioClass);
        const Figure* const figure = findFigure(mix.figures, all->id, subject);
        REQUIRE(figure != nullptr);
        CHECK(*figure->value == Approx(row.perSecond));
        CHECK(averages.at(nameOf(subject)) == Approx(row.perSecond));
        for (const auto* rows : { &views.terminal, &views.html })
            CHECK(rowsThatSay(*rows, name, row.volume, row.name(), format(*figure)) == 1);
        CHECK(csvValue(views.csv, "disk," + mix.name + "," + nameOf(subject) + ",transfers,/s,")
            == Approx(row.perSecond));
        for (const Json& one : json["io"])
            if (one["name"] == row.name() && one["volume"] == row.volume) {
                CHECK(one["perSecond"].get<double>() == Approx(row.perSecond));
                inJson += row.direction() == IoDirection::neither ? 0 : one["perSecond"].get<double>();
            }
    }
    const double reads = sums[IoDirection::read], writes = sums[IoDirection::write];
    CHECK(reads + writes > 0);
    CHECK(inJson == Approx(reads + writes));
    CHECK(mix.iosPerSecond() == Approx(reads + writes));
    const std::map<const char*, double> expected { { "io.rate", reads + writes }, { "io.read-rate", reads },
        { "io.write-rate", writes } };
    const std::vector<FigureKey> keys = keysOf(views.results);
    const std::vector<Column<MixResult>> columns = mixColumns(keys, kind);
    for (const auto& [key, value] : expected) {
        INFO(key);
        const Figure& figure = *findFigure(mix.figures, key);
        CHECK(*figure.value == Approx(value));
        CHECK(has(views.terminal, name, infoOf(figure.id).column, format(figure)));
        CHECK(has(views.html, name, infoOf(figure.id).column, format(figure)));
        const auto column = std::ranges::find(keys, FigureKey { figure.id, {} }) - keys.begin();
        CHECK(columns.at(static_cast<std::size_t>(column) + 1).text(mix) == formatFigure(figure));
    }
    CHECK(csvValue(views.csv, "disk," + mix.name + ",,reads and writes,/s,") == Approx(reads + writes));
    CHECK(json["readsPerSecond"].get<double>() == Approx(reads));
    CHECK(json["writesPerSecond"].get<double>() == Approx(writes));
    CHECK(json["iosPerSecond"].get<double>() == Approx(reads + writes));
    if (mix.mix == views.fromHistory.mix)
        CHECK(historyColumns().at(HistoryIos).text(views.fromHistory) == formatRate(reads + writes));
}

void checkViews(const std::filesystem::path& file, const test::ScratchFolder& folder, RunKind kind)
{
    const Views views = viewsOf(file, folder);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < views.results.mixes.size(); ++i)
        if (!views.results.mixes[i].io.empty()) {
            checkMix(views, i, file, kind);
            ++checked;
        }
    CHECK(checked > 0);
}

/// Runs a plan to its end and looks at the run meanwhile: at its status, and at its recording as a page of the workbench does.
struct Watched {
    std::filesystem::path file;
    Live status, page;

    Watched(const std::string& plan, const test::ScratchFolder& folder)
    {
        std::ofstream(folder / "plan.toml") << plan;
        RunOptions options;
        options.plan = folder / "plan.toml";
        options.historyFolder = folder / "live";
        const auto run = Run::start(options).value();
        file = run->file();
        RunReader reader;
        reader.open(file).value();
        for (bool over = false; !over;) {
            over = run->waitFor(10ms);
            const RunStatus now = run->status();
            if (now.io && now.elapsed > 0s)
                status[now.elapsed] = *now.io;
            const auto view = reader.read({}).value();
            if (view && view->growing() && view->figures.io && view->shown > 0s)
                page[view->shown] = *view->figures.io;
        }
        CHECK(run->wait().value().state == RunState::finished);
    }
};

void checkWatched(const Watched& run, const test::ScratchFolder& folder, RunKind kind)
{
    checkLive(run.status, run.file);
    checkLive(run.page, run.file);
    checkViews(run.file, folder, kind);
}

constexpr const char* kPatience = R"([health]
keep_processors_awake = false
max_slip_p99 = "60 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_standstill = "1 h"
)";

} // namespace

TEST_CASE("of every class of I/O, I/O/s are the sum of reads and writes live, in the replay, the workbench's "
          "tables, "
          "the report, CSV and JSON, of storage runs and raw runs")
{
    SECTION("a recording with all classes")
    {
        const test::ScratchFolder folder;
        const auto file = folder / "storage.loadstone";
        writeStorageRun(file);
        const auto recording = Recording::open(file).value();
        const Transfers transfers = transfersAt(recording, 20s);
        REQUIRE(transfers.ofClass.size() == kIoClasses);
        double count = 100;
        for (std::size_t i = 0; i < kIoClasses; ++i, count += 10)
            CHECK(transfers.ofClass.at(static_cast<IoClass>(i)) == Approx(count));
        const IoRates rates = ioRatesAt(recording, 20s).value().value();
        checkLive({ { 20s, rates } }, file);
        checkViews(file, folder, RunKind::storage);
    }
    SECTION("a storage run that goes on")
    {
        const test::ScratchFolder folder { LOADSTONE_BIN_DIR };
        for (const char* name : { "data", "log", "copies" })
            std::filesystem::create_directory(folder / name);
        const std::string plan = fmt::format(R"(format = 1
kind = "storage"
seed = 3
preset = "exchange-2007"
{}[database]
cache_minimum = "2 MB"
cache_maximum = "2 MB"
log_buffer = "256 KB"
log_file = "256 KB"
log_sector = "4 KB"
checkpoint_depth = "1 MB"
[load]
threads = 2
operations = 6
[[groups]]
databases = ["{}"]
log = "{}"
database_size = "6 MB"
[[tests]]
kind = "performance"
duration = "2 s"
warm_up = "1 s"
[[tests]]
kind = "backup"
to = "{}"
[[tests]]
kind = "recovery"
logs = 2
[[tests]]
kind = "checksum"
)",
            kPatience, (folder / "data").string(), (folder / "log").string(), (folder / "copies").string());
        checkWatched(Watched(plan, folder), folder, RunKind::storage);
    }
    SECTION("a raw run that goes on")
    {
        const test::ScratchFolder folder { LOADSTONE_BIN_DIR };
        const std::string plan = fmt::format(R"(format = 1
kind = "raw"
seed = 3
{}[device]
path = "{}"
size = "2 MB"
[io]
block = "4 KB"
[mix]
measurement = "1 s"
[[mixes]]
name = "reads"
depth = 4
[[mixes]]
name = "both"
depth = 8
read_share = "50 %"
)",
            kPatience, (folder / "raw.dat").string());
        checkWatched(Watched(plan, folder), folder, RunKind::raw);
    }
}
