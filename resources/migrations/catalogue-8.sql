-- SPDX-FileCopyrightText: 2026 The Loadstone authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- In comparisons a computer keeps its role beside logs that are attached later. The runs' files are read again for it.
DELETE FROM run;
DELETE FROM figure;
DELETE FROM comparison;
