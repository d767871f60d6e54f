// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/read_plan.h"

#include "base/service_time.h"
#include "document/table_reader.h"

#include <fmt/format.h>

namespace loadstone::plan {

namespace {

Step readStep(const document::Node& node, const std::string& path, document::Problems& problems)
{
    document::TableReader table(&node, path, problems);
    Step step;
    step.line = node.begin.line;
    const auto kind = table.choice<ActionKind>("action",
        { { "empty mailbox", ActionKind::emptyMailbox }, { "read mailbox", ActionKind::readMailbox },
            { "send message", ActionKind::sendMessage }, { "hold session", ActionKind::holdSession },
            { "list mailbox", ActionKind::listMailbox }, { "IMAP session", ActionKind::imapSession } });
    document::assign(step.kind, kind);
    // A message's own headers take about half a kilobyte; below one there would be no room for a body.
    document::assign(step.size, table.bytes("size"));
    document::assign(step.recipients, table.number("recipients"));
    document::assign(step.hold, table.duration("hold"));
    document::assign(step.commands, table.texts("commands"));
    document::assign(step.repeat, table.number("repeat"));
    const bool noAction = !table.has("action");
    table.finish();
    if (noAction)
        table.missing("action", "write action = \"send message\" or \"empty mailbox\"");
    if (!kind)
        return step;
    const auto onlyFor = [&](const char* key, ActionKind owner, const char* ownerName) {
        if (table.has(key) && *kind != owner)
            problems.error(table.path(key), "has no effect on this action",
                fmt::format("remove it; it belongs to \"{}\"", ownerName));
    };
    onlyFor("size", ActionKind::sendMessage, "send message");
    onlyFor("recipients", ActionKind::sendMessage, "send message");
    if (*kind != ActionKind::imapSession)
        onlyFor("hold", ActionKind::holdSession, "hold session");
    onlyFor("commands", ActionKind::imapSession, "IMAP session");
    onlyFor("repeat", ActionKind::imapSession, "IMAP session");
    for (std::size_t i = 0; i < step.commands.size(); ++i)
        if (!isSessionCommand(step.commands[i]))
            problems.error(fmt::format("{}[{}]", table.path("commands"), i),
                fmt::format("\"{}\" is not a command for an open session", document::shown(step.commands[i])),
                "write one command without its tag, such as \"NOOP\" or \"UID FETCH 1:* (FLAGS)\"");
    if (*kind == ActionKind::sendMessage && !table.has("size"))
        table.missing("size", "write the size of the whole message, as in size = \"10 KB\"");
    if (*kind == ActionKind::holdSession && !table.has("hold"))
        table.missing("hold", "write how long to stay connected, as in hold = \"60 s\"");
    return step;
}

void readWorkload(
    const document::Node* node, document::Problems& problems, Workload& to, StatedValues& stated)
{
    document::TableReader table(node, "workload", problems);
    document::assign(to.pacing,
        table.choice<Pacing>("pacing",
            { { "closed", Pacing::closed }, { "open", Pacing::open }, { "users", Pacing::users } }));
    document::assign(to.iterationsPerSecond, table.rate("rate"));
    document::assign(to.arrivals,
        table.choice<Arrivals>("arrivals", { { "even", Arrivals::even }, { "poisson", Arrivals::poisson } }));
    document::assign(to.recipientChoice,
        table.choice<RecipientChoice>("recipient_choice",
            { { "correspondents", RecipientChoice::correspondents },
                { "random", RecipientChoice::random } }));
    document::assign(to.maxSessions, table.number("max_sessions"));
    if (const auto profile = table.text("profile")) {
        to.profileName = *profile;
        if (profile->empty() || *profile != document::shown(*profile) || profile->starts_with('.'))
            problems.error("workload.profile",
                fmt::format("\"{}\" is not the name of a profile", document::shown(*profile)),
                "write the name of a shipped profile, or of a file beside the plan");
    }
    stated.day = table.has("day");
    document::assign(to.day, table.duration("day"));
    stated.logonOver = table.has("logon_over");
    document::assign(to.logonOver, table.duration("logon_over"));
    stated.oracle = table.has("oracle");
    document::assign(to.oracle, table.share("oracle"));
    stated.initial = table.table("initial");
    document::assign(to.initialise, table.flag("initialise"));
    stated.recipientChoice = table.has("recipient_choice");
    stated.arrivals = table.has("arrivals");
    stated.maxSessions = table.has("max_sessions");
    if (const document::Node* steps = table.tables("steps")) {
        const std::size_t most = table.most("steps");
        for (std::size_t i = 0; i < steps->items.size() && i < most; ++i)
            to.steps.push_back(readStep(steps->items[i], fmt::format("workload.steps[{}]", i), problems));
        if (steps->items.size() > most)
            problems.error(fmt::format("workload.steps[{}]", most),
                fmt::format("there are {} steps", steps->items.size()),
                fmt::format("write at most {}", most));
    }
    if (const document::Node* retry = table.table("retry")) {
        document::TableReader reader(retry, "workload.retry", problems);
        document::assign(to.retry.attempts, reader.number("attempts"));
        document::assign(to.retry.pause, reader.duration("pause"));
        reader.finish();
    }
    table.finish();
}

MixValues readMixValues(document::TableReader& table)
{
    MixValues values;
    values.users = table.number("users");
    values.clients = table.number("clients");
    values.threadsPerClient = table.number("threads_per_client");
    values.mailboxesPerClient = table.number("mailboxes_per_client");
    values.rampUp = table.duration("ramp_up");
    values.measurement = table.duration("measurement");
    values.total = table.duration("total");
    values.rampDown = table.duration("ramp_down");
    values.thinkTime = table.duration("think_time");
    values.quietTime = table.duration("quiet_time");
    return values;
}

template <class T>
void layUnder(std::optional<T>& value, const std::optional<T>& fallback)
{
    if (!value)
        value = fallback;
}

void readMixes(document::TableReader& top, document::Problems& problems, MailPlan& plan, StatedValues& stated)
{
    document::TableReader defaultsTable(top.table("mix"), "mix", problems);
    const MixValues defaults = readMixValues(defaultsTable);
    if (defaultsTable.hasMisplaced("name"))
        problems.error("mix.name", "has no effect: [mix] holds what all mixes have in common",
            "put the name into an entry [[mixes]]");
    defaultsTable.finish();
    const document::Node* mixes = top.tables("mixes");
    if (mixes == nullptr)
        return;
    const std::size_t most = top.most("mixes");
    for (std::size_t i = 0; i < mixes->items.size() && i < most; ++i) {
        const document::Node& node = mixes->items[i];
        document::TableReader table(&node, fmt::format("mixes[{}]", i), problems);
        Mix mix;
        mix.line = node.begin.line;
        mix.name = table.text("name").value_or(fmt::format("Mix {}", i + 1));
        if (mix.name.empty() || mix.name != document::shown(mix.name))
            problems.error(table.path("name"), "is empty, too long or has control characters",
                "write a short name on one line, such as \"20 clients\"");
        MixValues values = readMixValues(table);
        table.finish();
        if (!values.users && !values.clients && !values.mailboxesPerClient)
            values.users = defaults.users;
        if (values.users && (values.clients || values.mailboxesPerClient))
            problems.error(table.path("users"), "says the same as clients and mailboxes_per_client",
                "remove one of them");
        if (values.users) { // a client of their own, as far as the model goes
            values.clients = 1;
            values.mailboxesPerClient = values.users;
        }
        layUnder(values.clients, defaults.clients);
        layUnder(values.threadsPerClient, defaults.threadsPerClient);
        layUnder(values.mailboxesPerClient, defaults.mailboxesPerClient);
        layUnder(values.rampUp, defaults.rampUp);
        layUnder(values.rampDown, defaults.rampDown);
        layUnder(values.thinkTime, defaults.thinkTime);
        layUnder(values.quietTime, defaults.quietTime);
        // A mix that states one of the two means it instead of what the defaults say about either.
        if (!table.has("measurement") && !table.has("total")) {
            values.measurement = defaults.measurement;
            values.total = defaults.total;
        }
        document::assign(mix.clients, values.clients);
        document::assign(mix.threadsPerClient, values.threadsPerClient);
        document::assign(mix.mailboxesPerClient, values.mailboxesPerClient);
        document::assign(mix.rampUp, values.rampUp);
        document::assign(mix.rampDown, values.rampDown);
        document::assign(mix.thinkTime, values.thinkTime);
        document::assign(mix.quietTime, values.quietTime);
        plan.mixes.push_back(std::move(mix));
        stated.mixes.push_back(values);
    }
    if (mixes->items.size() > most)
        problems.error(fmt::format("mixes[{}]", most), "is one mix too many",
            fmt::format("write at most {} mixes", most));
}

void readModelledServer(const document::Node* node, document::Problems& problems, MailPlan& plan)
{
    document::TableReader table(node, "rehearsal", problems);
    ModelledServer& to = plan.rehearsal;
    if (const EmbeddedTarget& embedded = plan.target.embedded; embedded.present) {
        to.serviceTime = embedded.serviceTime;
        to.capacity = embedded.capacity;
        to.deliveryDelay = embedded.deliveryDelay;
    }
    if (const auto serviceTime = table.text("service_time")) {
        to.serviceTime = *serviceTime;
        if (const auto parsed = ServiceTime::parse(*serviceTime); !parsed)
            problems.error(
                table.path("service_time"), document::shown(parsed.error().message), ServiceTime::kForms);
    }
    document::assign(to.capacity, table.number("capacity"));
    document::assign(to.deliveriesPerSecond, table.rate("delivery_rate"));
    document::assign(to.deliveryDelay, table.duration("delivery_delay"));
    table.finish();
}

/// The plan's kind.
std::string readFormat(document::TableReader& top, document::Problems& problems)
{
    const auto format = top.number("format");
    if (format && *format != 1)
        problems.error("format", fmt::format("{} is a newer format than this program reads", *format),
            "write format = 1, or use a newer version of the program");
    const auto kind = top.text("kind");
    if (kind && *kind != "mail" && *kind != "raw" && *kind != "storage")
        problems.error("kind", fmt::format("\"{}\" is unknown", document::shown(*kind)),
            "write kind = \"mail\", or kind = \"raw\" or \"storage\" for a test of storage");
    return kind.value_or("mail");
}

void readMail(document::TableReader& top, document::Problems& problems, MailPlan& plan, StatedValues& stated)
{
    document::assign(plan.finalWindow, top.duration("final_window"));
    document::assign(plan.drain, top.duration("drain"));
    stated.drain = top.has("drain");
    document::assign(plan.deliveryLimit, top.duration("delivery_limit"));
    readTarget(top.table("target"), problems, plan.target, stated);
    readWorkload(top.table("workload"), problems, plan.workload, stated);
    readModelledServer(top.table("rehearsal"), problems, plan);
    document::TableReader profile(top.table("profile"), "profile", problems);
    document::assign(stated.profile, profile.text("text"));
    profile.finish();
    if (profile.present() && stated.profile.empty())
        profile.missing("text", "remove [profile]; a plan names its profile in [workload]");
    readMixes(top, problems, plan, stated);
    readCriteria(top.table("criteria"), problems, plan.criteria);
    readQueues(top.table("queues"), problems, plan.queues);
}

/// Whether it says how busy a load thread may be.
bool readHealth(const document::Node* table, document::Problems& problems, PlanHead& plan)
{
    document::TableReader health(table, "health", problems);
    HealthLimits& limits = plan.health;
    document::assign(limits.slipP99, health.duration("max_slip_p99"));
    const bool busyStated = health.has("max_worker_cpu");
    document::assign(limits.workerCpu, health.percent("max_worker_cpu"));
    document::assign(limits.runQueueWait, health.percent("max_run_queue_wait"));
    document::assign(limits.throttled, health.percent("max_throttled"));
    document::assign(limits.steal, health.percent("max_steal"));
    document::assign(limits.loopLagP99, health.duration("max_loop_lag_p99"));
    document::assign(limits.standstill, health.duration("max_standstill"));
    document::assign(plan.keepProcessorsAwake, health.flag("keep_processors_awake"));
    health.finish();
    return busyStated;
}

} // namespace

Plan readPlan(
    const document::Node& root, const std::string& name, StatedValues& stated, document::Problems& problems)
{
    document::TableReader top(&root, "", problems);
    Plan plan;
    const std::string kind = readFormat(top, problems);
    if (kind == "raw")
        plan.of.emplace<RawPlan>();
    else if (kind == "storage")
        plan.of.emplace<StoragePlan>();
    PlanHead& head = plan.head();
    head.title = top.text("title").value_or(std::filesystem::path(name).stem().string());
    if (head.title.empty() || head.title.find_first_of("\r\n") != std::string::npos
        || head.title.size() > 200)
        problems.error("title", "is empty or longer than one line", "write a short title on one line");
    head.description = top.text("description").value_or("");
    head.lab.file = top.text("lab").value_or("");
    head.lab.variant = top.text("variant").value_or("");
    document::assign(head.seed, top.number("seed"));
    document::assign(head.workers, top.number("workers"));
    const bool busyStated = readHealth(top.table("health"), problems, head);
    readCounterSources(top.tables("counters"), top.most("counters"), problems, head.counters);
    readDerived(top.tables("derived"), top.most("derived"), problems, head.derived);
    if (RawPlan* raw = std::get_if<RawPlan>(&plan.of))
        readRawTest(top, problems, *raw, busyStated);
    else if (StoragePlan* storage = std::get_if<StoragePlan>(&plan.of))
        readStorageTest(top, problems, storage->test);
    else
        readMail(top, problems, *plan.mail(), stated);
    top.finish();
    if (root.find("format") == nullptr)
        top.missing("format", "begin the plan with format = 1");
    if (root.find("kind") == nullptr)
        top.missing("kind", "write kind = \"mail\" below the format");
    return plan;
}

} // namespace loadstone::plan
