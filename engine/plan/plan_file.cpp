// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/resources.h"
#include "plan/plan.h"

#include <loadstone/plan_file.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone {

namespace {

std::string describeTarget(const plan::Target& target)
{
    std::string text = target.embedded.present ? "embedded target" : "";
    const auto add = [&](const plan::Endpoint& endpoint, const char* protocol) {
        if (!endpoint.present)
            return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", protocol, plan::hostAndPort(endpoint));
    };
    if (!target.embedded.present) {
        add(target.smtp, target.smtp.lmtp ? "LMTP" : "SMTP");
        add(target.pop3, "POP3");
        add(target.imap, "IMAP");
    }
    add(target.caldav, "CalDAV");
    add(target.carddav, "CardDAV");
    return text;
}

/// "; the plans that come with the program are a, b"; nothing where there are none.
std::string shippedNames()
{
    std::string names;
    for (const std::filesystem::path& shipped : shippedPlans())
        names +=
            (names.empty() ? "; the plans that come with the program are " : ", ") + shipped.stem().string();
    return names;
}

} // namespace

bool PlanSummary::runnable() const
{
    return std::none_of(problems.begin(), problems.end(),
        [](const PlanProblem& problem) { return problem.severity == ProblemSeverity::error; });
}

Result<PlanSummary> checkPlan(const std::filesystem::path& file)
{
    const auto loaded = plan::loadPlan(file);
    std::error_code ignored;
    if (!loaded && !file.has_parent_path() && !std::filesystem::exists(file, ignored))
        return fail(loaded.error().message + shippedNames()); // it may be meant for one of these
    if (!loaded)
        return loaded.error();
    const plan::Plan& plan = loaded->plan;
    PlanSummary summary;
    summary.file = file;
    summary.title = plan.title.empty() ? file.stem().string() : plan.title;
    summary.description = plan.description;
    summary.length = plan.length();
    summary.mixes = plan.mixes.size();
    for (const plan::Mix& mix : plan.mixes)
        summary.users = std::max<std::size_t>(summary.users, mix.mailboxes());
    if (plan.raw) {
        summary.kind = PlanKind::raw;
        summary.target = fmt::format("{} of {}", formatBytes(plan.raw->size), plan.raw->path);
    }
    if (plan.storage) {
        summary.kind = PlanKind::storage;
        summary.target = plan::summarise(*plan.storage);
        summary.tests = plan.storage->tests.size();
    }
    for (const plan::Plan& part : plan.ofMail() ? plan::partsOf(plan) : std::vector<plan::Plan>()) {
        summary.target += (summary.target.empty() ? "" : "; ")
            + (part.targetName.empty() ? "" : part.targetName + ": ") + describeTarget(part.target);
        if (const std::string& by = part.target.authorised;
            summary.authorised.find(by) == std::string::npos) // once where it is that of all
            summary.authorised += (summary.authorised.empty() ? "" : "; ") + by;
        summary.asksPassword =
            summary.asksPassword || part.target.password.kind == plan::PasswordSource::Kind::prompt;
    }
    summary.problems = loaded->problems;
    if (loaded->ok())
        summary.notes = plan::notesOf(plan);
    return summary;
}

std::vector<std::filesystem::path> shippedPlans()
{
    std::vector<std::filesystem::path> plans;
    std::error_code ignored;
    std::filesystem::directory_iterator entry(resourceFolder() / "plans", ignored);
    for (; entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        if (entry->path().extension() == ".toml")
            plans.push_back(entry->path());
    // The short first run before the suites, by name.
    std::sort(plans.begin(), plans.end());
    return plans;
}

std::filesystem::path findPlan(const std::string& name)
{
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored))
        for (const std::filesystem::path& shipped : shippedPlans())
            if (shipped.filename() == name || shipped.stem() == name)
                return shipped;
    return name;
}

} // namespace loadstone
