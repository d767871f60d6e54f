// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "report/lab/table_description.h"

#include <loadstone/lab_tables.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <variant>

namespace loadstone {

namespace {

using namespace report;

/// Values looked up for all tables together: no description keeps a program busy for long.
constexpr std::size_t kMostWork = 1'000'000;
constexpr std::size_t kMostCells =
    50'000; ///< of all tables together: one row may stand for each of 10,000 items

/// The lab and its variants, each read once.
class Labs {
public:
    Labs(const std::string& text, const std::string& name)
        : m_text(&text)
        , m_name(&name)
    {
    }

    const LabIndex& variant(const std::string& id)
    {
        const auto [it, isNew] = m_labs.try_emplace(id);
        if (isNew)
            it->second = std::make_unique<Read>(readLab(*m_text, *m_name, id).lab);
        return it->second->index;
    }
    [[nodiscard]] bool has(const std::string& id)
    {
        return id.empty() || std::ranges::count(variant({}).lab().variants, id, &LabVariant::id) > 0;
    }

private:
    struct Read {
        explicit Read(Lab read)
            : lab(std::move(read))
            , index(lab)
        {
        }
        Lab lab;
        LabIndex index;
    };
    const std::string* m_text;
    const std::string* m_name;
    std::map<std::string, std::unique_ptr<Read>> m_labs;
};

class Printer {
public:
    Printer(Labs& labs, std::string variant)
        : m_labs(&labs)
        , m_variant(std::move(variant))
    {
    }

    std::vector<Problem> problems;

    ReportTable print(const DescribedTable& table)
    {
        ReportTable out;
        out.title = table.title;
        out.note = table.note;
        if (table.hasLabels)
            out.columns.push_back({ table.labelHeading, false });
        for (const DescribedColumn& column : table.columns) {
            out.columns.push_back({ column.heading, true });
            m_scopes.push_back(scopeOf(table, column));
        }
        for (const DescribedRow& row : table.rows)
            addRows(out, table, row);
        const std::size_t labels = table.hasLabels ? 1 : 0;
        for (std::size_t i = labels; i < out.columns.size(); ++i)
            out.columns[i].number = std::ranges::all_of(
                out.rows, [&](const std::vector<Cell>& row) { return row[i].number().has_value(); });
        m_scopes.clear();
        return out;
    }

private:
    void warn(document::Position at, const std::string& field, std::string message, std::string remedy)
    {
        if (m_told.insert(field + message).second)
            problems.push_back({ ProblemSeverity::warning, at.line, at.column, field, std::move(message),
                std::move(remedy) });
    }

    LabScope scopeOf(const DescribedTable& table, const DescribedColumn& column)
    {
        std::string id = column.variant ? *column.variant : table.variant ? *table.variant : m_variant;
        if (!m_labs->has(id)) {
            warn(table.at, "table", fmt::format("the lab has no variant \"{}\"", document::shown(id)),
                "write the id of a [[variant]]");
            id.clear();
        }
        LabScope scope { &m_labs->variant(id) };
        if (const std::string& item = column.item.empty() ? table.item : column.item; !item.empty()) {
            scope.item = scope.lab->find(item);
            if (scope.item == nullptr)
                warn(table.at, "table", fmt::format("the lab has no item \"{}\"", document::shown(item)),
                    "write the id of an [[item]]");
        }
        return scope;
    }

    /// Whether `steps` more may be done.
    bool mayWork(std::size_t steps, const DescribedRow& row)
    {
        if ((m_work += steps) <= kMostWork)
            return true;
        warn(
            row.at, "table", "the tables ask for too many values", "list fewer items, or write fewer tables");
        return false;
    }

    Cell cellOf(const CellPattern& pattern, const LabScope& scope, const DescribedRow& row)
    {
        if (!mayWork(1 + pattern.parts.size(), row))
            return "";
        PrintedCell printed = printPattern(pattern, scope);
        for (const std::string& name : printed.unknown)
            warn(row.at, row.field, fmt::format("the lab has no \"{}\"", document::shown(name)),
                "write an item's id, a dot and a key of its kind");
        return printed.cell;
    }

