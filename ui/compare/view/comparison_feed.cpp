// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/comparison_feed.h"

#include "format.h"

#include <loadstone/external_result.h>
#include <loadstone/study.h>

#include <QFileSystemWatcher>

#include <algorithm>
#include <functional>
#include <utility>

namespace loadstone::ui {

namespace {

using Stop = std::shared_ptr<std::atomic<bool>>;
using Runs = std::shared_ptr<const std::vector<ComparedRun>>;

std::string keyOf(const ChosenColumn& column)
{
    return column.result.string() + '\n' + column.system;
}

Result<std::vector<ComparedRun>> readResultSystem(const ChosenColumn& column)
{
    const auto checked = checkResult(column.result);
    if (!checked)
        return checked.error();
    if (!checked->usable()) {
        const auto bad = std::find_if(checked->problems.begin(), checked->problems.end(),
            [](const Problem& problem) { return problem.severity == ProblemSeverity::error; });
        return fail(bad->format(column.result.string()));
    }
    const auto at = checked->result.findSystem(column.system);
    if (!at)
        return fail(column.result.string() + ": there is no system \"" + column.system + "\"");
    auto all = comparedRuns(checked->result);
    if (*at >= all.size())
        return fail(column.result.string() + ": the system \"" + column.system + "\" has no figures");
    return std::vector<ComparedRun> { std::move(all[*at]) };
}

using StudyColumns = std::shared_ptr<const std::vector<ComparedColumn>>;

Result<StudyColumns> readStudyColumns(const std::filesystem::path& file, History& history)
{
    const auto checked = checkStudy(file);
    if (!checked)
        return checked.error();
    auto columns = columnsOf(checked->study, history);
    if (!columns)
        return columns.error();
    return std::make_shared<const std::vector<ComparedColumn>>(*std::move(columns));
}

bool sameFigures(const RunSummary& a, const RunSummary& b)
{
    return a.state == b.state && a.length == b.length && a.figures == b.figures && a.valid == b.valid
        && a.verdict == b.verdict && a.changed == b.changed; // what is attached has figures, too
}

/// Where the baseline is among the columns that could be read, grouped or not; the first one where it is not.
std::size_t placeOf(const CompareQuery& query, const std::vector<ChosenColumn>& columns)
{
    if (query.options.baseline >= query.columns.size())
        return 0;
    const ChosenColumn& wanted = query.columns[query.options.baseline];
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (isPartOf(wanted, columns[i]))
            return i;
    return 0;
}

} // namespace

/// What the thread has read, and what it has made of it.
struct ComparisonFeed::Kept {
    std::map<std::string, std::shared_ptr<const ComparedRun>> runs; // by id
    std::map<std::string, Runs> results; // by keyOf()
    std::map<std::filesystem::path, StudyColumns> studies; // by file
    std::vector<std::string> pooled; // keys of which the history has been asked: the next time is quick
    CompareView view; // so far

