// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"

#include <fmt/format.h>

#include <csignal>
#include <unistd.h>

namespace loadstone::test {

namespace {

constexpr const char* kEmptyAndSend = R"([[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 2
)";
constexpr const char* kSend = R"([[workload.steps]]
action = "send message"
size = "2 KB"
)";

/// A plan of some seconds against targets of a scene. What is not said is what a sound run needs. The limits of the generator's health
/// are wide where the generator is not what is looked at: other programs on the machine must not decide.
struct MailPlan {
    std::string top; ///< further keys
    std::string target; ///< further keys of [target]
    std::string targets; ///< [[targets]] instead of the servers of the first
    std::string workload = "pacing = \"closed\"";
    std::string steps = kEmptyAndSend;
    std::string mix = "threads_per_client = 2\nmailboxes_per_client = 6\nthink_time = \"50 ms\"";
    std::string clients = "clients = 1";
    std::string rampUp = "1 s", measurement = "3 s", drain = "10 s";
    std::string criteria = "response_time = \"20 s\"\nerror_rate = \"5 %\"\naudit = true";
    std::string health = "max_slip_p99 = \"60 s\"\nmax_worker_cpu = \"100 %\"\nmax_run_queue_wait = \"100 %\"\n"
                         "max_throttled = \"100 %\"\nmax_steal = \"100 %\"\nmax_loop_lag_p99 = \"60 s\"\n"
                         "max_standstill = \"1 h\"";
};

std::string servers(const SceneTarget& target, const std::string& table)
{
    const auto& ports = target.ports();
    return fmt::format("[{0}.smtp]\nport = {1}\n[{0}.pop3]\nport = {2}\n", table, ports.at("smtp").get<int>(),
        ports.at("pop3").get<int>());
}

std::string write(Scene& scene, const MailPlan& plan)
{
    return scene.file("plan.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Verdict"
seed = 7
drain = "{}"
{}
[target]
user = "u{{n}}"
password = "secret"
{}
{}
[workload]
{}
{}
[mix]
{}
ramp_up = "{}"
measurement = "{}"
[[mixes]]
name = "Mix"
{}
[criteria]
{}
[health]
{}
)",
            plan.drain, plan.top, plan.target, plan.targets.empty() ? servers(scene.at(0), "target") : plan.targets,
            plan.workload, plan.steps, plan.mix, plan.rampUp, plan.measurement, plan.clients, plan.criteria,
            plan.health));
}

/// Sends at a rate of its own, whatever the server's speed.
MailPlan openPlan()
{
    MailPlan plan;
    plan.workload = "pacing = \"open\"\nrate = \"1/s\"";
    plan.steps = kSend;
    plan.mix = "mailboxes_per_client = 40";
    plan.measurement = "8 s";
    return plan;
}

std::uint64_t sumOf(const nlohmann::json& results, const char* column)
{
    std::uint64_t sum = 0;
    for (const auto& mix : results.at("mixes"))
        sum += mix.at("counts").at(column).get<std::uint64_t>();
    return sum;
}

/// Messages and copies as the audit and the target count them.
std::string compareAudit(const RunEnd& end, SceneTarget& target)
{
    const auto& totals = target.totals();
    if (!end.results().at("audit").is_object()) // nothing reads mailboxes
        return fmt::format("the target accepted {} messages", totals.at("accepted").get<std::uint64_t>());
    agree("messages accepted", end.audit("accepted"), totals.at("accepted").get<std::uint64_t>());
    return fmt::format("the target accepted {} messages", totals.at("accepted").get<std::uint64_t>());
}

VerdictCase sound()
{
    return { "Nothing goes wrong", "the embedded target, two threads", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            RunEnd end = scene.run(write(scene, {}));
            witness = compareAudit(end, scene.at(0));
            const std::size_t delivered = scene.at(0).copies({ "delivered" });
            agree("copies delivered once", end.audit("deliveredOnce"), delivered);
            witness += fmt::format(" and delivered {} copies", delivered);
            return end;
        } };
}

VerdictCase hangs()
{
    return { "The server hangs for good, open pacing", "SIGSTOP to the target 2 s into the measurement", "not met", 5,
        { "errorRate", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.drain = "1 s";
            plan.criteria = "response_time = \"20 s\"\nerror_rate = \"5 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 2)
                    scene.at(0).signal(SIGSTOP);
            });
            const std::uint64_t due = sumOf(end.results(), "due"), unfinished = sumOf(end.results(), "unfinished");
            insist(due >= 8 * 39 && due <= 8 * 41, fmt::format("{} are due in 8 s at 40/s", due));
            insist(unfinished >= 5 * 40, fmt::format("{} are unfinished after 6 s of hanging at 40/s", unfinished));
            insist(end.text.find("≥") != std::string::npos, "no percentile is marked as a lower bound");
            witness = fmt::format("the plan: 40 a second for 8 s; {} are due, {} unfinished", due, unfinished);
            return end;
        } };
}

