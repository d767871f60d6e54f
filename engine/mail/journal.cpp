// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/journal.h"

namespace loadstone::mail {

void JournalPages::clear()
{
    accepted.clear();
    retrieved.clear();
    foreign.clear();
    reads.clear();
    errors.clear();
    transcripts.clear();
    findings.clear();
    followed = oracleCompared = oracleChecks = 0;
    notes.clear();
    trace.clear();
}

void countError(JournalPages& pages, const std::string& where, const protocol::Failure& failure)
{
    const char* kind = toString(failure.kind);
    for (metrics::ErrorCount& row : pages.errors) {
        if (row.where == where && row.kind == kind && row.code == failure.code) {
            ++row.count;
            return;
        }
    }
    pages.errors.push_back({ where, kind, failure.code, 1 });
}

} // namespace loadstone::mail
