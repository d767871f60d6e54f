// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using S = MixScope;
using enum FigureTable;

/// Something of the final window; missing where the plan names none.
template <class Take>
Measured atTheEnd(const S& scope, const Take& take)
{
    const MessageRates& window = scope.mix.finalWindow;
    return window.end > window.begin ? take(window) : Measured {};
}

constexpr FigureRow kMessageRows[] {
    { { .key = "mail.users",
          .table = messages,
          .column = "Users",
          .name = "Simulated users",
          .kinds = kMail,
          .csv = { "mix", "mailboxes", "count" },
          .help = "Mailboxes that the users of the mix have." },
        +[](const S& s) { return counted(s.mix.mailboxes); } },
    { { .key = "mail.threads",
          .table = messages,
          .column = "Threads",
          .name = "Threads",
          .statistic = Statistic::planned,
          .kinds = kMail,
          .csv = { "mix", "threads", "count" },
          .help = "Clients times threads per client; none in open pacing." },
        +[](const S& s) { return s.mix.threads > 0 ? counted(s.mix.threads) : Measured {}; } },
    { { .key = "mail.sent",
          .table = messages,
          .column = "Sent",
          .name = "Messages sent",
          .unit = Unit::messages,
          .better = Better::more,
          .kinds = kMail,
          .csv = { "measurement", "sent", "count" },
          .help = "Messages that the server accepted in the measurement phase." },
        +[](const S& s) { return counted(s.mix.measured.sent); } },
    { { .key = "mail.received",
          .table = messages,
          .column = "Received",
          .name = "Messages received",
          .unit = Unit::messages,
          .better = Better::more,
          .kinds = kMail,
          .csv = { "measurement", "received", "count" },
          .help = "Copies of this run's messages in the measurement phase, one per recipient, each at its "
                  "first retrieval." },
        +[](const S& s) { return counted(s.mix.measured.received); } },
    { { .key = "mail.sent-rate",
          .table = messages,
          .column = "Sent/s",
          .name = "Messages sent per second",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "measurement", "sent", "rate" },
          .help = "Messages that the server accepted, each second of the measurement phase." },
        +[](const S& s) {
            return Measured { s.mix.measured.sentPerSecond, s.mix.measured.sent };
        } },
    { { .key = "mail.received-rate",
          .table = messages,
          .column = "Received/s",
          .name = "Messages received per second",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "measurement", "received", "rate" },
          .help = "Copies at their first retrieval, each second of the measurement phase." },
        +[](const S& s) {
            return Measured { s.mix.measured.receivedPerSecond, s.mix.measured.received };
        } },
    { { .key = "mail.received-to-sent",
          .table = messages,
          .column = "Received:sent",
          .name = "Received to sent messages",
          .rounding = kRatio,
          .statistic = Statistic::ratio,
          .kinds = kMail,
          .csv = { "measurement", "received:sent", "ratio" },
          .help = "In a steady state it equals the recipients per message." },
        +[](const S& s) {
            return Measured { s.mix.measured.receivedToSent, s.mix.measured.sent };
        } },
    { { .key = "actions.ended",
          .table = messages,
          .column = "Actions",
          .name = "Actions that ended",
          .better = Better::more,
          .kinds = kAll,
          .csv = { "mix", "actions", "count" },
          .help = "Actions that ended in the measurement phase, well or not." },
        +[](const S& s) { return counted(s.mix.attempts); } },
    { { .key = "actions.failed",
          .table = messages,
          .column = "Failed",
          .name = "Failed actions",
          .better = Better::less,
          .kinds = kAll,
          .csv = { "mix", "failed actions", "count" },
          .help = "Actions that ended in an error." },
        +[](const S& s) { return counted(s.mix.failures); } },
    { { .key = "actions.error-rate",
          .table = messages,
          .column = "Error rate",
          .name = "Share of failed actions",
          .unit = Unit::share,
          .rounding = kShare,
          .better = Better::less,
          .statistic = Statistic::share,
          .kinds = kAll,
          .csv = { "mix", "failed actions", "share" },
          .help = "Failed actions among all that were begun and ended." },
        +[](const S& s) {
            return Measured { s.mix.errorRate, s.mix.attempts };
        } },
    { { .key = "mail.retrieved",
          .table = messages,
          .column = "Retrieved",
          .name = "Messages retrieved",
          .unit = Unit::messages,
          .better = Better::more,
          .kinds = kMail,
          .csv = { "measurement", "retrieved", "count" },
          .help = "Messages that mailboxes handed out: each reading of each, other people's too.",
          .unless = "mail.received" },
        +[](const S& s) { return counted(s.mix.measured.retrieved); } },
    { { .key = "mail.retrieved-rate",
          .table = messages,
          .column = "Retrieved/s",
          .name = "Messages retrieved per second",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "measurement", "retrieved", "rate" },
          .help = "Messages that mailboxes handed out, each second of the measurement phase.",
          .unless = "mail.received-rate" },
        +[](const S& s) {
            return Measured { s.mix.measured.retrievedPerSecond, s.mix.measured.retrieved.value_or(0) };
        } },

    { { .key = "mail.final-window",
          .table = finalWindow,
          .column = "Window",
          .name = "Length of the final window",
          .unit = Unit::seconds,
          .rounding = { Notation::duration },
          .statistic = Statistic::planned,
          .kinds = kMail,
          .csv = { "final window", "window", "length" },
          .help = "The last part of the measurement phase, in which the plan expects a steady state." },
        +[](const S& s) {
            return atTheEnd(s, [](const MessageRates& w) { return Measured { seconds(w.end - w.begin) }; });
        } },
    { { .key = "mail.final-sent",
          .table = finalWindow,
          .column = "Sent",
          .name = "Messages sent",
          .unit = Unit::messages,
          .better = Better::more,
          .kinds = kMail,
          .csv = { "final window", "sent", "count" },
          .help = "Messages that the server accepted." },
        +[](const S& s) { return atTheEnd(s, [](const MessageRates& w) { return counted(w.sent); }); } },
    { { .key = "mail.final-received",
          .table = finalWindow,
          .column = "Received",
          .name = "Messages received",
          .unit = Unit::messages,
          .better = Better::more,
          .kinds = kMail,
          .csv = { "final window", "received", "count" },
          .help = "Copies of this run's messages, one per recipient, each at its first retrieval." },
        +[](const S& s) { return atTheEnd(s, [](const MessageRates& w) { return counted(w.received); }); } },
    { { .key = "mail.final-sent-rate",
          .table = finalWindow,
          .column = "Sent/s",
          .name = "Messages sent per second",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "final window", "sent", "rate" },
          .help = "Messages that the server accepted, each second." },
        +[](const S& s) {
            return atTheEnd(s, [](const MessageRates& w) { return Measured { w.sentPerSecond, w.sent }; });
        } },
    { { .key = "mail.final-received-rate",
          .table = finalWindow,
          .column = "Received/s",
          .name = "Messages received per second",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "final window", "received", "rate" },
          .help = "Copies at their first retrieval, each second." },
        +[](const S& s) {
            return atTheEnd(s, [](const MessageRates& w) {
                return Measured { w.receivedPerSecond, w.received };
            });
        } },
    { { .key = "mail.final-received-to-sent",
          .table = finalWindow,
          .column = "Received:sent",
          .name = "Received to sent messages",
          .rounding = kRatio,
          .statistic = Statistic::ratio,
          .kinds = kMail,
          .csv = { "final window", "received:sent", "ratio" },
          .help = "In a steady state it equals the recipients per message." },
        +[](const S& s) {
            return atTheEnd(s, [](const MessageRates& w) { return Measured { w.receivedToSent, w.sent }; });
        } },
    { { .key = "mail.recipients",
          .table = finalWindow,
          .column = "Recipients",
          .name = "Recipients per message",
          .rounding = { Notation::shortest },
          .statistic = Statistic::planned,
          .kinds = kMail,
          .csv = { "mix", "recipients per message", "count" },
          .help = "As the plan has it; missing where its users differ in that." },
        +[](const S& s) {
            return s.mix.recipientsPerMessage > 0 ? Measured { s.mix.recipientsPerMessage } : Measured {};
        } },
    { { .key = "mail.final-deviation",
          .table = finalWindow,
          .column = "Deviation",
          .name = "Deviation of received to sent from the recipients per message",
          .unit = Unit::share,
          .rounding = { Notation::difference },
          .statistic = Statistic::ratio,
          .kinds = kMail,
          .csv = { "final window", "received:sent", "deviation" },
          .help = "Near 0 the mailboxes receive as much as the users send." },
        +[](const S& s) {
            return atTheEnd(s, [&](const MessageRates& w) {
                return w.receivedToSent && s.mix.recipientsPerMessage > 0
                    ? Measured { *w.receivedToSent / s.mix.recipientsPerMessage - 1, w.sent }
                    : Measured {};
            });
        } },
    { { .key = "mail.final-retrieved",
          .table = finalWindow,
          .column = "Retrieved",
          .name = "Messages retrieved",
          .unit = Unit::messages,
          .better = Better::more,
          .kinds = kMail,
          .csv = { "final window", "retrieved", "count" },
          .help = "Messages that mailboxes handed out: each reading of each, other people's too.",
          .unless = "mail.final-received" },
        +[](const S& s) { return atTheEnd(s, [](const MessageRates& w) { return counted(w.retrieved); }); } },
    { { .key = "mail.final-retrieved-rate",
          .table = finalWindow,
          .column = "Retrieved/s",
          .name = "Messages retrieved per second",
          .unit = Unit::messagesPerSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kMail,
          .csv = { "final window", "retrieved", "rate" },
          .help = "Messages that mailboxes handed out, each second.",
          .unless = "mail.final-received-rate" },
        +[](const S& s) {
            return atTheEnd(s, [](const MessageRates& w) {
                return Measured { w.retrievedPerSecond, w.retrieved.value_or(0) };
            });
        } },
};

} // namespace

std::span<const FigureRow> messageFigures()
{
    return kMessageRows;
}

} // namespace loadstone::analysis
