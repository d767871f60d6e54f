// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `lab`, `variant` and the items of the lab that a plan refers to. They are checked in the file as it is written and not in the model,
// in which an entry of [[targets]] has taken over what [target] says.
#include "plan/read/lab_reference.h"

#include "base/joined.h"
#include "base/posix_file.h"
#include "document/table_reader.h"

#include <loadstone/document.h>
#include <loadstone/lab.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::plan {

namespace {

using document::Node;
using document::shown;

constexpr std::size_t kMostNamed = 8; // ids in a remedy
constexpr std::size_t kMostOfLab = 20; // errors of the lab that stand among those of the plan

/// A text of the plan that is the id of an item.
struct ItemName {
    std::string field;
    const Node* value;
};

void addNames(const Node* table, const std::string& path, const std::vector<const char*>& keys,
    std::vector<ItemName>& to)
{
    if (table == nullptr)
        return;
    for (const char* key : keys)
        if (const Node* value = table->find(key); value != nullptr && value->kind == Node::Kind::text)
            to.push_back({ fmt::format("{}.{}", path, key), value });
}

std::vector<ItemName> namesIn(const Node& root)
{
    std::vector<ItemName> names;
    for (const char* table : { "target", "device" })
        addNames(root.find(table), table, { "item" }, names);
    for (const char* list : { "targets", "counters", "groups" })
        if (const Node* entries = root.find(list))
            for (std::size_t i = 0; i < entries->items.size(); ++i)
                addNames(&entries->items[i], fmt::format("{}[{}]", list, i), { "item", "log_item" }, names);
    return names;
}

class Findings {
public:
    explicit Findings(std::vector<Problem>& to)
        : m_to(to)
    {
    }
    void add(
        ProblemSeverity severity, const Node* at, std::string field, std::string message, std::string remedy)
    {
        Problem problem { severity, at != nullptr ? at->begin.line : 0, at != nullptr ? at->begin.column : 0,
            std::move(field), std::move(message), std::move(remedy) };
        const auto behind = std::upper_bound(m_to.begin(), m_to.end(), problem.line,
            [](int line, const Problem& other) { return line < other.line; });
        m_to.insert(behind, std::move(problem));
    }

private:
    std::vector<Problem>& m_to;
};

/// "write one of srv1, srv2"; the ids that look like it go before others.
std::string idsLike(const std::string& id, const Lab& lab)
{
    std::vector<std::string> ids;
    for (const LabItem& item : lab.items)
        ids.push_back(item.id);
    if (const std::string near = document::nearest(id, ids); !near.empty())
        return fmt::format("write \"{}\", or the id of another item of the lab", near);
    // Of many items those at the top are the machines and networks, which are meant most often.
    ids.clear();
    for (const LabItem* item : lab.below({}))
        ids.push_back(item->id);
    const bool more = ids.size() > kMostNamed || ids.size() < lab.items.size();
    ids.resize(std::min(ids.size(), kMostNamed));
    return ids.empty() ? std::string("describe it in the lab")
                       : fmt::format("write the id of an item of the lab, such as {}{}", joined(ids, ", "),
                           more ? ", …" : "");
}

void addErrorsOf(const CheckedLab& checked, const Node* at, const std::string& name, Findings& findings)
{
    std::size_t errors = 0;
    for (const Problem& problem : checked.problems) {
        if (problem.severity != ProblemSeverity::error)
            continue;
        if (++errors > kMostOfLab)
            continue;
        findings.add(ProblemSeverity::error, at, "lab",
            fmt::format("{}, line {}{}{}: {}", name, problem.line, problem.field.empty() ? "" : ", ",
                problem.field, problem.message),
            problem.remedy);
    }
    if (errors > kMostOfLab)
        findings.add(ProblemSeverity::error, at, "lab",
            fmt::format("{} has {} more errors", name, errors - kMostOfLab), "check the lab by itself");
}

} // namespace

