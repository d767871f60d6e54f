// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plans/plan_facts.h"

#include "editor/text_bytes.h"
#include "editor/text_checker.h"
#include "format.h"
#include "plan_words.h"

#include <loadstone/lab.h>
#include <loadstone/score.h>

#include <QCoreApplication>

#include <algorithm>

namespace loadstone::ui {

namespace {

QString words(const char* source)
{
    return QCoreApplication::translate("plans", source);
}

void addNeeds(PlanFacts& facts, const PlanSummary& plan, const Document& text)
{
    facts.embedded = plan.embedded;
    if (plan.kind == RunKind::mail) {
        facts.needs.append(facts.embedded ? words("nothing: the embedded target")
                                          : words("server %1").arg(ui::text(plan.target)));
        if (plan.users > 0 && !facts.embedded)
            facts.needs.append(words("%1 mailboxes").arg(formatCount(plan.users)));
    } else if (plan.kind == RunKind::raw) {
        const std::string path = text.getText("device.path").value_or("");
        const bool device = path.starts_with("/dev/");
        facts.needs.append(device ? words("device %1, which is overwritten").arg(ui::text(path))
                                  : words("file %1").arg(ui::text(path.empty() ? plan.target : path)));
        if (device)
            facts.needs.append(words("root, or rights to the device"));
        if (const auto size = text.getText("device.size"); size && !device)
            facts.needs.append(words("%1 of disk").arg(ui::text(*size)));
    } else {
        std::size_t folders = 0;
        for (std::size_t g = 0; g < text.size("groups"); ++g)
            folders += text.size("groups[" + std::to_string(g) + "].databases") + 1;
        facts.needs.append(words("%1 folders").arg(formatCount(folders)));
        if (plan.diskNeeded > 0)
            facts.needs.append(words("%1 of disk").arg(formatSize(plan.diskNeeded)));
    }
    if (plan.asksPassword)
        facts.needs.append(words("a password, which is asked for"));
    if (!plan.authorised.empty())
        facts.needs.append(words("permission for public addresses"));
    if (text.size("counters") > 0)
        facts.needs.append(words("counters of other computers"));
}

} // namespace

bool PlanFacts::usable() const
{
    return read && failure.isEmpty() && std::none_of(problems.begin(), problems.end(), [](const Problem& p) {
        return p.severity == ProblemSeverity::error;
    });
}

QString PlanFacts::name() const
{
    return title.isEmpty() ? text(file.filename().string()) : title;
}

QString kindText(const PlanFacts& facts)
{
    if (!facts.failure.isEmpty())
        return {};
    if (facts.kind != FileKind::plan)
        return QString::fromLatin1(toString(facts.kind));
    if (!facts.tests)
        return words("plan");
    return facts.tests == RunKind::mail ? words("mail plan")
        : facts.tests == RunKind::raw   ? words("raw device plan")
                                        : words("storage plan");
}

PlanFacts readPlanFacts(PlanFacts facts)
{
    facts.read = true;
    if (facts.size > kMostEditedBytes) {
        facts.failure = words("larger than 4 MB");
        return facts;
    }
    auto document = Document::read(facts.file);
    if (!document) {
        facts.failure = text(document.error().message);
        return facts;
    }
    const CheckedText checked = checkText(*std::move(document));
    facts.kind = checked.kind;
    facts.problems = checked.problems;
    facts.title = text(checked.document.getText("title").value_or("")).simplified();
    facts.description = text(checked.document.getText("description").value_or("")).simplified();
    if (const std::string lab = checked.document.getText("lab").value_or(""); !lab.empty()) {
        std::error_code ignored;
        const std::filesystem::path beside = facts.file.parent_path() / lab;
        facts.lab = std::filesystem::is_regular_file(beside, ignored) ? beside : findLab(lab);
        facts.labChanged = std::filesystem::last_write_time(facts.lab, ignored);
    }
    if (checked.plan) {
        const PlanSummary& plan = *checked.plan;
        facts.tests = plan.kind;
        facts.what = planSize(plan);
        facts.length = plan.length;
        facts.lengthText = planLength(plan);
        facts.asksPassword = plan.asksPassword;
        for (const std::string& note : plan.notes)
            facts.notes.append(text(note));
        addNeeds(facts, plan, checked.document);
    }
    return facts;
}

std::vector<std::filesystem::path> readableShippedPlans()
{
    try {
        return shippedPlans();
    } catch (const std::filesystem::filesystem_error&) {
        return {}; // walking a folder may throw; any file can still be opened
    }
}

bool isShipped(const std::filesystem::path& file)
{
    if (file.empty())
        return false;
    std::error_code none;
    for (const auto& plan : readableShippedPlans())
        if (std::filesystem::equivalent(
                plan.parent_path().parent_path(), file.parent_path().parent_path(), none))
            return true;
    return false;
}

std::vector<std::filesystem::path> readableShippedOthers()
{
    std::vector<std::filesystem::path> files;
    try {
        for (const std::string& name : shippedWeights())
            files.push_back(findWeights(name));
        for (const auto& lab : shippedLabs())
            files.push_back(lab);
    } catch (const std::filesystem::filesystem_error&) {
        files.clear();
    }
    return files;
}

} // namespace loadstone::ui
