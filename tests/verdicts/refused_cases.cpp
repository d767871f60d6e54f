// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What must not be begun, and what a server claims to have done and has not. The witnesses are targets, and servers of a script
// that keep every line that they get.
#include "mail_plan.h"
#include "support/scripted_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace loadstone::test {

namespace {

constexpr unsigned kManyConnections = 1000;

/// A server of a script, and what it was told.
class Hearing {
public:
    using Answer = std::function<std::string(const std::string& line)>;
    Hearing(std::string greeting, Answer answer)
        : m_peer({ std::move(greeting),
            [this, answer = std::move(answer)](const std::string& line) {
                const std::lock_guard lock(m_mutex);
                m_heard.push_back(line);
                return answer(line);
            },
            ScriptedPeer::kNever, ScriptedPeer::Fault::closes, kManyConnections })
    {
    }
    [[nodiscard]] std::uint16_t port() const { return m_peer.port(); }
    template <class Test>
    [[nodiscard]] std::uint64_t heard(Test&& test)
    {
        const std::lock_guard lock(m_mutex);
        return static_cast<std::uint64_t>(std::ranges::count_if(m_heard, test));
    }

private:
    std::mutex m_mutex;
    std::vector<std::string> m_heard;
    ScriptedPeer m_peer; // last: its thread uses the others
};

std::string withSmtpPort(const SceneTarget& target, std::uint16_t port)
{
    return fmt::format("[target.smtp]\nport = {}\n", port) + serversOf(target, { "pop3" });
}

/// An SMTP server that takes no mail, and says `refusal` to a command.
VerdictCase smtpRefuses(const char* name, const char* how, const char* verb, const char* refusal, const char* why)
{
    return { name, how, "none", 2, {},
        [=](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            Hearing smtp("220 peer ESMTP\r\n", [=](const std::string& line) -> std::string {
                if (line.starts_with(verb))
                    return std::string(refusal) + "\r\n";
                return line.starts_with("EHLO") ? "250-peer\r\n250 SIZE 1000000\r\n"
                    : line.starts_with("QUIT")  ? "221 bye\r\n"
                    : line.starts_with("DATA")  ? "354 go on\r\n"
                                                : "250 good\r\n";
            });
            MailPlan plan;
            plan.servers = withSmtpPort(target, smtp.port());
            RunEnd end = scene.refused({ "run", write(scene, plan) }, why);
            insist(smtp.heard([=](const std::string& line) { return line.starts_with(verb); }) > 0,
                "it has not tried");
            witness = none("DATA that the server was told",
                smtp.heard([](const std::string& line) { return line.starts_with("DATA"); }));
            return end;
        } };
}

VerdictCase closedPort()
{
    return { "Nobody serves the port of one protocol", "POP3 on port 1", "none", 2, {},
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.servers = serversOf(target, { "smtp" }) + "[target.pop3]\nport = 1\n";
            RunEnd end = scene.refused({ "run", write(scene, plan) }, "every action over POP3 fails");
            witness = none("messages that the target accepted over SMTP", target.total("accepted"));
            return end;
        } };
}

VerdictCase foreignDomain()
{
    return { "The plan's domain may be that of strangers", "a domain below .com, and nobody named who allowed it", "none", 2, {},
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.target = "domain = \"strangers.com\"";
            RunEnd end = scene.refused({ "run", write(scene, plan), "--no-preflight" }, "may reach strangers");
            witness = none("connections that the target saw", target.total("connections"));
            return end;
        } };
}

VerdictCase untrusted()
{
    return { "The server's certificate is not to be trusted", "TLS with a throw-away certificate, preflight overruled",
        "nothing succeeded", 6, { "audit", "errorRate", "responseTime Empty mailbox", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--tls" });
            MailPlan plan;
            const auto& ports = target.ports();
            plan.servers = fmt::format("[target.smtp]\nport = {}\ntls = \"starttls\"\n[target.pop3]\nport = {}\ntls = \"starttls\"\n",
                ports.at("smtp").get<int>(), ports.at("pop3").get<int>());
            const std::string file = write(scene, plan);
            insist(scene.refused({ "run", file }, "certificate is not accepted").exitCode == 2, "the preflight finds nothing");
            RunEnd end = scene.run(file);
            agree("messages accepted", end.audit("accepted"), target.total("accepted"));
            witness = none("logins in the target's log",
                target.answers("pop3", "APOP", "+OK") + target.answers("pop3", "APOP", "-ERR")
                    + target.answers("pop3", "PASS", "+OK") + target.answers("pop3", "PASS", "-ERR"));
            return end;
        } };
}

