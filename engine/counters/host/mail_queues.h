// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/host_part.h"

namespace loadstone::counters {

/// The folders that makeMailQueues() needs counted. `folder`: of Postfix' queues, "/var/spool/postfix".
KernelRequest mailQueueTrees(const std::string& folder);
/// \Mail Queue(active)\Messages and those of incoming, deferred, hold and maildrop: Postfix has a file for each message in the folder
/// of its queue or below it. Only root and Postfix' own user may look into them.
std::unique_ptr<HostPart> makeMailQueues(const std::string& folder);

} // namespace loadstone::counters
