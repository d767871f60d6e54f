// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Named workloads: which mixes have them, how the threads of clients are divided among them, and all pauses.
#include "base/joined.h"
#include "document/table_reader.h"
#include "plan/model/steps.h"
#include "plan/read/read_plan.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

/// The keys of a pause, and where they stand.
struct PauseKeys {
    std::string table; ///< "mixes[0]"
    const char* mean;
    const char* prefix; ///< of the others: "think"
    [[nodiscard]] std::string of(const char* suffix) const
    {
        return fmt::format("{}.{}_{}", table, prefix, suffix);
    }
};

/// What is stated as a pause; reports what contradicts itself, and then leaves the bounds out.
Pause settlePause(const PauseValues& values, const PauseKeys& keys, document::Problems& problems)
{
    using Kind = PauseShape::Kind;
    Pause pause;
    pause.mean = values.mean.value_or(Nanoseconds(0));
    pause.shape.kind = values.kind.value_or(Kind::constant);
    const Nanoseconds least = values.least.value_or(Nanoseconds(0));
    const auto wrong = [&](const char* suffix, std::string message, std::string remedy) {
        if (!problems.touched(keys.of(suffix))
            && !problems.touched(fmt::format("{}.{}", keys.table, keys.mean)))
            problems.error(keys.of(suffix), std::move(message), std::move(remedy));
        return pause;
    };
    const std::string mean = formatDuration(pause.mean);
    if (pause.shape.kind == Kind::constant) {
        if (least > Nanoseconds(0) || values.most)
            return wrong(least > Nanoseconds(0) ? "least" : "most", "has no effect on a constant pause",
                fmt::format(
                    "remove it, or write {}_distribution = \"uniform\" or \"exponential\"", keys.prefix));
        return pause;
    }
    if (pause.mean == Nanoseconds(0))
        return wrong("distribution",
            fmt::format("a pause of 0 s does not vary; {} is not stated or 0", keys.mean),
            fmt::format("write {} = \"10 s\", or remove it", keys.mean));
    if (least > pause.mean)
        return wrong("least", fmt::format("is longer than the mean, {}", mean),
            fmt::format("write at most \"{}\"", mean));
    const Nanoseconds mirrored = pause.mean + (pause.mean - least);
    if (values.most && pause.shape.kind == Kind::uniform && *values.most != mirrored)
        return wrong("most",
            fmt::format("between {} and {} the mean is not {}", formatDuration(least),
                formatDuration(*values.most), mean),
            fmt::format("write \"{}\", or remove it", formatDuration(mirrored)));
    if (values.most && pause.shape.kind == Kind::exponential && *values.most <= mirrored)
        return wrong("most",
            fmt::format("no exponential distribution between {} and {} has the mean {}",
                formatDuration(least), formatDuration(*values.most), mean),
            fmt::format("write more than \"{}\", or distribution \"uniform\"", formatDuration(mirrored)));
    pause.shape.least = least;
    pause.shape.most = values.most.value_or(pause.shape.kind == Kind::uniform ? mirrored : Nanoseconds(0));
    return pause;
}

/// Of a named workload: only where it says how long.
std::optional<Pause> ownPause(const PauseValues& values, const PauseKeys& keys, document::Problems& problems)
{
    if (values.mean)
        return settlePause(values, keys, problems);
    const auto alone = [&](bool is, const char* suffix) {
        if (is && !problems.touched(keys.of(suffix)))
            problems.error(keys.of(suffix), fmt::format("has no effect without {}", keys.mean),
                fmt::format("write {} here as well, or state both in [mix]", keys.mean));
    };
    alone(values.kind.has_value(), "distribution");
    alone(values.least.has_value(), "least");
    alone(values.most.has_value(), "most");
    return std::nullopt;
}

void settleScripts(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    std::vector<Script>& scripts = plan.workload.scripts;
    std::map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        const std::string table = fmt::format("workloads[{}]", i);
        const auto& [think, request] = stated.scriptPauses[i];
        scripts[i].think = ownPause(think, { table, "think_time", "think" }, problems);
        scripts[i].request = ownPause(request, { table, "request_pause", "request_pause" }, problems);
        const auto [first, isNew] = names.emplace(scripts[i].name, i);
        if (!isNew && !scripts[i].name.empty())
            problems.error(table + ".name",
                fmt::format("\"{}\" is the name of workloads[{}] as well", document::shown(scripts[i].name),
                    first->second),
                "give each workload another name");
    }
}

