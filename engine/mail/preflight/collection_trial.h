// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/preflight/probe_findings.h"

namespace loadstone::mail {

/// Whether the target takes requests to the calendars and address books of the plan's mailboxes.
class CollectionTrial {
public:
    CollectionTrial(WorkerContext& context, ProbeFindings& findings);
    /// One request to the calendar and the address book of the first mailbox, and of the last.
    Task<void> tryAll();

private:
    Task<void> tryOne(bool contacts, std::uint64_t mailbox);

    WorkerContext& m_context;
    const MailSetup& m_setup;
    ProbeFindings& m_findings;
};

} // namespace loadstone::mail
