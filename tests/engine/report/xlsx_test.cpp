// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Workbooks read back by a reader of the format that shares nothing with the writer.
#include "base/posix_file.h"
#include "base/xml_reader.h"
#include "report/sheet_number.h"
#include "sample_suite.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/report.h>
#include <loadstone/spreadsheet.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>
#include <zlib.h>

using namespace loadstone;

namespace {

std::uint32_t numberAt(const std::string& bytes, std::size_t at, std::size_t size)
{
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
        number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at + i))) << (8 * i);
    return number;
}

std::string inflated(const std::string& packed, std::size_t size)
{
    std::string text(size, '\0');
    z_stream stream {};
    REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
    std::string in = packed;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    inflateEnd(&stream);
    return text;
}

/// The files of a ZIP archive, by name.
std::map<std::string, std::string> unzipped(const std::string& bytes)
{
    std::map<std::string, std::string> files;
    const auto end = bytes.rfind("PK\5\6");
    REQUIRE(end != std::string::npos);
    std::size_t at = numberAt(bytes, end + 16, 4);
    for (std::uint32_t left = numberAt(bytes, end + 10, 2); left > 0; --left) {
        REQUIRE(bytes.compare(at, 4, "PK\1\2") == 0);
        const std::uint32_t method = numberAt(bytes, at + 10, 2), packed = numberAt(bytes, at + 20, 4),
                            size = numberAt(bytes, at + 24, 4), name = numberAt(bytes, at + 28, 2),
                            extra = numberAt(bytes, at + 30, 2), comment = numberAt(bytes, at + 32, 2),
                            head = numberAt(bytes, at + 42, 4);
        const std::size_t data = head + 30 + numberAt(bytes, head + 26, 2) + numberAt(bytes, head + 28, 2);
        const std::string content = bytes.substr(data, packed);
        files[bytes.substr(at + 46, name)] = method == 0 ? content : inflated(content, size);
        at += 46 + name + extra + comment;
    }
    return files;
}

struct Element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text; ///< its own and that of those within it
    std::vector<Element> children;
    [[nodiscard]] std::vector<const Element*> all(const std::string& wanted) const
    {
        std::vector<const Element*> found;
        for (const Element& child : children) {
            if (child.name == wanted)
                found.push_back(&child);
            for (const Element* below : child.all(wanted))
                found.push_back(below);
        }
        return found;
    }
};

class Tree final : public XmlHandler {
public:
    void begin(std::string_view name, const XmlAttributes& attributes, int) override
    {
        Element element { std::string(name), {}, {}, {} };
        for (const auto& [key, value] : attributes)
            element.attributes.emplace(key, value);
        m_open.push_back(std::move(element));
    }
    void text(std::string_view part) override { m_open.back().text += part; }
    void end() override
    {
        Element done = std::move(m_open.back());
        m_open.pop_back();
        if (m_open.empty()) {
            root = std::move(done);
            return;
        }
        m_open.back().text += done.text;
        m_open.back().children.push_back(std::move(done));
    }
    Element root;

private:
    std::vector<Element> m_open;
};

Element parsed(const std::string& xml)
{
    Tree tree;
    XmlLimits limits { 64U << 20U, 64, 1'000'000, 200 };
    const auto failure = readXml(xml, limits, XmlNames::asWritten, tree);
    INFO((failure ? failure->why : std::string()));
    REQUIRE_FALSE(failure);
    return std::move(tree.root);
}

struct ReadCell {
    std::string text;
    std::optional<double> number;
    std::string format;
    bool formula = false;
};
using Sheet = std::map<std::string, ReadCell>; ///< by "B4"

struct Book {
    std::map<std::string, std::string> files;
    std::vector<std::string> names;
    std::map<std::string, Sheet> sheets;
};

