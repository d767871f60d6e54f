// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan with [[targets]] is read once for each of them, as a plan whose [target] is that entry laid over what [target] says for
// all: so every rule for one target holds for several, and speaks in the same words.
#include "base/random.h"
#include "document/table_reader.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace loadstone::plan {

namespace {

/// What an entry of [[targets]] says beside the target itself.
struct Entry {
    std::string name, profile;
    std::uint64_t share = 1;
};

document::Member* memberOf(document::Node& table, std::string_view key)
{
    const auto found = std::find_if(table.members.begin(), table.members.end(),
        [&](const document::Member& member) { return member.key == key; });
    return found == table.members.end() ? nullptr : &*found;
}

void remove(document::Node& table, std::string_view key)
{
    std::erase_if(table.members, [&](const document::Member& member) { return member.key == key; });
}

void put(document::Node& table, document::Member member)
{
    if (document::Member* same = memberOf(table, member.key))
        *same = std::move(member);
    else
        table.members.push_back(std::move(member));
}

/// What `over` states takes the place of what `table` says; tables in both are laid over each other.
void layOver(document::Node& table, const document::Node& over)
{
    for (const document::Member& member : over.members) {
        document::Member* same = memberOf(table, member.key);
        // A password's table names its source: two of them would name two.
        const bool both = same != nullptr && same->value.kind == document::Node::Kind::table
            && member.value.kind == document::Node::Kind::table && member.key != "password";
        if (both)
            layOver(same->value, member.value);
        else
            put(table, member);
    }
    table.begin = over.begin;
    table.end = over.end;
}

/// Not one that counters give an instance of theirs, such as "_Total".
bool isTargetName(const std::string& name)
{
    return !name.empty() && name.front() != '_' && name.size() <= 40 && name == document::shown(name)
        && name.find_first_of(":()\\\"") == std::string::npos;
}

Entry readEntry(const document::Node& node, std::size_t index, document::Problems& problems)
{
    document::TableReader table(&node, fmt::format("targets[{}]", index), problems);
    Entry entry;
    entry.name = table.text("name").value_or(fmt::format("Target {}", index + 1));
    if (!isTargetName(entry.name))
        problems.error(table.path("name"),
            "is empty, longer than 40 characters, begins with _, or has one of : ( ) \\ \" in it",
            "write a short name such as \"East\"");
    document::assign(entry.share, table.number("share"));
    document::assign(entry.profile, table.text("profile"));
    return entry;
}

/// The profiles that the plan carries itself, by name; none of them says anything else.
std::map<std::string, const document::Node*> carriedProfiles(
    const document::Node& root, document::Problems& problems)
{
    std::map<std::string, const document::Node*> carried;
    document::TableReader top(&root, "", problems);
    const document::Node* list = top.tables("profiles");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        const document::Node& node = list->items[i];
        document::TableReader table(&node, fmt::format("profiles[{}]", i), problems);
        const auto name = table.text("name");
        const auto text = table.text("text");
        table.finish();
        if (!table.has("name"))
            table.missing("name", "remove it; profiles are named in [workload] or [[targets]]");
        if (!table.has("text"))
            table.missing("text", "remove it; profiles are named in [workload] or [[targets]]");
        if (name && text)
            carried[*name] = node.find("text");
    }
    return carried;
}

