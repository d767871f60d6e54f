// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace loadstone::test {

/// A good profile in which each table of a profile stands.
extern const char* const kProfile;

/// Good plans that together have a place for each key of plans: of each kind, pacing and source of counters. "p" is their profile.
const std::vector<const char*>& plans();

} // namespace loadstone::test
