// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/process_counters.h"
#include "support/catch.h"

#include <cmath>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

enum Column { processor, user, privileged, workingSet, privateBytes, handles, threads, columns };

} // namespace

TEST_CASE("this process' time, memory, files and threads are counted")
{
    const auto source = makeProcessCounters({ { ::getpid(), "tests" } });
    REQUIRE(source->counters().size() == columns);
    CHECK(source->counters()[processor].path() == "\\Process(tests)\\% Processor Time");
    std::vector<double> before(columns), after(columns);
    source->sample(monoNow(), before);
    CHECK(std::isnan(before[processor]));
    CHECK(before[threads] >= 1);
    const int extra = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    std::vector<char> block(64U << 20, 'x');
    const auto until = monoNow() + 100ms;
    while (monoNow() < until)
        block[static_cast<std::size_t>(monoNow().time_since_epoch().count()) % block.size()] ^= 1;
    source->sample(monoNow(), after);
    ::close(extra);
    CHECK(after[processor] > 10);
    CHECK(after[processor] == Approx(after[user] + after[privileged]));
    CHECK(after[handles] == before[handles] + 1);
    CHECK(after[privateBytes] >= before[privateBytes] + 60e6);
    CHECK(after[workingSet] >= after[privateBytes]);
}

TEST_CASE("a process that has ended reads as missing")
{
    int gate[2];
    REQUIRE(::pipe(gate) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::close(gate[1]);
        char byte = 0;
        while (::read(gate[0], &byte, 1) < 0) { }
        ::_exit(0);
    }
    ::close(gate[0]);
    const auto source = makeProcessCounters({ { child, "child" }, { 0, "nobody" } });
    std::vector<double> values(2 * columns);
    source->sample(monoNow(), values);
    CHECK(values[threads] == 1);
    CHECK(std::isnan(values[columns + threads])); // there is no process 0
    ::close(gate[1]);
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    source->sample(monoNow(), values);
    for (const double value : values)
        CHECK(std::isnan(value));
}
