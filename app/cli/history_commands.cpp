// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "json_lines.h"

#include <loadstone/counter_export.h>
#include <loadstone/lab_text.h>
#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <span>
#include <sstream>

namespace loadstone::cli {

namespace {

constexpr std::size_t kWidth = 100; // columns of tables

/// The history with the run that `name` means.
struct Found {
    History history;
    RunId id;
};
Result<Found> find(const std::filesystem::path& folder, const std::string& name)
{
    auto history = History::open(folder);
    if (!history)
        return history.error();
    auto id = history->find(name);
    if (!id)
        return id.error();
    return Found { *std::move(history), *std::move(id) };
}

void printHeader(const Recording& recording)
{
    const RunHeader& header = recording.header();
    print("Run        {}\nTitle      {}\nStarted    {}\nState      {}, {}{}\nPlan       {}, seed {}\n"
          "Computer   {}\nFile       {}\n",
        header.id.text(), plainText(header.title), formatIso8601(header.started), toString(recording.state()),
        formatClock(recording.length()), plannedText(header), plainText(header.planName), header.seed,
        plainText(header.computer), plainText(recording.file().string()));
    if (const auto lab = recording.lab(); lab && !lab->empty())
        print("Lab        {}\n", plainText(describeLab(*lab)));
}

/// A run has one note and one set of tags: later ones replace earlier ones. `rest`: the annotation, and those behind it.
bool isReplaced(std::span<const Annotation> rest)
{
    const AnnotationKind kind = rest.front().kind;
    return kind != AnnotationKind::mark && kind != AnnotationKind::window
        && std::ranges::any_of(rest.subspan(1), [&](const Annotation& later) { return later.kind == kind; });
}

void printAnnotations(std::span<const Annotation> annotations)
{
    for (; !annotations.empty(); annotations = annotations.subspan(1)) {
        const Annotation& annotation = annotations.front();
        if (annotation.text.empty() || isReplaced(annotations))
            continue;
        const bool tags = annotation.kind == AnnotationKind::tag; // a line each
        std::string words;
        std::istringstream lines(annotation.text);
        for (std::string line; std::getline(lines, line);)
            words += (words.empty() ? "" : tags ? ", " : "\n           ") + plainText(line);
        print("{:<10} {}{}\n", tags ? "tags" : toString(annotation.kind),
            annotation.kind == AnnotationKind::mark ? formatClock(annotation.at) + "  " : std::string(),
            words);
    }
}

void printPhases(const std::vector<Phase>& phases)
{
    print("\nPhases\n");
    for (const Phase& phase : phases)
        print("  {:>8} to {:>8}  {:<12} {}{}\n", formatClock(phase.begin),
            phase.open && phase.end == phase.begin ? "" : formatClock(phase.end), toString(phase.kind),
            plainText(phase.mixName), phase.open ? " (not ended)" : "");
}

void printEvents(const std::vector<RunEvent>& events)
{
    constexpr std::size_t kMost = 40;
    if (events.empty())
        return;
    print("\nEvents\n");
    const std::size_t skipped = events.size() > kMost ? events.size() - kMost : 0;
    if (skipped > 0)
        print("  ({} earlier ones: see the report or --json)\n", skipped);
    for (std::size_t i = skipped; i < events.size(); ++i)
        print("  {:>8}  {:<7}  {}\n", formatClock(events[i].at), toString(events[i].severity),
            plainText(withTarget(events[i].target, events[i].text)));
}

/// With the ending that its format has, beside the working folder's other files.
std::filesystem::path defaultOutput(const History& history, const RunId& id, const std::string& format)
{
    return format == "archive" ? history.fileOf(id).filename()
                               : std::filesystem::path(id.text() + "." + format);
}

std::optional<TimeWindow> windowOf(const std::optional<ChosenWindow>& chosen)
{
    return chosen ? std::optional(chosen->window) : std::nullopt;
}

std::vector<RunEvent> eventsWithin(std::vector<RunEvent> events, const std::optional<TimeWindow>& window)
{
    if (window)
        std::erase_if(events,
            [&](const RunEvent& event) { return event.at < window->begin || event.at > window->end; });
    return events;
}

/// Appends the window and the reason for it to the run's annotations.
Result<void> keepWindow(
    const ShowCommand& command, const Recording& recording, const std::optional<ChosenWindow>& chosen)
{
    if (!chosen)
        return fail("--keep keeps a window; name one with --from and --to, --phase or --steady");
    auto history = History::open(command.history);
    if (!history)
        return history.error();
    Annotation annotation;
    annotation.made = wallNow();
    annotation.kind = AnnotationKind::window;
    annotation.at = chosen->window.begin;
    annotation.text = fmt::format("{}: {}", describe(*chosen), command.keep);
    return history->annotate(recording.header().id, annotation);
}

std::string shortened(const std::string& text, std::size_t width)
{
    if (text.size() <= width)
        return text;
    std::size_t end = width - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) // not within a UTF-8 letter
        --end;
    return text.substr(0, end) + "...";
}

bool isBad(Verdict verdict)
{
    return !isGood(verdict) && verdict != Verdict::running;
}

} // namespace

