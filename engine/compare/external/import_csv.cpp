// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Results from elsewhere out of a spreadsheet: a line for each figure, or a table as a report prints it.
#include "compare/external/csv_table.h"
#include "compare/external/names.h"

#include <loadstone/external_result.h>
#include <loadstone/figure.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace loadstone {

namespace {

using compare::CsvRow;

struct Column {
    std::string_view heading;
    bool required = false;
};
/// Of the long form.
constexpr std::array kColumns {
    Column { "system", false },
    Column { "figure", true },
    Column { "printed", true },
    Column { "unit", false },
    Column { "load", false },
    Column { "mix", false },
    Column { "statistic", false },
    Column { "as", false },
    Column { "source", false },
};

std::string lowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// Without the apostrophe by which formatResultCsv() keeps a spreadsheet from taking a text for a formula.
std::string harmless(const std::string& cell)
{
    const bool isKept = cell.size() > 1 && cell.front() == '\''
        && std::string_view("=+-@").find(cell[1]) != std::string_view::npos;
    return isKept ? cell.substr(1) : cell;
}

/// Names of people as ids: "% Processor Time" becomes "processor-time". Each name has one, and no two share one.
class FreeIds {
public:
    /// `others`: of which it may not be one, either.
    std::string idOf(const std::string& name, const FreeIds* others = nullptr)
    {
        if (const auto known = m_ids.find(name); known != m_ids.end())
            return known->second;
        std::string id;
        for (const char c : lowerCase(name)) {
            const bool isPart = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (isPart)
                id += c;
            else if (!id.empty() && id.back() != '-')
                id += '-';
        }
        constexpr std::size_t kLongest = 56; // a number may follow
        id.resize(std::min(id.size(), kLongest));
        while (id.ends_with('-'))
            id.pop_back();
        if (id.empty())
            id = "x";
        const std::string base = id;
        const auto taken = [&](const std::string& text) {
            return std::ranges::find(m_taken, text) != m_taken.end()
                || (others != nullptr && std::ranges::find(others->m_taken, text) != others->m_taken.end());
        };
        for (int number = 2; taken(id); ++number)
            id = fmt::format("{}-{}", base, number);
        m_taken.push_back(id);
        m_names.push_back(name);
        m_ids.emplace(name, id);
        return id;
    }
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    [[nodiscard]] const std::string& known(const std::string& name) const { return m_ids.at(name); }

private:
    std::map<std::string, std::string> m_ids;
    std::vector<std::string> m_taken, m_names;
};

/// A figure of the table: where the heading has a unit in brackets, "Client Latency (ms)", that is its unit.
struct FigureHeading {
    std::string name, unit;
};

FigureHeading figureHeading(const std::string& text)
{
    const auto open = text.rfind('(');
    if (open == std::string::npos || open < 2 || !text.ends_with(')'))
        return { text, {} };
    const std::string unit = text.substr(open + 1, text.size() - open - 2);
    // What is no unit of measurement is a part of the name: "Pages (all)".
    const bool isUnit = inUnit(1, unit, "s") || inUnit(1, unit, "bytes") || inUnit(1, unit, "bytes/s")
        || unit == "%" || inUnit(1, unit, "/s");
    if (!isUnit)
        return { text, {} };
    std::string name = text.substr(0, open);
    while (name.ends_with(' '))
        name.pop_back();
    return { name, unit };
}

std::string keyLine(const char* key, const std::string& value)
{
    return value.empty() ? std::string() : fmt::format("{} = {}\n", key, tomlText(value));
}

/// The number of a cell as TOML has numbers; an Error where it is none.
Result<std::string> loadOf(const std::string& cell, const std::string& place)
{
    const auto number = parsePrinted(cell, "");
    if (!number || number->how != PrintedAs::rounded || number->value < 0)
        return fail(fmt::format(
            "{}: the load \"{}\" is not a number; write it like 66,640", place, document::shown(cell)));
    return fmt::format("{}", number->value);
}

class Importer {
public:
    Importer(const std::vector<CsvRow>& rows, std::string name, const ResultImport& also)
        : m_rows(rows)
        , m_name(std::move(name))
        , m_also(also)
    {
    }

    Result<std::string> make()
    {
        if (m_rows.size() < 2)
            return fail(m_name + ": has no table; write headings in the first line and a row below it");
        std::vector<std::string> headings;
        for (const std::string& cell : m_rows.front().cells)
            headings.push_back(lowerCase(cell));
        const auto has = [&](std::string_view heading) {
            return std::ranges::find(headings, heading) != headings.end();
        };
        const auto read = has("printed") || has("value") ? readLong(headings) : readWide(headings);
        if (!read)
            return read.error();
        return text();
    }

private:
    [[nodiscard]] std::string place(const CsvRow& row) const
    {
        return fmt::format("{}:{}", m_name, row.line);
    }

