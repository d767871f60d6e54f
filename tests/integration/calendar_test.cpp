// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/action_kind.h"
#include "support/catch.h"
#include "support/dav_server.h"

#include <loadstone/recording.h>
#include <loadstone/rehearsal.h>
#include <loadstone/results.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace loadstone;
using loadstone::test::DavServer;
using loadstone::test::ProgramEnd;
using loadstone::test::runProgram;
using loadstone::test::ScratchFolder;

namespace {

constexpr unsigned kUsers = 6;

constexpr const char* kProfile = R"(format = 1
kind = "profile"
title = "Calendars"
sources = ["a test"]
day = "8 h"
arrivals = "even"
[per_day]
check_inbox = 4
make_appointment = 6
request_meeting = 4
update_schedule = 5
check_free_busy = 4
browse_calendar = 6
create_contact = 6
browse_contacts = 5
journal = 4
)";

/// Everything happens within one phase, so that what is stored and what is counted are the same.
std::string calendarPlan(const DavServer& server, const std::string& rest = {})
{
    return fmt::format(R"(format = 1
kind = "mail"
title = "Calendars"
seed = 3
[target]
user = "u{{n}}"
password = "secret"
[target.embedded]
[target.caldav]
port = {0}
[target.carddav]
port = {0}
{1}
[workload]
pacing = "users"
profile = "calendars"
day = "20 s"
logon_over = "2 s"
[health]                   # the server is looked at here, not the generator
max_slip_p99 = "1 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_loop_lag_p99 = "1 s"
max_standstill = "1 h"
[[mixes]]
users = {2}
measurement = "20 s"
quiet_time = "10 s"
)",
        server.port(), rest, kUsers);
}

Recording recordingOf(const ProgramEnd& run)
{
    std::istringstream lines(run.output);
    std::string first;
    std::getline(lines, first);
    auto recording = Recording::open(nlohmann::json::parse(first).at("file").get<std::string>());
    REQUIRE(recording);
    return *std::move(recording);
}

/// What ended well in the whole run, the drain included: by the names of actions and commands.
std::map<std::string, std::uint64_t> countsOf(const Recording& recording)
{
    std::map<std::string, std::uint64_t> counts;
    for (const HistogramInfo& histogram : recording.header().histograms)
        if (histogram.clock == LatencyClock::service)
            counts[histogram.name] =
                recording.latency(histogram.id, { Nanoseconds(0), recording.length() }).value().count;
    return counts;
}

/// `anyway`: without a look at the servers, which would find why it fails.
ProgramEnd runPlan(const ScratchFolder& folder, const std::string& plan, bool anyway = false)
{
    std::ofstream(folder / "calendars.toml") << kProfile;
    std::ofstream(folder / "plan.toml") << plan;
    std::vector<std::string> command { LOADSTONE_BIN_DIR "/loadstone", "--history",
        (folder / "history").string(), "run", "--json", (folder / "plan.toml").string() };
    if (anyway)
        command.emplace_back("--no-preflight");
    return runProgram(command, std::chrono::seconds(120));
}

} // namespace

