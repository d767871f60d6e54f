// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/toml_context.h"

#include <loadstone/document.h>

#include <QString>

#include <vector>

namespace loadstone::ui {

/// One thing that can stand at the cursor.
struct Suggestion {
    QString words; ///< as the list shows it
    QString insert; ///< replaces columns `from` to `to` of the context
    QString help; ///< what it means
    int back = 0; ///< characters that the cursor goes back afterwards: into the quotes
};

/// What the table of keys offers at a place: keys that the present table lacks and that apply, choices of values, tables. `whole` is the
/// text as it last was TOML, which says which keys apply.
std::vector<Suggestion> suggestionsAt(FileKind kind, const TomlContext& context, const Document& whole);
/// The help of the key, table or value at a place, in one line; empty: there is none.
QString helpAt(FileKind kind, const TomlContext& context);

} // namespace loadstone::ui
