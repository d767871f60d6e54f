// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <string>

namespace loadstone::report {

/// A table of a page; all of its texts are escaped.
void appendHtml(std::string& out, const Table& table);
/// A page up to the subtitle, and from its footer on.
std::string htmlHead(const std::string& title, const std::string& subtitle);
std::string htmlFoot();

} // namespace loadstone::report
