// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/program.h>

/// The embedded target without the rest of the command line program, for the tests of its room.
int main(int argc, char* argv[])
{
    return loadstone::runTarget(argc, argv);
}
