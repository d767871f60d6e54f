// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/mail_setup.h"
#include "mail/wire/connection.h"
#include "protocol/imap/imap_client.h"

#include <cstdint>
#include <string>

namespace loadstone::mail {

class ActionShell;

/// An IMAP connection with its protocol state. It may last longer than one action, so each of its actions gives its shell.
struct ImapLink {
    /// `login` must outlive it.
    ImapLink(const MailSetup& setup, const Executor& executor, ConnectionSet& set, const std::string& login);
    /// Connects, logs on, and agrees with the server on what the plan asks for and the server offers. False: a failure, which
    /// is reported.
    Task<bool> open(ActionShell& shell);
    /// Until all that was sent is answered; false where a command failed, which is reported. With `mayBeOver` it is not reported
    /// that the server has ended the connection.
    Task<bool> exchange(ActionShell& shell, bool mayBeOver = false);

    Connection connection;
    protocol::ImapClient client;
    unsigned commands = 0; ///< so far, for the trace
    std::uint16_t port = 0; ///< likewise
};

} // namespace loadstone::mail
