// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/schedule.h"

namespace loadstone::mail {

std::unique_ptr<Schedule> makeSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
{
    switch (workload.pacing) {
    case plan::Pacing::open:
        return makeOpenSchedule(workload, mix, seed, share, begin);
    case plan::Pacing::users:
        return makeUserSchedule(workload, mix, seed, share, begin);
    case plan::Pacing::closed:
        break;
    }
    return makeClosedSchedule(workload, mix, seed, share, begin);
}

} // namespace loadstone::mail