Book readBook(const std::string& bytes)
{
    Book book { unzipped(bytes), {}, {} };
    std::vector<std::string> strings, formats { "General" };
    if (book.files.contains("xl/sharedStrings.xml")) {
        const Element texts = parsed(book.files["xl/sharedStrings.xml"]);
        for (const Element* item : texts.all("si"))
            strings.push_back(item->text);
    }
    const Element styles = parsed(book.files.at("xl/styles.xml"));
    std::map<std::string, std::string> codes;
    for (const Element* format : styles.all("numFmt"))
        codes[format->attributes.at("numFmtId")] = format->attributes.at("formatCode");
    std::vector<std::string> cellFormats;
    for (const Element* xfs : styles.all("cellXfs"))
        for (const Element& xf : xfs->children)
            cellFormats.push_back(codes[xf.attributes.at("numFmtId")]);
    const Element workbook = parsed(book.files.at("xl/workbook.xml"));
    for (const Element* sheet : workbook.all("sheet"))
        book.names.push_back(sheet->attributes.at("name"));
    for (std::size_t i = 0; i < book.names.size(); ++i) {
        const Element root = parsed(book.files.at(fmt::format("xl/worksheets/sheet{}.xml", i + 1)));
        Sheet& sheet = book.sheets[book.names[i]];
        for (const Element* cell : root.all("c")) {
            ReadCell read;
            read.formula = !cell->all("f").empty();
            const std::string value = cell->text;
            const auto type = cell->attributes.find("t");
            if (type != cell->attributes.end() && type->second == "s")
                read.text = strings.at(std::stoul(value));
            else if (type == cell->attributes.end() && !value.empty())
                read.number = std::stod(value);
            if (const auto style = cell->attributes.find("s"); style != cell->attributes.end())
                read.format = cellFormats.at(std::stoul(style->second));
            sheet[cell->attributes.at("r")] = read;
        }
    }
    return book;
}

Book bookOf(const std::vector<ReportTable>& tables, const std::vector<SheetChart>& charts = {},
    const std::string& title = "t")
{
    const auto bytes = formatTablesXlsx(title, tables, charts);
    INFO((bytes ? std::string() : bytes.error().message));
    REQUIRE(bytes);
    return readBook(*bytes);
}

std::string placeOf(std::size_t row, std::size_t column)
{
    return fmt::format("{}{}", static_cast<char>('A' + column), row + 1);
}

/// What a spreadsheet shows of a number by one of our formats: one or two sections, literals in quotes, one run of digits.
std::string shownBy(std::string format, double value)
{
    if (const auto semicolon = format.find(';'); semicolon != std::string::npos) {
        // "-" stands in the second section already.
        format = value < 0 ? format.substr(semicolon + 1) : format.substr(0, semicolon);
        value = std::abs(value);
    }
    std::string before, after, digits;
    bool quoted = false;
    for (const char c : format) {
        if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && std::string("#,0.").find(c) != std::string::npos) {
            digits += c;
        } else {
            (digits.empty() ? before : after) += c;
        }
    }
    const auto point = digits.find('.');
    const std::size_t decimals = point == std::string::npos ? 0 : digits.size() - point - 1;
    const double scale = std::pow(10.0, static_cast<double>(decimals));
    std::string number = fmt::format("{:.{}f}", std::round(value * scale) / scale, decimals);
    if (digits.find(',') != std::string::npos)
        for (auto at = static_cast<std::ptrdiff_t>(std::min(number.find('.'), number.size())) - 3;
             at > (value < 0 ? 1 : 0); at -= 3)
            number.insert(static_cast<std::size_t>(at), ",");
    return before + number + after;
}

ReportTable sample()
{
    ReportTable table;
    table.title = "Results";
    table.note = "A note.";
    table.columns = { { "Figure", false }, { "Value" } };
    const auto add = [&](const char* label, const Number& number) {
        table.rows.push_back({ label, number });
    };
    const auto number = [](double value, Rounding rounding, Unit unit = Unit::one, FigureFlags flags = {}) {
        return Number { value, unit, rounding, flags, Limit::none, {}, {} };
    };
    add("whole", number(83300.4, { Notation::whole }));
    add("decimals", number(29420.994, { Notation::decimals, 2 }));
    add("plain", number(2.9949, { Notation::plain, 2 }));
    add("significant", number(0.012345, { Notation::significant, 3 }));
    add("shortest", number(2.5, { Notation::shortest }));
    add("change", number(1.46, { Notation::change, 1 }));
    add("negative change", number(-1.46, { Notation::change, 1 }));
    add("rate", number(1234.5, { Notation::rate }));
    add("small rate", number(0.4217, { Notation::rate }));
    add("percent", number(0.98501, { Notation::percentDecimals, 2 }));
    add("difference", number(0.0791, { Notation::difference }));
    add("negative difference", number(-0.25, { Notation::difference }));
    add("latency", number(0.012345, { Notation::latency }, Unit::seconds));
    add("long latency", number(2.0449, { Notation::latency }, Unit::seconds));
    add("milliseconds", number(0.012345, { Notation::milliseconds, 4 }, Unit::seconds));
    add("duration", number(300, { Notation::duration }, Unit::seconds));
    add("bytes", number(1572864, { Notation::byteSize }, Unit::bytes));
    add("megabytes", number(1073741824, { Notation::megabytes }, Unit::bytes));
    add("cut", number(18040.75, { Notation::whole, 0, true }));
    add("half to even", number(2.5, { Notation::whole }));
    add("named", number(42, { Notation::whole, 0, false, true }, Unit::copies));
    add("bound", number(0.5, { Notation::latency }, Unit::seconds, { .lowerBound = true }));
    add("zero", number(0, { Notation::decimals, 2 }));
    add("missing", Number {});
    Number range = number(20, { Notation::whole });
    range.from = 10;
    add("range", range);
    Number error = number(14.18, { Notation::decimals, 2 });
    error.error = 0.11;
    add("error", error);
    Number limit = number(0.5, { Notation::latency }, Unit::seconds);
    limit.limit = Limit::most;
    add("limit", limit);
    add("clock", number(3725, { Notation::clock }, Unit::seconds));
    return table;
}

} // namespace

