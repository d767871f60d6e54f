// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "report/sheet_number.h"
#include "report/text_tables.h"

#include <loadstone/report.h>
#include <loadstone/spreadsheet.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <xlsxwriter.h>

namespace loadstone {

namespace {

constexpr std::size_t kLongestText = 32'000; // of a cell; 32,767 are allowed
constexpr std::size_t kSheetRows = 1'000'000, kSheetColumns = 16'000; // a little under what a sheet may have
constexpr double kNarrow = 8, kWide = 60; // columns, in characters

/// Text that a cell may hold: without controls, in UTF-8, not too long.
std::string cellText(const std::string& text)
{
    std::string plain = plainText(text);
    if (plain.size() > kLongestText) {
        plain.resize(kLongestText);
        while (!plain.empty() && (static_cast<unsigned char>(plain.back()) & 0xc0U) == 0x80U)
            plain.pop_back();
        if (!plain.empty() && static_cast<unsigned char>(plain.back()) >= 0xc0U)
            plain.pop_back();
        plain += "...";
    }
    return plain;
}

/// Names of sheets: at most 31 characters, without []:*?/\, and each once, upper and lower case alike.
class SheetNames {
public:
    std::string nameFor(const std::string& title)
    {
        std::string name;
        std::size_t characters = 0;
        constexpr std::size_t kLongest = 27; // a number may follow
        for (const char c : plainText(title)) {
            const bool begins = (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
            if (begins && ++characters > kLongest)
                break;
            name += std::string_view("[]:*?/\\").find(c) == std::string_view::npos ? c : ' ';
        }
        while (name.starts_with('\'') || name.starts_with(' '))
            name.erase(0, 1);
        while (name.ends_with('\'') || name.ends_with(' '))
            name.pop_back();
        if (name.empty() || lower(name) == "history") // which is a name of the format's own
            name = "Table";
        std::string unique = name;
        for (int number = 2; !m_taken.insert(lower(unique)).second; ++number)
            unique = fmt::format("{} {}", name, number);
        return unique;
    }

private:
    static std::string lower(std::string text)
    {
        std::ranges::transform(text, text.begin(),
            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        return text;
    }
    std::set<std::string> m_taken;
};

/// 0 would mean no colour.
lxw_color_t colourOf(std::uint32_t rgb)
{
    return (rgb & 0xffffffU) == 0 ? static_cast<lxw_color_t>(LXW_COLOR_BLACK) : rgb & 0xffffffU;
}

lxw_row_t rowOf(std::size_t row)
{
    return static_cast<lxw_row_t>(row);
}
lxw_col_t columnOf(std::size_t column)
{
    return static_cast<lxw_col_t>(column);
}

class Workbook {
public:
    Workbook(const std::string& file, const std::string& title)
    {
        lxw_workbook_options options {};
        m_book = workbook_new_opt(file.c_str(), &options);
        if (m_book == nullptr)
            return;
        std::string name = cellText(title).substr(0, 250), program = "Loadstone";
        while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0x80U) != 0)
            name.pop_back();
        lxw_doc_properties properties {};
        properties.title = name.data();
        properties.company = program.data();
        workbook_set_properties(m_book, &properties);
        m_bold = workbook_add_format(m_book);
        format_set_bold(m_bold);
        m_heading = workbook_add_format(m_book);
        format_set_bold(m_heading);
        format_set_text_wrap(m_heading);
        format_set_bottom(m_heading, LXW_BORDER_THIN);
        m_wrapped = workbook_add_format(m_book);
        format_set_text_wrap(m_wrapped);
        format_set_align(m_wrapped, LXW_ALIGN_VERTICAL_TOP);
        m_right = workbook_add_format(m_book);
        format_set_align(m_right, LXW_ALIGN_RIGHT);
    }
    Workbook(const Workbook&) = delete;
    Workbook& operator=(const Workbook&) = delete;
    ~Workbook()
    {
        if (m_book != nullptr)
            workbook_close(m_book);
    }
    [[nodiscard]] bool open() const { return m_book != nullptr; }

