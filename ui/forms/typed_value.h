// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>

#include <string>

namespace loadstone::ui {

/// Writes what a person typed into a field. What fits no value of the key ("many" for a number) is written as a text: so it is
/// kept like the rest, and the document's problems name it.
Result<void> writeTyped(Document& document, const std::string& path, const std::string& words);

} // namespace loadstone::ui
