// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loadstone::protocol {

/// What is timed on its own in an IMAP session. connect and tlsHandshake are the shell's.
enum class ImapVerb : std::uint8_t {
    connect,
    greeting,
    capability,
    startTls,
    tlsHandshake,
    login,
    authenticate,
    list,
    create,
    remove, ///< DELETE of a mailbox
    select,
    status,
    fetch,
    store,
    search,
    copy,
    move,
    expunge,
    append,
    noop,
    idle,
    close,
    logout,
    id,
    enable,
    nameSpace,
    compress,
    unselect,
    quota
};
inline constexpr std::size_t kImapVerbs = 29;
/// "IMAP FETCH" and so on.
const char* toString(ImapVerb verb);
/// What a command is counted as: "UID FETCH 1 (FLAGS)" as fetch. One that is not known: as noop.
ImapVerb imapVerbOf(std::string_view command);

} // namespace loadstone::protocol
