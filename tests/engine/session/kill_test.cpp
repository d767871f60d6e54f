// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/history.h>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <fstream>
#include <sstream>

using namespace loadstone;

namespace {

std::string integrityOf(const std::filesystem::path& file)
{
    sqlite3* database = nullptr;
    std::string answer;
    if (::sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK)
        ::sqlite3_exec(
            database, "PRAGMA integrity_check",
            [](void* to, int, char** values, char**) {
                *static_cast<std::string*>(to) += values[0];
                return 0;
            },
            &answer, nullptr);
    ::sqlite3_close(database);
    return answer;
}

} // namespace

TEST_CASE("a run that is killed leaves a recording that is whole up to the last tick it had told of")
{
    const test::ScratchFolder folder;
    const auto plan = folder.path() / "plan.toml";
    std::ofstream(plan) << R"(format = 1
kind = "mail"
title = "Killed"
drain = "5 s"
[target]
user = "u{n}"
password = "secret"
[target.embedded]
[target.smtp]
pipelining = true
[workload]
pacing = "closed"
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 2
[[mixes]]
name = "mix"
clients = 1
threads_per_client = 4
mailboxes_per_client = 8
think_time = "20 ms"
ramp_up = "1 s"
measurement = "60 s"
)";
    Random random(static_cast<std::uint64_t>(monoNow().time_since_epoch().count()));
    unsigned promised = 0;
    for (int round = 0; round < 5; ++round) {
        const auto history = folder.path() / ("history" + std::to_string(round));
        const double moment = 1 + 3 * random.uniform();
        const auto end = test::runProgram(
            { "timeout", "--foreground", "-s", "KILL", std::to_string(moment), LOADSTONE_BIN_DIR "/loadstone",
                "run", plan.string(), "--history", history.string(), "--json" },
            std::chrono::seconds(60));
        INFO("killed after " << moment << " s: " << end.output << end.errors);
        std::int64_t printed = -1;
        std::istringstream lines(end.output);
        for (std::string line; std::getline(lines, line);) {
            const auto event = nlohmann::json::parse(line, nullptr, false); // the last line may be cut
            if (event.is_object() && event["event"] == "tick")
                printed = event["tick"].get<std::int64_t>();
        }
        auto opened = History::open(history);
        REQUIRE(opened);
        const auto runs = opened->list();
        REQUIRE(runs);
        if (runs->empty()) { // killed before there was anything to keep
            CHECK(printed == -1);
            continue;
        }
        const auto recording = opened->openRun(runs->front().id);
        REQUIRE(recording);
        CHECK(recording->state() == RunState::interrupted);
        CHECK(static_cast<std::int64_t>(recording->ticks()) > printed);
        CHECK(integrityOf(recording->file()) == "ok");
        CHECK(computeResults(*recording));
        CHECK(verdictOf(*recording)->verdict == Verdict::cutShort);
        CHECK(runs->front().verdict == Verdict::cutShort);
        CHECK_FALSE(runs->front().valid);
        promised += printed >= 0 ? 1 : 0;
    }
    CHECK(promised > 0);
}
