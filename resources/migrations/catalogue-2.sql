-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Storage tests have I/O instead of messages. The runs' files are read again for it.
DELETE FROM run;
ALTER TABLE run ADD COLUMN peak_ios REAL NOT NULL DEFAULT -1; -- a second; below 0: a run of mail
