// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using A = AuditTotals;
using enum FigureTable;

constexpr FigureRow kAuditRows[] {
    { { .key = "audit.accepted",
          .table = audit,
          .column = "Accepted",
          .name = "Messages accepted by the server",
          .unit = Unit::messages,
          .kinds = kMail,
          .csv = { "audit", "accepted", "count" },
          .help = "Messages whose transaction the server ended with a good reply.",
          .words = "messages accepted" },
        +[](const A& a) { return counted(a.accepted); } },
    { { .key = "audit.expected",
          .table = audit,
          .column = "Expected",
          .name = "Copies expected",
          .unit = Unit::copies,
          .kinds = kMail,
          .csv = { "audit", "expected", "count" },
          .help = "One of each accepted message for each of its accepted recipients.",
          .words = "copies expected" },
        +[](const A& a) { return counted(a.expected); } },
    { { .key = "audit.delivered-once",
          .table = audit,
          .column = "Delivered once",
          .name = "Delivered once, in time, whole",
          .unit = Unit::copies,
          .kinds = kMail,
          .csv = { "audit", "delivered once", "count" },
          .help = "Copies as they should be.",
          .words = "delivered once and in time" },
        +[](const A& a) { return counted(a.deliveredOnce); } },
    { { .key = "audit.lost",
          .table = audit,
          .column = "Lost",
          .name = "Lost",
          .unit = Unit::copies,
          .better = Better::less,
          .kinds = kMail,
          .csv = { "audit", "lost", "count" },
          .help = "Copies that are missing from a mailbox that was read to its end after the plan's "
                  "delivery_limit.",
          .words = "lost" },
        +[](const A& a) { return counted(a.lost); } },
    { { .key = "audit.twice",
          .table = audit,
          .column = "Twice",
          .name = "Delivered twice or more",
          .unit = Unit::copies,
          .better = Better::less,
          .kinds = kMail,
          .csv = { "audit", "twice", "count" },
          .help = "Copies that were retrieved more than once.",
          .words = "delivered twice" },
        +[](const A& a) { return counted(a.twice); } },
    { { .key = "audit.damaged",
          .table = audit,
          .column = "Damaged",
          .name = "Damaged",
          .unit = Unit::copies,
          .better = Better::less,
          .kinds = kMail,
          .csv = { "audit", "damaged", "count" },
          .help = "Copies whose content differs from what was sent.",
          .words = "damaged" },
        +[](const A& a) { return counted(a.damaged); } },
    { { .key = "audit.late",
          .table = audit,
          .column = "Late",
          .name = "Delivered once, but late",
          .unit = Unit::copies,
          .better = Better::less,
          .kinds = kMail,
          .csv = { "audit", "late", "count" },
          .help = "Copies that were delivered once, after the plan's delivery_limit.",
          .words = "late" },
        +[](const A& a) { return counted(a.late); } },
    { { .key = "audit.outstanding",
          .table = audit,
          .column = "Outstanding",
          .name = "Outstanding: not retrieved, not proven lost",
          .unit = Unit::copies,
          .better = Better::less,
          .kinds = kMail,
          .csv = { "audit", "outstanding", "count" },
          .help = "Copies that were not retrieved by the end of the run; whether they arrive is not known.",
          .words = "not retrieved and not proven lost" },
        +[](const A& a) { return counted(a.outstanding); } },
    { { .key = "audit.unknown",
          .table = audit,
          .column = "Unknown",
          .name = "Retrieved, but not sent by this run",
          .unit = Unit::messages,
          .better = Better::less,
          .kinds = kMail,
          .csv = { "audit", "unknown", "count" },
          .help = "Retrieved messages that the server is not known to have accepted from this run.",
          .words = "not known to be accepted" },
        +[](const A& a) { return counted(a.unknown); } },
};

} // namespace

std::span<const FigureRow> auditFigures()
{
    return kAuditRows;
}

} // namespace loadstone::analysis
