// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a preflight says of plans that cannot work, at real servers, and that it leaves nothing behind on them.
#include "support/catch.h"
#include "support/dav_server.h"
#include "support/mail_servers.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

using namespace loadstone::test;

namespace {

using Variables = std::map<std::string, std::string>;

bool skipped()
{
    const std::string mail = MailServers::whyNot(MailServers::Logins::every);
    const std::string dav = DavServer::whyNot();
    if (mail.empty() && dav.empty())
        return false;
    fmt::print("SKIPPED: {}\n", mail.empty() ? dav : mail);
    return true;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// What Loadstone says of a plan whose `[target]` goes on with `target`.
ProgramEnd look(const std::string& command, const std::string& target, bool users = false,
    const std::string& domain = "load.test")
{
    const ScratchFolder folder;
    const auto plan = folder / "plan.toml";
    std::ofstream(folder / "calendars.toml") << R"(format = 1
kind = "profile"
title = "Calendars"
sources = ["a test"]
[per_day]
send = 10
make_appointment = 10
create_contact = 10
)";
    std::ofstream(plan) << fmt::format(
        R"(format = 1
kind = "mail"
delivery_limit = "5 s"
[target]
domain = "{}"
password = "secret"
{}
[workload]
{}
[[mixes]]
{}
measurement = "2 s"
ramp_up = "1 s"
quiet_time = "5 s"
)",
        domain, target,
        users ? "pacing = \"users\"\nprofile = \"calendars\"\nday = \"1 min\""
              : "pacing = \"closed\"\n[[workload.steps]]\naction = \"read "
                "mailbox\"\n[[workload.steps]]\naction = "
                "\"send message\"\nsize = \"10 KB\"",
        users ? "users = 4" : "clients = 1\nthreads_per_client = 1\nmailboxes_per_client = 4");
    return runProgram({ LOADSTONE_BIN_DIR "/loadstone", "--history", (folder / "history").string(), command,
                          plan.string() },
        std::chrono::seconds(60));
}

std::string mailTarget(const MailServers& servers, const std::string& smtp = {}, const std::string& pop3 = {})
{
    return fmt::format("[target.smtp]\nport = {}\n{}\n[target.pop3]\nport = {}\n{}\n", servers.smtpPort(),
        smtp, servers.pop3Port(), pop3);
}

std::string userTarget(const MailServers& servers, const std::string& more = {})
{
    return fmt::format("[target.smtp]\nport = {}\n[target.imap]\nport = {}\n{}\n", servers.smtpPort(),
        servers.imapPort(), more);
}

/// Files in which Dovecot keeps messages.
std::size_t messagesIn(const MailServers& servers)
{
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(servers.mailFolder()))
        count += entry.path().filename().string().starts_with("u.") ? 1 : 0;
    return count;
}

/// Messages in Postfix's queue.
std::size_t queuedAt(const MailServers& servers)
{
    std::size_t count = 0;
    for (const char* queue : { "active", "deferred", "incoming", "maildrop" })
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 servers.postfixLog().parent_path() / "postfix" / "queue" / queue))
            count += entry.is_regular_file() ? 1 : 0;
    return count;
}

} // namespace

TEST_CASE("a preflight sends one message, finds it in the mailbox, and leaves nothing behind", "[server]")
{
    if (skipped())
        return;
    MailServers servers(MailServers::Logins::every);
    for (const bool users : { false, true }) { // over POP3 and over IMAP
        const ProgramEnd found = look("preflight", users ? userTarget(servers) : mailTarget(servers), users);
        INFO(found.output << found.errors);
        CHECK(found.exitCode == 0);
        CHECK_THAT(found.output,
            ContainsSubstring("takes mail from u0@load.test for u0@load.test and u3@load.test")
                && ContainsSubstring("was in the mailbox after")
                && ContainsSubstring("and is removed again"));
        CHECK(messagesIn(servers) == 0);
    }
    CHECK(queuedAt(servers) == 0);
    servers.stop();
    const ServerCounts counts = servers.counts();
    CHECK(counts.saved == 2);
    CHECK(counts.deleted + counts.expunged == 2);
    CHECK(counts.bounced == 0);
}

TEST_CASE("a preflight without a server to remove mail over sends none and says so", "[server]")
{
    if (skipped())
        return;
    MailServers servers(MailServers::Logins::every);
    const ScratchFolder folder;
    const auto plan = folder / "plan.toml";
    std::ofstream(plan) << fmt::format(
        "format = 1\nkind = \"mail\"\n[target.smtp]\nport = {}\n[workload]\n"
        "[[workload.steps]]\naction = \"send message\"\nsize = \"2 KB\"\n[[mixes]]\n"
        "clients = 1\nthreads_per_client = 1\nmailboxes_per_client = 2\n"
        "measurement = \"1 s\"\n",
        servers.smtpPort());
    const ProgramEnd found =
        runProgram({ LOADSTONE_BIN_DIR "/loadstone", "preflight", plan.string() }, std::chrono::seconds(60));
    INFO(found.output << found.errors);
    CHECK(found.exitCode == 0);
    CHECK_THAT(found.output, ContainsSubstring("no message was sent"));
    servers.stop();
    CHECK(servers.counts().accepted == 0);
}

