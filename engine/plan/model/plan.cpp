// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"

#include <loadstone/key.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace loadstone::plan {

bool isSessionCommand(std::string_view command)
{
    constexpr std::array<std::string_view, 19> kPlain { "NOOP", "CHECK", "FETCH", "STORE", "SEARCH", "COPY",
        "MOVE", "EXPUNGE", "STATUS", "LIST", "LSUB", "CREATE", "DELETE", "SELECT", "EXAMINE", "UNSELECT",
        "NAMESPACE", "GETQUOTA", "GETQUOTAROOT" };
    constexpr std::array<std::string_view, 6> kByUid { "FETCH", "STORE", "SEARCH", "COPY", "MOVE",
        "EXPUNGE" };
    const bool oneLine = command.size() <= 1000 && !command.ends_with('}')
        && std::all_of(command.begin(), command.end(), [](char c) { return c >= ' ' && c < 0x7f; });
    if (!oneLine)
        return false;
    const bool byUid = command.starts_with("UID ");
    if (byUid)
        command.remove_prefix(4);
    const std::string_view name = command.substr(0, command.find(' '));
    return byUid ? std::find(kByUid.begin(), kByUid.end(), name) != kByUid.end()
                 : std::find(kPlain.begin(), kPlain.end(), name) != kPlain.end();
}

std::vector<ActionKind> Workload::stepKinds() const
{
    std::vector<ActionKind> kinds;
    for (const Step& step : steps)
        kinds.push_back(step.kind);
    return kinds;
}

bool Workload::leavesOut(ActionKind kind) const
{
    if (!profile || profile->perDayOf(kind) <= 0)
        return false;
    return (isOf(kind, ActionSet::calendar) && !calendars) || (isOf(kind, ActionSet::contacts) && !contacts);
}

bool Workload::plays(ActionKind kind) const
{
    return profile && profile->perDayOf(kind) > 0 && !leavesOut(kind);
}

const PlanHead& Plan::head() const
{
    return std::visit([](const PlanHead& head) -> const PlanHead& { return head; }, of);
}

PlanHead& Plan::head()
{
    return std::visit([](PlanHead& head) -> PlanHead& { return head; }, of);
}

const Profile* Plan::profile() const
{
    return mail() != nullptr && mail()->workload.profile ? &*mail()->workload.profile : nullptr;
}

std::vector<LoadPoint> Plan::loadPoints() const
{
    std::vector<LoadPoint> points;
    if (mail() != nullptr)
        points.assign(mail()->mixes.begin(), mail()->mixes.end());
    if (raw() != nullptr)
        points.assign(raw()->test.mixes.begin(), raw()->test.mixes.end());
    if (storage() != nullptr)
        for (const StorageTestStep& test : storage()->test.tests)
            points.push_back({ test.name, {}, test.duration, {}, {}, test.line });
    return points;
}

namespace {

template <class Points>
Nanoseconds lengthOf(const Points& points)
{
    Nanoseconds sum {};
    for (std::size_t i = 0; i < points.size(); ++i)
        sum += points[i].total() + (i + 1 < points.size() ? points[i].quietTime : Nanoseconds(0));
    return sum;
}

} // namespace

Nanoseconds Plan::length() const
{
    return mail() != nullptr ? mail()->length() : lengthOf(loadPoints());
}

Nanoseconds MailPlan::length() const
{
    return lengthOf(mixes) + drain; // which takes the place of the last mix's quiet time
}

bool MailPlan::readsMailboxes() const
{
    return drainKind().has_value();
}

std::uint64_t MailPlan::largestMix() const
{
    std::uint64_t most = 0;
    for (const Mix& mix : mixes)
        most = std::max(most, mix.mailboxes());
    return most;
}

std::uint64_t MailPlan::recipientsPerIteration() const
{
    std::uint64_t sum = 0;
    for (const Step& step : workload.steps)
        sum += step.messages() * step.recipients;
    return sum;
}

std::string mailboxName(const Target& target, std::uint64_t index)
{
    std::string name;
    appendMailboxName(name, target, index);
    return name;
}

void appendMailboxName(std::string& name, const Target& target, std::uint64_t index)
{
    const std::string& pattern = target.user;
    const auto open = pattern.find('{');
    const auto close = pattern.find('}', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) {
        name += pattern;
        return;
    }
    std::size_t width = 0;
    if (close - open > 3) // "{n:5}"
        std::from_chars(pattern.data() + open + 3, pattern.data() + close, width);
    char digits[24];
    const auto written = std::to_chars(digits, digits + sizeof digits, target.firstNumber + index);
    const auto count = static_cast<std::size_t>(written.ptr - digits);
    name.append(pattern, 0, open);
    if (width > count)
        name.append(width - count, '0');
    name.append(digits, count);
    name.append(pattern, close + 1);
}

