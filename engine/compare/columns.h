// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// What is known of a column, and of a column against the baseline, as far as it does not depend on the row.
namespace loadstone::compare {

struct ColumnFacts {
    std::vector<bool> counts; ///< each run; all of them where none does, and then `reason` says why
    std::vector<std::string> audit; ///< differing facts of the audit
    bool shared = false; ///< a run is in the baseline, too
    std::string poolingKey; ///< of the first run that counts
    bool external = false;
    std::string reason; ///< why nothing of it can be compared; empty: it can
};
/// A run of the history or of a recording.
bool isOwn(const ComparedRun& run);
/// The column by itself; its cautions, and why it cannot be compared with anything.
ColumnFacts lookAtColumn(const ComparedColumn& column, ColumnStatus& status);
/// The same against the baseline.
void holdAgainst(const ComparedColumn& baseline, const ColumnFacts& base, const ComparedColumn& column,
    ColumnFacts& facts, ColumnStatus& status);

/// Runs of the baseline's configuration before and after others: in a column of their own, or in the baseline's.
struct Control {
    std::optional<std::size_t> column;
    /// The baseline's first and last runs, with runs of others between: in the order A B B A A B its first, and its second and third.
    /// Empty where there is a column, or no run of another one between two of the baseline.
    std::vector<std::size_t> before, after;
    bool around = false; ///< all runs of the baseline are before or after all runs of the others
};
Control findControl(const std::vector<ComparedColumn>& columns, const CompareOptions& options,
    const std::vector<ColumnFacts>& facts);

} // namespace loadstone::compare