    void addTable(const ReportTable& table)
    {
        lxw_worksheet* sheet = addSheet(table.title);
        if (sheet == nullptr)
            return;
        const std::size_t columns = std::min(table.columns.size(), kSheetColumns);
        text(sheet, 0, 0, table.title, m_bold);
        constexpr std::size_t kHead = 2;
        std::vector<double> widths(columns, kNarrow);
        for (std::size_t c = 0; c < columns; ++c) {
            text(sheet, kHead, c, table.columns[c].heading, m_heading);
            widths[c] =
                std::max(widths[c], std::min(static_cast<double>(table.columns[c].heading.size()), 20.0));
        }
        worksheet_freeze_panes(
            sheet, rowOf(kHead + 1), table.columns.empty() || table.columns.front().number ? 0 : 1);
        std::size_t at = kHead + 1;
        for (const auto& row : table.rows) {
            if (at >= kSheetRows) {
                text(sheet, at, 0,
                    fmt::format("{} more rows are left out", table.rows.size() - (at - kHead - 1)), nullptr);
                ++at;
                break;
            }
            double lines = 1;
            for (std::size_t c = 0; c < std::min(row.size(), columns); ++c) {
                cell(sheet, at, c, row[c], table.columns[c].number);
                if (!table.columns[c].number)
                    lines =
                        std::max(lines, std::ceil(static_cast<double>(row[c].text().size()) / (kWide - 5)));
                widths[c] = std::max(
                    widths[c], static_cast<double>(std::min<std::size_t>(row[c].text().size(), 200)) + 1);
            }
            if (lines > 1) // not every program makes room for what is wrapped
                worksheet_set_row(sheet, rowOf(at), LXW_DEF_ROW_HEIGHT * lines, nullptr);
            ++at;
        }
        if (!table.note.empty())
            text(sheet, at + 1, 0, table.note, nullptr);
        addBaseUnits(sheet, table, kHead);
        for (std::size_t c = 0; c < columns; ++c)
            worksheet_set_column(sheet, columnOf(c), columnOf(c), std::min(widths[c], kWide), nullptr);
        worksheet_fit_to_pages(sheet, 1, 0);
        worksheet_set_landscape(sheet);
    }

    /// Every number as it is.
    void addModel(const std::vector<ReportTable>& tables)
    {
        lxw_worksheet* sheet = addSheet("Model");
        if (sheet == nullptr)
            return;
        std::size_t c = 0;
        for (const char* heading : { "Table", "Row", "Column", "Value", "Unit", "As printed", "Remark" })
            text(sheet, 0, c++, heading, m_heading);
        worksheet_freeze_panes(sheet, 1, 0);
        for (const auto& [column, width] : { std::pair(0, 30.0), { 1, 45.0 }, { 2, 25.0 }, { 3, 20.0 } })
            worksheet_set_column(sheet, columnOf(static_cast<std::size_t>(column)),
                columnOf(static_cast<std::size_t>(column)), width, nullptr);
        worksheet_fit_to_pages(sheet, 1, 0);
        worksheet_set_landscape(sheet);
        std::size_t at = 1;
        for (const ReportTable& table : tables)
            for (const auto& row : table.rows)
                for (std::size_t i = 0; i < row.size() && i < table.columns.size() && at < kSheetRows; ++i)
                    if (const auto& number = row[i].number())
                        modelRow(sheet, at++, table, row, i, *number);
    }

    void addCharts(const std::vector<SheetChart>& charts)
    {
        if (charts.empty())
            return;
        const std::string data = m_names.nameFor("Chart data");
        lxw_worksheet* pictures = addSheet("Charts");
        lxw_worksheet* numbers = workbook_add_worksheet(m_book, data.c_str());
        if (pictures == nullptr || numbers == nullptr)
            return;
        constexpr std::uint16_t kScale = 65; // %: two charts fill a page, and none is divided between two
        worksheet_set_print_scale(pictures, kScale);
        worksheet_fit_to_pages(numbers, 1, 0);
        std::size_t column = 0, row = 0;
        std::vector<lxw_row_t> breaks;
        for (const SheetChart& chart : charts) {
            if (column + 2 * chart.series.size() + 4 > kSheetColumns)
                break;
            addChart(chart, data, numbers, column, pictures, row);
            constexpr std::size_t kRowsOfChart = 26;
            row += kRowsOfChart;
            if (row % (2 * kRowsOfChart) == 0)
                breaks.push_back(rowOf(row));
        }
        breaks.push_back(0); // the end of the list
        worksheet_set_h_pagebreaks(pictures, breaks.data());
    }

    /// Writes the file.
    Result<void> finish()
    {
        const lxw_error closed = workbook_close(std::exchange(m_book, nullptr));
        if (closed != LXW_NO_ERROR)
            return fail(std::string("the workbook cannot be written: ") + lxw_strerror(closed));
        return {};
    }

private:
    lxw_worksheet* addSheet(const std::string& title)
    {
        return workbook_add_worksheet(m_book, m_names.nameFor(title).c_str());
    }

    void text(lxw_worksheet* sheet, std::size_t row, std::size_t column, const std::string& value,
        lxw_format* format)
    {
        const std::string plain = cellText(value);
        if (!plain.empty())
            worksheet_write_string(sheet, rowOf(row), columnOf(column), plain.c_str(), format);
    }

