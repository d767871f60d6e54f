// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Calendars and address books that are filled before a run, and cleaned, at a real Radicale. Mailboxes are the embedded target's.
#include "support/catch.h"
#include "support/dav_server.h"
#include "support/watched_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <map>
#include <set>

using loadstone::test::DavServer;
using loadstone::test::ProgramEnd;
using loadstone::test::runProgram;
using loadstone::test::ScratchFolder;
using loadstone::test::WatchedProgram;
using Json = nlohmann::json;

namespace {

constexpr unsigned kUsers = 6, kAppointments = 12, kContacts = 16;
constexpr std::size_t kEntries = kUsers * (kAppointments + kContacts);

constexpr const char* kProfile = R"(format = 1
kind = "profile"
title = "Calendars"
sources = ["a test"]
day = "8 h"
arrivals = "even"
[per_day]
check_inbox = 4
)";

/// The programs that a test needs: a calendar server, a mail server, and Loadstone with its plan.
struct Lab {
    explicit Lab(bool keeps = true, unsigned loses = 0, const std::string& perDay = {})
        : dav(kUsers, keeps, loses)
        , mail({ LOADSTONE_BIN_DIR "/loadstone", "target", "--imap-port", "0", "--smtp-port", "0",
              "--password", "secret" })
    {
        const Json ports = Json::parse(mail.line().value_or("{}"));
        std::ofstream(folder / "calendars.toml") << kProfile << perDay;
        std::ofstream(folder / "plan.toml") << fmt::format(R"(format = 1
kind = "mail"
title = "Calendars"
seed = 3
[target]
user = "u{{n}}"
password = "secret"
[target.smtp]
port = {}
[target.imap]
port = {}
[target.caldav]
port = {}
[target.carddav]
port = {}
[workload]
pacing = "users"
profile = "calendars"
day = "10 s"
logon_over = "1 s"
[workload.initial]
inbox = 1
folders = 2
messages_per_folder = 1
appointments = {}
contacts = {}
[health]                   # the server is looked at here, not the generator
max_slip_p99 = "1 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_loop_lag_p99 = "1 s"
max_standstill = "1 h"
[[mixes]]
users = {}
measurement = "10 s"
quiet_time = "10 s"
)",
            ports.at("smtp").get<int>(), ports.at("imap").get<int>(), dav.port(), dav.port(), kAppointments,
            kContacts, kUsers);
    }

    [[nodiscard]] std::vector<std::string> command(std::vector<std::string> words) const
    {
        words.insert(
            words.begin(), { LOADSTONE_BIN_DIR "/loadstone", "--history", (folder / "history").string() });
        words.push_back((folder / "plan.toml").string());
        return words;
    }
    /// Its last line, which has the results.
    Json operator()(const std::vector<std::string>& words, std::string* output = nullptr) const
    {
        const ProgramEnd end = runProgram(command(words), std::chrono::seconds(120));
        INFO(end.output << end.errors << dav.log());
        REQUIRE(end.exitCode == 0);
        if (output != nullptr)
            *output = end.output;
        return Json::parse(end.output.substr(end.output.rfind('\n', end.output.size() - 2) + 1))
            .at("results");
    }

    DavServer dav;
    WatchedProgram mail;
    ScratchFolder folder;
};

const Json& totalsOf(const Json& results)
{
    return results.at("preparations").at(0).at("totals");
}

std::map<std::string, std::uint64_t> countsOf(const Json& rows)
{
    std::map<std::string, std::uint64_t> counts;
    for (const Json& row : rows)
        counts[row.at("name")] = row.at("service").at("count");
    return counts;
}

bool skips()
{
    const std::string reason = DavServer::whyNot();
    if (!reason.empty())
        fmt::print("SKIPPED: {}\n", reason);
    return !reason.empty();
}

} // namespace

