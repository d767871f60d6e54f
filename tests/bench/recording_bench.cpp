// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a day's recording takes, and how fast it is read while a writer appends.
//
//   recording_bench [TICKS [FOLDER]]     86400 ticks; files in /dev/shm, cold reads from FOLDER (default:
//   here)
//
// Four recordings: 200 counters of the kinds that a host has; 200 counters of nothing but noise; 20 actions
// with two histograms each, 50 operations/s per action; counters and actions together, read while their
// writer appends.
#include "base/random.h"
#include "base/thread_placement.h"
#include "bench/day_ticks.h"
#include "history/recording_writer.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace loadstone {

namespace {

using namespace std::chrono_literals;

constexpr TimeWindow kAll { 0s, 1000h };

double milliseconds(Nanoseconds t)
{
    return seconds(t) * 1000;
}

template <class Work>
Nanoseconds timed(Work work)
{
    const MonoTime begin = monoNow();
    work();
    return monoNow() - begin;
}

struct Written {
    std::uint64_t bytes = 0;
    Nanoseconds cpu {}, slowest {};
};

/// Appends `ticks` ticks, the time of making them left out.
Written fill(history::RecordingWriter& writer, DayTicks& source, std::uint64_t ticks)
{
    Written written;
    for (std::uint64_t number = 0; number < ticks; ++number) {
        const metrics::Tick tick = source.tick(number);
        const Nanoseconds cpu = threadCpuTime();
        written.slowest = std::max(written.slowest, timed([&] { writer.append(tick).value(); }));
        written.cpu += threadCpuTime() - cpu;
    }
    return written;
}

history::RecordingWriter begin(const std::filesystem::path& file, DayTicks& source)
{
    auto writer = history::RecordingWriter::create(file, source.header(), { 1h, {} }).value();
    const Phase phase { 0, 0, "all", PhaseKind::measurement, 0s, 1000h, true };
    writer.putPhase(phase).value();
    return writer;
}

void measureSize(const DayContent& content, std::uint64_t ticks, const std::filesystem::path& file)
{
    DayTicks source(content);
    auto writer = begin(file, source);
    const Written written = fill(writer, source, ticks);
    writer.finish({}).value();
    fmt::print("| {} | {:.1f} MB | {:.3f} ms | {:.0f} ms |\n", content.name,
        static_cast<double>(std::filesystem::file_size(file)) / 1e6,
        milliseconds(written.cpu) / static_cast<double>(ticks), milliseconds(written.slowest));
    std::fflush(stdout);
}

/// Every page of the file leaves the page cache.
void forget(const std::filesystem::path& file)
{
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    ::fsync(fd);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    ::close(fd);
}

void row(const char* what, std::vector<Nanoseconds> times)
{
    std::sort(times.begin(), times.end());
    fmt::print("| {} | {:.2f} ms | {:.2f} ms |\n", what, milliseconds(times[times.size() / 2]),
        milliseconds(times.back()));
    std::fflush(stdout);
}

template <class Work>
void repeat(const char* what, int times, Work work)
{
    std::vector<Nanoseconds> taken;
    for (int i = 0; i < times; ++i)
        taken.push_back(timed([&] { work(i); }));
    row(what, std::move(taken));
}

void measureReading(const Recording& recording, Random& random)
{
    const auto length = static_cast<std::uint64_t>(recording.length().count());
    repeat("one counter, whole day", 60,
        [&](int i) { (void)recording.counter(static_cast<std::uint32_t>(i * 7 % 200), kAll).value(); });
    repeat("one counter's curve, 1,000 bands", 60, [&](int i) {
        (void)recording.counterBands(static_cast<std::uint32_t>(i * 7 % 200), kAll, 1000).value();
    });
    repeat("percentiles, whole day", 40,
        [&](int i) { (void)recording.latency(static_cast<std::uint32_t>(i), kAll).value(); });
    repeat("percentiles, a random window", 100, [&](int i) {
        const auto a = static_cast<std::int64_t>(random.below(length));
        const auto b = static_cast<std::int64_t>(random.below(length));
        const TimeWindow window { Nanoseconds(std::min(a, b)), Nanoseconds(std::max(a, b)) };
        (void)recording.latency(static_cast<std::uint32_t>(i % 40), window).value();
    });
    repeat("95th percentile's curve, whole day by 3 min", 10,
        [&](int i) { (void)recording.latencyCurve(static_cast<std::uint32_t>(i), 95, kAll, 3min).value(); });
}

void measureWhileWriting(
    std::uint64_t ticks, const std::filesystem::path& file, const std::filesystem::path& cold)
{
    DayTicks source({ "both", true, false, true });
    auto writer = begin(file, source);
    fill(writer, source, ticks);
    auto recording = Recording::open(file).value();
    std::atomic<bool> done { false };
    // A thousand times faster than a real run's: sealing, checkpoints and all happen while we read.
    std::thread appender([&] {
        for (std::uint64_t number = ticks; !done; ++number)
            writer.append(source.tick(number)).value();
    });
    fmt::print("\n| read while a writer appends | median | worst |\n|---|---|---|\n");
    Random random(7);
    repeat("open", 5, [&](int) { (void)Recording::open(file).value(); });
    measureReading(recording, random);
    repeat("results of the whole run, first time", 1, [&](int) { (void)computeResults(recording).value(); });
    repeat("refresh and results again", 20, [&](int) {
        (void)recording.refresh().value();
        (void)computeResults(recording).value();
    });
    done = true;
    appender.join();
    (void)recording.refresh().value();
    repeat("refresh with nothing new", 100, [&](int) { (void)recording.refresh().value(); });
    std::uint64_t next = recording.ticks();
    std::vector<Nanoseconds> follow;
    for (int i = 0; i < 100; ++i) {
        writer.append(source.tick(next++)).value();
        follow.push_back(timed([&] { (void)recording.refresh().value(); }));
    }
    row("refresh with one new tick", std::move(follow));
    writer.finish({}).value();

    std::filesystem::copy_file(file, cold, std::filesystem::copy_options::overwrite_existing);
    std::vector<Nanoseconds> counter;
    std::vector<Nanoseconds> percentiles;
    for (std::uint32_t i = 0; i < 10; ++i) {
        auto finished = Recording::open(cold).value();
        forget(cold);
        counter.push_back(timed([&] { (void)finished.counter(i * 19 + 5, kAll).value(); }));
        forget(cold);
        percentiles.push_back(timed([&] { (void)finished.latency(i * 3, { 100s, kAll.end }).value(); }));
    }
    fmt::print(
        "\n| read from a finished recording, not in the page cache | median | worst |\n|---|---|---|\n");
    row("one counter, whole day", std::move(counter));
    row("percentiles, all but 100 s", std::move(percentiles));
}

} // namespace

} // namespace loadstone

int main(int argc, char** argv)
{
    using namespace loadstone;
    const std::uint64_t ticks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 86'400;
    const std::filesystem::path folder = argc > 2 ? argv[2] : ".";
    const std::filesystem::path memory = std::filesystem::exists("/dev/shm") ? "/dev/shm" : folder;
    const auto file = memory / fmt::format("recording-bench-{}.loadstone", ::getpid());
    const auto cold = folder / fmt::format("recording-bench-{}.loadstone", ::getpid());
    fmt::print(
        "{} ticks of 1 s\n\n| content | file | CPU per tick | slowest append |\n|---|---|---|---|\n", ticks);
    for (const DayContent& content : { DayContent { "200 counters", true, false, false },
             DayContent { "200 counters, all noise", true, true, false },
             DayContent { "20 actions x 2 histograms, 50/s each", false, false, true } }) {
        measureSize(content, ticks, file);
        std::filesystem::remove(file);
    }
    measureWhileWriting(ticks, file, cold);
    for (const char* suffix : { "", "-wal", "-shm" }) {
        std::filesystem::remove(file.string() + suffix);
        std::filesystem::remove(cold.string() + suffix);
    }
    return 0;
}
