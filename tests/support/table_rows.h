// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/table.h>

#include <string>
#include <vector>

// So that tests compare rows of tables with the texts that people see. In the namespace of the cells, where tests' frameworks
// look for it.
namespace loadstone {

inline bool operator==(const std::vector<Cell>& row, const std::vector<std::string>& texts)
{
    bool same = row.size() == texts.size();
    for (std::size_t i = 0; same && i < row.size(); ++i)
        same = row[i].text() == texts[i];
    return same;
}

inline bool operator==(
    const std::vector<std::vector<Cell>>& rows, const std::vector<std::vector<std::string>>& texts)
{
    bool same = rows.size() == texts.size();
    for (std::size_t i = 0; same && i < rows.size(); ++i)
        same = rows[i] == texts[i];
    return same;
}

} // namespace loadstone
