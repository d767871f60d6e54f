// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/dav_requests.h"

#include <string>

namespace loadstone::mail {

/// Looks whether a user's calendar or address book is where the plan says, as a logon does, and makes nothing.
class CollectionProbe {
public:
    CollectionProbe(ActionShell& shell, bool contacts);

    /// One request; a second one, about the folder above, where there is no collection yet. What fails is reported to the shell.
    Task<void> look();

    [[nodiscard]] bool there() const noexcept { return m_there; }
    /// Not there, but what it is to lie in is.
    [[nodiscard]] bool makeable() const noexcept { return m_makeable; }
    [[nodiscard]] std::string path() const { return m_requests.pathOf(m_requests.serviceOf(m_contacts)); }
    /// Where it lies is something else: what; empty: no.
    [[nodiscard]] const std::string& other() const noexcept { return m_other; }
    /// The connection of the last request, if it is still there.
    [[nodiscard]] const Connection* connection() const noexcept
    {
        return m_collection.link ? &m_collection.link->connection : nullptr;
    }

private:
    DavRequests m_requests;
    DavCollection m_collection;
    bool m_contacts, m_there = false, m_makeable = false;
    std::string m_other;
};

} // namespace loadstone::mail
