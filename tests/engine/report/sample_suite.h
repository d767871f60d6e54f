// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <filesystem>
#include <string>

namespace loadstone::test {

/// What a made-up suite looks like.
struct SampleSuite {
    std::size_t mixes = 2;
    int rampUp = 4, measurement = 20, rampDown = 3, quiet = 3, drain = 3; ///< seconds
    std::string title = "POP3/SMTP suite, made up";
    std::string mixSuffix = " users"; ///< behind the number, in the mixes' names
    AuditTotals audit; ///< all 0: a clean one is made from what was sent
    bool invalid = false;
};

/// Writes a finished recording whose load rises from mix to mix, as a saturating server would show it. Always
/// the same for the same suite.
void writeSampleSuite(const std::filesystem::path& file, const SampleSuite& suite = {});

} // namespace loadstone::test
