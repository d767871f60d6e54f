// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/layout.h"

#include <algorithm>
#include <map>

namespace loadstone::document {

namespace {

using Kind = Statement::Kind;

/// Finds to which entries of lists the headers of a text belong.
class Scopes {
public:
    Path enter(const std::vector<std::string>& keys, bool isEntry)
    {
        Path path;
        Scope* scope = &m_root;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            scope = &scope->below[keys[i]];
            path.emplace_back(keys[i]);
            if (isEntry && i + 1 == keys.size()) {
                ++scope->entries;
                scope->below.clear();
            }
            if (scope->entries > 0)
                path.emplace_back(scope->entries - 1);
        }
        return path;
    }

private:
    struct Scope {
        std::map<std::string, Scope, std::less<>> below; ///< of a list: of its last entry
        std::size_t entries = 0; ///< of a list
    };
    Scope m_root;
};

/// Reads one statement after another.
class Reader {
public:
    explicit Reader(std::string_view text)
        : m_text(text)
        , m_at(text.starts_with("\xef\xbb\xbf") ? 3 : 0)
    {
        m_layout.blocks.emplace_back();
        const auto end = text.find('\n');
        m_layout.newLine = end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
    }

    std::optional<Layout> read()
    {
        while (m_at < m_text.size())
            if (!readStatement())
                return std::nullopt;
        boundBlocks();
        return std::move(m_layout);
    }

private:
    bool readStatement()
    {
        Statement statement;
        statement.lines.begin = m_at;
        auto at = skipBlanks(m_text, m_at);
        const char first = at < m_text.size() ? m_text[at] : '\n';
        bool good = true;
        if (first == '#')
            statement.kind = Kind::comment;
        else if (first == '[')
            good = readHeader(statement, at);
        else if (first != '\n' && first != '\r')
            good = readPair(statement, at);
        at = skipBlanks(m_text, at);
        if (!good || (at < m_text.size() && m_text[at] != '#' && m_text[at] != '\n' && m_text[at] != '\r'))
            return false;
        m_at = std::min(m_text.find('\n', at), m_text.size() - 1) + 1;
        statement.lines.end = m_at;
        statement.block = m_layout.blocks.size() - 1;
        m_layout.statements.push_back(std::move(statement));
        return true;
    }

    bool readHeader(Statement& statement, std::size_t& at)
    {
        const bool isEntry = m_text.substr(at, 2) == "[[";
        at += isEntry ? 2 : 1;
        const auto keys = readDottedKey(m_text, at);
        const std::string_view close = isEntry ? "]]" : "]";
        if (!keys || m_text.substr(at, close.size()) != close)
            return false;
        at += close.size();
        statement.kind = Kind::header;
        Block block;
        block.path = m_scopes.enter(*keys, isEntry);
        block.isEntry = isEntry;
        block.header = m_layout.statements.size();
        m_layout.blocks.push_back(std::move(block));
        return true;
    }

    bool readPair(Statement& statement, std::size_t& at)
    {
        auto keys = readDottedKey(m_text, at);
        if (!keys || at >= m_text.size() || m_text[at] != '=')
            return false;
        const auto begin = skipBlanks(m_text, at + 1);
        const auto end = endOfValue(m_text, begin);
        if (!end)
            return false;
        statement.kind = Kind::pair;
        statement.keys = *std::move(keys);
        statement.value = { begin, *end };
        at = *end;
        return true;
    }

    void boundBlocks()
    {
        const auto& statements = m_layout.statements;
        for (std::size_t i = 0; i < m_layout.blocks.size(); ++i) {
            Block& block = m_layout.blocks[i];
            const bool isLast = i + 1 == m_layout.blocks.size();
            std::size_t limit = isLast ? statements.size() : m_layout.blocks[i + 1].header;
            if (!isLast) { // the comments directly above the next header are that one's
                while (limit > 0 && statements[limit - 1].kind == Kind::comment)
                    --limit;
                m_layout.blocks[i + 1].begin = limit;
            }
            std::size_t last = limit;
            while (last > block.begin && statements[last - 1].kind != Kind::pair
                && statements[last - 1].kind != Kind::header)
                --last;
            block.end = last;
            if (last > block.begin)
                while (block.end < limit && statements[block.end].kind == Kind::comment)
                    ++block.end;
        }
    }

    std::string_view m_text;
    std::size_t m_at;
    Scopes m_scopes;
    Layout m_layout;
};

} // namespace

Path Layout::pathOf(const Statement& pair) const
{
    Path path = blocks[pair.block].path;
    path.insert(path.end(), pair.keys.begin(), pair.keys.end());
    return path;
}

bool Layout::isBelow(const Statement& statement, const Path& path) const
{
    if (statement.kind != Kind::header && statement.kind != Kind::pair)
        return false;
    const Path& own = blocks[statement.block].path;
    const std::size_t shared = std::min(own.size(), path.size());
    if (!std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(shared), own.begin())
        || path.size() - shared > statement.keys.size())
        return false;
    for (std::size_t i = shared; i < path.size(); ++i)
        if (path[i] != PathStep(statement.keys[i - shared]))
            return false;
    return true;
}

std::vector<bool> Layout::statementsOf(const Path& path) const
{
    std::vector<bool> own(statements.size(), false);
    const Block* before = nullptr; // the block directly before, where it belongs to the path as well
    const auto inOneEntry = [&](const Path& a, const Path& b) {
        const bool isList = b.size() > path.size() && std::holds_alternative<std::size_t>(b[path.size()]);
        return !isList || (a.size() > path.size() && a[path.size()] == b[path.size()]);
    };
    for (const Block& block : blocks) {
        if (!startsWith(block.path, path)) {
            before = nullptr;
            continue;
        }
        const bool goesOn = before != nullptr && inOneEntry(before->path, block.path);
        for (std::size_t i = goesOn ? before->end : block.begin; i < block.end; ++i)
            own[i] = true;
        before = &block;
    }
    for (std::size_t i = 0; i < statements.size(); ++i)
        if (statements[i].kind == Kind::pair && isBelow(statements[i], path))
            own[i] = true;
    return own;
}

std::optional<Layout> readLayout(std::string_view text)
{
    return Reader(text).read();
}

} // namespace loadstone::document
