-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A recording. All times are nanoseconds since the run's start, civil times nanoseconds since 1970 UTC.
-- Chunks: id = series << 32 | number of the first tick. The codecs' grammars stand at the top of their .cpp files.
CREATE TABLE run (
    one INTEGER PRIMARY KEY, -- always 1
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    started INTEGER NOT NULL,
    plan_name TEXT NOT NULL,
    plan_text TEXT NOT NULL,
    seed INTEGER NOT NULL, -- 64 bits as a signed number
    versions TEXT NOT NULL,
    host TEXT NOT NULL,
    computer TEXT NOT NULL,
    planned_length INTEGER NOT NULL,
    sent INTEGER NOT NULL, -- ids of the counters that the results are made from
    received INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    final_window INTEGER NOT NULL,
    state INTEGER NOT NULL, -- 1 while it is being written, else how it ended
    reason TEXT NOT NULL,
    audited INTEGER NOT NULL
) STRICT;
CREATE TABLE counter (
    id INTEGER PRIMARY KEY,
    computer TEXT NOT NULL,
    object TEXT NOT NULL,
    instance TEXT NOT NULL,
    counter TEXT NOT NULL,
    unit TEXT NOT NULL,
    counts TEXT NOT NULL,
    help TEXT NOT NULL,
    kind INTEGER NOT NULL
) STRICT;
CREATE TABLE histogram (
    id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    clock INTEGER NOT NULL,
    name TEXT NOT NULL
) STRICT;
CREATE TABLE mix (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    mailboxes INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    recipients REAL NOT NULL,
    measurement INTEGER NOT NULL
) STRICT;
CREATE TABLE phase (
    id INTEGER PRIMARY KEY,
    mix INTEGER NOT NULL,
    mix_name TEXT NOT NULL,
    kind INTEGER NOT NULL,
    begin INTEGER NOT NULL,
    end INTEGER NOT NULL,
    open INTEGER NOT NULL
) STRICT;
-- The newest ticks, one row each; sealed into chunks by the thousand.
CREATE TABLE hot (
    tick INTEGER PRIMARY KEY,
    begin INTEGER NOT NULL,
    end INTEGER NOT NULL,
    phase INTEGER NOT NULL,
    samples BLOB NOT NULL, -- a double per counter
    latencies BLOB NOT NULL
) STRICT;
CREATE TABLE tick_chunk (
    first INTEGER PRIMARY KEY,
    ticks INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE counter_chunk (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE counter_brick (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE histogram_chunk (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE histogram_sum (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE failure_kind (
    id INTEGER PRIMARY KEY,
    place TEXT NOT NULL,
    kind TEXT NOT NULL,
    code INTEGER NOT NULL,
    text TEXT NOT NULL -- what was said; empty: nothing was kept
) STRICT;
CREATE TABLE failure (
    tick INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (tick, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    severity INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE transcript (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    phase INTEGER NOT NULL,
    place TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE audit (
    one INTEGER PRIMARY KEY,
    accepted INTEGER NOT NULL,
    expected INTEGER NOT NULL,
    delivered_once INTEGER NOT NULL,
    late INTEGER NOT NULL,
    twice INTEGER NOT NULL,
    damaged INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    outstanding INTEGER NOT NULL,
    unknown INTEGER NOT NULL
) STRICT;
CREATE TABLE audit_exception (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    token TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE TABLE invalid_reason (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE annotation (
    id INTEGER PRIMARY KEY,
    made INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
