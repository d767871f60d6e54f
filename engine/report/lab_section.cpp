// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab_section.h"

#include <loadstone/lab.h>
#include <loadstone/lab_tables.h>
#include <loadstone/lab_text.h>
#include <loadstone/report.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::report {

namespace {

constexpr std::size_t kMostDrawn = 2000; // items; a picture of more shows nothing, and takes long

Table problemTable(const CheckedLab& checked)
{
    Table table { "What is wrong with it", "",
        { { "Line" }, { "Field", false }, { "Problem", false }, { "Remedy", false } }, {} };
    for (const Problem& problem : checked.problems)
        if (problem.severity == ProblemSeverity::error)
            table.rows.push_back(
                { std::to_string(problem.line), problem.field, problem.message, problem.remedy });
    return table;
}

/// Who did what: a row for each computer that has a role.
Table roleTable(const Lab& lab)
{
    Table table { "Roles", "", { { "Item", false }, { "Count" }, { "Role", false } }, {} };
    for (const LabItem& item : lab.items) {
        if (item.roles.empty())
            continue;
        std::string roles;
        for (const std::string& role : item.roles)
            roles += (roles.empty() ? "" : ", ") + role;
        Number count;
        count.value = static_cast<double>(lab.total(item));
        table.rows.push_back({ item.label(), count, roles });
    }
    return table;
}

/// The lab that a variant is the difference from.
Lab baseOf(const RunLab& lab, const Lab& variant)
{
    std::string base;
    for (const LabVariant& one : variant.variants)
        if (one.id == lab.variant)
            base = one.base;
    return readLab(lab.text, lab.name, base).lab;
}

} // namespace

Result<Section> labSection(const Recording& recording)
{
    Section section { "Lab", "", {}, {} };
    const auto lab = recording.lab();
    if (!lab)
        return lab.error();
    if (lab->empty())
        return section;
    section.introduction = describeLab(*lab) + ".";
    const CheckedLab checked = readLab(lab->text, lab->name, lab->variant);
    if (!checked.usable()) {
        section.introduction += " The description cannot be used.";
        section.tables.push_back(problemTable(checked));
        return section;
    }
    if (!checked.lab.description.empty())
        section.introduction += " " + checked.lab.description;
    if (checked.lab.items.size() <= kMostDrawn && !checked.lab.items.empty())
        section.picture = formatSvg(layOut(checked.lab), checked.lab.title);
    for (Table& table : labTables(lab->text, lab->name, lab->variant).tables)
        if (!table.empty())
            section.tables.push_back(std::move(table));
    if (Table roles = roleTable(checked.lab); !roles.empty())
        section.tables.push_back(std::move(roles));
    if (!lab->variant.empty())
        if (Table differences = labVariantTable(baseOf(*lab, checked.lab), checked.lab); !differences.empty())
            section.tables.push_back(std::move(differences));
    return section;
}

} // namespace loadstone::report
