// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage_run.h"

#include "engine/history/sample_run.h"
#include "support/named_series.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <stdexcept>

namespace loadstone::test {

using namespace std::chrono_literals;
using Kind = Criterion::Kind;

const std::vector<Stage> kOneTest { { 0, PhaseKind::rampUp, 60 }, { 0, PhaseKind::measurement, 600 },
    { 0, PhaseKind::rampDown, 10 } };

const std::string kHead = R"(format = 1
kind = "storage"
preset = "exchange-2007"
[database]
cache_maximum = "64 MB"
[[groups]]
name = "group-1"
databases = ["/data"]
log = "/log"
database_size = "1 GB"
[[groups]]
name = "group-2"
databases = ["/data"]
log = "/log"
database_size = "1 GB"
)";
const std::string kLoad = "[load]\nthreads = 8\n";
const std::string kPerformance = "[[tests]]\nkind = \"performance\"\nduration = \"10 min\"\n";

const std::string kReads = "vdb: Database read", kLogWrites = "vdc: Log write";

namespace {

struct Series {
    SeriesKey key;
    double Second::*value;
};

Subject databaseOne()
{
    Subject subject = Subject::ofGroup("group-1");
    subject.database = 0;
    return subject;
}

std::vector<Series> seriesOfRun()
{
    using enum Quantity;
    const Subject one = Subject::ofGroup("group-1"), two = Subject::ofGroup("group-2");
    return {
        { { databaseReads, one }, &Second::reads },
        { { databaseReads, two }, &Second::reads },
        { { databaseWrites, one }, &Second::writes },
        { { databaseWrites, two }, &Second::writes },
        { { pageFaultStalls, one }, &Second::stalls },
        { { pageFaultStalls, two }, &Second::stalls },
        { { checkpoints, one }, &Second::checkpoints },
        { { pagesFlushed, one }, &Second::flushed },
        { { logFilesBegun, one }, &Second::logFiles },
        { { wrongRecords, one }, &Second::wrong },
        { { failedTransfers, Subject::ofVolume("vdb", IoClass::databaseRead) }, &Second::failed },
        { { failedTransfers, Subject::ofVolume("vdb") }, &Second::failed }, // of all its classes
        { { transfers, Subject::ofVolume("vdb", IoClass::maintenance) }, &Second::maintenance },
        { { pagesSeen, databaseOne() }, &Second::pagesSeen },
        { { badPages, databaseOne() }, &Second::badPages },
        { { correctablePages, databaseOne() }, &Second::correctable },
        { processorTime, &Second::processor },
        { transactions, &Second::pagesSeen }, // what stands for the run's actions
        { failedTransfers, &Second::failed },
    };
}
const std::vector<Series> kCounters = seriesOfRun();

metrics::Tick tickOf(int number, std::uint32_t phase, const Second& second)
{
    metrics::Tick tick;
    tick.number = static_cast<std::uint64_t>(number);
    tick.begin = number * 1s;
    tick.end = tick.begin + 1s;
    tick.phase = phase;
    for (const Series& series : kCounters)
        tick.values.push_back(second.*series.value);
    Histogram reads, logWrites, queued;
    reads.record(second.read, second.readsDone);
    logWrites.record(second.logWrite, second.logWritesDone);
    queued.record(1s, 20); // is no time in the device
    const auto put = [&](std::uint32_t id, const Histogram& times) {
        if (!times.empty())
            tick.histograms.emplace_back(id, times.encode());
    };
    const auto putAge = [&](std::uint32_t id, Nanoseconds age) {
        Histogram ages;
        if (age > 0s)
            ages.record(age);
        put(id, ages);
    };
    put(0, reads);
    put(1, logWrites);
    put(2, queued);
    putAge(4, second.readAge);
    putAge(5, second.logWriteAge);
    putAge(6, second.transactionAge);
    return tick;
}

} // namespace

Judgement judged(const std::string& plan, const std::function<Second(int)>& secondOf,
    const std::vector<Stage>& stages, int until)
{
    const TemporaryFolder folder;
    RunHeader header = sampleHeader();
    header.planText = plan;
    header.counters.clear();
    header.kind = RunKind::storage;
    for (const Series& series : kCounters) {
        header.counters.push_back(counterOf(series.key));
        header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
    }
    header.histograms = { latencyNamed(0, LatencyScope::command, LatencyClock::service, "vdb: Database read"),
        latencyNamed(1, LatencyScope::command, LatencyClock::service, "vdc: Log write"),
        latencyNamed(2, LatencyScope::generator, LatencyClock::slip, "Queued: vdb: Database read"),
        latencyNamed(3, LatencyScope::command, LatencyClock::service, "vdc: Database read"), // never happens
        latencyNamed(4, LatencyScope::command, LatencyClock::serviceAge, "vdb: Database read"),
        latencyNamed(5, LatencyScope::command, LatencyClock::serviceAge, "vdc: Log write"),
        latencyNamed(6, LatencyScope::action, LatencyClock::age, "Transaction") };
    history::ResultSeries series;
    series.mixes = { { "first", 0, 0, 0.0, 10min }, { "second", 0, 0, 0.0, 0s } };
    auto writer = history::RecordingWriter::create(folder.path("run"), header, series).value();
    int number = 0;
    std::uint32_t index = 0;
    for (const Stage& stage : stages) {
        const int end = number + stage.length;
        const bool open = end > until;
        writer
            .putPhase({ index, stage.mix, stage.mix == 1 ? "second" : "first", stage.kind, number * 1s,
                end * 1s, open })
            .value();
        for (; number < std::min(end, until); ++number)
            writer.append(tickOf(number, index, secondOf(number))).value();
        ++index;
        if (open)
            return judge(Recording::open(folder.path("run")).value()).value();
    }
    writer.finish({}).value();
    return judge(Recording::open(folder.path("run")).value()).value();
}

Second usual(int /*number*/)
{
    return {};
}

const Criterion* look(const std::vector<Criterion>& criteria, Kind kind, const std::string& subject)
{
    const auto found = std::find_if(criteria.begin(), criteria.end(), [&](const Criterion& one) {
        return one.kind == kind && (subject.empty() || one.subject == subject);
    });
    return found == criteria.end() ? nullptr : &*found;
}

const Criterion& find(const Judgement& judgement, Kind kind, const std::string& subject, std::size_t mix)
{
    const Criterion* found = look(judgement.mixes.at(mix).criteria, kind, subject);
    if (found == nullptr)
        throw std::runtime_error("no such criterion");
    return *found;
}

} // namespace loadstone::test
