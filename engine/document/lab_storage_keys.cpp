// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"

namespace loadstone::document {

using namespace rows;

namespace {

/// RAID levels by the names that makers print; matched without blanks, hyphens and plus signs.
KeyRow raidRow(std::string_view path)
{
    return choice(path, "RAID level",
        { "none", "JBOD", "RAID 0", "RAID 1", "RAID 10", "RAID 1+0", "RAID 0+1", "RAID 2", "RAID 3", "RAID 4",
            "RAID 5", "RAID 50", "RAID 6", "RAID 60", "RAID-DP", "RAID-TEC", "RAID-Z1", "RAID-Z2", "RAID-Z3",
            "RAID-TP", "mirror", "replicated", "erasure coded" },
        "How data are spread and kept safe over the drives.");
}

KeyRow writeCacheRow(std::string_view path)
{
    return choice(path, "Write cache", { "off", "write-through", "write-back" },
        "When a write is acknowledged: after the drive has it, or from the cache.");
}

KeyRow cacheProtectionRow(std::string_view path)
{
    return choice(path, "Cache protection",
        { "none", "battery", "flash", "capacitor", "mirrored", "mirrored, battery", "mirrored, flash",
            "UPS" },
        "What keeps acknowledged writes through the loss of power (stable storage).");
}

KeyRow schedulerRow(std::string_view path)
{
    return rare(text(path, "Scheduler", "Input/output scheduler of the operating system.",
        { "none", "mq-deadline", "bfq", "kyber", "noop", "deadline", "cfq" }));
}

std::vector<KeyRow> controllerAndEnclosureRows()
{
    return {
        text("item[controller].type", "Type", "What it controls.",
            { "RAID", "HBA", "SCSI", "SAS", "SATA", "IDE", "NVMe", "array controller" }),
        text("item[controller].interface", "Interface",
            "Interface to the drives, such as Wide Ultra2 SCSI or SAS 12 Gb/s."),
        text("item[controller].bus", "Bus", "The bus that it sits on."),
        rare(quantity("item[controller].lanes", "Lanes", "x", 1, 64, "Lanes of PCI Express in use.")),
        rare(text("item[controller].slot", "Slot", "Where it sits.")),
        count("item[controller].channels", "Channels", 1, 1024, "Channels to the drives."),
        count("item[controller].ports", "Ports", 1, 1024, "Ports to hosts or networks, of each controller."),
        quantity(
            "item[controller].port_speed", "Port speed", "Mb/s", 0.001, 1e8, "Highest speed of each port."),
        bytes("item[controller].cache", "Cache", 1024 * kTebibyte, "Cache of each controller."),
        writeCacheRow("item[controller].write_cache"),
        cacheProtectionRow("item[controller].cache_protection"),
        percent("item[controller].read_share", "Read share", "Share of the cache that is for reads."),
        bytes("item[controller].block_size", "Block size", kGibibyte, "Block or stripe size that is set."),
        rare(text("item[controller].read_ahead", "Read ahead", "How it reads ahead.")),
        rare(texts("item[controller].raid_levels", "RAID levels", "RAID levels that it can do.")),
        rare(text("item[controller].mode", "Mode", "How it shows drives, such as RAID, HBA or JBOD.")),
        text("item[controller].driver", "Driver", "Name of its driver."),
        text("item[controller].driver_version", "Driver version", "Version of its driver."),
        rare(count(
            "item[controller].queue_depth", "Queue depth", 1, 1e6, "Commands that it keeps under way.")),
        rare(count("item[controller].numa_node", "NUMA node", 0, 4095, "The node that it belongs to.")),

        text("item[enclosure].type", "Type", "What the enclosure is.",
            { "array", "drive enclosure", "disk processor enclosure", "JBOD", "blade chassis", "rack",
                "tape library" }),
        text("item[enclosure].connectivity", "Connectivity", "How hosts reach it.",
            { "Fibre Channel", "iSCSI", "SAS", "SCSI", "NVMe/TCP", "NVMe/FC", "NFS", "SMB", "InfiniBand" }),
        count("item[enclosure].controllers", "Controllers", 1, 1024, "Controllers of each enclosure."),
        count("item[enclosure].ports", "Ports", 1, 4096, "Ports to hosts of each enclosure."),
        quantity(
            "item[enclosure].port_speed", "Port speed", "Mb/s", 0.001, 1e8, "Highest speed of each port."),
        quantity("item[enclosure].bandwidth", "Bandwidth", "Mb/s", 0.001, 1e9,
            "Greatest bandwidth from the storage to a host."),
        bytes("item[enclosure].cache", "Cache", 1024 * kTebibyte, "Cache of each enclosure."),
        writeCacheRow("item[enclosure].write_cache"),
        cacheProtectionRow("item[enclosure].cache_protection"),
        count("item[enclosure].bays", "Bays", 1, 1e5, "Places for drives in each enclosure."),
        count("item[enclosure].drives", "Drives", 0, 1e6, "Drives in each enclosure."),
        count("item[enclosure].spares", "Spares", 0, 1e6, "Spare drives in each enclosure."),
        capacity("item[enclosure].raw_size", "Raw size", "Sizes of the drives of each enclosure together."),
        capacity("item[enclosure].usable_size", "Usable size", "What remains for volumes in each enclosure."),
        rare(
            count("item[enclosure].groups", "Groups", 1, 1e5, "Groups of arrays that are managed together.")),
        rare(count("item[enclosure].pools", "Pools", 1, 1e5, "Storage pools of each enclosure.")),
        rare(text("item[enclosure].features", "Features",
            "Tiering, compression, deduplication, snapshots that are switched on.")),
        rare(text(
            "item[enclosure].replication", "Replication", "Product that replicates it, and its version.")),
        rare(quantity("item[enclosure].height", "Height", "U", 0.5, 60, "Height in the rack.")),
    };
}

std::vector<KeyRow> driveAndPoolRows()
{
    return {
        text("item[drive].type", "Type", "What the drive is.",
            { "hard disk", "SSD", "NVMe SSD", "persistent memory", "tape", "virtual disk" }),
        capacity("item[drive].size", "Size", "Size of each drive, as its maker counts it."),
        quantity("item[drive].speed", "Speed", "rpm", 100, 1e5, "Turns of a hard disk."),
        text("item[drive].interface", "Interface",
            "Interface of the drive, such as SAS, IDE or PCIe 4.0 x4 NVMe."),
        quantity("item[drive].link_speed", "Link speed", "Mb/s", 0.001, 1e8, "Speed of its interface."),
        text("item[drive].form", "Form", "Form of the drive.",
            { "3.5 in", "2.5 in", "M.2", "U.2", "U.3", "E1.S", "E3.S", "add-in card" }),
        bytes("item[drive].cache", "Cache", kTebibyte, "Cache of each drive."),
        flag("item[drive].write_cache", "Write cache", "Whether the drive's own write cache is on."),
        flag("item[drive].power_loss_protection", "Power loss protection",
            "Whether writes in its cache survive the loss of power."),
        rare(bytes("item[drive].sector_size", "Sector size", 1e6, "Size of a logical sector.")),
        rare(bytes(
            "item[drive].physical_sector_size", "Physical sector size", 1e6, "Size of a physical sector.")),
        rare(duration("item[drive].seek_time", "Seek time", 10, "Average seek time.")),
        rare(
            number("item[drive].endurance", "Endurance", 0, 1000, "Drive writes per day over its warranty.")),
        rare(percent("item[drive].wear", "Wear", "Share of its endurance that is used.")),
        text("item[drive].pool", "Pool",
            "The id of the pool that it belongs to, where it is not contained in it."),
        rare(flag("item[drive].spare", "Spare", "Whether it waits for another one to fail.")),
        rare(text("item[drive].device", "Device", "Its name in the operating system, such as /dev/nvme0n1.")),
        rare(text("item[drive].world_wide_name", "World wide name", "WWN, EUI or NGUID.")),
        rare(text("item[drive].slot", "Slot", "Where it sits.")),
        schedulerRow("item[drive].scheduler"),
        rare(count("item[drive].queue_depth", "Queue depth", 1, 1e6, "Requests that are kept under way.")),
        rare(count("item[drive].queues", "Queues", 1, 65536, "Queues to the drive.")),
        rare(bytes("item[drive].read_ahead", "Read ahead", kGibibyte, "Read-ahead of the operating system.")),
        rare(count("item[drive].numa_node", "NUMA node", 0, 4095, "The node that it belongs to.")),

        text("item[pool].type", "Type", "What makes drives act as one.",
            { "hardware RAID", "software RAID", "volume group", "ZFS pool", "Storage Spaces", "array pool",
                "Ceph pool" }),
        raidRow("item[pool].raid"),
        count("item[pool].drives", "Drives", 1, 1e6, "Drives of each pool."),
        text("item[pool].drive", "Drive",
            "The id of the drives that it is made of, where they are not contained in it."),
        count("item[pool].spares", "Spares", 0, 1e5, "Drives of the pool that are spares."),
        rare(count(
            "item[pool].group_size", "Group size", 2, 1e5, "Drives of each RAID group, of RAID 50 or 60.")),
        rare(count("item[pool].replicas", "Replicas", 1, 64, "Copies that are kept of all data.")),
        capacity("item[pool].raw_size", "Raw size", "Sizes of the drives of each pool together."),
        capacity("item[pool].usable_size", "Usable size", "Formatted capacity: what remains for volumes."),
        percent("item[pool].utilisation", "Utilisation", "Usable size as a share of the raw size."),
        capacity("item[pool].used_size", "Used size", "What is in use during the test."),
        bytes("item[pool].stripe", "Stripe", kGibibyte,
            "Stripe or chunk: what goes to one drive before the next one."),
        writeCacheRow("item[pool].write_cache"),
        rare(text("item[pool].read_policy", "Read policy", "How reads are cached or read ahead.")),
        rare(text("item[pool].bitmap", "Bitmap", "Write-intent bitmap or journal.")),
        rare(text("item[pool].state", "State", "State during the test, such as clean or degraded.")),
        rare(text("item[pool].device", "Device", "Its name in the operating system, such as /dev/md0.")),
    };
}

std::vector<KeyRow> volumeAndFilesystemRows()
{
    return {
        text("item[volume].type", "Type", "What the volume is.",
            { "LUN", "logical volume", "partition", "virtual disk", "multipath device", "network share",
                "object store" }),
        capacity("item[volume].size", "Size", "Size of each volume."),
        capacity("item[volume].formatted_size", "Formatted size", "What remains for files."),
        capacity("item[volume].used_size", "Used size", "What is in use during the test."),
        text("item[volume].lun", "LUN", "Its logical unit number."),
        text("item[volume].letter", "Letter", "Its drive letter, such as R:."),
        texts("item[volume].holds", "Holds", "What lies there: operating system, database, log, queue."),
        text("item[volume].pool", "Pool",
            "The id of the pool that it is carved out of, where it is not contained in it."),
        raidRow("item[volume].raid"),
        count("item[volume].drives", "Drives", 1, 1e6, "Drives under each volume."),
        text("item[volume].drive", "Drive", "The id of the drives under it, where it has no pool."),
        bytes("item[volume].stripe", "Stripe", kGibibyte,
            "Stripe: what goes to one drive before the next one."),
        bytes("item[volume].block_size", "Block size", kGibibyte, "Block size that is set."),
        rare(bytes("item[volume].alignment", "Alignment", kGibibyte, "The boundary at which it begins.")),
        rare(choice("item[volume].provisioning", "Provisioning", { "thick", "thin" },
            "Whether space is taken at once or when it is written.")),
        writeCacheRow("item[volume].write_cache"),
        text("item[volume].multipath", "Multipath", "Multipath software and policy."),
        count("item[volume].paths", "Paths", 1, 4096, "Paths to it."),
        rare(text("item[volume].group", "Group", "Storage group or server that uses it.")),
        rare(text("item[volume].device", "Device", "Its name in the operating system, such as /dev/dm-3.")),
        rare(text("item[volume].world_wide_name", "World wide name", "WWN or identifier.")),
        schedulerRow("item[volume].scheduler"),
        rare(count("item[volume].queue_depth", "Queue depth", 1, 1e6, "Requests that are kept under way.")),
        rare(
            bytes("item[volume].read_ahead", "Read ahead", kGibibyte, "Read-ahead of the operating system.")),
        rare(text("item[volume].encryption", "Encryption", "What encrypts it, such as LUKS2 or BitLocker.")),
        rare(flag("item[volume].compression", "Compression", "Whether its data are compressed.")),
        rare(flag("item[volume].deduplication", "Deduplication", "Whether equal blocks are kept once.")),
        rare(flag("item[volume].snapshots", "Snapshots", "Whether snapshots exist during the test.")),

        text("item[filesystem].type", "Type", "Type of the file system.",
            { "NTFS", "ReFS", "ext4", "xfs", "btrfs", "zfs", "vmfs", "nfs", "cifs", "ceph", "tmpfs" }),
        text("item[filesystem].mount", "Mount point", "Where it is mounted, or its drive letter."),
        text("item[filesystem].volume", "Volume",
            "The id of the volume that it lies on, where it is not contained in it."),
        capacity("item[filesystem].size", "Size", "Size of the file system."),
        capacity("item[filesystem].used_size", "Used size", "What is in use during the test."),
        texts("item[filesystem].holds", "Holds", "What lies there: operating system, database, log, queue."),
        texts("item[filesystem].options", "Options", "Mount options."),
        bytes("item[filesystem].block_size", "Block size", kGibibyte, "Block or allocation unit size."),
        rare(bytes("item[filesystem].inode_size", "Inode size", 1e6, "Size of an inode.")),
        rare(text("item[filesystem].journal", "Journal", "Mode and place of the journal.")),
        rare(flag("item[filesystem].barriers", "Barriers",
            "Whether caches are flushed where the file system asks for it.")),
        rare(flag("item[filesystem].discard", "Discard", "Whether freed blocks are reported to the drive.")),
        rare(percent("item[filesystem].reserved", "Reserved", "Share that is kept for the administrator.")),
        rare(text("item[filesystem].version", "Version",
            "Version of the file system or of its protocol, such as NFS 4.2.")),
        rare(text("item[filesystem].source", "Source", "Device or share that is mounted.")),
        rare(text("item[filesystem].label", "Label", "Its label.")),
    };
}

} // namespace

std::vector<KeyRow> labStorageRows()
{
    std::vector<KeyRow> all;
    for (auto part : { controllerAndEnclosureRows, driveAndPoolRows, volumeAndFilesystemRows })
        for (KeyRow& row : part())
            all.push_back(row);
    return all;
}

} // namespace loadstone::document
