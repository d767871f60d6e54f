// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace loadstone::mail {

/// A message as a user's session meets it in a mailbox.
struct SeenMessage {
    std::uint64_t id =
        0; ///< as its token says: the sender's mailbox << 32 | number; 0: not one of this program's
    std::uint32_t uid = 0; ///< in its folder
    std::uint32_t size = 0; ///< bytes
    std::uint16_t folder = 0; ///< see Folder
    bool attachment = false;
    std::uint32_t validity = 0; ///< UIDVALIDITY under which it has this UID; 0: not told
};

/// A folder whose messages have other UIDs than before (RFC 9051, 2.3.1.1).
struct Renumbered {
    std::uint16_t folder = 0;
    std::uint32_t validity = 0; ///< UIDVALIDITY from now on
};

/// Folders of a user's mailbox by number: these, then the user's own from kFirstOwnFolder on.
enum Folder : std::uint16_t { kInbox = 0, kDeletedItems = 1, kSentItems = 2, kFirstOwnFolder = 3 };

} // namespace loadstone::mail
