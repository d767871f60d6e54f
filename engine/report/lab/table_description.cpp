// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/table_description.h"

#include "base/joined.h"
#include "document/row_value.h"
#include "document/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace loadstone::report {

namespace {

using document::Node;

constexpr std::size_t kMostTables = 200, kMostRows = 500, kMostColumns = 64;

/// Reads one table of the file; what is wrong is a warning, because a lab can be used without its tables.
class Entry {
public:
    Entry(const Node& node, std::string path, std::vector<Problem>& problems)
        : m_node(&node)
        , m_path(std::move(path))
        , m_problems(&problems)
    {
    }

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const Node* find(const char* key) const { return m_node->find(key); }

    void warn(const Node& at, const std::string& key, std::string message, std::string remedy) const
    {
        m_problems->push_back({ ProblemSeverity::warning, at.begin.line, at.begin.column,
            key.empty() ? m_path : m_path + "." + key, std::move(message), std::move(remedy) });
    }

    [[nodiscard]] std::optional<std::string> text(const char* key) const
    {
        const Node* node = find(key);
        if (node == nullptr)
            return std::nullopt;
        if (node->kind != Node::Kind::text || node->text.size() > kLongestPattern) {
            warn(*node, key, fmt::format("is {}", document::describe(node->kind)),
                fmt::format("write a text of at most {} characters", kLongestPattern));
            return std::nullopt;
        }
        if (!isShowable(*node, key))
            return std::nullopt;
        return node->text;
    }

    /// Without characters that would change how others are shown.
    [[nodiscard]] bool isShowable(const Node& text, const std::string& key) const
    {
        const auto fault = document::faultOfText(text.text, false);
        if (fault)
            warn(text, key, fault->message, fault->remedy);
        return !fault;
    }

    /// A text, or a list of them.
    [[nodiscard]] std::vector<std::string> texts(const char* key) const
    {
        const Node* node = find(key);
        if (node == nullptr)
            return {};
        if (node->kind == Node::Kind::text)
            return isShowable(*node, key) ? std::vector { node->text } : std::vector<std::string>();
        std::vector<std::string> all;
        if (node->kind == Node::Kind::array)
            for (const Node& item : node->items)
                if (item.kind == Node::Kind::text && all.size() < kMostRows && isShowable(item, key))
                    all.push_back(item.text);
        if (node->kind != Node::Kind::array || all.size() != node->items.size())
            warn(*node, key, "is not a list of texts", "write [\"first\", \"second\"]");
        return all;
    }

    [[nodiscard]] std::optional<CellPattern> pattern(
        const std::string& text, const Node& at, const char* key) const
    {
        auto parsed = parsePattern(text);
        if (parsed)
            return std::move(*parsed);
        const std::string& message = parsed.error().message;
        const std::size_t semicolon = message.find("; ");
        warn(at, key, message.substr(0, semicolon),
            semicolon == std::string::npos ? std::string() : message.substr(semicolon + 2));
        return std::nullopt;
    }

    void checkKeys(std::initializer_list<const char*> known) const
    {
        const std::vector<std::string> names(known.begin(), known.end());
        for (const document::Member& member : m_node->members) {
            if (std::ranges::find(names, member.key) != names.end())
                continue;
            const std::string like = document::nearest(member.key, names);
            m_problems->push_back({ ProblemSeverity::warning, member.at.line, member.at.column,
                m_path + "." + document::shown(member.key), "is not a key of tables",
                like.empty() ? fmt::format("write one of {}", joined(names, ", "))
                             : fmt::format("write {}", like) });
        }
    }

private:
    const Node* m_node;
    std::string m_path;
    std::vector<Problem>* m_problems;
};

/// Headings, and the variants and items of the columns after the labels.
void readColumns(DescribedTable& table, const Entry& entry)
{
    std::vector<std::string> headings = entry.texts("columns");
    const std::vector<std::string> variants = entry.texts("variants"), items = entry.texts("items");
    if (table.hasLabels && !headings.empty()) {
        table.labelHeading = headings.front();
        headings.erase(headings.begin());
    }
    const std::size_t count = std::max({ headings.size(), variants.size(), items.size(), std::size_t { 1 } });
    const auto checkCount = [&](const char* key, const std::vector<std::string>& texts) {
        if (!texts.empty() && texts.size() != count)
            entry.warn(*entry.find(key), key, fmt::format("has {} texts for {} columns", texts.size(), count),
                "write one for each column after the labels");
    };
    checkCount("columns", headings);
    checkCount("variants", variants);
    checkCount("items", items);
    table.columns.resize(std::min(count, kMostColumns));
    if (count > kMostColumns)
        entry.warn(*entry.find(headings.size() == count ? "columns"
                           : variants.size() == count   ? "variants"
                                                        : "items"),
            "columns", fmt::format("are {}", count), fmt::format("write at most {}", kMostColumns));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (i < headings.size())
            table.columns[i].heading = headings[i];
        if (i < variants.size())
            table.columns[i].variant = variants[i];
        if (i < items.size())
            table.columns[i].item = items[i];
    }
}

