// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_tables.h"

#include <iterator>

namespace loadstone::document {

std::span<const KeyRow> planKeys()
{
    static const KeyRows rows = [] {
        KeyRows all;
        for (KeyRows part : { headKeys(), targetKeys(), workloadKeys(), mixKeys(), judgementKeys(),
                 counterKeys(), rawTestKeys(), storageTestKeys() })
            all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
        completeConditions(all);
        return all;
    }();
    return rows;
}

} // namespace loadstone::document
