// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include "base/posix_file.h"
#include "base/resources.h"
#include "plan/problems.h"
#include "plan/read_plan.h"
#include "plan/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>

namespace loadstone::plan {

namespace {

constexpr std::size_t kLongestPlan = 1U << 20;

/// Replaces what stands between two places of the text.
void mask(std::string& text, std::size_t begin, std::size_t end)
{
    text.replace(begin, end - begin, "\"***\"");
}

/// For a text that does not parse: whatever follows a password's `=` on its line, and the lines after it when
/// a quote is left open there.
std::string maskLines(const std::string& text)
{
    std::string masked;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const auto end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const auto word = line.find("password");
        const bool open = line.find("\"\"\"") != std::string::npos || line.find("'''") != std::string::npos;
        if (word != std::string::npos && open)
            return masked + "# the rest of the text is left out: it does not parse and holds a password\n";
        masked += word == std::string::npos ? line : line.substr(0, word) + "password = \"***\"";
        if (end < text.size())
            masked += '\n';
        begin = end + 1;
    }
    return masked;
}

/// Where a password is written, last first.
std::vector<const Node*> passwords(const Node& root)
{
    std::vector<const Node*> found;
    const auto add = [&](const Node* password) {
        if (password == nullptr)
            return;
        if (password->kind != Node::Kind::table) {
            found.push_back(password);
            return;
        }
        // Names of variables and files are no secrets; anything else below password might be one.
        for (const Member& member : password->members)
            if (member.key != "environment" && member.key != "file" && member.value.kind != Node::Kind::table)
                found.push_back(&member.value);
    };
    add(follow(root, { PathStep("target"), PathStep("password") }));
    if (const Node* targets = root.find("targets"))
        for (const Node& target : targets->items)
            add(target.find("password"));
    std::sort(found.begin(), found.end(), [](const Node* a, const Node* b) { return a->begin > b->begin; });
    return found;
}

std::string withoutSecrets(const std::string& text, const Node& root)
{
    std::string masked = text;
    for (const Node* password : passwords(root))
        mask(masked, offsetOf(text, password->begin), offsetOf(text, password->end));
    return masked;
}

/// "; the profiles that come with the program are a, b"
std::string shippedProfileNames()
{
    std::set<std::string> names;
    std::error_code ignored;
    std::filesystem::directory_iterator entry(resourceFolder() / "profiles", ignored);
    for (; entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        if (entry->path().extension() == ".toml")
            names.insert(entry->path().stem().string());
    return names.empty()
        ? ""
        : fmt::format("; the profiles that come with the program are {}", fmt::join(names, ", "));
}

} // namespace

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
    if (!profile || kind < kFirstCalendarAction || profile->perDayOf(kind) <= 0)
        return false;
    return !(isContactAction(kind) ? contacts : calendars);
}

bool Workload::plays(ActionKind kind) const
{
    return profile && profile->perDayOf(kind) > 0 && !leavesOut(kind);
}

Nanoseconds Plan::length() const
{
    Nanoseconds sum = drain; // it takes the place of the last mix's quiet time
    for (std::size_t i = 0; i < mixes.size(); ++i)
        sum += mixes[i].total() + (i + 1 < mixes.size() ? mixes[i].quietTime : Nanoseconds(0));
    return sum;
}

bool Plan::readsMailboxes() const
{
    if (workload.pacing == Pacing::users)
        return true;
    return std::any_of(workload.steps.begin(), workload.steps.end(), [](const Step& step) {
        return step.kind == ActionKind::emptyMailbox || step.kind == ActionKind::readMailbox;
    });
}

std::uint64_t Plan::largestMix() const
{
    std::uint64_t most = 0;
    for (const Mix& mix : mixes)
        most = std::max(most, mix.mailboxes());
    return most;
}

unsigned Plan::recipientsPerIteration() const
{
    unsigned sum = 0;
    for (const Step& step : workload.steps)
        sum += step.kind == ActionKind::sendMessage ? step.recipients : 0;
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
    const auto put = [&](const std::string& name, const std::string& value) {
        for (auto at = path.find(name); at != std::string::npos; at = path.find(name, at + value.size()))
            path.replace(at, name.size(), value);
    };
    put("{user}", encoded(mailboxName(target, index)));
    put("{domain}", encoded(target.domain));
    return path;
}

