// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that hang, pause, refuse, or drop connections. The witnesses are their logs and the kernel's list of connections.
#include "mail_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace loadstone::test {

namespace {

VerdictCase sound()
{
    return { "Nothing goes wrong", "the embedded target, two threads", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            RunEnd end = scene.run(write(scene, {}));
            witness = compareAccepted(end, target) + "; "
                + agree("copies once, audit and target's log", end.audit("deliveredOnce"), target.copies("delivered"));
            agree("copies retrieved", end.audit("deliveredOnce"), target.total("retrieved"));
            return end;
        } };
}

VerdictCase hangs()
{
    return { "The server hangs for good, open pacing", "SIGSTOP to the target 2 s into the measurement", "not met", 5,
        { "errorRate", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.drain = "1 s";
            plan.criteria = "response_time = \"20 s\"\nerror_rate = \"5 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 2)
                    target.signal(SIGSTOP);
            });
            const std::uint64_t due = counted(end, "due"), unfinished = counted(end, "unfinished");
            insist(due >= 8 * 39 && due <= 8 * 41, fmt::format("{} are due in 8 s at 40/s", due));
            insist(unfinished >= 5 * 40, fmt::format("{} are unfinished after 6 s of hanging at 40/s", unfinished));
            insist(end.text.find("≥") != std::string::npos, "no percentile is marked as a lower bound");
            witness = agree("messages sent, program and target's log before it fell silent", counted(end, "ended"),
                silenceOf(target, "EOD", "250").before, 2);
            return end;
        } };
}

/// Connections of this machine's clients to a port, as the kernel lists them.
std::uint64_t connectionsTo(int port)
{
    constexpr int kEstablished = 1;
    std::uint64_t connections = 0;
    std::ifstream in("/proc/net/tcp");
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        std::string number, local, remote, state;
        cells >> number >> local >> remote >> state;
        connections += std::stoi(remote.substr(remote.find(':') + 1), nullptr, 16) == port
                && std::stoi(state, nullptr, 16) == kEstablished
            ? 1
            : 0;
    }
    return connections;
}

VerdictCase hangsClosed()
{
    return { "The server hangs for good, closed pacing", "SIGSTOP to the target 1 s into the measurement", "not met", 5,
        { "errorRate", "responseTime Empty mailbox", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.mix = "threads_per_client = 20\nmailboxes_per_client = 20";
            plan.measurement = "4 s";
            plan.drain = "1 s";
            plan.criteria = "percentile = 99.9\nresponse_time = \"20 s\"\nerror_rate = \"0 %\"";
            std::uint64_t open = 0;
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 1)
                    target.signal(SIGSTOP);
                else if (phase == "measurement" && tick == 3)
                    open = connectionsTo(target.ports().at("smtp")) + connectionsTo(target.ports().at("pop3"));
            });
            witness = agree("unfinished actions, and connections to the stopped target by /proc/net/tcp",
                counted(end, "unfinished"), open);
            return end;
        } };
}

VerdictCase pauses()
{
    return { "The server stops for 4 s and goes on", "SIGSTOP and SIGCONT to the target", "not met", 5,
        { "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.criteria = "response_time = \"500 ms\"\nerror_rate = \"1 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && (tick == 2 || tick == 6))
                    target.signal(tick == 2 ? SIGSTOP : SIGCONT);
            });
            witness = agreeTimes("longest response, and silence in the target's log", longestResponse(end, "Send message"),
                          silenceOf(target, "EOD", "250").length, 0.3)
                + "; "
                + agree("messages sent, program and target", counted(end, "ended"), target.total("accepted"), 2);
            return end;
        } };
}

