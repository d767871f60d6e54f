// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <cstdint>
#include <vector>

namespace loadstone::mail {

/// The mailboxes that the `number`-th message of `sender` goes to: `count` distinct ones of `mailboxes`, never the
/// sender itself where there are others enough. A pure function of its arguments.
void drawRecipients(plan::RecipientChoice choice, std::uint64_t seed, std::uint32_t mailboxes,
    std::uint32_t sender, std::uint32_t number, unsigned count, std::vector<std::uint32_t>& recipients);

} // namespace loadstone::mail
