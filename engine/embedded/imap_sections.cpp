// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_sections.h"

#include "embedded/mail_store.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace loadstone::embedded {

using protocol::equalsIgnoringCase;

namespace {

bool startsWith(std::string_view text, std::string_view begin)
{
    return equalsIgnoringCase(text.substr(0, begin.size()), begin);
}

/// An item taken apart: "BODY.PEEK[section]<from.count>".
struct Section {
    std::string_view name; // within the brackets
    bool partial = false;
    std::uint64_t from = 0, count = 0;
};

std::optional<std::uint64_t> number(std::string_view text)
{
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<Section> sectionOf(std::string_view item)
{
    const std::size_t open = item.find('['), close = item.rfind(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return std::nullopt;
    const std::string_view kind = item.substr(0, open);
    if (!equalsIgnoringCase(kind, "BODY") && !equalsIgnoringCase(kind, "BODY.PEEK"))
        return std::nullopt;
    Section section;
    section.name = item.substr(open + 1, close - open - 1);
    const std::string_view rest = item.substr(close + 1);
    if (rest.empty())
        return section;
    const std::size_t dot = rest.find('.');
    if (!rest.starts_with('<') || !rest.ends_with('>') || dot == std::string_view::npos)
        return std::nullopt;
    const auto from = number(rest.substr(1, dot - 1)),
               count = number(rest.substr(dot + 1, rest.size() - dot - 2));
    if (!from || !count)
        return std::nullopt;
    section.partial = true;
    section.from = *from;
    section.count = *count;
    return section;
}

std::string_view headerOf(std::string_view text)
{
    const std::size_t end = text.find("\r\n\r\n");
    return end == std::string_view::npos ? text : text.substr(0, end + 4);
}

/// The part of that number, from 1; the text itself is part 1 where there are no others. Nested ones are not looked for.
std::string_view partOf(std::string_view text, std::uint64_t which)
{
    const std::string_view header = headerOf(text);
    const std::string_view body = text.substr(header.size());
    const std::string_view type = headerField(header, "Content-Type");
    const std::size_t mark = type.find("boundary=\"");
    if (!startsWith(type, "multipart/") || mark == std::string_view::npos)
        return which == 1 ? body : std::string_view();
    const std::string_view boundary = type.substr(mark + 10, type.find('"', mark + 10) - mark - 10);
    const std::string line = "--" + std::string(boundary);
    std::size_t at = body.find(line);
    while (at != std::string_view::npos && --which > 0)
        at = body.find(line, at + line.size());
    if (at == std::string_view::npos || body.substr(at + line.size()).starts_with("--"))
        return {};
    const std::size_t begin = body.find("\r\n\r\n", at); // behind the part's own header
    if (begin == std::string_view::npos)
        return {};
    const std::size_t end = std::min(body.find("\r\n" + line, begin + 2), body.size());
    return end < begin + 4 ? std::string_view() : body.substr(begin + 4, end - begin - 4);
}

/// The fields that the section names, or all but these, with the empty line that ends a header.
std::string fieldsOf(std::string_view header, std::string_view section)
{
    const bool others = startsWith(section, "HEADER.FIELDS.NOT");
    const std::size_t open = section.find('('), close = section.rfind(')');
    const std::string_view names =
        open == std::string_view::npos || close == std::string_view::npos || close < open
        ? std::string_view()
        : section.substr(open + 1, close - open - 1);
    const auto named = [&](std::string_view field) {
        std::string_view rest = names;
        while (!rest.empty()) {
            const std::size_t blank = std::min(rest.find(' '), rest.size());
            if (equalsIgnoringCase(rest.substr(0, blank), field))
                return true;
            rest.remove_prefix(std::min(blank + 1, rest.size()));
        }
        return false;
    };
    std::string found;
    bool wanted = false;
    for (std::size_t begin = 0; begin < header.size();) {
        const std::size_t end = std::min(header.find("\r\n", begin), header.size() - 2) + 2;
        const std::string_view line = header.substr(begin, end - begin);
        begin = end;
        if (line == "\r\n")
            break;
        if (line.front() != ' ' && line.front() != '\t') // else it goes on with the field above
            wanted = named(line.substr(0, line.find(':'))) != others;
        if (wanted)
            found += line;
    }
    return found + "\r\n";
}

} // namespace

bool isFetchItem(std::string_view item)
{
    for (const char* known :
        { "UID", "FLAGS", "RFC822.SIZE", "INTERNALDATE", "RFC822", "RFC822.HEADER", "RFC822.TEXT" })
        if (equalsIgnoringCase(item, known))
            return true;
    const auto section = sectionOf(item);
    if (!section)
        return false;
    const std::string_view name = section->name;
    return name.empty() || number(name) || equalsIgnoringCase(name, "HEADER")
        || equalsIgnoringCase(name, "TEXT") || startsWith(name, "HEADER.FIELDS");
}

bool marksAsSeen(std::string_view item)
{
    return startsWith(item, "BODY[") || equalsIgnoringCase(item, "RFC822")
        || equalsIgnoringCase(item, "RFC822.TEXT");
}

void appendFetchSection(std::string& out, std::string_view item, std::string_view text)
{
    const auto literal = [&out](std::string_view name, std::string_view content) {
        out += fmt::format("{} {{{}}}\r\n", name, content.size());
        out += content;
    };
    const std::string_view header = headerOf(text);
    if (equalsIgnoringCase(item, "RFC822"))
        return literal("RFC822", text);
    if (equalsIgnoringCase(item, "RFC822.HEADER"))
        return literal("RFC822.HEADER", header);
    if (equalsIgnoringCase(item, "RFC822.TEXT"))
        return literal("RFC822.TEXT", text.substr(header.size()));
    const Section section = *sectionOf(item);
    std::string made;
    std::string_view content = text;
    if (startsWith(section.name, "HEADER.FIELDS"))
        content = made = fieldsOf(header, section.name);
    else if (equalsIgnoringCase(section.name, "HEADER"))
        content = header;
    else if (equalsIgnoringCase(section.name, "TEXT"))
        content = text.substr(header.size());
    else if (const auto part = number(section.name))
        content = partOf(text, *part);
    std::string name = fmt::format("BODY[{}]", section.name);
    if (section.partial) {
        content = content.substr(std::min<std::uint64_t>(section.from, content.size()),
            std::min<std::uint64_t>(section.count, content.size()));
        name += fmt::format("<{}>", section.from);
    }
    literal(name, content);
}

} // namespace loadstone::embedded
