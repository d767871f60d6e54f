// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/mail_setup.h"
#include "mail/wire/connection.h"
#include "protocol/pop3/pop3_client.h"

#include <cstdint>
#include <string>

namespace loadstone::mail {

class ActionShell;

/// A POP3 connection with its protocol state, of one action.
struct Pop3Session {
    explicit Pop3Session(ActionShell& shell);
    /// Connects and logs in. False: a failure; one of the connection is reported, one of the client is its failure().
    Task<bool> open(ActionShell& shell);

    std::string login;
    Connection connection;
    protocol::Pop3Client client;
    unsigned commands = 0; ///< so far, for the trace
    std::uint16_t port = 0; ///< likewise
};

} // namespace loadstone::mail
