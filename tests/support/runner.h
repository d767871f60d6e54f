// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Runs the program's test cases; returns its exit code. Compiled once for all programs: it holds Catch2's own code.
int runTests(int argc, char* argv[]);
