// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_words.h"

#include "format.h"

namespace loadstone::ui {

QString planSize(const PlanSummary& plan)
{
    if (plan.tests > 0)
        return plan.tests == 1 ? translated("1 test") : translated("%1 tests").arg(plan.tests);
    const QString mixes = plan.mixes == 1 ? translated("1 mix") : translated("%1 mixes").arg(plan.mixes);
    return plan.users == 0 ? mixes : translated("%1, up to %2 users").arg(mixes, formatCount(plan.users));
}

QString planLength(const PlanSummary& plan)
{
    const QString length = formatDuration(plan.length);
    if (plan.kind == RunKind::storage)
        return translated("%1 of tests").arg(length);
    return plan.kind == RunKind::mail ? translated("up to %1").arg(length) : length;
}

} // namespace loadstone::ui
