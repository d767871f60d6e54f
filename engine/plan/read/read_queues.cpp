// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

namespace loadstone::plan {

void readQueues(const document::Node* node, document::Problems& problems, QueueLimits& to)
{
    document::TableReader table(node, "queues", problems);
    document::assign(to.normal, table.real("normal"));
    document::assign(to.failing, table.real("failing"));
    document::assign(to.counters, table.texts("counters"));
    if (table.present() && !(to.normal < to.failing))
        problems.error(table.path("failing"), fmt::format("is not above normal, which is {}", to.normal),
            "write the larger limit under failing");
    const std::size_t most = table.most("counters");
    if (to.counters.size() > most) {
        problems.error(table.path("counters"), fmt::format("has {} names", to.counters.size()),
            fmt::format("write at most {}, with * for any text", most));
        to.counters.resize(most);
    }
    for (std::size_t i = 0; i < to.counters.size(); ++i)
        if (to.counters[i].empty() || to.counters[i] != document::shown(to.counters[i]))
            problems.error(fmt::format("{}[{}]", table.path("counters"), i),
                fmt::format("\"{}\" is not a part of a counter's path", document::shown(to.counters[i])),
                "write it as charts show it, in single quotes: '\\MSExchangeIMC\\Queued Inbound'");
    table.finish();
}

} // namespace loadstone::plan
