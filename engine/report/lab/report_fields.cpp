// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/report_fields.h"

#include <array>

namespace loadstone::report {

namespace {

using Kind = ItemKind;
using Scope = FieldScope;

constexpr std::array kStorage {
    FieldRow { "Number of hosts", Kind::cluster, Scope::deployment, "hosts" },
    FieldRow { "Number of mailboxes simulated", Kind::cluster, Scope::deployment, "mailboxes" },
    FieldRow { "Number of mailboxes/host", Kind::cluster, Scope::deployment, "mailboxes_per_host" },
    FieldRow { "Number of storage groups/host", Kind::cluster, Scope::deployment, "groups" },
    FieldRow { "Number of mailbox stores/storage group", Kind::cluster, Scope::deployment, "stores" },
    FieldRow { "Number of mailboxes/mailbox store", Kind::cluster, Scope::deployment, "mailboxes_per_store" },
    FieldRow { "Number of LUNs/storage group", Kind::cluster, Scope::deployment, "volumes_per_group" },
    FieldRow { "Mailbox size", Kind::cluster, Scope::deployment, "mailbox_size" },
    FieldRow { "I/Os per second per mailbox", Kind::cluster, Scope::deployment, "io_per_mailbox" },
    FieldRow { "The same with headroom", Kind::cluster, Scope::deployment, "tested_io_per_mailbox" },
    FieldRow { "Total database size", Kind::cluster, Scope::deployment, "database_size" },
    FieldRow { "Backup LUN size", Kind::cluster, Scope::deployment, "backup_volume_size" },
    FieldRow { "Replication", Kind::cluster, Scope::deployment, "replication" },
    FieldRow { "Database LUN size", Kind::volume, Scope::databases, "size" },
    FieldRow { "Disks per database LUN", Kind::volume, Scope::databases, "drives" },
    FieldRow { "Log LUN size", Kind::volume, Scope::logs, "size" },
    FieldRow { "Disks per log LUN", Kind::volume, Scope::logs, "drives" },
    FieldRow { "Storage vendor", Kind::enclosure, Scope::arrays, "vendor" },
    FieldRow { "Storage model", Kind::enclosure, Scope::arrays, "model" },
    FieldRow { "Storage firmware revision", Kind::enclosure, Scope::arrays, "firmware" },
    FieldRow { "Storage connectivity", Kind::enclosure, Scope::arrays, "connectivity" },
    FieldRow { "Storage cache", Kind::enclosure, Scope::arrays, "cache" },
    FieldRow { "Number of storage ports", Kind::enclosure, Scope::arrays, "ports" },
    FieldRow { "Maximum bandwidth to host", Kind::enclosure, Scope::arrays, "bandwidth" },
    FieldRow { "Number of storage controllers", Kind::controller, Scope::noGenerators, "count" },
    FieldRow {
        "Write cache and its protection", Kind::controller, Scope::noGenerators, "cache_protection", false },
    FieldRow { "Switch model", Kind::network, Scope::any, "model", false },
    FieldRow { "Switch firmware revision", Kind::network, Scope::any, "firmware", false },
    FieldRow { "HBA model", Kind::adapter, Scope::hostBusAdapters, "model" },
    FieldRow {
        "HBA driver or firmware", Kind::adapter, Scope::hostBusAdapters, "driver_version|firmware", false },
    FieldRow { "Number of HBAs/host", Kind::adapter, Scope::hostBusAdapters, "count" },
    FieldRow { "Host server model", Kind::machine, Scope::physical, "model" },
    FieldRow { "Host processor", Kind::processor, Scope::underTest, "model" },
    FieldRow { "Host processor speed", Kind::processor, Scope::underTest, "speed" },
    FieldRow { "Host memory", Kind::machine, Scope::underTest, "memory" },
    FieldRow { "Host OS", Kind::os, Scope::underTest, "product" },
    FieldRow { "Host OS service pack or kernel", Kind::os, Scope::underTest, "service_pack|kernel|version" },
    FieldRow { "Multipathing", Kind::software, Scope::multipath, "version" },
    FieldRow {
        "Version of the database engine", Kind::software, Scope::benchmarks, "engine_version|version" },
    FieldRow { "Disk type", Kind::drive, Scope::noGenerators, "model" },
    FieldRow { "Disk speed or interface", Kind::drive, Scope::noGenerators, "speed|interface" },
    FieldRow { "Disk firmware revision", Kind::drive, Scope::noGenerators, "firmware" },
    FieldRow { "Raw capacity per disk", Kind::drive, Scope::noGenerators, "size" },
    FieldRow { "RAID level", Kind::pool, Scope::noGenerators, "raid" },
    FieldRow { "Total formatted capacity", Kind::pool, Scope::noGenerators, "usable_size" },
};

constexpr std::array kMail {
    FieldRow { "Vendor", Kind::machine, Scope::physical, "vendor" },
    FieldRow { "Model", Kind::machine, Scope::physical, "model" },
    FieldRow { "Model type", Kind::machine, Scope::physical, "type_number|part_number" },
    FieldRow { "BIOS", Kind::machine, Scope::physical, "bios" },
    FieldRow { "BIOS date", Kind::machine, Scope::physical, "bios_date" },
    FieldRow { "Expansion bus", Kind::machine, Scope::physical, "expansion_bus" },
    FieldRow { "Memory", Kind::machine, Scope::underTest, "memory" },
    FieldRow { "Kind of memory", Kind::machine, Scope::physical, "memory_type" },
    FieldRow { "Processor", Kind::processor, Scope::underTest, "model" },
    FieldRow { "Processor speed", Kind::processor, Scope::underTest, "speed" },
    FieldRow { "Number of processors", Kind::processor, Scope::underTest, "count" },
    FieldRow { "Primary cache", Kind::processor, Scope::underTest, "cache_l1|cache_l1_data" },
    FieldRow { "Secondary cache", Kind::processor, Scope::underTest, "cache_l2" },
    FieldRow { "Other cache", Kind::processor, Scope::underTest, "cache_l3|cache_other" },
    FieldRow { "Disk controllers", Kind::controller, Scope::noGenerators, "model" },
    FieldRow {
        "Controller cache or write policy", Kind::controller, Scope::noGenerators, "cache|write_cache" },
    FieldRow { "Disk drives", Kind::drive, Scope::noGenerators, "size" },
    FieldRow { "Disk speed or interface", Kind::drive, Scope::noGenerators, "speed|interface" },
    FieldRow { "RAID level", Kind::pool, Scope::noGenerators, "raid" },
    FieldRow { "Placement of databases", Kind::software, Scope::mailServers, "databases_on", false },
    FieldRow { "Placement of logs or queue", Kind::software, Scope::mailServers, "logs_on|queue_on", false },
    FieldRow { "Network adapters", Kind::adapter, Scope::networkAdapters, "model" },
    FieldRow { "Vendor of the mail server", Kind::software, Scope::mailServers, "vendor" },
    FieldRow { "Mail server", Kind::software, Scope::mailServers, "product" },
    FieldRow { "Version of the mail server", Kind::software, Scope::mailServers, "version|build" },
    FieldRow { "Patches of the mail server", Kind::software, Scope::mailServers,
        "service_pack|updates|package_version" },
    FieldRow { "Operating system", Kind::os, Scope::underTest, "product" },
    FieldRow { "Version of the operating system", Kind::os, Scope::underTest, "version|edition" },
    FieldRow { "Patches of the operating system", Kind::os, Scope::underTest, "service_pack|updates|kernel" },
    FieldRow { "File system type", Kind::filesystem, Scope::noGenerators, "type" },
    FieldRow { "Type of network", Kind::network, Scope::dataNetworks, "type|media" },
    FieldRow { "Network speed", Kind::network, Scope::dataNetworks, "speed" },
    FieldRow { "Duplex", Kind::network, Scope::dataNetworks, "duplex" },
    FieldRow { "Switches or segments", Kind::network, Scope::dataNetworks, "switches|segments" },
    FieldRow { "Simulated users", Kind::cluster, Scope::deployment, "users" },
    FieldRow { "Number of load generators", Kind::machine, Scope::generators, "count" },
    FieldRow { "Users or processes of each generator", Kind::machine, Scope::generators,
        "users|users_per_process|processes" },
    FieldRow { "Model of the generators", Kind::machine, Scope::generators, "model" },
    FieldRow { "Memory of the generators", Kind::machine, Scope::generators, "memory" },
    FieldRow { "Processor of the generators", Kind::processor, Scope::generators, "model" },
    FieldRow { "Processor speed of the generators", Kind::processor, Scope::generators, "speed" },
    FieldRow { "Network controller of the generators", Kind::adapter, Scope::generators, "model" },
    FieldRow { "Operating system of the generators", Kind::os, Scope::generators, "product" },
    FieldRow { "Load tool and its version", Kind::software, Scope::benchmarks, "version|profile" },
};

constexpr std::array kVirtualisation {
    FieldRow { "Server", Kind::machine, Scope::physical, "model" },
    FieldRow { "Memory", Kind::machine, Scope::physical, "memory" },
    FieldRow { "Kind of memory", Kind::machine, Scope::physical, "memory_type" },
    FieldRow { "Processors", Kind::processor, Scope::underTest, "model" },
    FieldRow { "Processor speed", Kind::processor, Scope::underTest, "speed" },
    FieldRow { "Number of processors", Kind::processor, Scope::underTest, "count" },
    FieldRow { "Cores of each processor", Kind::processor, Scope::underTest, "cores" },
    FieldRow { "Hard drives", Kind::drive, Scope::noGenerators, "size" },
    FieldRow { "Drive speed or interface", Kind::drive, Scope::noGenerators, "speed|interface" },
    FieldRow { "RAID configuration", Kind::pool, Scope::noGenerators, "raid" },
    FieldRow { "Drives of each RAID group", Kind::pool, Scope::noGenerators, "drives" },
    FieldRow { "HBA", Kind::adapter, Scope::hostBusAdapters, "vendor|model" },
    FieldRow { "Storage enclosure", Kind::enclosure, Scope::arrays, "model" },
    FieldRow { "What lies on which volume", Kind::volume, Scope::any, "holds", false },
    FieldRow { "Virtualization software", Kind::hypervisor, Scope::any, "product" },
    FieldRow { "Version of it", Kind::hypervisor, Scope::any, "version" },
    FieldRow { "Page sharing or ballooning", Kind::hypervisor, Scope::any, "page_sharing|ballooning" },
    FieldRow { "Virtual machines", Kind::machine, Scope::virtualMachines, "count" },
    FieldRow { "Virtual processors of each", Kind::machine, Scope::virtualMachines, "vcpus" },
    FieldRow { "Memory of each", Kind::machine, Scope::virtualMachines, "memory" },
    FieldRow { "Operating system", Kind::os, Scope::underTest, "product" },
    FieldRow { "Version of the operating system", Kind::os, Scope::underTest, "version|edition" },
    FieldRow { "Boot parameters", Kind::os, Scope::underTest, "boot_parameters" },
    FieldRow { "Application", Kind::software, Scope::mailServers, "product" },
    FieldRow { "Version of the application", Kind::software, Scope::mailServers, "version|service_pack" },
    FieldRow { "Network speed", Kind::network, Scope::dataNetworks, "speed" },
    FieldRow { "Clients", Kind::machine, Scope::generators, "model" },
    FieldRow { "Number of clients", Kind::machine, Scope::generators, "count" },
    FieldRow { "Processors of the clients", Kind::processor, Scope::generators, "model" },
    FieldRow { "Memory of the clients", Kind::machine, Scope::generators, "memory" },
    FieldRow { "Operating system of the clients", Kind::os, Scope::generators, "product" },
    FieldRow { "Benchmark application", Kind::software, Scope::benchmarks, "product" },
};

} // namespace

std::span<const FieldRow> fieldRows(LabReport report)
{
    switch (report) {
    case LabReport::storage:
        return kStorage;
    case LabReport::mail:
        return kMail;
    case LabReport::virtualisation:
        break;
    }
    return kVirtualisation;
}

} // namespace loadstone::report