namespace {

/// What of the profile has no server; empty when nothing is left out.
std::string leftOutNote(const Workload& workload, const std::string& whose, bool contacts)
{
    double sum = 0;
    std::string names;
    for (std::size_t i = 0; i < kActionKinds; ++i) {
        const auto kind = static_cast<ActionKind>(i);
        if (!workload.leavesOut(kind) || isContactAction(kind) != contacts)
            continue;
        sum += workload.profile->perDay[i];
        names.append(names.empty() ? "" : ", ").append(toString(kind));
    }
    if (sum <= 0)
        return {};
    return fmt::format("{} asks for {:.4g} {} actions per user-day ({}); the plan names no {} "
                       "server ([target.{}]): they are left out",
        whose, sum, contacts ? "contacts" : "calendar", names, contacts ? "CardDAV" : "CalDAV",
        contacts ? "carddav" : "caldav");
}

} // namespace

std::vector<std::string> leftOutOfInitial(const Plan& part)
{
    std::vector<std::string> notes;
    const InitialMailbox initial = part.workload.initial.value_or(InitialMailbox {});
    if (initial.appointments > 0 && !part.target.caldav.present)
        notes.push_back(fmt::format("calendars are to hold {} appointments before; the plan names no CalDAV "
                                    "server ([target.caldav]): initialisation leaves them out",
            initial.appointments));
    if (initial.contacts > 0 && !part.target.carddav.present)
        notes.push_back(fmt::format("address books are to hold {} contacts before; the plan names no CardDAV "
                                    "server ([target.carddav]): initialisation leaves them out",
            initial.contacts));
    return notes;
}

std::vector<std::string> notesOf(const Plan& plan)
{
    std::vector<std::string> notes;
    for (const Plan& part : partsOf(plan)) {
        const std::string whose =
            part.targetName.empty() ? "the profile" : fmt::format("{}: the profile", part.targetName);
        for (const bool contacts : { false, true })
            if (std::string note = leftOutNote(part.workload, whose, contacts); !note.empty())
                notes.push_back(std::move(note));
        for (const std::string& note : leftOutOfInitial(part))
            notes.push_back(part.targetName.empty() ? note : fmt::format("{}: {}", part.targetName, note));
    }
    return notes;
}

bool LoadedPlan::ok() const
{
    return std::none_of(problems.begin(), problems.end(),
        [](const PlanProblem& problem) { return problem.severity == ProblemSeverity::error; });
}

namespace {

/// Reads the profile that the plan names, or carries itself; what is wrong in a file of its own stands at the place where
/// the plan names it. Gives the text of such a file.
std::string loadProfile(
    Workload& workload, const std::string& carried, const ProfileSource& profiles, Problems& problems)
{
    const std::string field = carried.empty() ? "workload.profile" : "profile.text";
    if (workload.profileName.empty() || problems.touched(field))
        return {};
    const auto text = !carried.empty() ? Result<std::string>(carried)
        : profiles                     ? profiles(workload.profileName)
                                       : fail("no profiles can be read here");
    if (!text) {
        problems.error(
            field, text.error().message, "write the name of a shipped profile, or of a file beside the plan");
        return {};
    }
    const auto document = parseDocument(*text);
    if (const auto* wrong = std::get_if<SyntaxError>(&document)) {
        problems.error(field,
            fmt::format(
                "the profile's line {}, column {}: {}", wrong->at.line, wrong->at.column, wrong->message),
            wrong->remedy);
        return {};
    }
    const Node& root = std::get<Node>(document);
    Problems own(root);
    workload.profile = readProfile(root, workload.profileName, own);
    for (const PlanProblem& problem : own.take())
        problems.error(field,
            fmt::format("the profile's line {}, {}: {}", problem.line, problem.field, problem.message),
            problem.remedy);
    return carried.empty() ? *text : std::string();
}

/// The plan's word on what mailboxes hold goes before the profile's, for users as well.
void settleInitial(Workload& workload, const Node* stated, Problems& problems)
{
    if (stated == nullptr && !workload.profile)
        return;
    workload.initial = workload.profile ? workload.profile->initial : InitialMailbox {};
    readInitial(stated, "workload.initial", problems, *workload.initial);
    if (workload.profile)
        workload.profile->initial = *workload.initial;
}

std::string quotedText(const std::string& text)
{
    if (text.find("'''") == std::string::npos)
        return "'''\n" + text + "'''";
    std::string quoted = "\"\"\"\n";
    for (const char c : text) {
        if (c == '\\' || c == '"')
            quoted += '\\';
        quoted += c;
    }
    return quoted + "\"\"\"";
}

/// So that a plan says everything by itself, wherever it is read again.
std::string carriedProfiles(const std::map<std::string, std::string>& profiles, bool severalTargets)
{
    if (profiles.empty())
        return {};
    if (!severalTargets)
        return "\n# The profile as it was read.\n[profile]\ntext = " + quotedText(profiles.begin()->second)
            + "\n";
    std::string carried = "\n# The profiles as they were read.\n[profiles]\n";
    for (const auto& [name, text] : profiles)
        carried += fmt::format("\"{}\" = {}\n", name, quotedText(text));
    return carried;
}

} // namespace