TEST_CASE(
    "users keep calendars and contacts at a real server, whose files are what the results count", "[server]")
{
    if (const std::string reason = DavServer::whyNot(); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    const bool keeps = GENERATE(false, true); // connections
    CAPTURE(keeps);
    DavServer server(kUsers, keeps);
    const ScratchFolder folder;
    const ProgramEnd run = runPlan(folder, calendarPlan(server));
    INFO(run.errors);
    INFO(server.log());
    REQUIRE(run.exitCode == 0);
    const Recording recording = recordingOf(run);
    for (const auto& transcript : recording.transcripts().value())
        UNSCOPED_INFO(transcript.where << ": " << transcript.text);
    CHECK(recording.errors({ Nanoseconds(0), recording.length() }).value().empty());
    auto counts = countsOf(recording);

    RehearsalOptions options;
    options.plan = folder / "plan.toml";
    const auto rehearsal = rehearse(options);
    REQUIRE(rehearsal);
    CHECK(rehearsal->leftOut.empty());
    std::map<std::string, std::uint64_t> foretold;
    for (const RehearsedAction& action : rehearsal->phases.at(0).actions)
        foretold[toString(action.kind)] = action.count;
    for (const char* action : { "Make appointment", "Request meeting", "Update schedule", "Check free/busy",
             "Browse calendar", "Create contact", "Browse contacts", "Journal" }) {
        CAPTURE(action, counts[action], foretold[action]);
        CHECK(counts[action] > 0);
        CHECK(std::abs(static_cast<double>(counts[action]) - static_cast<double>(foretold[action])) <= 3);
    }

    // The witness that is not ours. A user's change of the schedule makes an event where there is none to change yet.
    auto stored = server.stored();
    std::uint64_t madeByUpdates = 0, changes = 0;
    const std::string update = fmt::format("-{}-", static_cast<int>(plan::ActionKind::updateSchedule));
    for (const auto& [name, text] : server.texts()) {
        const auto at = text.find("\nSEQUENCE:");
        if (at == std::string::npos)
            continue;
        madeByUpdates +=
            name.find(update, std::string("loadstone-00000000-").size()) != std::string::npos ? 1 : 0;
        changes += std::stoul(text.substr(at + 10));
    }
    CHECK(stored["VEVENT"] == counts["Make appointment"] + counts["Request meeting"] + madeByUpdates);
    CHECK(changes == counts["Update schedule"] - madeByUpdates);
    CHECK(stored["VCARD"] == counts["Create contact"]);
    CHECK(stored["VJOURNAL"] == counts["Journal"]);
    CHECK(counts["CalDAV MKCALENDAR"] == kUsers);
    CHECK(counts["CardDAV MKCOL"] == kUsers);
    CHECK(counts["CalDAV calendar-query for free/busy"] + counts["CalDAV free-busy-query"]
        == counts["Check free/busy"]);
    CHECK(counts["CalDAV calendar-query"] == counts["Browse calendar"]);
    CHECK(counts["CalDAV calendar-multiget"] > 0);
    CHECK(counts["CardDAV addressbook-multiget"] > 0);
    if (keeps) { // one for the calendar and one for the contacts of each user
        CHECK(counts["DAV connect"] == 2 * kUsers);
        CHECK(server.connections() > 2 * kUsers); // with the looks of this test, until the server answered
        constexpr unsigned kPreflight = 4; // of the first user and the last
        CHECK(server.connections() <= 2 * kUsers + server.looks() + kPreflight);
    }
}

TEST_CASE("an address book that nobody may open fails the actions there only, and what was said is kept",
    "[server]")
{
    if (const std::string reason = DavServer::whyNot(); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    DavServer server(kUsers, true);
    const ScratchFolder folder;
    // Paths of somebody else's collections.
    const std::string plan = calendarPlan(server, "path = \"/boss/{user}/\"");
    const ProgramEnd refused = runPlan(folder, plan);
    CHECK(refused.exitCode == 2);
    CHECK_THAT(refused.errors, ContainsSubstring("u0's address book at /boss/u0/: HTTP 403"));
    const ProgramEnd run = runPlan(folder, plan, true);
    const Recording recording = recordingOf(run);
    auto counts = countsOf(recording);
    CHECK(counts["Check Inbox"] > 0);
    CHECK(counts["Make appointment"] > 0);
    CHECK(counts["Create contact"] == 0);
    bool told = false;
    for (const auto& transcript : recording.transcripts().value()) {
        told = told || transcript.text.find("PROPFIND /boss/u") != std::string::npos;
        CHECK(transcript.text.find("Basic") == std::string::npos);
        CHECK(transcript.text.find("secret") == std::string::npos);
    }
    CHECK(told);
    CHECK(server.stored()["VCARD"] == 0);
}
