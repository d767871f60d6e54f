// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/judgement.h>
#include <loadstone/report.h>
#include <loadstone/units.h>

namespace loadstone::cli {

namespace {

/// The profile whose weights stand for LsLog's where no run brings its own.
constexpr const char* kDefaultWeights = "medium-5.5";

Result<std::optional<Nanoseconds>> readTime(const std::string& text, const char* option)
{
    if (text.empty())
        return std::optional<Nanoseconds>();
    const auto time = parseDuration(text);
    if (!time)
        return time.error().within(option);
    return std::optional(*time);
}

} // namespace

int score(const ScoreCommand& command)
{
    ScoreOptions options;
    options.percentile = command.percentile;
    const auto from = readTime(command.from, "--from");
    const auto to = readTime(command.to, "--to");
    if (!from || !to)
        return complain(from ? to.error().message : from.error().message, kBadInput);
    options.from = *from;
    options.to = *to;
    if (!command.weights.empty())
        options.weights = findWeights(command.weights);
    const bool given = !command.given.empty();
    if (given != command.run.empty())
        return complain("name a run, or percentiles with --given", kBadInput);
    const auto print = [&](const Result<Score>& result) -> int {
        if (!result)
            return complain(result.error().message, kBadInput);
        say(command.json ? formatScoreJson(*result) + "\n" : formatScore(*result));
        return kGood;
    };
    if (given) {
        if (options.weights.empty())
            options.weights = findWeights(kDefaultWeights);
        return print(scoreOf(command.given, options));
    }
    const auto recording = openRun(command.history, command.run, command.target);
    if (!recording)
        return complain(recording.error().message, kBadInput);
    if (command.steady) {
        const auto states = findSteadyStates(*recording);
        if (!states)
            return complain(states.error().message, kFailed);
        if (states->empty() || !states->back().window)
            return complain(
                "the run's last mix did not become steady; see what `loadstone show` says, or name a window",
                kBadInput);
        options.from = states->back().window->begin;
        options.to = states->back().window->end;
    }
    return print(computeScore(*recording, options));
}

} // namespace loadstone::cli