Result<RunLab> readLabBeside(const std::filesystem::path& plan, const std::string& lab)
{
    std::error_code ignored;
    std::filesystem::path file;
    // A plan that is not saved yet has no place from which a relative path could go.
    if (!plan.empty() || std::filesystem::path(lab).is_absolute())
        for (const std::string& name : { lab, lab + ".toml" })
            if (const auto beside = plan.parent_path() / name;
                file.empty() && std::filesystem::is_regular_file(beside, ignored))
                file = beside;
    std::string shipped;
    for (const std::filesystem::path& one : shippedLabs()) {
        shipped += (shipped.empty() ? "" : ", ") + one.stem().string();
        if (file.empty() && (one.filename() == lab || one.stem() == lab))
            file = one;
    }
    if (file.empty())
        return fail(
            fmt::format("there is no lab \"{}\"{}{}", shown(lab), plan.empty() ? "" : " beside the plan",
                shipped.empty() ? "" : "; the labs that come with the program are " + shipped));
    auto text = readFile(file, Document::kMostBytes);
    if (!text)
        return text.error();
    return RunLab { file.filename().string(), {}, *std::move(text) };
}

RunLab readLabReference(
    const Node& root, const LabReference& reference, const LabSource& labs, std::vector<Problem>& problems)
{
    Findings findings(problems);
    const Node* at = root.find("lab");
    const Node* variant = root.find("variant");
    const std::vector<ItemName> names = namesIn(root);
    if (at == nullptr) {
        for (const ItemName& name : names)
            findings.add(ProblemSeverity::warning, name.value, name.field,
                "has no effect: the plan names no lab",
                "write lab = \"FILE\" at the plan's top, or remove it");
        if (variant != nullptr)
            findings.add(ProblemSeverity::warning, variant, "variant", "has no effect: the plan names no lab",
                "write lab = \"FILE\" above it, or remove it");
        return {};
    }
    if (at->kind != Node::Kind::text)
        return {}; // reported by the reader
    if (reference.file.empty() || reference.file != shown(reference.file)) {
        findings.add(ProblemSeverity::error, at, "lab", "is not the name of a file",
            "write the path of a lab, from the plan on, such as \"lab.toml\", or the name of a shipped lab");
        return {};
    }
    auto lab = labs(reference.file);
    if (!lab) {
        findings.add(ProblemSeverity::error, at, "lab", lab.error().message,
            "write the path of a lab, from the plan on, or the name of a shipped lab");
        return {};
    }
    lab->variant = reference.variant;
    CheckedLab checked = readLab(lab->text, lab->name);
    if (!checked.usable()) {
        addErrorsOf(checked, at, lab->name, findings);
        return {};
    }
    if (!reference.variant.empty()) {
        std::vector<std::string> ids;
        for (const LabVariant& one : checked.lab.variants)
            ids.push_back(one.id);
        if (std::ranges::find(ids, reference.variant) == ids.end()) {
            const std::string near = document::nearest(reference.variant, ids);
            findings.add(ProblemSeverity::error, variant, "variant",
                fmt::format("{} has no variant \"{}\"", lab->name, shown(reference.variant)),
                ids.empty()        ? "remove it: that lab has no variants"
                    : near.empty() ? fmt::format("write one of {}", joined(ids, ", "))
                                   : fmt::format("write \"{}\"", near));
            return {};
        }
        checked = readLab(lab->text, lab->name, reference.variant);
        if (!checked.usable()) {
            addErrorsOf(checked, at, lab->name, findings);
            return {};
        }
    }
    for (const ItemName& name : names)
        if (checked.lab.find(name.value->text) == nullptr)
            findings.add(ProblemSeverity::error, name.value, name.field,
                fmt::format("{}{} has no item \"{}\"", lab->name,
                    reference.variant.empty() ? "" : fmt::format(", variant {},", reference.variant),
                    shown(name.value->text)),
                idsLike(name.value->text, checked.lab));
    return *std::move(lab);
}

} // namespace loadstone::plan