TEST_CASE("every number of a workbook is a number that shows as the document prints it, and the model has it "
          "exactly")
{
    const ReportTable table = sample();
    Book book = bookOf({ table });
    REQUIRE(book.names == std::vector<std::string> { "Results", "Model" });
    Sheet& sheet = book.sheets["Results"];
    CHECK(sheet["A1"].text == "Results");
    CHECK(sheet["B3"].text == "Value");
    std::size_t exact = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const std::string label = table.rows[i][0].text(), printed = table.rows[i][1].text();
        const ReadCell& cell = sheet[placeOf(i + 3, 1)];
        INFO(label << ": " << printed << " as " << cell.format);
        CHECK(sheet[placeOf(i + 3, 0)].text == label);
        if (label == "missing") {
            CHECK_FALSE(cell.number);
            CHECK(cell.text.empty());
        } else if (label == "range" || label == "error") {
            CHECK(cell.text == printed);
        } else if (label == "clock") {
            CHECK(*cell.number == Approx(3725.0 / 86400));
            CHECK(cell.format == "[h]:mm:ss");
        } else {
            REQUIRE(cell.number);
            CHECK(shownBy(cell.format, *cell.number) == printed);
        }
        for (auto& [place, model] : book.sheets["Model"])
            if (place.front() == 'B' && model.text == label) {
                ++exact;
                const std::string row = place.substr(1);
                CHECK(book.sheets["Model"]["F" + row].text == printed);
                CHECK(book.sheets["Model"]["D" + row].number == table.rows[i][1].number()->value);
            }
    }
    CHECK(exact == table.rows.size());
    CHECK(sheet[placeOf(table.rows.size() + 4, 0)].text == "A note.");
}

TEST_CASE("the rows of a workbook's model have all words of their rows")
{
    ReportTable table;
    table.title = "Actions";
    table.columns = { { "Mix", false }, { "Action", false }, { "Sent" }, { "Received" } };
    const auto count = [](double value) { return Number { value, Unit::one, { Notation::whole } }; };
    table.rows = { { "20 users", "Send message", count(3), count(6) },
        { "20 users", "Get new mail", count(7), count(14) }, { "", "", count(1), count(2) } };
    Book book = bookOf({ table });
    Sheet& model = book.sheets["Model"];
    CHECK(model["B2"].text == "20 users, Send message");
    CHECK(model["C2"].text == "Sent");
    CHECK(model["D2"].number == 3);
    CHECK(model["B3"].text == "20 users, Send message");
    CHECK(model["C3"].text == "Received");
    CHECK(model["B5"].text == "20 users, Get new mail");
    CHECK(model["B6"].text == "row 3"); // it has no words
    CHECK(model["D7"].number == 2);
}

TEST_CASE("a column of several units is there once more in one, to be sorted and compared")
{
    ReportTable table { "Times", "", { { "What", false }, { "95 %" }, { "Count" } }, {} };
    const auto add = [&](const char* what, double s) {
        table.rows.push_back({ what, Number { s, Unit::seconds, { Notation::latency } },
            Number { 3, Unit::one, { Notation::whole } } });
    };
    add("quick", 0.13055);
    add("slow", 2.1978);
    Book book = bookOf({ table });
    Sheet& sheet = book.sheets["Times"];
    CHECK(sheet["E3"].text == "95 % [s]");
    CHECK(sheet["E4"].number == 0.13055);
    CHECK(sheet["E5"].number == 2.1978);
    CHECK(sheet["F3"].text.empty()); // counts are in one unit
    CHECK(*sheet["B4"].number > 100); // as printed
}