Result<Recording> openRun(
    const std::filesystem::path& folder, const std::string& name, const std::string& target)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(name, ignored))
        return Recording::open(name, target);
    const auto found = find(folder, name);
    if (!found)
        return found.error();
    return found->history.openRun(found->id, target);
}

/// A figure of the run's leading mix as the list has room for it: rates with three digits.
std::string inList(const RunSummary& run, std::string_view key)
{
    const Figure* figure = findFigure(run.figures, key);
    if (figure == nullptr)
        return "-";
    Number number = numberOf(*figure);
    if (number.rounding.notation == Notation::rate)
        number.rounding = { Notation::significant, 3 };
    return format(number);
}

int list(const ListCommand& command)
{
    auto history = History::open(command.history);
    if (!history)
        return complain(history.error().message, kFailed);
    const auto runs = history->list();
    if (!runs)
        return complain(runs.error().message, kFailed);
    if (command.json) {
        for (const RunSummary& run : *runs)
            print("{}\n", jsonLine(run));
        return kGood;
    }
    if (runs->empty()) {
        print("No runs yet in {}\n", history->folder().string());
        return kGood;
    }
    print("{:<20} {:<18} {:>8} {:>9} {:>9} {:>9} {:>7}  {:<28} {}\n", "Run", "Verdict", "Length", "Sent/s",
        "I/O/s", "p95", "Errors", "Title", "Tags");
    for (const RunSummary& run : *runs)
        print("{:<20} {:<18} {:>8} {:>9} {:>9} {:>9} {:>6}%  {:<28} {}\n", run.id.text(),
            std::string(toString(run.verdict)) + (isBad(run.verdict) || run.isUnjudged() ? "!" : ""),
            formatClock(run.length), inList(run, "mail.sent-rate"), inList(run, "io.rate"),
            inList(run, "response.p95"), formatNumber(run.errorRate * 100),
            shortened(plainText(run.title), 28), plainText(fmt::format("{}", fmt::join(run.tags, " "))));
    if (std::any_of(runs->begin(), runs->end(),
            [](const RunSummary& run) { return isBad(run.verdict) || run.isUnjudged(); }))
        print("! \"loadstone show RUN\" says why\n");
    return kGood;
}

int show(const ShowCommand& command)
{
    const auto recording = openRun(command.history, command.run, command.target);
    if (!recording)
        return complain(recording.error().message, kBadInput);
    const auto chosen = chooseWindow(*recording, command.window);
    if (!chosen)
        return complain(chosen.error().message, kBadInput);
    const std::optional<TimeWindow> window = windowOf(*chosen);
    if (!command.keep.empty())
        if (const auto kept = keepWindow(command, *recording, *chosen); !kept)
            return complain(kept.error().message, kBadInput);
    const auto verdict = verdictOf(*recording);
    if (!verdict)
        return complain(verdict.error().message, kFailed);
    if (command.json) {
        const auto json = formatJson(*recording, window);
        if (!json)
            return complain(json.error().message, kFailed);
        print("{}\n", *json);
        return exitCodeOf(verdict->verdict);
    }
    const auto results = window ? computeResults(*recording, *window) : computeResults(*recording);
    if (!results)
        return complain(results.error().message, kFailed);
    const auto judgement = formatJudgement(*recording, kWidth, window);
    if (!judgement)
        return complain(judgement.error().message, kFailed);
    const auto readings = formatReadings(*recording, command.allCounters, kWidth, window);
    if (!readings)
        return complain(readings.error().message, kFailed);
    const auto log = recording->log();
    if (!log)
        return complain(log.error().message, kFailed);
    printHeader(*recording);
    if (*chosen)
        print("Window     {}\n", plainText(describe(**chosen)));
    printAnnotations(log->annotations);
    printPhases(recording->phases());
    const auto each = formatTargets(*recording, kWidth, window);
    if (!each)
        return complain(each.error().message, kFailed);
    const auto derived = formatDerived(*recording, command.derive, kWidth, window);
    if (!derived)
        return complain(derived.error().within("--derive").message, kBadInput);
    print("\n{}{}{}{}{}", formatResultTable(*results, *verdict, kWidth), *readings, *derived, *judgement,
        *each);
    printEvents(eventsWithin(log->events, window));
    return exitCodeOf(verdict->verdict);
}

