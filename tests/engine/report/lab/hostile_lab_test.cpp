// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of strangers in every field of a lab stay texts, whatever is made of the lab: what is written has the same tags, rows and cells as
// with a plain word in their place.
#include "document/lab_keys.h"
#include "support/catch.h"

#include <loadstone/lab_diagram.h>
#include <loadstone/lab_tables.h>
#include <loadstone/lab_text.h>
#include <loadstone/table_formats.h>

#include <algorithm>
#include <set>

using namespace loadstone;

namespace {

/// Every kind of item, every text in it, its settings, links and notes.
Lab labOf(const std::string& text)
{
    Lab lab;
    lab.title = lab.description = text;
    for (int i = 0; i <= static_cast<int>(ItemKind::other); ++i) {
        LabItem& item = lab.items.emplace_back();
        item.kind = static_cast<ItemKind>(i);
        item.id = "i" + std::to_string(i);
        item.name = item.notes = text;
        item.roles = { text };
        for (const std::string& key : document::labPropertyKeys(toString(item.kind)))
            item.properties.push_back({ key, { text, {}, ValueOrigin::typed, text, text }, {}, true });
        item.properties.push_back({ text, { text, {}, ValueOrigin::typed, {}, {} },
            LabValue { text + "2", {}, ValueOrigin::detected, text, text }, false });
        item.changed.push_back({ text, text, text, text, text, {}, text, text });
        LabLink& link = lab.links.emplace_back();
        link.from = "i" + std::to_string(static_cast<int>(ItemKind::machine));
        link.to = item.id;
        link.kind = static_cast<LinkKind>(i % 4);
        link.notes = text;
        for (const char* key : { "speed", "protocol" })
            link.properties.push_back({ key, { text, {}, ValueOrigin::typed, {}, {} }, {}, true });
    }
    lab.variants.push_back({ text, text, text });
    return lab;
}

std::vector<ReportTable> tablesOf(const std::string& text)
{
    const Lab lab = labOf(text);
    Lab other = labOf(text + " x");
    other.items.back().roles.clear();
    std::vector<ReportTable> tables = defaultLabTables(lab);
    tables.push_back(labVariantTable(lab, other));
    tables.push_back(labDifferenceTable(differences(lab, other), text, text));
    tables.push_back(labDifferenceTable(differencesFromDetected(lab), text, text));
    return tables;
}

/// "<td>" as "td", in order.
std::vector<std::string> tagsOf(const std::string& markup)
{
    std::vector<std::string> tags;
    for (std::size_t at = 0; (at = markup.find('<', at)) != std::string::npos; ++at)
        tags.push_back(markup.substr(at + 1, markup.find_first_of(" >\n", at + 1) - at - 1));
    return tags;
}

/// The cells of each row, as a spreadsheet reads them.
std::vector<std::vector<std::string>> cellsOf(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows { { "" } };
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        if (csv[i] == '"' && quoted && i + 1 < csv.size() && csv[i + 1] == '"')
            rows.back().back() += csv[++i];
        else if (csv[i] == '"')
            quoted = !quoted;
        else if (csv[i] == ',' && !quoted)
            rows.back().emplace_back();
        else if (csv[i] == '\n' && !quoted)
            rows.push_back({ "" });
        else
            rows.back().back() += csv[i];
    }
    return rows;
}

bool isNumber(const std::string& cell)
{
    return cell.find_first_not_of("+-0123456789.,eE ") == std::string::npos;
}

/// What a terminal would act on, or show in another order than it stands.
bool actsOnTerminal(const std::string& text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = [&](std::size_t step) {
            return i + step < text.size() ? static_cast<unsigned char>(text[i + step]) : 0U;
        };
        if ((c < 0x20 && c != '\n') || c == 0x7f || (c == 0xc2 && next(1) >= 0x80 && next(1) <= 0x9f))
            return true;
        if (c == 0xe2
            && ((next(1) == 0x80
                    && ((next(2) >= 0xaa && next(2) <= 0xae) || next(2) == 0x8e || next(2) == 0x8f))
                || (next(1) == 0x81 && next(2) >= 0xa6 && next(2) <= 0xa9)))
            return true;
    }
    return false;
}

const std::vector<std::string> kHostile { "</td></table><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "'><a href=\"javascript:alert(1)\">x</a>",
    "</style><script>x</script>", "&lt;script&gt;", "]]><script>x</script>", "<!--",
    "=HYPERLINK(\"http://127.0.0.1\",\"x\")", "+1|cmd", "-2+3|cmd", "@SUM(A1)", "\t=1+1", "a\",=1+1,\"b",
    "x\n=1+1", "\x1b]0;owned\x07\x1b[2J", "\xc2\x9b\x32J", "\xe2\x80\xaegnp.exe", "\xe2\x81\xa6x", "\r=1",
    "\x7f" };

} // namespace

TEST_CASE("texts of strangers in every field of a lab add no tag to its report and its picture")
{
    const auto report = [](const std::string& text) { return formatTablesHtml(text, text, tablesOf(text)); };
    const std::vector<std::string> plain = tagsOf(report("word"));
    REQUIRE(plain.size() > 1000);
    const auto drawn = tagsOf(formatSvg(layOut(labOf("word")), "word"));
    const std::set<std::string> shapes(drawn.begin(), drawn.end());
    for (const std::string& text : kHostile) {
        INFO(text);
        CHECK(tagsOf(report(text)) == plain);
        // How often a shape stands there depends on the length of the words.
        for (const std::string& tag : tagsOf(formatSvg(layOut(labOf(text)), text)))
            CHECK(shapes.count(tag) == 1);
    }
}

TEST_CASE("texts of strangers in every field of a lab make no formula and no cell of its tables as CSV")
{
    const auto plain = cellsOf(formatTablesCsv(tablesOf("word")));
    REQUIRE(plain.size() > 100);
    for (const std::string& text : kHostile) {
        INFO(text);
        const auto cells = cellsOf(formatTablesCsv(tablesOf(text)));
        REQUIRE(cells.size() == plain.size());
        for (std::size_t row = 0; row < cells.size(); ++row) {
            CHECK(cells[row].size() == plain[row].size());
            for (const std::string& cell : cells[row])
                CHECK((cell.empty() || std::string("=+-@\t\r").find(cell.front()) == std::string::npos
                    || isNumber(cell)));
        }
    }
}

TEST_CASE("texts of strangers in every field of a lab do nothing to a terminal")
{
    for (const std::string& text : kHostile) {
        INFO(text);
        CHECK_FALSE(actsOnTerminal(formatTables(tablesOf(text))));
        CHECK_FALSE(actsOnTerminal(formatLab(labOf(text))));
        CHECK_FALSE(actsOnTerminal(describeLab({ text, text, writeLab(labOf("word")) })));
        for (const LabReport kind : { LabReport::storage, LabReport::mail, LabReport::virtualisation })
            CHECK_FALSE(actsOnTerminal(labFieldsText(labOf(text), kind)));
    }
}