TEST_CASE("calendars and address books are filled exactly, though init is killed in the middle, and clean "
          "leaves in them what others made",
    "[server]")
{
    if (skips())
        return;
    const bool keeps = GENERATE(false, true); // connections
    CAPTURE(keeps);
    Lab lab(keeps);
    {
        WatchedProgram init(lab.command({ "init", "--json", "--sessions", "3" }));
        while (lab.dav.size() < kEntries / 5)
            REQUIRE_FALSE(init.ended(std::chrono::milliseconds(1)));
        init.signal(SIGKILL);
        CHECK(init.wait() == 128 + SIGKILL);
    }
    CHECK(lab.dav.size() < kEntries);
    const Json resumed = lab({ "init", "--json" });
    CHECK(totalsOf(resumed)["done"] == kUsers);
    CHECK(totalsOf(resumed)["entriesFound"] >= kEntries / 5);
    CHECK(totalsOf(resumed)["entriesMade"].get<std::size_t>()
            + totalsOf(resumed)["entriesFound"].get<std::size_t>()
        == kEntries);
    CHECK(countsOf(resumed["preparations"][0]["commands"])["DAV PUT"] == totalsOf(resumed)["entriesMade"]);
    const auto whole = lab.dav.texts();
    CHECK(whole.size() == kEntries);
    CHECK(lab.dav.stored()["VEVENT"] == kUsers * kAppointments);
    CHECK(lab.dav.stored()["VCARD"] == kUsers * kContacts);
    for (const auto& [name, text] : whole)
        REQUIRE(name.starts_with("loadstone-initial-"));
    const Json again = lab({ "init", "--json" });
    CHECK(totalsOf(again)["entriesMade"] == 0);
    CHECK(totalsOf(again)["entriesFound"] == kEntries);
    CHECK(lab.dav.texts() == whole);

    // A stranger's objects, one of them by a name much like ours, and what a run of another seed has left.
    const auto event = [](const char* uid) {
        return fmt::format("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//me\r\nBEGIN:VEVENT\r\nUID:{}\r\n"
                           "DTSTAMP:20260105T080000Z\r\nDTSTART:20260105T080000Z\r\nEND:VEVENT\r\n"
                           "END:VCALENDAR\r\n",
            uid);
    };
    lab.dav.add("u3/calendar/mine.ics", event("mine"));
    lab.dav.add("u3/calendar/loadstone-notes.ics", event("loadstone-notes"));
    lab.dav.add("u0/contacts/mum.vcf",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:mum\r\nFN:Mum\r\nN:Mum;;;;\r\nEND:VCARD\r\n");
    lab.dav.add("u1/calendar/loadstone-0a1b2c3d-1-1-20-7.ics", event("loadstone-0a1b2c3d-1-1-20-7"));
    std::string log;
    const Json clean = lab({ "clean", "--yes", "--json" }, &log);
    CHECK(totalsOf(clean)["entriesRemoved"] == kEntries + 1);
    CHECK(totalsOf(clean)["entriesForeign"] == 3);
    CHECK(totalsOf(clean)["removed"] == kUsers * 3);
    CHECK_THAT(
        log, ContainsSubstring("u3: not removed, because it is not Loadstone's: 2 entries in the calendar"));
    CHECK_THAT(log,
        ContainsSubstring("u0: not removed, because it is not Loadstone's: 1 entry in the address book"));
    std::set<std::string> left;
    for (const auto& [name, text] : lab.dav.texts())
        left.insert(name);
    CHECK(left == std::set<std::string> { "mine.ics", "loadstone-notes.ics", "mum.vcf" });

    lab({ "init", "--json" }); // a function of the seed
    auto refilled = lab.dav.texts();
    for (const std::string& name : left)
        refilled.erase(name);
    CHECK(refilled == whole);
}

TEST_CASE("what was put although its answer got lost counts as put, before a run and in it", "[server]")
{
    if (skips())
        return;
    Lab lab(true, 4, "make_appointment = 6\nupdate_schedule = 6\ncreate_contact = 6\njournal = 4\n");
    const Json init = lab({ "init", "--json" });
    CHECK(totalsOf(init)["entriesMade"] == kEntries);
    CHECK(init["preparations"][0]["errors"].empty());
    CHECK(countsOf(init["preparations"][0]["commands"])["DAV GET"] > 0);
    CHECK(lab.dav.texts().size() == kEntries);

    const Json run = lab({ "run", "--json", "--no-preflight" });
    const Json& mix = run["mixes"][0];
    INFO(mix.dump());
    CHECK(mix["failures"] == 0);
    auto actions = countsOf(mix["actions"]);
    for (const char* action : { "Make appointment", "Update schedule", "Create contact", "Journal" })
        CHECK(actions[action] > 0);
}

TEST_CASE("users of a run find the appointments and contacts that were there before", "[server]")
{
    if (skips())
        return;
    Lab lab(true, 0, "browse_calendar = 6\ncheck_free_busy = 4\nbrowse_contacts = 8\n");
    lab({ "init", "--json" });
    const Json run = lab({ "run", "--json", "--no-preflight" });
    const Json& mix = run["mixes"][0];
    INFO(mix.dump());
    CHECK(mix["failures"] == 0);
    auto commands = countsOf(mix["commands"]);
    CHECK(commands["CalDAV calendar-query"] > 0);
    // Half of the appointments lie in any of these weeks, and 16 contacts have some of 16 family names.
    CHECK(commands["CalDAV calendar-multiget"] * 10 >= commands["CalDAV calendar-query"] * 9);
    CHECK(commands["CardDAV addressbook-multiget"] > commands["CardDAV addressbook-query"] / 4);
    CHECK(lab.dav.texts().size() == kEntries);
}