CheckedPlan readOneTarget(const Node& root, const std::string& name, const ProfileSource& profiles)
{
    CheckedPlan checked;
    Problems problems(root);
    StatedValues stated;
    checked.plan = readPlan(root, name, stated, problems);
    Workload& workload = checked.plan.workload;
    if (std::string profile = loadProfile(workload, stated.profile, profiles, problems); !profile.empty())
        checked.profiles.emplace(workload.profileName, std::move(profile));
    settleInitial(workload, stated.initial, problems);
    checkPlanValues(checked.plan, stated, problems);
    checked.problems = problems.take();
    return checked;
}

LoadedPlan parsePlan(const std::string& text, const std::string& name, const ProfileSource& profiles)
{
    LoadedPlan loaded;
    loaded.text = text;
    const auto document = parseDocument(text);
    if (const auto* wrong = std::get_if<SyntaxError>(&document)) {
        loaded.textWithoutSecrets = maskLines(text);
        loaded.problems.push_back(
            { ProblemSeverity::error, wrong->at.line, wrong->at.column, "", wrong->message, wrong->remedy });
        return loaded;
    }
    const Node& root = std::get<Node>(document);
    const bool several = root.find("targets") != nullptr;
    CheckedPlan checked =
        several ? readSeveralTargets(root, name, profiles) : readOneTarget(root, name, profiles);
    loaded.textWithoutSecrets = withoutSecrets(text, root) + carriedProfiles(checked.profiles, several);
    loaded.plan = std::move(checked.plan);
    loaded.problems = std::move(checked.problems);
    return loaded;
}

LoadedPlan parseKeptPlan(const std::string& text, const std::string& name, const std::string& target)
{
    LoadedPlan loaded = parsePlan(text, name);
    if (target.empty())
        return loaded;
    for (Plan& part : partsOf(loaded.plan))
        if (part.targetName == target) {
            loaded.plan = std::move(part);
            return loaded;
        }
    loaded.problems.push_back({ ProblemSeverity::error, 0, 0, "targets",
        fmt::format("none of them is \"{}\"", shown(target)), "name one of the plan's" });
    return loaded;
}

Result<LoadedPlan> loadPlan(const std::filesystem::path& file)
{
    const auto text = readFile(file, kLongestPlan);
    if (!text)
        return text.error();
    return parsePlan(*text, file.filename().string(), [&](const std::string& profile) -> Result<std::string> {
        std::error_code ignored;
        const std::string base = profile.ends_with(".toml") ? profile : profile + ".toml";
        for (const auto& folder : { file.parent_path(), resourceFolder() / "profiles" })
            if (const auto candidate = folder / base; std::filesystem::is_regular_file(candidate, ignored))
                return readFile(candidate, kLongestPlan);
        return fail(fmt::format("there is no profile \"{}\"{}", shown(profile), shippedProfileNames()));
    });
}

Result<std::string> readPassword(const PasswordSource& source)
{
    switch (source.kind) {
    case PasswordSource::Kind::literal:
        return source.text;
    case PasswordSource::Kind::environment: {
        const char* value = std::getenv(source.text.c_str());
        if (value == nullptr || *value == '\0')
            return fail(
                "the environment variable " + source.text + ", which should hold the password, is not set");
        return std::string(value);
    }
    case PasswordSource::Kind::prompt:
        return fail("the plan wants to be asked for the password, and nobody can be asked here; write { "
                    "environment = "
                    "\"NAME\" } or { file = \"/path\" }");
    case PasswordSource::Kind::file: {
        const auto text = readFile(source.text, 65536); // an OAuth token has some thousand bytes
        if (!text)
            return text.error().within("the password's file");
        // The first line: editors end a file with a line break that is no part of the password.
        std::string line = text->substr(0, text->find_first_of("\r\n"));
        if (line.empty())
            return fail("the password's file " + source.text + " begins with an empty line");
        return line;
    }
    }
    return fail("the password has no source");
}

} // namespace loadstone::plan
