// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/configuration.h"
#include "compare/external/names.h"
#include "compare/external/result_draft.h"
#include "document/row_value.h"

#include <loadstone/figure.h>
#include <loadstone/quantity.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone {

namespace {

using compare::ResultDraft;
using compare::shownText;
using compare::textOrNone;
using document::Node;
using document::TableReader;

/// Keys of the user's own with texts. Each problem stands at its key: such a key need not be a bare one.
std::vector<std::pair<std::string, std::string>> readPairs(TableReader& above, const char* key)
{
    constexpr std::size_t kMost = 100;
    std::vector<std::pair<std::string, std::string>> pairs;
    const Node* table = above.table(key);
    if (table == nullptr)
        return pairs;
    for (const document::Member& member : table->members) {
        const std::string field = above.path(key) + "." + document::shown(member.key);
        const auto report = [&](std::string message, std::string remedy) {
            above.problems().errorAt(member.at, field, std::move(message), std::move(remedy));
        };
        if (pairs.size() >= kMost) {
            report(fmt::format("there are more than {} entries", kMost), "shorten the table");
            break;
        }
        const Node& value = member.value;
        const auto fault =
            value.kind == Node::Kind::text ? document::faultOfText(value.text, false) : std::nullopt;
        if (member.key.empty() || document::faultOfText(member.key, false))
            report("the key is not a name that can be shown", "use letters, digits and blanks");
        else if (value.kind != Node::Kind::text)
            report(fmt::format("is {}, must be a text", describe(value.kind)),
                "write it in quotes, as the report prints it");
        else if (fault)
            report(fault->message, fault->remedy);
        else if (value.text.empty())
            report("is empty", "write what the report says, or remove the key");
        else
            pairs.emplace_back(member.key, value.text);
    }
    return pairs;
}

void checkKeyOf(ResultFigure& figure, TableReader& reader)
{
    document::Problems& problems = reader.problems();
    const auto id = findFigure(figure.key);
    if (!id) {
        std::vector<std::string> keys;
        for (const FigureInfo& info : figureTable())
            keys.emplace_back(info.key);
        problems.error(reader.path("key"),
            fmt::format("Loadstone has no figure \"{}\"", document::shown(figure.key)),
            compare::oneOf(figure.key, keys));
        return;
    }
    const FigureInfo& info = infoOf(*id);
    if (!inUnit(1, figure.unit, info.unit.name))
        problems.error(reader.path("unit"),
            fmt::format("{} cannot be compared with {}, which is in {}",
                figure.unit.empty() ? "a number without unit" : "\"" + document::shown(figure.unit) + "\"",
                info.key, info.unit.name.empty() ? "no unit" : info.unit.name),
            "write the unit of the printed numbers, or another key");
    if (!figure.of.empty() && !compare::subjectNamed(figure.key, figure.of))
        problems.error(reader.path("of"),
            fmt::format("{} is not a figure of \"{}\"", info.key, document::shown(figure.of)),
            "remove it, or write an action, command, volume and class of I/O, or storage group that the "
            "figure is of");
    if (figure.name.empty())
        figure.name = std::string(info.name);
}

ResultFigure readFigure(TableReader& reader, ResultDraft& draft)
{
    document::Problems& problems = reader.problems();
    ResultFigure figure;
    figure.id = compare::readId(reader, draft.figureIds);
    figure.name = textOrNone(reader, "name");
    figure.group = textOrNone(reader, "group");
    figure.key = textOrNone(reader, "key");
    figure.counter = textOrNone(reader, "counter");
    if (reader.has("key"))
        figure.of = textOrNone(reader, "of");
    if (reader.has("counter"))
        figure.computer = textOrNone(reader, "computer");
    figure.unit = textOrNone(reader, "unit");
    figure.counts = textOrNone(reader, "counts");
    figure.statistic = compare::readStatistic(reader);
    figure.better = reader.choice<Better>(
        "better", { { "more", Better::more }, { "less", Better::less }, { "neither", Better::neither } });
    figure.how = compare::readPrintedAs(reader, "printed").value_or(PrintedAs::rounded);
    figure.source = textOrNone(reader, "source");
    reader.finish();
    if (!reader.has("id"))
        reader.missing("id", "write id = \"…\", by which rows and columns name the figure");
    if (reader.has("counter") && !reader.has("computer"))
        reader.missing("computer", "write computer = \"sut\", or another role or name");
    if (reader.has("key") && reader.has("counter"))
        problems.error(reader.path("counter"), "stands beside a key",
            "write one of both: a figure has a key, a counter has a path");
    else if (!figure.key.empty() && !problems.touched(reader.path("unit")))
        checkKeyOf(figure, reader);
    if (reader.has("counter") && figure.counter.empty() && !problems.touched(reader.path("counter")))
        problems.error(reader.path("counter"), "is empty",
            "write its path, such as '\\Memory\\Available MBytes', or remove it");
    if (figure.name.empty())
        figure.name = figure.counter.empty() ? figure.id : figure.counter;
    return figure;
}

std::optional<WallTime> readDate(TableReader& reader, const char* key)
{
    const Node* node = reader.node(key);
    if (node == nullptr)
        return std::nullopt;
    const auto seconds = node->kind == Node::Kind::date ? document::dateOf(node->text) : std::nullopt;
    if (!seconds) {
        reader.problems().error(reader.path(key),
            fmt::format("is {}, must be a date with a time", describe(node->kind)),
            "write it without quotes, as in 2008-11-10 21:30:12");
        return std::nullopt;
    }
    return WallTime(Nanoseconds(static_cast<std::int64_t>(std::llround(*seconds)) * 1'000'000'000));
}

ResultSystem readSystem(TableReader& reader, ResultDraft& draft)
{
    document::Problems& problems = reader.problems();
    ResultSystem system;
    system.id = compare::readId(reader, draft.systemIds);
    if (const auto same = draft.figureIds.find(system.id); same != draft.figureIds.end())
        problems.error(reader.path("id"), fmt::format("\"{}\" is the id of a figure, too", system.id),
            "columns name both: give one of them another id");
    system.name = textOrNone(reader, "name");
    system.lab = textOrNone(reader, "lab");
    system.variant = textOrNone(reader, "variant");
    system.client = textOrNone(reader, "client");
    system.profile = textOrNone(reader, "profile");
    system.note = textOrNone(reader, "note", true);
    system.from = readDate(reader, "from");
    system.to = readDate(reader, "to");
    system.invalid = compare::shownTexts(reader, "invalid");
    system.actions = readPairs(reader, "actions");
    system.conditions = readPairs(reader, "conditions");
    reader.finish();
    if (!reader.has("id"))
        reader.missing("id", "write id = \"…\", by which rows and columns name the system");
    compare::checkLabNames(reader, draft.result.file, system.lab, system.variant);
    if (reader.has("from") != reader.has("to"))
        problems.error(reader.path(reader.has("from") ? "from" : "to"), "stands alone",
            "write both from and to, or neither");
    else if (system.from && system.to && *system.to <= *system.from)
        problems.error(reader.path("to"), "is not behind from", "write the end of the measurement");
    if (system.name.empty())
        system.name = system.id;
    return system;
}

void readHead(TableReader& top, ExternalResult& result)
{
    static_cast<void>(top.number("format"));
    top.choice<int>("kind", { { "result", 0 } });
    result.title = textOrNone(top, "title");
    result.report = textOrNone(top, "report");
    result.publisher = textOrNone(top, "publisher");
    result.date = textOrNone(top, "date");
    result.source = textOrNone(top, "source");
    result.tool = textOrNone(top, "tool");
    result.kind = top.choice<RunKind>(
        "runs", { { "mail", RunKind::mail }, { "raw", RunKind::raw }, { "storage", RunKind::storage } });
    result.client = textOrNone(top, "client");
    result.profile = textOrNone(top, "profile");
    result.note = textOrNone(top, "note", true);
    result.loadUnit = textOrNone(top, "load_unit");
    result.window = top.duration("window");
    result.warmUp = top.duration("warm_up");
    result.actions = readPairs(top, "actions");
    result.conditions = readPairs(top, "conditions");
}

template <class Entry>
void readEntries(TableReader& top, const char* key, ResultDraft& draft, std::vector<Entry>& to,
    Entry (*read)(TableReader&, ResultDraft&))
{
    const Node* entries = top.tables(key);
    const std::size_t most = top.most(key);
    for (std::size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
        const std::string path = fmt::format("{}[{}]", key, i);
        if (i >= most) {
            top.problems().error(
                path, fmt::format("a result has at most {} entries of this kind", most), "divide it");
            break;
        }
        TableReader reader(&entries->items[i], path, top.problems());
        Entry entry = read(reader, draft);
        entry.line = entries->items[i].begin.line;
        if (!entry.id.empty())
            to.push_back(std::move(entry));
    }
}

/// What no entry by itself can be wrong in.
void checkWhole(TableReader& top, const ResultDraft& draft)
{
    const ExternalResult& result = draft.result;
    document::Problems& problems = top.problems();
    for (const auto& [key, words] : { std::pair("figure", "a figure"), std::pair("system", "a system") })
        if (!top.has(key))
            top.missing(key, fmt::format("write a header [[{}]] for {}, and its id below it", key, words));
    if (!top.has("table") && !top.has("value"))
        problems.error("", "the file has no figures of any system", "write [[table]] or [[value]]");
    const bool hasLoads =
        std::ranges::any_of(result.values, [](const ResultValue& value) { return value.load.has_value(); });
    if (hasLoads && result.loadUnit.empty())
        top.missing("load_unit", "write what the loads count, such as load_unit = \"users\"");
    if (!problems.touched("table") && !problems.touched("value"))
        for (std::size_t i = 0; i < result.figures.size(); ++i)
            if (!draft.namedFigures.contains(i))
                problems.warning(draft.figureIds.at(result.figures[i].id),
                    fmt::format("no table or value has the figure \"{}\"", result.figures[i].id),
                    "remove it, or add its numbers");
}

} // namespace

namespace compare {

std::optional<Statistic> readStatistic(TableReader& reader)
{
    std::vector<std::pair<const char*, Statistic>> words;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(Statistic::planned); ++i)
        words.emplace_back(toString(static_cast<Statistic>(i)), static_cast<Statistic>(i));
    return reader.choice<Statistic>("statistic", words);
}

std::optional<PrintedAs> readPrintedAs(TableReader& reader, const char* key)
{
    std::vector<std::pair<const char*, PrintedAs>> words;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(PrintedAs::atMost); ++i)
        words.emplace_back(toString(static_cast<PrintedAs>(i)), static_cast<PrintedAs>(i));
    return reader.choice<PrintedAs>(key, words);
}

} // namespace compare

CheckedResult readResult(const Document& document)
{
    ResultDraft draft;
    draft.result.file = document.file();
    draft.result.revision = compare::digestOf(document.text());
    CheckedResult checked;
    std::optional<Node> root;
    checked.problems = compare::syntaxProblems(document.text(), "result", root);
    if (!root) {
        checked.result = std::move(draft.result);
        return checked;
    }
    document::Problems problems(*root, FileKind::result);
    TableReader top(&*root, "", problems);
    readHead(top, draft.result);
    readEntries(top, "figure", draft, draft.result.figures, readFigure);
    readEntries(top, "system", draft, draft.result.systems, readSystem);
    compare::readCells(top, draft);
    top.finish();
    if (!top.has("title"))
        top.missing("title", "write title = \"…\", what the figures are of");
    checkWhole(top, draft);
    auto found = problems.take();
    checked.problems.insert(checked.problems.end(), found.begin(), found.end());
    checked.result = std::move(draft.result);
    return checked;
}

} // namespace loadstone