std::string namesOf(const std::vector<Script>& scripts)
{
    std::vector<std::string> names;
    for (const Script& script : scripts)
        if (std::string name = fmt::format("\"{}\"", document::shown(script.name));
            !script.name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(std::move(name));
    return joined(names, ", ");
}

/// The table that says it: the mix itself, or [mix].
std::string statingTable(const std::vector<NamedShare>& shares, std::size_t index)
{
    const bool own = shares.empty() || shares.front().field.starts_with("mixes[");
    return own ? fmt::format("mixes[{}]", index) : "mix";
}

/// The scripts that a mix names; false where that is wrong.
bool nameScripts(MailPlan& plan, std::size_t index, const MixValues& values, std::set<std::string>& used,
    document::Problems& problems)
{
    const std::vector<Script>& scripts = plan.workload.scripts;
    Mix& mix = plan.mixes[index];
    if (!values.workloads) {
        const std::string field = fmt::format("mixes[{}].workload", index);
        if (!problems.touched(field) && !problems.touched(field + "s") && !problems.touched("mix.workload")
            && !problems.touched("mix.workloads"))
            problems.error(field,
                "is missing: the plan has named workloads, and the mix does not say which one it has",
                fmt::format("write workload = with one of {}, here or in [mix]", namesOf(scripts)));
        return false;
    }
    std::set<std::string> named;
    for (const NamedShare& share : *values.workloads) {
        if (share.name.empty() || problems.touched(share.field))
            return false;
        const auto script = std::find_if(
            scripts.begin(), scripts.end(), [&](const Script& one) { return one.name == share.name; });
        if (script == scripts.end()) {
            problems.error(share.field,
                fmt::format("no workload has the name \"{}\"", document::shown(share.name)),
                fmt::format("write one of {}", namesOf(scripts)));
            return false;
        }
        if (!named.insert(share.name).second) {
            problems.error(share.field, fmt::format("\"{}\" stands there twice", document::shown(share.name)),
                "write it once, with the sum of both shares");
            return false;
        }
        used.insert(share.name);
        MixScript one;
        one.name = script->name;
        one.first = script->first;
        one.count = script->count;
        one.share = share.share;
        const auto begin = plan.workload.steps.begin() + script->first;
        one.pop3 = std::any_of(begin, begin + script->count, usesPop3);
        one.think = script->think.value_or(Pause { mix.thinkTime, mix.thinkShape });
        one.request = script->request.value_or(mix.request);
        mix.scripts.push_back(std::move(one));
    }
    return !mix.scripts.empty();
}

/// Closed pacing: which threads of a client play which script.
void divideThreads(MailPlan& plan, std::size_t index, const MixValues& values, document::Problems& problems)
{
    Mix& mix = plan.mixes[index];
    std::vector<std::uint32_t> shares;
    for (const MixScript& script : mix.scripts)
        shares.push_back(script.share);
    const auto pieces = dividedByShares(mix.threadsPerClient, shares);
    for (std::size_t i = 0; i < pieces.size(); ++i)
        mix.scripts[i].threads = pieces[i];
    const auto none = std::find(pieces.begin(), pieces.end(), 0U);
    if (none == pieces.end() || !values.threadsPerClient)
        return;
    const std::string name = mix.scripts[static_cast<std::size_t>(none - pieces.begin())].name;
    const std::string table = statingTable(*values.workloads, index);
    if (!problems.touched(table + ".workloads"))
        problems.error(table + ".workloads",
            fmt::format("by these shares of the {} threads of a client, \"{}\" has none",
                mix.threadsPerClient, document::shown(name)),
            "write more threads_per_client, or shares that differ less");
}

/// What only makes sense with named workloads, or without.
bool mayHaveWorkloads(const MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    const Workload& workload = plan.workload;
    if (workload.scripts.empty()) {
        for (const MixValues& values : stated.mixes)
            if (values.workloads && !values.workloads->empty() && !stated.workloads
                && !problems.touched(values.workloads->front().field))
                problems.error(values.workloads->front().field, "the plan has no named workloads",
                    "remove it, or add [[workloads]] with name and steps");
        return false;
    }
    if (workload.pacing == Pacing::users) {
        problems.error("workloads", "have no effect: the profile says what the users do",
            "remove them, or write pacing = \"open\" or \"closed\"");
        return false;
    }
    if (workload.scripts.front().first > 0) {
        problems.error("workload.steps", "the plan has named workloads as well",
            "make these steps an entry of [[workloads]], and say in the mixes which one they have");
        return false;
    }
    return true;
}

} // namespace

void settleWorkloads(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    for (std::size_t i = 0; i < plan.mixes.size(); ++i) {
        const auto& [think, request] = std::tie(stated.mixes[i].think, stated.mixes[i].request);
        const Pause pause = settlePause(think, { think.table, "think_time", "think" }, problems);
        plan.mixes[i].thinkTime = pause.mean;
        plan.mixes[i].thinkShape = pause.shape;
        plan.mixes[i].request =
            settlePause(request, { request.table, "request_pause", "request_pause" }, problems);
    }
    settleScripts(plan, stated, problems);
    if (!mayHaveWorkloads(plan, stated, problems))
        return;
    std::set<std::string> used;
    for (std::size_t i = 0; i < plan.mixes.size(); ++i) {
        const MixValues& values = stated.mixes[i];
        if (values.namesTwice) {
            const std::string field =
                statingTable(values.workloads.value_or(std::vector<NamedShare>()), i) + ".workloads";
            if (!problems.touched(field))
                problems.error(field, "says the same as workload", "remove one of them");
            continue;
        }
        if (nameScripts(plan, i, values, used, problems) && plan.workload.pacing == Pacing::closed)
            divideThreads(plan, i, values, problems);
    }
    for (std::size_t i = 0; i < plan.workload.scripts.size(); ++i)
        if (const std::string& name = plan.workload.scripts[i].name;
            !name.empty() && !used.contains(name) && !problems.touched("mixes") && !problems.touched("mix"))
            problems.warning(
                fmt::format("workloads[{}]", i), "no mix has it", "name it in a mix, or remove it");
}

} // namespace loadstone::plan