    void cell(lxw_worksheet* sheet, std::size_t row, std::size_t column, const Cell& value, bool right)
    {
        const auto& number = value.number();
        if (number && !number->value)
            return; // missing is missing, and no 0
        if (const auto shown = number ? report::sheetNumber(*number) : std::nullopt)
            worksheet_write_number(
                sheet, rowOf(row), columnOf(column), shown->value, formatFor(shown->format));
        else
            text(sheet, row, column, value.text(),
                right                                                  ? m_right
                    : static_cast<double>(value.text().size()) > kWide ? m_wrapped
                                                                       : nullptr);
    }

    lxw_format* formatFor(const std::string& code)
    {
        lxw_format*& format = m_formats[code];
        if (format == nullptr) {
            format = workbook_add_format(m_book);
            format_set_num_format(format, code.c_str());
        }
        return format;
    }

    /// What a row is about: its words before the first column of numbers, "20 users, Send message".
    static std::string wordsOf(const ReportTable& table, const std::vector<Cell>& row)
    {
        std::string words;
        for (std::size_t c = 0; c < std::min(row.size(), table.columns.size()); ++c) {
            if (table.columns[c].number || row[c].number())
                break;
            if (const std::string word = row[c].text(); !word.empty())
                words += (words.empty() ? "" : ", ") + word;
        }
        return words;
    }

    void modelRow(lxw_worksheet* sheet, std::size_t at, const ReportTable& table,
        const std::vector<Cell>& row, std::size_t column, const Number& number)
    {
        text(sheet, at, 0, table.title, nullptr);
        const std::string words = wordsOf(table, row);
        text(sheet, at, 1, words.empty() ? fmt::format("row {}", &row - table.rows.data() + 1) : words,
            nullptr);
        text(sheet, at, 2, table.columns[column].heading, nullptr);
        if (number.value)
            worksheet_write_number(sheet, rowOf(at), 3, *number.value, nullptr);
        text(sheet, at, 4, std::string(number.unit.name), nullptr);
        text(sheet, at, 5, format(number), nullptr);
        std::string remark;
        const auto add = [&](bool is, const char* word) {
            if (is)
                remark += (remark.empty() ? "" : ", ") + std::string(word);
        };
        add(number.flags.lowerBound, "the true value is this or more");
        add(!number.value, "missing");
        add(number.flags.invalid, "there is a reason against the measurement");
        add(number.flags.external, "from elsewhere");
        text(sheet, at, 6, remark, nullptr);
    }

    /// Columns that print their numbers in several units, such as ms and s, once more behind the table in one, so that they can be sorted,
    /// compared and summed there.
    void addBaseUnits(lxw_worksheet* sheet, const ReportTable& table, std::size_t head)
    {
        std::size_t to = table.columns.size() + 1;
        for (std::size_t c = 0; c < table.columns.size() && to < kSheetColumns; ++c) {
            std::set<long> factors; // from the number's own unit to the printed one
            std::set<std::string_view> units;
            for (const auto& row : table.rows) {
                const auto number = c < row.size() ? row[c].number() : std::nullopt;
                const auto shown = number ? report::sheetNumber(*number) : std::nullopt;
                if (!shown || !number->value || !(*number->value > 0) || !(shown->value > 0))
                    continue;
                constexpr double kApart = 100; // steps of 2.3 %: more than rounding, less than 1,024 to 1,000
                factors.insert(std::lround(std::log10(shown->value / *number->value) * kApart));
                units.insert(number->unit.name);
            }
            if (factors.size() < 2)
                continue;
            text(sheet, head, to,
                fmt::format("{} [{}]", table.columns[c].heading,
                    units.size() == 1 && !units.begin()->empty() ? *units.begin() : "base unit of each row"),
                m_heading);
            for (std::size_t i = 0; i < table.rows.size() && head + 1 + i < kSheetRows; ++i)
                if (const auto number = c < table.rows[i].size() ? table.rows[i][c].number() : std::nullopt;
                    number && number->value && !number->from && std::isfinite(*number->value))
                    worksheet_write_number(sheet, rowOf(head + 1 + i), columnOf(to), *number->value, nullptr);
            worksheet_set_column(sheet, columnOf(to), columnOf(to), 16, nullptr);
            ++to;
        }
    }

