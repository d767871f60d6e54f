// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [criteria], [queues] and [health]: what a run is judged by.
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

constexpr double kShortest = 1e-6; // of a limit on response times
constexpr const char* kWhose =
    "Whose it is: \"sut\", \"generator\" or \"directory\" (every computer with that role), or a computer's "
    "name in [[counters]]; without it the machine that makes the load.";

KeyRow latencyLimit(std::string_view path, std::string_view help)
{
    return {
        .path = path, .type = KeyType::duration, .least = kShortest, .most = kLongestTime, .help = help
    };
}

KeyRows actionLimits()
{
    KeyRows rows;
    for (const std::vector<ActionKey>* actions :
        { &timedActionKeys(), &followingActionKeys(), &scriptedActionKeys() })
        for (const ActionKey& action : *actions)
            rows.push_back(
                latencyLimit(action.key, kept(std::string("Limit, at most: ") + action.words + ".")));
    return rows;
}

KeyRows criteriaKeys()
{
    KeyRows rows {
        { .path = "percentile",
            .type = KeyType::number,
            .least = 0,
            .most = 100,
            .fallback = "95",
            .help = "Of the response times below; above 0." },
        latencyLimit("score", "The weighted response time, at most; needs a profile with weights."),
        latencyLimit("response_time", "Of every action, at most."),
        { .path = "actions",
            .type = KeyType::table,
            .help = "Limits of their own for some actions, by the names of the score's weights." },
        { .path = "processor", .type = KeyType::table, .help = "Mean processor time of a computer." },
        { .path = "error_rate",
            .type = KeyType::percent,
            .least = 0,
            .most = 100,
            .help = "Share of failed actions, at most." },
        { .path = "queue_growth",
            .type = KeyType::number,
            .unit = "messages",
            .least = 0,
            .most = kAnyValue,
            .help = "By how many the copies that are accepted and not yet retrieved may grow over the "
                    "measurement, "
                    "beyond chance." },
        { .path = "audit",
            .type = KeyType::flag,
            .fallback = "false",
            .help = "No copy lost, delivered twice or damaged, none outstanding at the end, and no finding "
                    "of the "
                    "mailbox oracle." },
        { .path = "counters",
            .type = KeyType::tables,
            .most = 100,
            .help = "Limits of counters, as averages over the measurement." },
    };
    addBelow(rows, "actions", actionLimits());
    const auto percent = [](std::string_view path, std::string_view help) {
        return KeyRow { .path = path, .type = KeyType::percent, .least = 1, .most = 100, .help = help };
    };
    addBelow(rows, "processor",
        { { .path = "of", .type = KeyType::text, .help = kWhose }, percent("least", "At least so busy."),
            percent("most", "At most so busy.") });
    addBelow(rows, "counters[]",
        {
            { .path = "counter",
                .type = KeyType::text,
                .required = true,
                .help = "Its name as charts show it, in single quotes: '\\Memory\\Available MBytes'." },
            { .path = "of", .type = KeyType::text, .help = kWhose },
            { .path = "least",
                .type = KeyType::number,
                .least = -kAnyValue,
                .most = kAnyValue,
                .help = "The least mean, in the counter's unit; counters of events are per second." },
            { .path = "most",
                .type = KeyType::number,
                .least = -kAnyValue,
                .most = kAnyValue,
                .help = "The highest mean." },
            { .path = "may_grow",
                .type = KeyType::flag,
                .fallback = "true",
                .help = "False: it must not grow beyond chance." },
        });
    return rows;
}

KeyRows healthKeys()
{
    const auto time = [](std::string_view path, double least, double most, std::string_view fallback,
                          std::string_view help) {
        return KeyRow { .path = path,
            .type = KeyType::duration,
            .least = least,
            .most = most,
            .fallback = fallback,
            .help = help };
    };
    const auto share = [](std::string_view path, std::string_view fallback, std::string_view help) {
        return KeyRow { .path = path,
            .type = KeyType::percent,
            .least = 1,
            .most = 100,
            .fallback = fallback,
            .help = help };
    };
    return {
        time("max_slip_p99", 1e-5, kMinute, "10 ms", "99th percentile of how late timers fired."),
        share("max_worker_cpu", "90 %",
            "Of the busiest load thread. Raw device tests that poll are judged by it only if it is stated."),
        share("max_run_queue_wait", "25 %",
            "Share of time in which the load thread that waited longest was ready and had no processor."),
        share("max_throttled", "1 %",
            "Share of time in which a control group of this process, or one above it, kept it from running; "
            "the sum "
            "over processors."),
        share(
            "max_steal", "10 %", "Share of the processors' time that the hypervisor gave to other machines."),
        time("max_loop_lag_p99", 1e-5, kMinute, "25 ms",
            "99th percentile of the lag of a mail run's event loops, measured ten times a second."),
        time("max_standstill", 0.01, kHour, "1 s",
            "The longest time in which an event loop or the control thread did not run."),
        { .path = "keep_processors_awake",
            .type = KeyType::flag,
            .fallback = "true",
            .help = "Idle processors of this machine wait instead of sleeping, which makes measured times "
                    "tens of "
                    "microseconds shorter; only as root." },
    };
}

} // namespace

KeyRows judgementKeys()
{
    KeyRows rows;
    addBelow(rows, "criteria", criteriaKeys());
    addBelow(rows, "queues",
        {
            { .path = "normal",
                .type = KeyType::number,
                .unit = "messages",
                .least = 0,
                .most = kAnyValue,
                .fallback = "50",
                .help = "A queue up to this length is normal." },
            { .path = "failing",
                .type = KeyType::number,
                .unit = "messages",
                .least = 0,
                .most = kAnyValue,
                .fallback = "1000",
                .help = "A longer queue means that the server fails; above normal." },
            { .path = "counters",
                .type = KeyType::texts,
                .most = 100,
                .help = "Paths of queues, with * and ? for other letters; without it those that are known as "
                        "queues "
                        "of mail." },
        });
    addBelow(rows, "health", healthKeys());
    return rows;
}

} // namespace loadstone::document