    void noteUnit(const std::string& figure, const std::string& unit)
    {
        if (std::string& known = m_units[figure]; known.empty())
            known = unit;
    }

    Result<void> readLong(std::vector<std::string> headings)
    {
        std::map<std::string, std::size_t> at;
        for (std::size_t i = 0; i < headings.size(); ++i) {
            if (headings[i] == "value")
                headings[i] = "printed";
            const auto known = std::ranges::find(kColumns, headings[i], &Column::heading);
            if (known == kColumns.end())
                return fail(fmt::format(
                    "{}: the heading \"{}\" is unknown; use system, figure, printed, unit, load, mix, "
                    "statistic, as and source",
                    place(m_rows.front()), document::shown(headings[i])));
            if (!at.emplace(headings[i], i).second)
                return fail(fmt::format("{}: the heading \"{}\" stands there twice; remove one of them",
                    place(m_rows.front()), headings[i]));
        }
        for (const Column& column : kColumns)
            if (column.required && !at.contains(std::string(column.heading)))
                return fail(fmt::format("{}: the heading \"{}\" is missing; add the column",
                    place(m_rows.front()), column.heading));
        for (std::size_t i = 1; i < m_rows.size(); ++i) {
            const CsvRow& row = m_rows[i];
            if (row.cells.size() > headings.size())
                return fail(fmt::format("{}: has {} cells for {} headings; quote cells that hold a separator",
                    place(row), row.cells.size(), headings.size()));
            const auto cell = [&](const char* heading) {
                const auto column = at.find(heading);
                return column == at.end() || column->second >= row.cells.size()
                    ? std::string()
                    : harmless(row.cells[column->second]);
            };
            const std::string system = cell("system").empty() ? m_also.system : cell("system"),
                              figure = cell("figure");
            if (system.empty() || figure.empty())
                return fail(fmt::format(
                    "{}: the {} is empty; write its name", place(row), figure.empty() ? "figure" : "system"));
            if (cell("printed").empty() || cell("printed") == "-")
                continue;
            std::string entry = "\n[[value]]\n";
            entry += fmt::format("figure = \"{}\"\n", m_figures.idOf(figure));
            entry += fmt::format("system = \"{}\"\n", m_systems.idOf(system, &m_figures));
            if (!cell("load").empty()) {
                const auto load = loadOf(cell("load"), place(row));
                if (!load)
                    return load.error();
                entry += "load = " + *load + "\n";
            }
            entry += keyLine("mix", cell("mix")) + keyLine("printed", cell("printed"));
            entry += keyLine("as", cell("as")) + keyLine("statistic", cell("statistic"))
                + keyLine("source", cell("source"));
            noteUnit(figure, cell("unit"));
            m_body += entry;
        }
        return {};
    }

    Result<void> readWide(const std::vector<std::string>& headings)
    {
        const std::string kind = headings.front();
        if (kind != "figure" && kind != "load" && kind != "system" && kind != "users")
            return fail(fmt::format(
                "{}: the first heading is \"{}\"; write figure, load or system where the others are systems "
                "or figures, or else one of them \"printed\" for a line for each figure",
                place(m_rows.front()), document::shown(kind)));
        std::optional<std::size_t> unitColumn;
        std::string columns;
        for (std::size_t i = 1; i < headings.size(); ++i) {
            const std::string name = harmless(m_rows.front().cells[i]);
            if (name.empty())
                return fail(fmt::format(
                    "{}: column {} has no heading; write what it is of", place(m_rows.front()), i + 1));
            if (kind == "figure" && headings[i] == "unit") {
                unitColumn = i;
                continue;
            }
            m_columns.push_back(i);
            columns += fmt::format("{}\"{}\"", columns.empty() ? "" : ", ", columnId(kind, name));
        }
        if (m_columns.empty())
            return fail(fmt::format("{}: has one column; add one for each {}", place(m_rows.front()),
                kind == "figure" ? "system" : "figure"));
        m_body = "\n[[table]]\n" + keyLine("title", m_also.title);
        const bool needsSystem = kind == "load" || kind == "users";
        if (needsSystem && m_systems.names().empty())
            m_body += fmt::format("system = \"{}\"\n",
                m_systems.idOf(m_also.system.empty() ? "the system" : m_also.system, &m_figures));
        m_body += "columns = [" + columns + "]\nrows = [\n";
        for (std::size_t i = 1; i < m_rows.size(); ++i) {
            const auto line = wideRow(m_rows[i], kind, headings.size(), unitColumn);
            if (!line)
                return line.error();
            m_body += *line;
        }
        m_body += "]\n";
        return {};
    }

