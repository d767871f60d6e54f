// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [mix] and [[mixes]]: of mail, and of raw device tests.
#include "document/key_tables.h"

#include <iterator>

namespace loadstone::document {

namespace {

/// Which of [[workloads]] a mix has.
KeyRows workloadChoiceKeys()
{
    const KeyCondition mail { "kind", { "mail" } }, named { "workloads", {} };
    KeyRows rows {
        { .path = "workload",
            .type = KeyType::text,
            .least = 1,
            .most = 40,
            .when = { mail, named },
            .help = "The name of the one of [[workloads]] that the mix has. This or workloads is needed here "
                    "or in [mix]." },
        { .path = "workloads",
            .type = KeyType::tables,
            .least = 1,
            .most = 50,
            .when = { mail, named },
            .help = "Several of [[workloads]], each with its share of the load." },
    };
    addBelow(rows, "workloads[]",
        {
            { .path = "name",
                .type = KeyType::text,
                .least = 1,
                .most = 40,
                .required = true,
                .help = "One of [[workloads]]." },
            { .path = "share",
                .type = KeyType::integer,
                .least = 1,
                .most = 1'000'000,
                .fallback = "1",
                .help = "Its part, relative to the other shares: with closed pacing of each client's "
                        "threads, with open pacing of the "
                        "iterations of each mailbox." },
        });
    return rows;
}

/// What [mix] may say for all, and each entry of [[mixes]] for itself.
KeyRows loadKeys()
{
    const KeyCondition mail { "kind", { "mail" } }, raw { "kind", { "raw" } },
        users { "workload.pacing", { "users" } }, scripts { "workload.pacing", { "closed", "open" } },
        closed { "workload.pacing", { "closed" } };
    KeyRows rows {
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
    };
    for (KeyRows more : { pauseKeys(), workloadChoiceKeys() })
        rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    rows.push_back({ .path = "quiet_time",
        .type = KeyType::duration,
        .least = 0,
        .most = kLongestTime,
        .fallback = "0 s",
        .help = "Without load after the mix; in mail plans the drain takes its place after the last mix." });
    return rows;
}

} // namespace

KeyRows pauseKeys()
{
    const KeyCondition mail { "kind", { "mail" } }, closed { "workload.pacing", { "closed" } };
    const auto time = [&](std::string_view path, std::string_view fallback, bool rare,
                          std::string_view help) {
        return KeyRow { .path = path,
            .type = KeyType::duration,
            .least = 0,
            .most = kLongestTime,
            .fallback = fallback,
            .when = { mail, closed },
            .help = help,
            .rare = rare };
    };
    const auto distribution = [&](std::string_view path, std::string_view help) {
        return KeyRow { .path = path,
            .type = KeyType::choice,
            .fallback = "constant",
            .choices = { "constant", "uniform", "exponential" },
            .when = { mail, closed },
            .help = help,
            .rare = true };
    };
    return {
        time("think_time", "0 s", false,
            "From the end of one iteration of a thread to the beginning of the next; the mean, if a "
            "distribution is stated."),
        distribution("think_distribution",
            "How think times vary: not at all, evenly about the mean, or without memory. Drawn from the "
            "plan's seed."),
        time("think_least", "0 s", true, "No think time is shorter. The mean stays think_time."),
        time("think_most", {}, true,
            "No think time is longer. Without it there is no bound (exponential), or it is as far above the "
            "mean as think_least is below it "
            "(uniform)."),
        time("request_pause", "0 s", true,
            "Before each further request of an iteration: each step after the first one, and each command of "
            "a session after its first one. "
            "The mean likewise."),
        distribution("request_pause_distribution", "How these pauses vary."),
        time("request_pause_least", "0 s", true, "No such pause is shorter."),
        time("request_pause_most", {}, true, "No such pause is longer."),
    };
}

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
