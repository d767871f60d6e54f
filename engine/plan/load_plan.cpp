// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "base/resources.h"
#include "plan/plan.h"
#include "plan/problems.h"
#include "plan/read_plan.h"
#include "plan/secrets.h"
#include "plan/table_reader.h"

#include <fmt/format.h>

#include <set>

namespace loadstone::plan {

namespace {

constexpr std::size_t kLongestPlan = 1U << 20;

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
        loaded.textWithoutSecrets = withoutSecretLines(text);
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

} // namespace loadstone::plan