    /// "ex1: latency (ms)" is of both, other headings of a system or a figure.
    std::string columnId(const std::string& kind, const std::string& heading)
    {
        if (kind == "figure")
            return m_systems.idOf(heading, &m_figures);
        const auto colon = kind == "system" ? std::string::npos : heading.find(": ");
        const FigureHeading figure =
            figureHeading(colon == std::string::npos ? heading : heading.substr(colon + 2));
        std::string id;
        if (colon != std::string::npos)
            id = m_systems.idOf(heading.substr(0, colon), &m_figures) + ": ";
        id += m_figures.idOf(figure.name, &m_systems);
        noteUnit(figure.name, figure.unit);
        return id;
    }

    Result<std::string> wideRow(
        const CsvRow& row, const std::string& kind, std::size_t width, std::optional<std::size_t> unitColumn)
    {
        if (row.cells.size() > width)
            return fail(fmt::format("{}: has {} cells for {} headings; quote cells that hold a separator",
                place(row), row.cells.size(), width));
        const std::string name = harmless(row.cells.front());
        if (name.empty())
            return fail(fmt::format("{}: the first cell is empty; write the {}", place(row), kind));
        std::string line = "    { ";
        if (kind == "figure") {
            const FigureHeading figure = figureHeading(name);
            line += fmt::format("figure = \"{}\"", m_figures.idOf(figure.name, &m_systems));
            noteUnit(figure.name,
                unitColumn && *unitColumn < row.cells.size() ? row.cells[*unitColumn] : figure.unit);
            noteUnit(figure.name, figure.unit);
        } else if (kind == "system") {
            line += fmt::format("system = \"{}\"", m_systems.idOf(name, &m_figures));
        } else {
            const auto load = loadOf(name, place(row));
            if (!load)
                return load.error();
            line += "load = " + *load;
        }
        line += ", cells = [";
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            line += (i == 0 ? "" : ", ")
                + tomlText(m_columns[i] < row.cells.size() ? harmless(row.cells[m_columns[i]]) : "");
        return line + "] },\n";
    }

    Result<std::string> text()
    {
        if (m_systems.names().empty() || m_figures.names().empty())
            return fail(m_name + ": has no numbers; write one in a cell");
        std::string text = "kind = \"result\"\n";
        text +=
            keyLine("title", m_also.title.empty() ? m_name : m_also.title) + keyLine("report", m_also.report);
        text += keyLine("publisher", m_also.publisher) + keyLine("date", m_also.date)
            + keyLine("source", m_also.source);
        if (m_body.find("load = ") != std::string::npos)
            text += keyLine("load_unit", m_also.loadUnit.empty() ? "users" : m_also.loadUnit);
        for (const std::string& name : m_figures.names())
            text +=
                fmt::format("\n[[figure]]\nid = \"{}\"\nname = {}\n", m_figures.known(name), tomlText(name))
                + keyLine("unit", m_units[name]);
        for (const std::string& name : m_systems.names())
            text +=
                fmt::format("\n[[system]]\nid = \"{}\"\nname = {}\n", m_systems.known(name), tomlText(name));
        text += m_body;
        // What is made reads as a result, or the cell that does not is reported.
        const CheckedResult checked = readResult(Document(text, m_name));
        for (const Problem& problem : checked.problems)
            if (problem.severity == ProblemSeverity::error)
                return fail(fmt::format(
                    "{}: {}{}; {}", m_name, cellOf(text, problem), problem.message, problem.remedy));
        return text;
    }

    /// The line of the made text says which number is meant.
    static std::string cellOf(const std::string& text, const Problem& problem)
    {
        std::size_t begin = 0;
        for (int line = 1; line < problem.line && begin < text.size(); ++line)
            begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const std::string line = text.substr(begin, text.find('\n', begin) - begin);
        return problem.line == 0 ? std::string() : fmt::format("in {}: ", document::shown(line));
    }

    const std::vector<CsvRow>& m_rows;
    std::string m_name;
    const ResultImport& m_also;
    FreeIds m_systems, m_figures;
    std::map<std::string, std::string> m_units; ///< by the figure's name
    std::vector<std::size_t> m_columns; ///< those with numbers
    std::string m_body;
};

} // namespace

Result<std::string> importResultCsv(std::string_view csv, const std::string& name, const ResultImport& also)
{
    const std::string shown = document::shown(name);
    const auto rows = compare::readCsv(csv, shown);
    if (!rows)
        return rows.error();
    return Importer(*rows, shown, also).make();
}

} // namespace loadstone
