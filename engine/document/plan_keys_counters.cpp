// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [[counters]] and [[derived]].
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

KeyRows sourceKeys()
{
    const KeyCondition exporter { ".openmetrics", {} }, command { ".command", {} };
    const KeyCondition lines { ".format", { "lines" } };
    KeyRows rows {
        { .path = "name",
            .type = KeyType::text,
            .least = 1,
            .most = 60,
            .required = true,
            .help = "What tables, charts and criteria call the computer; unique in the plan." },
        { .path = "role",
            .type = KeyType::choice,
            .choices = { "sut", "generator", "directory" },
            .help = "The system under test, a generator of load, or a directory server." },
        { .path = "item",
            .type = KeyType::text,
            .when = { { "lab", {} } },
            .help = "The id of the lab's item that the computer is.",
            .rare = true },
        { .path = "host",
            .type = KeyType::flag,
            .help = "True: counters of the machine that runs Loadstone. One of host, ssh, openmetrics and "
                    "command is "
                    "needed." },
        { .path = "ssh",
            .type = KeyType::text,
            .least = 1,
            .most = 255,
            .help =
                "Counters of another Linux machine: HOST or USER@HOST. ssh takes keys, users and known hosts "
                "from its own files and asks nothing." },
        { .path = "openmetrics",
            .type = KeyType::text,
            .most = 2000,
            .help = "Counters of an exporter: its address, beginning with http:// or https://." },
        { .path = "command",
            .type = KeyType::text,
            .least = 1,
            .most = 4000,
            .help = "Counters that a command of /bin/sh prints, at most 1 MB." },
        { .path = "every",
            .type = KeyType::duration,
            .least = 1,
            .most = kHour,
            .fallback = "5 s",
            .help = "Time from one reading to the next, counted from the run's start." },
        { .path = "time_limit",
            .type = KeyType::duration,
            .least = 0.1,
            .most = kHour,
            .help = "Of one reading; shorter than every. Without it 4 s, but at most 80 % of every.",
            .rare = true },
        { .path = "processes",
            .type = KeyType::texts,
            .most = 200,
            .help = "With host or ssh: names of processes, or \"service:NAME\" for all processes of a "
                    "service; each "
                    "name is one row." },
        { .path = "cgroups",
            .type = KeyType::texts,
            .most = 200,
            .help = "With host or ssh: control groups, as paths from their root on.",
            .label = "Control groups" },
        { .path = "postfix",
            .type = KeyType::text,
            .help = "With host or ssh: folder of Postfix' queues, whose messages are counted." },
        { .path = "volumes",
            .type = KeyType::table,
            .help = "With host, ssh or openmetrics: roles of volumes, and the disks that each is made of." },
        { .path = "volumes.*",
            .type = KeyType::texts,
            .least = 1,
            .most = 200,
            .help = "The disks of the volume with this role: \"IS Database\" = [\"sda\", \"sdb\"]." },
        { .path = "processors",
            .type = KeyType::numbers,
            .least = 1,
            .most = 4096,
            .help = "With host, ssh or openmetrics: numbers of processors, from 0 to 4095; processor time is "
                    "of these "
                    "alone." },
        { .path = "user",
            .type = KeyType::text,
            .most = 300,
            .when = { exporter },
            .help = "Of basic authentication." },
        { .path = "password",
            .type = KeyType::secret,
            .when = { exporter, { ".user", {} } },
            .help = "Of basic authentication." },
        { .path = "token", .type = KeyType::secret, .when = { exporter }, .help = "Bearer token." },
        { .path = "ca_file",
            .type = KeyType::text,
            .when = { exporter },
            .help = "With https: a PEM file of the authorities to trust instead of the system's.",
            .rare = true },
        { .path = "verify_certificate",
            .type = KeyType::flag,
            .when = { exporter },
            .help =
                "With https: the certificate must be valid, be signed by a trusted authority, and name the "
                "server; so it is without this key." },
        { .path = "metrics",
            .type = KeyType::texts,
            .most = 200,
            .help = "With openmetrics, or a command in that format: further metrics by name, with * for any "
                    "text; "
                    "labels may follow in braces." },
        { .path = "format",
            .type = KeyType::choice,
            .fallback = "lines",
            .choices = { "lines", "openmetrics" },
            .when = { command },
            .help = "What the command prints: a name and a number on each line, or what an exporter would "
                    "send." },
        { .path = "values",
            .type = KeyType::tables,
            .most = 200,
            .when = { command, lines },
            .help = "The names that count, with their units; without it every line, as bare numbers." },
        { .path = "missing_line",
            .type = KeyType::number,
            .least = -kAnyValue,
            .most = kAnyValue,
            .when = { command, lines, { ".values", {} } },
            .help = "The value of a counter whose line is missing; without it the value is missing.",
            .rare = true },
    };
    for (const char* secret : { "password", "token" })
        addBelow(rows, secret,
            {
                { .path = "environment",
                    .type = KeyType::text,
                    .help = "The environment variable that holds it." },
                { .path = "file", .type = KeyType::text, .help = "The file whose first line it is." },
                { .path = "prompt",
                    .type = KeyType::flag,
                    .help = "Refused here: a run reads it by itself.",
                    .rare = true },
            });
    addBelow(rows, "values[]",
        {
            { .path = "name",
                .type = KeyType::text,
                .least = 1,
                .most = 100,
                .required = true,
                .help = "The name that begins its line." },
            { .path = "unit",
                .type = KeyType::text,
                .most = 20,
                .help = "A short one, such as \"messages\", \"%\" or \"bytes/s\"." },
            { .path = "rises",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "The number is a total that only rises, and what counts is its rate." },
        });
    return rows;
}

KeyRows computedKeys()
{
    const auto paths = [](std::string_view path, double least, std::optional<double> most,
                           std::string_view help) {
        return KeyRow { .path = path, .type = KeyType::texts, .least = least, .most = most, .help = help };
    };
    return {
        { .path = "name",
            .type = KeyType::text,
            .required = true,
            .help = "What charts and tables call it; without =." },
        { .path = "unit", .type = KeyType::text, .help = "Of the result; without =." },
        paths("sum", 1, {},
            "The sum of these counters: paths, with * and ?. One of sum, mean, ratio and is is needed."),
        paths("mean", 1, {}, "The mean of these counters."),
        paths("ratio", 2, 2, "The first counter over the second."),
        { .path = "is",
            .type = KeyType::text,
            .help = "An expression, see \"Derived counters\" in the help." },
        { .path = "times",
            .type = KeyType::number,
            .least = -kAnyValue,
            .most = kAnyValue,
            .help = "Multiplies the result." },
        { .path = "per",
            .type = KeyType::choice,
            .choices = { "user", "processor" },
            .help = "Divides it by the mix's users, or by the computer's processors." },
    };
}

} // namespace

KeyRows counterKeys()
{
    KeyRows rows;
    addBelow(rows, "counters[]", sourceKeys());
    addBelow(rows, "derived[]", computedKeys());
    return rows;
}

} // namespace loadstone::document
