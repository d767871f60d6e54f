// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the values come from:
//  [1] "90,000-User Storage Solution for Microsoft Exchange Server 2007", Dell Inc., December 2008 (ESRP Storage 2.1), appendix A:
//      a report of Jetstress 08.02.0060. System parameters (cache of 256 MB to 2 GB, 9000 log buffers, 40/30/5 operations, 55 %
//      lazy commits), pages of 8 KB (292,537,936 of them are 2,285,452 MB), log files of 1 MB; maxima of 50 ms (performance) and
//      100 ms (stress) in its test log. It does not tell how long records are, nor how many operations a transaction has: 4000
//      bytes and 30 are what its 84 KB of log and 65 database transfers to a transaction ask of this page store.
//  [2] Configuration file of Jetstress 2013, 15.0.995.0: pages of 32 KB, log files of 1024 KB, pads of 200 and 2000 bytes, 40/20/5
//      operations, 70 % lazy commits, 16 updates to a batch, 2 copies, database maintenance at 100 ms, 25 % reserved, 500 log files
//      to replay, thresholds "Strict" 20/100/10/100 and "Lenient" 20/200/10/200, 6 latency errors.
//  [3] "Extensible Storage Engine" sources, Microsoft, MIT licence, 2021 and later: default checkpoint depth of 20 MB, which
//      Exchange 2007 has; log buffers of 512 bytes;
//      segments of the log of 4096 bytes since 2010; coalesced reads of 512 KB, which is what a step of maintenance reads.
//  [4] Commonly said and not confirmed by its maker: Exchange 2010 and later have a checkpoint depth of 100 MB.
//  [5] "Jetstress 2013 field guide", Microsoft, July 2013: threads are of the host; one I/O error fails a test.
// No source tells the cache of 2013, nor the log buffers: [1] stands in for both.
#include "plan/model/storage_test.h"

namespace loadstone::plan {

using namespace std::chrono_literals;

StorageTest presetOf(StoragePreset preset)
{
    StorageTest test;
    test.preset = preset;
    StorageDatabase& database = test.database;
    database.cacheMinimum = 256U << 20; // [1]
    database.cacheMaximum = 2ULL << 30;
    database.logBuffer = 9000 * 512;
    switch (preset) {
    case StoragePreset::none:
        test.limits.lenient = { 20ms, 10ms, 200ms, 200ms };
        break;
    case StoragePreset::exchange2007:
        database.pageSize = 8U << 10; // [1]
        database.logFile = 1U << 20;
        database.logSector = 512;
        database.checkpointDepth = 20U << 20; // [3]
        test.load.threadsOfHost = false;
        test.load.operations = 30; // [1], as are the other defaults of the load
        database.longPad = 4000; // [1]
        test.maintenance.enabled = false;
        test.copies = 1;
        test.limits.strict = { 20ms, 10ms, 50ms, 50ms }; // [1]
        test.limits.lenient = { 20ms, 10ms, 100ms, 100ms };
        break;
    case StoragePreset::exchange2013:
        database.pageSize = 32U << 10; // [2]
        database.logFile = 1U << 20;
        database.logSector = 4096; // [3]
        database.checkpointDepth = 100U << 20; // [4]
        test.load.threadsOfHost = true; // [5]
        test.load.operations = 16; // [2]
        test.load.erase = 20;
        test.load.lazyCommits = 70;
        test.maintenance.enabled = true;
        test.copies = 2;
        test.limits.strict = { 20ms, 10ms, 100ms, 100ms };
        test.limits.lenient = { 20ms, 10ms, 200ms, 200ms };
        break;
    }
    return test;
}

} // namespace loadstone::plan
