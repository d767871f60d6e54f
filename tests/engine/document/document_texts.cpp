// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_texts.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

using loadstone::document::Node;
using loadstone::document::Path;
namespace document = loadstone::document;

namespace {

std::vector<std::filesystem::path> filesIn(std::initializer_list<const char*> folders)
{
    std::vector<std::filesystem::path> files;
    for (const char* folder : folders) {
        std::error_code none; // a folder may come with another part of the program
        for (const auto& entry :
            std::filesystem::directory_iterator(std::filesystem::path(LOADSTONE_SOURCE_DIR) / folder, none))
            if (entry.path().extension() == ".toml")
                files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// All headers of a text, by line, with the path of their table.
std::vector<std::pair<int, Path>> headersOf(const std::string& text)
{
    std::vector<std::string> lines { "" };
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find('\n', i), text.size());
        lines.push_back(text.substr(i, end - i));
        i = end + 1;
    }
    std::vector<std::pair<int, Path>> headers;
    forEachNode(parsed(text), "", [&](const std::string& path, const Node& node) {
        const auto line = static_cast<std::size_t>(node.begin.line);
        if (node.kind != Node::Kind::table || node.isInline || path.empty() || line >= lines.size())
            return;
        const std::size_t mark = line == 1 && text.starts_with("\xef\xbb\xbf") ? 3 : 0;
        const std::size_t first = lines[line].find_first_not_of(" \t", mark);
        if (first != std::string::npos && lines[line][first] == '[')
            headers.emplace_back(node.begin.line, document::parsePath(path));
    });
    std::sort(headers.begin(), headers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // A table that a header below it implies has that header's place.
    const auto implied = [&](const auto& header) {
        return std::any_of(headers.begin(), headers.end(), [&](const auto& other) {
            return other.first == header.first && other.second.size() > header.second.size();
        });
    };
    std::vector<std::pair<int, Path>> own;
    std::remove_copy_if(headers.begin(), headers.end(), std::back_inserter(own), implied);
    return own;
}

} // namespace

std::vector<std::filesystem::path> goodFiles()
{
    return filesIn({ "resources/plans", "resources/profiles", "resources/labs", "tests/plans/good" });
}

std::vector<std::filesystem::path> badFiles()
{
    return filesIn({ "tests/plans/bad", "tests/labs/bad" });
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

Node parsed(const std::string& text)
{
    return std::get<Node>(loadstone::document::parseDocument(text));
}

bool isHeaded(const Node& node)
{
    return node.kind == Node::Kind::table ? !node.isInline
                                          : node.kind == Node::Kind::array && !node.items.empty()
            && node.items[0].kind == Node::Kind::table && isHeaded(node.items[0]);
}

void forEachNode(const Node& node, const std::string& path, const Visit& visit)
{
    visit(path, node);
    for (const loadstone::document::Member& member : node.members)
        forEachNode(member.value,
            (path.empty() ? "" : path + ".") + loadstone::document::spellKey(member.key), visit);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        forEachNode(node.items[i], path + "[" + std::to_string(i) + "]", visit);
}

Lines commentsOf(const std::string& text)
{
    Lines comments;
    std::string quote; // that closes the text in which we are; empty: none
    for (std::size_t i = 0; i < text.size();) {
        if (!quote.empty()) {
            if (text[i] == '\\' && quote[0] == '"') {
                i += 2;
            } else if (text.compare(i, quote.size(), quote) == 0) {
                i += quote.size();
                while (quote.size() == 3 && i < text.size() && text[i] == quote[0])
                    ++i;
                quote.clear();
            } else {
                ++i;
            }
        } else if (text[i] == '"' || text[i] == '\'') {
            const std::string three(3, text[i]);
            quote = text.compare(i, 3, three) == 0 ? three : std::string(1, text[i]);
            i += quote.size();
        } else if (text[i] == '#') {
            const std::size_t end = std::min(text.find_first_of("\r\n", i), text.size());
            comments.insert(text.substr(i, end - i));
            i = end;
        } else {
            ++i;
        }
    }
    return comments;
}

Lines linesOf(const std::string& text)
{
    Lines lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.find_first_not_of(" \t") != std::string::npos)
            lines.insert(line);
    }
    return lines;
}

Lines linesOfEntry(const std::string& text, const Path& entry)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find('\n', i), text.size());
        lines.push_back(text.substr(i, end - i));
        i = end + 1;
    }
    const auto first = [&](std::size_t line) {
        const std::size_t found = lines[line].find_first_not_of(" \t\r");
        return found == std::string::npos ? '\0' : lines[line][found];
    };
    const auto headers = headersOf(text);
    const auto topOf = [&](std::size_t header) {
        auto line = static_cast<std::size_t>(headers[header].first) - 1;
        while (line > 0 && first(line - 1) == '#')
            --line;
        return line;
    };
    Lines own;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        if (!document::startsWith(headers[i].second, entry))
            continue;
        const std::size_t limit = i + 1 < headers.size() ? topOf(i + 1) : lines.size();
        const bool nextIsOwn = i + 1 < headers.size() && document::startsWith(headers[i + 1].second, entry);
        std::size_t end = limit;
        if (!nextIsOwn) { // back over the gap: blank lines, and comments that have one above them
            std::size_t content = limit;
            const auto header = static_cast<std::size_t>(headers[i].first);
            while (content > header && (first(content - 1) == '\0' || first(content - 1) == '#'))
                --content;
            end = content;
            while (end < limit && first(end) == '#')
                ++end;
        }
        const std::size_t begin = topOf(i);
        for (std::size_t line = begin; line < end; ++line) {
            std::string written = lines[line];
            if (written.ends_with('\r'))
                written.pop_back();
            if (first(line) != '\0')
                own.insert(written);
        }
    }
    return own;
}
