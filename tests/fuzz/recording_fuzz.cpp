// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Anything as a recording to import and to read, and anything as a chunk of one.
//
// Whole files seldom survive SQLite's own look at them, so the first byte chooses what the rest is: 0 a file;
// 1 a sound file's chunks, replaced by the rest; otherwise bytes for a codec.
#include "base/posix_file.h"
#include "history/archive.h"
#include "history/bytes.h"
#include "history/counter_codec.h"
#include "history/database.h"
#include "history/histogram_codec.h"
#include "history/recording_writer.h"
#include "history/text.h"
#include "history/tick_codec.h"

#include <loadstone/histogram.h>
#include <loadstone/recording.h>
#include <loadstone/results.h>
#include <loadstone/source.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

using namespace loadstone;
using namespace std::chrono_literals;

constexpr TimeWindow kAll { 0s, 100'000h };

/// The file that inputs are written to; gone when the program ends.
class WorkFile {
public:
    WorkFile() = default;
    WorkFile(const WorkFile&) = delete;
    WorkFile& operator=(const WorkFile&) = delete;
    ~WorkFile() { clear(); }
    [[nodiscard]] const std::string& name() const { return m_name; }
    void clear() const
    {
        for (const char* suffix : { "", "-wal", "-shm", "-journal" })
            ::unlink((m_name + suffix).c_str());
    }

private:
    std::string m_name = "/dev/shm/recording-fuzz-" + std::to_string(::getpid()) + ".loadstone";
};

const WorkFile& work()
{
    static const WorkFile file;
    return file;
}

std::filesystem::path workFile()
{
    return work().name();
}

void walk(const std::filesystem::path& file, const std::string& target)
{
    auto recording = Recording::open(file, target);
    if (!recording)
        return;
    if (target.empty())
        for (const std::string& one : recording->header().targets)
            walk(file, one);
    (void)recording->refresh();
    for (const CounterInfo& info : recording->header().counters) {
        (void)recording->counter(info.id, kAll);
        (void)recording->counterBands(info.id, kAll, 7);
        (void)recording->counterStatistics(info.id, kAll);
    }
    for (const HistogramInfo& info : recording->header().histograms) {
        (void)recording->latency(info.id, kAll);
        (void)recording->latencyCurve(info.id, 99, kAll, 7s);
    }
    if (const auto sources = sourcesOf(*recording))
        for (const SourceInfo& source : *sources) {
            (void)movesOf(*recording, source.id);
            for (const CounterInfo& info : source.counters) {
                (void)sourceCounter(*recording, source.id, info.id, kAll);
                (void)sourceBands(*recording, source.id, info.id, kAll, 7);
                (void)sourceStatistics(*recording, source.id, info.id, kAll);
            }
            for (const HistogramInfo& info : source.histograms)
                (void)sourceHistogram(*recording, source.id, info.id, kAll);
        }
    (void)recording->events();
    (void)recording->transcripts();
    (void)recording->annotations();
    (void)recording->errors(kAll);
    (void)computeResults(*recording);
}

void walk(const std::filesystem::path& file)
{
    (void)history::checkRecording(file);
    walk(file, {});
}

/// A small sound recording, as bytes.
std::string soundFile()
{
    RunHeader header;
    header.id = RunId::parse("20261121-140305-7f3a").value();
    Subject east;
    east.target = "East";
    header.counters = { counterOf(Quantity::messagesSent), counterOf(Quantity::sessions),
        counterOf({ Quantity::messagesSent, east }) };
    for (std::uint32_t id = 0; id < header.counters.size(); ++id)
        header.counters[id].id = id;
    Subject send = Subject::ofAction(ActionKind::sendMessage);
    header.histograms = { histogramOf(
        { Quantity::actionTime, send, LatencyClock::service }, LatencyScope::action) };
    send.target = "East";
    header.histograms.push_back(
        histogramOf({ Quantity::actionTime, send, LatencyClock::service }, LatencyScope::action));
    header.histograms.back().id = 1;
    work().clear();
    auto writer = history::RecordingWriter::create(
        workFile(), header, { 5s, { { "mix", 1, 1, 1, 9s } }, { { "East", { { "mix", 1, 1, 1, 9s } } } } });
    writer->putPhase({ 0, 0, "mix", PhaseKind::measurement, 0s, 9s, false }).value();
    Histogram histogram;
    histogram.record(3ms, 4);
    for (std::uint64_t number = 0; number < 12; ++number) {
        metrics::Tick tick { number, number * 1'000'000'000ns, (number + 1) * 1'000'000'000ns, 0,
            { 4, static_cast<double>(number) / 3, 3 },
            { { 0, histogram.encode() }, { 1, histogram.encode() } },
            { { "RCPT", FailureKind::permanentReply, 550, 1, {} } } };
        writer->append(tick).value();
    }
    writer->finish({}).value();
    SourceFacts facts { "log x", "EX", {}, -3s,
        { counterOf(ForeignCounter { "EX", "Database", "", "Stalls" }) }, { header.histograms.front() } };
    const SourceTick ticks[] = { { 0s, 5s, { 1 }, { { 0, histogram } } }, { 5s, 10s, { 2 }, {} } };
    attachSource(workFile(), facts, ticks).value();
    return readFile(workFile()).value();
}

void writeWorkFile(std::string_view bytes)
{
    work().clear();
    std::ofstream(workFile(), std::ios::binary | std::ios::trunc) << bytes;
}

void replaceChunks(std::string_view bytes)
{
    static const std::string sound = soundFile();
    static constexpr const char* kTables[] = { "tick_chunk", "counter_chunk", "counter_brick",
        "histogram_chunk", "histogram_sum" };
    if (bytes.empty())
        return;
    const auto which = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    writeWorkFile(sound);
    {
        auto database = history::Database::open(workFile(), history::Database::Access::write);
        auto update = database->prepare(
            std::string("UPDATE ") + kTables[which % std::size(kTables)] + " SET data = ?1");
        update->bindBlob(1, bytes).run().value();
    }
    walk(workFile());
}

void decodeAll(std::string_view bytes, std::size_t count)
{
    if (const auto samples = history::decodeCounter(bytes, count)) {
        // What can be read can be written and read again.
        const auto again = history::decodeCounter(history::encodeCounter(*samples), count);
        if (!again || again->size() != samples->size())
            std::abort();
    }
    (void)history::decodeBricks(bytes, count);
    if (const auto histograms = history::decodeHistograms(bytes, count)) {
        Histogram merged;
        for (const std::string& histogram : *histograms)
            (void)merged.mergeEncoded(histogram);
        (void)merged.summary();
    }
    (void)history::decodeTimes(bytes, count, 0s);
    (void)history::decodeSparse(bytes, 50);
    (void)Histogram::decode(bytes);
    (void)history::validUtf8(bytes);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] == 0) {
        writeWorkFile(rest);
        walk(workFile());
    } else if (data[0] == 1) {
        replaceChunks(rest);
    } else {
        decodeAll(rest, data[0] * 5U);
    }
    return 0;
}
