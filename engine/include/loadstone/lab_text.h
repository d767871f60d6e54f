// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/lab.h"
#include "loadstone/run_lab.h"

#include <cstddef>
#include <string>

namespace loadstone {

/// The items of a lab as a tree by containment, with counts, values and links, for a terminal.
std::string formatLab(const Lab& lab, std::size_t width = 100);
/// Items, links, variants and revision as one line of JSON. Each value has its text, number and origin.
std::string formatLabJson(const Lab& lab);
/// "Two servers, variant physical, revision 0123456789abcdef"; of a text that is not a lab the file's name. Safe for a terminal.
std::string describeLab(const RunLab& lab);

} // namespace loadstone