namespace {

int exportCountersOf(const ExportCommand& command)
{
    CounterExport what;
    what.patterns = command.match;
    what.format = command.counters == "pdh" ? CounterFormat::pdh
        : command.counters == "csv"         ? CounterFormat::csv
                                            : CounterFormat::openMetrics;
    const auto recording = openRun(command.history, command.run, command.target);
    if (!recording)
        return complain(recording.error().message, kBadInput);
    const auto chosen = chooseWindow(*recording, command.window);
    if (!chosen)
        return complain(chosen.error().message, kBadInput);
    if (*chosen) {
        what.from = (*chosen)->window.begin;
        what.to = (*chosen)->window.end;
    }
    const std::filesystem::path to = command.output.empty()
        ? std::filesystem::path(recording->header().id.text()
            + (what.format == CounterFormat::openMetrics ? "-counters.txt" : "-counters.csv"))
        : command.output;
    const auto written = exportCounters(*recording, what, to);
    if (!written)
        return complain(written.error().message, kFailed);
    print("{}: {} of {} counters\n", to.string(),
        fmt::format("{} {}", written->rows, what.format == CounterFormat::openMetrics ? "samples" : "rows"),
        written->counters);
    if (written->leftOut > 0)
        print("Samples of sources without a row: {}. A row is a tick of the run and has the sample nearest to its "
              "end. The format openmetrics has every sample, and so has a file with the counters of one source "
              "alone.\n",
            written->leftOut);
    return kGood;
}

} // namespace

int exportRun(const ExportCommand& command)
{
    if (!command.counters.empty())
        return exportCountersOf(command);
    const auto found = find(command.history, command.run);
    if (!found)
        return complain(found.error().message, kBadInput);
    const std::filesystem::path to =
        command.output.empty() ? defaultOutput(found->history, found->id, command.format) : command.output;
    Result<void> written;
    if (command.format == "archive" && !command.target.empty())
        return complain("an archive holds the whole run; leave --target out", kBadInput);
    if (command.format == "archive" && !command.window.empty())
        return complain("an archive holds the whole run; leave the window out", kBadInput);
    if (command.format == "archive") {
        written = found->history.exportArchive(found->id, to);
    } else {
        const auto recording = found->history.openRun(found->id, command.target);
        if (!recording)
            return complain(recording.error().message, command.target.empty() ? kFailed : kBadInput);
        const auto chosen = chooseWindow(*recording, command.window);
        if (!chosen)
            return complain(chosen.error().message, kBadInput);
        const auto write = command.format == "html" ? writeHtmlReport
            : command.format == "csv"               ? writeCsv
            : command.format == "xlsx"              ? writeXlsx
                                                    : writeJson;
        written = write(*recording, to, windowOf(*chosen));
    }
    if (!written)
        return complain(written.error().message, kFailed);
    if (command.format == "csv") { // two files beside each other
        const std::filesystem::path stem = to.parent_path() / to.stem();
        print("{0}-results.csv\n{0}-counters.csv\n", stem.string());
    } else {
        print("{}\n", to.string());
    }
    return kGood;
}

int importFile(const std::filesystem::path& folder, const std::filesystem::path& file)
{
    auto history = History::open(folder);
    if (!history)
        return complain(history.error().message, kFailed);
    const auto id = history->importArchive(file);
    if (!id)
        return complain(id.error().message, kBadInput);
    print("{}\n", id->text());
    return kGood;
}

int tag(const TagCommand& command)
{
    auto found = find(command.history, command.run);
    if (!found)
        return complain(found.error().message, kBadInput);
    const auto runs = found->history.list();
    if (!runs)
        return complain(runs.error().message, kFailed);
    std::vector<std::string> tags;
    for (const RunSummary& run : *runs)
        if (run.id == found->id)
            tags = run.tags;
    for (const std::string& tag : command.tags) {
        std::erase(tags, tag);
        if (!command.remove)
            tags.push_back(tag);
    }
    if (const auto done = found->history.setTags(found->id, tags); !done)
        return complain(done.error().message, kFailed);
    print("{}: {}\n", found->id.text(), tags.empty() ? "no tags" : fmt::format("{}", fmt::join(tags, " ")));
    return kGood;
}

int note(const std::filesystem::path& folder, const std::string& run, const std::string& text)
{
    auto found = find(folder, run);
    if (!found)
        return complain(found.error().message, kBadInput);
    if (const auto done = found->history.setNote(found->id, text); !done)
        return complain(done.error().message, kFailed);
    return kGood;
}

int remove(const std::filesystem::path& folder, const std::string& run, bool sure)
{
    auto found = find(folder, run);
    if (!found)
        return complain(found.error().message, kBadInput);
    if (!sure)
        return complain(
            fmt::format("{} would be deleted permanently; add --yes to delete it", found->id.text()),
            kBadInput);
    if (const auto done = found->history.remove(found->id); !done)
        return complain(done.error().message, kFailed);
    print("{} removed\n", found->id.text());
    return kGood;
}

} // namespace loadstone::cli
