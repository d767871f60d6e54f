// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/failure.h"

namespace loadstone::protocol {

const char* toString(FailureKind kind)
{
    switch (kind) {
    case FailureKind::none:
        return "none";
    case FailureKind::refused:
        return "refused";
    case FailureKind::timeout:
        return "timeout";
    case FailureKind::connectionLost:
        return "connection lost";
    case FailureKind::protocol:
        return "protocol";
    case FailureKind::tls:
        return "TLS";
    case FailureKind::authentication:
        return "authentication";
    case FailureKind::transientReply:
        return "4xx";
    case FailureKind::permanentReply:
        return "5xx";
    case FailureKind::errReply:
        return "-ERR";
    case FailureKind::noReply:
        return "NO";
    case FailureKind::stopped:
        return "stopped";
    }
    return "?";
}

} // namespace loadstone::protocol
