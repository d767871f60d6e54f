// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "history/database.h"
#include "sample_run.h"
#include "support/catch.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

/// A child that appends for ever and writes each acknowledged number down the pipe.
pid_t startWriter(const std::filesystem::path& file, int pipe)
{
    const pid_t child = ::fork();
    if (child != 0)
        return child;
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries());
    for (std::uint64_t number = 0; writer && writer->append(sampleTick(number)); ++number)
        if (::write(pipe, &number, sizeof number) != sizeof number)
            break;
    ::_exit(1);
}

bool readNumber(int pipe, std::uint64_t& number)
{
    return ::read(pipe, &number, sizeof number) == sizeof number;
}

} // namespace

TEST_CASE("kill -9 at any moment keeps every acknowledged tick", "[crash]")
{
    const TemporaryFolder folder;
    Random random(static_cast<std::uint64_t>(::getpid()));
    for (int round = 0; round < 12; ++round) {
        const auto file = folder.path("run" + std::to_string(round) + ".loadstone");
        int pipe[2];
        REQUIRE(::pipe(pipe) == 0);
        const pid_t child = startWriter(file, pipe[1]);
        ::close(pipe[1]);
        // Killed somewhere between two acknowledgements, in some rounds about where ticks are sealed.
        const std::uint64_t wanted = round % 3 == 0 ? 1255 + random.below(10) : random.below(300);
        std::uint64_t acknowledged = 0;
        while (readNumber(pipe[0], acknowledged) && acknowledged < wanted) { }
        for (std::uint64_t spin = random.below(200'000); spin > 0; --spin)
            (void)random();
        ::kill(child, SIGKILL);
        while (readNumber(pipe[0], acknowledged)) { }
        ::close(pipe[0]);
        REQUIRE(::waitpid(child, nullptr, 0) == child);

        auto recording = Recording::open(file).value();
        CAPTURE(round, acknowledged);
        CHECK(recording.state() == RunState::interrupted);
        REQUIRE(recording.ticks() > acknowledged);
        CHECK(recording.ticks() <= acknowledged + 2);
        const auto points = recording.counter(4, { 0s, 100h }).value();
        for (std::uint64_t number = 0; number <= acknowledged; ++number)
            REQUIRE(points[number].value == static_cast<double>(number) / 4);
        auto database = history::Database::open(file, history::Database::Access::read).value();
        auto check = database.prepare("PRAGMA integrity_check").value();
        REQUIRE(check.next().value());
        CHECK(check.text(0) == "ok");
    }
}

TEST_CASE("an append that found no room can be repeated when there is some", "[crash]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    // A limit on this process's files stands for a full disk.
    const auto previous = ::signal(SIGXFSZ, SIG_IGN);
    rlimit unlimited {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &unlimited) == 0);
    const rlimit narrow { 400'000, unlimited.rlim_max };
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &narrow) == 0);
    std::uint64_t number = 0;
    Result<void> appended;
    while (number < 1000 && (appended = writer.append(sampleTick(number))))
        ++number;
    const auto ended = writer.finish({});
    const auto during = Recording::open(file);
    ::setrlimit(RLIMIT_FSIZE, &unlimited);
    ::signal(SIGXFSZ, previous);

    REQUIRE_FALSE(appended);
    CHECK(appended.error().message.find(file.string()) != std::string::npos);
    CHECK_FALSE(ended);
    REQUIRE(during);
    CHECK(during->ticks() == number);
    writer.append(sampleTick(number)).value();
    writer.finish({}).value();
    auto recording = Recording::open(file).value();
    CHECK(recording.ticks() == number + 1);
    CHECK(recording.state() == RunState::finished);
}
