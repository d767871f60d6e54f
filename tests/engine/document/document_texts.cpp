// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_texts.h"

#include "document/key_names.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using loadstone::document::Node;

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

std::multiset<std::string> commentsOf(const std::string& text)
{
    std::multiset<std::string> comments;
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

std::multiset<std::string> linesOf(const std::string& text)
{
    std::multiset<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.find_first_not_of(" \t") != std::string::npos)
            lines.insert(line);
    }
    return lines;
}
