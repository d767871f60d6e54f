// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/lines_reader.h"
#include "counters/live/make_source.h"
#include "counters/live/shell_command.h"
#include "support/catch.h"
#include "support/processes_with.h"

#include <cmath>
#include <thread>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

Result<CommandOutput> run(const std::string& command, Nanoseconds limit = 30s)
{
    return runShellCommand(command, { limit }, {});
}

std::string troubleOf(const Result<CommandOutput>& output)
{
    REQUIRE_FALSE(output);
    return output.error().message;
}

plan::CounterSourceSpec lines(
    std::vector<plan::CommandSource::Value> values = {}, std::optional<double> missing = {})
{
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    plan::CommandSource command;
    command.command = "true";
    command.values = std::move(values);
    command.missingLine = missing;
    spec.from = std::move(command);
    return spec;
}

constexpr MonoTime kT0 { 100s };

} // namespace

TEST_CASE("a command's output is what it printed, and its input is empty", "[command]")
{
    CHECK(run("echo active 3; echo wrong >&2; cat").value().text == "active 3\n");
    CHECK(run("printf 'a\\nb'").value().text == "a\nb");
    CHECK(run("head -c 1000000 /dev/zero").value().text.size() == 1'000'000);
}

TEST_CASE("a command that fails says how, with its own first words", "[command]")
{
    CHECK(troubleOf(run("echo no such queue >&2; echo more >&2; exit 3"))
        == "it ended with status 3: no such queue");
    CHECK(troubleOf(run("exit 3")) == "it ended with status 3");
    CHECK(troubleOf(run("kill -9 $$")).starts_with("it ended with status 137"));
    CHECK(troubleOf(run("loadstone-no-such-command")).starts_with("it ended with status 127: "));
}

TEST_CASE("a command that hangs, or prints without end, is ended with all that it started", "[command]")
{
    CHECK(troubleOf(run("sleep 87651", 100ms)) == "no end within 100 ms");
    CHECK(troubleOf(run("sleep 87651 & sleep 87651", 100ms)) == "no end within 100 ms");
    CHECK(troubleOf(run("trap '' TERM; sleep 87651; sleep 87651", 100ms)) == "no end within 100 ms");
    CHECK(troubleOf(run("head -c 200000000 /dev/zero; sleep 87651")) == "it printed more than 1 MB");
    CHECK(test::noProcessHas("87651"));
}

TEST_CASE("what a command leaves behind when it ends is ended, too", "[command]")
{
    CHECK(run("sleep 87652 & echo good").value().text == "good\n");
    CHECK(test::noProcessHas("87652"));
}

TEST_CASE("a stop ends a command that is running", "[command]")
{
    std::stop_source stop;
    Result<CommandOutput> output = fail("not run");
    {
        std::jthread asking([&] { output = runShellCommand("sleep 87653", { 1h }, stop.get_token()); });
        stop.request_stop();
    }
    REQUIRE_FALSE(output);
    CHECK(output.error().code == make_error_code(boost::system::errc::operation_canceled));
    CHECK(test::noProcessHas("87653"));
}

TEST_CASE("lines are counters by name; what is not one says so once", "[command]")
{
    LinesReader reader(lines());
    LiveReading reading = reader.read("# queues\nactive 3\r\n\n  deferred\t-1.5e2  \nnonsense\n", kT0);
    REQUIRE(reader.counters().size() == 2);
    CHECK(reader.counters()[1].key == SeriesKey(ForeignCounter { "ex1", "Command", "", "deferred" }));
    CHECK(reading.begin == kT0);
    CHECK(reading.end == kT0);
    CHECK(reading.values == std::vector<double> { 3, -150 });
    CHECK(reading.notes == std::vector<std::string> { "1 of its lines is not \"NAME VALUE\"." });
    // A name that comes later is added, one that is missing is missing.
    reading = reader.read("hold 1\nactive 4\nnonsense\n", kT0 + 5s);
    CHECK(reading.begin == kT0);
    CHECK(reading.end == kT0 + 5s);
    REQUIRE(reading.values.size() == 3);
    CHECK(reading.values[0] == 4);
    CHECK(std::isnan(reading.values[1]));
    CHECK(reading.values[2] == 1);
    CHECK(reading.notes.empty());
}

TEST_CASE("of names that the plan lists, a value that is none or stands twice is missing", "[command]")
{
    LinesReader reader(
        lines({ { "active", "messages", false }, { "hold", "", false }, { "late", "", false } }));
    CHECK(reader.counters()[0].unit == "messages");
    const LiveReading reading = reader.read("active 1 2\nhold 3\nother 5\nhold 3\n", kT0);
    REQUIRE(reading.values.size() == 3);
    for (const double value : reading.values)
        CHECK(std::isnan(value));
    CHECK(reading.notes.size() == 2);
    LinesReader idle(lines({ { "active", "", false } }, 0));
    CHECK(idle.read("", kT0).values == std::vector<double> { 0 }); // an empty queue prints nothing
}

TEST_CASE("a total counts from one answer to the next; a fall and a gap are missing once", "[command]")
{
    LinesReader reader(lines({ { "sent", "messages", true } }));
    CHECK(reader.counters()[0].kind == CounterKind::count);
    const auto value = [&](const std::string& text, Nanoseconds at) {
        return reader.read(text, kT0 + at).values.at(0);
    };
    CHECK(std::isnan(value("sent 100", 0s)));
    CHECK(value("sent 130", 5s) == 30);
    CHECK(value("sent 130", 10s) == 0);
    CHECK(std::isnan(value("sent 7", 15s))); // the program began anew
    CHECK(value("sent 9", 20s) == 2);
    CHECK(std::isnan(value("", 25s)));
    CHECK(std::isnan(value("sent 20", 30s)));
    CHECK(value("sent 21", 35s) == 1);
    reader.miss();
    CHECK(std::isnan(value("sent 50", 45s)));
    CHECK(reader.read("sent 51", kT0 + 50s).begin == kT0 + 45s);
}

TEST_CASE("a total whose line is missing for a while does not rise from 0 when it is back", "[command]")
{
    LinesReader reader(lines({ { "sent", "messages", true }, { "active", "", false } }, 0));
    const auto values = [&](const std::string& text, Nanoseconds at) {
        return reader.read(text, kT0 + at).values;
    };
    CHECK(std::isnan(values("", 0s).at(0)));
    CHECK(values("sent 5\n", 5s).at(0) == 5); // nothing was counted before its first line
    CHECK(values("sent 1000\n", 10s).at(0) == 995);
    const auto without = values("", 15s);
    CHECK(std::isnan(without.at(0)));
    CHECK(without.at(1) == 0); // a level has no line while it is 0
    CHECK(std::isnan(values("sent 1010\n", 20s).at(0)));
    CHECK(values("sent 1020\n", 25s).at(0) == 10);
}

TEST_CASE("a source of a command gives its counters, and after a failure begins anew", "[command]")
{
    plan::CounterSourceSpec spec = lines({ { "sent", "messages", true } });
    std::get<plan::CommandSource>(spec.from).command = "echo sent 5";
    spec.timeLimit = 30s;
    const auto source = makeCommandSource(spec).value();
    REQUIRE(source->counters().size() == 1);
    CHECK(std::isnan(source->read({}).value().values.at(0)));
    const LiveReading second = source->read({}).value();
    CHECK(second.values.at(0) == 0);
    CHECK(second.begin < second.end);
}