VerdictCase hangsClosed()
{
    return { "The server hangs for good, closed pacing", "SIGSTOP to the target 1 s into the measurement", "not met", 5,
        { "errorRate", "responseTime Empty mailbox", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.mix = "threads_per_client = 20\nmailboxes_per_client = 20";
            plan.measurement = "4 s";
            plan.drain = "1 s";
            plan.criteria = "percentile = 99.9\nresponse_time = \"20 s\"\nerror_rate = \"0 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 1)
                    scene.at(0).signal(SIGSTOP);
            });
            agree("unfinished actions", sumOf(end.results(), "unfinished"), 20);
            witness = "the plan: 20 threads, each of which waits for the stopped target";
            return end;
        } };
}

VerdictCase pauses()
{
    return { "The server stops for 4 s and goes on", "SIGSTOP and SIGCONT to the target", "not met", 5,
        { "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.criteria = "response_time = \"500 ms\"\nerror_rate = \"1 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && (tick == 2 || tick == 6))
                    scene.at(0).signal(tick == 2 ? SIGSTOP : SIGCONT);
            });
            witness = compareAudit(end, scene.at(0));
            return end;
        } };
}

VerdictCase allRefused()
{
    return { "Every connection is refused", "fault refuse:1", "nothing succeeded", 6,
        { "audit", "errorRate", "responseTime Empty mailbox", "responseTime Send message" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret", "--fault", "refuse:1" });
            RunEnd end = scene.run(write(scene, {}));
            witness = compareAudit(end, scene.at(0));
            return end;
        } };
}

VerdictCase wrongPassword()
{
    return { "Every login is refused", "the target has another password; only mailboxes are read", "nothing succeeded",
        6, { "audit", "errorRate", "responseTime Empty mailbox" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "other" });
            MailPlan plan;
            plan.steps = "[[workload.steps]]\naction = \"empty mailbox\"\n";
            RunEnd end = scene.run(write(scene, plan));
            const auto retrieved = scene.at(0).totals().at("retrieved").get<std::uint64_t>();
            agree("messages retrieved", 0, retrieved);
            witness = "the target handed out no message";
            return end;
        } };
}

VerdictCase halfRefused()
{
    return { "Half of the recipients are refused", "fault reject:0.5:550", "not met", 5, { "errorRate" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret", "--fault", "reject:0.5:550" });
            RunEnd end = scene.run(write(scene, {}));
            witness = compareAudit(end, scene.at(0));
            return end;
        } };
}

VerdictCase erring(const std::string& name, const std::string& fault, const char* fate, const std::string& targets,
    const std::string& figure)
{
    return { name, "fault " + fault, "went wrong", 4, { "audit" },
        [=](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret", "--fault", fault });
            MailPlan plan;
            plan.top = "delivery_limit = \"2 s\"";
            RunEnd end = scene.run(write(scene, plan));
            compareAudit(end, scene.at(0));
            const std::size_t copies = scene.at(0).copies({ targets });
            insist(copies > 0, "the target has done nothing wrong");
            agree("copies " + figure, end.audit(fate), copies);
            witness = fmt::format("the target's message log: {} copies {}", copies, targets);
            return end;
        } };
}

VerdictCase shortDrain()
{
    return { "Copies arrive after the drain's end", "delivery delay 8 s, drain 3 s, limit 60 s", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret", "--delivery-delay", "8 s" });
            MailPlan plan;
            plan.measurement = "4 s";
            plan.drain = "3 s";
            RunEnd end = scene.run(write(scene, plan));
            agree("copies lost", end.audit("lost"), 0);
            insist(end.audit("outstanding") > 0, "nothing is outstanding");
            agree("copies lost", 0, scene.at(0).totals().at("lost").get<std::uint64_t>());
            witness = fmt::format("the target has lost none; {} are outstanding", end.audit("outstanding"));
            return end;
        } };
}

