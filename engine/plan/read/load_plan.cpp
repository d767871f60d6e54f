// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "base/posix_file.h"
#include "base/resources.h"
#include "document/problems.h"
#include "document/table_reader.h"
#include "plan/model/plan.h"
#include "plan/read/lab_reference.h"
#include "plan/read/read_plan.h"
#include "plan/read/secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>

namespace loadstone::plan {

namespace {

constexpr std::size_t kLongestPlan = 1U << 20;
/// Values, tables and members of lists: fifty targets, a thousand mixes and a profile have fewer together. What is done with a plan
/// takes longer with each, and a plan may come from elsewhere.
constexpr std::size_t kMostValues = 20'000;

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
        : fmt::format("; the profiles that come with the program are {}", joined(names, ", "));
}

/// Reads the profile that the plan names, or carries itself; what is wrong in a file of its own stands at the place where
/// the plan names it. Gives the text of such a file.
std::string loadProfile(Workload& workload, const std::string& carried, const ProfileSource& profiles,
    document::Problems& problems)
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
    const auto document = document::parseDocument(*text);
    if (const auto* wrong = std::get_if<document::SyntaxError>(&document)) {
        problems.error(field,
            fmt::format(
                "the profile's line {}, column {}: {}", wrong->at.line, wrong->at.column, wrong->message),
            wrong->remedy);
        return {};
    }
    const document::Node& root = std::get<document::Node>(document);
    document::Problems own(root, FileKind::profile);
    workload.profile = readProfile(root, workload.profileName, own);
    for (const Problem& problem : own.take())
        problems.error(field,
            fmt::format("the profile's line {}, {}: {}", problem.line, problem.field, problem.message),
            problem.remedy);
    return carried.empty() ? *text : std::string();
}

/// The plan's word on what mailboxes hold goes before the profile's, for users as well.
void settleInitial(Workload& workload, const document::Node* stated, document::Problems& problems)
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

/// Within double quotes; what is no printable character was refused as a name.
std::string quotedName(const std::string& name)
{
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '\\' || c == '"')
            quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

/// So that a plan says everything by itself, wherever it is read again.
std::string carriedProfiles(const std::map<std::string, std::string>& profiles, bool severalTargets)
{
    if (profiles.empty())
        return {};
    if (!severalTargets)
        return "\n# The profile as it was read.\n[profile]\ntext = " + quotedText(profiles.begin()->second)
            + "\n";
    std::string carried = "\n# The profiles as they were read.\n";
    for (const auto& [name, text] : profiles)
        carried += fmt::format("[[profiles]]\nname = {}\ntext = {}\n", quotedName(name), quotedText(text));
    return carried;
}

} // namespace

CheckedPlan readOneTarget(const document::Node& root, const std::string& name, const ProfileSource& profiles)
{
    CheckedPlan checked;
    document::Problems problems(root);
    StatedValues stated;
    checked.plan = readPlan(root, name, stated, problems);
    MailPlan* mail = checked.plan.mail();
    if (mail == nullptr) { // was checked as it was read
        checked.problems = problems.take();
        return checked;
    }
    Workload& workload = mail->workload;
    if (std::string profile = loadProfile(workload, stated.profile, profiles, problems); !profile.empty())
        checked.profiles.emplace(workload.profileName, std::move(profile));
    settleInitial(workload, stated.initial, problems);
    checkPlanValues(*mail, stated, problems);
    checked.problems = problems.take();
    return checked;
}

