// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of raw device tests; their mixes are mixKeys()'.
#include "document/key_tables.h"

namespace loadstone::document {

KeyRows rawTestKeys()
{
    KeyRows rows;
    addBelow(rows, "device",
        {
            { .path = "path",
                .type = KeyType::text,
                .most = 4000,
                .required = true,
                .help = "The full path of the file." },
            { .path = "size",
                .type = KeyType::bytes,
                .least = kMegabyte,
                .most = 1024 * kTerabyte,
                .required = true,
                .help = "Of the file; a multiple of the block. It should be larger than the caches of the "
                        "device." },
            { .path = "item",
            .type = KeyType::text,
            .when = { { "lab", {} } },
            .help = "The id of the lab's item that the file or device lies on.",
            .rare = true },
        { .path = "direct",
                .type = KeyType::flag,
                .fallback = "true",
                .help = "Without the kernel's page cache (O_DIRECT). It is an error if the file system "
                        "refuses that." },
            { .path = "durability",
                .type = KeyType::choice,
                .fallback = "write-through",
                .choices = { "write-through", "flushed", "none" },
                .help = "A write is complete when it is durable (O_DSYNC), when a later flush of the file "
                        "(fdatasync) is "
                        "complete, or when the device has it." },
            { .path = "back_end",
                .type = KeyType::choice,
                .fallback = "automatic",
                .choices = { "automatic", "io_uring", "threads" },
                .help = "What does the I/O; automatic uses threads if the kernel or a container refuses "
                        "io_uring.",
                .rare = true },
            { .path = "poll",
                .type = KeyType::flag,
                .fallback = "false",
                .when = { { ".direct", { "true" } } },
                .help = "Find completions by polling the device, if its driver has queues for polling "
                        "(io_uring). The "
                        "load threads are then never idle.",
                .rare = true },
            { .path = "confirm",
                .type = KeyType::text,
                .help = "The path again, for a block device (everything on it may be overwritten), or for a "
                        "file on a "
                        "network or FUSE (which may report a write as durable when it is not)." },
        });
    addBelow(rows, "io",
        {
            { .path = "block",
                .type = KeyType::bytes,
                .least = 512,
                .most = 16 * kMegabyte,
                .fallback = "8 KB",
                .help = "Of each transfer; a power of two." },
            { .path = "pattern",
                .type = KeyType::choice,
                .fallback = "random",
                .choices = { "random", "sequential", "append" },
                .help = "Anywhere in the file; in order, each worker in its own part, again and again; or "
                        "the same with "
                        "writes only, like a log." },
        });
    return rows;
}

} // namespace loadstone::document