VerdictCase allRefused()
{
    return { "Every connection is refused", "fault refuse:1", "nothing succeeded", 6,
        { "audit", "errorRate", "responseTime Empty mailbox", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", "refuse:1" });
            MailPlan plan;
            plan.rampUp = "0 s";
            RunEnd end = scene.run(write(scene, plan));
            agree("messages accepted", end.audit("accepted"), target.total("accepted"));
            witness = agree("SMTP clients turned away, program and target's log", errorsAt(end, "SMTP banner"),
                target.answers("smtp", "banner", "421"), 2); // a thread may do so at the measurement's end
            return end;
        } };
}

VerdictCase wrongPassword()
{
    return { "Every login is refused", "the target has another password; only mailboxes are read", "nothing succeeded",
        6, { "audit", "errorRate", "responseTime Empty mailbox" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "other" });
            MailPlan plan;
            plan.steps = "[[workload.steps]]\naction = \"empty mailbox\"\n";
            plan.rampUp = "0 s";
            RunEnd end = scene.run(write(scene, plan));
            none("messages retrieved", target.total("retrieved"));
            witness = agree("logins refused, program and target's log", errorsAt(end, "POP3 APOP"),
                target.answers("pop3", "APOP", "-ERR", 3.0), 2); // the drain tries once more
            return end;
        } };
}

VerdictCase halfRefused()
{
    return { "Half of the senders and recipients are refused", "fault reject:0.5:550", "not met", 5, { "errorRate" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", "reject:0.5:550" });
            MailPlan plan;
            plan.rampUp = "0 s";
            RunEnd end = scene.run(write(scene, plan));
            std::set<std::uint64_t> refusals; // connections with at least one refused recipient; each is one action
            for (const LoggedCommand& one : target.commands())
                if (one.verb == "RCPT" && one.reply == "550")
                    refusals.insert(one.connection);
            witness = compareAccepted(end, target) + "; "
                + agree("senders refused, program and target's log", errorsAt(end, "SMTP MAIL"), target.answers("smtp", "MAIL", "550"), 2)
                + "; " + agree("messages with refused recipients", errorsAt(end, "SMTP RCPT"), refusals.size(), 2);
            return end;
        } };
}

VerdictCase halfUnknown()
{
    return { "Half of the mailboxes are not there", "the target knows u0 to u2, the plan has u0 to u5", "not met", 5,
        { "errorRate" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--users", "u{0-2}" });
            MailPlan plan;
            plan.rampUp = "0 s";
            plan.steps = "[[workload.steps]]\naction = \"empty mailbox\"\n[[workload.steps]]\naction = \"send message\"\n"
                         "size = \"2 KB\"\nrecipients = 1\n";
            RunEnd end = scene.run(write(scene, plan));
            witness = compareAccepted(end, target) + "; "
                + agree("recipients refused, program and target's log", errorsAt(end, "SMTP RCPT"),
                    target.answers("smtp", "RCPT", "550"), 2)
                + "; "
                + agree("logins refused", errorsAt(end, "POP3 APOP"), target.answers("pop3", "APOP", "-ERR", 3.0), 2);
            for (const LoggedCopy& copy : target.copies())
                insist(copy.mailbox == "u0" || copy.mailbox == "u1" || copy.mailbox == "u2", "a copy is for " + copy.mailbox);
            return end;
        } };
}

VerdictCase cutConnections()
{
    return { "The server drops a third of the replies", "fault drop:0.3", "not met", 5, { "errorRate" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", "drop:0.3" });
            MailPlan plan;
            plan.mix = "threads_per_client = 8\nmailboxes_per_client = 8\nthink_time = \"10 ms\"";
            plan.criteria = "error_rate = \"5 %\"";
            RunEnd end = scene.run(write(scene, plan));
            // A message may be accepted without the client ever hearing of it.
            witness = agree("messages accepted by the program, and replies that said so in the target's log",
                          end.audit("accepted"), target.answers("smtp", "EOD", "250"))
                + fmt::format(" (the target took {})", target.total("accepted"));
            insist(end.audit("accepted") <= target.total("accepted"), "more messages are accepted than the target took");
            return end;
        } };
}

