// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_columns.h"

#include <loadstone/document.h>
#include <loadstone/external_result.h>
#include <loadstone/study.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace loadstone::cli {

namespace {

namespace fs = std::filesystem;
using Columns = std::vector<ComparedColumn>;

/// The errors of a file in one sentence.
Error errorsOf(const std::string& name, const std::vector<Problem>& problems)
{
    for (const Problem& problem : problems)
        if (problem.severity == ProblemSeverity::error)
            return fail(problem.format(name));
    return fail(name + ": cannot be used");
}

std::string idsOf(const std::vector<std::string>& ids)
{
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(ids.size(), kMost); ++i)
        text += (i == 0 ? "" : ", ") + ids[i];
    return ids.size() > kMost ? text + ", ..." : text;
}

Result<Columns> ofResult(const fs::path& file, const std::string& id)
{
    const auto checked = checkResult(file);
    if (!checked)
        return checked.error();
    if (!checked->usable())
        return errorsOf(file.filename().string(), checked->problems);
    Columns columns;
    std::vector<std::string> ids;
    std::vector<ComparedRun> runs = comparedRuns(checked->result);
    for (std::size_t i = 0; i < runs.size() && i < checked->result.systems.size(); ++i) {
        const ResultSystem& system = checked->result.systems[i];
        ids.push_back(system.id);
        if (id.empty() || id == system.id) {
            ComparedColumn column { system.name.empty() ? system.id : system.name, {}, system.note,
                system.id };
            column.runs.push_back(std::move(runs[i]));
            columns.push_back(std::move(column));
        }
    }
    if (columns.empty())
        return fail(fmt::format("{}: no system \"{}\"; its systems are {}", file.string(), id, idsOf(ids)));
    return columns;
}

Result<Columns> ofStudy(
    const fs::path& file, const std::string& id, History& history, std::optional<double>& matters)
{
    const auto checked = checkStudy(file);
    if (!checked)
        return checked.error();
    if (!checked->usable())
        return errorsOf(file.filename().string(), checked->problems);
    auto columns = columnsOf(checked->study, history);
    if (!columns)
        return columns.error();
    matters = checked->study.matters;
    std::vector<std::string> ids;
    for (const ComparedColumn& column : *columns)
        ids.push_back(column.id);
    if (!id.empty()) {
        std::erase_if(*columns, [&](const ComparedColumn& column) { return column.id != id; });
        if (columns->empty())
            return fail(fmt::format("{}: no case or set \"{}\" with runs; those with runs are {}",
                file.string(), id, idsOf(ids)));
    } else if (columns->empty())
        return fail(file.string() + ": none of its cases has a run yet");
    return columns;
}

Result<Columns> ofFile(
    const std::string& word, const std::string& id, History& history, std::optional<double>& matters)
{
    fs::path file = findResult(word);
    std::error_code none;
    if (!fs::exists(file, none))
        file = findStudy(word);
    const auto document = Document::read(file);
    if (!document)
        return document.error();
    if (document->kind() == FileKind::study)
        return ofStudy(file, id, history, matters);
    if (document->kind() == FileKind::result)
        return ofResult(file, id);
    return fail(fmt::format("{}: it is a {}, and a comparison is of runs, studies and results", file.string(),
        toString(document->kind())));
}

Result<ComparedRun> oneRun(History& history, const std::string& word)
{
    std::error_code none;
    if (word.ends_with(".ldrec") || word.find('/') != std::string::npos || fs::is_regular_file(word, none)) {
        const auto recording = Recording::open(word);
        if (!recording)
            return recording.error();
        return comparedRun(*recording);
    }
    const auto id = history.find(word);
    if (!id)
        return id.error();
    return history.compared(*id);
}

Result<Columns> ofRuns(History& history, const std::string& word)
{
    ComparedColumn column;
    for (std::size_t begin = 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(',', begin), word.size());
        auto run = oneRun(history, word.substr(begin, end - begin));
        if (!run)
            return run.error();
        column.runs.push_back(*std::move(run));
        begin = end + 1;
    }
    const ComparedRun& first = column.runs.front();
    column.name = first.title.empty() ? first.id.text() : first.title;
    return Columns { std::move(column) };
}

bool isShipped(const std::string& name)
{
    std::error_code none;
    return fs::exists(findResult(name), none) || fs::exists(findStudy(name), none);
}

} // namespace

Result<std::vector<ComparedColumn>> columnsOf(
    History& history, const std::string& word, std::optional<double>& matters)
{
    std::string name, what = word;
    if (const auto equals = word.find('='); equals != std::string::npos && equals > 0) {
        name = word.substr(0, equals);
        what = word.substr(equals + 1);
    }
    std::string file = what, id;
    const auto colon = what.rfind(':');
    if (colon != std::string::npos && colon > 0) {
        file = what.substr(0, colon);
        id = what.substr(colon + 1);
    }
    std::error_code none;
    const bool recording = fs::is_regular_file(what, none) && !what.ends_with(".toml");
    const bool isFile = !recording && (file.ends_with(".toml") || isShipped(file));
    auto columns = isFile ? ofFile(file, id, history, matters) : ofRuns(history, what);
    if (columns && !name.empty()) {
        if (columns->size() > 1)
            return fail(fmt::format("{}: a name is for one column, and these are {}", word, columns->size()));
        columns->front().name = name;
    }
    return columns;
}

} // namespace loadstone::cli
