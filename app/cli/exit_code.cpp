// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

namespace loadstone::cli {

ExitCode exitCodeOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::met:
    case Verdict::measured:
    case Verdict::done:
    case Verdict::running:
        return kGood;
    case Verdict::notMet:
        return kNotMet;
    case Verdict::wentWrong:
        return kAuditBad;
    case Verdict::nothingSucceeded:
        return kNothingSucceeded;
    case Verdict::invalid:
    case Verdict::notDone:
    case Verdict::nothingMeasured:
    case Verdict::cutShort:
        return kInvalid;
    case Verdict::failed:
    case Verdict::unreadable:
        break;
    }
    return kFailed;
}

} // namespace loadstone::cli
