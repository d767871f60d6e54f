// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [workload], [rehearsal] and the profiles that plans carry.
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

KeyRows stepKeys()
{
    const KeyCondition sends { ".action", { "send message", "SMTP session" } },
        script { ".action", { "IMAP session", "SMTP session", "POP3 session" } };
    return {
        { .path = "action",
            .type = KeyType::choice,
            .required = true,
            .choices = { "empty mailbox", "read mailbox", "send message", "hold session", "list mailbox",
                "IMAP session", "SMTP session", "POP3 session" },
            .help = "What the step does." },
        { .path = "size",
            .type = KeyType::bytes,
            .least = kKilobyte,
            .most = 64 * kMegabyte,
            .when = { sends },
            .help = "Of the whole message. \"send message\" needs it, and so does a session that sends "
                    "{message}." },
        { .path = "recipients",
            .type = KeyType::integer,
            .least = 1,
            .most = 1000,
            .fallback = "1",
            .when = { sends },
            .help = "Distinct mailboxes of the mix to which each message goes." },
        { .path = "commands",
            .type = KeyType::texts,
            .when = { script },
            .help = "Commands that are sent one after another. IMAP: without tags, such as \"NOOP\" or \"UID "
                    "FETCH 1:* "
                    "(FLAGS)\". SMTP and POP3: with placeholders and, if needed, the expected reply, such as "
                    "\"RETR {n}\" or "
                    "\"VRFY {user} -> 252 or 5xx\"; needed there." },
        { .path = "repeat",
            .type = KeyType::integer,
            .least = 1,
            .most = 1e9,
            .fallback = "1",
            .when = { script },
            .help = "How often the commands are sent." },
        { .path = "hold",
            .type = KeyType::duration,
            .least = kMillisecond,
            .most = kDay,
            .when = { { ".action", { "hold session", "IMAP session" } } },
            .help = "How long to stay connected; \"hold session\" needs it." },
    };
}

} // namespace

