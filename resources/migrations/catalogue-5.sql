-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- What comparisons read of runs that have ended, so that they open no recordings. The runs' files are read again for it.
DELETE FROM run;
DELETE FROM figure;
CREATE TABLE comparison (
    run TEXT PRIMARY KEY,
    pool TEXT NOT NULL, -- pooling key: runs that have the same may tell of each other's repeatability
    plan_name TEXT NOT NULL,
    started INTEGER NOT NULL, -- nanoseconds
    content BLOB NOT NULL -- encodeCompared()
) STRICT;
CREATE INDEX comparison_pool ON comparison (pool, started);
CREATE INDEX comparison_plan ON comparison (plan_name, started);