/// The document of a plan of one target: the one that `node` describes; of its own profile where `own`.
document::Node documentFor(const document::Node& root, const document::Node& node, bool own,
    const std::map<std::string, const document::Node*>& profiles)
{
    document::Node document = root;
    remove(document, "targets");
    remove(document, "profiles");
    document::Node target = node;
    for (const char* key : { "name", "share", "profile" })
        remove(target, key);
    if (document::Member* common = memberOf(document, "target"))
        layOver(common->value, target);
    else
        put(document, { "target", node.begin, target });
    document::Member* workload = memberOf(document, "workload");
    if (workload == nullptr || workload->value.kind != document::Node::Kind::table)
        return document;
    if (const document::Node* stated = node.find("profile"); stated != nullptr && own) {
        put(workload->value, { "profile", stated->begin, *stated });
        remove(document, "profile"); // that is the workload's
    }
    const document::Node* profile = workload->value.find("profile");
    const auto text = profile != nullptr && profile->kind == document::Node::Kind::text
        ? profiles.find(profile->text)
        : profiles.end();
    if (text != profiles.end()) {
        document::Node table = *text->second;
        table.kind = document::Node::Kind::table;
        table.members = { { "text", text->second->begin, *text->second } };
        put(document, { "profile", text->second->begin, std::move(table) });
    }
    return document;
}

/// A problem of a part, with its field as the plan has it.
Problem inPlan(Problem problem, const document::Node& root, std::size_t index)
{
    const auto below = [](const std::string& field, std::string_view table) {
        return field.starts_with(table)
            && (field.size() == table.size() || field[table.size()] == '.' || field[table.size()] == '[');
    };
    constexpr std::string_view kTarget = "target";
    if (below(problem.field, kTarget)) {
        const std::string own = fmt::format("targets[{}]{}", index, problem.field.substr(kTarget.size()));
        const bool common = follow(root, document::parsePath(problem.field)) != nullptr
            && follow(root, document::parsePath(own)) == nullptr && problem.field.size() > kTarget.size();
        if (!common)
            problem.field = own;
    } else if (below(problem.field, "workload.profile")
        && follow(root, document::parsePath(fmt::format("targets[{}].profile", index))) != nullptr)
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

void divideUsers(MailPlan& plan, const std::vector<Entry>& entries, document::Problems& problems)
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
void checkRecipients(const MailPlan& plan, document::Problems& problems)
{
    for (std::size_t t = 0; t < plan.parts.size(); ++t)
        for (const Mix& mix : plan.parts[t].mixes)
            for (std::size_t i = 0; i < plan.workload.steps.size(); ++i)
                if (const Step& step = plan.workload.steps[i]; step.messages() > 0
                    && step.recipients > mix.mailboxes() && playsStep(plan.workload, mix, i)) {
                    problems.error(fmt::format("targets[{}].share", t),
                        fmt::format(
                            "gives it {} mailboxes in the mix \"{}\", but a message has {} recipients",
                            mix.mailboxes(), document::shown(mix.name), step.recipients),
                        "give it a larger share, or the mix more mailboxes");
                    return;
                }
}

bool sameServer(const Endpoint& a, const Endpoint& b)
{
    return a.present && b.present && a.host == b.host && a.port == b.port;
}

/// Two targets on one server must not have the same mailboxes.
void checkMailboxes(const MailPlan& plan, document::Problems& problems)
{
    for (std::size_t later = 1; later < plan.parts.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const MailPlan& a = plan.parts[earlier];
            const MailPlan& b = plan.parts[later];
            const std::uint64_t end = a.target.firstNumber + a.largestMix();
            const bool mail = !a.target.embedded.present && !b.target.embedded.present
                && (sameServer(a.target.smtp, b.target.smtp) || sameServer(a.target.imap, b.target.imap)
                    || sameServer(a.target.pop3, b.target.pop3));
            const bool collections =
                (sameServer(a.target.caldav, b.target.caldav) && a.target.caldav.path == b.target.caldav.path)
                || (sameServer(a.target.carddav, b.target.carddav)
                    && a.target.carddav.path == b.target.carddav.path);
            if (!(mail || collections) || !haveSameMailboxes(a, b))
                continue;
            problems.error(fmt::format("targets[{}].first_number", later),
                fmt::format("its mailboxes are on the same server as those of \"{}\", and some are the same",
                    document::shown(a.targetName)),
                fmt::format("write first_number = {}, or another user or domain", end));
        }
}

} // namespace

