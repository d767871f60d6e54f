// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"
#include "report/counter_export.h"
#include "report/csv_text.h"
#include "report/html_writer.h"
#include "report/text_tables.h"

#include <loadstone/table_formats.h>

#include <nlohmann/json.hpp>

#include <string_view>

namespace loadstone {

namespace report {

std::string csvText(const std::string& value)
{
    const std::string plain = withoutFormula(value);
    const bool formula = plain != value;
    std::string out;
    for (const char c : plain)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return formula || out.find_first_of(",\"\n\r") != std::string::npos ? "\"" + out + "\"" : out;
}

} // namespace report

std::string formatTables(const std::vector<ReportTable>& tables, std::size_t width)
{
    std::string out;
    for (const ReportTable& table : tables)
        report::appendTable(out, table, width);
    return out;
}

std::string formatTablesCsv(const std::vector<ReportTable>& tables)
{
    std::string out;
    const auto cell = [&](const std::string& text, bool first) {
        out += (first ? "" : ",") + report::csvText(plainText(text));
    };
    for (const ReportTable& table : tables) {
        if (table.empty())
            continue;
        cell(table.title, true);
        out += "\n";
        for (const ReportColumn& column : table.columns)
            cell(column.heading, &column == &table.columns.front());
        out += "\n";
        for (const auto& row : table.rows) {
            for (std::size_t i = 0; i < row.size(); ++i)
                cell(row[i].text(), i == 0);
            out += "\n";
        }
        out += "\n";
    }
    return out;
}

std::string formatTablesJson(const std::vector<ReportTable>& tables)
{
    Json json = Json::array();
    for (const ReportTable& table : tables) {
        if (table.empty())
            continue;
        Json columns = Json::array(), rows = Json::array();
        for (const ReportColumn& column : table.columns)
            columns.push_back(column.heading);
        for (const auto& row : table.rows) {
            Json& cells = rows.emplace_back(Json::array());
            for (const Cell& cell : row)
                cells.push_back(cell.text());
        }
        json.push_back({ { "title", table.title }, { "note", table.note.empty() ? Json() : Json(table.note) },
            { "columns", std::move(columns) }, { "rows", std::move(rows) } });
    }
    // Texts of labs are UTF-8, as TOML is; those of recordings from elsewhere are made so when they are read.
    return jsonText(json);
}

std::string formatTablesMarkdown(const std::vector<ReportTable>& tables)
{
    // What would be markup in a cell, a heading or a paragraph; an escape is right before any punctuation (CommonMark 0.31, 2.4).
    const auto escaped = [](const std::string& text) {
        std::string out;
        for (const char c : plainLines(text)) { // a line break within a cell is a blank
            if (std::string_view("\\`*_{}[]<>()#+!|~&$^").find(c) != std::string_view::npos)
                out += '\\';
            out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
        }
        return out;
    };
    // A number needs none of it but for what a table is made of; its minus or plus is no list.
    const auto cellText = [&](const Cell& cell) {
        return cell.number() ? cell.text() : escaped(cell.text());
    };
    std::string out;
    for (const ReportTable& table : tables) {
        if (table.empty())
            continue;
        out += "### " + escaped(table.title) + "\n\n|";
        for (const ReportColumn& column : table.columns)
            out += " " + escaped(column.heading) + " |";
        out += "\n|";
        for (const ReportColumn& column : table.columns)
            out += column.number ? " ---: |" : " --- |";
        for (const auto& row : table.rows) {
            out += "\n|";
            for (const Cell& cell : row)
                out += " " + cellText(cell) + " |";
        }
        out += "\n\n";
        if (!table.note.empty())
            out += escaped(table.note) + "\n\n";
    }
    return out;
}

std::string formatTablesHtml(const std::string& title, const std::string& subtitle,
    const std::vector<ReportTable>& tables, const std::string& picture)
{
    std::string out = report::htmlHead(title, subtitle);
    if (!picture.empty())
        out += "<figure class=\"diagram\">" + picture + "</figure>\n";
    for (const ReportTable& table : tables)
        if (!table.empty())
            report::appendHtml(out, table);
    return out + report::htmlFoot();
}

} // namespace loadstone
