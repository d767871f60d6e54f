// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "engine/embedded/target_process.h"
#include "support/catch.h"

#include <loadstone/time.h>

#include <algorithm>
#include <memory>

using namespace loadstone;
using namespace loadstone::test;

namespace {

std::unique_ptr<Client> smtpClient(const TargetProcess& target)
{
    auto client = std::make_unique<Client>(target.port("smtp"));
    REQUIRE(client->reply().starts_with("220 "));
    REQUIRE(client->say("EHLO test").starts_with("250 "));
    return client;
}

/// Submits one message and returns the reply to its end (or the first refusal).
std::string submit(Client& client, const std::vector<std::string>& recipients, const std::string& content)
{
    std::string reply = client.say("MAIL FROM:<sender@test>");
    if (!reply.starts_with("250"))
        return reply;
    for (const std::string& recipient : recipients)
        if (reply = client.say("RCPT TO:<" + recipient + "@load.test>"); !reply.starts_with("250"))
            return reply;
    if (reply = client.say("DATA"); !reply.starts_with("354"))
        return reply;
    client.send(content + ".\r\n");
    return client.reply();
}

std::unique_ptr<Client> logIn(const TargetProcess& target, const std::string& mailbox)
{
    auto client = std::make_unique<Client>(target.port("pop3"));
    REQUIRE(client->line().starts_with("+OK"));
    client->say("USER " + mailbox);
    REQUIRE(client->say("PASS x").starts_with("+OK"));
    return client;
}

std::size_t countOf(Client& pop3)
{
    return std::stoul(pop3.say("STAT").substr(4));
}

std::string retrieve(Client& pop3, std::size_t number)
{
    REQUIRE(pop3.say("RETR " + std::to_string(number)).starts_with("+OK"));
    return pop3.text();
}

std::int64_t ns(const std::map<std::string, std::string>& row, const char* column)
{
    return std::stoll(row.at(column));
}

} // namespace

TEST_CASE("a message goes to each recipient once, with trace lines, and stays until an orderly QUIT")
{
    TargetProcess target({});
    auto smtp = smtpClient(target);
    const std::string content = "Subject: a\r\n\r\nline\r\n";
    CHECK(submit(*smtp, { "Ann", "bob", "ann" }, content) == "250 2.0.0 Ok: queued");
    CHECK(smtp->say("QUIT").starts_with("221"));
    CHECK(smtp->line().empty());
    for (const char* name : { "ann", "bob@load.test" }) {
        auto pop3 = logIn(target, name);
        REQUIRE(countOf(*pop3) == 1);
        const std::string text = retrieve(*pop3, 1);
        CHECK(text.starts_with("Return-Path: <sender@test>\r\nReceived: from test ([127.0.0.1])\r\n\tby "
                               "load.test with ESMTP id "));
        CHECK(text.ends_with(content));
        CHECK(pop3->say("DELE 1").starts_with("+OK"));
    } // gone without QUIT: nothing is deleted
    auto pop3 = logIn(target, "ann");
    CHECK(pop3->say("DELE 1").starts_with("+OK"));
    CHECK(pop3->say("QUIT").starts_with("+OK"));
    CHECK(countOf(*logIn(target, "ann")) == 0);
    CHECK(countOf(*logIn(target, "bob")) == 1);
    CHECK(target.stop() == 0);
    CHECK(target.total("accepted") == 1);
    CHECK(target.total("delivered") == 2);
    CHECK(target.total("retrieved") == 2);
    CHECK(target.total("deleted") == 1);
}

TEST_CASE("a mailbox in use is refused to a second session")
{
    TargetProcess target({});
    auto first = logIn(target, "ann");
    Client second(target.port("pop3"));
    second.line();
    second.say("USER ann");
    CHECK(second.say("PASS x").starts_with("-ERR [IN-USE]"));
    CHECK(first->say("QUIT").starts_with("+OK"));
    second.say("USER ann");
    CHECK(second.say("PASS x").starts_with("+OK"));
}

