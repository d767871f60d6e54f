// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mail_series.h"

#include <fmt/format.h>

namespace loadstone::mail {

const char* actionName(plan::StepKind kind)
{
    switch (kind) {
    case plan::StepKind::emptyMailbox:
        return "Empty mailbox";
    case plan::StepKind::readMailbox:
        return "Read mailbox";
    case plan::StepKind::sendMessage:
        return "Send message";
    case plan::StepKind::holdSession:
        return "Hold session";
    case plan::StepKind::listMailbox:
        return "List mailbox";
    }
    return "?";
}

std::vector<CounterInfo> mailCounters(unsigned workers)
{
    std::vector<CounterInfo> infos;
    const auto add = [&](const char* object, std::string instance, const char* counter, const char* unit,
                         const char* counts, const char* help, CounterKind kind) {
        infos.push_back({ static_cast<std::uint32_t>(infos.size()), "", object, std::move(instance), counter,
            unit, counts, help, kind });
    };
    const auto mail = [&](const char* counter, const char* unit, const char* counts, const char* help,
                          CounterKind kind) {
        add("Loadstone Mail", "_Total", counter, unit, counts, help, kind);
    };
    using enum CounterKind;
    mail("Messages Sent/sec", "messages", "per message", "Messages that the server accepted", count);
    mail("Messages Received/sec", "messages", "per recipient", "Messages retrieved from mailboxes", count);
    mail("Recipients Accepted/sec", "recipients", "per recipient", "Recipients of accepted messages", count);
    mail("Actions/sec", "actions", "", "Actions that ended, well or not", count);
    mail("Failed Actions/sec", "actions", "", "Actions that ended with an error", count);
    mail("Connections Opened/sec", "connections", "", "Connections that were established", count);
    mail("Bytes Sent/sec", "bytes", "", "Bytes written to SMTP and POP3 connections, before TLS", count);
    mail("Bytes Received/sec", "bytes", "", "Bytes read from SMTP and POP3 connections, after TLS", count);
    mail("Sessions", "sessions", "", "Connections open at the end of the tick", level);
    mail("Users", "mailboxes", "", "Simulated users of the present mix", level);
    const auto audit = [&](const char* counter, const char* help) {
        add("Loadstone Audit", "", counter, "copies", "per recipient", help, level);
    };
    audit("Outstanding", "Copies accepted and not yet retrieved");
    audit("Late", "Copies retrieved after the plan's delivery limit");
    audit("Twice", "Copies retrieved more than once");
    audit("Damaged", "Copies whose content differs from what was sent");
    audit("Lost", "Copies missing from mailboxes that were read to the end");
    add("Loadstone Generator", "_Busiest", "% Processor Time", "%", "",
        "CPU use of the load thread that used most", level);
    add("Loadstone Generator", "_Total", "Event Loop Lag", "s", "",
        "Longest delay of a load thread's heartbeat in the tick", level);
    for (unsigned i = 0; i < workers; ++i)
        add("Loadstone Generator", fmt::format("worker {}", i), "% Processor Time", "%", "",
            "CPU use of one load thread", level);
    return infos;
}

std::vector<HistogramInfo> mailHistograms()
{
    std::vector<HistogramInfo> infos;
    const auto add = [&](LatencyScope scope, LatencyClock clock, const char* name) {
        infos.push_back({ static_cast<std::uint32_t>(infos.size()), scope, clock, name });
    };
    for (std::size_t kind = 0; kind < kStepKinds; ++kind) {
        const char* name = actionName(static_cast<plan::StepKind>(kind));
        add(LatencyScope::action, LatencyClock::response, name);
        add(LatencyScope::action, LatencyClock::service, name);
    }
    for (std::size_t verb = 0; verb < protocol::kSmtpVerbs; ++verb)
        add(LatencyScope::command, LatencyClock::service, toString(static_cast<protocol::SmtpVerb>(verb)));
    for (std::size_t verb = 0; verb < protocol::kPop3Verbs; ++verb)
        add(LatencyScope::command, LatencyClock::service, toString(static_cast<protocol::Pop3Verb>(verb)));
    add(LatencyScope::delivery, LatencyClock::delivery, "Delivery");
    add(LatencyScope::generator, LatencyClock::slip, "Timer slip");
    add(LatencyScope::generator, LatencyClock::slip, "Event loop lag");
    return infos;
}

} // namespace loadstone::mail
