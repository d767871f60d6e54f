// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/resources.h"
#include "plan/model/plan.h"

#include <loadstone/key.h>
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

/// Its users, and the servers that it is about.
void addMail(const plan::MailPlan& plan, PlanSummary& summary)
{
    summary.users = plan.largestMix();
    const auto parts = plan::partsOf(plan);
    summary.embedded =
        std::ranges::all_of(parts, [](const plan::MailPlan& part) { return part.target.embedded.present; });
    for (const plan::MailPlan& part : parts) {
        summary.target +=
            (summary.target.empty() ? "" : "; ") + withTarget(part.targetName, describeTarget(part.target));
        if (const std::string& by = part.target.authorised;
            summary.authorised.find(by) == std::string::npos) // once where it is that of all
            summary.authorised += (summary.authorised.empty() ? "" : "; ") + by;
        summary.asksPassword =
            summary.asksPassword || part.target.password.kind == plan::PasswordSource::Kind::prompt;
    }
}

/// ", at most 0.5 iterations/s": what the mean think times allow; nothing where they are 0.
std::string offeredText(const plan::Workload& workload, const plan::Mix& mix)
{
    if (workload.pacing != plan::Pacing::closed)
        return {};
    double rate = 0;
    for (const plan::MixScript& script : mix.scripts) {
        const Nanoseconds cycle = plan::leastCycle(workload, script);
        if (cycle <= Nanoseconds(0))
            return {};
        rate += static_cast<double>(script.threads) * mix.clients / seconds(cycle);
    }
    return fmt::format(", at most {} iterations/s", formatNumber(rate));
}

} // namespace

bool PlanSummary::runnable() const
{
    return std::none_of(problems.begin(), problems.end(),
        [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

Result<PlanSummary> checkPlan(const PlanInput& input)
{
    const auto loaded = plan::loadPlan(input);
    const std::filesystem::path& file = input.file();
    std::error_code ignored;
    if (!loaded && !file.has_parent_path() && !std::filesystem::exists(file, ignored))
        return fail(loaded.error().message + shippedNames()); // it may be meant for one of these
    if (!loaded)
        return loaded.error();
    const plan::Plan& plan = loaded->plan;
    PlanSummary summary;
    summary.file = file;
    const std::string& title = plan.head().title;
    summary.title = title.empty() ? std::filesystem::path(input.name()).stem().string() : title;
    summary.description = plan.head().description;
    summary.kind = plan.kind();
    summary.length = plan.length();
    summary.mixes = plan.loadPoints().size();
    if (plan.raw() != nullptr)
        summary.target = fmt::format("{} of {}", formatBytes(plan.raw()->test.size), plan.raw()->test.path);
    if (plan.storage() != nullptr) {
        summary.target = plan::summarise(plan.storage()->test);
        summary.tests = plan.storage()->test.tests.size();
        if (loaded->ok())
            for (const plan::SpaceNeed& need : plan::spaceNeeded(plan.storage()->test))
                summary.diskNeeded += need.bytes;
    }
    if (plan.mail() != nullptr)
        addMail(*plan.mail(), summary);
    summary.problems = loaded->problems;
    if (loaded->ok())
        summary.notes = plan::notesOf(plan);
    if (const plan::MailPlan* mail = loaded->ok() ? plan.mail() : nullptr; mail != nullptr)
        for (const plan::Mix& mix : mail->mixes)
            if (!mix.scripts.empty())
                summary.workloads.push_back(fmt::format("{}: {}{}", mix.name,
                    plan::describeScripts(mail->workload, mix), offeredText(mail->workload, mix)));
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
