// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/calendar_decisions.h"
#include "mail/users/mail_setup.h"
#include "mail/wire/connection.h"
#include "protocol/dav/dav_client.h"

#include <memory>
#include <string>
#include <vector>

namespace loadstone::mail {

/// What one simulated user's client knows of its calendar or address book, and its connection there.
class DavCollection {
public:
    /// A connection with its protocol state.
    struct Link {
        Link(const DavService& service, const Executor& executor, ConnectionSet& set,
            const std::string& login, const std::string& password)
            : connection(executor, set)
            , client(service.host, service.endpoint->basic ? login : std::string(), password)
        {
        }
        Connection connection;
        protocol::DavClient client;
        unsigned commands = 0; ///< so far, for the trace
        std::uint16_t port = 0;
    };
    std::unique_ptr<Link> link; ///< null without a connection

    /// One that this client has put there.
    struct Known {
        ObjectId id;
        std::string etag; ///< empty: the server did not tell
        unsigned changes = 0;
        WallTime start {}, end {}; ///< of events
        std::string family; ///< of contacts
    };
    std::vector<Known> known; ///< events or contacts; journal entries are never looked at again
    bool open = false; ///< looked at since the logon, and made where it was missing
    bool freeBusyQuery = false; ///< the server has this report
};

struct DavSession {
    DavCollection calendar, contacts;
    void hangUp()
    {
        calendar.link.reset();
        contacts.link.reset();
        calendar.open = contacts.open = false;
    }
};

} // namespace loadstone::mail