namespace {

std::size_t valuesOf(const document::Node& node)
{
    std::size_t values = 1;
    for (const document::Node& item : node.items)
        values += valuesOf(item);
    for (const document::Member& member : node.members)
        values += valuesOf(member.value);
    return values;
}

LoadedPlan refused(const std::string& text, document::Position at, std::string message, std::string remedy)
{
    LoadedPlan loaded;
    loaded.text = text;
    loaded.textWithoutSecrets = withoutSecretLines(text);
    loaded.problems.push_back(
        { ProblemSeverity::error, at.line, at.column, "", std::move(message), std::move(remedy) });
    return loaded;
}

CheckedPlan checkDocument(const document::Node& root, const std::string& name, const ProfileSource& profiles)
{
    const document::Node* kind = root.find("kind");
    const bool ofStorage = kind != nullptr && (kind->text == "raw" || kind->text == "storage");
    return root.find("targets") != nullptr && !ofStorage ? readSeveralTargets(root, name, profiles)
                                                         : readOneTarget(root, name, profiles);
}

/// Whether a plan that is to be kept can still be read.
bool isReadable(const std::string& text, const std::string& name)
{
    const auto document = document::parseDocument(text);
    const document::Node* root = std::get_if<document::Node>(&document);
    if (root == nullptr)
        return false;
    const CheckedPlan checked = checkDocument(*root, name, {});
    return std::none_of(checked.problems.begin(), checked.problems.end(),
        [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

std::atomic<std::uint64_t> g_parsed { 0 };

} // namespace

std::uint64_t plansParsed() noexcept
{
    return g_parsed.load(std::memory_order_relaxed);
}

LoadedPlan parsePlan(
    const std::string& text, const std::string& name, const ProfileSource& profiles, const LabSource& labs)
{
    g_parsed.fetch_add(1, std::memory_order_relaxed);
    if (text.size() > kLongestPlan)
        return refused(text, {},
            fmt::format("has {} bytes; a plan may have at most {}", text.size(), kLongestPlan),
            "write a shorter one");
    const auto document = document::parseDocument(text);
    if (const auto* wrong = std::get_if<document::SyntaxError>(&document))
        return refused(text, wrong->at, wrong->message, wrong->remedy);
    const document::Node& root = std::get<document::Node>(document);
    if (const std::size_t values = valuesOf(root); values > kMostValues)
        return refused(text, {},
            fmt::format("has {} values; a plan may have at most {}", values, kMostValues),
            "write fewer tables, keys and members of lists");
    LoadedPlan loaded;
    loaded.text = text;
    CheckedPlan checked = checkDocument(root, name, profiles);
    loaded.plan = std::move(checked.plan);
    loaded.problems = std::move(checked.problems);
    if (labs)
        loaded.lab = readLabReference(root, loaded.plan.head().lab, labs, loaded.problems);
    loaded.textWithoutSecrets =
        withoutSecrets(text, root) + carriedProfiles(checked.profiles, root.find("targets") != nullptr);
    const bool good = loaded.ok();
    loaded.textWithoutSecrets = withoutSecretsAnywhere(loaded.textWithoutSecrets, statedSecrets(root),
        [&](const std::string& masked) { return !good || isReadable(masked, name); });
    return loaded;
}

LoadedPlan partFor(const LoadedPlan& whole, const std::string& target)
{
    LoadedPlan part = whole;
    if (whole.plan.mail() != nullptr)
        for (MailPlan& one : partsOf(*whole.plan.mail()))
            if (one.targetName == target) {
                part.plan.of = std::move(one);
                return part;
            }
    part.problems.push_back({ ProblemSeverity::error, 0, 0, "targets",
        fmt::format("no target has the name \"{}\"", document::shown(target)),
        "name one of the plan's targets" });
    return part;
}

Result<LoadedPlan> loadPlan(const PlanInput& plan)
{
    const auto text = plan.document() != nullptr ? Result<std::string>(plan.document()->text())
                                                 : readFile(plan.file(), kLongestPlan);
    if (!text)
        return text.error();
    std::vector<std::filesystem::path> folders { resourceFolder() / "profiles" };
    if (!plan.file().empty()) // the present folder is beside no document
        folders.insert(folders.begin(), plan.file().parent_path());
    const auto profiles = [&](const std::string& profile) -> Result<std::string> {
        std::error_code ignored;
        const std::string base = profile.ends_with(".toml") ? profile : profile + ".toml";
        for (const auto& folder : folders)
            if (const auto candidate = folder / base; std::filesystem::is_regular_file(candidate, ignored))
                return readFile(candidate, kLongestPlan);
        return fail(
            fmt::format("there is no profile \"{}\"{}", document::shown(profile), shippedProfileNames()));
    };
    return parsePlan(*text, plan.name(), profiles,
        [&](const std::string& lab) { return readLabBeside(plan.file(), lab); });
}

} // namespace loadstone::plan
