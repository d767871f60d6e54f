// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/typed_value.h"

namespace loadstone::ui {

Result<void> writeTyped(Document& document, const std::string& path, const std::string& words)
{
    return document.setText(path, words) ? Result<void>() : document.set(path, tomlText(words));
}

} // namespace loadstone::ui
