// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html_writer.h"

#include "base/joined.h"
#include "base/posix_file.h"
#include "generated/report_style.h"
#include "report/model.h"
#include "report/svg.h"

#include <loadstone/program.h>
#include <loadstone/report.h>

#include <fmt/format.h>

namespace loadstone {

namespace report {

void appendHtml(std::string& out, const Table& table)
{
    if (table.folded)
        out += "<details><summary>" + escaped(table.title) + "</summary>";
    // On paper a short table stays on one page, a long one is divided between its rows.
    constexpr std::size_t kLongRows = 20;
    out +=
        table.rows.size() > kLongRows ? "<div class=\"table long\"><table>" : "<div class=\"table\"><table>";
    if (!table.folded)
        out += "<caption>" + escaped(table.title) + "</caption>";
    out += "<thead><tr>";
    for (const Column& column : table.columns)
        out += fmt::format(
            "<th scope=\"col\"{}>{}</th>", column.number ? " class=\"n\"" : "", escaped(column.heading));
    out += "</tr></thead><tbody>\n";
    std::string last;
    for (const auto& row : table.rows) {
        // A new group of rows begins where the first column changes.
        std::string first = row.front().text();
        const bool group = &row != &table.rows.front() && last != first;
        last = std::move(first);
        out += group ? "<tr class=\"group\">" : "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            out += fmt::format(
                "<td{}>{}</td>", table.columns[i].number ? " class=\"n\"" : "", escaped(row[i].text()));
        out += "</tr>\n";
    }
    out += "</tbody></table>";
    if (!table.note.empty())
        out += "<p class=\"note\">" + escaped(table.note) + "</p>";
    out += table.folded ? "</div></details>\n" : "</div>\n";
}

std::string htmlHead(const std::string& title, const std::string& subtitle)
{
    return fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n"
                       "<meta name=\"generator\" content=\"Loadstone {}\">\n"
                       "<title>{}</title>\n<style>{}</style></head>\n<body>\n<main>\n<h1>{}</h1>\n"
                       "<p class=\"subtitle\">{}</p>\n",
        versionText(), escaped(title), kStyle, escaped(title), escaped(subtitle));
}

std::string htmlFoot()
{
    return fmt::format("<footer>Made by Loadstone {}.</footer>\n</main></body></html>\n", versionText());
}

namespace {

/// The words of the user, below the title: the note line by line, then the tags.
void writeRemarks(const Report& report, std::string& out)
{
    if (!report.note.empty())
        out += "<p class=\"remark\">" + escaped(report.note) + "</p>\n";
    if (!report.tags.empty())
        out += "<p class=\"subtitle\">Tags: " + escaped(joined(report.tags, ", ")) + "</p>\n";
}

void writeVerdict(const Report& report, std::string& out)
{
    out += fmt::format("<div class=\"verdict {}\"><p class=\"headline\">{}</p>",
        report.verdict.good() ? "good" : "bad", escaped(report.verdict.headline));
    for (const std::string& sentence : report.sentences)
        out += "<p>" + escaped(sentence) + "</p>";
    out += "</div>\n";
}

std::string toHtml(const Report& report)
{
    std::string out = htmlHead(report.title, report.subtitle);
    writeRemarks(report, out);
    writeVerdict(report, out);
    for (const Section& section : report.sections) {
        out += "<section><h2>" + escaped(section.heading) + "</h2>\n";
        if (!section.introduction.empty())
            out += "<p>" + escaped(section.introduction) + "</p>\n";
        if (!section.picture.empty())
            out += "<figure class=\"diagram\">" + section.picture + "</figure>\n";
        for (const Table& table : section.tables)
            appendHtml(out, table);
        for (const Chart& chart : section.charts)
            out += chartFigure(chart);
        out += "</section>\n";
    }
    // Open, because paper has nothing to click on.
    out += fmt::format(
        "<section><h2>Plan</h2><details open><summary>{}, as run, passwords taken out</summary><pre>{}</pre>"
        "</details></section>\n",
        escaped(report.planName), escaped(report.planText));
    return out + htmlFoot();
}

} // namespace
} // namespace report

Result<void> writeHtmlReport(
    const Recording& recording, const std::filesystem::path& to, const std::optional<TimeWindow>& window)
{
    const auto report = report::buildReport(recording, window);
    if (!report)
        return report.error();
    return writeFileAtomically(to, report::toHtml(*report));
}

} // namespace loadstone
