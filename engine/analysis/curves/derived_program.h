// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "series/derived_text.h"

#include <loadstone/counter_choice.h>

#include <vector>

namespace loadstone {

/// A definition with its counters found, as steps over a stack of curves.
struct DerivedProgram {
    struct Step {
        series::DerivedStep::Kind kind {}; ///< never processors, which is a number by now
        double number = 0;
        std::vector<CounterPlace> parts; ///< counter, sum, mean
    };
    std::vector<Step> steps;
};

} // namespace loadstone
