-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The runs' files are read again: mailboxes that the oracle did not compare are no criterion met, and comparisons have sources, roles and remarks of runs and
-- no direction that is better in totals of the audit.
DELETE FROM run;
DELETE FROM figure;
DELETE FROM comparison;