VerdictCase restarted()
{
    return { "The server is restarted in mid-run and forgets its mail", "SIGKILL and a new target on the same ports",
        "went wrong", 4, { "audit" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.steps = kEmptyAndSend;
            plan.top = "delivery_limit = \"1 s\"";
            plan.criteria = "audit = true";
            // What was sent before is read by nobody for some seconds: the first reading of a mailbox is at its rate.
            plan.workload = "pacing = \"open\"\nrate = \"10/min\"";
            plan.mix = "mailboxes_per_client = 200";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 5)
                    scene.restart(0, { "--password", "secret" });
            });
            insist(end.audit("lost") > 0, "no copy is lost");
            const auto accepted = scene.at(0).totals().at("accepted").get<std::uint64_t>();
            insist(end.audit("accepted") > accepted, "the second target has accepted all messages");
            witness = fmt::format("the second target knows {} of {} accepted messages", accepted, end.audit("accepted"));
            return end;
        } };
}

VerdictCase oneDead()
{
    return { "One of two servers is dead", "the second of two targets ends before the run's measurement", "nothing succeeded",
        6, { "errorRate" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.clients = "clients = 2";
            plan.rampUp = "3 s";
            const auto entry = [&](std::size_t n) {
                const auto& ports = scene.at(n).ports();
                return fmt::format("[[targets]]\nname = \"T{}\"\nfirst_number = {}\nsmtp = {{ port = {} }}\npop3 = {{ port = {} }}\n",
                    n, n * 1000, ports.at("smtp").get<int>(), ports.at("pop3").get<int>());
            };
            plan.targets = entry(0) + entry(1);
            plan.criteria = "error_rate = \"5 %\"";
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                if (phase == "ramp-up" && tick == 1)
                    scene.at(1).kill();
            });
            const auto text = scene.program({ "show", "last", "--target", "T1" });
            insist(text.output.find("othing") != std::string::npos,
                "show --target T1 does not say that nothing succeeded: " + text.output.substr(0, 400));
            witness = fmt::format("the first target accepted {} messages", scene.at(0).totals().at("accepted").dump());
            return end;
        } };
}

VerdictCase killed()
{
    return { "The generator is killed", "SIGKILL in the measurement's third second", "cut short", 128 + SIGKILL, { "generator" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.measurement = "30 s";
            RunEnd end = scene.run(write(scene, plan), [](WatchedProgram& run, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 3)
                    run.signal(SIGKILL);
            });
            insist(end.showExitCode == 3, fmt::format("show ends with {}", end.showExitCode));
            insist(!end.results().at("valid").get<bool>(), "the JSON calls it valid");
            witness = "the shell: exit by signal 9";
            return end;
        } };
}

VerdictCase stopped(const char* name, const char* phase, unsigned tick, const char* verdict)
{
    return { name, fmt::format("SIGINT in the {}", phase), verdict, 128 + SIGINT, {},
        [=](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.rampUp = "4 s";
            plan.measurement = "30 s";
            RunEnd end = scene.run(write(scene, plan), [=](WatchedProgram& run, const std::string& now, unsigned n) {
                if (now == phase && n == tick)
                    run.signal(SIGINT);
            });
            witness = compareAudit(end, scene.at(0));
            return end;
        } };
}

VerdictCase generatorStopped()
{
    return { "The generator stands still for 4 s", "SIGSTOP and SIGCONT to the generator", "invalid", 3, { "generator" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.health = "max_standstill = \"2 s\"";
            plan.criteria = "error_rate = \"5 %\"";
            bool stopped = false;
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram& run, const std::string& phase, unsigned tick) {
                if (phase != "measurement" || tick != 2 || stopped)
                    return;
                stopped = true;
                run.signal(SIGSTOP);
                run.ended(std::chrono::seconds(4)); // it does not: so long it stands still
                run.signal(SIGCONT);
            });
            witness = compareAudit(end, scene.at(0));
            return end;
        } };
}

VerdictCase tooShort()
{
    return { "The measurement is shorter than one action", "constant service time 1 s, measurement 2 s", "nothing succeeded",
        6, { "audit", "errorRate", "responseTime Empty mailbox" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret", "--service-time", "constant 1 s" });
            MailPlan plan;
            plan.rampUp = "0 s";
            plan.measurement = "2 s";
            RunEnd end = scene.run(write(scene, plan));
            witness = "the plan: an action takes at least four commands of 1 s";
            return end;
        } };
}

VerdictCase cutConnections()
{
    return { "The server drops a third of the replies", "fault drop:0.3", "not met", 5, { "errorRate" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret", "--fault", "drop:0.3" });
            MailPlan plan;
            plan.criteria = "error_rate = \"5 %\"";
            RunEnd end = scene.run(write(scene, plan));
            // A message may be accepted without the client ever hearing of it.
            const auto accepted = scene.at(0).totals().at("accepted").get<std::uint64_t>();
            insist(end.audit("accepted") <= accepted, "more messages are accepted than the target took");
            witness = fmt::format("the target took {} messages, and said so of {}", accepted, end.audit("accepted"));
            return end;
        } };
}