TEST_CASE("pipelined commands are answered in order and in one write")
{
    const LogFile log;
    TargetProcess target({ "--log", log.name() });
    auto smtp = smtpClient(target);
    smtp->send("MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nRCPT TO:<>\r\nDATA\r\n");
    CHECK(smtp->reply().starts_with("250 2.1.0"));
    CHECK(smtp->reply().starts_with("250 2.1.5"));
    CHECK(smtp->reply().starts_with("501"));
    CHECK(smtp->reply().starts_with("354"));
    smtp->send("x\r\n.\r\nMAIL FROM:<a@b>\r\nRSET\r\nQUIT\r\n");
    CHECK(smtp->reply().starts_with("250 2.0.0 Ok: queued"));
    CHECK(smtp->reply().starts_with("250 2.1.0"));
    CHECK(smtp->reply().starts_with("250 2.0.0"));
    CHECK(smtp->reply().starts_with("221"));
    CHECK(target.stop() == 0);
    const auto rows = log.rows();
    REQUIRE(rows.size() == 10);
    const std::vector<std::string> verbs { "banner", "EHLO", "MAIL", "RCPT", "RCPT", "DATA", "EOD", "MAIL",
        "RSET", "QUIT" };
    const std::vector<std::string> replies { "220", "250", "250", "250", "501", "354", "250", "250", "250",
        "221" };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].at("verb") == verbs[i]);
        CHECK(rows[i].at("reply") == replies[i]);
        CHECK(rows[i].at("command") == std::to_string(i));
        CHECK(rows[i].at("protocol") == "smtp");
        CHECK(rows[i].at("address") == "127.0.0.1");
        CHECK(ns(rows[i], "applied_ns") == ns(rows[i], "replied_ns") - ns(rows[i], "received_ns"));
    }
    for (const auto& [first, last] : { std::pair(2, 5), std::pair(6, 9) })
        for (int i = first; i < last; ++i) {
            CHECK(rows[static_cast<std::size_t>(i)].at("replied_ns")
                == rows[static_cast<std::size_t>(last)].at("replied_ns"));
            CHECK(rows[static_cast<std::size_t>(i)].at("received_ns")
                == rows[static_cast<std::size_t>(last)].at("received_ns"));
        }
    CHECK(target.total("commands") == 9);
}

TEST_CASE("LMTP replies once per recipient")
{
    TargetProcess target({ "--users", "u{0-9}" });
    Client lmtp(target.port("lmtp"));
    CHECK(lmtp.reply().starts_with("220"));
    CHECK(lmtp.say("LHLO test").starts_with("250"));
    lmtp.say("MAIL FROM:<a@b>");
    CHECK(lmtp.say("RCPT TO:<u1@x>").starts_with("250"));
    CHECK(lmtp.say("RCPT TO:<nobody@x>").starts_with("550 5.1.1"));
    CHECK(lmtp.say("RCPT TO:<u2@x>").starts_with("250"));
    CHECK(lmtp.say("DATA").starts_with("354"));
    CHECK(lmtp.say("x\r\n.").starts_with("250"));
    CHECK(lmtp.reply().starts_with("250"));
    CHECK(lmtp.say("NOOP").starts_with("250 2.0.0 Ok"));
}

TEST_CASE("TLS works on request and from the start, and what was sent ahead of it is discarded")
{
    TargetProcess target({ "--tls", "--smtps-port", "0", "--pop3s-port", "0", "--password", "secret" });
    auto smtp = smtpClient(target);
    smtp->send("STARTTLS\r\nMAIL FROM:<injected@x>\r\n");
    CHECK(smtp->reply().starts_with("220"));
    smtp->beginTls();
    CHECK(smtp->say("EHLO test").starts_with("250 "));
    CHECK(smtp->say("AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm").starts_with("535"));
    CHECK(smtp->say("RCPT TO:<a@b>").starts_with("503"));
    Client pop3(target.port("pop3"));
    CHECK(pop3.line().find('<') != std::string::npos);
    CHECK(pop3.say("STLS").starts_with("+OK"));
    pop3.beginTls();
    CHECK(pop3.say("USER a").starts_with("+OK"));
    CHECK(pop3.say("PASS secret").starts_with("+OK"));
    Client smtps(target.port("smtps"));
    smtps.beginTls();
    CHECK(smtps.reply().starts_with("220"));
    Client pop3s(target.port("pop3s"));
    pop3s.beginTls();
    CHECK(pop3s.line().starts_with("+OK"));
    CHECK(target.stop() == 0);
}

