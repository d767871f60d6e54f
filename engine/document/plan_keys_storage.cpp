// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of storage plans. Defaults are those without a preset.
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

KeyRow rarely(KeyRow row)
{
    row.rare = true;
    return row;
}

KeyRow where(KeyRow row, KeyCondition condition, bool required = false)
{
    row.when.push_back(std::move(condition));
    row.required = required;
    return row;
}

KeyRows databaseKeys()
{
    return {
        sizeKey("page_size", 4 * kKilobyte, 32 * kKilobyte, "8 KB", "4, 8, 16 or 32 KB."),
        sizeKey("cache_minimum", kMegabyte, 64 * kTerabyte, "256 MB",
            "Of the host: the groups share it evenly. It is only printed in reports."),
        sizeKey("cache_maximum", kMegabyte, 64 * kTerabyte, "2 GB",
            "The cache grows to this and never shrinks. It must hold 24 pages for each session, and fit the "
            "free "
            "memory; the databases should be many times as large."),
        sizeKey("log_buffer", 256 * kKilobyte, kGigabyte, "4500 KB",
            "Of each group; at least 16 pages, at most the checkpoint depth."),
        sizeKey("log_file", 256 * kKilobyte, kGigabyte, "1 MB", "Size of each log file; a multiple of 4 KB."),
        sizeKey("log_sector", 512, 4 * kKilobyte, "512 B",
            "Unit of log writes: \"512 B\", or \"4 KB\" for devices with sectors of that size."),
        sizeKey("checkpoint_depth", kMegabyte, kTerabyte, "20 MB",
            "Size of the log of each group that would be replayed after a crash: changed pages are written "
            "before it "
            "is exceeded. At least one log file."),
        sizeKey("short_pad", 1, 32 * kKilobyte, "200 B",
            "Of each record, which an insert, a delete, a replace and a read take; it must fit half a page."),
        sizeKey("long_pad", 1, 32 * kKilobyte, "2000 B",
            "Of its long value, which is stored apart and which a read leaves alone; it must fit half a "
            "page."),
        rarely({ .path = "compression",
            .type = KeyType::number,
            .least = 1,
            .most = 100,
            .fallback = "1",
            .help = "Factor by which a compressor of the storage can shrink records; 1: they cannot be "
                    "compressed." }),
        rarely(shareKey("duplication", "0 %", "Share of records that have the same long pad.")),
        rarely(shareKey("growth_reserve", "25 %", "Space for a database to grow, on top of its size.")),
        { .path = "direct",
            .type = KeyType::flag,
            .fallback = "true",
            .help = "Without the kernel's page cache (O_DIRECT).",
            .rare = true },
        { .path = "durability",
            .type = KeyType::choice,
            .fallback = "write-through",
            .choices = { "write-through", "flushed" },
            .help = "A write is complete when it is durable (O_DSYNC), or when a later flush of the file "
                    "(fdatasync) "
                    "is complete.",
            .rare = true },
        { .path = "back_end",
            .type = KeyType::choice,
            .fallback = "automatic",
            .choices = { "automatic", "io_uring", "threads" },
            .help =
                "What does the I/O; automatic uses threads if the kernel or a container refuses io_uring.",
            .rare = true },
        { .path = "confirm",
            .type = KeyType::texts,
            .help = "Folders of the plan that are on a network or FUSE and that you want to use "
                    "nevertheless: such a "
                    "file system may report a write as durable when it is not.",
            .rare = true },
    };
}