TEST_CASE("charts of a workbook have explicit colours, their numbers, and gaps where there is none")
{
    SheetChart curves;
    curves.title = "=1+1";
    curves.xTitle = "users";
    curves.yTitle = "s";
    curves.series = { { "=A1", { 1, 2, 3 }, { 0.5, std::nullopt, 0.75 }, 0x1f77b4 },
        { "black", { 1 }, { 2.0 }, 0 } };
    SheetChart bars;
    bars.kind = SheetChart::Kind::columns;
    bars.title = "Bars";
    bars.names = { "a", "=b" };
    bars.series = { { "x", {}, { 1.5, 2.5 }, 0xff7f0e } };
    Book book = bookOf({ sample() }, { curves, bars });
    CHECK(book.names == std::vector<std::string> { "Results", "Charts", "Chart data", "Model" });
    const std::string& first = book.files.at("xl/charts/chart1.xml");
    CHECK_THAT(first, ContainsSubstring("1F77B4"));
    CHECK_THAT(first, ContainsSubstring("<c:scatterChart>"));
    CHECK(first.find("dispBlanksAs") == std::string::npos); // gaps are what a program shows then
    CHECK(first.find("<c:pt idx=\"1\"><c:v>0</c:v>") == std::string::npos);
    CHECK_THAT(first, ContainsSubstring("<c:v>0.75</c:v>")); // cached, for programs that compute nothing
    CHECK_THAT(book.files.at("xl/charts/chart2.xml"), ContainsSubstring("FF7F0E"));
    Sheet& data = book.sheets["Chart data"];
    CHECK(data["A1"].text == "=1+1");
    CHECK(data["B5"].text == "=A1");
    CHECK(data["B6"].number == 0.5);
    CHECK_FALSE(data["B7"].number);
    CHECK(data["B8"].number == 0.75);
    for (const auto& [name, sheet] : book.sheets)
        for (const auto& [place, cell] : sheet)
            CHECK_FALSE(cell.formula);
}

TEST_CASE("hostile texts in a workbook are texts")
{
    ReportTable table;
    table.title = "a[]:*?/\\b 'very long name of a table that no sheet can have'";
    table.note = "=2+2";
    table.columns = { { "=1+1", false }, { "<b>&\"'" } };
    table.rows = { { "=HYPERLINK(\"http://x\")", "]]>" }, { "\x1b[2J\x07", std::string("bad \xff utf") },
        { "http://example.com", std::string(50'000, 'x') }, { "", "@SUM(A1)" } };
    ReportTable second = table, empty;
    second.title = "HISTORY";
    empty.title = "empty";
    Book book = bookOf({ table, second, empty, table }, {}, "=1+1\x1b");
    REQUIRE(book.names.size() == 4);
    for (const std::string& name : book.names) {
        CHECK(name.size() <= 31);
        CHECK(name.find_first_of("[]:*?/\\") == std::string::npos);
    }
    CHECK(book.names[0] != book.names[2]);
    CHECK(book.names[1] == "Table");
    Sheet& sheet = book.sheets[book.names[0]];
    CHECK(sheet["A4"].text == "=HYPERLINK(\"http://x\")");
    CHECK(sheet["B3"].text == "<b>&\"'");
    CHECK(sheet["A5"].text == "\\u001b[2J\\u0007");
    CHECK(sheet["B6"].text.size() == 32'003);
    for (const auto& [name, one] : book.sheets)
        for (const auto& [place, cell] : one)
            CHECK_FALSE(cell.formula);
    for (const auto& [name, content] : book.files) {
        CHECK(content.find("<f>") == std::string::npos);
        CHECK(content.find("hyperlink ") == std::string::npos);
    }
    CHECK(bookOf({}).names == std::vector<std::string> { "Model" });
}

TEST_CASE("the first sheet of a run's workbook says which run it is of, and what its figures are worth")
{
    const test::ScratchFolder folder;
    test::SampleSuite suite;
    suite.invalid = true;
    test::writeSampleSuite(folder / "sample.loadstone", suite);
    const auto recording = Recording::open(folder / "sample.loadstone");
    REQUIRE(recording);
    REQUIRE(writeXlsx(*recording, folder / "run.xlsx"));
    const auto files = unzipped(*readFile(folder / "run.xlsx"));
    CHECK(files.at("xl/workbook.xml").find("<sheet name=\"Run\" sheetId=\"1\"") != std::string::npos);
    std::string all;
    for (const auto& [name, content] : files)
        all += content;
    for (const std::string& words : { recording->header().id.text(), std::string("INVALID"), suite.title })
        CHECK(all.find(words) != std::string::npos);
}
