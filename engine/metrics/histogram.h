// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/histogram.h>

namespace loadstone::metrics {

using loadstone::Histogram;

} // namespace loadstone::metrics