    /// The chart's numbers from `column` on, and the chart itself. Texts of charts come from cells: one that begins with = would be
    /// taken for a formula.
    void addChart(const SheetChart& chart, const std::string& data, lxw_worksheet* numbers,
        std::size_t& column, lxw_worksheet* pictures, std::size_t row)
    {
        const bool scatter = chart.kind == SheetChart::Kind::scatter;
        lxw_chart* made = workbook_add_chart(m_book, scatter ? LXW_CHART_SCATTER : LXW_CHART_COLUMN);
        if (made == nullptr)
            return;
        const std::string texts[] { chart.title, chart.xTitle, chart.yTitle };
        for (std::size_t i = 0; i < 3; ++i)
            text(numbers, i, column, texts[i].empty() ? " " : texts[i], i == 0 ? m_bold : nullptr);
        chart_title_set_name_range(made, data.c_str(), 0, columnOf(column));
        chart_axis_set_name_range(made->x_axis, data.c_str(), 1, columnOf(column));
        chart_axis_set_name_range(made->y_axis, data.c_str(), 2, columnOf(column));
        if (scatter && chart.logarithmicX)
            chart_axis_set_log_base(made->x_axis, 10);
        if (chart.logarithmicY)
            chart_axis_set_log_base(made->y_axis, 10);
        chart_show_blanks_as(made, LXW_CHART_BLANKS_AS_GAP);
        chart_legend_set_position(made, LXW_CHART_LEGEND_BOTTOM);
        constexpr std::size_t kFirst = 5; // row of the first number
        std::size_t names = column;
        if (!scatter) {
            for (std::size_t i = 0; i < std::min(chart.names.size(), kSheetRows); ++i)
                text(numbers, kFirst + i, column, chart.names[i], nullptr);
            ++column;
        }
        for (const SheetChart::Series& series : chart.series) {
            const std::size_t count = std::min({ scatter ? std::min(series.x.size(), series.values.size())
                                                         : std::min(chart.names.size(), series.values.size()),
                kSheetRows });
            if (count == 0)
                continue;
            const std::size_t x = scatter ? column++ : names, y = column++;
            text(numbers, kFirst - 1, y, series.name.empty() ? " " : series.name, m_heading);
            for (std::size_t i = 0; i < count; ++i) {
                if (scatter)
                    worksheet_write_number(numbers, rowOf(kFirst + i), columnOf(x), series.x[i], nullptr);
                if (series.values[i])
                    worksheet_write_number(
                        numbers, rowOf(kFirst + i), columnOf(y), *series.values[i], nullptr);
            }
            addSeries(made, series, scatter, data, kFirst, count, x, y);
        }
        ++column;
        lxw_chart_options place {};
        place.x_scale = 1.7;
        place.y_scale = 1.6;
        std::string description = cellText(chart.title).substr(0, 200);
        while (!description.empty() && (static_cast<unsigned char>(description.back()) & 0x80U) != 0)
            description.pop_back();
        place.description = description.data();
        worksheet_insert_chart_opt(pictures, rowOf(row), 0, made, &place);
    }

    static void addSeries(lxw_chart* chart, const SheetChart::Series& series, bool scatter,
        const std::string& data, std::size_t first, std::size_t count, std::size_t x, std::size_t y)
    {
        lxw_chart_series* added = chart_add_series(chart, nullptr, nullptr);
        if (added == nullptr)
            return;
        const lxw_row_t last = rowOf(first + count - 1);
        chart_series_set_categories(added, data.c_str(), rowOf(first), columnOf(x), last, columnOf(x));
        chart_series_set_values(added, data.c_str(), rowOf(first), columnOf(y), last, columnOf(y));
        chart_series_set_name_range(added, data.c_str(), rowOf(first - 1), columnOf(y));
        lxw_chart_line line {};
        line.color = colourOf(series.colour);
        line.width = 1.5;
        lxw_chart_fill fill {};
        fill.color = colourOf(series.colour);
        if (!scatter) {
            chart_series_set_fill(added, &fill);
            return;
        }
        lxw_chart_line joins = line;
        joins.none = series.linked ? 0 : 1;
        chart_series_set_line(added, &joins);
        chart_series_set_marker_type(added, LXW_CHART_MARKER_CIRCLE);
        constexpr std::uint8_t kDot = 5;
        chart_series_set_marker_size(added, kDot);
        chart_series_set_marker_line(added, &line);
        chart_series_set_marker_fill(added, &fill);
    }

    lxw_workbook* m_book = nullptr;
    SheetNames m_names;
    lxw_format *m_bold = nullptr, *m_heading = nullptr, *m_right = nullptr, *m_wrapped = nullptr;
    std::map<std::string, lxw_format*> m_formats; ///< of numbers, by their code
};

} // namespace

Result<std::string> formatTablesXlsx(
    const std::string& title, const std::vector<ReportTable>& tables, const std::vector<SheetChart>& charts)
{
    // The library writes files by name alone; this one has none on any disk.
    const FileDescriptor memory(::memfd_create("loadstone-xlsx", MFD_CLOEXEC));
    if (!memory)
        return systemError("a file in memory");
    {
        Workbook book(fmt::format("/proc/self/fd/{}", memory.get()), title);
        if (!book.open())
            return fail("the workbook cannot be made: no memory");
        for (const ReportTable& table : tables)
            if (!table.empty())
                book.addTable(table);
        book.addCharts(charts);
        book.addModel(tables);
        if (const auto done = book.finish(); !done)
            return done.error();
    }
    constexpr std::size_t kMost = 1U << 30U;
    return readOpenFile(memory, "the workbook", kMost);
}

} // namespace loadstone
