-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- What comparisons read of storage tests has no lengths that are results. The runs' files are read again for it.
DELETE FROM run;
DELETE FROM figure;
DELETE FROM comparison;
