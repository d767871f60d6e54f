// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/resources.h"

#include <loadstone/external_result.h>

#include <algorithm>
#include <system_error>

namespace loadstone {

namespace {

template <class Entry>
std::optional<std::size_t> indexOf(const std::vector<Entry>& entries, std::string_view id)
{
    const auto found = std::ranges::find(entries, id, &Entry::id);
    return found == entries.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - entries.begin()));
}

} // namespace

std::optional<std::size_t> ExternalResult::findSystem(std::string_view id) const
{
    return indexOf(systems, id);
}

std::optional<std::size_t> ExternalResult::findFigure(std::string_view id) const
{
    return indexOf(figures, id);
}

const ResultValue* ExternalResult::find(
    std::string_view system, std::string_view figure, std::optional<double> load, std::string_view mix) const
{
    const auto ofSystem = findSystem(system), ofFigure = findFigure(figure);
    const auto found = std::ranges::find_if(values, [&](const ResultValue& value) {
        return value.system == ofSystem && value.figure == ofFigure && value.load == load && value.mix == mix;
    });
    return found == values.end() ? nullptr : &*found;
}

bool CheckedResult::usable() const
{
    return std::ranges::none_of(
        problems, [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

Result<CheckedResult> checkResult(const std::filesystem::path& file)
{
    const auto document = Document::read(file);
    if (!document)
        return document.error();
    return readResult(*document);
}

std::vector<std::filesystem::path> shippedResults()
{
    std::vector<std::filesystem::path> results;
    std::error_code ignored;
    std::filesystem::directory_iterator entry(resourceFolder() / "examples", ignored);
    for (; entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        if (entry->path().extension() == ".toml")
            results.push_back(entry->path());
    std::ranges::sort(results);
    return results;
}

std::filesystem::path findResult(const std::string& name)
{
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored))
        for (const std::filesystem::path& shipped : shippedResults())
            if (shipped.filename() == name || shipped.stem() == name)
                return shipped;
    return name;
}

} // namespace loadstone
