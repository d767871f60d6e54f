// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "base/resources.h"
#include "document/table_reader.h"
#include "lab/checks.h"
#include "lab/variants.h"

#include <loadstone/document.h>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <system_error>

namespace loadstone {

namespace {

using document::Node;
using lab::Draft;
using lab::Findings;

const std::vector<std::string>& keysOfFile()
{
    static const std::vector<std::string> keys { "kind", "title", "description", "item", "link", "variant",
        "table" };
    return keys;
}

void readHead(const Node& root, Lab& lab, Findings& findings)
{
    if (root.find("kind") == nullptr)
        findings.error("kind", "is missing", "write kind = \"lab\" at the top");
    else if (const auto kind = lab::readText(root, "kind", "", findings); kind && *kind != "lab")
        findings.error("kind", fmt::format("is \"{}\"", document::shown(*kind)), "write kind = \"lab\"");
    lab.title = lab::readText(root, "title", "", findings).value_or("");
    lab.description = lab::readText(root, "description", "", findings, true).value_or("");
    for (const document::Member& member : root.members)
        if (std::find(keysOfFile().begin(), keysOfFile().end(), member.key) == keysOfFile().end())
            findings.unknownKey(member, "", keysOfFile());
}

Draft readBase(const Node& root, Findings& findings)
{
    Draft draft;
    readHead(root, draft.lab, findings);
    const auto items = lab::readTables(root, "item", "", findings);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string path = fmt::format("item[{}]", i);
        if (i >= lab::kMostItems) {
            findings.error(path, fmt::format("a lab has at most {} items", lab::kMostItems),
                "describe identical ones as one item with a count");
            break;
        }
        if (auto item = lab::readItem(*items[i], path, findings)) {
            draft.lab.items.push_back(std::move(*item));
            draft.itemPaths.push_back(path);
        }
    }
    const auto links = lab::readTables(root, "link", "", findings);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const std::string path = fmt::format("link[{}]", i);
        if (i >= lab::kMostLinks) {
            findings.error(path, fmt::format("a lab has at most {} links", lab::kMostLinks),
                "describe parallel ones as one link with a count");
            break;
        }
        if (auto link = lab::readLink(*links[i], path, findings)) {
            draft.lab.links.push_back(std::move(*link));
            draft.linkPaths.push_back(path);
        }
    }
    return draft;
}

/// The draft of a variant, from a base without errors.
Draft withVariant(const Draft& base, const std::vector<const lab::VariantTable*>& chain, Findings& findings)
{
    Draft draft = base;
    for (const lab::VariantTable* variant : chain)
        lab::applyVariant(*variant, draft, findings);
    return draft;
}

/// Applies all variants, each to its base, so that what is wrong in one is known before somebody chooses it. The chosen one replaces
/// `draft`.
void checkVariants(const std::vector<lab::VariantTable>& variants, const std::string& chosen, Draft& draft,
    Findings& findings)
{
    if (variants.size() * draft.lab.items.size() > lab::kMostVariantItems) {
        findings.error("variant",
            fmt::format("{} variants of {} items are more than this program checks", variants.size(),
                draft.lab.items.size()),
            "divide the lab, or describe identical items as one with a count");
        return;
    }
    const Draft base = draft;
    for (const lab::VariantTable& variant : variants) {
        const auto chain = lab::chainOf(variants, variant.head.id);
        // The bases report what is wrong with them when it is their turn.
        const Node none;
        document::Problems unseen(none);
        Findings silent(unseen);
        Draft before = withVariant(base, { chain.begin(), chain.end() - 1 }, silent);
        if (silent.errors() > 0)
            continue;
        const std::size_t errors = findings.errors();
        lab::applyVariant(variant, before, findings);
        if (findings.errors() == errors)
            lab::checkStructure(before, findings);
        if (variant.head.id == chosen)
            draft = std::move(before);
    }
}

std::string digestOf(const std::string& text)
{
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

} // namespace

CheckedLab readLab(const std::string& text, const std::string& name, const std::string& variant)
{
    CheckedLab checked;
    checked.lab.revision = digestOf(text);
    if (text.size() > Document::kMostBytes) {
        checked.problems.push_back({ ProblemSeverity::error, 0, 0, "",
            fmt::format("{} is {} bytes long, at most {} are read", document::shown(name), text.size(),
                Document::kMostBytes),
            "divide the lab" });
        return checked;
    }
    const auto parsed = document::parseDocument(text);
    if (const auto* fault = std::get_if<document::SyntaxError>(&parsed)) {
        checked.problems.push_back(
            { ProblemSeverity::error, fault->at.line, fault->at.column, "", fault->message, fault->remedy });
        return checked;
    }
    const Node& root = std::get<Node>(parsed);
    document::Problems problems(root);
    Findings findings(problems);
    Draft draft = readBase(root, findings);
    const auto variants = lab::readVariants(root, findings);
    for (const lab::VariantTable& known : variants)
        draft.lab.variants.push_back(known.head);
    lab::checkStructure(draft, findings);
    // Errors of the base would be errors of all its variants.
    if (findings.errors() == 0)
        checkVariants(variants, variant, draft, findings);
    if (!variant.empty() && lab::chainOf(variants, variant).empty()) {
        std::vector<std::string> ids;
        for (const lab::VariantTable& known : variants)
            ids.push_back(known.head.id);
        findings.errorAt({}, "variant",
            fmt::format("the lab has no variant \"{}\"", document::shown(variant)),
            ids.empty() ? "choose none" : fmt::format("choose one of: {}", fmt::join(ids, ", ")));
    }
    if (findings.errors() == 0)
        lab::checkSums(draft, findings);
    findings.close();
    draft.lab.revision = checked.lab.revision;
    checked.lab = std::move(draft.lab);
    checked.problems = problems.take();
    return checked;
}

Result<CheckedLab> checkLab(const std::filesystem::path& file, const std::string& variant)
{
    const auto text = readFile(file, Document::kMostBytes);
    if (!text)
        return text.error();
    return readLab(*text, file.filename().string(), variant);
}

std::vector<std::filesystem::path> shippedLabs()
{
    std::vector<std::filesystem::path> labs;
    std::error_code ignored;
    std::filesystem::directory_iterator entry(resourceFolder() / "labs", ignored);
    for (; entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        if (entry->path().extension() == ".toml")
            labs.push_back(entry->path());
    std::sort(labs.begin(), labs.end());
    return labs;
}

std::filesystem::path findLab(const std::string& name)
{
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored))
        for (const std::filesystem::path& shipped : shippedLabs())
            if (shipped.filename() == name || shipped.stem() == name)
                return shipped;
    return name;
}

} // namespace loadstone
