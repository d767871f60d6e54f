// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"

namespace loadstone::document {

using namespace rows;

namespace {

std::vector<KeyRow> systemRows()
{
    return {
        text("item[os].product", "Product", "Name of the operating system."),
        text("item[os].version", "Version", "Its version."),
        text("item[os].edition", "Edition", "Its edition."),
        text("item[os].service_pack", "Service pack", "Its service pack."),
        texts("item[os].updates", "Updates",
            "Further updates and patches; the date or number of the last one."),
        text("item[os].build", "Build", "Its build."),
        text("item[os].architecture", "Architecture", "What it is built for.",
            { "x86", "x86-64", "ARM64", "POWER", "SPARC", "Alpha", "IA-64" }),
        text("item[os].kernel", "Kernel", "Release of the kernel."),
        texts("item[os].boot_parameters", "Boot parameters",
            "Parameters of its start, such as /3GB, /PAE or isolcpus."),
        text("item[os].mitigations", "Mitigations", "Mitigations of processor faults that are on."),
        text("item[os].governor", "Governor", "What chooses the processors' clock.",
            { "performance", "powersave", "schedutil", "ondemand", "conservative" }),
        text("item[os].power_plan", "Power plan", "Power plan or tuned profile."),
        rare(text("item[os].scheduler", "Scheduler", "Scheduler of processes, where it was chosen.")),
        rare(text("item[os].clock_source", "Clock source", "What it reads the time from, such as tsc.")),
        rare(text("item[os].huge_pages", "Huge pages", "Transparent and reserved huge pages.")),
        rare(bytes("item[os].swap", "Swap", 1024 * kTebibyte, "Swap space or page file.")),
        rare(count("item[os].swappiness", "Swappiness", 0, 200, "How readily it swaps.")),
        rare(flag("item[os].numa_balancing", "NUMA balancing", "Whether it moves pages between nodes.")),
        rare(text("item[os].security", "Security", "Security modules and scanners that are on.")),
        rare(text("item[os].time_synchronisation", "Time synchronisation", "What keeps its clock right.")),
        rare(count("item[os].file_limit", "File limit", 1, 1e10, "Files that a process may have open.")),
        rare(count("item[os].order", "Order", 1, 1000, "Its place in the order of installation.")),

        text("item[hypervisor].product", "Product", "Name of the hypervisor."),
        text("item[hypervisor].version", "Version", "Its version."),
        text("item[hypervisor].edition", "Edition", "Its edition."),
        texts("item[hypervisor].updates", "Updates", "Updates and patches."),
        text("item[hypervisor].build", "Build", "Its build."),
        number("item[hypervisor].vcpus_per_core", "vCPUs per core", 0.01, 1000,
            "Virtual processors for each core of the host."),
        number("item[hypervisor].memory_overcommit", "Memory overcommit", 0.01, 1000,
            "Memory of all guests as a multiple of the host's."),
        flag("item[hypervisor].page_sharing", "Page sharing", "Whether equal pages of guests are kept once."),
        flag("item[hypervisor].ballooning", "Ballooning", "Whether it takes unused memory back from guests."),
        rare(text("item[hypervisor].machine_type", "Machine type", "The virtual hardware that it gives.")),
        rare(text(
            "item[hypervisor].disk_bus", "Disk bus", "How guests see drives, such as virtio-blk or PVSCSI.")),
        rare(text("item[hypervisor].disk_format", "Disk format",
            "Where virtual drives are kept: raw, qcow2, VMFS, passed through.")),
        rare(text("item[hypervisor].cache_mode", "Cache mode", "How the host caches virtual drives.")),
        rare(text("item[hypervisor].io_mode", "I/O mode",
            "How the host does their input and output, such as io_uring or native.")),
        rare(text("item[hypervisor].network_model", "Network model",
            "How guests see networks, such as virtio or vmxnet3.")),
        rare(flag("item[hypervisor].nested", "Nested", "Whether it runs in a virtual machine itself.")),
    };
}

std::vector<KeyRow> softwareRows()
{
    return {
        text("item[software].type", "Type", "What the software is for.",
            { "mail server", "directory", "benchmark", "database", "multipath", "initiator", "driver",
                "replication", "backup", "load balancer", "anti-virus", "spam filter", "monitoring" }),
        text("item[software].product", "Product", "Name of the product."),
        text("item[software].version", "Version", "Its version."),
        text("item[software].edition", "Edition", "Its edition."),
        text("item[software].build", "Build", "Its build or release."),
        text("item[software].service_pack", "Service pack", "Its service pack."),
        texts("item[software].updates", "Updates", "Further updates and patches."),
        text("item[software].engine_version", "Engine version",
            "Version of its database engine or its library, such as ESE.dll."),
        text("item[software].package", "Package", "The package that it was installed from."),
        text("item[software].package_version", "Package version", "The version of that package."),
        rare(text("item[software].source", "Source", "Where it was taken from.")),
        rare(date("item[software].release_date", "Release date", "When it was released.")),
        rare(count("item[software].order", "Order", 1, 1000, "Its place in the order of installation.")),
        texts("item[software].protocols", "Protocols", "Protocols that it serves or speaks."),
        rare(text("item[software].tls", "TLS", "Version and library of TLS.")),
        rare(text("item[software].authentication", "Authentication",
            "How users are known, such as LDAP or a file.")),
        text("item[software].storage_format", "Storage format",
            "How it keeps mail, such as Maildir, sdbox or ESE."),
        rare(text("item[software].indexing", "Indexing", "Full text search and its state.")),
        texts("item[software].databases_on", "Databases on",
            "The ids of the volumes or file systems with its databases or mailboxes."),
        texts("item[software].logs_on", "Logs on", "The ids of the volumes or file systems with its logs."),
        texts(
            "item[software].queue_on", "Queue on", "The ids of the volumes or file systems with its queue."),
        bytes("item[software].cache", "Cache", 1024 * kTebibyte, "Its cache."),
        count("item[software].workers", "Workers", 1, 1e7, "Its worker processes."),
        count("item[software].threads", "Threads", 1, 1e7, "Its threads."),
        count("item[software].connections", "Connections", 1, 1e9, "Connections that it accepts at most."),
        rare(text("item[software].profile", "Profile", "User profile of a benchmark.")),
    };
}

/// Users and mailboxes, of a product or of a whole deployment.
std::vector<KeyRow> deploymentRows()
{
    return {
        count("item[software].users", "Users", 1, 1e10, "Users in total."),
        count("item[software].generators", "Generators", 1, 1e6, "Machines that make the load."),
        count(
            "item[software].users_per_generator", "Users per generator", 1, 1e9, "Users of each generator."),
        count("item[software].processes", "Processes", 1, 1e7, "Processes that make the load, in total."),
        count("item[software].users_per_process", "Users per process", 1, 1e9, "Users of each process."),
        count("item[software].mailboxes", "Mailboxes", 1, 1e10, "Mailboxes in total."),
        count("item[software].hosts", "Hosts", 1, 1e6, "Servers that hold mailboxes."),
        count("item[software].mailboxes_per_host", "Mailboxes per host", 1, 1e9, "Mailboxes of each server."),
        count("item[software].groups", "Storage groups", 1, 1e6, "Storage groups of each server."),
        count("item[software].stores", "Stores", 1, 1e6, "Mailbox stores (databases) of each storage group."),
        number("item[software].mailboxes_per_store", "Mailboxes per store", 0.001, 1e9,
            "Mailboxes of each store, rounded as printed."),
        bytes("item[software].mailbox_size", "Mailbox size", kTebibyte, "Average size of a mailbox."),
        rare(bytes("item[software].quota", "Quota", kTebibyte, "Largest size of a mailbox.")),
        capacity("item[software].database_size", "Database size", "All databases together."),

        text("item[cluster].type", "Type", "What the items have in common.",
            { "mail deployment", "generators", "failover cluster", "load balanced", "storage group",
                "virtualisation cluster", "storage cluster" }),
        text("item[cluster].product", "Product", "Cluster software."),
        text("item[cluster].version", "Version", "Its version."),
        count("item[cluster].nodes", "Nodes", 1, 1e6, "Members of the cluster."),
        rare(text("item[cluster].quorum", "Quorum", "How it decides which members act.")),
        rare(text("item[cluster].replication", "Replication",
            "Product that replicates data, and its version; none when there is none.")),
        rare(count("item[cluster].replicas", "Replicas", 1, 64, "Copies that are kept of all data.")),
        count("item[cluster].users", "Users", 1, 1e10, "Users in total."),
        count("item[cluster].generators", "Generators", 1, 1e6, "Machines that make the load."),
        count("item[cluster].users_per_generator", "Users per generator", 1, 1e9, "Users of each generator."),
        count("item[cluster].processes", "Processes", 1, 1e7, "Processes that make the load, in total."),
        count("item[cluster].users_per_process", "Users per process", 1, 1e9, "Users of each process."),
        count("item[cluster].mailboxes", "Mailboxes", 1, 1e10, "Mailboxes in total."),
        count("item[cluster].hosts", "Hosts", 1, 1e6, "Servers that hold mailboxes."),
        count("item[cluster].mailboxes_per_host", "Mailboxes per host", 1, 1e9, "Mailboxes of each server."),
        count("item[cluster].groups", "Storage groups", 1, 1e6, "Storage groups of each server."),
        count("item[cluster].stores", "Stores", 1, 1e6, "Mailbox stores (databases) of each storage group."),
        number("item[cluster].mailboxes_per_store", "Mailboxes per store", 0.001, 1e9,
            "Mailboxes of each store, rounded as printed."),
        bytes("item[cluster].mailbox_size", "Mailbox size", kTebibyte, "Average size of a mailbox."),
        rare(bytes("item[cluster].quota", "Quota", kTebibyte, "Largest size of a mailbox.")),
        number("item[cluster].volumes_per_group", "LUNs per storage group", 0.01, 1e6,
            "Volumes with databases of each storage group."),
        number("item[cluster].io_per_mailbox", "I/O per mailbox", 0, 1e6,
            "Input and output operations per second of each mailbox."),
        number("item[cluster].tested_io_per_mailbox", "Tested I/O per mailbox", 0, 1e6,
            "The same with the headroom of the test."),
        percent("item[cluster].headroom", "Headroom", "Share of the tested rate that is headroom."),
        capacity("item[cluster].database_size", "Database size", "All databases together."),
        capacity(
            "item[cluster].database_volume_size", "Database LUN size", "Size of each volume with databases."),
        capacity("item[cluster].log_volume_size", "Log LUN size", "Size of each volume with logs."),
        text("item[cluster].backup_volume_size", "Backup LUN size",
            "Size of each volume for backups; none when there is none."),
        capacity("item[cluster].raw_size", "Raw size", "Sizes of the drives together."),
        capacity("item[cluster].usable_size", "Usable size", "Formatted capacity."),
        percent("item[cluster].capacity_used", "Capacity used", "Databases as a share of the usable size."),
        percent(
            "item[cluster].raw_capacity_used", "Raw capacity used", "Databases as a share of the raw size."),

        text("item[other].type", "Type", "What it is."),
        text("item[other].product", "Product", "Name of the product."),
        text("item[other].version", "Version", "Its version."),
    };
}

} // namespace

std::vector<KeyRow> labSoftwareRows()
{
    std::vector<KeyRow> all;
    for (auto part : { systemRows, softwareRows, deploymentRows })
        for (KeyRow& row : part())
            all.push_back(row);
    return all;
}

} // namespace loadstone::document
