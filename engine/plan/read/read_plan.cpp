// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/read/read_plan.h"

#include "base/service_time.h"
#include "document/table_reader.h"

#include <fmt/format.h>

namespace loadstone::plan {

namespace {

/// The name of one of [[workloads]], which a mix states.
std::string readWorkloadName(document::TableReader& table, const char* key)
{
    const std::string name = table.text(key).value_or("");
    if (table.has(key) && !table.problems().touched(table.path(key))
        && (name.empty() || name.size() > 40 || name != document::shown(name)))
        table.problems().error(table.path(key),
            fmt::format("\"{}\" is not the name of a workload", document::shown(name)),
            "write the name of one of [[workloads]], such as \"readers\"");
    return name;
}

/// Which of [[workloads]] the mix has.
void readWorkloadChoice(document::TableReader& table, MixValues& values)
{
    if (const std::string name = readWorkloadName(table, "workload"); !name.empty())
        values.workloads = { { name, table.path("workload"), 1 } };
    const document::Node* list = table.tables("workloads");
    values.namesTwice = table.has("workload") && table.has("workloads");
    if (list == nullptr)
        return;
    values.workloads.emplace();
    const std::size_t most = table.most("workloads");
    for (std::size_t i = 0; i < list->items.size() && i < most; ++i) {
        document::TableReader entry(
            &list->items[i], fmt::format("{}[{}]", table.path("workloads"), i), table.problems());
        NamedShare share;
        share.field = entry.path("name");
        share.name = readWorkloadName(entry, "name");
        document::assign(share.share, entry.number("share"));
        entry.finish();
        if (!entry.has("name"))
            entry.missing("name", "write the name of one of [[workloads]]");
        values.workloads->push_back(std::move(share));
    }
    if (list->items.size() > most)
        table.problems().error(fmt::format("{}[{}]", table.path("workloads"), most),
            "is one workload too many", fmt::format("write at most {}", most));
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
    values.think = readThinkTime(table);
    values.request = readRequestPause(table);
    readWorkloadChoice(table, values);
    values.quietTime = table.duration("quiet_time");
    return values;
}

template <class T>
void layUnder(std::optional<T>& value, const std::optional<T>& fallback)
{
    if (!value)
        value = fallback;
}

void layUnder(PauseValues& values, const PauseValues& fallback)
{
    layUnder(values.mean, fallback.mean);
    layUnder(values.kind, fallback.kind);
    layUnder(values.least, fallback.least);
    layUnder(values.most, fallback.most);
    if (values.table.empty())
        values.table = fallback.table;
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
        layUnder(values.think, defaults.think);
        layUnder(values.request, defaults.request);
        layUnder(values.workloads, defaults.workloads);
        values.namesTwice = values.namesTwice || defaults.namesTwice;
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
    readNamedWorkloads(top, problems, plan.workload, stated);
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
