// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/report_fields.h"

#include <array>

namespace loadstone::report {

namespace {

using Of = ItemKind;
using Scope = FieldScope;

constexpr std::array kStorage {
    FieldRow { "Number of hosts", Of::cluster, Scope::deployment, "hosts" },
    FieldRow { "Number of mailboxes simulated", Of::cluster, Scope::deployment, "mailboxes" },
    FieldRow { "Number of mailboxes/host", Of::cluster, Scope::deployment, "mailboxes_per_host" },
    FieldRow { "Number of storage groups/host", Of::cluster, Scope::deployment, "groups" },
    FieldRow { "Number of mailbox stores/storage group", Of::cluster, Scope::deployment, "stores" },
    FieldRow { "Number of mailboxes/mailbox store", Of::cluster, Scope::deployment, "mailboxes_per_store" },
    FieldRow { "Number of LUNs/storage group", Of::cluster, Scope::deployment, "volumes_per_group" },
    FieldRow { "Mailbox size", Of::cluster, Scope::deployment, "mailbox_size" },
    FieldRow { "I/Os per second per mailbox", Of::cluster, Scope::deployment, "io_per_mailbox" },
    FieldRow { "The same with headroom", Of::cluster, Scope::deployment, "tested_io_per_mailbox" },
    FieldRow { "Total database size", Of::cluster, Scope::deployment, "database_size" },
    FieldRow { "Backup LUN size", Of::cluster, Scope::deployment, "backup_volume_size" },
    FieldRow { "Replication", Of::cluster, Scope::deployment, "replication" },
    FieldRow { "Database LUN size", Of::volume, Scope::databases, "size" },
    FieldRow { "Disks per database LUN", Of::volume, Scope::databases, "drives" },
    FieldRow { "Log LUN size", Of::volume, Scope::logs, "size" },
    FieldRow { "Disks per log LUN", Of::volume, Scope::logs, "drives" },
    FieldRow { "Storage vendor", Of::enclosure, Scope::arrays, "vendor" },
    FieldRow { "Storage model", Of::enclosure, Scope::arrays, "model" },
    FieldRow { "Storage firmware revision", Of::enclosure, Scope::arrays, "firmware" },
    FieldRow { "Storage connectivity", Of::enclosure, Scope::arrays, "connectivity" },
    FieldRow { "Storage cache", Of::enclosure, Scope::arrays, "cache" },
    FieldRow { "Number of storage ports", Of::enclosure, Scope::arrays, "ports" },
    FieldRow { "Maximum bandwidth to host", Of::enclosure, Scope::arrays, "bandwidth" },
    FieldRow { "Number of storage controllers", Of::controller, Scope::noGenerators, "count" },
    FieldRow {
        "Write cache and its protection", Of::controller, Scope::noGenerators, "cache_protection", false },
    FieldRow { "Switch model", Of::network, Scope::any, "model", false },
    FieldRow { "Switch firmware revision", Of::network, Scope::any, "firmware", false },
    FieldRow { "HBA model", Of::adapter, Scope::hostBusAdapters, "model" },
    FieldRow {
        "HBA driver or firmware", Of::adapter, Scope::hostBusAdapters, "driver_version|firmware", false },
    FieldRow { "Number of HBAs/host", Of::adapter, Scope::hostBusAdapters, "count" },
    FieldRow { "Host server model", Of::machine, Scope::physical, "model" },
    FieldRow { "Host processor", Of::processor, Scope::underTest, "model" },
    FieldRow { "Host processor speed", Of::processor, Scope::underTest, "speed" },
    FieldRow { "Host memory", Of::machine, Scope::underTest, "memory" },
    FieldRow { "Host OS", Of::os, Scope::underTest, "product" },
    FieldRow { "Host OS service pack or kernel", Of::os, Scope::underTest, "service_pack|kernel|version" },
    FieldRow { "Multipathing", Of::software, Scope::multipath, "version" },
    FieldRow { "Version of the database engine", Of::software, Scope::benchmarks, "engine_version|version" },
    FieldRow { "Disk type", Of::drive, Scope::noGenerators, "model" },
    FieldRow { "Disk speed or interface", Of::drive, Scope::noGenerators, "speed|interface" },
    FieldRow { "Disk firmware revision", Of::drive, Scope::noGenerators, "firmware" },
    FieldRow { "Raw capacity per disk", Of::drive, Scope::noGenerators, "size" },
    FieldRow { "RAID level", Of::pool, Scope::noGenerators, "raid" },
    FieldRow { "Total formatted capacity", Of::pool, Scope::noGenerators, "usable_size" },
};

constexpr std::array kMail {
    FieldRow { "Vendor", Of::machine, Scope::physical, "vendor" },
    FieldRow { "Model", Of::machine, Scope::physical, "model" },
    FieldRow { "Model type", Of::machine, Scope::physical, "type_number|part_number" },
    FieldRow { "BIOS", Of::machine, Scope::physical, "bios" },
    FieldRow { "BIOS date", Of::machine, Scope::physical, "bios_date" },
    FieldRow { "Expansion bus", Of::machine, Scope::physical, "expansion_bus" },
    FieldRow { "Memory", Of::machine, Scope::underTest, "memory" },
    FieldRow { "Kind of memory", Of::machine, Scope::physical, "memory_type" },
    FieldRow { "Processor", Of::processor, Scope::underTest, "model" },
    FieldRow { "Processor speed", Of::processor, Scope::underTest, "speed" },
    FieldRow { "Number of processors", Of::processor, Scope::underTest, "count" },
    FieldRow { "Primary cache", Of::processor, Scope::underTest, "cache_l1|cache_l1_data" },
    FieldRow { "Secondary cache", Of::processor, Scope::underTest, "cache_l2" },
    FieldRow { "Other cache", Of::processor, Scope::underTest, "cache_l3|cache_other" },
    FieldRow { "Disk controllers", Of::controller, Scope::noGenerators, "model" },
    FieldRow { "Controller cache or write policy", Of::controller, Scope::noGenerators, "cache|write_cache" },
    FieldRow { "Disk drives", Of::drive, Scope::noGenerators, "size" },
    FieldRow { "Disk speed or interface", Of::drive, Scope::noGenerators, "speed|interface" },
    FieldRow { "RAID level", Of::pool, Scope::noGenerators, "raid" },
    FieldRow { "Placement of databases", Of::software, Scope::mailServers, "databases_on", false },
    FieldRow { "Placement of logs or queue", Of::software, Scope::mailServers, "logs_on|queue_on", false },
    FieldRow { "Network adapters", Of::adapter, Scope::networkAdapters, "model" },
    FieldRow { "Vendor of the mail server", Of::software, Scope::mailServers, "vendor" },
    FieldRow { "Mail server", Of::software, Scope::mailServers, "product" },
    FieldRow { "Version of the mail server", Of::software, Scope::mailServers, "version|build" },
    FieldRow { "Patches of the mail server", Of::software, Scope::mailServers,
        "service_pack|updates|package_version" },
    FieldRow { "Operating system", Of::os, Scope::underTest, "product" },
    FieldRow { "Version of the operating system", Of::os, Scope::underTest, "version|edition" },
    FieldRow { "Patches of the operating system", Of::os, Scope::underTest, "service_pack|updates|kernel" },
    FieldRow { "File system type", Of::filesystem, Scope::noGenerators, "type" },
    FieldRow { "Type of network", Of::network, Scope::dataNetworks, "type|media" },
    FieldRow { "Network speed", Of::network, Scope::dataNetworks, "speed" },
    FieldRow { "Duplex", Of::network, Scope::dataNetworks, "duplex" },
    FieldRow { "Switches or segments", Of::network, Scope::dataNetworks, "switches|segments" },
    FieldRow { "Simulated users", Of::cluster, Scope::deployment, "users" },
    FieldRow { "Number of load generators", Of::machine, Scope::generators, "count" },
    FieldRow { "Users or processes of each generator", Of::machine, Scope::generators,
        "users|users_per_process|processes" },
    FieldRow { "Model of the generators", Of::machine, Scope::generators, "model" },
    FieldRow { "Memory of the generators", Of::machine, Scope::generators, "memory" },
    FieldRow { "Processor of the generators", Of::processor, Scope::generators, "model" },
    FieldRow { "Processor speed of the generators", Of::processor, Scope::generators, "speed" },
    FieldRow { "Network controller of the generators", Of::adapter, Scope::generators, "model" },
    FieldRow { "Operating system of the generators", Of::os, Scope::generators, "product" },
    FieldRow { "Load tool and its version", Of::software, Scope::benchmarks, "version|profile" },
};

constexpr std::array kVirtualisation {
    FieldRow { "Server", Of::machine, Scope::physical, "model" },
    FieldRow { "Memory", Of::machine, Scope::physical, "memory" },
    FieldRow { "Kind of memory", Of::machine, Scope::physical, "memory_type" },
    FieldRow { "Processors", Of::processor, Scope::underTest, "model" },
    FieldRow { "Processor speed", Of::processor, Scope::underTest, "speed" },
    FieldRow { "Number of processors", Of::processor, Scope::underTest, "count" },
    FieldRow { "Cores of each processor", Of::processor, Scope::underTest, "cores" },
    FieldRow { "Hard drives", Of::drive, Scope::noGenerators, "size" },
    FieldRow { "Drive speed or interface", Of::drive, Scope::noGenerators, "speed|interface" },
    FieldRow { "RAID configuration", Of::pool, Scope::noGenerators, "raid" },
    FieldRow { "Drives of each RAID group", Of::pool, Scope::noGenerators, "drives" },
    FieldRow { "HBA", Of::adapter, Scope::hostBusAdapters, "vendor|model" },
    FieldRow { "Storage enclosure", Of::enclosure, Scope::arrays, "model" },
    FieldRow { "What lies on which volume", Of::volume, Scope::any, "holds", false },
    FieldRow { "Virtualization software", Of::hypervisor, Scope::any, "product" },
    FieldRow { "Version of it", Of::hypervisor, Scope::any, "version" },
    FieldRow { "Page sharing or ballooning", Of::hypervisor, Scope::any, "page_sharing|ballooning" },
    FieldRow { "Virtual machines", Of::machine, Scope::virtualMachines, "count" },
    FieldRow { "Virtual processors of each", Of::machine, Scope::virtualMachines, "vcpus" },
    FieldRow { "Memory of each", Of::machine, Scope::virtualMachines, "memory" },
    FieldRow { "Operating system", Of::os, Scope::underTest, "product" },
    FieldRow { "Version of the operating system", Of::os, Scope::underTest, "version|edition" },
    FieldRow { "Boot parameters", Of::os, Scope::underTest, "boot_parameters" },
    FieldRow { "Application", Of::software, Scope::mailServers, "product" },
    FieldRow { "Version of the application", Of::software, Scope::mailServers, "version|service_pack" },
    FieldRow { "Network speed", Of::network, Scope::dataNetworks, "speed" },
    FieldRow { "Clients", Of::machine, Scope::generators, "model" },
    FieldRow { "Number of clients", Of::machine, Scope::generators, "count" },
    FieldRow { "Processors of the clients", Of::processor, Scope::generators, "model" },
    FieldRow { "Memory of the clients", Of::machine, Scope::generators, "memory" },
    FieldRow { "Operating system of the clients", Of::os, Scope::generators, "product" },
    FieldRow { "Benchmark application", Of::software, Scope::benchmarks, "product" },
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
