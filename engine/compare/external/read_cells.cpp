// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and single values of results from elsewhere: which system, figure and load each number is of.
#include "base/trimmed.h"
#include "compare/external/names.h"
#include "compare/external/result_draft.h"
#include "document/row_value.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::compare {

namespace {

using document::Node;
using document::TableReader;

constexpr std::size_t kMostCells = 100'000;

/// What a value is of, as far as it is known.
struct Place {
    std::optional<std::size_t> system, figure;
    std::optional<double> load;
    std::string mix, source;
    std::optional<Statistic> statistic;
    std::optional<Nanoseconds> window, warmUp;
};

template <class T>
void replace(std::optional<T>& to, const std::optional<T>& from)
{
    if (from)
        to = from;
}

std::vector<std::string> idsOf(const std::map<std::string, std::string, std::less<>>& known)
{
    std::vector<std::string> ids;
    for (const auto& [id, path] : known)
        ids.push_back(id);
    return ids;
}

class CellReader {
public:
    CellReader(document::Problems& problems, ResultDraft& draft)
        : m_problems(problems)
        , m_draft(draft)
    {
    }

    void readTable(const Node& node, const std::string& path)
    {
        TableReader reader(&node, path, m_problems);
        const auto title = shownText(reader, "title");
        Place place = readPlace(reader, {});
        readTimes(reader, place);
        if (place.source.empty() && title)
            place.source = *title;
        const bool hasColumns = reader.has("columns");
        const std::vector<std::optional<Place>> columns = readColumns(reader, place);
        const Node* rows = reader.tables("rows");
        reader.finish();
        if (!hasColumns)
            reader.missing("columns", "write columns = [\"…\"], the id of a system or figure for each");
        if (!reader.has("rows"))
            reader.missing("rows", "write rows = [{ figure = \"…\", cells = [\"…\"] }]");
        for (std::size_t i = 0; rows != nullptr && i < rows->items.size(); ++i)
            readRow(rows->items[i], fmt::format("{}.rows[{}]", path, i), place, columns);
    }

    void readValue(const Node& node, const std::string& path)
    {
        TableReader reader(&node, path, m_problems);
        Place place = readPlace(reader, {});
        readTimes(reader, place);
        const auto how = readPrintedAs(reader, "as");
        const auto printed = shownText(reader, "printed");
        reader.finish();
        if (!printed && !reader.has("printed"))
            reader.missing("printed", "write printed = \"…\", the number as the report prints it");
        if (printed && trimmed(*printed).empty())
            m_problems.error(reader.path("printed"), "is empty",
                "write the number as the report prints it, or remove the entry");
        else if (printed)
            add(place, *printed, how, reader.path("printed"), path);
    }

    void readPoint(const Node& node, const std::string& path)
    {
        TableReader reader(&node, path, m_problems);
        auto system = readIndex(reader, "system", true);
        const auto mix = shownText(reader, "mix");
        const auto passed = reader.flag("passed");
        const auto source = shownText(reader, "source");
        const std::vector<double> loads = readLoads(reader);
        reader.finish();
        if (!reader.has("loads"))
            reader.missing("loads", "write loads = [1000, 2000]");
        if (!system && !reader.has("system") && m_draft.result.systems.size() == 1)
            system = 0;
        if (!system && !reader.has("system"))
            reader.missing("system", "write system = \"…\", the id of the system that was measured");
        for (std::size_t i = 0; system && i < loads.size(); ++i) {
            const bool isNew = std::ranges::none_of(m_draft.result.points, [&](const ResultPoint& point) {
                return point.system == *system && point.load == loads[i] && point.mix == mix.value_or("");
            });
            if (isNew)
                m_draft.result.points.push_back(
                    { *system, loads[i], mix.value_or(""), passed, source.value_or("") });
            else
                m_problems.error(fmt::format("{}[{}]", reader.path("loads"), i),
                    fmt::format(
                        "the load {} of {} stands there twice", loads[i], m_draft.result.systems[*system].id),
                    "remove one of them");
        }
    }

private:
    std::vector<double> readLoads(TableReader& reader)
    {
        std::vector<double> loads;
        const Node* list = reader.node("loads");
        if (list == nullptr)
            return loads;
        if (list->kind != Node::Kind::array || list->items.empty()
            || list->items.size() > reader.most("loads")) {
            m_problems.error(reader.path("loads"),
                fmt::format(
                    "is {}, must be a list of 1 to {} numbers", describe(list->kind), reader.most("loads")),
                "write loads = [1000, 2000]");
            return loads;
        }
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const Node& item = list->items[i];
            const bool isNumber = item.kind == Node::Kind::integer || item.kind == Node::Kind::real;
            const double load =
                item.kind == Node::Kind::integer ? static_cast<double>(item.integer) : item.real;
            if (isNumber && load >= 0 && load <= 1e15)
                loads.push_back(load);
            else
                m_problems.error(fmt::format("{}[{}]", reader.path("loads"), i), "is not a load",
                    "write a number that is not negative, without quotes");
        }
        return loads;
    }

