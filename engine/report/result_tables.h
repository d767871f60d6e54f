// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/results.h>

/// The tables of a run's results, with the mixes as rows. A table without anything to say has no rows.
namespace loadstone::report {

/// Of initialisations and clean-ups.
Table preparationTable(const RunResults& results);
Table messageTable(const RunResults& results);
Table finalWindowTable(const RunResults& results);
/// Of the actions: by response time where `clock` is response, else by service time.
/// What of each action was due, begun, ended and unfinished; empty where the recording does not count it.
Table standingTable(const RunResults& results);
Table actionTable(const RunResults& results, LatencyClock clock);
/// Of a raw device test: how many, how fast. Of that and a storage plan's: the time in the device and the time before it.
Table ioTable(const RunResults& results);
Table testTable(const RunResults& results); ///< of storage and raw tests: what a whole test did
std::string markedName(const MixResult& mix); ///< "Heavy"; "Heavy *" where the measurement was not completed
/// The first cells of a row about a class of I/O: test, volume, class.
std::vector<Cell> ioNames(const MixResult& mix, const Subject& subject);
Table deviceTable(const RunResults& results);
Table queuedTable(const RunResults& results);
Table commandTable(const RunResults& results);
Table deliveryTable(const RunResults& results);
Table errorTable(const RunResults& results);
Table auditTable(const RunResults& results);
Table scoreTable(const RunResults& results); ///< of each mix, as its figures have it
/// How long until each queue of each mix builds up.
Table queueTable(const RunResults& results);
Table exceptionTable(const RunResults& results);

} // namespace loadstone::report
