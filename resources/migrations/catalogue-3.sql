-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The verdict of a run, beside whether its figures are valid. The runs' files are read again for it.
DELETE FROM run;
ALTER TABLE run ADD COLUMN verdict INTEGER NOT NULL DEFAULT 3; -- loadstone::Verdict; 3: running
