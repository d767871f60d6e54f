// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/judgement.h>
#include <loadstone/results.h>

/// How reports word and round what they say. Every writer for people uses these.
namespace loadstone::report {

constexpr bool kText = false; ///< of a column: its cells are no numbers

std::string count(std::uint64_t value); ///< "83,300"
std::string grouped(double value, int decimals); ///< "29,420.99"
std::string rate(double perSecond); ///< "0.42", "17.99", "1,234"
/// Of a share, with its sign: "+7.9 %"; "0.0 %" where it rounds to none.
std::string difference(double share);
std::string plural(std::uint64_t n, const char* noun); ///< "1 message", "2 messages"
/// Whole, or cut with dots to `width` characters; counts UTF-8 characters, not bytes.
std::string shortened(const std::string& text, std::size_t width);
/// Likewise, but of a counter's path, which begins with a backslash, the middle is left out: paths differ at their end.
std::string shortenedName(const std::string& text, std::size_t width);
std::size_t textWidth(const std::string& text);

std::string clockText(Nanoseconds begin, Nanoseconds end); ///< "00:35 - 00:45"
/// What the results are of: "the measurement". Of a window that begins before a measurement, or ends after it, they have the measured part:
/// "00:35 - 00:45, what was measured of the window 00:30 - 00:45".
std::string phaseText(const RunResults& results);
/// What stands below a run's headline: all that speaks against it, then audit and oracle.
std::vector<std::string> sentencesOf(const RunResults& results, const RunVerdict& verdict);
/// "All 12,345 copies …", or what is wrong.
std::string auditSentence(const AuditTotals& audit);

} // namespace loadstone::report
