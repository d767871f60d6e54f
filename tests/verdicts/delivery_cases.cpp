// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of mail: the delivery audit and the mailbox oracle beside the target's own logs.
#include "mail_plan.h"

#include <fmt/format.h>

namespace loadstone::test {

namespace {

VerdictCase erring(const std::string& name, const std::string& fault, const char* fate, const std::string& targets)
{
    return { name, "fault " + fault, "went wrong", 4, { "audit" },
        [=](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", fault });
            MailPlan plan;
            plan.top = "delivery_limit = \"2 s\"";
            RunEnd end = scene.run(write(scene, plan));
            compareAccepted(end, target);
            insist(target.copies(targets) > 0, "the target has done nothing wrong");
            witness = agree(fmt::format("copies {}, audit and target's log", targets), end.audit(fate), target.copies(targets));
            return end;
        } };
}

VerdictCase late()
{
    return { "Copies come after the delivery limit", "fault delay:0.2:4 s, limit 2 s", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", "delay:0.2:4 s" });
            MailPlan plan;
            plan.top = "delivery_limit = \"2 s\"";
            RunEnd end = scene.run(write(scene, plan));
            insist(end.text.find(" late") != std::string::npos, "nothing is called late");
            witness = agree("copies late, audit and target's log", end.audit("late"), target.copies("delayed"));
            return end;
        } };
}

VerdictCase shortDrain()
{
    return { "Copies arrive after the drain's end", "delivery delay 8 s, drain 3 s, limit 60 s", "not met", 5, { "audit" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--delivery-delay", "8 s" });
            MailPlan plan;
            plan.measurement = "4 s";
            plan.drain = "3 s";
            RunEnd end = scene.run(write(scene, plan));
            agree("copies lost", end.audit("lost"), target.total("lost"));
            insist(end.text.find("were not retrieved by the end of the run") != std::string::npos, "it does not say why");
            witness = compareOutstanding(end, target, 2);
            return end;
        } };
}

VerdictCase queue()
{
    return { "The server's queue is longer than the drain", "RETR takes 250 ms, one at a time; 20 copies a second, drain 3 s",
        "not met", 5, { "audit", "queueGrowth \\Loadstone Audit\\Outstanding" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--service-time", "constant 250 ms", "--service-verbs",
                "RETR", "--capacity", "1" });
            MailPlan plan;
            plan.workload = "pacing = \"open\"\nrate = \"1/s\"";
            plan.mix = "mailboxes_per_client = 10";
            plan.measurement = "15 s";
            plan.drain = "3 s";
            plan.criteria = "queue_growth = 50\naudit = true";
            RunEnd end = scene.run(write(scene, plan));
            agree("copies lost", end.audit("lost"), target.total("lost"));
            witness = compareOutstanding(end, target, 10); // each user's reading may have one on its way
            return end;
        } };
}

VerdictCase restarted()
{
    return { "The server is restarted in mid-run and forgets its mail", "SIGTERM and a new target on the same ports",
        "went wrong", 4, { "audit" },
        [](Scene& scene, std::string& witness) {
            SceneTarget* first = &scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.steps = MailPlan().steps;
            plan.top = "delivery_limit = \"1 s\"";
            plan.criteria = "audit = true";
            // What was sent before is read by nobody for some seconds: the first reading of a mailbox is at its rate.
            plan.workload = "pacing = \"open\"\nrate = \"10/min\"";
            plan.mix = "mailboxes_per_client = 200";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 5)
                    first = &scene.restart(0, { "--password", "secret" });
            });
            insist(end.audit("lost") > 0, "no copy is lost");
            // What the first target had no time to answer is in its count only.
            witness = agree("messages accepted, audit and both targets", end.audit("accepted"),
                          first->total("accepted") + scene.at(0).total("accepted"), 4)
                + "; "
                + agree("copies lost or outstanding, and in the first target's memory at its end",
                    end.audit("lost") + end.audit("outstanding"), first->total("delivered") - first->total("deleted"), 8);
            return end;
        } };
}

VerdictCase lies(const char* name, const char* fault, const char* says)
{
    return { name, fmt::format("fault {}; simulated users over IMAP, the oracle follows all", fault), "went wrong", 4,
        { "oracle" },
        [=](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret", "--fault", fault });
            MailPlan plan;
            plan.top = "delivery_limit = \"1 min\"";
            plan.servers = serversOf(target, { "smtp", "imap" });
            plan.workload = "pacing = \"users\"\nprofile = \"medium-5.5\"\nday = \"60 s\"\nlogon_over = \"4 s\"\noracle = \"100 %\"";
            plan.steps.clear();
            plan.mix.clear();
            plan.clients = "users = 20";
            plan.rampUp = "5 s";
            plan.measurement = "4 s";
            plan.criteria = "audit = true";
            RunEnd end = scene.run(write(scene, plan));
            agree("copies lost", end.audit("lost"), target.total("lost"));
            std::uint64_t said = 0;
            for (const auto& exception : end.results().at("exceptions"))
                said += exception.at("detail").get<std::string>().find(says) != std::string::npos ? 1 : 0;
            insist(said > 0, "no finding says " + std::string(says) + ": " + end.results().at("exceptions").dump().substr(0, 600));
            witness = agree("copies delivered, audit and target", end.audit("deliveredOnce") + end.audit("late"),
                          target.total("delivered"))
                + fmt::format("; {} findings", end.results().at("oracle").at("findings").get<int>());
            return end;
        } };
}

} // namespace

std::vector<VerdictCase> deliveryCases()
{
    return {
        erring("Copies are lost", "lose:0.2", "lost", "lost"),
        erring("Copies are delivered twice", "duplicate:0.2", "twice", "duplicated"),
        erring("Copies are damaged", "damage:0.2", "damaged", "damaged"),
        late(),
        shortDrain(),
        queue(),
        restarted(),
        lies("Searches find nothing", "search:1", "SEARCH"),
        lies("What was read stays unread", "unread:1", "een"),
    };
}

} // namespace loadstone::test