    std::optional<std::size_t> indexOf(const std::string& id, bool ofSystem) const
    {
        const ExternalResult& result = m_draft.result;
        return ofSystem ? result.findSystem(id) : result.findFigure(id);
    }

    std::optional<std::size_t> readIndex(TableReader& reader, const char* key, bool ofSystem)
    {
        const auto id = reader.text(key);
        if (!id)
            return std::nullopt;
        const auto index = indexOf(*id, ofSystem);
        if (!index)
            m_problems.error(reader.path(key),
                fmt::format("there is no {} \"{}\"", ofSystem ? "system" : "figure", document::shown(*id)),
                oneOf(*id, idsOf(ofSystem ? m_draft.systemIds : m_draft.figureIds)));
        return index;
    }

    Place readPlace(TableReader& reader, Place place)
    {
        replace(place.figure, readIndex(reader, "figure", false));
        replace(place.system, readIndex(reader, "system", true));
        replace(place.load, reader.real("load"));
        if (const auto mix = shownText(reader, "mix"))
            place.mix = *mix;
        if (const auto source = shownText(reader, "source"))
            place.source = *source;
        return place;
    }

    static void readTimes(TableReader& reader, Place& place)
    {
        replace(place.statistic, readStatistic(reader));
        replace(place.window, reader.duration("window"));
        replace(place.warmUp, reader.duration("warm_up"));
    }

    /// "ex1", "processor" or "ex1: processor"; nothing for a column that was reported.
    std::optional<Place> readColumn(const std::string& text, const std::string& field, Place place)
    {
        const auto colon = text.find(':');
        std::vector<std::string> ids { std::string(trimmed(text.substr(0, colon))) };
        if (colon != std::string::npos)
            ids.emplace_back(trimmed(std::string_view(text).substr(colon + 1)));
        for (const std::string& id : ids) {
            const auto system = indexOf(id, true), figure = indexOf(id, false);
            if (!system && !figure) {
                std::vector<std::string> all = idsOf(m_draft.systemIds), figures = idsOf(m_draft.figureIds);
                all.insert(all.end(), figures.begin(), figures.end());
                m_problems.error(field,
                    fmt::format("there is no system or figure \"{}\"", document::shown(id)), oneOf(id, all));
                return std::nullopt;
            }
            if ((system && place.system) || (figure && place.figure)) {
                m_problems.error(field, fmt::format("the {} is stated twice", system ? "system" : "figure"),
                    "state it for the whole table, or for each column");
                return std::nullopt;
            }
            replace(place.system, system);
            replace(place.figure, figure);
        }
        return place;
    }

    std::vector<std::optional<Place>> readColumns(TableReader& reader, const Place& table)
    {
        std::vector<std::optional<Place>> columns;
        const auto texts = reader.texts("columns");
        if (texts && (texts->empty() || texts->size() > reader.most("columns")))
            m_problems.error(reader.path("columns"), fmt::format("has {} entries", texts->size()),
                fmt::format("write from 1 to {} columns", reader.most("columns")));
        else if (texts)
            for (std::size_t i = 0; i < texts->size(); ++i)
                columns.push_back(
                    readColumn((*texts)[i], fmt::format("{}[{}]", reader.path("columns"), i), table));
        return columns;
    }

