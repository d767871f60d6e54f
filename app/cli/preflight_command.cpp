// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ask_password.h"
#include "commands.h"
#include "signals.h"

#include <loadstone/report.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

namespace loadstone::cli {

std::string formatFindings(const Preflight& result, Severity least)
{
    std::string out;
    for (const PreflightFinding& finding : result.findings) {
        if (finding.severity < least)
            continue;
        out += fmt::format("{:<8}{}: {}\n",
            finding.severity == Severity::info ? "ok" : toString(finding.severity),
            plainText(finding.subject), plainText(finding.found));
        if (!finding.effect.empty())
            out += fmt::format("        -> {}\n", plainText(finding.effect));
    }
    return out;
}

int preflight(const PreflightCommand& command)
{
    PreflightOptions options = command.options;
    const auto plan = openPlan(command.plan);
    if (!plan)
        return kBadInput;
    options.plan = plan->file;
    options.agreed = agreedOf(*plan, command.allowCommands);
    const auto password = askPassword(*plan);
    if (!password)
        return complain(password.error().message, kBadInput);
    options.password = *password;
    catchSignals();
    const bool shows = !command.json && ::isatty(STDERR_FILENO) == 1;
    options.progress = [shows](const std::string& doing) {
        if (shows)
            showProgress(doing, 70, stderr);
        return stopSignal() == 0;
    };
    const auto result = loadstone::preflight(options);
    if (shows)
        showProgress({}, 0, stderr);
    if (!result && stopSignal() != 0)
        return 128 + stopSignal();
    if (!result)
        return complain(result.error().message, isUnusablePlan(result.error()) ? kBadInput : kFailed);
    if (command.json) {
        nlohmann::ordered_json json { { "passed", result->passed() },
            { "findings", nlohmann::json::array() } };
        for (const PreflightFinding& finding : result->findings)
            json["findings"].push_back({ { "severity", toString(finding.severity) },
                { "subject", finding.subject }, { "found", finding.found }, { "effect", finding.effect } });
        say(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    } else if (plan->target == "embedded target" && result->findings.empty())
        say("The embedded target starts with the run: there is nothing to check before.\n");
    else
        say(formatFindings(*result, Severity::info)
            + (result->passed() ? "Nothing prevents the run.\n"
                                : "The run as planned will fail; see the errors above.\n"));
    return result->passed() ? kGood : kBadInput;
}

} // namespace loadstone::cli
