// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/program.h"

#include <loadstone/run.h>

#include <memory>
#include <string>

namespace loadstone::test {

inline constexpr TimeWindow kAll { Nanoseconds {}, std::chrono::hours(100) };
inline const std::string kProgram = LOADSTONE_BIN_DIR "/loadstone";

/// A short plan, by the parts in which the tests differ.
struct PlanText {
    std::string target = "[target.embedded]\nservice_time = \"constant 1 ms\"\n[target.smtp]\npipelining = "
                         "true\n[target.pop3]\npipelining = true\n";
    std::string measurement = "2 s";
    std::string drain = "60 s"; ///< it ends as soon as all is found; sanitizers on a busy machine need long
    std::string deliveryLimit = "60 s", retries;
    std::string steps = R"([[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 3
)";
    std::string mixes = R"([[mixes]]
name = "mix"
clients = 2
threads_per_client = 4
)";
};

/// Runs plans in a scratch folder.
struct RunFixture {
    ScratchFolder folder;
    std::unique_ptr<Run> start(const PlanText& text, unsigned workers = 2);
};

std::string transcriptsOf(const Recording& recording);
/// Every expected copy has exactly one fate.
bool addUp(const AuditTotals& totals);

} // namespace loadstone::test
