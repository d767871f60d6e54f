-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Comparisons have the remarks on runs, and mailboxes that the oracle did not compare are no criterion met. The runs' files are read again for it.
DELETE FROM run;
DELETE FROM figure;
DELETE FROM comparison;
