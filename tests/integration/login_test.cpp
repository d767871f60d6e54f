// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/mail_servers.h"
#include "support/one_action.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <memory>
#include <sstream>

using namespace loadstone;
using namespace loadstone::test;
using plan::ActionKind;
using protocol::FailureKind;

namespace {

struct Protocol {
    const char* name;
    ActionKind action;
    std::uint16_t (MailServers::*port)() const;
    std::uint16_t (MailServers::*tlsPort)() const;
};
constexpr std::array kProtocols {
    Protocol { "smtp", ActionKind::sendMessage, &MailServers::smtpPort, &MailServers::smtpsPort },
    Protocol { "pop3", ActionKind::readMailbox, &MailServers::pop3Port, &MailServers::pop3sPort },
    Protocol { "imap", ActionKind::logon, &MailServers::imapPort, &MailServers::imapsPort },
};

/// `password`: as the plan writes it.
std::string targetOf(const MailServers& servers, const Protocol& protocol, const std::string& tls,
    const std::string& auth, const std::string& password, const std::string& more = {})
{
    const std::uint16_t port = (servers.*(tls == "implicit" ? protocol.tlsPort : protocol.port))();
    std::string text =
        fmt::format("[target]\npassword = {}\ncommand_timeout = \"5 s\"\n[target.{}]\nport = {}\n"
                    "tls = \"{}\"\nauth = \"{}\"\n{}\n",
            password, protocol.name, port, tls, auth, more);
    if (protocol.action == ActionKind::logon) // users send too
        text += fmt::format("[target.smtp]\nport = {}\n", servers.smtpPort());
    return text;
}

ActionEnd logIn(const Protocol& protocol, const std::string& target)
{
    const bool users = protocol.action == ActionKind::logon;
    return carryOut(protocol.action, planOf(protocol.action, target, users));
}

std::unique_ptr<MailServers> serversOrSkip()
{
    const std::string reason = MailServers::whyNot(MailServers::Logins::every);
    if (reason.empty())
        return std::make_unique<MailServers>(MailServers::Logins::every);
    fmt::print("SKIPPED: {}\n", reason);
    return nullptr;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

} // namespace

TEST_CASE(
    "every mechanism logs in over every protocol, with and without TLS; and fails as it should", "[server]")
{
    const auto servers = serversOrSkip();
    if (!servers)
        return;
    const std::string secret = "\"secret\"";
    const std::string token = fmt::format("{{ file = \"{}\" }}", servers->tokenFile().string());
    const std::string verified =
        fmt::format("verify_certificate = true\nserver_name = \"mail.load.test\"\nca_file = \"{}\"",
            servers->caFile().string());
    for (const Protocol& protocol : kProtocols)
        for (const std::string tls : { "none", "starttls", "implicit" })
            for (const std::string auth : { "automatic", "plain", "login", "sasl-login", "cram-md5",
                     "scram-sha-1", "scram-sha-256", "xoauth2", "oauthbearer", "user/pass" }) {
                const bool byToken = auth == "xoauth2" || auth == "oauthbearer";
                if (auth == "user/pass" && protocol.action != ActionKind::readMailbox)
                    continue;
                CAPTURE(protocol.name, tls, auth);
                const auto targetWith = [&](const std::string& password) {
                    return targetOf(*servers, protocol, tls, auth, password, tls == "none" ? "" : verified);
                };
                const ActionEnd in = logIn(protocol, targetWith(byToken ? token : secret));
                CAPTURE(in.where, in.failure.text, in.transcript);
                CHECK(in.failure.kind == FailureKind::none);
                CHECK(in.errors == 0);
                if (tls != "none" && auth != "automatic")
                    continue; // Dovecot takes half a second for each refusal

                const ActionEnd out = logIn(protocol, targetWith("\"wrong-Secret\""));
                CAPTURE(out.where, out.failure.text, out.transcript);
                CHECK(out.failure.kind == FailureKind::authentication);
                CHECK(out.errors == 1);
                CHECK_FALSE(out.failure.text.empty());
                for (const std::string& text : { out.failure.text, out.transcript })
                    CHECK_THAT(text, !ContainsSubstring("wrong-Secret"));
                CHECK_THAT(out.transcript, ContainsSubstring("***"));
            }
}

TEST_CASE("a server that wants the whole address is logged in to by login = \"address\", over every protocol",
    "[server]")
{
    if (const std::string reason = MailServers::whyNot(MailServers::Logins::every); !reason.empty()) {
        fmt::print("SKIPPED: {}\n", reason);
        return;
    }
    MailServers servers(MailServers::Logins::every, MailServers::Folders::plain, MailServers::Names::address);
    for (const Protocol& protocol : kProtocols)
        for (const std::string auth : { "plain", "login", "cram-md5", "scram-sha-256" }) {
            CAPTURE(protocol.name, auth);
            const auto loggingInBy = [&](const std::string& login) {
                const std::string own = login.empty() ? "" : "login = \"" + login + "\"";
                return logIn(protocol, targetOf(servers, protocol, "none", auth, "\"secret\"", own));
            };
            const ActionEnd in = loggingInBy("address");
            CAPTURE(in.where, in.failure.text, in.transcript);
            CHECK(in.failure.kind == FailureKind::none);
            CHECK(loggingInBy("{user}@{domain}").failure.kind == FailureKind::none);
            if (auth == "plain") {
                CHECK(loggingInBy("").failure.kind == FailureKind::authentication);
                CHECK(loggingInBy("user").failure.kind == FailureKind::authentication);
            }
        }
    // One login for all protocols; the witness is Dovecot's log.
    const ActionEnd in = logIn(kProtocols[1],
        fmt::format("[target]\npassword = \"secret\"\nlogin = \"address\"\n[target.pop3]\nport = {}\n",
            servers.pop3Port()));
    CHECK(in.failure.kind == FailureKind::none);
    servers.stop();
    CHECK_THAT(contentOf(servers.dovecotLog()), ContainsSubstring("user=<u0@load.test>"));
    CHECK_THAT(contentOf(servers.dovecotLog()), ContainsSubstring("user=<u0>"));
}

TEST_CASE("a certificate that has expired or names another is a TLS failure that says so", "[server]")
{
    const auto servers = serversOrSkip();
    if (!servers)
        return;
    const std::string known = fmt::format(
        "ca_file = \"{}\"\n", servers->caFile().string()); // it is verified without being asked for
    for (const Protocol& protocol : kProtocols)
        for (const std::string tls : { "starttls", "implicit" }) {
            CAPTURE(protocol.name, tls);
            const auto endOf = [&](const std::string& more) {
                return logIn(protocol, targetOf(*servers, protocol, tls, "automatic", "\"secret\"", more));
            };
            const auto refused = [&](const std::string& more, const char* why) {
                const ActionEnd end = endOf(more);
                CAPTURE(more, end.failure.text);
                CHECK(end.failure.kind == FailureKind::tls);
                CHECK(end.errors == 1);
                CHECK_THAT(end.failure.text, ContainsSubstring(why));
            };
            refused(known, "(expected: 127.0.0.1)"); // the host is the name where none is stated
            refused(known + "server_name = \"other.load.test\"", "hostname mismatch");
            refused("server_name = \"mail.load.test\"", "unable to get local issuer certificate");
            if (protocol.action != ActionKind::sendMessage) // Postfix has one certificate here
                refused(known + "server_name = \"expired.load.test\"", "certificate has expired");
            CHECK(endOf("verify_certificate = false\nserver_name = \"expired.load.test\"").failure.kind
                == FailureKind::none); // nobody looks
        }
}

TEST_CASE("failed logins and certificates are outcomes in the results of a run", "[server]")
{
    const auto servers = serversOrSkip();
    if (!servers)
        return;
    const ScratchFolder folder;
    const auto runOf = [&](const std::string& smtp, const std::string& pop3, const std::string& name) {
        const auto plan = folder / (name + ".toml");
        std::ofstream(plan) << fmt::format(R"(format = 1
kind = "mail"
drain = "0 s"
[target]
password = "wrong-Secret"
command_timeout = "1 s"
[target.smtp]
port = {}
tls = "starttls"
{}
[target.pop3]
port = {}
{}
[workload]
pacing = "closed"
[[workload.steps]]
action = "read mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
[health]
max_slip_p99 = "1 s"
max_worker_cpu = 100
max_run_queue_wait = 100
max_throttled = 100
max_steal = 100
max_loop_lag_p99 = "1 s"
max_standstill = "1 h"
[[mixes]]
clients = 1
threads_per_client = 2
mailboxes_per_client = 4
think_time = "100 ms"
measurement = "2 s"
)",
            servers->smtpPort(), smtp, servers->pop3Port(), pop3);
        const ProgramEnd run =
            runProgram({ LOADSTONE_BIN_DIR "/loadstone", "--history", (folder / "history").string(), "run",
                           "--no-preflight", "--json", plan.string() },
                std::chrono::seconds(60));
        INFO(run.errors);
        CHECK_THAT(run.output + run.errors, !ContainsSubstring("wrong-Secret"));
        std::istringstream lines(run.output);
        std::string first;
        std::getline(lines, first);
        const auto file = nlohmann::json::parse(first).at("file").get<std::string>();
        auto recording = Recording::open(file);
        REQUIRE(recording);
        const auto results = computeResults(*recording);
        REQUIRE(results);
        CHECK_THAT(contentOf(file), !ContainsSubstring("wrong-Secret"));
        std::string rows;
        for (const ErrorRow& row : results->mixes.at(0).errors)
            rows += fmt::format("{}: {}\n", row.where, toString(row.kind));
        return rows;
    };
    const std::string wrong =
        runOf("auth = \"scram-sha-256\"\nverify_certificate = false", "auth = \"cram-md5\"", "wrong");
    CHECK_THAT(wrong,
        ContainsSubstring("SMTP AUTH: authentication") && ContainsSubstring("POP3 AUTH: authentication"));
    const std::string unknown = runOf("auth = \"automatic\"", "auth = \"apop\"", "unknown");
    CHECK_THAT(unknown,
        ContainsSubstring("SMTP TLS handshake: TLS") && ContainsSubstring("POP3 APOP: authentication"));
}