    /// The cell of a row that lists items.
    Cell listCell(const CellPattern& pattern, const LabScope& scope, const DescribedRow& row)
    {
        std::string text;
        for (const std::string& list : row.each) {
            if (!mayWork(1 + scope.lab->lab().items.size() / 16, row))
                break;
            const auto scopes = scopesOf(*scope.lab, list);
            if (!scopes) // A variant may lack an item that others have.
                continue;
            for (const LabScope& one : *scopes) {
                if (text.size() > kLongestCell)
                    break;
                text += (text.empty() ? std::string() : row.join) + cellOf(pattern, one, row).text();
            }
        }
        return text.empty() ? Cell(row.none) : Cell(std::move(text));
    }

    void addRow(ReportTable& out, const DescribedTable& table, const DescribedRow& row, const LabScope* of)
    {
        if ((m_cells += out.columns.size()) > kMostCells) {
            warn(row.at, row.field, fmt::format("the tables have more than {} cells", kMostCells),
                "list fewer items");
            return;
        }
        std::vector<Cell>& cells = out.rows.emplace_back();
        if (table.hasLabels)
            cells.push_back(
                row.label ? cellOf(*row.label, of != nullptr ? *of : m_scopes.front(), row) : Cell(""));
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (row.cells.empty() || (row.cells.size() > 1 && i >= row.cells.size())) {
                cells.emplace_back("");
                continue;
            }
            const CellPattern& pattern = row.cells.size() == 1 ? row.cells.front() : row.cells[i];
            const LabScope& scope = of != nullptr ? *of : m_scopes[i];
            cells.push_back(row.each.empty() ? cellOf(pattern, scope, row) : listCell(pattern, scope, row));
        }
    }

    void addRows(ReportTable& out, const DescribedTable& table, const DescribedRow& row)
    {
        for (const std::string& list : row.each)
            if (std::ranges::none_of(
                    m_scopes, [&](const LabScope& scope) { return scopesOf(*scope.lab, list).has_value(); }))
                warn(row.at, row.field + ".each",
                    fmt::format("the lab has no list \"{}\"", document::shown(list)),
                    "write an item's id, ID.below, ID.changed, kind KIND, role ROLE or variants");
        if (row.rowsOf.empty())
            return addRow(out, table, row, nullptr);
        const auto scopes = scopesOf(*m_scopes.front().lab, row.rowsOf);
        if (!scopes)
            return warn(row.at, row.field + ".rows_of",
                fmt::format("the lab has no list \"{}\"", document::shown(row.rowsOf)),
                "write an item's id, ID.below, ID.changed, kind KIND, role ROLE or variants");
        for (const LabScope& scope : *scopes)
            addRow(out, table, row, &scope);
    }

    Labs* m_labs;
    std::string m_variant;
    std::vector<LabScope> m_scopes; ///< of the columns
    std::set<std::string> m_told;
    std::size_t m_cells = 0, m_work = 0;
};

} // namespace

LabTables labTables(const std::string& text, const std::string& name, const std::string& variant)
{
    LabTables out;
    const auto parsed = document::parseDocument(text);
    const auto* root = std::get_if<document::Node>(&parsed);
    if (root == nullptr)
        return out;
    const std::vector<DescribedTable> described = describedTables(*root, out.problems);
    Labs labs(text, name);
    if (described.empty()) {
        out.tables = defaultLabTables(labs.variant(variant).lab());
        return out;
    }
    Printer printer(labs, variant);
    for (const DescribedTable& table : described)
        out.tables.push_back(printer.print(table));
    out.problems.insert(out.problems.end(), printer.problems.begin(), printer.problems.end());
    std::ranges::stable_sort(out.problems, {}, &Problem::line);
    return out;
}

} // namespace loadstone
