-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A recording. All times are nanoseconds since the run's start, civil times nanoseconds since 1970 UTC.
-- Chunks: id = series << 32 | number of the first tick. The codecs' grammars stand at the top of their .cpp files.
-- A recording holds sources. Source 0 is the run's own ticks and has no row in `source`; the others were attached, or written beside the
-- run, and each has a time axis of its own that begins at 0. Ticks: id = source << 32 | number of the (first) tick.
CREATE TABLE run (
    one INTEGER PRIMARY KEY, -- always 1
    kind TEXT NOT NULL, -- "mail", "raw", "storage"
    origin TEXT NOT NULL, -- "measured", "merged"
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
    final_window INTEGER NOT NULL,
    state INTEGER NOT NULL, -- 1 while it is being written, else how it ended
    reason TEXT NOT NULL,
    audited INTEGER NOT NULL
) STRICT;
-- What each series is; the run's own count from 0, those of a source stand one behind the other. What each is: the key of its quantity, and the parts of its subject, empty or -1 where it says nothing of one. A series whose
-- quantity is empty is somebody else's, with names of its own.
CREATE TABLE counter (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    quantity TEXT NOT NULL,
    version INTEGER NOT NULL, -- of the quantity's definition
    host TEXT NOT NULL,
    generator TEXT NOT NULL,
    target TEXT NOT NULL,
    volume TEXT NOT NULL,
    io_class TEXT NOT NULL,
    storage_group TEXT NOT NULL,
    database INTEGER NOT NULL,
    worker INTEGER NOT NULL,
    process TEXT NOT NULL,
    device TEXT NOT NULL,
    script TEXT NOT NULL,
    test TEXT NOT NULL,
    action TEXT NOT NULL,
    command TEXT NOT NULL,
    foreign_computer TEXT NOT NULL,
    foreign_object TEXT NOT NULL,
    foreign_instance TEXT NOT NULL,
    foreign_counter TEXT NOT NULL,
    unit TEXT NOT NULL,
    counts TEXT NOT NULL,
    help TEXT NOT NULL,
    kind INTEGER NOT NULL
) STRICT;
CREATE TABLE histogram (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    quantity TEXT NOT NULL,
    version INTEGER NOT NULL,
    host TEXT NOT NULL,
    generator TEXT NOT NULL,
    target TEXT NOT NULL,
    volume TEXT NOT NULL,
    io_class TEXT NOT NULL,
    storage_group TEXT NOT NULL,
    database INTEGER NOT NULL,
    worker INTEGER NOT NULL,
    process TEXT NOT NULL,
    device TEXT NOT NULL,
    script TEXT NOT NULL,
    test TEXT NOT NULL,
    action TEXT NOT NULL,
    command TEXT NOT NULL,
    clock TEXT NOT NULL,
    scope INTEGER NOT NULL
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
    id INTEGER PRIMARY KEY,
    begin INTEGER NOT NULL,
    end INTEGER NOT NULL,
    phase INTEGER NOT NULL,
    samples BLOB NOT NULL, -- a double per counter of its source
    latencies BLOB NOT NULL
) STRICT;
CREATE TABLE tick_chunk (
    id INTEGER PRIMARY KEY,
    ticks INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE TABLE counter_chunk (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
-- The pyramid of minima and maxima: its one level, a brick for each minute of ticks; what is wider is made of bricks.
CREATE TABLE counter_brick (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE histogram_chunk (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE histogram_sum (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
-- The target of a row below: one of the names in `target`; empty: it is about all of them, or about the only one.
CREATE TABLE failure_kind (
    id INTEGER PRIMARY KEY,
    target TEXT NOT NULL,
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
    target TEXT NOT NULL,
    at INTEGER NOT NULL,
    severity INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE transcript (
    id INTEGER PRIMARY KEY,
    target TEXT NOT NULL,
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
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    token TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE TABLE invalid_reason (
    id INTEGER PRIMARY KEY,
    target TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE annotation (
    id INTEGER PRIMARY KEY,
    made INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
-- Several targets in one run. Beside the series of all together each target has series of its own, whose subjects name it.
CREATE TABLE target (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT; -- in the plan's order, from 0; empty for one target
CREATE TABLE target_mix (
    id INTEGER PRIMARY KEY,
    target INTEGER NOT NULL,
    mix INTEGER NOT NULL,
    mailboxes INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    recipients REAL NOT NULL
) STRICT;
CREATE TABLE target_audit (
    id INTEGER PRIMARY KEY, -- the target's
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
-- A log, another host, or one of the generators of a merged run. Only added to; `complete` becomes 1 when its writer has
-- ended well, and 2 when a user has removed it: ids count from 1 without a hole.
CREATE TABLE source (
    id INTEGER PRIMARY KEY, -- from 1
    origin TEXT NOT NULL, -- for people: "log /var/log/ex1.csv", "host ex1"
    computer TEXT NOT NULL,
    made INTEGER NOT NULL, -- when it was attached
    began INTEGER NOT NULL, -- the 0 of its axis by its own computer's clock; 0: not known
    complete INTEGER NOT NULL,
    first_counter INTEGER NOT NULL,
    counters INTEGER NOT NULL,
    first_histogram INTEGER NOT NULL,
    histograms INTEGER NOT NULL
) STRICT;
-- Where the 0 of a source's axis lies on the run's. The last row of a source counts; its first one is made with it.
CREATE TABLE source_move (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    made INTEGER NOT NULL,
    offset INTEGER NOT NULL -- may be negative
) STRICT;
CREATE TABLE role ( -- what each computer did in the run: "sut", "generator", "directory"; the first row of a computer counts
    id INTEGER PRIMARY KEY,
    computer TEXT NOT NULL,
    role TEXT NOT NULL
) STRICT;
-- The lab as the run began with it has the id 0, those that were attached later follow; the last one counts. Facts about the
-- generator's own machine stand in run.host.
CREATE TABLE lab ( -- descriptions of labs, with variants
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    variant TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE study ( -- which repeat of which case of a study the run is
    one INTEGER PRIMARY KEY,
    study TEXT NOT NULL,
    study_case TEXT NOT NULL,
    repeat INTEGER NOT NULL
) STRICT;
-- Places for what a later release writes; all empty now, and nothing reads them.
CREATE TABLE parent ( -- the run that this one is a part of
    one INTEGER PRIMARY KEY,
    run TEXT NOT NULL
) STRICT;
CREATE TABLE definition ( -- the version of each figure's definition; those of quantities stand with the series
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    version INTEGER NOT NULL
) STRICT;