VerdictCase historyGone()
{
    return { "The history's folder is removed in mid-run", "rm -r of the folder", "none", 1, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.measurement = "4 s";
            const std::string file = write(scene, plan);
            const auto history = scene.folder() / "history";
            WatchedProgram run({ LOADSTONE_BIN_DIR "/loadstone", "--history", history.string(), "run", file, "--json", "--no-preflight" });
            RunEnd end;
            bool measuring = false, removed = false;
            for (auto line = run.line(); line; line = run.line()) {
                const auto json = nlohmann::json::parse(*line, nullptr, false);
                measuring = measuring || json.value("kind", "") == "measurement";
                if (measuring && !removed) {
                    std::filesystem::remove_all(history);
                    removed = true;
                }
            }
            end.exitCode = run.wait();
            insist(!std::filesystem::exists(history / "runs") || std::filesystem::is_empty(history / "runs"),
                "something was written to a history that is gone");
            witness = "the folder is not there";
            return end;
        } };
}

VerdictCase clockSetBack()
{
    return { "The clock is set back by a day in mid-run", "libfaketime, wall clock only", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            const std::string offset = scene.file("faketime", "+0\n");
            RunEnd end = scene.run(
                write(scene, {}),
                [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                    if (phase == "measurement" && tick == 1)
                        (void)scene.file("faketime", "-86400\n");
                },
                {},
                { { "LD_PRELOAD", "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1" },
                    { "FAKETIME_TIMESTAMP_FILE", offset }, { "FAKETIME_CACHE_DURATION", "1" },
                    { "DONT_FAKE_MONOTONIC", "1" } });
            witness = compareAudit(end, scene.at(0));
            return end;
        },
        [] {
#if defined(__SANITIZE_ADDRESS__)
            return std::string("a sanitizer and libfaketime do not go together");
#else
            return std::filesystem::exists("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
                ? std::string()
                : std::string("libfaketime is not installed");
#endif
        } };
}

VerdictCase diskFull()
{
    return { "The history's disk is full", "a file system in memory that another file fills in mid-run", "none", 1, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.measurement = "4 s";
            const std::string file = write(scene, plan);
            // The mount is the run's own: it goes with it, and nothing of the recording is left to be shown.
            const std::string script = fmt::format(
                "mkdir -p {0} && mount -t tmpfs -o size=4m none {0} && {{ (sleep 3; cat /dev/zero > {0}/filler) & }} && {1} --history {0} run {2} --json --no-preflight; code=$?; "
                "df --output=avail {0} | tail -1; exit $code",
                (scene.folder() / "small").string(), LOADSTONE_BIN_DIR "/loadstone", file);
            const ProgramEnd ended
                = runProgram({ "unshare", "-m", "sh", "-c", script + " 2>/dev/null" }, std::chrono::seconds(120));
            RunEnd end;
            end.exitCode = ended.exitCode;
            insist(ended.output.find("\"written\":false") != std::string::npos, "it does not say that the history cannot be written");
            witness = "the test: another file takes all room that is left";
            return end;
        },
        [] { return std::string(::geteuid() == 0 ? "" : "only root may mount a small file system"); } };
}

VerdictCase neverHappens()
{
    return { "A criterion on something that never happens", "a limit for reading, which no step does", "not met", 5,
        { "responseTime Read mailbox" },
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.criteria = "actions = { read_mailbox = \"1 s\" }";
            RunEnd end = scene.run(write(scene, plan));
            witness = compareAudit(end, scene.at(0));
            return end;
        } };
}

} // namespace

std::vector<VerdictCase> mailCases()
{
    return {
        sound(),
        hangs(),
        hangsClosed(),
        pauses(),
        allRefused(),
        wrongPassword(),
        halfRefused(),
        cutConnections(),
        erring("Copies are lost", "lose:0.2", "lost", "lost", "lost"),
        erring("Copies are delivered twice", "duplicate:0.2", "twice", "duplicated", "twice"),
        erring("Copies are damaged", "damage:0.2", "damaged", "damaged", "damaged"),
        shortDrain(),
        restarted(),
        oneDead(),
        killed(),
        stopped("The run is stopped before its measurement", "ramp-up", 2, "nothing measured"),
        stopped("The run is stopped in its measurement", "measurement", 2, "cut short"),
        generatorStopped(),
        tooShort(),
        neverHappens(),
        historyGone(),
        diskFull(),
        clockSetBack(),
    };
}

} // namespace loadstone::test
