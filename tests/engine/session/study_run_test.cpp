// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/compared.h>
#include <loadstone/history.h>
#include <loadstone/study_run.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace fs = std::filesystem;
using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

/// Studies of short raw device tests in a scratch folder of the build tree, which is on a disk.
struct StudyFixture {
    ScratchFolder folder { LOADSTONE_BIN_DIR };

    void writePlan(const std::string& name, int depth, const std::string& mixes = "[[mixes]]\nname = \"m\"\n")
    {
        std::ofstream(folder / name) << fmt::format(
            "format = 1\nkind = \"raw\"\nseed = 3\n[health]\nkeep_processors_awake = false\n"
            "max_slip_p99 = \"60 s\"\nmax_worker_cpu = 100\nmax_run_queue_wait = 100\nmax_throttled = 100\n"
            "max_steal = 100\nmax_standstill = \"1 h\"\n[device]\npath = \"{}\"\nsize = \"1 "
            "MB\"\n[io]\nblock = \"4 KB\"\n"
            "[mix]\nmeasurement = \"1 s\"\nquiet_time = \"0 s\"\ndepth = {}\n{}",
            (folder / "raw.dat").string(), depth, mixes);
    }
    fs::path writeStudy(const std::string& text)
    {
        const fs::path file = folder / "study.toml";
        std::ofstream(file) << "kind = \"study\"\nname = \"depths\"\n" << text;
        return file;
    }
    Result<std::unique_ptr<StudyRun>> start(const fs::path& file, bool agree = true)
    {
        StudyRunOptions options;
        options.study = file;
        options.historyFolder = folder / "history";
        if (const auto checked = checkStudy(file); agree && checked)
            options.agreed = agreementsOf(checked->study);
        return StudyRun::start(options);
    }
    StudyStatus runToEnd(const fs::path& file)
    {
        auto queue = start(file);
        INFO((queue ? std::string() : queue.error().message));
        REQUIRE(queue);
        REQUIRE((*queue)->waitFor(120s));
        return (*queue)->status();
    }
    History history() { return *History::open(folder / "history"); }
};

std::string eventsOf(const Recording& recording)
{
    std::string text;
    for (const RunEvent& event : *recording.events())
        text += event.text + "\n";
    return text;
}

} // namespace

TEST_CASE("a queue makes the runs of a study with their commands, and a second one only what is missing")
{
    StudyFixture fixture;
    fixture.writePlan("one.toml", 1);
    fixture.writePlan("two.toml", 2);
    const std::string cases =
        "order = \"A B A B\"\n[[case]]\nid = \"one\"\nplan = \"one.toml\"\nrepeats = 1\n"
        "[[case]]\nid = \"two\"\nplan = \"two.toml\"\nrepeats = 1\n";
    const fs::path file = fixture.writeStudy(cases
        + "[[command]]\nwhen = \"before run\"\nrun = \"echo cleaned\"\ncases = [\"one\"]\n"
          "[[command]]\nwhen = \"after run\"\nrun = \"echo drained\"\n"
          "[[command]]\nwhen = \"before mix\"\nrun = \"echo restarted\"\n"
          "[[command]]\nwhen = \"after mix\"\nrun = \"echo 'left '; exit 3\"\ngo_on = true\n");
    const StudyStatus status = fixture.runToEnd(file);
    INFO(status.message);
    REQUIRE(status.state == StudyStatus::State::finished);
    REQUIRE(status.done() == 2);

    auto history = fixture.history();
    const auto runs = history.list();
    REQUIRE(runs);
    REQUIRE(runs->size() == 2);
    CHECK(runs->back().study == RunStudy { "depths", "one", 1 });
    CHECK(runs->back().tags == std::vector<std::string> { "depths" });
    const auto recording = history.openRun(status.steps[0].run);
    REQUIRE(recording);
    CHECK(recording->header().study == RunStudy { "depths", "one", 1 });
    const std::string events = eventsOf(*recording);
    CHECK_THAT(events, ContainsSubstring("command before run: echo cleaned:\ncleaned"));
    CHECK_THAT(events, ContainsSubstring("command before mix \"m\": echo restarted"));
    CHECK_THAT(events, ContainsSubstring(":\nrestarted"));
    CHECK_THAT(events, ContainsSubstring("ended with status 3"));
    const auto annotations = recording->annotations();
    REQUIRE(annotations);
    CHECK(std::ranges::any_of(*annotations, [](const Annotation& one) {
        return one.kind == AnnotationKind::mark && one.text == "command after run: echo drained:\ndrained";
    }));

    // Another order and another case: the runs that are there count.
    fixture.writePlan("three.toml", 3);
    const fs::path more =
        fixture.writeStudy("order = \"as given\"\n[[case]]\nid = \"two\"\nplan = \"two.toml\"\nrepeats = 1\n"
                           "[[case]]\nid = \"three\"\nplan = \"three.toml\"\nrepeats = 1\n"
                           "[[case]]\nid = \"one\"\nplan = \"one.toml\"\nrepeats = 1\n");
    const auto checked = checkStudy(more);
    REQUIRE(checked);
    const auto steps = progressOf(checked->study, history);
    REQUIRE(steps);
    CHECK(steps->at(0).run == status.steps[1].run);
    CHECK(steps->at(1).run.empty());
    CHECK(steps->at(2).run == status.steps[0].run);
    const StudyStatus again = fixture.runToEnd(more);
    CHECK(again.done() == 3);
    CHECK(fixture.history().list()->size() == 3);
    const auto columns = columnsOf(checked->study, history);
    REQUIRE(columns);
    REQUIRE(columns->size() == 3);
    CHECK(columns->at(0).id == "two");
    CHECK(columns->at(0).runs.at(0).id == status.steps[1].run);
    CHECK_FALSE(columns->at(0).runs.at(0).mixes.empty());

    // A plan that was changed since makes runs of its own.
    fixture.writePlan("two.toml", 4);
    const auto changed = progressOf(checked->study, history);
    REQUIRE(changed);
    CHECK(changed->at(0).run.empty());
    CHECK_THAT(changed->at(0).note, ContainsSubstring("was made with another plan"));
}