TEST_CASE("messages are lost, doubled, damaged and delayed exactly as logged")
{
    const LogFile log;
    TargetProcess target({ "--message-log", log.name(), "--seed", "11", "--fault", "lose:0.1", "--fault",
        "duplicate:0.1", "--fault", "damage:0.1", "--fault", "delay:0.1:1 h" });
    auto smtp = smtpClient(target);
    constexpr int kMessages = 300;
    const std::string body = "the quick brown fox\r\n.\r\njumps\r\n";
    for (int i = 0; i < kMessages; ++i)
        REQUIRE(submit(*smtp, { "a", "b" },
            "X-Loadstone-Token: T" + std::to_string(i) + "\r\n\r\nthe quick brown fox\r\n..\r\njumps\r\n")
                    .starts_with("250"));
    std::map<std::string, std::string> seen; // mailbox and token: one letter per copy, s(ound) or d(amaged)
    for (const char* mailbox : { "a", "b" }) {
        auto pop3 = logIn(target, mailbox);
        const std::size_t count = countOf(*pop3);
        for (std::size_t n = 1; n <= count; ++n) {
            const std::string text = retrieve(*pop3, n);
            const auto at = text.find("Token: ") + 7;
            const auto token = text.substr(at, text.find("\r\n", at) - at);
            seen[mailbox + token] += text.ends_with("\r\n\r\n" + body) ? 's' : 'd';
        }
    }
    CHECK(target.stop() == 0);
    const auto rows = log.rows();
    REQUIRE(rows.size() == 2 * kMessages);
    std::map<std::string, std::int64_t> fates;
    const std::map<std::string, std::string> expected { { "delivered", "s" }, { "lost", "" },
        { "duplicated", "ss" }, { "damaged", "d" }, { "delayed", "" } };
    for (const auto& row : rows) {
        INFO(row.at("token") << " " << row.at("mailbox") << " " << row.at("fate"));
        CHECK(seen[row.at("mailbox") + row.at("token")] == expected.at(row.at("fate")));
        ++fates[row.at("fate")];
    }
    for (const char* fate : { "lost", "duplicated", "damaged", "delayed" }) {
        CHECK(fates[fate] > 20);
        CHECK(target.total(fate) == fates[fate]);
    }
    CHECK(target.total("accepted") == kMessages);
    CHECK(target.total("delivered") == 2 * kMessages - fates["lost"] + fates["duplicated"]);
}

TEST_CASE("commands are rejected, stalled, dropped and slowed exactly as logged")
{
    const LogFile log;
    TargetProcess target({ "--log", log.name(), "--fault", "reject:0.2:451", "--fault", "stall:0.05:20 ms",
        "--fault", "drop:0.05", "--fault", "slow:0.1:1 ms", "--fault", "refuse:0.2" });
    std::vector<std::string> seen; // reply code of each command in order; "" for a dropped one
    for (int session = 0; session < 40; ++session) {
        Client smtp(target.port("smtp"));
        seen.push_back(smtp.reply().substr(0, 3));
        if (seen.back() == "421") {
            CHECK(smtp.line().empty());
            continue;
        }
        for (const char* command :
            { "EHLO x", "MAIL FROM:<a@b>", "RSET", "MAIL FROM:<a@b>", "RCPT TO:<c@d>", "NOOP", "QUIT" }) {
            seen.push_back(smtp.say(command).substr(0, 3));
            if (seen.back().empty())
                break;
        }
    }
    CHECK(target.stop() == 0);
    const auto rows = log.rows();
    REQUIRE(rows.size() == seen.size());
    std::map<std::string, int> faults;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string& fault = rows[i].at("fault");
        INFO(i << " " << rows[i].at("verb") << " " << fault);
        ++faults[fault];
        CHECK(rows[i].at("reply") == seen[i]);
        CHECK((fault == "drop") == seen[i].empty());
        CHECK((fault == "refuse") == (seen[i] == "421"));
        CHECK((fault == "reject") == (seen[i] == "451"));
        if (fault == "stall")
            CHECK(ns(rows[i], "applied_ns") >= 20'000'000);
        if (fault == "slow") // the shortest reply has 14 bytes
            CHECK(ns(rows[i], "applied_ns") >= 13'000'000);
    }
    for (const char* fault : { "reject", "stall", "drop", "slow", "refuse" })
        CHECK(faults[fault] > 0);
}

