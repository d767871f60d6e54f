-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Figures stand by their keys, not one a column. The runs' files are read again for it.
DELETE FROM run;
ALTER TABLE run DROP COLUMN peak;
ALTER TABLE run DROP COLUMN peak_ios;
ALTER TABLE run DROP COLUMN p95;
ALTER TABLE run ADD COLUMN kind INTEGER NOT NULL DEFAULT 0; -- loadstone::RunKind
ALTER TABLE run ADD COLUMN outstanding INTEGER NOT NULL DEFAULT 0; -- copies of which the audit does not know
CREATE TABLE figure (
    run TEXT NOT NULL,
    mix INTEGER NOT NULL, -- the one that says what the run is about
    key TEXT NOT NULL,
    version INTEGER NOT NULL, -- of the figure's definition
    value REAL, -- NULL: missing
    samples INTEGER NOT NULL,
    flags INTEGER NOT NULL, -- 1: a lower bound; 2: invalid; 4: external
    window_begin INTEGER NOT NULL, -- nanoseconds since the run's start
    window_end INTEGER NOT NULL,
    PRIMARY KEY (run, mix, key)
) STRICT, WITHOUT ROWID;
