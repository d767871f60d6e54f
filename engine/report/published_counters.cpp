// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/counters.h>
#include <loadstone/quantity.h>

#include <fmt/format.h>

#include <string_view>

namespace loadstone {

namespace {

constexpr std::string_view kScalability = "Microsoft Exchange: Scalability Testing (eTesting Labs, 2000)";
constexpr std::string_view kMmb = "Exchange 5.5 MAPI Messaging Benchmark (MMB) Performance Result "
                                  "(International Business Machines Corporation, 29 "
                                  "September 1999)";
constexpr std::string_view kBaseline =
    "Baseline Performance for Mailbox Server (Using MAPI) (Microsoft TechNet, Exchange Server 2003)";
constexpr std::string_view kVirtual = "Microsoft Exchange Server 2003 Performance on VMware ESX Server 3 "
                                      "(VMware and Dell, of ESX Server 3.0.1)";
constexpr std::string_view kDisclosure =
    "90,000-User Storage Solution for Microsoft Exchange Server 2007 (Dell, December 2008)";

// Where a counter comes from. [[counters]] is the plan's table.
constexpr std::string_view kHost = "this machine in every run; [[counters]] with host, ssh, or openmetrics "
                                   "(node_exporter, windows_exporter)";
constexpr std::string_view kLinux = "[[counters]] with host or ssh";
constexpr std::string_view kProcess =
    "[[counters]] with host or ssh and processes, or with openmetrics (process exporters, windows_exporter)";
constexpr std::string_view kVolume =
    "[[counters]] with host, ssh or openmetrics: of a disk, or of a role that volumes makes of several";
constexpr std::string_view kQueue =
    "[[counters]] with postfix, or with openmetrics (exporters of Postfix, Exchange), or with a command";
constexpr std::string_view kClients = "the clients, in every run of mail";
constexpr std::string_view kStore = "the page store, in a storage test";
constexpr std::string_view kCommand =
    "[[counters]] with command or openmetrics, under the server's own name; loadstone attach";
constexpr std::string_view kLog = "loadstone attach, of a log of esxtop -b";

/// One row: a quantity by its key, or a table of the results, or nothing and why.
struct PublishedRow {
    std::string_view report, counter, key, instance, table, source, unit, note;
};

constexpr PublishedRow measuredRow(std::string_view report, std::string_view counter, std::string_view key,
    std::string_view instance, std::string_view source, std::string_view note = {})
{
    return { report, counter, key, instance, {}, source, {}, note };
}
constexpr PublishedRow computedRow(std::string_view report, std::string_view counter, std::string_view table,
    std::string_view source, std::string_view unit, std::string_view note = {})
{
    return { report, counter, {}, {}, table, source, unit, note };
}
constexpr PublishedRow absentRow(std::string_view report, std::string_view counter, std::string_view why)
{
    return { report, counter, {}, {}, {}, {}, {}, why };
}

constexpr PublishedRow kRows[] {
    measuredRow(kScalability, "CPU utilization", "host.processor-time", "_Total", kHost),
    computedRow(kScalability, "RETR Rate", "table of commands, and as a line of the chart: POP3 RETR",
        kClients, "commands/s",
        "counted by the clients that send the command; it equals the server's own count when nobody else "
        "asks it"),
    measuredRow(kScalability, "POP3 Message Send Rate", "mail.messages-received", "_Total", kClients,
        "messages that the clients have fetched"),
    measuredRow(kScalability, "Local Delivery Rate", "mail.recipients-accepted", "_Total", kClients,
        "per recipient, when the server accepts them; Exchange 5.5 counts per message, Exchange 2000 per "
        "recipient"),
    measuredRow(kScalability, "Queued Inbound", "mail-queue.length", "incoming", kQueue,
        "\\Loadstone Audit\\Outstanding is its like as the clients see it: accepted and not yet in a "
        "mailbox"),

    computedRow(kMmb, "Messages Submitted", "load table", kClients, "messages"),
    computedRow(kMmb, "Recipients Delivered", "load table", kClients, "recipients"),
    computedRow(kMmb, "Messages Sent (to MTA)", "the MTA's counter, as its exporter or command names it",
        kCommand, "messages",
        "servers of today have no separate store and MTA; Postfix' log has the messages that left it"),
    computedRow(kMmb, "Message Opens/Sec", "load table, table of actions, and as a line of the chart",
        kClients, "actions/s"),
    computedRow(kMmb, "Folder Opens/Sec", "load table, table of actions, and as a line of the chart",
        kClients, "actions/s"),
    measuredRow(kMmb, "RPC Read Bytes/Sec", "mail.bytes-received", "_Total", kClients,
        "bytes of all connections of the clients; IMAP and SMTP have no RPC"),
    measuredRow(kMmb, "RPC Write Bytes/Sec", "mail.bytes-sent", "_Total", kClients,
        "bytes of all connections of the clients; IMAP and SMTP have no RPC"),
    measuredRow(kMmb, "IS Send Queue", "mail-queue.length", "active", kQueue,
        "messages on their way out; servers of today have no separate store"),
    measuredRow(kMmb, "MTA Work Queue", "mail-queue.length", "incoming", kQueue,
        "messages that wait for the queue manager; servers of today have no separate MTA"),
    measuredRow(kMmb, "System Processor Utilization", "host.processor-time", "_Total", kHost),
    measuredRow(kMmb, "System Processor Queue Length", "host.processor-queue", {}, kHost),
    measuredRow(kMmb, "System Context Switches/Sec", "host.context-switches", {}, kHost),
    measuredRow(kMmb, "Process % CPU: Store, DS, MTA", "process.processor-time", "dovecot", kProcess,
        "one row for each process or service that the plan names"),
    measuredRow(kMmb, "Process Working Set: Store", "process.working-set", "dovecot", kProcess),
    measuredRow(kMmb, "Process Virtual Bytes: Store", "process.virtual-bytes", "dovecot", kProcess),
    measuredRow(kMmb, "Memory Available Bytes", "host.available-memory", {}, kHost),
    measuredRow(kMmb, "Memory Pages/Sec", "host.pages-swapped", {}, kHost,
        "swap only; Windows counts the reading of files as well"),
    measuredRow(kMmb, "Disk Reads/Sec: IS Database, IS Log", "host.disk-reads", "IS Database", kVolume),
    measuredRow(kMmb, "Disk Writes/Sec: IS Database, IS Log", "host.disk-writes", "IS Database", kVolume),
    measuredRow(kMmb, "Average Disk Queue Length: IS Database, IS Log", "host.mean-disk-queue", "IS Database",
        kVolume),

    measuredRow(kBaseline, "Process Working Set: Store", "process.working-set", "dovecot", kProcess),
    measuredRow(kBaseline, "Process Virtual Bytes: Store", "process.virtual-bytes", "dovecot", kProcess),
    measuredRow(
        kBaseline, "Local Delivery Rate", "mail.recipients-accepted", "_Total", kClients, "per recipient"),
    measuredRow(kBaseline, "Network Usage (Kbps)", "host.network-bytes", "eth0", kHost,
        "in bytes; Kbps are bytes/s x 8 / 1000"),
    measuredRow(kBaseline, "Database Disk Transfers/sec", "host.disk-transfers", "IS Database", kVolume),
    measuredRow(kBaseline, "Log Writes/sec", "host.disk-writes", "IS Log", kVolume),
    measuredRow(kBaseline, "Disk Bytes/sec", "host.disk-bytes", "IS Database", kVolume),
    measuredRow(kBaseline, "Database Cache Size", "database.cache-size", "_Total", kStore,
        "of a mail server only where it reports one: [[counters]] with command or openmetrics"),
    measuredRow(kBaseline, "RPC Operations/sec", "mail.actions", "_Total", kClients,
        "actions; IMAP and SMTP have no RPC, and one action takes several commands (table of commands)"),
    absentRow(kBaseline, "RPC Requests",
        "Requests in progress inside a server are Exchange's own; Dovecot and Postfix do not count them."),
    computedRow(kBaseline, "Client Latency", "table of actions: response time, all", kClients, "ms"),

    measuredRow(kVirtual, "Host % processor", "host.processor-time", "_Total", kHost,
        "of an ESX host: loadstone attach, of a log of esxtop -b"),
    computedRow(kVirtual, "Counters of virtual machines",
        "as esxtop names them, such as \\Group Cpu(…)\\% Used", kLog, "%",
        "a Linux hypervisor shows a machine as a process or control group: [[counters]] with processes or "
        "cgroups"),
    measuredRow(kVirtual, "Memory free", "host.free-memory", {}, kLinux),
    measuredRow(
        kVirtual, "Page sharing", "host.shared-pages", {}, kLinux, "pages merged by the kernel (KSM)"),
    measuredRow(kVirtual, "Swap", "host.swap-used", {}, kLinux),
    measuredRow(kVirtual, "Queued commands", "host.disk-queue", "sda", kVolume),
    measuredRow(kVirtual, "Receive Mbit/s", "host.network-bytes-received", "eth0", kHost,
        "in bytes; Mbit/s are bytes/s x 8 / 1,000,000"),
    measuredRow(kVirtual, "Transmit Mbit/s", "host.network-bytes-sent", "eth0", kHost,
        "in bytes; Mbit/s are bytes/s x 8 / 1,000,000"),
    measuredRow(kVirtual, "Read MB/s", "host.disk-read-bytes", "sda", kVolume),
    measuredRow(kVirtual, "Write MB/s", "host.disk-write-bytes", "sda", kVolume),

    measuredRow(kDisclosure, "Avg. Disk sec/Read", "host.disk-seconds-per-read", "sda", kVolume,
        "of a storage test also its table \"Disk subsystem performance\", by volume and class of I/O"),
    measuredRow(kDisclosure, "Avg. Disk sec/Write", "host.disk-seconds-per-write", "sda", kVolume),
    measuredRow(kDisclosure, "Disk Reads/sec", "host.disk-reads", "sda", kVolume),
    measuredRow(kDisclosure, "Disk Writes/sec", "host.disk-writes", "sda", kVolume),
    measuredRow(kDisclosure, "Avg. Disk Bytes/Write", "host.disk-bytes-per-write", "sda", kVolume),
    measuredRow(kDisclosure, "% Processor Time", "host.processor-time", "_Total", kHost),
    measuredRow(kDisclosure, "Available MBytes", "host.available-memory", {}, kHost),
    absentRow(kDisclosure, "Free System Page Table Entries",
        "Linux on 64 bits has no such pool: page tables are taken from free memory as they are needed."),
    measuredRow(kDisclosure, "Transition Pages RePurposed/sec", "host.pages-repurposed", {}, kLinux,
        "pages that the kernel took back (pgsteal), the nearest that Linux has"),
    measuredRow(kDisclosure, "Pool Nonpaged Bytes", "host.pool-nonpaged-bytes", {}, kLinux,
        "slabs that cannot be given back (SUnreclaim), the nearest that Linux has"),
    measuredRow(kDisclosure, "Pool Paged Bytes", "host.pool-paged-bytes", {}, kLinux,
        "slabs that can be given back (SReclaimable), the nearest that Linux has"),
    measuredRow(
        kDisclosure, "Database Page Fault Stalls/sec", "database.page-fault-stalls", "_Total", kStore),
    measuredRow(kDisclosure, "Database Cache Size", "database.cache-size", "_Total", kStore),
};

std::string ownText(std::string_view view)
{
    return std::string(view);
}

} // namespace

std::vector<PublishedCounter> publishedCounters()
{
    std::vector<PublishedCounter> all;
    for (const PublishedRow& row : kRows) {
        PublishedCounter one { ownText(row.report), ownText(row.counter), ownText(row.table),
            ownText(row.source), ownText(row.unit), ownText(row.note) };
        if (const auto quantity = quantityOf(row.key)) {
            const QuantityInfo& info = infoOf(*quantity);
            one.here = fmt::format("\\{}{}\\{}", info.object,
                row.instance.empty() ? std::string() : fmt::format("({})", row.instance), info.counter);
            one.unit = ownText(info.unit) + (info.kind == SeriesKind::count ? "/s" : "");
        }
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace loadstone
