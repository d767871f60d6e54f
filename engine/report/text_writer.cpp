// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/result_tables.h"
#include "report/storage_tables.h"
#include "report/text_tables.h"
#include "report/wording.h"

#include <loadstone/report.h>

namespace loadstone {

std::string formatResultTable(const RunResults& results, const RunVerdict& verdict, std::size_t width)
{
    using namespace report;
    std::string out;
    appendWrapped(out, verdict.headline, width);
    for (const std::string& sentence : sentencesOf(results, verdict))
        appendWrapped(out, sentence, width);
    for (const Table& table : { preparationTable(results), messageTable(results), finalWindowTable(results),
             sizingTable(results), groupLoadTable(results), groupLogTable(results), recordTable(results),
             testTable(results), diskTable(results), ioTable(results), deviceTable(results),
             queuedTable(results), hostPerformanceTable(results), checksumTable(results),
             logChecksumTable(results), backupTable(results), recoveryTable(results), standingTable(results),
             actionTable(results, LatencyClock::response), actionTable(results, LatencyClock::service),
             deliveryTable(results), report::queueTable(results), scoreTable(results), auditTable(results),
             errorTable(results) })
        appendTable(out, table, width);
    return out;
}

} // namespace loadstone
