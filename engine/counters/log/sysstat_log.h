// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/log/counter_log.h"
#include "counters/log/line_file.h"

namespace loadstone::counters {

// Logs of the tools that Linux has. `lines`: at the beginning of the file. An Error names the line and what is wrong; lines that cannot be
// read are left out, with a note.

/// `sadf -d`: a line for each time and subject, with a heading before each kind of subject.
Result<std::unique_ptr<CounterLog>> readSadf(LineFile lines);
/// `sadf -j`: JSON, at most 64 MB.
Result<std::unique_ptr<CounterLog>> readSadfJson(LineFile lines);
/// `vmstat -t N`. Its first line, the averages since the boot, is left out.
Result<std::unique_ptr<CounterLog>> readVmstat(LineFile lines);
/// `iostat -t N`, with or without -x. Its first report, the averages since the boot, is left out.
Result<std::unique_ptr<CounterLog>> readIostat(LineFile lines);
/// `pmrep -o csv`, of archives too.
Result<std::unique_ptr<CounterLog>> readPmrep(LineFile lines);

} // namespace loadstone::counters