    Result<void> readRun(History& history, const RunId& id)
    {
        if (runs.count(id.text()) != 0)
            return {};
        auto run = history.compared(id);
        if (!run)
            return run.error();
        runs[id.text()] = std::make_shared<const ComparedRun>(*std::move(run));
        return {};
    }
    /// The runs of a column, and the name that a study gives it; what cannot be read is named in the view.
    std::vector<ComparedRun> runsOf(const ChosenColumn& column, History& history, std::string& name)
    {
        std::vector<ComparedRun> found;
        const auto complain = [this, &column](const Error& error) {
            view.unread.append(column.name.isEmpty()
                    ? text(error.message)
                    : column.name + QStringLiteral(": ") + text(error.message));
        };
        for (const RunId& id : column.runs) {
            if (const auto done = readRun(history, id); !done)
                complain(done.error());
            else
                found.push_back(*runs[id.text()]);
        }
        if (!column.study.empty()) {
            StudyColumns& kept = studies[column.study];
            if (!kept) {
                auto read = readStudyColumns(column.study, history);
                if (!read) {
                    complain(read.error());
                    return found;
                }
                kept = *std::move(read);
            }
            const auto part = std::ranges::find(*kept, column.part, &ComparedColumn::id);
            if (part == kept->end()) {
                complain(fail("case \"" + column.part + "\" has no run in the history yet"));
                return found;
            }
            found.insert(found.end(), part->runs.begin(), part->runs.end());
            name = part->name;
            return found;
        }
        if (column.result.empty())
            return found;
        Runs& kept = results[keyOf(column)];
        if (!kept) {
            auto read = readResultSystem(column);
            if (!read) {
                complain(read.error());
                return found;
            }
            kept = std::make_shared<const std::vector<ComparedRun>>(*std::move(read));
        }
        found.insert(found.end(), kept->begin(), kept->end());
        return found;
    }
};

ComparisonFeed::ComparisonFeed(const std::filesystem::path& history, QObject* parent)
    : QObject(parent)
    , m_kept(std::make_shared<Kept>())
    , m_files(new QFileSystemWatcher(this))
    , m_store(history)
{
    connect(m_files, &QFileSystemWatcher::fileChanged, this, [this] {
        m_store.run(
            [kept = m_kept](History&) -> Result<bool> {
                kept->results.clear();
                kept->studies.clear();
                return true;
            },
            this,
            [this](const Result<bool>&) {
                watchFiles(); // an editor that renames takes the watched file away
                ask();
            });
    });
}

ComparisonFeed::~ComparisonFeed()
{
    if (m_stop)
        *m_stop = true;
}

void ComparisonFeed::watchFiles()
{
    QStringList files;
    for (const ChosenColumn& column : m_query.columns)
        for (const auto& file : { column.result, column.study })
            if (const QString name = text(file.string()); !name.isEmpty() && !files.contains(name))
                files.append(name);
    if (const QStringList before = m_files->files(); !before.isEmpty())
        m_files->removePaths(before);
    if (!files.isEmpty())
        m_files->addPaths(files);
}

void ComparisonFeed::setQuery(const CompareQuery& query)
{
    if (query == m_query)
        return;
    m_query = query;
    watchFiles();
    ask();
}

void ComparisonFeed::historyChanged(const std::vector<RunSummary>& runs)
{
    std::vector<std::string> changed;
    for (const ChosenColumn& column : m_query.columns)
        for (const RunId& id : column.runs) {
            const std::string name = id.text();
            const auto now =
                std::find_if(runs.begin(), runs.end(), [&](const RunSummary& run) { return run.id == id; });
            const auto before = m_known.find(name);
            if (now == runs.end()) {
                if (before != m_known.end()) { // it has gone
                    m_known.erase(before);
                    changed.push_back(name);
                }
            } else if (before == m_known.end()) {
                m_known.emplace(name, *now); // as it is read now
            } else if (!sameFigures(before->second, *now)) {
                before->second = *now;
                changed.push_back(name);
            }
        }
    const bool studies = std::any_of(m_query.columns.begin(), m_query.columns.end(),
        [](const ChosenColumn& column) { return !column.study.empty(); });
    // A run that has ended, or has gone, may be one of the repeats that chance is known from.
    std::vector<RunId> ended;
    for (const RunSummary& run : runs)
        if (isOver(run.state))
            ended.push_back(run.id);
    std::ranges::sort(ended);
    const bool otherRepeats = m_ended && *m_ended != ended;
    m_ended = std::move(ended);
    if (changed.empty() && !studies && !otherRepeats)
        return;
    m_store.run(
        [kept = m_kept, changed, studies](History&) -> Result<bool> {
            for (const std::string& id : changed)
                kept->runs.erase(id);
            if (studies)
                kept->studies.clear();
            return true;
        },
        this, [this](const Result<bool>&) { ask(); });
}

void ComparisonFeed::cancel()
{
    if (m_stop)
        *m_stop = true;
    over();
}

void ComparisonFeed::over()
{
    if (!std::exchange(m_busy, false))
        return;
    emit progress({}, 0, 0);
}

void ComparisonFeed::ask()
{
    if (m_stop)
        *m_stop = true;
    m_stop = std::make_shared<std::atomic<bool>>(false);
    m_busy = true;
    read(m_stop);
}

void ComparisonFeed::read(Stop stop)
{
    const auto tell = [this](const QString& what, int done, int of) {
        QMetaObject::invokeMethod(this, [this, what, done, of] {
            if (m_busy)
                emit progress(what, done, of);
        });
    };
    m_store.run(
        [kept = m_kept, query = m_query, stop, tell](History& history) -> Result<bool> {
            const std::vector<ConfigurationRow> before = std::move(kept->view.configuration);
            const bool same = kept->view.query.columns == query.columns;
            kept->view = {};
            kept->view.query = query;
            if (same)
                kept->view.configuration = before; // until it is read again
            std::vector<std::vector<ComparedRun>> runs;
            std::vector<ChosenColumn> chosen;
            const int of = static_cast<int>(query.columns.size());
            for (const ChosenColumn& column : query.columns) {
                if (*stop)
                    return false;
                tell(tr("Reading the runs"), static_cast<int>(runs.size()), of);
                std::string name;
                auto found = kept->runsOf(column, history, name);
                if (found.empty())
                    continue; // said in `unread`
                runs.push_back(std::move(found));
                chosen.push_back(column);
                if (column.name.isEmpty())
                    chosen.back().name = text(name);
            }
            if (query.groupRepeats) {
                const auto together = grouped(chosen, runs);
                if (together != chosen) {
                    chosen = together;
                    runs.clear();
                    for (const ChosenColumn& column : chosen) {
                        std::string name;
                        runs.push_back(kept->runsOf(column, history, name));
                    }
                }
            }
            kept->view.query.options.baseline = placeOf(query, chosen);
            kept->view.query.columns = chosen;
            kept->view.columns.clear();
            for (std::size_t i = 0; i < chosen.size(); ++i)
                kept->view.columns.push_back(
                    { bytes(nameOf(chosen[i], runs[i])), std::move(runs[i]), {}, {} });
            return true;
        },
        this,
        [this, stop](Result<bool> done) {
            if (*stop || !done || !*done)
                return;
            compareThem(stop, false);
        });
}

void ComparisonFeed::compareThem(Stop stop, bool withHistory)
{
    if (withHistory)
        emit progress(tr("Reading the repeats of the history"), 0, -1);
    using View = std::shared_ptr<const CompareView>;
    m_store.run(
        [kept = m_kept, stop, withHistory](History& history) -> Result<View> {
            CompareView& view = kept->view;
            if (*stop)
                return View();
            std::vector<std::string> keys;
            for (const ComparedColumn& column : view.columns)
                for (const ComparedRun& run : column.runs)
                    if (std::string key = run.facts.poolingKey(); std::ranges::find(keys, key) == keys.end())
                        keys.push_back(std::move(key));
            const bool known = std::ranges::all_of(keys, [&](const std::string& key) {
                return std::ranges::find(kept->pooled, key) != kept->pooled.end();
            });
            RepeatPool pool;
            view.withHistory = withHistory || known;
            if (view.withHistory) {
                auto repeats = history.repeats(keys);
                if (!repeats)
                    return repeats.error();
                pool = *std::move(repeats);
                for (const std::string& key : keys)
                    if (std::ranges::find(kept->pooled, key) == kept->pooled.end())
                        kept->pooled.push_back(key);
            }
            if (withHistory) {
                if (auto rows = configurationRows(view.columns, view.query.options.baseline))
                    view.configuration = *std::move(rows);
                else
                    view.configurationProblem = text(rows.error().message);
            }
            auto compared = compareColumns(view.columns, view.query.options, std::move(pool));
            if (compared) {
                view.comparison = std::make_shared<const Comparison>(*std::move(compared));
                view.problem.clear();
                view.curves = curveChoices(view.columns);
            } else {
                view.problem = text(compared.error().message);
            }
            return std::make_shared<const CompareView>(view);
        },
        this,
        [this, stop, withHistory](Result<View> view) {
            if (*stop)
                return;
            if (!view) {
                auto broken = std::make_shared<CompareView>();
                broken->query = m_query;
                broken->problem = text(view.error().message);
                emit changed(broken);
                over();
                return;
            }
            if (*view == nullptr)
                return;
            emit changed(*view);
            if (withHistory || (*view)->comparison == nullptr)
                over();
            else
                compareThem(stop, true);
        });
}

} // namespace loadstone::ui