/// An IMAP server that has empty folders. `append` and `select`: what it answers to these, a tag in place of $.
Hearing::Answer imapServer(std::string append, std::string select)
{
    return [=](const std::string& line) -> std::string {
        const auto blank = line.find(' ');
        const std::string tag = line.substr(0, blank), rest = blank == std::string::npos ? "" : line.substr(blank + 1);
        if (tag.size() < 2 || tag[0] != 'a' || tag.find_first_not_of("0123456789", 1) != std::string::npos)
            return ""; // no command
        const auto tagged = [&](std::string answer) {
            for (auto at = answer.find('$'); at != std::string::npos; at = answer.find('$'))
                answer.replace(at, 1, tag);
            return answer;
        };
        if (rest.starts_with("APPEND"))
            return tagged(append);
        if (rest.starts_with("SELECT") || rest.starts_with("EXAMINE"))
            return tagged(select);
        if (rest.starts_with("LIST"))
            return tagged("* LIST () \"/\" INBOX\r\n$ OK done\r\n");
        if (rest.starts_with("CAPABILITY"))
            return tagged("* CAPABILITY IMAP4rev1 UIDPLUS\r\n$ OK done\r\n");
        if (rest.starts_with("UID SEARCH") || rest.starts_with("SEARCH"))
            return tagged("* SEARCH\r\n$ OK done\r\n");
        return tagged("$ OK done\r\n");
    };
}

constexpr const char* kSelected = "* 0 EXISTS\r\n* FLAGS (\\Seen)\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 1] x\r\n$ OK [READ-WRITE] done\r\n";

VerdictCase imapDeceives(const char* name, const char* how, const std::string& append, const std::string& select)
{
    return { name, how, "not done", 3, { "generator" },
        [=](Scene& scene, std::string& witness) {
            Hearing imap("* PREAUTH [CAPABILITY IMAP4rev1 UIDPLUS] ready\r\n", imapServer(append, select));
            MailPlan plan;
            plan.servers = fmt::format("[target.smtp]\nport = 25\n[target.imap]\nport = {}\n", imap.port());
            plan.workload = "pacing = \"open\"\nrate = \"1/h\"\n[workload.initial]\ninbox = 2";
            plan.steps = "[[workload.steps]]\naction = \"send message\"\nsize = \"2 KB\"\n";
            plan.mix = "mailboxes_per_client = 1";
            plan.criteria = "error_rate = \"5 %\"";
            const ProgramEnd filled = scene.program({ "init", write(scene, plan), "--sessions", "1" });
            RunEnd end = scene.last(filled.exitCode);
            reasonsNumber(end, "1 of "); // mailboxes could not be initialised: that is why it is not valid
            const auto& totals = end.results().at("preparations").at(0).at("totals");
            const std::uint64_t texts = imap.heard([](const std::string& line) { return line.starts_with("X-Loadstone-Initial"); });
            witness = agree("messages appended, and texts that the server got", totals.at("appended").get<std::uint64_t>(), texts)
                + fmt::format("; it got {} APPEND", imap.heard([](const std::string& line) { return line.find("APPEND") != std::string::npos; }));
            none("mailboxes filled", totals.at("done").get<std::uint64_t>());
            return end;
        } };
}

} // namespace

std::vector<VerdictCase> refusedCases()
{
    return {
        smtpRefuses("Submission needs a login, and the plan has none", "a server that says 530 to MAIL", "MAIL",
            "530 5.7.0 Authentication required", "530"),
        smtpRefuses("The server does not serve the plan's domain", "a server that says 550 to RCPT", "RCPT",
            "550 5.7.1 Relaying denied", "550"),
        closedPort(),
        foreignDomain(),
        untrusted(),
        imapDeceives("A server says that it has taken a message which it never got", "an early OK to APPEND, while filling",
            "$ OK [APPENDUID 1 1] done\r\n", kSelected),
        imapDeceives("A server answers a command twice", "two OK to one SELECT, while filling", "$ NO never\r\n",
            std::string(kSelected) + "$ OK again\r\n"),
    };
}

} // namespace loadstone::test
