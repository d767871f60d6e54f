-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- In comparisons the totals of the audit have no direction that is better. The runs' files are read again for it.
DELETE FROM run;
DELETE FROM figure;
DELETE FROM comparison;