std::string loginName(const Target& target, const Endpoint& endpoint, std::uint64_t index)
{
    std::string login = endpoint.login.empty() ? target.login : endpoint.login;
    putFor(login, "{domain}", target.domain);
    putFor(login, "{user}", mailboxName(target, index));
    return login;
}

std::string collectionPath(const Target& target, const DavEndpoint& endpoint, std::uint64_t index)
{
    const auto encoded = [](const std::string& text) { // RFC 3986, 2.3: all but unreserved characters
        std::string out;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                || c == '-' || c == '.' || c == '_' || c == '~';
            out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
        }
        return out;
    };
    std::string path = endpoint.path;
    putFor(path, "{user}", encoded(mailboxName(target, index)));
    putFor(path, "{domain}", encoded(target.domain));
    return path;
}

namespace {

/// What of the profile has no server; empty when nothing is left out.
std::string leftOutNote(const Workload& workload, const std::string& whose, bool contacts)
{
    double sum = 0;
    std::string names;
    for (const ActionKind kind : kAllActions) {
        if (!workload.leavesOut(kind) || isOf(kind, ActionSet::contacts) != contacts)
            continue;
        sum += workload.profile->perDayOf(kind);
        names.append(names.empty() ? "" : ", ").append(toString(kind));
    }
    if (sum <= 0)
        return {};
    return fmt::format("{} asks for {:.4g} {} actions per user-day ({}); the plan names no {} "
                       "server ([target.{}]): they are left out",
        whose, sum, contacts ? "contacts" : "calendar", names, contacts ? "CardDAV" : "CalDAV",
        contacts ? "carddav" : "caldav");
}

/// The endpoints that a plan's clients speak to, under their names in the plan.
std::vector<std::pair<const Endpoint*, const char*>> endpointsOf(const Target& target)
{
    std::vector<std::pair<const Endpoint*, const char*>> used;
    const auto add = [&](const Endpoint& endpoint, const char* name) {
        if (endpoint.present)
            used.emplace_back(&endpoint, name);
    };
    if (!target.embedded.present) { // which is started by this program: nobody stands between
        add(target.smtp, "smtp");
        add(target.pop3, "pop3");
        add(target.imap, "imap");
    }
    add(target.caldav, "caldav");
    add(target.carddav, "carddav");
    return used;
}

} // namespace

std::string hostAndPort(const Endpoint& endpoint)
{
    const bool v6 = endpoint.host.find(':') != std::string::npos;
    return fmt::format("{}{}{}:{}", v6 ? "[" : "", endpoint.host, v6 ? "]" : "", endpoint.port);
}

std::vector<std::string> leftOutOfInitial(const MailPlan& part)
{
    std::vector<std::string> notes;
    const InitialMailbox initial = part.workload.initial.value_or(InitialMailbox {});
    if (initial.appointments > 0 && !part.target.caldav.present)
        notes.push_back(
            fmt::format("calendars should hold {} appointments before the run, but the plan names no CalDAV "
                        "server ([target.caldav]): initialisation leaves them out",
                initial.appointments));
    if (initial.contacts > 0 && !part.target.carddav.present)
        notes.push_back(
            fmt::format("address books should hold {} contacts before the run, but the plan names no CardDAV "
                        "server ([target.carddav]): initialisation leaves them out",
                initial.contacts));
    return notes;
}

std::vector<std::string> notesOf(const Plan& plan)
{
    std::vector<std::string> notes;
    if (const StoragePlan* storage = plan.storage())
        for (const auto& [folder, bytes] : spaceNeeded(storage->test))
            notes.push_back(fmt::format("needs {} in {}", formatBytes(bytes), folder));
    if (plan.mail() == nullptr)
        return notes;
    for (const MailPlan& part : partsOf(*plan.mail())) {
        const std::string whose = withTarget(part.targetName, "the profile");
        for (const bool contacts : { false, true })
            if (std::string note = leftOutNote(part.workload, whose, contacts); !note.empty())
                notes.push_back(std::move(note));
        std::vector<std::string> more = leftOutOfInitial(part);
        for (const auto& [endpoint, name] : endpointsOf(part.target))
            if (endpoint->tls != TlsMode::none && !endpoint->verifies())
                more.push_back(fmt::format(
                    "target.{}: verify_certificate = false: nothing proves that {} is the intended server",
                    name, hostAndPort(*endpoint)));
        for (const std::string& note : more)
            notes.push_back(withTarget(part.targetName, note));
    }
    return notes;
}

bool LoadedPlan::ok() const
{
    return std::none_of(problems.begin(), problems.end(),
        [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

} // namespace loadstone::plan
