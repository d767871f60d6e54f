// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/live_source.h"
#include "plan/model/counter_source.h"

#include <loadstone/result.h>

#include <memory>
#include <string>

namespace loadstone::counters {

/// What a source proves with who asks. Read before the run, kept nowhere.
struct SourceSecrets {
    std::string password; ///< of basic authentication
    std::string token; ///< bearer
};

/// One of them for each kind of plan::CounterSourceSpec::from, which must be of that kind. None of them asks yet: that is
/// LiveSource::read(). An Error says what of the source cannot be.
Result<std::unique_ptr<LiveSource>> makeCommandSource(const plan::CounterSourceSpec& spec);
Result<std::unique_ptr<LiveSource>> makeOpenMetricsSource(
    const plan::CounterSourceSpec& spec, SourceSecrets secrets);
/// This machine, or another one over ssh.
Result<std::unique_ptr<LiveSource>> makeLinuxSource(const plan::CounterSourceSpec& spec);

} // namespace loadstone::counters
