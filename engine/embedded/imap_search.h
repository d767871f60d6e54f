// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/imap_outcome.h"
#include "embedded/imap_view.h"

#include <string>

namespace loadstone::protocol {
class ImapScanner;
}

namespace loadstone::embedded {

/// How SEARCH is to answer.
struct ImapSearch {
    std::string tag; ///< of the command, which ESEARCH names
    bool uid = false; ///< by UID instead of number
    bool blind = false; ///< the fault that finds nothing
};
/// SEARCH, with the options of ESEARCH (RFC 4731).
ImapOutcome search(
    std::string& out, const ImapView& view, protocol::ImapScanner& words, const ImapSearch& how);

} // namespace loadstone::embedded
