// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/also_in_plan.h"

#include "format.h"
#include "forms/key_conditions.h"
#include "forms/key_words.h"

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr qsizetype kMost = 50;

bool isBare(const std::string& key)
{
    return !key.empty() && std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '-';
    });
}

class Walk {
public:
    Walk(const Document& document, const std::set<std::string>& keys)
        : m_document(document)
        , m_keys(keys)
    {
    }
    QStringList take()
    {
        visit({}, {});
        return m_found;
    }

private:
    /// Of a table with the place `path`, which the table of keys calls `generic`.
    void visit(const std::string& path, const std::string& generic)
    {
        for (const std::string& key : m_document.keys(path)) {
            const std::string name = isBare(key) ? key : tomlText(key);
            look(path.empty() ? name : path + "." + name, generic.empty() ? key : generic + "." + key);
        }
    }

    void look(const std::string& path, const std::string& generic)
    {
        if (m_found.size() >= kMost)
            return;
        const KeyRow* row = findKey(FileKind::plan, generic);
        if (row == nullptr || isOfOtherKind(m_document, *row) || !m_keys.contains(std::string(row->path))) {
            m_found.append(text(path));
            return;
        }
        const bool isTable = !m_document.keys(path).empty() || isEmptyTable(path);
        const bool isList = m_document.size(path) > 0 || m_document.get(path) == "[]";
        if (row->type == KeyType::tables && isList) {
            for (std::size_t i = 0; i < m_document.size(path); ++i)
                visit(path + "[" + std::to_string(i) + "]", generic + "[]");
            return;
        }
        if (row->type == KeyType::table && isTable)
            return visit(path, generic);
        if (row->type == KeyType::secret && isTable)
            return visit(path, generic);
        const bool wantsList = row->type == KeyType::texts || row->type == KeyType::numbers;
        const bool isPlain = m_document.getText(path).has_value();
        if (row->type == KeyType::table || row->type == KeyType::tables || (wantsList ? !isList : !isPlain))
            m_found.append(text(path));
    }

    [[nodiscard]] bool isEmptyTable(const std::string& path) const
    {
        return m_document.has(path) && !m_document.getText(path) && m_document.size(path) == 0
            && m_document.get(path).value_or("{}").starts_with('{');
    }

    const Document& m_document;
    const std::set<std::string>& m_keys;
    QStringList m_found;
};

} // namespace

QStringList alsoInPlan(const Document& document, const std::set<std::string>& keys)
{
    return document.isWellFormed() ? Walk(document, keys).take() : QStringList();
}

} // namespace loadstone::ui
