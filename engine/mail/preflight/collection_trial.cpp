// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/collection_trial.h"

#include "mail/preflight/collection_probe.h"
#include "mail/preflight/probe_answers.h"

#include <fmt/format.h>

namespace loadstone::mail {

using protocol::Failure;
using protocol::FailureKind;

CollectionTrial::CollectionTrial(WorkerContext& context, ProbeFindings& findings)
    : m_context(context)
    , m_setup(context.setup)
    , m_findings(findings)
{
}

Task<void> CollectionTrial::tryAll()
{
    const std::uint64_t last = m_setup.plan.largestMix() - 1;
    for (const bool contacts : { false, true }) {
        const DavService& service = contacts ? m_setup.contacts : m_setup.calendars;
        if (!service.endpoint->present)
            continue;
        m_findings.setSubject(
            fmt::format("{} {}", contacts ? "CardDAV" : "CalDAV", plan::hostAndPort(*service.endpoint)));
        const bool before = m_findings.doomed();
        if (m_findings.goOn(m_findings.subject()))
            co_await tryOne(contacts, 0);
        if (last > 0 && before == m_findings.doomed()
            && m_findings.goOn(m_findings.subject())) // it would fail alike
            co_await tryOne(contacts, last);
    }
}

Task<void> CollectionTrial::tryOne(bool contacts, std::uint64_t mailbox)
{
    const DavService& service = contacts ? m_setup.contacts : m_setup.calendars;
    const bool used = contacts ? m_setup.usesContacts : m_setup.usesCalendars;
    const bool needed = used || (m_setup.plan.workload.initialise && m_setup.initialEntries(contacts) > 0);
    const char* const kind = contacts ? "address book" : "calendar";
    const std::string what = fmt::format("every action with {}s", kind);
    const std::string table = contacts ? "[target.carddav]" : "[target.caldav]";
    Appointment action;
    action.mailbox = static_cast<std::uint32_t>(mailbox);
    ActionShell shell(m_context, action);
    CollectionProbe probe(shell, contacts);
    const std::size_t findings = m_findings.count();
    co_await probe.look();
    const Failure why = shell.outcome().failure;
    const std::string place = fmt::format("{}'s {} at {}", m_findings.nameOf(mailbox), kind, probe.path());
    if (mailbox == 0 && probe.connection() != nullptr)
        m_findings.secured(
            *probe.connection(), *service.endpoint, service.address.address(), service.endpoint->basic);
    if (probe.there())
        m_findings.tell(Severity::info, fmt::format("{} is there", place));
    else if (probe.makeable())
        m_findings.tell(
            Severity::info, fmt::format("{} does not exist yet", place), "the first logon creates it");
    else if (!probe.other().empty())
        m_findings.tell(Severity::error, fmt::format("{}: there is {}", place, probe.other()),
            fmt::format("{} fails; look at path of {}", what, table));
    else if (!why)
        m_findings.tell(Severity::error,
            fmt::format("{}: neither it nor the collection above it exists (404)", place),
            fmt::format("{} fails, because it cannot be created; look at path of {}", what, table));
    else if (why.code >= 300 && why.kind != FailureKind::authentication)
        m_findings.tell(Severity::error, fmt::format("{}: HTTP {}", place, firstLine(why.text)),
            fmt::format("{} fails; look at path and auth of {}, and at the access rights of the mailbox",
                what, table));
    else
        m_findings.unreachable(why, what, mailbox);
    if (!needed) // nothing of the run fails on what it does not use
        m_findings.soften(findings);
}

} // namespace loadstone::mail
