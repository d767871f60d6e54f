-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Several targets in one run. Beside the series of all together each target has series of its own: counters whose instance is
-- its name, latencies, failures and exceptions whose names begin with its name and ": ".
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