KeyRows workloadKeys()
{
    const KeyCondition open { ".pacing", { "open" } }, users { ".pacing", { "users" } },
        scripts { ".pacing", { "closed", "open" } };
    KeyRows rows;
    addBelow(rows, "workload",
        {
            { .path = "pacing",
                .type = KeyType::choice,
                .fallback = "closed",
                .choices = { "closed", "open", "users" },
                .help = "closed: threads visit the mailboxes in turn, with think time after each iteration. "
                        "open: "
                        "each mailbox acts at its rate, whatever the server's speed. users: each mailbox "
                        "belongs to "
                        "a simulated user, who follows the day of a profile." },
            { .path = "rate",
                .type = KeyType::rate,
                .most = 10'000,
                .required = true,
                .when = { open },
                .help = "Iterations of one mailbox." },
            { .path = "arrivals",
                .type = KeyType::choice,
                .fallback = "even",
                .choices = { "even", "poisson" },
                .when = { open },
                .help = "Intervals between iterations: equal, or at random (exponential)." },
            { .path = "recipient_choice",
                .type = KeyType::choice,
                .fallback = "correspondents",
                .choices = { "correspondents", "random" },
                .when = { scripts },
                .help =
                    "Each mailbox always writes to the same others, or to other recipients in each message.",
                .rare = true },
            { .path = "max_sessions",
                .type = KeyType::integer,
                .least = 0,
                .most = 1'000'000,
                .fallback = "0",
                .when = { open },
                .help = "Connections at once; 0: chosen from this machine's limits, in initialisations 32.",
                .rare = true },
            { .path = "profile",
                .type = KeyType::text,
                .least = 1,
                .required = true,
                .when = { users },
                .help = "The name of a profile that comes with the program, or of a file beside the plan, "
                        "without "
                        ".toml." },
            { .path = "day",
                .type = KeyType::duration,
                .least = 10,
                .most = kDay,
                .when = { users },
                .help =
                    "Length of the profile's day in this plan; a shorter one compresses it, pauses included. "
                    "Without it the profile's." },
            { .path = "logon_over",
                .type = KeyType::duration,
                .least = kMillisecond,
                .most = kLongestTime,
                .when = { users },
                .help = "Users log on one after another within this time; without it the ramp-up, at most a "
                        "32nd of "
                        "the day." },
            { .path = "oracle",
                .type = KeyType::percent,
                .least = 0,
                .most = 100,
                .fallback = "5 %",
                .when = { users },
                .help = "Share of the users whose mailboxes the oracle follows.",
                .rare = true },
            { .path = "initialise",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "The run first fills the mailboxes with what [workload.initial] or the profile says.",
                .label = "Initialise first" },
            { .path = "initial",
                .type = KeyType::table,
                .help = "What mailboxes hold before the run; overrides the profile's [initial].",
                .label = "Initial content" },
            { .path = "steps",
                .type = KeyType::tables,
                .least = 1,
                .most = 100,
                .when = { scripts },
                .help = "The steps of one iteration, in order. Needed, unless [[workloads]] have them." },
            { .path = "retry",
                .type = KeyType::table,
                .when = { scripts },
                .help = "Further attempts after a failed action.",
                .rare = true },
        });
    addOverridesBelow(rows, "workload.initial", initialMailboxKeys());
    addBelow(rows, "workload.steps[]", stepKeys());
    addBelow(rows, "workloads[]",
        { { .path = "name",
            .type = KeyType::text,
            .least = 1,
            .most = 40,
            .required = true,
            .help = "A different one for each entry; mixes name their workloads by it." } });
    addOverridesBelow(rows, "workloads[]", pauseKeys());
    addBelow(rows, "workloads[]",
        { { .path = "steps",
            .type = KeyType::tables,
            .least = 1,
            .most = 100,
            .required = true,
            .help = "The steps of one iteration, in order." } });
    addBelow(rows, "workloads[].steps[]", stepKeys());
    addBelow(rows, "workload.retry",
        {
            { .path = "attempts",
                .type = KeyType::integer,
                .least = 0,
                .most = 100,
                .fallback = "0",
                .help = "Further attempts after a failed action. A message that was refused for some of its "
                        "recipients is sent again to these only." },
            { .path = "pause",
                .type = KeyType::duration,
                .least = 0,
                .most = kHour,
                .fallback = "1 s",
                .help = "Before each further attempt." },
        });
    addBelow(rows, "rehearsal",
        {
            { .path = "service_time",
                .type = KeyType::text,
                .fallback = "constant 10 ms",
                .help = "Of each action; forms as for [target.embedded], whose values are the default of "
                        "this table "
                        "where the plan has one." },
            { .path = "capacity",
                .type = KeyType::integer,
                .least = 0,
                .most = 1'000'000,
                .fallback = "0",
                .help = "Actions served at once; 0: no limit." },
            { .path = "delivery_rate",
                .type = KeyType::rate,
                .most = 10'000,
                .help = "Highest rate at which copies are put into mailboxes; further ones wait in a queue. "
                        "Without "
                        "it there is no limit." },
            { .path = "delivery_delay",
                .type = KeyType::duration,
                .least = 0,
                .most = kDay,
                .fallback = "0 s",
                .help = "In addition to any waiting." },
        });
    rows.push_back({ .path = "profile.text",
        .type = KeyType::text,
        .required = true,
        .help = "The content of the profile's file.",
        .rare = true });
    addBelow(rows, "profiles[]",
        {
            { .path = "name",
                .type = KeyType::text,
                .required = true,
                .help = "The profile's name in [workload] and [[targets]].",
                .rare = true },
            { .path = "text",
                .type = KeyType::text,
                .required = true,
                .help = "The content of its file.",
                .rare = true },
        });
    return rows;
}

} // namespace loadstone::document
