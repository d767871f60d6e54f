// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan with [[targets]] is read once for each of them, as a plan whose [target] is that entry laid over what [target] says for
// all: so every rule for one target holds for several, and speaks in the same words.
#include "base/random.h"
#include "plan/read_plan.h"
#include "plan/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace loadstone::plan {

namespace {

constexpr std::size_t kMostTargets = 50;
constexpr std::int64_t kLargestShare = 1'000'000;

/// What an entry of [[targets]] says beside the target itself.
struct Entry {
    std::string name, profile;
    std::uint64_t share = 1;
};

Member* memberOf(Node& table, std::string_view key)
{
    const auto found = std::find_if(
        table.members.begin(), table.members.end(), [&](const Member& member) { return member.key == key; });
    return found == table.members.end() ? nullptr : &*found;
}

void remove(Node& table, std::string_view key)
{
    std::erase_if(table.members, [&](const Member& member) { return member.key == key; });
}

void put(Node& table, Member member)
{
    if (Member* same = memberOf(table, member.key))
        *same = std::move(member);
    else
        table.members.push_back(std::move(member));
}

/// What `over` states takes the place of what `table` says; tables in both are laid over each other.
void layOver(Node& table, const Node& over)
{
    for (const Member& member : over.members) {
        Member* same = memberOf(table, member.key);
        // A password's table names its source: two of them would name two.
        const bool both = same != nullptr && same->value.kind == Node::Kind::table
            && member.value.kind == Node::Kind::table && member.key != "password";
        if (both)
            layOver(same->value, member.value);
        else
            put(table, member);
    }
    table.begin = over.begin;
    table.end = over.end;
}

bool isName(const std::string& name)
{
    return !name.empty() && name.size() <= 40 && name == shown(name)
        && name.find_first_of(":()\\\"") == std::string::npos;
}

Entry readEntry(const Node& node, std::size_t index, Problems& problems)
{
    TableReader table(&node, fmt::format("targets[{}]", index), problems);
    Entry entry;
    entry.name = table.text("name").value_or(fmt::format("Target {}", index + 1));
    if (!isName(entry.name))
        problems.error(table.path("name"),
            "is empty, longer than 40 characters, or has one of : ( ) \\ \" in it",
            "write a short name such as \"East\"");
    assign(entry.share, table.number("share", 1, kLargestShare));
    assign(entry.profile, table.text("profile"));
    return entry;
}

/// The document of a plan of one target: the one that `entry` describes, or the first of all where it is null.
Node documentFor(const Node& root, const Node& node, const Entry* entry)
{
    Node document = root;
    remove(document, "targets");
    remove(document, "profiles");
    Node target = node;
    for (const char* key : { "name", "share", "profile" })
        remove(target, key);
    if (Member* common = memberOf(document, "target");
        common != nullptr && common->value.kind == Node::Kind::table)
        layOver(common->value, target);
    else
        put(document, { "target", node.begin, target });
    Member* workload = memberOf(document, "workload");
    if (workload == nullptr || workload->value.kind != Node::Kind::table)
        return document;
    if (const Node* own = node.find("profile"); own != nullptr && entry != nullptr)
        put(workload->value, { "profile", own->begin, *own });
    const Node* profile = workload->value.find("profile");
    const Node* carried = root.find("profiles");
    if (profile != nullptr && carried != nullptr && profile->kind == Node::Kind::text)
        if (const Node* text = carried->find(profile->text)) {
            Node table = *text;
            table.kind = Node::Kind::table;
            table.members = { { "text", text->begin, *text } };
            put(document, { "profile", text->begin, std::move(table) });
        }
    return document;
}

/// A problem of a part, with its field as the plan has it.
PlanProblem inPlan(PlanProblem problem, const Node& root, std::size_t index)
{
    const auto below = [](const std::string& field, std::string_view table) {
        return field.starts_with(table)
            && (field.size() == table.size() || field[table.size()] == '.' || field[table.size()] == '[');
    };
    constexpr std::string_view kTarget = "target";
    if (below(problem.field, kTarget)) {
        const std::string own = fmt::format("targets[{}]{}", index, problem.field.substr(kTarget.size()));
        const bool common = follow(root, parsePath(problem.field)) != nullptr
            && follow(root, parsePath(own)) == nullptr && problem.field.size() > kTarget.size();
        if (!common)
            problem.field = own;
    } else if (below(problem.field, "workload.profile")
        && follow(root, parsePath(fmt::format("targets[{}].profile", index))) != nullptr)
        problem.field = fmt::format("targets[{}].profile", index);
    return problem;
}

/// How many of `whole` each target has, by shares; consecutive pieces, so that nothing is lost to rounding.
std::vector<std::uint32_t> divided(std::uint64_t whole, const std::vector<Entry>& entries)
{
    std::uint64_t all = 0, before = 0;
    for (const Entry& entry : entries)
        all += entry.share;
    std::vector<std::uint32_t> pieces;
    for (const Entry& entry : entries) {
        const std::uint64_t begin = whole * before / all;
        before += entry.share;
        pieces.push_back(static_cast<std::uint32_t>(whole * before / all - begin));
    }
    return pieces;
}

void divideUsers(Plan& plan, const std::vector<Entry>& entries, Problems& problems)
{
    const bool users = plan.workload.pacing == Pacing::users;
    for (std::size_t i = 0; i < plan.mixes.size(); ++i) {
        const Mix& mix = plan.mixes[i];
        const auto pieces = divided(users ? mix.mailboxesPerClient : mix.clients, entries);
        for (std::size_t t = 0; t < pieces.size(); ++t)
            (users ? plan.parts[t].mixes[i].mailboxesPerClient : plan.parts[t].mixes[i].clients) =
                std::max(1U, pieces[t]);
        const std::string field = fmt::format("mixes[{}].{}", i, users ? "users" : "clients");
        if (std::find(pieces.begin(), pieces.end(), 0U) != pieces.end() && !problems.touched(field))
            problems.error(field,
                fmt::format("{} are too few for {} targets: by their shares one would have none",
                    users ? mix.mailboxesPerClient : mix.clients, entries.size()),
                "write more, or shares that differ less");
    }
}

/// Scripts send to distinct mailboxes of their own target.
void checkRecipients(const Plan& plan, Problems& problems)
{
    for (std::size_t t = 0; t < plan.parts.size(); ++t)
        for (const Mix& mix : plan.parts[t].mixes)
            for (const Step& step : plan.workload.steps)
                if (step.kind == ActionKind::sendMessage && step.recipients > mix.mailboxes()) {
                    problems.error(fmt::format("targets[{}].share", t),
                        fmt::format(
                            "gives it {} mailboxes in the mix \"{}\", but a message has {} recipients",
                            mix.mailboxes(), shown(mix.name), step.recipients),
                        "give it a larger share, or the mix more mailboxes");
                    return;
                }
}

bool sameServer(const Endpoint& a, const Endpoint& b)
{
    return a.present && b.present && a.host == b.host && a.port == b.port;
}

/// Two targets on one server must not have the same mailboxes.
void checkMailboxes(const Plan& plan, Problems& problems)
{
    for (std::size_t later = 1; later < plan.parts.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const Plan& a = plan.parts[earlier];
            const Plan& b = plan.parts[later];
            const std::uint64_t end = a.target.firstNumber + a.largestMix();
            if (a.target.embedded.present || b.target.embedded.present
                || !(sameServer(a.target.smtp, b.target.smtp) || sameServer(a.target.imap, b.target.imap)
                    || sameServer(a.target.pop3, b.target.pop3))
                || a.target.domain != b.target.domain || a.target.user != b.target.user
                || a.target.firstNumber >= b.target.firstNumber + b.largestMix()
                || b.target.firstNumber >= end)
                continue;
            problems.error(fmt::format("targets[{}].first_number", later),
                fmt::format("its mailboxes are on the same server as those of \"{}\", and some are the same",
                    shown(a.targetName)),
                fmt::format("write first_number = {}, or another user or domain", end));
        }
}

} // namespace

