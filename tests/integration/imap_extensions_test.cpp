// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/mail_servers.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace loadstone;
using loadstone::test::MailServers;
using loadstone::test::ProgramEnd;
using loadstone::test::runProgram;
using loadstone::test::ScratchFolder;

namespace {

std::string target(const MailServers& servers)
{
    return fmt::format(R"([target]
password = "secret"
[target.smtp]
port = {}
[target.imap]
port = {}
idle = true
idle_renewal = "1 s"
compress = true
condstore = true
pipelining = true
[health]                   # the servers are looked at here, not the generator
max_slip_p99 = "1 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_loop_lag_p99 = "1 s"
max_standstill = "1 h"
)",
        servers.smtpPort(), servers.imapPort());
}

struct Outcome {
    RunResults results;
    std::string transcripts;
    std::map<std::string, std::uint64_t> commands; ///< of the whole run, by name
};

Outcome play(const ScratchFolder& folder, const std::string& name, const std::string& plan)
{
    const auto file = folder / name;
    std::ofstream(file) << plan;
    const ProgramEnd run = runProgram({ LOADSTONE_BIN_DIR "/loadstone", "--history",
                                          (folder / "history").string(), "run", "--json", file.string() },
        std::chrono::seconds(120));
    INFO(run.errors << run.output.substr(0, 2000));
    std::istringstream lines(run.output);
    std::string first;
    std::getline(lines, first);
    const auto recording = Recording::open(nlohmann::json::parse(first).at("file").get<std::string>());
    REQUIRE(recording);
    Outcome outcome;
    outcome.results = computeResults(*recording).value();
    for (const Transcript& transcript : recording->transcripts().value())
        outcome.transcripts += transcript.text + "\n";
    for (const HistogramInfo& info : recording->header().histograms)
        if (info.clock == LatencyClock::service)
            outcome.commands[info.name] =
                recording->latency(info.id, { Nanoseconds {}, std::chrono::hours(1) })->count;
    INFO(outcome.transcripts);
    CHECK(run.exitCode == 0);
    CHECK(outcome.results.mixes.at(0).failures == 0);
    return outcome;
}

} // namespace

TEST_CASE("users with all of IMAP's extensions get all their mail from a real server", "[server]")
{
    if (const std::string reason = MailServers::whyNot(); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    MailServers servers;
    const ScratchFolder folder;
    const std::string head = "format = 1\nkind = \"mail\"\ntitle = \"Extensions\"\nseed = 6\n";
    const Outcome users =
        play(folder, "users.toml", head + "delivery_limit = \"5 min\"\n" + target(servers) + R"([workload]
pacing = "users"
profile = "cached-2003"
day = "90 s"
logon_over = "4 s"
[[mixes]]
name = "20 users"
users = 20
ramp_up = "5 s"
measurement = "15 s"
quiet_time = "20 s"
)");
    std::map<std::string, std::uint64_t> commands = users.commands;
    CHECK(commands["IMAP ID"] >= 20);
    CHECK(commands["IMAP NAMESPACE"] >= 20);
    CHECK(commands["IMAP ENABLE"] >= 20);
    CHECK(commands["IMAP COMPRESS"] >= 20);
    CHECK(commands["IMAP IDLE"] > 100); // between actions, and anew each second
    for (const LatencyRow& command : users.results.mixes.at(0).commands)
        CHECK(command.name != "IMAP NOOP"); // IDLE tells the news; only the drain's last look asks for them
    const AuditTotals& audit = users.results.audit.value();
    CHECK(audit.accepted > 10);
    CHECK(audit.deliveredOnce == audit.expected);
    CHECK(audit.late + audit.twice + audit.damaged + audit.lost + audit.outstanding + audit.unknown == 0);
    // The server marks folders for sent and deleted mail: users have these, and none of their own beside them.
    unsigned marked = 0, unmarked = 0;
    for (const auto& entry :
        std::filesystem::recursive_directory_iterator(servers.dovecotLog().parent_path() / "dovecot/home")) {
        marked += entry.path().filename() == "Trash" || entry.path().filename() == "Sent" ? 1 : 0;
        unmarked +=
            entry.path().filename() == "Deleted Items" || entry.path().filename() == "Sent Items" ? 1 : 0;
    }
    CHECK(marked > 0);
    CHECK(unmarked == 0);

    const Outcome script = play(folder, "script.toml", head + target(servers) + R"toml([workload]
pacing = "closed"
[[workload.steps]]
action = "IMAP session"
commands = ["UID SEARCH RETURN (ALL COUNT) UNSEEN", "UID FETCH 1:* (FLAGS) (CHANGEDSINCE 1)",
    "STATUS INBOX (HIGHESTMODSEQ)", "NAMESPACE", "UNSELECT"]
hold = "200 ms"
[[mixes]]
name = "sessions"
clients = 1
threads_per_client = 4
mailboxes_per_client = 20
measurement = "3 s"
)toml");
    std::map<std::string, std::uint64_t> told = script.commands;
    CHECK(told["IMAP session"] >= 20);
    CHECK(told["IMAP UNSELECT"] >= told["IMAP session"]);
    CHECK(told["IMAP IDLE"] >= told["IMAP session"]);
}
