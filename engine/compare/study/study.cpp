// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/resources.h"

#include <loadstone/study.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace loadstone {

const char* toString(StudyOrder order)
{
    constexpr std::array kNames { "as given", "A B A B", "A B B A", "A B A" };
    return kNames.at(static_cast<std::size_t>(order));
}

const char* toString(Aggregation rule)
{
    constexpr std::array kNames { "sum", "mean", "weighted mean", "largest", "smallest", "none" };
    return kNames.at(static_cast<std::size_t>(rule));
}

const StudyCase* Study::find(std::string_view id) const
{
    const auto found = std::ranges::find(cases, id, &StudyCase::id);
    return found == cases.end() ? nullptr : &*found;
}

bool CheckedStudy::usable() const
{
    return std::ranges::none_of(
        problems, [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
}

Result<CheckedStudy> checkStudy(const std::filesystem::path& file)
{
    const auto document = Document::read(file);
    if (!document)
        return document.error();
    return readStudy(*document);
}

std::vector<std::filesystem::path> shippedStudies()
{
    std::vector<std::filesystem::path> studies;
    std::error_code ignored;
    std::filesystem::directory_iterator entry(resourceFolder() / "studies", ignored);
    for (; entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        if (entry->path().extension() == ".toml")
            studies.push_back(entry->path());
    std::ranges::sort(studies);
    return studies;
}

std::filesystem::path findStudy(const std::string& name)
{
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored))
        for (const std::filesystem::path& shipped : shippedStudies())
            if (shipped.filename() == name || shipped.stem() == name)
                return shipped;
    return name;
}

} // namespace loadstone