    void readRow(const Node& node, const std::string& path, const Place& table,
        const std::vector<std::optional<Place>>& columns)
    {
        TableReader reader(&node, path, m_problems);
        const Place row = readPlace(reader, {});
        const auto cells = reader.texts("cells");
        reader.finish();
        if (!reader.has("cells"))
            reader.missing("cells", "write cells = [\"…\"], a number for each column");
        if (!cells || m_problems.touched(path))
            return;
        if (cells->size() != columns.size()) {
            if (!columns.empty())
                m_problems.error(reader.path("cells"),
                    fmt::format("has {} numbers for {} columns", cells->size(), columns.size()),
                    "write one for each column, and \"\" where the report prints none");
            return;
        }
        for (std::size_t i = 0; i < cells->size(); ++i) {
            if (!columns[i])
                continue;
            Place place = *columns[i];
            // The column has taken over what the table states.
            const bool twice = (row.system && (place.system || table.system))
                || (row.figure && (place.figure || table.figure)) || (row.load && table.load);
            if (twice) {
                m_problems.error(path, "states what its column or table states already",
                    "state system, figure and load once each: for the table, the row or the column");
                return;
            }
            replace(place.system, row.system);
            replace(place.figure, row.figure);
            replace(place.load, row.load);
            place.mix = row.mix.empty() ? place.mix : row.mix;
            place.source = row.source.empty() ? place.source : row.source;
            const std::string field = fmt::format("{}[{}]", reader.path("cells"), i);
            if (!add(place, (*cells)[i], {}, field, path))
                return;
        }
    }

    /// False where the others of the row would be as wrong.
    bool add(Place place, const std::string& text, std::optional<PrintedAs> how, const std::string& field,
        const std::string& entry)
    {
        ExternalResult& result = m_draft.result;
        if (!place.system && result.systems.size() == 1)
            place.system = 0;
        if (!place.figure && result.figures.size() == 1)
            place.figure = 0;
        if (!place.system || !place.figure) {
            if (!m_problems.touched(entry))
                m_problems.error(entry,
                    fmt::format("does not say which {} it is of", place.system ? "figure" : "system"),
                    place.system ? "write figure = \"…\" for the table or row, or its id as a column"
                                 : "write system = \"…\" for the table or row, or its id as a column");
            return false;
        }
        if (++m_draft.cells > kMostCells) {
            if (m_draft.cells == kMostCells + 1)
                m_problems.error(
                    entry, fmt::format("a result has at most {} numbers", kMostCells), "divide it");
            return false;
        }
        const ResultFigure& figure = result.figures[*place.figure];
        m_draft.namedFigures.insert(*place.figure);
        ResultValue value { *place.system, *place.figure, place.load, place.mix, {}, place.statistic,
            place.window, place.warmUp, place.source.empty() ? figure.source : place.source, field };
        const auto [same, isNew] =
            m_draft.places.emplace(std::tuple(value.system, value.figure, value.load, value.mix), field);
        if (!isNew) {
            m_problems.error(field,
                fmt::format("is a second number for {} of {}; the first one is {}", figure.id,
                    result.systems[value.system].id, same->second),
                "remove one of them, or give one a mix or load of its own");
            return true;
        }
        if (const auto fault = document::faultOfText(text, false)) {
            m_problems.error(field, fault->message, fault->remedy);
            return true;
        }
        const std::string_view printed = trimmed(text);
        if (!printed.empty() && printed != "-") {
            auto number = parsePrinted(printed, figure.unit, how.value_or(figure.how));
            if (!number) {
                const std::string& message = number.error().message;
                const auto at = message.rfind("; ");
                m_problems.error(field, message.substr(0, at), message.substr(at + 2));
                return true;
            }
            value.printed = *std::move(number);
        }
        result.values.push_back(std::move(value));
        return true;
    }

    document::Problems& m_problems;
    ResultDraft& m_draft;
};

} // namespace

void readCells(TableReader& top, ResultDraft& draft)
{
    CellReader reader(top.problems(), draft);
    for (const char* key : { "point", "table", "value" }) {
        const Node* entries = top.tables(key);
        const std::size_t most = top.most(key);
        for (std::size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
            const std::string path = fmt::format("{}[{}]", key, i);
            if (i >= most) {
                top.problems().error(
                    path, fmt::format("a result has at most {} entries of this kind", most), "divide it");
                break;
            }
            if (std::string_view(key) == "point")
                reader.readPoint(entries->items[i], path);
            else if (std::string_view(key) == "table")
                reader.readTable(entries->items[i], path);
            else
                reader.readValue(entries->items[i], path);
        }
    }
}

} // namespace loadstone::compare
