// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using loadstone::test::Cli;

TEST_CASE("mailboxes lists a plan's mailboxes on standard output, and says how many they are", "[mailboxes]")
{
    const Cli cli;
    const auto end = cli({ "mailboxes", "first-run" });
    CHECK(end.exitCode == 0);
    CHECK(end.output.starts_with("name,address,login"));
    CHECK_THAT(end.errors, ContainsSubstring(" mailboxes, "));
    const auto postfix = cli({ "mailboxes", "pop-smtp-suite", "--format", "postfix" });
    CHECK(postfix.exitCode == 0);
    CHECK(std::count(postfix.output.begin(), postfix.output.end(), '\n') == 83'300);
    CHECK_THAT(postfix.errors, ContainsSubstring("83300 mailboxes, u00000 to u83299"));
}

TEST_CASE("mailboxes writes a new file, and refuses one that exists, an unknown format and a plan without "
          "mailboxes",
    "[mailboxes]")
{
    const Cli cli;
    const std::string file = cli.file("list");
    CHECK(cli({ "mailboxes", "first-run", "--format", "dovecot", "--output", file }).exitCode == 0);
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    CHECK_THAT(line, ContainsSubstring(":{PLAIN}"));
    const auto again = cli({ "mailboxes", "first-run", "--output", file });
    CHECK(again.exitCode == 2);
    CHECK(again.output.empty());
    CHECK_THAT(cli({ "mailboxes", "first-run", "--format", "xml" }).errors,
        ContainsSubstring("\"xml\" is not a format"));
    CHECK(cli({ "mailboxes", "raw-device" }).exitCode == 2);
    CHECK(cli({ "mailboxes", "nothing" }).exitCode == 2);
}

TEST_CASE("check and rehearse say which workloads each mix has", "[mailboxes]")
{
    const Cli cli;
    const std::string plan = cli.file("named.toml", R"(format = 1
kind = "mail"
[target]
password = "secret"
[target.embedded]
[[workloads]]
name = "readers"
[[workloads.steps]]
action = "POP3 session"
commands = ["STAT", "RETR {n}", "DELE {n}"]
[[workloads]]
name = "senders"
think_time = "2 s"
[[workloads.steps]]
action = "SMTP session"
size = "2 KB"
commands = ["MAIL FROM:<{sender}>", "RCPT TO:<{recipient}>", "DATA", "{message}"]
[mix]
clients = 1
threads_per_client = 4
mailboxes_per_client = 8
think_time = "1 s"
measurement = "60 s"
[[mixes]]
name = "both"
[[mixes.workloads]]
name = "readers"
[[mixes.workloads]]
name = "senders"
[[mixes]]
name = "sending"
workload = "senders"
)");
    const auto checked = cli({ "check", plan });
    CHECK(checked.exitCode == 0);
    CHECK_THAT(checked.output,
        ContainsSubstring(
            "  both: readers (2 of 4 threads), senders (2 of 4 threads), at most 3.00 iterations/s\n"));
    CHECK_THAT(checked.output, ContainsSubstring("  sending: senders, at most 2.00 iterations/s\n"));
    const auto rehearsed = cli({ "rehearse", plan });
    CHECK(rehearsed.exitCode == 0);
    CHECK_THAT(rehearsed.output,
        ContainsSubstring("Workload of both: readers (2 of 4 threads), senders (2 of 4 threads)"));
    CHECK_THAT(rehearsed.output, ContainsSubstring("Commands of the scripts per second"));
    CHECK_THAT(rehearsed.output, ContainsSubstring("POP3 RETR"));
    CHECK_THAT(cli({ "rehearse", plan, "--json" }).output, ContainsSubstring("\"commands\":{\"POP3 STAT\":"));
}
