-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The catalogue of a history folder: a cache of what the runs' files say, and what those files looked like then.
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    file_time INTEGER NOT NULL, -- nanoseconds
    file_bytes INTEGER NOT NULL,
    log_time INTEGER NOT NULL, -- of the write-ahead log; 0 when it is missing or empty
    log_bytes INTEGER NOT NULL,
    title TEXT NOT NULL,
    started INTEGER NOT NULL,
    length INTEGER NOT NULL,
    state INTEGER NOT NULL,
    valid INTEGER NOT NULL,
    plan_name TEXT NOT NULL,
    computer TEXT NOT NULL,
    tags TEXT NOT NULL, -- one a line
    note TEXT NOT NULL,
    sent INTEGER NOT NULL,
    received INTEGER NOT NULL,
    peak REAL NOT NULL,
    p95 INTEGER NOT NULL, -- ns; below 0: its complement, and it is a lower bound
    error_rate REAL NOT NULL,
    lost INTEGER NOT NULL,
    twice INTEGER NOT NULL,
    damaged INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