void readCells(DescribedRow& row, const Entry& entry, const Node& node)
{
    const auto add = [&](const std::string& text, const char* key) {
        if (auto pattern = entry.pattern(text, node, key))
            row.cells.push_back(std::move(*pattern));
    };
    int ways = 0;
    if (const auto show = entry.text("show")) {
        add(*show, "show");
        ++ways;
    }
    if (const auto section = entry.text("see")) {
        CellPart part;
        part.text = fmt::format("Refer to {} section", *section);
        CellPattern pattern;
        pattern.parts.push_back(std::move(part));
        row.cells.push_back(std::move(pattern));
        ++ways;
    }
    if (entry.find("cells") != nullptr) {
        for (const std::string& text : entry.texts("cells"))
            add(text, "cells");
        ++ways;
    }
    if (ways != 1)
        entry.warn(node, {}, ways == 0 ? "has no cells" : "has cells of several kinds",
            "write one of show, cells and see");
}

DescribedRow readRow(const Node& node, std::string path, std::vector<Problem>& problems)
{
    DescribedRow row;
    row.at = node.begin;
    row.field = path;
    const Entry entry(node, std::move(path), problems);
    if (const auto label = entry.text("label"))
        row.label = entry.pattern(*label, node, "label");
    readCells(row, entry, node);
    row.each = entry.texts("each");
    row.rowsOf = entry.text("rows_of").value_or("");
    row.join = entry.text("join").value_or(row.join);
    row.none = entry.text("none").value_or("");
    entry.checkKeys({ "label", "show", "cells", "see", "each", "rows_of", "join", "none" });
    return row;
}

void readRows(DescribedTable& table, const Entry& entry, std::vector<Problem>& problems, const Node& node)
{
    const Node* rows = entry.find("rows");
    if (rows == nullptr || rows->kind != Node::Kind::array) {
        entry.warn(rows == nullptr ? node : *rows, "rows", "is not a list of rows",
            "write [{ label = \"Model\", show = \"{srv.model}\" }]");
        return;
    }
    for (std::size_t i = 0; i < rows->items.size(); ++i) {
        const Node& item = rows->items[i];
        std::string path = fmt::format("{}.rows[{}]", entry.path(), i);
        if (i >= kMostRows || item.kind != Node::Kind::table) {
            Entry(item, path, problems)
                .warn(item, {}, i >= kMostRows ? "is one row too many" : "is not a row",
                    fmt::format("write at most {} rows like {{ label = \"…\", show = \"…\" }}", kMostRows));
            break;
        }
        table.rows.push_back(readRow(item, std::move(path), problems));
        table.hasLabels = table.hasLabels || table.rows.back().label.has_value();
    }
}

DescribedTable readTable(const Node& node, const std::string& path, std::vector<Problem>& problems)
{
    DescribedTable table;
    table.at = node.begin;
    const Entry entry(node, path, problems);
    table.title = entry.text("title").value_or("");
    if (table.title.empty())
        entry.warn(node, "title", "is absent", "write title = \"Server\"");
    table.note = entry.text("note").value_or("");
    table.variant = entry.text("variant");
    table.item = entry.text("item").value_or("");
    readRows(table, entry, problems, node);
    readColumns(table, entry);
    entry.checkKeys({ "title", "note", "variant", "item", "columns", "variants", "items", "rows" });
    for (const DescribedRow& row : table.rows)
        if (row.cells.size() > 1 && row.cells.size() != table.columns.size())
            problems.push_back({ ProblemSeverity::warning, row.at.line, row.at.column, row.field + ".cells",
                fmt::format("has {} cells for {} columns", row.cells.size(), table.columns.size()),
                "write one cell for each column, or one for all" });
    return table;
}

} // namespace

std::vector<DescribedTable> describedTables(const Node& root, std::vector<Problem>& problems)
{
    std::vector<DescribedTable> tables;
    const Node* list = root.find("table");
    if (list == nullptr)
        return tables;
    const Entry top(root, "table", problems);
    if (list->kind != Node::Kind::array) {
        top.warn(*list, {}, fmt::format("is {}", document::describe(list->kind)), "write [[table]]");
        return tables;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const Node& node = list->items[i];
        if (i >= kMostTables || node.kind != Node::Kind::table) {
            top.warn(node, {}, i >= kMostTables ? "has one entry too many" : "is not a list of tables",
                fmt::format("write at most {} [[table]] entries", kMostTables));
            break;
        }
        tables.push_back(readTable(node, fmt::format("table[{}]", i), problems));
    }
    return tables;
}

} // namespace loadstone::report
