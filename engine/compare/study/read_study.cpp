// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/trimmed.h"
#include "compare/configuration.h"
#include "compare/external/names.h"
#include "compare/study/check_study.h"
#include "document/row_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace loadstone {

namespace {

using compare::shownText;
using compare::textOrNone;
using document::Node;
using document::TableReader;
using Ids = std::map<std::string, std::string, std::less<>>;

struct StudyDraft {
    Study study;
    Ids cases; ///< of cases and sets, which share their ids
    Ids comparisons;
};

std::vector<std::string> idsOf(const Ids& known)
{
    std::vector<std::string> ids;
    for (const auto& [id, path] : known)
        ids.push_back(id);
    return ids;
}

/// Reports an id that no case or set has.
bool isKnown(
    TableReader& reader, const std::string& field, const std::string& id, const Ids& known, const char* what)
{
    if (known.contains(id))
        return true;
    reader.problems().error(field, fmt::format("there is no {} \"{}\"", what, document::shown(id)),
        compare::oneOf(id, idsOf(known)));
    return false;
}

std::vector<std::string> knownTexts(TableReader& reader, const char* key, const Ids& known, const char* what)
{
    std::vector<std::string> good;
    const auto texts = compare::shownTexts(reader, key);
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (isKnown(reader, fmt::format("{}[{}]", reader.path(key), i), texts[i], known, what))
            good.push_back(texts[i]);
    return good;
}

void needId(TableReader& reader)
{
    if (!reader.has("id"))
        reader.missing("id", "write id = \"…\", by which other tables name it");
}

std::vector<std::string> readRuns(TableReader& reader)
{
    const auto texts = compare::shownTexts(reader, "runs");
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (!RunId::parse(texts[i]))
            reader.problems().error(fmt::format("{}[{}]", reader.path("runs"), i),
                fmt::format("\"{}\" is not the id of a run", document::shown(texts[i])),
                "write it as \"loadstone list\" prints it: 20261121-140305-7f3a");
    return texts;
}

StudyCase readCase(TableReader& reader, StudyDraft& draft)
{
    document::Problems& problems = reader.problems();
    StudyCase one;
    one.id = compare::readId(reader, draft.cases);
    one.title = textOrNone(reader, "title");
    one.lab = textOrNone(reader, "lab");
    one.variant = textOrNone(reader, "variant");
    one.plan = textOrNone(reader, "plan");
    one.repeats = 0;
    if (reader.has("plan"))
        one.repeats = static_cast<unsigned>(reader.number("repeats").value_or(3));
    one.runs = readRuns(reader);
    one.result = textOrNone(reader, "result");
    one.system = textOrNone(reader, "system");
    one.notes = textOrNone(reader, "notes", true);
    reader.finish();
    needId(reader);
    const std::string path = reader.path("plan");
    if (!reader.has("plan") && !reader.has("runs") && !reader.has("result"))
        problems.error(path.substr(0, path.size() - 5), "has nothing to compare",
            "write plan = \"…\" to run one, runs = [\"…\"] of the history, or result = \"…\" from elsewhere");
    if (reader.has("result") && (reader.has("plan") || reader.has("runs")))
        problems.error(reader.path("result"), "stands beside a plan or runs", "make a case of its own of it");
    if (reader.has("system") && !reader.has("result"))
        problems.error(reader.path("system"), "has no effect: the case has no result",
            "write result = \"FILE\" above it, or remove it");
    if (reader.has("lab") && !reader.has("plan") && !reader.has("runs"))
        problems.error(reader.path("lab"), "has no effect: a result names its labs itself", "remove it");
    return one;
}

/// What may stand in rows of sets and in ratios.
std::string figureName(TableReader& reader, const char* key)
{
    const std::string name { trimmed(textOrNone(reader, key)) };
    if (name.empty() && reader.has(key) && !reader.problems().touched(reader.path(key)))
        reader.problems().error(
            reader.path(key), "is empty", "write a key of Loadstone's, the path of a counter, or a name");
    if (!reader.has(key))
        reader.missing(key,
            fmt::format("write {} = \"…\", a key of Loadstone's, the path of a counter, or a name", key));
    return name;
}

AggregationRow readRow(TableReader& reader)
{
    document::Problems& problems = reader.problems();
    AggregationRow row;
    row.figure = figureName(reader, "figure");
    std::vector<std::pair<const char*, Aggregation>> words;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(Aggregation::none); ++i)
        words.emplace_back(toString(static_cast<Aggregation>(i)), static_cast<Aggregation>(i));
    const auto rule = reader.choice<Aggregation>("rule", words);
    row.rule = rule.value_or(Aggregation::none);
    row.of = compare::shownTexts(reader, "of");
    const bool isWeighted = row.rule == Aggregation::weightedMean;
    if (isWeighted) {
        const auto weights = reader.texts("weights"); // several may have the same
        row.weights = weights.value_or(std::vector<std::string> {});
    }
    row.unit = textOrNone(reader, "unit");
    if (const auto decimals = reader.number("decimals"))
        row.decimals = static_cast<int>(*decimals);
    reader.finish();
    if (!reader.has("rule"))
        reader.missing("rule",
            "write rule = \"sum\", \"mean\", \"weighted mean\", \"largest\", \"smallest\" or \"none\"");
    if (isWeighted && !reader.has("weights"))
        reader.missing("weights", "write weights = [\"…\"], the figures by which the values are weighted");
    else if (isWeighted && !problems.touched(reader.path("weights"))
        && row.weights.size() != std::max<std::size_t>(1, row.of.size()))
        problems.error(reader.path("weights"),
            fmt::format("has {} figures for {}", row.weights.size(), std::max<std::size_t>(1, row.of.size())),
            "write one for each figure of the row");
    if (rule == Aggregation::none && !row.of.empty())
        problems.error(reader.path("of"), "has no effect: the row has the rule \"none\"",
            "remove it, or write another rule");
    return row;
}