VerdictCase late()
{
    return { "A tenth of the replies comes 3 s late", "fault stall:0.1:3 s", "not met", 5,
        { "responseTime Empty mailbox", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", "stall:0.1:3 s" });
            MailPlan plan;
            plan.mix = "threads_per_client = 12\nmailboxes_per_client = 12\nthink_time = \"50 ms\"";
            plan.rampUp = "0 s";
            plan.measurement = "8 s";
            plan.criteria = "response_time = \"1 s\"";
            RunEnd end = scene.run(write(scene, plan));
            const auto commands = target.commands();
            const std::uint64_t first = std::ranges::min(commands, {}, &LoggedCommand::received).received;
            std::map<std::uint64_t, std::uint64_t> begun; // by connections
            double longest = 0;
            for (const LoggedCommand& one : commands) {
                begun.try_emplace(one.connection, one.received);
                if (one.verb == "EOD" && one.replied != 0 && one.replied < first + 8'000'000'000)
                    longest = std::max(longest, static_cast<double>(one.replied - begun.at(one.connection)) / 1e9);
            }
            witness = agreeTimes("longest sending in the measurement, program and target's log",
                longestResponse(end, "Send message"), longest, 0.3);
            return end;
        } };
}

VerdictCase tooShort()
{
    return { "The measurement is shorter than one action", "constant service time 1 s, measurement 2 s", "nothing succeeded",
        6, { "audit", "errorRate", "responseTime Empty mailbox" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--service-time", "constant 1 s" });
            MailPlan plan;
            plan.rampUp = "0 s";
            plan.measurement = "2 s";
            RunEnd end = scene.run(write(scene, plan));
            witness = agree("actions ended, and commands that end one in the target's log of these 2 s", counted(end, "ended"),
                target.answers("pop3", "QUIT", "+OK", 2) + target.answers("smtp", "EOD", "250", 2));
            return end;
        } };
}

VerdictCase neverHappens()
{
    return { "A criterion on something that never happens", "a limit for reading, which no step does", "not met", 5,
        { "responseTime Read mailbox" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.criteria = "actions = { read_mailbox = \"1 s\" }";
            RunEnd end = scene.run(write(scene, plan));
            agree("copies retrieved", target.total("retrieved"), target.total("deleted"));
            witness = compareAccepted(end, target)
                + fmt::format("; the target deleted each of {} copies that it handed out: none was only read", target.total("deleted"));
            return end;
        } };
}

VerdictCase oneDead()
{
    return { "One of two servers is dead", "the second of two targets ends before the run's measurement", "nothing succeeded",
        6, { "errorRate" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& alive = scene.target({ "--password", "secret" });
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.clients = "clients = 2";
            plan.rampUp = "3 s";
            const auto entry = [&](std::size_t n) {
                const auto& ports = scene.at(n).ports();
                return fmt::format("[[targets]]\nname = \"T{}\"\nfirst_number = {}\nsmtp = {{ port = {} }}\npop3 = {{ port = {} }}\n",
                    n, n * 1000, ports.at("smtp").get<int>(), ports.at("pop3").get<int>());
            };
            plan.servers = entry(0) + entry(1);
            plan.criteria = "error_rate = \"5 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "ramp-up" && tick == 1)
                    scene.at(1).kill();
            });
            const auto text = scene.program({ "show", "last", "--target", "T1" });
            insist(text.output.find("othing") != std::string::npos,
                "show --target T1 does not say that nothing succeeded: " + text.output.substr(0, 400));
            RunEnd first = end;
            first.shown = nlohmann::json::parse(scene.program({ "show", "last", "--target", "T0", "--json" }).output);
            witness = "the first target: " + compareAccepted(first, alive);
            return end;
        } };
}

} // namespace

std::vector<VerdictCase> serverCases()
{
    return { sound(), hangs(), hangsClosed(), pauses(), late(), allRefused(), wrongPassword(), halfRefused(), halfUnknown(),
        cutConnections(), tooShort(), neverHappens(), oneDead() };
}

} // namespace loadstone::test
