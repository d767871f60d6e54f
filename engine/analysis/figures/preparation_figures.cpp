// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using P = PreparationResult;
using enum FigureTable;
using Total = std::uint64_t PreparationTotals::*;

constexpr auto kFills = PhaseKind::initialisation, kCleans = PhaseKind::cleanUp;

/// What phases of this kind do; missing of the others, unless they did it, too.
template <PhaseKind kind, Total total>
Measured doneBy(const P& p)
{
    const std::uint64_t count = p.totals.*total;
    return p.kind == kind || count > 0 ? counted(count) : Measured {};
}
/// Of calendars and address books: missing where there are none.
template <PhaseKind kind, Total total>
Measured entriesOf(const P& p)
{
    return p.totals.hasEntries() ? doneBy<kind, total>(p) : Measured {};
}

double lengthOf(const P& p)
{
    return seconds(p.end - p.begin);
}

constexpr FigureRow kPreparationRows[] {
    { { .key = "prepare.mailboxes",
          .table = preparation,
          .column = "Mailboxes",
          .name = "Mailboxes",
          .statistic = Statistic::level,
          .kinds = kMail,
          .csv = { "", "mailboxes", "count" },
          .help = "That the initialisation or the clean-up is about.",
          .words = "mailboxes" },
        +[](const P& p) { return counted(p.totals.mailboxes); } },
    { { .key = "prepare.done",
          .table = preparation,
          .column = "Done",
          .name = "Mailboxes as planned",
          .better = Better::more,
          .kinds = kMail,
          .csv = { "", "mailboxes done", "count" },
          .help = "Mailboxes that are filled as planned, or clean.",
          .words = "done" },
        +[](const P& p) { return counted(p.totals.done); } },
    { { .key = "prepare.given-up",
          .table = preparation,
          .column = "Given up",
          .name = "Given up after several attempts",
          .better = Better::less,
          .kinds = kMail,
          .csv = { "", "mailboxes given up", "count" },
          .help = "Mailboxes that are not as they should be.",
          .words = "given up" },
        +[](const P& p) { return counted(p.totals.failed); } },
    { { .key = "prepare.folders-made",
          .table = preparation,
          .column = "Folders made",
          .name = "Folders made",
          .kinds = kMail,
          .csv = { "", "folders made", "count" },
          .help = "Of the mailboxes.",
          .words = "folders made" },
        doneBy<kFills, &PreparationTotals::foldersMade> },
    { { .key = "prepare.folders-removed",
          .table = preparation,
          .column = "Folders removed",
          .name = "Folders removed",
          .kinds = kMail,
          .csv = { "", "folders removed", "count" },
          .help = "Loadstone's own.",
          .words = "folders removed" },
        doneBy<kCleans, &PreparationTotals::foldersRemoved> },
    { { .key = "prepare.appended",
          .table = preparation,
          .column = "Appended",
          .name = "Messages appended",
          .unit = Unit::messages,
          .kinds = kMail,
          .csv = { "", "messages appended", "count" },
          .help = "Initial messages that were put into the mailboxes.",
          .words = "messages appended" },
        doneBy<kFills, &PreparationTotals::appended> },
    { { .key = "prepare.found",
          .table = preparation,
          .column = "Found",
          .name = "Messages that were there already",
          .unit = Unit::messages,
          .kinds = kMail,
          .csv = { "", "messages found", "count" },
          .help = "Initial messages of an earlier initialisation.",
          .words = "messages there already" },
        doneBy<kFills, &PreparationTotals::found> },
    { { .key = "prepare.removed",
          .table = preparation,
          .column = "Removed",
          .name = "Messages removed",
          .unit = Unit::messages,
          .kinds = kMail,
          .csv = { "", "messages removed", "count" },
          .help = "Loadstone's own.",
          .words = "messages removed" },
        doneBy<kCleans, &PreparationTotals::removed> },
    { { .key = "prepare.doubles",
          .table = preparation,
          .column = "Doubles",
          .name = "Doubles removed",
          .unit = Unit::messages,
          .kinds = kMail,
          .csv = { "", "doubles removed", "count" },
          .help = "Initial messages that were there twice: one of each stays.",
          .words = "doubles removed" },
        doneBy<kFills, &PreparationTotals::doubles> },
    { { .key = "prepare.foreign",
          .table = preparation,
          .column = "Foreign",
          .name = "Messages left alone, not Loadstone's",
          .unit = Unit::messages,
          .kinds = kMail,
          .csv = { "", "foreign messages", "count" },
          .help = "Other people's messages, which stay.",
          .words = "messages left alone" },
        doneBy<kCleans, &PreparationTotals::foreign> },
    { { .key = "prepare.entries-made",
          .table = preparation,
          .column = "Entries made",
          .name = "Appointments and contacts made",
          .kinds = kMail,
          .csv = { "", "entries made", "count" },
          .help = "Put into calendars and address books.",
          .words = "appointments and contacts made" },
        entriesOf<kFills, &PreparationTotals::entriesMade> },
    { { .key = "prepare.entries-found",
          .table = preparation,
          .column = "Entries found",
          .name = "Appointments and contacts that were there already",
          .kinds = kMail,
          .csv = { "", "entries found", "count" },
          .help = "Of an earlier initialisation.",
          .words = "appointments and contacts there already" },
        entriesOf<kFills, &PreparationTotals::entriesFound> },
    { { .key = "prepare.entries-removed",
          .table = preparation,
          .column = "Entries removed",
          .name = "Events, journal entries and contacts removed",
          .kinds = kMail,
          .csv = { "", "entries removed", "count" },
          .help = "Loadstone's own.",
          .words = "events and contacts removed" },
        entriesOf<kCleans, &PreparationTotals::entriesRemoved> },
    { { .key = "prepare.entries-foreign",
          .table = preparation,
          .column = "Foreign entries",
          .name = "Entries left alone, not Loadstone's",
          .kinds = kMail,
          .csv = { "", "foreign entries", "count" },
          .help = "Other people's events and contacts, which stay.",
          .words = "events and contacts left alone" },
        entriesOf<kCleans, &PreparationTotals::entriesForeign> },
    { { .key = "prepare.time",
          .table = preparation,
          .column = "Seconds",
          .name = "Seconds",
          .unit = Unit::seconds,
          .rounding = { Notation::significant, 3 },
          .better = Better::less,
          .kinds = kMail,
          .csv = { "", "time", "length" },
          .help = "From the begin of the phase to its end." },
        +[](const P& p) { return Measured { lengthOf(p) }; } },
    { { .key = "prepare.message-rate",
          .table = preparation,
          .column = "Messages/s",
          .name = "Messages/s",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "", "messages", "rate" },
          .help = "Messages appended, or removed by a clean-up, each second of the phase." },
        +[](const P& p) {
            const std::uint64_t count = p.kind == kCleans ? p.totals.removed : p.totals.appended;
            return lengthOf(p) > 0 ? Measured { static_cast<double>(count) / lengthOf(p), count }
                                   : Measured {};
        } },
};

} // namespace

std::span<const FigureRow> preparationFigures()
{
    return kPreparationRows;
}

} // namespace loadstone::analysis
