// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"

namespace loadstone::history {

/// Makes a recording's file with its header and no ticks. It appears under its name only when it is whole, so
/// that no reader ever meets half a header; an Error when there is such a file already.
Result<void> createRecording(
    const std::filesystem::path& file, const RunHeader& header, const ResultSeries& series);

} // namespace loadstone::history
