// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/lab/lab_value.h"

#include <loadstone/result.h>
#include <loadstone/table.h>

#include <string>
#include <string_view>
#include <vector>

/// A cell of a lab's table as its file writes it: words, and holes that the lab fills.
///
///     {cpu.count} x {cpu.speed} {cpu.model}[ ({cpu.cores.sum word} cores)]
///
/// A hole has a name (see figureOf()), or several with + * / between them, computed from left to right, * and / first. Words after
/// it say how it is printed:
///
///     close      as written, without the blank before the unit: 9.1GB
///     in GB      the number in this unit, without it; in K: in thousands
///     .2         the number with so many decimals
///     grouped    the number with separators of thousands: 15,000
///     word Word  the number as a word up to a hundred: four, Fifty-four
///     fold Fold  single, dual, triple, quad
///     percent    a share of 1 in whole per cent, without the sign
///     hex8       the number with eight hexadecimal digits
///     us         a date as month/day/year
///     yesno      Yes or No; enabled: enabled or disabled
///     bits       a speed as an adjective: gigabit, 100-megabit
///     spelled    SAS as Serial Attached SCSI, IDE as Integrated Drive Electronics
///     lower Capital Title
///
/// `{x|N/A}` prints N/A where x is "none", 0 or an empty list; a value that is absent is "not stated". What stands in square brackets
/// is left out when one of its holes is absent. {{ }} [[ ]] are the characters themselves.
namespace loadstone::report {

struct CellHole {
    std::vector<std::string> operands;
    std::vector<char> operators; ///< between them: + * /
    std::vector<std::string> modifiers; ///< "in GB" is one
    std::string none; ///< behind |
    bool hasNone = false;
};

struct CellPart {
    std::string text; ///< of words
    CellHole hole;
    bool isHole = false;
    int option = 0; ///< which square brackets it stands in, from 1; 0: none
};

struct CellPattern {
    std::vector<CellPart> parts;
};

/// Longest pattern, in bytes.
inline constexpr std::size_t kLongestPattern = 4096;
/// What a cell holds at most, in bytes; more is cut.
inline constexpr std::size_t kLongestCell = 16384;

/// The Error's message says what is wrong and what would be right.
Result<CellPattern> parsePattern(std::string_view text);

/// What a cell says, and what it could not say.
struct PrintedCell {
    Cell cell { "" };
    std::vector<std::string> unknown; ///< names that the lab has no item or key for
};
PrintedCell printPattern(const CellPattern& pattern, const LabScope& scope);

} // namespace loadstone::report
