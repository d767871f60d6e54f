-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Which repeat of which case of a study a run is; empty: it belongs to none. The runs' files are read again for it.
DELETE FROM run;
DELETE FROM figure;
DELETE FROM comparison;
ALTER TABLE run ADD COLUMN study TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN study_case TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN repeat INTEGER NOT NULL DEFAULT 0;
