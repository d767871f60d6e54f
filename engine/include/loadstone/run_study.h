// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace loadstone {

/// Which repeat of which case of a study a run is; see study.h.
struct RunStudy {
    std::string study; ///< Study::name
    std::string studyCase; ///< StudyCase::id
    std::uint32_t repeat = 0; ///< from 1
    [[nodiscard]] bool empty() const { return study.empty(); }
    bool operator==(const RunStudy&) const = default;
};

/// When the commands of a study are run.
enum class CommandMoment : std::uint8_t { beforeRun, afterRun, beforeMix, afterMix };
const char* toString(CommandMoment moment); ///< "before run", …

} // namespace loadstone