HostSet readSet(TableReader& reader, StudyDraft& draft)
{
    document::Problems& problems = reader.problems();
    HostSet set;
    // The hosts of a set are cases: another set's id is none.
    Ids cases;
    for (const StudyCase& one : draft.study.cases)
        cases.emplace(one.id, std::string());
    set.id = compare::readId(reader, draft.cases);
    set.title = textOrNone(reader, "title");
    set.hosts = knownTexts(reader, "hosts", cases, "case");
    set.commonWindow = reader.choice<bool>("window", { { "common", true }, { "own", false } }).value_or(true);
    set.keepHosts = reader.flag("keep_hosts").value_or(false);
    const Node* rows = reader.tables("row");
    reader.finish();
    needId(reader);
    if (!reader.has("hosts"))
        reader.missing("hosts", "write hosts = [\"…\"], the ids of its cases");
    else if (set.hosts.size() < 2 && !problems.touched(reader.path("hosts")))
        problems.error(reader.path("hosts"), "has fewer than two cases",
            "write at least two; one alone is compared as it is");
    std::set<std::string> names;
    for (std::size_t i = 0; rows != nullptr && i < rows->items.size(); ++i) {
        const std::string path = fmt::format("{}[{}]", reader.path("row"), i);
        if (i >= reader.most("row")) {
            problems.error(
                path, fmt::format("a set has at most {} rows", reader.most("row")), "shorten the list");
            break;
        }
        TableReader own(&rows->items[i], path, problems);
        AggregationRow row = readRow(own);
        row.line = rows->items[i].begin.line;
        if (row.figure.empty() || problems.touched(path))
            continue;
        if (!names.insert(row.figure).second)
            problems.error(own.path("figure"),
                fmt::format("the set has a row for \"{}\" already", document::shown(row.figure)),
                "remove one of them");
        else
            set.rows.push_back(std::move(row));
    }
    return set;
}

StudyRatio readRatio(TableReader& reader)
{
    StudyRatio ratio;
    ratio.name = textOrNone(reader, "name");
    ratio.of = figureName(reader, "of");
    ratio.per = figureName(reader, "per");
    ratio.unit = textOrNone(reader, "unit");
    reader.finish();
    if (!reader.has("name"))
        reader.missing("name", "write name = \"…\", what the quotient is called");
    return ratio;
}

StudyComparison readComparison(TableReader& reader, StudyDraft& draft)
{
    document::Problems& problems = reader.problems();
    StudyComparison comparison;
    comparison.id = compare::readId(reader, draft.comparisons);
    comparison.title = textOrNone(reader, "title");
    comparison.baseline = textOrNone(reader, "baseline");
    comparison.with = knownTexts(reader, "with", draft.cases, "case or set");
    comparison.figures = compare::shownTexts(reader, "figures");
    reader.finish();
    needId(reader);
    if (!reader.has("with"))
        reader.missing("with", "write with = [\"…\"], the ids of the cases that are compared");
    else if (comparison.with.empty() && !problems.touched(reader.path("with")))
        problems.error(reader.path("with"), "is empty", "write the ids of the cases that are compared");
    if (comparison.baseline.empty())
        comparison.baseline = draft.study.baseline;
    else if (!isKnown(reader, reader.path("baseline"), comparison.baseline, draft.cases, "case or set"))
        return comparison;
    const auto same = std::ranges::find(comparison.with, comparison.baseline);
    if (same != comparison.with.end())
        problems.error(fmt::format("{}[{}]", reader.path("with"), same - comparison.with.begin()),
            "is the baseline itself", "remove it, or choose another baseline");
    return comparison;
}