KeyRows transactionKeys()
{
    const KeyCondition threads { ".pacing", { "threads" } }, rate { ".pacing", { "rate" } },
        mailboxes { ".pacing", { "mailboxes" } }, paced { ".pacing", { "rate", "mailboxes" } },
        notMailboxes { ".pacing", { "threads", "rate" } };
    KeyRow iops { .path = "target_iops",
        .type = KeyType::number,
        .unit = "transfers/s",
        .least = 0.1,
        .most = 1e8,
        .when = { notMailboxes },
        .help = "Database reads and writes per second, of the host. \"rate\" needs it; with \"threads\" the "
                "load is "
                "judged by it, but not paced." };
    KeyRow perMailbox { .path = "iops_per_mailbox",
        .type = KeyType::number,
        .unit = "transfers/s",
        .least = 0.0001,
        .most = 10'000,
        .help = "Database transfers per second of one mailbox." };
    KeyRow tuning { .path = "tuning",
        .type = KeyType::flag,
        .fallback = "false",
        .when = { notMailboxes },
        .help = "Find the highest load within the limits first: the number of threads, beginning at threads, "
                "or the "
                "rate, between a 64th of target_iops and 64 times as much." };
    return {
        { .path = "pacing",
            .type = KeyType::choice,
            .fallback = "threads",
            .choices = { "threads", "rate", "mailboxes" },
            .help =
                "threads: as many transactions as the threads complete. rate: paced to target_iops. "
                "mailboxes: "
                "paced to the target of a number of mailboxes, which also sets the size of the databases." },
        countKey("threads", 1, 10'000, "",
            "Sessions, each with one transaction after the other; at most 3700 of a group. \"threads\" needs "
            "it "
            "unless the load is tuned; else 64."),
        { .path = "threads_of",
            .type = KeyType::choice,
            .fallback = "group",
            .choices = { "group", "host" },
            .help = "The threads are of each group, or of all groups together." },
        iops,
        where(countKey("mailboxes", 1, 1e8, "", "How many mailboxes; the databases share them evenly."),
            mailboxes, true),
        where(perMailbox, mailboxes, true),
        where(sizeKey("quota", kKilobyte, kTerabyte, "", "Size of one mailbox."), mailboxes, true),
        where(shareKey("headroom", "0 %",
                  "Share of the target that the mailboxes do not use, less than 100 %: the target is their "
                  "demand "
                  "divided by (1 - headroom)."),
            mailboxes),
        where(shareKey("margin", "5 %", "How far from the target a minute may be, where the load is paced."),
            paced),
        countKey("operations", 1, 10'000, "30", "Of a transaction, each committed by itself."),
        shareKey("insert", "40 %",
            "Inserts among the operations of a transaction, whole per cents; the rest are reads. In "
            "a full database (98 % of its pages) an insert becomes a delete; the event log then says how "
            "many did."),
        shareKey("delete", "30 %", "Deletes among the operations, whole per cents."),
        shareKey("replace", "5 %", "Replaces among the operations, whole per cents."),
        shareKey("lazy_commits", "55 %", "Commits that do not wait for the log, whole per cents."),
        tuning,
        where(where(countKey(
                        "most_threads", 1, 10'000, "256", "The highest number that tuning of threads tries."),
                  threads),
            { ".tuning", { "true" } }),
    };
}

KeyRows limitKeys()
{
    const auto time = [](std::string_view path, std::string_view fallback, std::string_view help) {
        return KeyRow { .path = path,
            .type = KeyType::duration,
            .least = 1e-5,
            .most = kHour,
            .fallback = fallback,
            .help = help };
    };
    return {
        time("average_database_read", "20 ms", "Over the measurement, of each volume."),
        time("average_log_write", "10 ms", "Over the measurement, of each volume."),
        time("maximum_database_read", "100 ms", "Of each sample's average; strict."),
        time("maximum_log_write", "100 ms", "Of each sample's average; strict."),
        time("lenient_maximum_database_read", "200 ms", "Of each sample's average; lenient."),
        time("lenient_maximum_log_write", "200 ms", "Of each sample's average; lenient."),
        countKey("latency_errors", 0, 1'000'000, "6",
            "Samples above a maximum that are tolerated; with fewer than 42 samples at most a sixth of them, "
            "and at "
            "least one."),
        { .path = "page_fault_stalls",
            .type = KeyType::number,
            .unit = "stalls/s",
            .least = 0,
            .most = 1'000'000,
            .fallback = "1",
            .help = "On average: pages that had to wait for memory in the cache." },
        shareKey("margin", "",
            "How far the achieved rate may be below the target; without it the margin of [load]."),
    };
}

KeyRows testKeys()
{
    const KeyCondition loads { ".kind", { "performance", "stress" } };
    const KeyCondition reads { ".kind", { "backup", "checksum" } };
    return {
        { .path = "kind",
            .type = KeyType::choice,
            .required = true,
            .choices = { "performance", "stress", "backup", "recovery", "checksum" },
            .help = "What is tested." },
        { .path = "name",
            .type = KeyType::text,
            .least = 1,
            .most = 60,
            .help = "In reports; without it \"Performance\", \"Stress\", \"Streaming backup\", \"Soft "
                    "recovery\" or "
                    "\"Checksum\", with a number where another test has that name." },
        { .path = "duration",
            .type = KeyType::duration,
            .least = 1,
            .most = kLongestTime,
            .when = { loads },
            .help = "Of the measurement; without it 2 h (performance) or 24 h (stress)." },
        { .path = "warm_up",
            .type = KeyType::duration,
            .least = 0,
            .most = kLongestTime,
            .fallback = "1 h",
            .when = { loads },
            .help = "The longest wait until the measurement begins: when the cache is filled to 90 %, and a "
                    "paced load "
                    "is steady." },
        { .path = "limits",
            .type = KeyType::choice,
            .choices = { "strict", "lenient" },
            .when = { loads },
            .help = "Which maximum limits hold; without it strict (performance) or lenient (stress)." },
        { .path = "to",
            .type = KeyType::text,
            .when = { { ".kind", { "backup" } } },
            .help = "An existing folder; without one the data is read and not written." },
        where(countKey("logs", 1, 1'000'000, "500",
                  "Log files of each group that are written before the crash and replayed after it."),
            { ".kind", { "recovery" } }),
        where(countKey(
                  "readers", 1, 1024, "", "Reads under way at once; without it 8 (backup) or 32 (checksum)."),
            reads),
        where(sizeKey("read_size", 32 * kKilobyte, 16 * kMegabyte, "",
                  "A multiple of the page size, together with the other readers at most 1 GB for each group; "
                  "without it "
                  "128 KB (backup) or 64 KB (checksum)."),
            reads),
    };
}

} // namespace

KeyRows storageTestKeys()
{
    KeyRows rows;
    addBelow(rows, "database", databaseKeys());
    addBelow(rows, "load", transactionKeys());
    const KeyCondition enabled { ".enabled", { "true" } };
    addBelow(rows, "maintenance",
        {
            { .path = "enabled",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "All pages are read and checked, again and again." },
            where(sizeKey("read_size", 64 * kKilobyte, 16 * kMegabyte, "512 KB", "Of one read of the scan."),
                enabled),
            { .path = "interval",
                .type = KeyType::duration,
                .least = 0,
                .most = kHour,
                .fallback = "100 ms",
                .when = { enabled },
                .help = "From one read to the next, of each database." },
        });
    addBelow(rows, "log_copies",
        { countKey("count", 1, 16, "1",
            "Copies of each database, including the one under load: each further copy reads every finished "
            "log file "
            "once.") });
    addBelow(rows, "limits", limitKeys());
    addBelow(rows, "groups[]",
        {
            { .path = "name",
                .type = KeyType::text,
                .least = 1,
                .most = 40,
                .help = "The beginning of its files' names: letters, digits, -, _ and .; without it "
                        "\"group-1\" and so "
                        "on." },
            { .path = "databases",
                .type = KeyType::texts,
                .least = 1,
                .most = 255,
                .required = true,
                .help = "An existing folder for each database, as a full path. A folder may be named more "
                        "than once." },
            { .path = "log",
                .type = KeyType::text,
                .required = true,
                .help = "Existing folder of the log; best on another volume." },
            { .path = "item",
                .type = KeyType::text,
                .when = { { "lab", {} } },
                .help = "The id of the lab's item that the databases lie on: a volume, pool or file system.",
                .label = "Item of the databases",
                .rare = true },
            { .path = "log_item",
                .type = KeyType::text,
                .when = { { "lab", {} } },
                .help = "The same for the log.",
                .label = "Item of the log",
                .rare = true },
            where(sizeKey("database_size", 4 * kMegabyte, 100 * kTerabyte, "", "Of each database."),
                { "load.pacing", { "threads", "rate" } }, true),
        });
    addBelow(rows, "tests[]", testKeys());
    return rows;
}

} // namespace loadstone::document
