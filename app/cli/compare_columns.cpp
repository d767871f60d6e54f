// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_columns.h"

#include <loadstone/document.h>
#include <loadstone/external_result.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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

/// The columns of a study's question.
Result<Columns> ofQuestion(const fs::path& file, const Study& study, const std::string& id, Columns columns)
{
    const StudyComparison* question = findQuestion(study, id);
    if (question == nullptr) {
        std::vector<std::string> ids;
        for (const StudyComparison& one : study.comparisons)
            ids.push_back(one.id);
        return fail(ids.empty() ? fmt::format("{}: the study has no [[comparison]]", file.string())
                                : fmt::format("{}: no comparison \"{}\"; its comparisons are {}",
                                    file.string(), id, idsOf(ids)));
    }
    Columns chosen = columnsOf(*question, columns);
    if (!chosen.empty())
        return chosen;
    std::vector<std::string> without, all { question->baseline };
    all.insert(all.end(), question->with.begin(), question->with.end());
    for (const std::string& one : all)
        if (std::ranges::find(columns, one, &ComparedColumn::id) == columns.end())
            without.push_back(one);
    return fail(fmt::format("{}: the comparison \"{}\" lacks runs of {}", file.string(), id, idsOf(without)));
}

Result<WordColumns> ofStudy(
    const fs::path& file, const std::string& id, History& history, const std::string& question)
{
    auto checked = checkStudy(file);
    if (!checked)
        return checked.error();
    if (!checked->usable())
        return errorsOf(file.filename().string(), checked->problems);
    auto columns = columnsOf(checked->study, history);
    if (!columns)
        return columns.error();
    std::vector<std::string> ids;
    for (const ComparedColumn& column : *columns)
        ids.push_back(column.id);
    if (!id.empty()) {
        std::erase_if(*columns, [&](const ComparedColumn& column) { return column.id != id; });
        if (columns->empty())
            return fail(fmt::format("{}: no case or set \"{}\" with runs; those with runs are {}",
                file.string(), id, ids.empty() ? "none" : idsOf(ids)));
    } else if (columns->empty())
        return fail(file.string() + ": none of its cases has a run yet");
    else if (!question.empty()) {
        columns = ofQuestion(file, checked->study, question, *std::move(columns));
        if (!columns)
            return columns.error();
    }
    return WordColumns { *std::move(columns), std::move(checked->study), id.empty() };
}

Result<WordColumns> ofFile(
    const std::string& word, const std::string& id, History& history, const std::string& question)
{
    fs::path file = findStudy(word); // it has the systems of the result with its name, and its questions
    std::error_code none;
    if (!fs::exists(file, none))
        file = findResult(word);
    const auto document = Document::read(file);
    if (!document)
        return document.error();
    if (document->kind() == FileKind::study)
        return ofStudy(file, id, history, question);
    if (document->kind() == FileKind::result) {
        auto columns = ofResult(file, id);
        if (!columns)
            return columns.error();
        return WordColumns { *std::move(columns), {}, false };
    }
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

Result<WordColumns> ofRuns(History& history, const std::string& word)
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
    return WordColumns { { std::move(column) }, {}, false };
}

bool isShipped(const std::string& name)
{
    std::error_code none;
    return fs::exists(findResult(name), none) || fs::exists(findStudy(name), none);
}

} // namespace

const StudyComparison* findQuestion(const Study& study, const std::string& id)
{
    const auto found = std::ranges::find(study.comparisons, id, &StudyComparison::id);
    return found == study.comparisons.end() ? nullptr : &*found;
}

Result<WordColumns> columnsOf(History& history, const std::string& word, const std::string& question)
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
    auto found = isFile ? ofFile(file, id, history, question) : ofRuns(history, what);
    if (found && !name.empty()) {
        if (found->columns.size() > 1)
            return fail(
                fmt::format("{}: a name is for one column, and these are {}", word, found->columns.size()));
        found->columns.front().name = name;
    }
    return found;
}

} // namespace loadstone::cli
