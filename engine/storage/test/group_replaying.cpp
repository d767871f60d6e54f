// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_replaying.h"

namespace loadstone::storage {

Result<void> GroupReplaying::run()
{
    auto life = GroupLife::begin(m_context);
    if (!life)
        return life.error();
    const auto opened = (*life)->open();
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    return (*life)->close();
}

} // namespace loadstone::storage