CheckedPlan readSeveralTargets(
    const document::Node& root, const std::string& name, const ProfileSource& profiles)
{
    CheckedPlan checked;
    document::Problems problems(root);
    document::TableReader top(&root, "", problems);
    const document::Node* targets = top.node("targets");
    const std::size_t most = top.most("targets");
    const bool list = targets->kind == document::Node::Kind::array && !targets->items.empty()
        && std::all_of(targets->items.begin(), targets->items.end(),
            [](const document::Node& item) { return item.kind == document::Node::Kind::table; });
    const document::Node* common = root.find("target");
    if (common != nullptr && common->kind != document::Node::Kind::table) {
        problems.error("target", fmt::format("is {}, must be a table", describe(common->kind)),
            "write [target] with what all targets have in common, or remove it");
        checked.problems = problems.take();
        return checked;
    }
    if (!list || targets->items.size() > most) {
        problems.error("targets",
            list ? fmt::format("there are {}", targets->items.size()) : "is not a list of tables",
            fmt::format("write [[targets]] once for each, at most {} times, or [target] for one", most));
        checked.problems = problems.take();
        return checked;
    }
    std::set<std::tuple<int, int, std::string, std::string>> told; // what all parts have in common
    const auto take = [&](CheckedPlan part, std::size_t index) {
        for (Problem& found : part.problems) {
            Problem problem = inPlan(std::move(found), root, index);
            if (told.emplace(problem.line, problem.column, problem.field, problem.message).second)
                checked.problems.push_back(std::move(problem));
        }
        checked.profiles.merge(part.profiles);
        return std::move(*part.plan.mail()); // plans of other kinds have no targets
    };
    const std::map<std::string, const document::Node*> carried = carriedProfiles(root, problems);
    std::vector<Entry> entries;
    std::set<std::string> names;
    std::vector<MailPlan> parts;
    for (std::size_t i = 0; i < targets->items.size(); ++i) {
        const document::Node& node = targets->items[i];
        entries.push_back(readEntry(node, i, problems));
        if (!names.insert(entries.back().name).second)
            problems.error(fmt::format("targets[{}].name", i),
                fmt::format(
                    "\"{}\" is the name of another target as well", document::shown(entries.back().name)),
                "give each target another name");
        parts.push_back(take(readOneTarget(documentFor(root, node, true, carried), name, profiles), i));
        parts.back().targetName = entries.back().name;
    }
    // All together have the profile of the workload, or the one that all targets have.
    const bool stated =
        follow(root, { document::PathStep("workload"), document::PathStep("profile") }) != nullptr;
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const MailPlan& part) {
        return part.workload.profileName == parts.front().workload.profileName;
    });
    MailPlan plan = take(
        readOneTarget(documentFor(root, targets->items.front(), same || !stated, carried), name, profiles),
        0);
    if (parts.size() > 1) {
        plan.parts = std::move(parts);
        divideUsers(plan, entries, problems);
        checkRecipients(plan, problems);
        checkMailboxes(plan, problems);
    }
    checked.plan.of = std::move(plan);
    for (Problem& problem : problems.take())
        if (told.emplace(problem.line, problem.column, problem.field, problem.message).second)
            checked.problems.push_back(std::move(problem));
    std::stable_sort(
        checked.problems.begin(), checked.problems.end(), [](const Problem& a, const Problem& b) {
            return std::tie(a.line, a.column) < std::tie(b.line, b.column);
        });
    return checked;
}

bool haveSameMailboxes(const MailPlan& a, const MailPlan& b)
{
    return a.target.domain == b.target.domain && a.target.user == b.target.user
        && a.target.firstNumber < b.target.firstNumber + b.largestMix()
        && b.target.firstNumber < a.target.firstNumber + a.largestMix();
}

std::vector<MailPlan> partsOf(const MailPlan& plan)
{
    if (plan.parts.empty())
        return { plan };
    std::vector<MailPlan> parts = plan.parts;
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i].seed = i == 0 ? plan.seed : hashOf({ plan.seed, i });
    return parts;
}

} // namespace loadstone::plan
