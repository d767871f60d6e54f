// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: one short function for each remark, for three kinds of plans.
// What a plan does not test, see <loadstone/plan_lint.h>. Each rule is one function; none of them says that a plan is wrong.
#include "document/table_reader.h"
#include "plan/model/plan.h"

#include <loadstone/lab.h>
#include <loadstone/plan_lint.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unistd.h>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kShortMail = 5min, kShortRaw = 1min;
constexpr double kTails = 20; // a measurement is so many times as long as the limit on response times
constexpr double kSamplesOfTail = 20; // of actions beyond the judged percentile
constexpr double kTimesCache = 10; // as much data as cache at least

class Lint {
public:
    void add(std::string field, std::string what, std::string remedy = {})
    {
        m_found.push_back({ std::move(what), std::move(remedy), std::move(field) });
    }
    std::vector<PlanLint> take() { return std::move(m_found); }

private:
    std::vector<PlanLint> m_found;
};

bool isLoopback(const std::string& host)
{
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

bool isHere(const Target& target)
{
    if (target.embedded.present)
        return true;
    for (const Endpoint* endpoint : { static_cast<const Endpoint*>(&target.smtp), &target.pop3,
             static_cast<const Endpoint*>(&target.imap), static_cast<const Endpoint*>(&target.caldav),
             static_cast<const Endpoint*>(&target.carddav) })
        if (endpoint->present && !isLoopback(endpoint->host))
            return false;
    return true;
}

/// Memory of the lab's systems under test together; none where it does not say it of each.
std::optional<double> memoryOfLab(const RunLab& named)
{
    if (named.empty())
        return std::nullopt;
    const Lab lab = readLab(named.text, named.name, named.variant).lab;
    double sum = 0;
    bool isAny = false;
    for (const LabItem& item : lab.items) {
        const bool isTested = std::ranges::find(item.roles, "system under test") != item.roles.end();
        if (!isTested || item.kind != ItemKind::machine)
            continue;
        const auto memory = item.number("memory");
        if (!memory)
            return std::nullopt;
        sum += *memory * static_cast<double>(lab.total(item));
        isAny = true;
    }
    return isAny ? std::optional(sum) : std::nullopt;
}

double memoryHere(const LintFacts& facts)
{
    if (facts.memory)
        return static_cast<double>(*facts.memory);
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

std::string sizeText(double bytes)
{
    return formatBytes(static_cast<std::uint64_t>(std::clamp(bytes, 0.0, 1e18)));
}

/// Mean size of the messages that a mailbox is filled with.
double messageSize(const Workload& workload)
{
    if (!workload.profile || workload.profile->messages.empty())
        return 4096;
    double sum = 0, weights = 0;
    for (const MessageKind& kind : workload.profile->messages) {
        sum += kind.weight * static_cast<double>(kind.bodySize + kind.attachmentSize);
        weights += kind.weight;
    }
    return weights > 0 ? sum / weights : 4096;
}

void lintCriteria(const MailPlan& plan, Lint& lint)
{
    if (!plan.criteria.stated)
        lint.add("criteria", "nothing is judged: the plan has no criteria, so no run of it passes or fails",
            "add [criteria] with response_time = \"1 s\" and error_rate = \"1 %\"");
    else if (!plan.criteria.errorRate && !plan.criteria.audit)
        lint.add("criteria",
            "failed actions and lost messages are counted and not judged: the criteria have neither "
            "error_rate nor audit",
            "add error_rate = \"1 %\" and audit = true to [criteria]");
}

void lintPauses(const MailPlan& plan, Lint& lint)
{
    if (plan.workload.pacing != Pacing::closed)
        return;
    const bool none = std::ranges::all_of(plan.mixes, [](const Mix& mix) { return mix.thinkTime == 0s; });
    if (none)
        lint.add("mix.think_time",
            "threads never pause (think time 0): this finds the highest throughput, not what users who read "
            "and write "
            "notice",
            "write think_time = \"20 s\" or what your users take, or pacing = \"open\"");
    else
        lint.add("workload.pacing",
            "a slow server slows the load down (closed pacing): requests that real users would have sent "
            "meanwhile are "
            "not there",
            "write pacing = \"open\" with a rate, to see response times at a given load");
}

void lintLength(const MailPlan& plan, Lint& lint)
{
    const auto shortest = std::ranges::min_element(plan.mixes, {}, &Mix::measurement);
    if (shortest == plan.mixes.end())
        return;
    const std::string field =
        fmt::format("mixes[{}].measurement", static_cast<std::size_t>(shortest - plan.mixes.begin()));
    if (shortest->measurement < kShortMail)
        lint.add(field,
            fmt::format("{} of measurement are too short for what comes now and then: compactions, flushes, "
                        "retries of "
                        "queues",
                formatDuration(shortest->measurement)),
            fmt::format("measure for \"{}\" or longer", formatDuration(kShortMail)));
    Nanoseconds limit = plan.criteria.responseTime.value_or(0s);
    for (const auto& [action, most] : plan.criteria.actions)
        limit = std::max(limit, most);
    if (limit > 0s && seconds(shortest->measurement) < kTails * seconds(limit))
        lint.add(field,
            fmt::format("{} of measurement are less than {:.0f} times the limit of {}: actions that are too "
                        "slow may not "
                        "end within it",
                formatDuration(shortest->measurement), kTails, formatDuration(limit)),
            "measure for longer");
    if (shortest->rampUp == 0s)
        lint.add(fmt::format("mixes[{}].ramp_up", static_cast<std::size_t>(shortest - plan.mixes.begin())),
            "the first seconds of load are measured as well (no ramp-up): connections and caches are cold "
            "then",
            "write ramp_up = \"1 min\" or longer");
}

/// Fewer actions than a percentile needs.
void lintSamples(const MailPlan& plan, Lint& lint)
{
    if (plan.workload.pacing == Pacing::users)
        return;
    const auto expected = [&](const Mix& mix) {
        const double time = seconds(mix.measurement);
        if (plan.workload.pacing == Pacing::open)
            return static_cast<double>(mix.mailboxes()) * plan.workload.iterationsPerSecond * time;
        const double pause = seconds(mix.thinkTime);
        return pause > 0 ? static_cast<double>(mix.threads()) * time / pause : kSamplesOfTail * 1e6;
    };
    const double tail = 1 - plan.criteria.percentile / 100;
    for (std::size_t i = 0; i < plan.mixes.size(); ++i) {
        const double count = expected(plan.mixes[i]);
        if (count * tail >= kSamplesOfTail || tail <= 0)
            continue;
        lint.add(fmt::format("mixes[{}].measurement", i),
            fmt::format("the percentile {:g} of \"{}\" rests on few actions: about {:.0f} iterations are "
                        "expected, and "
                        "{:.0f} are needed",
                plan.criteria.percentile, document::shown(plan.mixes[i].name), count,
                std::ceil(kSamplesOfTail / tail)),
            "measure for longer, or judge a lower percentile");
        return; // one says it
    }
}

void lintWorkingSet(const MailPlan& plan, const RunLab& lab, const LintFacts& facts, Lint& lint)
{
    const Workload& workload = plan.workload;
    const std::uint64_t messages = workload.initial ? workload.initial->messages() : 0;
    if (messages == 0) {
        if (workload.pacing != Pacing::users || !workload.initialise)
            lint.add("workload.initial",
                "mailboxes begin empty, as far as the plan says: what is read was written moments before and "
                "is in memory",
                "add [workload.initial] and initialise the mailboxes");
        return;
    }
    const auto parts = partsOf(plan);
    const bool here = std::ranges::all_of(parts, [](const MailPlan& part) { return isHere(part.target); });
    const std::optional<double> ofLab = memoryOfLab(lab);
    const double memory = ofLab ? *ofLab : here ? memoryHere(facts) : 0;
    const double set =
        static_cast<double>(plan.largestMix()) * static_cast<double>(messages) * messageSize(workload);
    if (memory > 0 && set < memory)
        lint.add("workload.initial",
            fmt::format("all mailboxes together (about {}) fit into the server's memory ({}): its disks are "
                        "hardly read",
                sizeText(set), sizeText(memory)),
            "use more mailboxes or fuller ones");
}

void lintServers(const MailPlan& plan, Lint& lint)
{
    const auto parts = partsOf(plan);
    if (std::ranges::any_of(parts, [](const MailPlan& part) { return part.target.embedded.present; })) {
        lint.add("target.embedded",
            "no mail server of yours: the embedded target keeps mail in memory and has service times that "
            "the plan states",
            "name your server in [target.smtp] and [target.imap] or [target.pop3]");
        return;
    }
    if (std::ranges::all_of(parts, [](const MailPlan& part) { return isHere(part.target); }))
        lint.add("target",
            "generator and server share this machine: they take processor time from each other, and no "
            "network is tested",
            "run the server on another machine");
    const bool isPlain = std::ranges::all_of(parts, [](const MailPlan& part) {
        const Target& target = part.target;
        return (!target.smtp.present || target.smtp.tls == TlsMode::none)
            && (!target.pop3.present || target.pop3.tls == TlsMode::none)
            && (!target.imap.present || target.imap.tls == TlsMode::none);
    });
    if (isPlain)
        lint.add("target", "no connection is encrypted: TLS costs a server processor time, most at log-on",
            "write tls = \"starttls\" or \"implicit\" for each server");
}

void lintHead(const PlanHead& head, std::size_t loads, const char* list, Lint& lint)
{
    if (loads == 1)
        lint.add(list, "one load: how figures change with the load stays unknown",
            "add further entries with more and with less load");
    lint.add("seed",
        fmt::format("one seed ({}): each run of the plan repeats the same choices, so runs show what the "
                    "machines vary by, "
                    "not what chance does",
            head.seed),
        "repeat with other seeds: loadstone run --seed 2");
    const bool asks = std::ranges::any_of(head.counters, [](const CounterSourceSpec& source) {
        return source.role == ComputerRole::sut || source.role == ComputerRole::none;
    });
    if (!asks)
        lint.add("counters", "no counter of the system under test: a run shows that it is slow, not why",
            "add [[counters]] with role = \"sut\" and ssh or openmetrics");
}

void lintMail(const MailPlan& plan, const RunLab& lab, const LintFacts& facts, Lint& lint)
{
    lintCriteria(plan, lint);
    lintPauses(plan, lint);
    lintLength(plan, lint);
    lintSamples(plan, lint);
    lintWorkingSet(plan, lab, facts, lint);
    lintServers(plan, lint);
    if (plan.workload.pacing != Pacing::users && !plan.readsMailboxes())
        lint.add("workload.steps",
            "no mailbox is read: delivery is not followed, and no message can be found lost",
            "add a step with action = \"empty mailbox\" or \"read mailbox\"");
    lintHead(plan, plan.mixes.size(), "mixes", lint);
}

void lintStorage(const StoragePlan& plan, const LintFacts& facts, Lint& lint)
{
    const StorageTest& test = plan.test;
    double data = 0;
    for (const StorageGroupPlan& group : test.groups)
        data += static_cast<double>(group.databaseSize) * static_cast<double>(group.databases.size());
    if (test.load.pacing == StoragePacing::mailboxes)
        data = static_cast<double>(test.load.mailboxes) * static_cast<double>(test.load.quota);
    const auto cache = static_cast<double>(test.database.cacheMaximum);
    if (data > 0 && data < kTimesCache * cache)
        lint.add("database.cache_maximum",
            fmt::format("the databases ({}) are less than {:.0f} times the cache ({}): many reads never "
                        "reach the volumes",
                sizeText(data), kTimesCache, sizeText(cache)),
            "make the databases larger or cache_maximum smaller");
    if (const double memory = memoryHere(facts); !test.database.direct && memory > 0 && data < memory)
        lint.add("database.direct",
            fmt::format(
                "the databases ({}) fit into this machine's memory ({}), and the kernel's page cache is used",
                sizeText(data), sizeText(memory)),
            "write direct = true");
    bool loads = false, recovers = false, checks = false, backs = false;
    for (std::size_t i = 0; i < test.tests.size(); ++i) {
        const StorageTestStep& step = test.tests[i];
        loads = loads || step.isLoad();
        recovers = recovers || step.kind == StorageTestKind::recovery;
        checks = checks || step.kind == StorageTestKind::checksum;
        backs = backs || step.kind == StorageTestKind::backup;
        const Nanoseconds usual = step.kind == StorageTestKind::stress ? Nanoseconds(24h) : Nanoseconds(2h);
        if (step.isLoad() && step.duration < usual)
            lint.add(fmt::format("tests[{}].duration", i),
                fmt::format("{} of load are shorter than the {} of published tests: write caches and spare "
                            "blocks may not "
                            "fill in that time",
                    formatDuration(step.duration), formatDuration(usual)),
                fmt::format("write duration = \"{}\"", formatDuration(usual)));
    }
    if (!loads)
        lint.add("tests", "no transactions: there is no performance and no stress test",
            "add [[tests]] with kind = \"performance\"");
    if (!checks)
        lint.add("tests", "pages are not read back at the end: damage that no transaction met stays unseen",
            "add [[tests]] with kind = \"checksum\" as the last one");
    if (!recovers)
        lint.add("tests", "no recovery: how long a crash takes to be repaired stays unknown",
            "add [[tests]] with kind = \"recovery\"");
    if (!backs)
        lint.add("tests", "no backup: how fast the databases can be read in order stays unknown",
            "add [[tests]] with kind = \"backup\"");
    if (loads && !test.load.target() && !test.load.tuning)
        lint.add("load.target_iops",
            "no rate is asked for: a test passes with any number of transfers per second",
            "write target_iops, or pacing = \"mailboxes\"");
    std::set<std::string> folders;
    for (const StorageGroupPlan& group : test.groups)
        folders.insert(group.databases.begin(), group.databases.end());
    const bool together = std::ranges::any_of(
        test.groups, [&](const StorageGroupPlan& group) { return folders.contains(group.log); });
    if (together)
        lint.add("groups",
            "a log lies in the folder of a database: their transfers disturb each other on one volume",
            "put each log on another volume than the databases");
    lintHead(plan, 0, "tests", lint);
}

void lintRaw(const RawPlan& plan, const LintFacts& facts, Lint& lint)
{
    const RawTest& test = plan.test;
    const double memory = memoryHere(facts);
    const std::string sizes = fmt::format("the file ({}), which is smaller than this machine's memory ({}), ",
        sizeText(static_cast<double>(test.size)), sizeText(memory));
    if (memory > 0 && static_cast<double>(test.size) < memory)
        lint.add("device.size",
            sizes
                + (test.direct ? "may be held by caches of controllers and devices"
                               : "is held by the kernel's page cache: the device is hardly read"),
            test.direct ? "write a size well above all caches" : "write direct = true");
    const bool append = test.pattern == RawPattern::append;
    const bool writes =
        append || std::ranges::any_of(test.mixes, [](const RawLoad& mix) { return mix.readShare < 1; });
    const bool reads =
        !append && std::ranges::any_of(test.mixes, [](const RawLoad& mix) { return mix.readShare > 0; });
    if (!writes)
        lint.add("mixes",
            "nothing is written: devices write much slower than they read, above all when they are full",
            "add an entry with read_share = \"60 %\"");
    if (!reads)
        lint.add("mixes", "nothing is read", "add an entry with read_share = \"100 %\" and another pattern");
    if (writes && test.durability == RawDurability::none)
        lint.add("device.durability",
            "writes are not made durable: they may be in a cache that a power cut empties",
            "write durability = \"write-through\"");
    for (std::size_t i = 0; i < test.mixes.size(); ++i)
        if (test.mixes[i].measurement < kShortRaw) {
            lint.add(fmt::format("mixes[{}].measurement", i),
                fmt::format("{} of measurement are too short: a device that begins to clear its blocks slows "
                            "down later",
                    formatDuration(test.mixes[i].measurement)),
                fmt::format("measure for \"{}\" or longer", formatDuration(kShortRaw)));
            break; // one says it
        }
    const bool rates = std::ranges::any_of(test.mixes, [](const RawLoad& mix) { return mix.perSecond > 0; });
    if (!rates)
        lint.add("mixes",
            "no entry has a rate: a slow transfer delays the next one, so waiting times at a given load stay "
            "unknown",
            "add an entry with rate = \"500/s\"");
    lintHead(plan, test.mixes.size(), "mixes", lint);
}

} // namespace

std::vector<PlanLint> lintOf(const LoadedPlan& loaded, const LintFacts& facts)
{
    if (!loaded.ok())
        return {};
    Lint lint;
    if (const MailPlan* mail = loaded.plan.mail())
        lintMail(*mail, loaded.lab, facts, lint);
    if (const StoragePlan* storage = loaded.plan.storage())
        lintStorage(*storage, facts, lint);
    if (const RawPlan* raw = loaded.plan.raw())
        lintRaw(*raw, facts, lint);
    return lint.take();
}

} // namespace loadstone::plan

namespace loadstone {

Result<std::vector<PlanLint>> lintPlan(const PlanInput& plan, const LintFacts& facts)
{
    const auto loaded = plan::loadPlan(plan);
    if (!loaded)
        return loaded.error();
    return plan::lintOf(*loaded, facts);
}

} // namespace loadstone
