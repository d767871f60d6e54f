// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/mail_setup.h"
#include "mail/wire/connection.h"
#include "protocol/imap/imap_client.h"

#include <cstdint>
#include <string>

namespace loadstone::mail {

/// An IMAP connection with its protocol state. ActionShell::openImap() logs it on, ActionShell::exchange() lets it speak.
struct ImapLink {
    /// `login` must outlive it.
    ImapLink(const MailSetup& setup, const Executor& executor, ConnectionSet& set, const std::string& login);
    Connection connection;
    protocol::ImapClient client;
    unsigned commands = 0; ///< so far, for the trace
    std::uint16_t port = 0; ///< likewise
};

} // namespace loadstone::mail
