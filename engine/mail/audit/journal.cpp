// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/audit/journal.h"

#include <algorithm>

namespace loadstone::mail {

void JournalPages::clear()
{
    accepted.clear();
    retrieved.clear();
    foreign.clear();
    damages.clear();
    reads.clear();
    errors.clear();
    transcripts.clear();
    findings.clear();
    followed = oracleCompared = oracleChecks = 0;
    notes.clear();
    warnings.clear();
    trace.clear();
}

namespace {

/// The first line of what was said, bounded once the secret is out of it: half a secret would not be found.
std::string wordsOf(const protocol::Failure& failure, const std::string& secret)
{
    constexpr std::size_t kMost = 200;
    std::string words = failure.text.substr(0, failure.text.find_first_of("\r\n"));
    for (std::size_t at = secret.empty() ? words.npos : words.find(secret); at != words.npos;
         at = words.find(secret, at + 3))
        words.replace(at, secret.size(), "***");
    words.resize(std::min(words.size(), kMost));
    return words;
}

} // namespace

void countError(JournalPages& pages, const std::string& where, const protocol::Failure& failure,
    const std::string& secret)
{
    const FailureKind kind = failure.kind;
    std::string words = wordsOf(failure, secret);
    std::size_t wordings = 0;
    for (metrics::ErrorCount& row : pages.errors) {
        if (row.where != where || row.kind != kind || row.code != failure.code)
            continue;
        wordings += row.text.empty() ? 0 : 1;
        if (row.text == words || (row.text.empty() && wordings >= kMostWordings)) {
            ++row.count;
            return;
        }
    }
    if (wordings >= kMostWordings)
        words.clear();
    pages.errors.push_back({ where, kind, failure.code, 1, std::move(words) });
}

} // namespace loadstone::mail
