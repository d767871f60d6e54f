// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/counter_log.h>
#include <loadstone/offset.h>
#include <loadstone/recording.h>
#include <loadstone/report.h>
#include <loadstone/source.h>
#include <loadstone/units.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unistd.h>

namespace loadstone::cli {

namespace {

/// "37 min", "-90 s".
Result<Nanoseconds> parseSigned(std::string_view text)
{
    const bool negative = text.starts_with('-');
    auto length = parseDuration(text.substr(negative || text.starts_with('+') ? 1 : 0));
    return length && negative ? Result<Nanoseconds>(-*length) : length;
}

/// "0:37:00.000", "-0:01:30.250".
std::string formatOffset(Nanoseconds t)
{
    const auto all = std::chrono::round<std::chrono::milliseconds>(t < Nanoseconds(0) ? -t : t).count();
    return fmt::format("{}{}:{:02}:{:02}.{:03}", t < Nanoseconds(0) && all > 0 ? "-" : "", all / 3'600'000,
        all / 60'000 % 60, all / 1000 % 60, all % 1000);
}

/// "+01:00", "-05:30", "Z".
Result<Nanoseconds> parseZone(std::string_view text)
{
    if (text == "Z" || text == "UTC")
        return Nanoseconds(0);
    int hours = 0, minutes = 0;
    const auto number = [](std::string_view digits, int& to) {
        return std::from_chars(digits.data(), digits.data() + digits.size(), to).ptr
            == digits.data() + digits.size();
    };
    const bool good = text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':'
        && number(text.substr(1, 2), hours) && number(text.substr(4, 2), minutes) && hours >= 0 && hours <= 14
        && minutes >= 0 && minutes <= 59;
    if (!good)
        return fail(fmt::format("--zone: \"{}\" is not a zone; write it like +01:00 or UTC", text));
    const Nanoseconds zone = std::chrono::hours(hours) + std::chrono::minutes(minutes);
    return text[0] == '-' ? -zone : zone;
}

Result<AttachOptions> optionsOf(const AttachCommand& command)
{
    AttachOptions options;
    options.patterns = command.counters;
    options.role = command.role;
    options.computer = command.computer;
    if (!command.begin.empty()) {
        const auto begin = parseSigned(command.begin);
        if (!begin)
            return begin.error().within("--begin");
        options.offset = *begin;
    }
    if (!command.zone.empty()) {
        const auto zone = parseZone(command.zone);
        if (!zone)
            return zone.error();
        options.zone = *zone;
    }
    return options;
}

int listLog(const AttachCommand& command)
{
    const auto facts = readCounterLog(command.log);
    if (!facts)
        return complain(facts.error().message, kBadInput);
    const std::vector<std::size_t> chosen = chooseCounters(facts->counters, command.counters);
    print("{}: {}, {}; {} of {} counters\n", command.log.string(), facts->format,
        facts->bias ? fmt::format("zone {} ({} from UTC)", facts->zone, formatOffset(-*facts->bias))
                    : "zone not known",
        chosen.size(), facts->counters.size());
    for (const std::size_t i : chosen)
        print("{}\n", plainText(pathOf(SeriesKey(facts->counters[i]))));
    return kGood;
}

/// The curve as rows of bars, from the lowest offset to the highest: each row has the highest correlation of its offsets.
void printCurve(const OffsetProposal& proposal)
{
    constexpr std::size_t kRows = 25, kBar = 40;
    const auto& curve = proposal.curve;
    for (std::size_t row = 0; row < kRows; ++row) {
        const std::size_t first = row * curve.size() / kRows, last = (row + 1) * curve.size() / kRows;
        const OffsetPoint* highest = nullptr;
        bool peak = false;
        for (std::size_t i = first; i < last; ++i) {
            peak = peak || (proposal.best.correlation > 0 && curve[i] == proposal.best);
            if (!std::isnan(curve[i].correlation)
                && (!highest || curve[i].correlation > highest->correlation))
                highest = &curve[i];
        }
        if (highest == nullptr)
            continue; // too little of the log lies on the run there
        const double height = std::max(0.0, highest->correlation);
        print("  {:>12}  {:>5}  {:<{}}{}\n", formatOffset(highest->offset),
            fmt::format("{:.2f}", highest->correlation),
            std::string(static_cast<std::size_t>(std::lround(height * kBar)), '#'), kBar,
            peak ? "  <- peak" : "");
    }
}

Result<OffsetProposal> propose(
    const Recording& run, const AttachCommand& command, const AttachOptions& attaching)
{
    OffsetOptions options;
    options.ofLog = command.likeLog;
    options.attached = attaching.patterns;
    options.ofRun = command.likeRun;
    options.zone = attaching.zone;
    options.around = attaching.offset;
    if (!command.reach.empty()) {
        const auto reach = parseDuration(command.reach);
        if (!reach)
            return reach.error().within("--reach");
        options.reach = *reach;
    }
    auto proposal = proposeOffset(run, command.log, options);
    if (!proposal)
        return proposal;
    print("Compared   {}\nwith       {}\nBy clocks  {}{}\n", plainText(proposal->ofLog),
        plainText(proposal->ofRun), formatOffset(proposal->byClocks),
        options.around ? " (as --begin says)" : "");
    printCurve(*proposal);
    if (proposal->best.correlation > 0)
        print("Peak       {} with correlation {:.3f}, {} wide at half of its height\n",
            formatOffset(proposal->best.offset), proposal->best.correlation, formatDuration(proposal->width));
    if (proposal->second)
        print("Second     {} with correlation {:.3f}\n", formatOffset(proposal->second->offset),
            proposal->second->correlation);
    if (proposal->offset)
        print("Proposed   --begin \"{}{}\"\n", *proposal->offset < Nanoseconds(0) ? "-" : "",
            formatDuration(*proposal->offset < Nanoseconds(0) ? -*proposal->offset : *proposal->offset));
    else
        print("Nothing is proposed: {}\n", plainText(proposal->reason));
    return proposal;
}

void printSource(const SourceInfo& source, std::size_t moves)
{
    print("{:>3}  {:>12}  {:>9}  {:>8}  {:>8}  {:>5}  {:<16} {}{}\n", source.id, formatOffset(source.offset),
        formatClock(source.end - source.begin), source.ticks,
        source.counters.size() + source.histograms.size(), moves, plainText(source.computer),
        plainText(source.origin), source.complete ? "" : " (incomplete)");
}

std::string jsonOf(const SourceInfo& source, const std::vector<SourceMove>& moves)
{
    nlohmann::ordered_json object { { "source", source.id }, { "origin", source.origin },
        { "computer", source.computer }, { "offset_s", seconds(source.offset) },
        { "length_s", seconds(source.end - source.begin) }, { "samples", source.ticks },
        { "complete", source.complete } };
    object["counters"] = nlohmann::ordered_json::array();
    for (const CounterInfo& counter : source.counters)
        object["counters"].push_back(counter.path());
    object["moves"] = nlohmann::ordered_json::array();
    for (const SourceMove& move : moves)
        object["moves"].push_back(
            { { "at", formatIso8601(move.made) }, { "offset_s", seconds(move.offset) } });
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

int attach(const AttachCommand& command)
{
    if (command.list)
        return listLog(command);
    auto options = optionsOf(command);
    if (!options)
        return complain(options.error().message, kBadInput);
    const auto run = openRun(command.history, command.run, {});
    if (!run)
        return complain(run.error().message, kBadInput);
    if (command.propose || command.accept) {
        const auto proposal = propose(*run, command, *options);
        if (!proposal)
            return complain(proposal.error().message, kFailed);
        if (command.propose || !proposal->offset)
            return proposal->offset ? kGood : kFailed;
        options->offset = proposal->offset;
    }
    const bool shows = ::isatty(STDERR_FILENO) == 1;
    if (shows)
        options->progress = [](double share) {
            showProgress(fmt::format("{:.0f} % of the log", 100 * share), 0, stderr);
            return true;
        };
    const auto attached = attachLog(run->file(), command.log, *options);
    if (shows)
        showProgress({}, 0, stderr);
    if (!attached)
        return complain(attached.error().message, kFailed);
    for (const std::string& note : attached->notes)
        say(fmt::format("{}: {}\n", command.log.string(), note), stderr);
    print("Source {} of {}: {} samples of {} counters, beginning at {}\n", attached->source,
        run->header().id.text(), attached->samples, attached->counters, formatOffset(attached->offset));
    return kGood;
}

int sources(const SourcesCommand& command)
{
    auto run = openRun(command.history, command.run, {});
    if (!run)
        return complain(run.error().message, kBadInput);
    if (command.moved > 0) {
        const auto begin = parseSigned(command.begin);
        if (!begin)
            return complain(begin.error().within("--begin").message, kBadInput);
        if (const auto moved = moveSource(run->file(), command.moved, *begin); !moved)
            return complain(moved.error().message, kFailed);
    }
    if (command.removed > 0)
        if (const auto removed = removeSource(run->file(), command.removed); !removed)
            return complain(removed.error().message, kFailed);
    if (const auto fresh = run->refresh(); !fresh)
        return complain(fresh.error().message, kFailed);
    const auto all = sourcesOf(*run);
    if (!all)
        return complain(all.error().message, kFailed);
    if (all->empty() && !command.json)
        print("Nothing is attached to {}\n", run->header().id.text());
    else if (!command.json)
        print("{:>3}  {:>12}  {:>9}  {:>8}  {:>8}  {:>5}  {:<16} {}\n", "No.", "Begins at", "Length",
            "Samples", "Counters", "Moves", "Computer", "Origin");
    for (const SourceInfo& source : *all) {
        const auto moves = movesOf(*run, source.id);
        if (!moves)
            return complain(moves.error().message, kFailed);
        if (command.json)
            print("{}\n", jsonOf(source, *moves));
        else
            printSource(source, moves->size() - 1);
    }
    return kGood;
}

} // namespace loadstone::cli
