// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/subject.h>

namespace loadstone::plan {

using loadstone::ActionKind;
using loadstone::kActionKinds;
using loadstone::toString;

inline constexpr ActionKind kFirstCalendarAction = ActionKind::updateSchedule;

constexpr bool isPreparation(ActionKind kind)
{
    return kind == ActionKind::initialiseMailbox || kind == ActionKind::cleanMailbox;
}

/// It needs a contacts server, the other calendar actions a calendar server.
constexpr bool isContactAction(ActionKind kind)
{
    return kind == ActionKind::createContact || kind == ActionKind::browseContacts;
}

} // namespace loadstone::plan
