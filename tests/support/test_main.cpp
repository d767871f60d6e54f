// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/runner.h"

int main(int argc, char* argv[])
{
    return runTests(argc, argv);
}