TEST_CASE("a study whose commands were not agreed to does not start")
{
    StudyFixture fixture;
    fixture.writePlan("one.toml", 1);
    const fs::path file = fixture.writeStudy("[[case]]\nid = \"one\"\nplan = \"one.toml\"\n"
                                             "[[command]]\nwhen = \"before mix\"\nrun = \"touch made\"\n");
    const auto queue = fixture.start(file, false);
    REQUIRE_FALSE(queue);
    CHECK(isUnusablePlan(queue.error()));
    CHECK_THAT(queue.error().message, ContainsSubstring("--allow-commands:\ntouch made"));
    CHECK_FALSE(fs::exists(fixture.folder / "history"));
}

TEST_CASE("a command that fails or takes too long ends the queue before its run, or ends the run")
{
    StudyFixture fixture;
    fixture.writePlan("one.toml", 1);
    const std::string one = "[[case]]\nid = \"one\"\nplan = \"one.toml\"\nrepeats = 1\n[[command]]\n";
    const StudyStatus failed =
        fixture.runToEnd(fixture.writeStudy(one + "when = \"before run\"\nrun = \"echo no >&2; exit 4\"\n"));
    CHECK(failed.state == StudyStatus::State::failed);
    CHECK_THAT(failed.message, ContainsSubstring("ended with status 4: no"));
    const StudyStatus late = fixture.runToEnd(
        fixture.writeStudy(one + "when = \"before run\"\nrun = \"sleep 100\"\ntime_limit = \"1 s\"\n"));
    CHECK_THAT(late.message, ContainsSubstring("no end within 1 s"));
    CHECK(fixture.history().list()->empty());
    const StudyStatus mix =
        fixture.runToEnd(fixture.writeStudy(one + "when = \"before mix\"\nrun = \"exit 5\"\n"));
    CHECK(mix.state == StudyStatus::State::failed);
    CHECK_THAT(mix.message, ContainsSubstring("does not count"));
    auto history = fixture.history();
    const auto runs = history.list();
    REQUIRE(runs->size() == 1);
    CHECK(runs->front().state == RunState::failed);
}

TEST_CASE("a queue stops in the middle of a command or a run, and at the end of a run if asked to")
{
    StudyFixture fixture;
    fixture.writePlan("one.toml", 1);
    const std::string one = "[[case]]\nid = \"one\"\nplan = \"one.toml\"\nrepeats = 2\n";
    const fs::path waiting =
        fixture.writeStudy(one + "[[command]]\nwhen = \"before run\"\nrun = \"sleep 100\"\n");
    auto queue = fixture.start(waiting);
    REQUIRE(queue);
    while ((*queue)->status().command.empty())
        REQUIRE_FALSE((*queue)->waitFor(10ms));
    CHECK((*queue)->status().totalLeft > 0s);
    (*queue)->stop();
    REQUIRE((*queue)->waitFor(20s));
    CHECK((*queue)->status().state == StudyStatus::State::stopped);
    CHECK((*queue)->status().stopping);

    auto second = fixture.start(fixture.writeStudy(one));
    REQUIRE(second);
    (*second)->stopAfterRun();
    REQUIRE((*second)->waitFor(60s));
    CHECK((*second)->status().state == StudyStatus::State::stopped);
    CHECK((*second)->status().done() <= 1);
    CHECK_THAT((*second)->status().message, ContainsSubstring("goes on"));
}

TEST_CASE("a study without runs to make, or with errors, does not start")
{
    StudyFixture fixture;
    const auto none = fixture.start(
        fixture.writeStudy("[[case]]\nid = \"up-vm\"\nresult = \"vmware-dell-exchange2003\"\n"));
    REQUIRE_FALSE(none);
    CHECK_THAT(none.error().message, ContainsSubstring("no case has a plan"));
    const auto bad = fixture.start(fixture.writeStudy("[[case]]\nid = \"a\"\nplan = \"no-such-plan\"\n"));
    REQUIRE_FALSE(bad);
    CHECK_THAT(bad.error().message, ContainsSubstring("case[0].plan"));
}
