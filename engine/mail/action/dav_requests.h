// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/dav_session.h"
#include "protocol/dav/dav_response.h"

#include <string>
#include <vector>

namespace loadstone::mail {

/// The requests of one action to a user's calendar and address book. What fails is reported to the shell.
class DavRequests {
public:
    explicit DavRequests(ActionShell& shell);
    /// Sends a request over the collection's connection, which it makes where there is none, and waits for the answer. With
    /// `unmet` the status 412 is no failure of the action yet: it is given there.
    Task<bool> ask(DavCollection& collection, bool contacts, const protocol::DavRequest& request,
        protocol::Failure* unmet = nullptr);
    /// Whether the last request was sent twice: nothing had come of the first time.
    [[nodiscard]] bool repeated() const noexcept { return m_repeated; }
    /// Of the answer to the request `verb`, a multistatus. False, and reported, where it cannot be read.
    bool readAnswer(
        DavCollection& collection, protocol::DavVerb verb, std::vector<protocol::DavResource>& to);
    /// Reports that the answer to the request `verb` is wrong.
    void complain(DavCollection& collection, protocol::DavVerb verb, std::string text);

    [[nodiscard]] ActionShell& shell() noexcept { return m_shell; }
    [[nodiscard]] const DavService& serviceOf(bool contacts) const
    {
        return contacts ? m_setup.contacts : m_setup.calendars;
    }
    /// The collection's of the action's mailbox.
    [[nodiscard]] std::string pathOf(const DavService& service) const;

private:
    Task<bool> dial(DavCollection& collection, const DavService& service);

    ActionShell& m_shell;
    WorkerContext& m_context;
    const MailSetup& m_setup;
    const Appointment& m_action;
    bool m_repeated = false;
};

} // namespace loadstone::mail
