// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/study/check_study.h"

#include "compare/external/names.h"

#include <loadstone/external_result.h>
#include <loadstone/lab.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadstone::compare {

namespace {

std::string firstError(const std::vector<Problem>& problems, const std::string& name)
{
    const auto error = std::ranges::find(problems, ProblemSeverity::error, &Problem::severity);
    return error == problems.end() ? name + " has errors" : error->format(name);
}

/// What is wrong with what a case runs, at which of its keys.
struct Fault {
    const char* key = "";
    std::string message, remedy; ///< no message: nothing is wrong
};

/// What was found out of files that several cases name.
class FileChecks {
public:
    FileChecks(const Study& study, document::Problems& problems)
        : m_study(study)
        , m_problems(problems)
    {
    }

    void check(const StudyCase& one, const std::string& path)
    {
        if (!one.plan.empty() && !m_problems.touched(path + ".plan"))
            checkPlanOf(one, path);
        if (!one.result.empty() && !m_problems.touched(path + ".result"))
            checkResultOf(one, path);
    }

private:
    void checkPlanOf(const StudyCase& one, const std::string& path)
    {
        const std::string key = one.plan + "\n" + one.lab + "\n" + one.variant;
        const auto [known, isNew] = m_plans.try_emplace(key);
        if (isNew)
            known->second = faultOfPlan(one);
        if (const Fault& fault = known->second; !fault.message.empty())
            m_problems.error(path + fault.key, fault.message, fault.remedy);
    }

    [[nodiscard]] Fault faultOfPlan(const StudyCase& one) const
    {
        std::error_code ignored;
        const char* remedy = "write the path of a plan, from the study on, or the name of a shipped plan, "
                             "and check it by itself";
        if (!one.lab.empty() && fileBeside(m_study.file, one.lab).empty()
            && !std::filesystem::is_regular_file(findLab(one.lab), ignored))
            return { ".lab", fmt::format("there is no lab \"{}\" beside the study", document::shown(one.lab)),
                "write the path of a lab, from the study on, or the name of a shipped lab" };
        const auto plan = planOf(m_study, one);
        if (!plan)
            return { ".plan", plan.error().message, remedy };
        const auto checked = checkPlan(PlanInput(*plan));
        if (!checked)
            return { ".plan", checked.error().message, remedy };
        if (checked->runnable())
            return {};
        // What the case says in place of the plan is its own fault, not the plan's.
        const auto error = std::ranges::find(checked->problems, ProblemSeverity::error, &Problem::severity);
        if (error != checked->problems.end() && error->field == "variant" && !one.variant.empty())
            return { ".variant", error->message, error->remedy };
        if (error != checked->problems.end() && error->field == "lab" && !one.lab.empty())
            return { ".lab", error->message, error->remedy };
        return { ".plan", "cannot be run: " + firstError(checked->problems, plan->name()), remedy };
    }

    void checkResultOf(const StudyCase& one, const std::string& path)
    {
        const auto [known, isNew] = m_results.try_emplace(one.result, fail(""));
        if (isNew)
            known->second = checkResult(resultFileOf(m_study, one));
        const Result<CheckedResult>& checked = known->second;
        const char* remedy = "write the path of a result, from the study on, or the name of a shipped one, "
                             "and check it by itself";
        if (!checked) {
            m_problems.error(path + ".result", checked.error().message, remedy);
            return;
        }
        const std::string name = std::filesystem::path(one.result).filename().string();
        if (!checked->usable()) {
            m_problems.error(
                path + ".result", "cannot be used: " + firstError(checked->problems, name), remedy);
            return;
        }
        std::vector<std::string> ids;
        for (const ResultSystem& system : checked->result.systems)
            ids.push_back(system.id);
        const std::string& wanted = one.system.empty() ? one.id : one.system;
        if (wanted.empty())
            return; // the id was reported
        const bool isThere =
            std::ranges::find(ids, wanted) != ids.end() || (one.system.empty() && ids.size() == 1);
        if (!isThere && !one.system.empty())
            m_problems.error(path + ".system",
                fmt::format("{} has no system \"{}\"", name, document::shown(one.system)),
                oneOf(one.system, ids));
        else if (!isThere)
            m_problems.error(path + ".result",
                fmt::format("{} has {} systems, and the case does not say which", name, ids.size()),
                fmt::format("write system = \"…\" below it; {}", oneOf("", ids)));
    }

    const Study& m_study;
    document::Problems& m_problems;
    std::map<std::string, Fault> m_plans; ///< what is wrong with them
    std::map<std::string, Result<CheckedResult>> m_results;
};

} // namespace

void checkFilesOf(const Study& study, document::Problems& problems)
{
    FileChecks checks(study, problems);
    for (std::size_t i = 0; i < study.cases.size(); ++i)
        checks.check(study.cases[i], fmt::format("case[{}]", i));
}

Result<Document> planOf(const Study& study, const StudyCase& one)
{
    std::filesystem::path file = fileBeside(study.file, one.plan);
    if (file.empty())
        file = findPlan(one.plan);
    auto plan = Document::read(file);
    if (!plan)
        return plan.error();
    if (one.lab.empty() && one.variant.empty())
        return plan;
    // A lab beside the study, by a path that counts for the plan, too.
    const std::filesystem::path beside =
        one.lab.empty() ? std::filesystem::path() : fileBeside(study.file, one.lab);
    const std::string lab = beside.empty() ? one.lab : std::filesystem::absolute(beside).string();
    const auto changed = plan->change("lab of the case", [&](Document& document) -> Result<void> {
        if (!lab.empty())
            if (const auto set = document.set("lab", tomlText(lab)); !set)
                return set;
        if (one.variant.empty())
            return document.erase("variant");
        return document.set("variant", tomlText(one.variant));
    });
    if (!changed)
        return changed.error().within(file.filename().string());
    return plan;
}

std::filesystem::path resultFileOf(const Study& study, const StudyCase& one)
{
    const std::filesystem::path beside = fileBeside(study.file, one.result);
    return beside.empty() ? findResult(one.result) : beside;
}

} // namespace loadstone::compare