TEST_CASE("no reply leaves during the freeze, and all are there after it")
{
    const LogFile log;
    TargetProcess target({ "--log", log.name(), "--freeze", "100 ms:300 ms" });
    auto smtp = smtpClient(target);
    auto other = smtpClient(target);
    const MonoTime end = monoNow() + std::chrono::milliseconds(500);
    while (monoNow() < end) {
        REQUIRE(smtp->say("NOOP").starts_with("250"));
        REQUIRE(other->say("NOOP").starts_with("250"));
    }
    CHECK(target.stop() == 0);
    const auto rows = log.rows();
    const std::int64_t begin = ns(rows.front(), "received_ns") + 100'000'000;
    int held = 0;
    for (const auto& row : rows) {
        const bool inside =
            ns(row, "replied_ns") >= begin + 1'000'000 && ns(row, "replied_ns") < begin + 300'000'000;
        CHECK_FALSE(inside);
        held += ns(row, "applied_ns") > 250'000'000;
    }
    CHECK(held == 1); // the client that waited could not send another
    CHECK(ns(rows.back(), "replied_ns") > begin + 300'000'000);
}

TEST_CASE("with one place, commands are served one after the other in the order of arrival")
{
    const LogFile log;
    TargetProcess target({ "--log", log.name(), "--service-time", "constant 20 ms", "--service-verbs", "NOOP",
        "--capacity", "1" });
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 5; ++i)
        clients.push_back(smtpClient(target));
    for (auto& client : clients)
        client->send("NOOP\r\n");
    clients[3].reset(); // it leaves while in line: that must not hold up the others
    for (std::size_t i : { 0U, 1U, 2U, 4U })
        CHECK(clients[i]->reply().starts_with("250"));
    CHECK(target.stop() == 0);
    std::vector<std::map<std::string, std::string>> served;
    for (const auto& row : log.rows())
        if (row.at("verb") == "NOOP" && ns(row, "replied_ns") != 0)
            served.push_back(row);
    REQUIRE(served.size() >= 4);
    for (std::size_t i = 1; i < served.size(); ++i) {
        CHECK(ns(served[i], "received_ns") >= ns(served[i - 1], "received_ns"));
        CHECK(ns(served[i], "replied_ns") - ns(served[i - 1], "replied_ns") >= 19'900'000);
    }
}

TEST_CASE("without a limit, drawn times run side by side and are kept to")
{
    const LogFile log;
    TargetProcess target({ "--log", log.name(), "--service-time", "exponential 5 ms", "--seed", "5" });
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(std::make_unique<Client>(target.port("pop3")));
        clients.back()->line();
    }
    for (int round = 0; round < 20; ++round) {
        for (auto& client : clients)
            client->send("CAPA\r\n");
        for (auto& client : clients) {
            REQUIRE(client->line().starts_with("+OK"));
            client->text();
        }
    }
    CHECK(target.stop() == 0);
    std::vector<std::int64_t> slips;
    for (const auto& row : log.rows())
        if (row.at("verb") == "CAPA") {
            CHECK(ns(row, "drawn_ns") >= 0);
            slips.push_back(ns(row, "applied_ns") - ns(row, "drawn_ns"));
            CHECK(slips.back() >= 0);
        }
    REQUIRE(slips.size() == 400);
    std::sort(slips.begin(), slips.end());
    CHECK(slips[200] < 500'000); // what is typical on an idle machine is measured elsewhere
}

