// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "signals.h"

#include <loadstone/report.h>
#include <loadstone/run.h>

#include <fmt/format.h>

#include <unistd.h>

namespace loadstone::cli {

int rehearse(const RehearseCommand& command)
{
    RehearsalOptions options = command.options;
    const auto plan = openPlan(command.plan);
    if (!plan)
        return kBadInput;
    options.plan = plan->file;
    catchSignals();
    const bool shows = !command.quiet && !command.json && ::isatty(STDERR_FILENO) == 1;
    options.progress = [shows](double share) {
        if (shows)
            showProgress(fmt::format("rehearsing {:.0f} %", share * 100), 0, stderr);
        return stopSignal() == 0;
    };
    const auto rehearsal = loadstone::rehearse(options);
    if (shows)
        showProgress({}, 0, stderr);
    if (!rehearsal && stopSignal() != 0)
        return 128 + stopSignal();
    if (!rehearsal)
        return complain(rehearsal.error().message, isUnusablePlan(rehearsal.error()) ? kBadInput : kFailed);
    say(command.json ? formatRehearsalJson(*rehearsal) + "\n" : formatRehearsal(*rehearsal));
    return kGood;
}

} // namespace loadstone::cli