TEST_CASE("a preflight finds what every message of the run would fail on", "[server]")
{
    if (skipped())
        return;
    const auto findsFor = [](const MailServers& servers, const std::string& target, bool users,
                              const std::string& domain, const std::string& words) {
        for (const char* command : { "preflight", "run" }) {
            const ProgramEnd found = look(command, target, users, domain);
            INFO(command << ": " << found.output << found.errors);
            CHECK(found.exitCode == 2);
            CHECK_THAT(found.output + found.errors, ContainsSubstring(words));
        }
        CHECK(messagesIn(servers) == 0);
        CHECK(queuedAt(servers) == 0);
    };
    {
        const MailServers servers(MailServers::Logins::every);
        findsFor(servers, mailTarget(servers), false, "other.test",
            "takes no mail for u0@other.test and u3@other.test: 554");
    }
    {
        const MailServers servers(MailServers::Logins::every, MailServers::Folders::plain,
            MailServers::Names::any, { { "LOGIN_FIRST", "yes" } });
        findsFor(servers, mailTarget(servers), false, "load.test",
            "write auth = \"automatic\" below [target.smtp]");
        const ProgramEnd loggedIn = look("preflight", mailTarget(servers, "auth = \"automatic\""));
        INFO(loggedIn.output);
        CHECK(loggedIn.exitCode == 0);
    }
    {
        const MailServers servers(MailServers::Logins::every, MailServers::Folders::plain,
            MailServers::Names::any, { { "QUOTA", "2" } });
        const ProgramEnd swallowed = look("preflight", mailTarget(servers)); // POP3 knows nothing of quotas
        INFO(swallowed.output);
        CHECK(swallowed.exitCode == 2);
        CHECK_THAT(swallowed.output,
            ContainsSubstring(
                "a message of 10 KB for u0@load.test was taken, and is not in the mailbox after"));
        findsFor(servers, userTarget(servers), true, "load.test",
            "u0 may hold 2 KB in total, the plan's largest message has");
    }
}

TEST_CASE(
    "a certificate that nobody vouches for ends the session, unless the plan says that it may not matter",
    "[server]")
{
    if (skipped())
        return;
    const MailServers servers(MailServers::Logins::every);
    const std::string tls = "tls = \"starttls\"\n";
    const std::string known =
        fmt::format("ca_file = \"{}\"\nserver_name = \"mail.load.test\"\n", servers.caFile().string());
    const auto preflight = [&](const std::string& more) {
        return look("preflight",
            mailTarget(
                servers, "auth = \"automatic\"\n" + tls + more, "auth = \"automatic\"\n" + tls + more));
    };
    const ProgramEnd unknown = preflight("server_name = \"mail.load.test\"");
    CHECK(unknown.exitCode == 2);
    CHECK_THAT(unknown.output,
        ContainsSubstring("the server's certificate is not accepted: unable to get local issuer certificate")
            && ContainsSubstring("ca_file"));
    const ProgramEnd other = preflight(known.substr(0, known.find("server_name")));
    CHECK(other.exitCode == 2);
    CHECK_THAT(other.output, ContainsSubstring("mismatch") && ContainsSubstring("(expected: 127.0.0.1)"));
    const ProgramEnd vouched = preflight(known);
    INFO(vouched.output);
    CHECK(vouched.exitCode == 0);
    CHECK_THAT(vouched.output, !ContainsSubstring("nothing proves"));
    const ProgramEnd trusting = preflight("verify_certificate = false");
    CHECK(trusting.exitCode == 0);
    CHECK_THAT(trusting.output, ContainsSubstring("nothing proves that it is the intended server"));
    const ProgramEnd check = look("check", mailTarget(servers, tls + "verify_certificate = false"));
    CHECK_THAT(check.errors, ContainsSubstring("target.smtp: verify_certificate = false: nothing proves"));
    // Dovecot names the mechanism of each login. It offers PLAIN as well.
    const std::string log = contentOf(servers.dovecotLog());
    CHECK_THAT(log, ContainsSubstring("pop3-login: Info: Login: user=<u0>, method=SCRAM-SHA-256"));
    CHECK_THAT(log, !ContainsSubstring("method=PLAIN"));
}

TEST_CASE("a preflight finds calendars that are not where the plan says, and makes none", "[server]")
{
    if (skipped())
        return;
    const MailServers servers;
    const DavServer dav(4, true);
    const auto at = [&](const std::string& calendars) {
        return look("preflight",
            userTarget(servers,
                fmt::format("[target.caldav]\n{}\n[target.carddav]\nport = {}", calendars, dav.port())),
            true);
    };
    const ProgramEnd good = at(fmt::format("port = {}", dav.port()));
    INFO(good.output << good.errors);
    CHECK(good.exitCode == 0);
    CHECK_THAT(good.output,
        ContainsSubstring("u0's calendar at /u0/calendar/ does not exist yet")
            && ContainsSubstring("u3's address book at /u3/contacts/ does not exist yet"));
    CHECK(dav.size() == 0);
    const auto fails = [&](const std::string& calendars, const std::string& words) {
        const ProgramEnd found = at(calendars);
        INFO(calendars << "\n" << found.output << found.errors);
        CHECK(found.exitCode == 2);
        CHECK_THAT(found.output, ContainsSubstring("error   CalDAV") && ContainsSubstring(words));
    };
    fails("port = 1", "cannot be reached");
    fails(fmt::format("port = {}\npath = \"/wrong/{{user}}/calendar/\"", dav.port()),
        "at /wrong/u0/calendar/: HTTP 403");
    fails(fmt::format("port = {}\nauth = \"none\"", dav.port()), "u0 cannot log in");
    fails(fmt::format("port = {}\ntls = \"implicit\"", dav.port()), "no session: ");
    CHECK(dav.size() == 0);
}
