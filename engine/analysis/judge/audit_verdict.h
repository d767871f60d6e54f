// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <string>

namespace loadstone::analysis {

/// Copies that the server lost, delivered twice or damaged.
std::uint64_t wrongCopies(const AuditTotals& audit);
/// Whether the audit is decided. It is not while a copy is outstanding: that copy may still arrive, or be lost.
bool isSettled(const AuditTotals& audit);
/// Says how many copies are outstanding, and what that means. Half a sentence, without a full stop.
std::string describeOutstanding(const AuditTotals& audit);
/// Says which mailboxes the oracle did not check: without findings they are not known to be right. Empty: it checked all. Half a sentence,
/// without a full stop.
std::string describeUnchecked(const OracleTotals& oracle, RunState state);

} // namespace loadstone::analysis
