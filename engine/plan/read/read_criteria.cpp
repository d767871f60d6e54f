// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "document/table_reader.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::plan {

namespace {

void readActions(const document::Node* node, document::Problems& problems, Criteria& to)
{
    document::TableReader table(node, "criteria.actions", problems);
    for (const char* key : scoredKeys())
        if (const auto limit = table.duration(key))
            to.actions.emplace_back(key, *limit);
    table.finish();
}

void readProcessor(const document::Node* node, document::Problems& problems, Criteria& to)
{
    document::TableReader table(node, "criteria.processor", problems);
    document::assign(to.processorOf, table.text("of"));
    to.processorLeast = table.percent("least");
    to.processorMost = table.percent("most");
    if (to.processorLeast && to.processorMost && *to.processorLeast > *to.processorMost)
        problems.error("criteria.processor.least", "is above most", "write the smaller figure under least");
    table.finish();
}

void readCounters(const document::Node& list, std::size_t most, document::Problems& problems, Criteria& to)
{
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        document::TableReader table(&list.items[i], fmt::format("criteria.counters[{}]", i), problems);
        if (i == most) {
            problems.error(
                table.path("counter"), "is one too many", fmt::format("judge at most {} counters", most));
            return;
        }
        CounterCriterion criterion;
        if (const auto path = table.text("counter")) {
            criterion.path = *path;
            if (!path->starts_with('\\') || *path != document::shown(*path))
                problems.error(table.path("counter"),
                    fmt::format("\"{}\" is not the name of a counter", document::shown(*path)),
                    "write it as charts show it, in single quotes: '\\Processor(_Total)\\% Processor Time'");
        }
        document::assign(criterion.of, table.text("of"));
        criterion.least = table.real("least");
        criterion.most = table.real("most");
        document::assign(criterion.mayGrow, table.flag("may_grow"));
        table.finish();
        if (!table.has("counter"))
            table.missing("counter", "write counter = '\\Object(instance)\\Counter'");
        else if (!table.has("least") && !table.has("most") && criterion.mayGrow)
            problems.error(table.path("counter"), "has no limit", "write least, most or may_grow = false");
        else if (criterion.least && criterion.most && *criterion.least > *criterion.most)
            problems.error(table.path("least"), "is above most", "write the smaller figure under least");
        to.counters.push_back(std::move(criterion));
    }
}

/// `of`: a role that some source of the plan has, or the name of one.
void checkComputer(
    const std::string& of, const std::string& field, const MailPlan& plan, document::Problems& problems)
{
    if (of.empty() || of == toString(ComputerRole::generator) || problems.touched("counters"))
        return;
    const auto names = [&](const CounterSourceSpec& source) { return source.name == of; };
    const auto plays = [&](const CounterSourceSpec& source) { return toString(source.role) == of; };
    const bool role = of == toString(ComputerRole::sut) || of == toString(ComputerRole::directory);
    if (std::ranges::any_of(plan.counters, names) || (role && std::ranges::any_of(plan.counters, plays)))
        return;
    std::vector<std::string> known;
    for (const CounterSourceSpec& source : plan.counters)
        known.push_back(fmt::format("\"{}\"", document::shown(source.name)));
    if (role)
        problems.error(field, fmt::format("no source of counters has the role \"{}\"", of),
            fmt::format("write role = \"{}\" in the [[counters]] of that computer", of));
    else
        problems.error(field, fmt::format("no computer of this plan is called \"{}\"", document::shown(of)),
            known.empty() ? "add a table [[counters]] with its name, or write of = \"generator\""
                          : fmt::format("write \"sut\", \"generator\", \"directory\", or one of {}",
                              joined(known, ", ")));
}

} // namespace

void readCriteria(const document::Node* node, document::Problems& problems, Criteria& to)
{
    document::TableReader table(node, "criteria", problems);
    to.stated = table.present();
    if (const auto percentile = table.real("percentile")) {
        to.percentile = *percentile;
        if (*percentile <= 0)
            problems.error(
                "criteria.percentile", "is not a percentile", "write one above 0 and up to 100, such as 95");
    }
    to.score = table.duration("score");
    to.responseTime = table.duration("response_time");
    if (const document::Node* actions = table.table("actions"))
        readActions(actions, problems, to);
    if (const document::Node* processor = table.table("processor"))
        readProcessor(processor, problems, to);
    to.errorRate = table.share("error_rate");
    to.queueGrowth = table.real("queue_growth");
    document::assign(to.audit, table.flag("audit"));
    if (const document::Node* counters = table.tables("counters"))
        readCounters(*counters, table.most("counters"), problems, to);
    table.finish();
}

void checkCriteria(const MailPlan& plan, document::Problems& problems)
{
    const Criteria& criteria = plan.criteria;
    if (criteria.score && plan.workload.pacing != Pacing::users)
        problems.error("criteria.score", "a score weighs the actions of a profile, and the plan has none",
            "remove it and state response_time, or write pacing = \"users\"");
    else if (criteria.score && plan.workload.profile && plan.workload.profile->weights.empty())
        problems.error("criteria.score", "the plan's profile states no weights",
            "add a table [score] to the profile, or state response_time");
    checkComputer(criteria.processorOf, "criteria.processor.of", plan, problems);
    for (std::size_t i = 0; i < criteria.counters.size(); ++i)
        checkComputer(criteria.counters[i].of, fmt::format("criteria.counters[{}].of", i), plan, problems);
    const auto needsReading = [&](bool asked, const char* field) {
        if (asked && !plan.readsMailboxes())
            problems.error(field, "nothing in the plan reads mailboxes, so it is not known what arrives",
                "remove it, or let a step empty or read mailboxes");
    };
    needsReading(criteria.queueGrowth.has_value(), "criteria.queue_growth");
    needsReading(criteria.audit, "criteria.audit");
}

} // namespace loadstone::plan
