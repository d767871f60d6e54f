// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "base/posix_file.h"
#include "base/resources.h"
#include "document/parsed_text.h"
#include "document/table_reader.h"
#include "lab/checks.h"
#include "lab/read_items.h"
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
using lab::LabProblems;

const std::vector<std::string>& keysOfFile()
{
    static const std::vector<std::string> keys { "kind", "title", "description", "item", "link", "variant",
        "table" };
    return keys;
}

void readHead(const Node& root, Lab& lab, LabProblems& findings)
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

Draft readBase(const Node& root, LabProblems& findings, lab::ReadItems* before)
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
        auto item = before == nullptr ? lab::readItem(*items[i], path, findings)
                                      : before->read(*items[i], path, findings);
        if (item) {
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
Draft withVariant(
    const Draft& base, const std::vector<const lab::VariantTable*>& chain, LabProblems& findings)
{
    Draft draft = base;
    for (const lab::VariantTable* variant : chain)
        lab::applyVariant(*variant, draft, findings);
    return draft;
}

/// Applies all variants, each to its base, so that what is wrong in one is known before somebody chooses it. The chosen one replaces
/// `draft`.
void checkVariants(const std::vector<lab::VariantTable>& variants, const std::string& chosen, Draft& draft,
    LabProblems& findings)
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
        LabProblems silent(unseen);
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

CheckedLab tooLong(const std::string& text, const std::string& name)
{
    CheckedLab checked;
    checked.lab.revision = digestOf(text);
    checked.problems.push_back({ ProblemSeverity::error, 0, 0, "",
        fmt::format("{} is {} bytes long, at most {} are read", document::shown(name), text.size(),
            Document::kMostBytes),
        "divide the lab" });
    return checked;
}

/// The lab that a text says. `before`: null where it is read once.
CheckedLab readParsed(const document::ParsedText& parsed, const std::string& variant, lab::ReadItems* before)
{
    CheckedLab checked;
    checked.lab.revision = digestOf(parsed.text());
    if (const document::SyntaxError* fault = parsed.error()) {
        checked.problems.push_back(
            { ProblemSeverity::error, fault->at.line, fault->at.column, "", fault->message, fault->remedy });
        return checked;
    }
    const Node& root = *parsed.root();
    document::Problems problems(root);
    LabProblems findings(problems);
    Draft draft = readBase(root, findings, before);
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
            ids.empty() ? "choose none" : fmt::format("choose one of: {}", joined(ids, ", ")));
    }
    if (findings.errors() == 0)
        lab::checkSums(draft, findings);
    findings.close();
    draft.lab.revision = checked.lab.revision;
    checked.lab = std::move(draft.lab);
    checked.problems = problems.take();
    return checked;
}

} // namespace

CheckedLab readLab(const std::string& text, const std::string& name, const std::string& variant)
{
    return text.size() > Document::kMostBytes ? tooLong(text, name)
                                              : readParsed(document::ParsedText(text), variant, nullptr);
}

CheckedLab readLab(const Document& document, const std::string& variant)
{
    return document.text().size() > Document::kMostBytes ? tooLong(document.text(), document.name())
                                                         : readParsed(*document.parsed(), variant, nullptr);
}

struct LabReader::Before {
    lab::ReadItems items;
};

LabReader::LabReader()
    : m_before(std::make_unique<Before>())
{
}

LabReader::~LabReader() = default;

CheckedLab LabReader::read(const Document& document, const std::string& variant)
{
    if (document.text().size() > Document::kMostBytes)
        return tooLong(document.text(), document.name());
    m_before->items.begin(document.parsed());
    CheckedLab checked = readParsed(*document.parsed(), variant, &m_before->items);
    m_before->items.end();
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
