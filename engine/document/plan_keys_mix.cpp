// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [mix] and [[mixes]]: of mail, and of raw device tests.
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

/// What [mix] may say for all, and each entry of [[mixes]] for itself.
KeyRows loadKeys()
{
    const KeyCondition mail { "kind", { "mail" } }, raw { "kind", { "raw" } },
        users { "workload.pacing", { "users" } }, scripts { "workload.pacing", { "closed", "open" } },
        closed { "workload.pacing", { "closed" } };
    return {
        { .path = "users",
            .type = KeyType::integer,
            .least = 1,
            .most = 1e8,
            .when = { mail, users },
            .help = "Simulated users; instead of clients, threads_per_client and mailboxes_per_client. "
                    "Needed here "
                    "or in [mix]." },
        { .path = "clients",
            .type = KeyType::integer,
            .least = 1,
            .most = 1'000'000,
            .when = { mail, scripts },
            .help = "Simulated client machines. Needed here or in [mix]." },
        { .path = "threads_per_client",
            .type = KeyType::integer,
            .least = 1,
            .most = 1'000'000,
            .when = { mail, closed },
            .help = "Each thread has one session at a time; if steps log in, not more threads than "
                    "mailboxes. Needed "
                    "here or in [mix]." },
        { .path = "mailboxes_per_client",
            .type = KeyType::integer,
            .least = 1,
            .most = 1e8,
            .when = { mail, scripts },
            .help = "Users are clients times mailboxes. Needed here or in [mix]." },
        { .path = "depth",
            .type = KeyType::integer,
            .least = 1,
            .most = 4096,
            .fallback = "1",
            .when = { raw },
            .help = "Transfers under way at once, of all workers together; at most 256 for each worker if "
                    "threads do "
                    "the I/O (back_end)." },
        { .path = "read_share",
            .type = KeyType::percent,
            .least = 0,
            .most = 100,
            .fallback = "100 %",
            .when = { raw },
            .help = "Share of reads; the other transfers are writes. The pattern append only writes." },
        { .path = "rate",
            .type = KeyType::rate,
            .most = 10'000'000,
            .when = { raw },
            .help =
                "Transfers that are due per second; without it the next one begins as soon as one ends." },
        { .path = "arrivals",
            .type = KeyType::choice,
            .fallback = "constant",
            .choices = { "constant", "poisson" },
            .when = { raw, { ".rate", {} } },
            .help = "Intervals between transfers: equal, or at random (exponential)." },
        { .path = "ramp_up",
            .type = KeyType::duration,
            .least = 0,
            .most = kLongestTime,
            .fallback = "0 s",
            .help = "Load before the measurement." },
        { .path = "measurement",
            .type = KeyType::duration,
            .least = 1,
            .most = kLongestTime,
            .help =
                "What results are computed from. Needed here or in [mix]; in mail plans total can be stated "
                "instead." },
        { .path = "ramp_down",
            .type = KeyType::duration,
            .least = 0,
            .most = kLongestTime,
            .fallback = "0 s",
            .help = "Load after the measurement." },
        { .path = "total",
            .type = KeyType::duration,
            .least = 1,
            .most = kLongestTime,
            .when = { mail },
            .help = "Ramp-up, measurement and ramp-down together.",
            .rare = true },
        { .path = "think_time",
            .type = KeyType::duration,
            .least = 0,
            .most = kLongestTime,
            .fallback = "0 s",
            .when = { mail, closed },
            .help = "From the end of one iteration of a thread to the beginning of the next." },
        { .path = "quiet_time",
            .type = KeyType::duration,
            .least = 0,
            .most = kLongestTime,
            .fallback = "0 s",
            .help =
                "Without load after the mix; in mail plans the drain takes its place after the last mix." },
    };
}

} // namespace

KeyRows mixKeys()
{
    KeyRows rows;
    addOverridesBelow(rows, "mix", loadKeys());
    addBelow(rows, "mixes[]",
        { { .path = "name",
            .type = KeyType::text,
            .least = 1,
            .most = 60,
            .help = "A different one for each entry; without it \"Mix 1\" and so on." } });
    addBelow(rows, "mixes[]", loadKeys());
    return rows;
}

} // namespace loadstone::document
