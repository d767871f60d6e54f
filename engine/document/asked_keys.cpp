// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/asked_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::document {

namespace {

thread_local AskedKeys* t_current = nullptr;

} // namespace

AskedKeys::AskedKeys()
{
    t_current = this;
}

AskedKeys::~AskedKeys()
{
    t_current = nullptr;
}

AskedKeys* AskedKeys::current() noexcept
{
    return t_current;
}

void AskedKeys::ask(
    FileKind kind, const std::string& path, const KeyRow* row, std::initializer_list<KeyType> types)
{
    m_asked.emplace(kind, path);
    if (row == nullptr)
        m_faults.insert(fmt::format("{}: the table of {}s has no row {}", path, toString(kind), path));
    else if (types.size() > 0 && std::ranges::find(types, row->type) == types.end())
        m_faults.insert(fmt::format(
            "{}: the row says {}, the reader takes {}", path, toString(row->type), toString(*types.begin())));
}

void AskedKeys::compare(const KeyRow& row, const std::vector<const char*>& choices)
{
    for (const std::string_view choice : row.choices)
        if (std::ranges::find(choices, choice) == choices.end())
            m_faults.insert(fmt::format("{}: the reader does not know \"{}\"", row.path, choice));
    for (const char* choice : choices)
        if (std::ranges::find(row.choices, choice) == row.choices.end())
            m_further.insert(fmt::format("{}: {}", row.path, choice));
}

} // namespace loadstone::document