TEST_CASE("new mail is refused with 452 when the memory is full, and taken again when there is room")
{
    TargetProcess target({ "--max-memory", "200 KB" });
    auto smtp = smtpClient(target);
    const std::string content = "Subject: x\r\n\r\n" + std::string(30'000, 'x') + "\r\n";
    int accepted = 0;
    while (accepted < 20 && submit(*smtp, { "a" }, content).starts_with("250"))
        ++accepted;
    CHECK(accepted >= 5);
    CHECK(accepted <= 6);
    smtp->say("RSET");
    CHECK(submit(*smtp, { "a" }, content).starts_with("452"));
    auto pop3 = logIn(target, "a");
    CHECK(pop3->say("DELE 1").starts_with("+OK"));
    CHECK(pop3->say("QUIT").starts_with("+OK"));
    smtp->say("RSET");
    CHECK(submit(*smtp, { "a" }, content).starts_with("250"));
}

TEST_CASE("a message can be read only after the delivery delay")
{
    const LogFile log;
    TargetProcess target({ "--delivery-delay", "150 ms", "--message-log", log.name() });
    auto smtp = smtpClient(target);
    REQUIRE(submit(*smtp, { "a" }, "X-Loadstone-Token: t\r\n\r\nx\r\n").starts_with("250"));
    MonoTime before;
    std::size_t polls = 0;
    for (std::size_t count = 0; count == 0; ++polls) {
        auto pop3 = logIn(target, "a");
        before = monoNow();
        count = countOf(*pop3);
        pop3->say("QUIT");
    }
    CHECK(polls > 1);
    CHECK(target.stop() == 0);
    const auto rows = log.rows();
    REQUIRE(rows.size() == 1);
    CHECK(ns(rows[0], "visible_ns") - ns(rows[0], "accepted_ns") == 150'000'000);
    CHECK(before.time_since_epoch().count() >= ns(rows[0], "visible_ns"));
}

TEST_CASE("garbage on every port leaves the target serving")
{
    TargetProcess target({ "--tls", "--smtps-port", "0" });
    Random random(2);
    for (int round = 0; round < 60; ++round) {
        const char* const services[] = { "smtp", "lmtp", "pop3", "smtps" };
        Client client(target.port(services[round % 4]));
        std::string bytes = round % 3 == 0 ? "EHLO x\r\nMAIL FROM:<a>\r\nRCPT TO:<b>\r\nDATA\r\n" : "";
        for (int i = 0; i < 5000; ++i)
            bytes += random.below(20) == 0 ? '\n' : static_cast<char>(random());
        client.send(bytes);
        if (round % 2 == 0) {
            client.closeWriting();
            while (!client.line().empty()) { }
        }
    }
    CHECK(smtpClient(target)->say("NOOP").starts_with("250"));
    CHECK(target.stop() == 0);
}

TEST_CASE("more than the allowed connections are turned away, and a place that is given up can be taken")
{
    TargetProcess target({ "--max-connections", "2" });
    auto first = smtpClient(target);
    auto second = smtpClient(target);
    {
        Client third(target.port("smtp"));
        CHECK(third.reply().starts_with("421"));
        CHECK(third.line().empty());
        Client fourth(target.port("pop3"));
        CHECK(fourth.line().starts_with("-ERR [SYS/TEMP]"));
        CHECK(fourth.line().empty());
    }
    CHECK(first->say("QUIT").starts_with("221"));
    CHECK(first->line().empty());
    std::string banner;
    while (!banner.starts_with("220")) { // until the server has seen those above go
        Client again(target.port("smtp"));
        banner = again.reply();
    }
    CHECK(second->say("NOOP").starts_with("250"));
}

TEST_CASE("the target ends in order within a second: on a signal, and when its parent is gone")
{
    const LogFile log;
    TargetProcess target({ "--log", log.name(), "--service-time", "constant 60 s" });
    Client waiting(target.port("smtp"));
    waiting.reply();
    waiting.send("EHLO x\r\n");
    const MonoTime before = monoNow();
    CHECK(target.stop() == 0);
    CHECK(monoNow() - before < std::chrono::seconds(1));
    CHECK(target.total("connections") == 1);
    CHECK(log.rows().size() == 1);
    TargetProcess orphan({ "--stop-with-parent" });
    orphan.closeInput();
    CHECK(orphan.wait() == 0);
    CHECK(orphan.total("connections") == 0);
}