CheckedPlan readSeveralTargets(const Node& root, const std::string& name, const ProfileSource& profiles)
{
    CheckedPlan checked;
    Problems problems(root);
    const Node* targets = root.find("targets");
    const bool list = targets->kind == Node::Kind::array && !targets->items.empty()
        && std::all_of(targets->items.begin(), targets->items.end(),
            [](const Node& item) { return item.kind == Node::Kind::table; });
    if (!list || targets->items.size() > kMostTargets) {
        problems.error("targets",
            list ? fmt::format("there are {}", targets->items.size()) : "is no list of tables",
            fmt::format(
                "write [[targets]] once for each, at most {} times, or [target] for one", kMostTargets));
        checked.problems = problems.take();
        return checked;
    }
    std::set<std::tuple<int, int, std::string, std::string>> told; // what all parts have in common
    const auto take = [&](CheckedPlan part, std::size_t index) {
        for (PlanProblem& found : part.problems) {
            PlanProblem problem = inPlan(std::move(found), root, index);
            if (told.emplace(problem.line, problem.column, problem.field, problem.message).second)
                checked.problems.push_back(std::move(problem));
        }
        checked.profiles.merge(part.profiles);
        return std::move(part.plan);
    };
    std::vector<Entry> entries;
    std::set<std::string> names;
    std::vector<Plan> parts;
    for (std::size_t i = 0; i < targets->items.size(); ++i) {
        const Node& node = targets->items[i];
        entries.push_back(readEntry(node, i, problems));
        if (!names.insert(entries.back().name).second)
            problems.error(fmt::format("targets[{}].name", i),
                fmt::format("\"{}\" is the name of another target as well", shown(entries.back().name)),
                "give each target a name of its own");
        parts.push_back(take(readOneTarget(documentFor(root, node, &entries.back()), name, profiles), i));
        parts.back().targetName = entries.back().name;
    }
    const Node& first = targets->items.front();
    const bool common = follow(root, { PathStep("workload"), PathStep("profile") }) != nullptr;
    checked.plan =
        take(readOneTarget(documentFor(root, first, common ? nullptr : entries.data()), name, profiles), 0);
    if (parts.size() > 1) {
        checked.plan.parts = std::move(parts);
        divideUsers(checked.plan, entries, problems);
        checkRecipients(checked.plan, problems);
        checkMailboxes(checked.plan, problems);
    }
    std::vector<PlanProblem> own = problems.take();
    checked.problems.insert(checked.problems.end(), own.begin(), own.end());
    std::stable_sort(
        checked.problems.begin(), checked.problems.end(), [](const PlanProblem& a, const PlanProblem& b) {
            return std::tie(a.line, a.column) < std::tie(b.line, b.column);
        });
    return checked;
}

std::vector<Plan> partsOf(const Plan& plan)
{
    if (plan.parts.empty())
        return { plan };
    std::vector<Plan> parts = plan.parts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i].seed = i == 0 ? plan.seed : hashOf({ plan.seed, i });
    return parts;
}

} // namespace loadstone::plan