StudyCommand readCommand(TableReader& reader, StudyDraft& draft)
{
    document::Problems& problems = reader.problems();
    StudyCommand command;
    Ids cases;
    for (const StudyCase& one : draft.study.cases)
        if (!one.plan.empty())
            cases.emplace(one.id, std::string());
    command.moment =
        reader
            .choice<CommandMoment>("when",
                { { "before run", CommandMoment::beforeRun }, { "after run", CommandMoment::afterRun },
                    { "before mix", CommandMoment::beforeMix }, { "after mix", CommandMoment::afterMix } })
            .value_or(CommandMoment::beforeRun);
    command.command = textOrNone(reader, "run", true);
    command.cases = knownTexts(reader, "cases", cases, "case with a plan");
    document::assign(command.timeLimit, reader.duration("time_limit"));
    command.goOn = reader.flag("go_on").value_or(false);
    reader.finish();
    if (!reader.has("when"))
        reader.missing("when", "write when = \"before run\", \"after run\", \"before mix\" or \"after mix\"");
    if (!reader.has("run"))
        reader.missing("run", "write run = \"…\", the command");
    else if (trimmed(command.command).empty() && !problems.touched(reader.path("run")))
        problems.error(reader.path("run"), "is empty", "write the command, or remove the entry");
    return command;
}

/// `read` is called with a reader of each entry and the draft; what it returns is kept with its line.
template <class Entry, class Read>
void readEntries(TableReader& top, const char* key, std::vector<Entry>& to, const Read& read)
{
    const Node* entries = top.tables(key);
    const std::size_t most = top.most(key);
    for (std::size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
        const std::string path = fmt::format("{}[{}]", key, i);
        if (i >= most) {
            top.problems().error(
                path, fmt::format("a study has at most {} entries of this kind", most), "divide it");
            break;
        }
        TableReader reader(&entries->items[i], path, top.problems());
        Entry entry = read(reader);
        entry.line = entries->items[i].begin.line;
        to.push_back(std::move(entry));
    }
}

void readHead(TableReader& top, Study& study)
{
    static_cast<void>(top.number("format"));
    top.choice<int>("kind", { { "study", 0 } });
    study.name = top.text("name").value_or("");
    study.title = textOrNone(top, "title");
    study.description = textOrNone(top, "description", true);
    study.baseline = textOrNone(top, "baseline");
    document::assign(study.matters, top.share("matters"));
    document::assign(study.confidence, top.share("confidence"));
    std::vector<std::pair<const char*, StudyOrder>> words;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(StudyOrder::baselineAround); ++i)
        words.emplace_back(toString(static_cast<StudyOrder>(i)), static_cast<StudyOrder>(i));
    document::assign(study.order, top.choice<StudyOrder>("order", words));
    if (!study.name.empty() && !compare::isName(study.name))
        top.problems().error("name",
            fmt::format("\"{}\" is not a name of a study", document::shown(study.name)),
            "use up to 64 letters, digits, - and _, as in fsync-2026");
    else if (study.name.empty() && top.has("name") && !top.problems().touched("name"))
        top.problems().error("name", "is empty", "write a name of letters, digits, - and _");
}

void checkWhole(TableReader& top, StudyDraft& draft)
{
    document::Problems& problems = top.problems();
    Study& study = draft.study;
    if (!top.has("name"))
        top.missing("name", "write name = \"…\", by which recordings know the study");
    if (!top.has("case"))
        top.missing("case", "write a header [[case]] for each configuration, and its id below it");
    if (!study.baseline.empty())
        isKnown(top, "baseline", study.baseline, draft.cases, "case or set");
    const auto isRun = [](const StudyCase& one) { return !one.plan.empty(); };
    if (top.has("order") && !problems.touched("order") && study.order != StudyOrder::asGiven
        && !study.cases.empty() && std::ranges::none_of(study.cases, isRun) && !problems.touched("case"))
        problems.warning("order", "has no effect: no case has a plan to run", "remove it");
}

} // namespace

CheckedStudy readStudy(const Document& document)
{
    StudyDraft draft;
    draft.study.file = document.file();
    draft.study.revision = compare::digestOf(document.text());
    CheckedStudy checked;
    std::optional<Node> root;
    checked.problems = compare::syntaxProblems(document.text(), "study", root);
    if (!root) {
        checked.study = std::move(draft.study);
        return checked;
    }
    document::Problems problems(*root, FileKind::study);
    TableReader top(&*root, "", problems);
    Study& study = draft.study;
    readHead(top, study);
    readEntries(top, "case", study.cases, [&](TableReader& reader) { return readCase(reader, draft); });
    readEntries(top, "set", study.sets, [&](TableReader& reader) { return readSet(reader, draft); });
    readEntries(top, "ratio", study.ratios, readRatio);
    const bool statesBaseline = !study.baseline.empty();
    if (!statesBaseline && !study.cases.empty())
        study.baseline = study.cases.front().id;
    readEntries(top, "comparison", study.comparisons,
        [&](TableReader& reader) { return readComparison(reader, draft); });
    readEntries(
        top, "command", study.commands, [&](TableReader& reader) { return readCommand(reader, draft); });
    top.finish();
    checkWhole(top, draft);
    compare::checkFilesOf(study, problems);
    // Entries without an id of their own were reported, and nothing can name them.
    std::erase_if(study.cases, [](const StudyCase& one) { return one.id.empty(); });
    std::erase_if(study.sets, [](const HostSet& set) { return set.id.empty(); });
    auto found = problems.take();
    checked.problems.insert(checked.problems.end(), found.begin(), found.end());
    checked.study = std::move(draft.study);
    return checked;
}

} // namespace loadstone
