// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/compared.h>
#include <loadstone/recording.h>

namespace loadstone::compare {

/// The facts of a run on which it depends what it can be compared with: of its plan and profile, and of its machine.
ComparableFacts factsOfRun(const Recording& recording);

} // namespace loadstone::compare
