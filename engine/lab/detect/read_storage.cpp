// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Long: drives, arrays, groups and paths refer to each other, and are told apart by the same few files of a block device.
#include "lab/detect/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace loadstone::lab {

namespace {

std::string udevOf(const MachineText& machine, const std::string& block, std::string_view key)
{
    const std::string file = "run/udev/data/b" + machine.line(kBlock + block + "/dev");
    for (const auto& [name, value] : fieldsOf(machine.text(file).value_or(""), '='))
        if (name == "E:" + std::string(key))
            return value;
    return {};
}

/// The block device that a partition belongs to; the name itself for others.
std::string wholeDevice(const MachineText& machine, const std::string& name)
{
    if (machine.has(kBlock + name + "/size"))
        return name;
    // "sda2", "nvme0n1p2", "md127p1"
    std::string whole = name;
    while (!whole.empty() && whole.back() >= '0' && whole.back() <= '9')
        whole.pop_back();
    if (machine.has(kBlock + whole + "/" + name + "/size"))
        return whole;
    if (!whole.empty() && whole.back() == 'p')
        whole.pop_back();
    return machine.has(kBlock + whole + "/" + name + "/size") ? whole : name;
}

std::uint64_t bytesOf(const MachineText& machine, const std::string& name)
{
    constexpr std::uint64_t kSector = 512,
                            kMostSectors = 1ULL << 54U; // sysfs counts in 512 bytes whatever the drive does
    const std::string whole = wholeDevice(machine, name);
    const auto sectors =
        machine.number(whole == name ? kBlock + name + "/size" : kBlock + whole + "/" + name + "/size");
    return sectors && *sectors < kMostSectors ? *sectors * kSector : 0;
}

/// "vg", "lv" of "vg-lv", where a hyphen of a name is doubled.
std::pair<std::string, std::string> volumeNames(const std::string& name)
{
    std::string group, volume;
    bool second = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        std::string& into = second ? volume : group;
        if (name[i] != '-')
            into += name[i];
        else if (i + 1 < name.size() && name[i + 1] == '-') {
            into += '-';
            ++i;
        } else if (!second)
            second = true;
        else
            into += '-';
    }
    return { group, volume };
}

std::string raidText(const std::string& level)
{
    if (level.starts_with("raid") && level.size() > 4)
        return "RAID " + level.substr(4);
    return level == "linear" ? "JBOD" : "";
}

void addQueue(const Findings& findings, LabItem& item, const std::string& block)
{
    const MachineText& machine = findings.machine();
    const std::string queue = kBlock + block + "/queue/";
    std::string scheduler = machine.line(queue + "scheduler"); // "none [mq-deadline]"
    if (const auto open = scheduler.find('['), close = scheduler.find(']');
        open != std::string::npos && close != std::string::npos && close > open)
        scheduler = scheduler.substr(open + 1, close - open - 1);
    findings.add(item, "scheduler", scheduler, "sysfs");
    const std::string own = machine.line(kBlock + block + "/device/queue_depth");
    if (const auto depth = own.empty() ? machine.number(queue + "nr_requests") : wholeNumber(own);
        depth && *depth > 0)
        findings.addNumber(item, "queue_depth", *depth, "sysfs");
    if (const auto ahead = machine.number(queue + "read_ahead_kb"); ahead && *ahead < (1U << 20U))
        findings.addMemorySize(item, "read_ahead", *ahead << 10U, "sysfs");
}

class StorageReader {
public:
    explicit StorageReader(Findings& findings)
        : m_findings(&findings)
        , m_machine(&findings.machine())
        , m_blocks(m_machine->names("sys/block"))
    {
        for (const std::string& block : m_blocks)
            if (uuidOf(block).starts_with("mpath-"))
                for (const std::string& slave : slavesOf(block))
                    m_paths.insert(slave);
    }
    void read()
    {
        for (const std::string& block : m_blocks)
            if (!block.starts_with("dm-") && !block.starts_with("md") && !m_paths.contains(block))
                drive(block);
        for (const std::string& block : m_blocks)
            if (uuidOf(block).starts_with("mpath-"))
                multipath(block);
        for (const std::string& block : m_blocks)
            if (block.starts_with("md"))
                array(block);
        groups();
        for (const std::string& block : m_blocks)
            if (uuidOf(block).starts_with("CRYPT-"))
                encrypted(block);
    }

private:
    [[nodiscard]] std::string uuidOf(const std::string& block) const
    {
        return m_machine->line(kBlock + block + "/dm/uuid");
    }
    [[nodiscard]] std::vector<std::string> slavesOf(const std::string& block) const
    {
        return m_machine->names(kBlock + block + "/slaves");
    }
    /// The ids of what a device lies on, each once.
    [[nodiscard]] std::vector<std::string> idsBelow(const std::string& block) const
    {
        std::vector<std::string> ids;
        for (const std::string& slave : slavesOf(block))
            if (const std::string id = itemOfDevice(*m_findings, slave);
                !id.empty() && std::ranges::find(ids, id) == ids.end())
                ids.push_back(id);
        return ids;
    }

    void drive(const std::string& block)
    {
        const std::string folder = kBlock + block, device = folder + "/device/";
        const std::uint64_t bytes = bytesOf(*m_machine, block);
        if (bytes == 0 || m_machine->line(folder + "/hidden") == "1" || block.starts_with("sr"))
            return;
        const bool nvme = block.starts_with("nvme"),
                   virtio = m_machine->linkName(device + "driver") == "virtio_blk",
                   xen = block.starts_with("xvd");
        LabItem item = m_findings->item(ItemKind::drive, block);
        const std::string model = m_machine->line(device + "model");
        const std::string vendor = m_machine->line(device + "vendor");
        const bool isVirtual = virtio || xen || vendor == "QEMU" || vendor == "VMware" || vendor == "Msft"
            || model.starts_with("QEMU") || model.starts_with("VMware") || model.starts_with("Virtual");
        const bool turns = m_machine->number(folder + "/queue/rotational").value_or(0) != 0;
        m_findings->add(item, "type",
            isVirtual   ? "virtual disk"
                : nvme  ? "NVMe SSD"
                : turns ? "hard disk"
                        : "SSD",
            "sysfs");
        if (vendor != "ATA" && !vendor.starts_with("0x"))
            m_findings->add(item, "vendor", vendor, "sysfs");
        m_findings->add(item, "model", model, "sysfs");
        m_findings->add(item, "firmware", m_machine->line(device + "firmware_rev"), "sysfs");
        m_findings->add(item, "firmware", m_machine->line(device + "rev"), "sysfs");
        m_findings->addDriveSize(item, "size", bytes, "sysfs");
        if (const auto rate = wholeNumber(udevOf(*m_machine, block, "ID_ATA_ROTATION_RATE_RPM"));
            rate && *rate != 0)
            m_findings->add(item, "speed", fmt::format("{} rpm", *rate), "udev");
        m_findings->add(item, "interface", interfaceOf(block, vendor, nvme, virtio, xen), "sysfs");
        m_findings->add(item, "serial", m_machine->line(device + "serial"), "sysfs");
        m_findings->add(item, "serial", m_machine->line(folder + "/serial"), "sysfs");
        m_findings->add(item, "serial", udevOf(*m_machine, block, "ID_SERIAL_SHORT"), "udev");
        m_findings->add(item, "world_wide_name", m_machine->line(folder + "/wwid"), "sysfs");
        m_findings->add(item, "world_wide_name", m_machine->line(device + "wwid"), "sysfs");
        m_findings->add(item, "device", "/dev/" + block, "sysfs");
        const std::string cache = m_machine->line(folder + "/queue/write_cache");
        if (!cache.empty())
            m_findings->addFlag(item, "write_cache", cache == "write back", "sysfs");
        m_findings->addMemorySize(item, "sector_size",
            m_machine->number(folder + "/queue/logical_block_size").value_or(0), "sysfs");
        m_findings->addMemorySize(item, "physical_sector_size",
            m_machine->number(folder + "/queue/physical_block_size").value_or(0), "sysfs");
        if (const std::size_t queues = m_machine->names(folder + "/mq").size(); queues != 0)
            m_findings->addNumber(item, "queues", queues, "sysfs");
        addQueue(*m_findings, item, block);
        if (!isVirtual && !nvme && item.find("serial") == nullptr)
            m_findings->notRead("serial numbers of drives", "neither sysfs nor udev states them", "",
                "serial number of " + block);
        m_findings->keep(std::move(item));
    }

    [[nodiscard]] std::string interfaceOf(
        const std::string& block, const std::string& vendor, bool nvme, bool virtio, bool xen) const
    {
        const std::string path =
            m_machine->link(kBlock + block); // through the bridges and hosts that lead to the drive
        if (nvme) {
            const std::string controller = block.substr(0, block.find('n', 4));
            const std::string transport = m_machine->line("sys/class/nvme/" + controller + "/transport");
            return transport.empty() || transport == "pcie" ? "NVMe" : "NVMe/" + transport;
        }
        if (virtio)
            return "virtio-blk";
        if (xen)
            return "Xen";
        if (vendor == "ATA" || path.find("/ata") != std::string::npos)
            return "SATA";
        if (path.find("/end_device-") != std::string::npos)
            return "SAS";
        if (path.find("/rport-") != std::string::npos)
            return "Fibre Channel";
        if (path.find("/session") != std::string::npos)
            return "iSCSI";
        if (path.find("/usb") != std::string::npos)
            return "USB";
        if (path.find("/virtio") != std::string::npos)
            return "virtio-scsi";
        return block.starts_with("sd") ? "SCSI" : "";
    }

    void multipath(const std::string& block)
    {
        const std::string folder = kBlock + block, name = m_machine->line(folder + "/dm/name");
        const auto slaves = slavesOf(block);
        LabItem item = m_findings->item(ItemKind::volume, name.empty() ? block : name);
        item.name = name;
        m_findings->add(item, "type", "multipath device", "device mapper");
        m_findings->addDriveSize(item, "size", bytesOf(*m_machine, block), "sysfs");
        if (!slaves.empty()) {
            const std::string path = kBlock + slaves.front() + "/device/";
            m_findings->add(item, "vendor", m_machine->line(path + "vendor"), "sysfs");
            m_findings->add(item, "model", m_machine->line(path + "model"), "sysfs");
            m_findings->add(item, "firmware", m_machine->line(path + "rev"), "sysfs");
            m_findings->addNumber(item, "paths", slaves.size(), "device mapper");
        }
        m_findings->add(item, "world_wide_name", uuidOf(block).substr(6), "device mapper");
        m_findings->add(item, "multipath", policyOf(name), "device mapper");
        m_findings->add(item, "device", "/dev/" + block, "sysfs");
        addQueue(*m_findings, item, block);
        m_findings->keep(std::move(item));
    }

    /// "dm-multipath, service-time, 1 group" of the table that the kernel works by; without that, the product alone.
    [[nodiscard]] std::string policyOf(const std::string& name)
    {
        for (const auto& [device, table] : fieldsOf(m_machine->output("dmsetup table").value_or(""), ':')) {
            if (device != name || table.find(" multipath ") == std::string::npos)
                continue;
            for (const std::string& word : wordsOf(table))
                if (word == "round-robin" || word == "service-time" || word == "queue-length"
                    || word == "historical-service-time" || word == "io-affinity")
                    return "dm-multipath, " + word;
        }
        m_findings->notRead("the device mapper's table",
            m_machine->missing().contains("dmsetup") ? "dmsetup is not installed" : "needs root and dmsetup",
            "run the detection as root where dmsetup is installed", "policy of multipath " + name);
        return "dm-multipath";
    }

    void array(const std::string& block)
    {
        const std::string folder = kBlock + block, md = folder + "/md/";
        const std::string level = m_machine->line(md + "level");
        if (level.empty() || level == "container")
            return;
        LabItem item = m_findings->item(ItemKind::pool, block);
        m_findings->add(item, "type", "software RAID", "sysfs");
        m_findings->add(item, "raid", raidText(level), "sysfs");
        const auto slaves = slavesOf(block);
        std::uint64_t raw = 0, spares = 0;
        for (const std::string& slave : slaves) {
            const bool spare =
                m_machine->line(md + "dev-" + slave + "/state").find("spare") != std::string::npos;
            spares += spare ? 1 : 0;
            raw += spare ? 0 : bytesOf(*m_machine, slave);
        }
        if (const auto drives = m_machine->number(md + "raid_disks"); drives && *drives > 0)
            m_findings->addNumber(item, "drives", *drives, "sysfs");
        if (spares != 0)
            m_findings->addNumber(item, "spares", spares, "sysfs");
        if (const auto ids = idsBelow(block); ids.size() == 1)
            m_findings->add(item, "drive", ids.front(), "sysfs");
        else
            belongTo(ids, item.id);
        m_findings->addDriveSize(item, "raw_size", raw, "sysfs");
        m_findings->addDriveSize(item, "usable_size", bytesOf(*m_machine, block), "sysfs");
        if (const auto chunk = m_machine->number(md + "chunk_size"); chunk && *chunk > 0)
            m_findings->addMemorySize(item, "stripe", *chunk, "sysfs");
        const std::string bitmap =
            m_machine->line(md + "bitmap/location"); // "+8": sectors behind the superblock
        m_findings->add(item, "bitmap",
            bitmap.starts_with('+') || bitmap.starts_with('-') ? "internal" : bitmap, "sysfs");
        const auto degraded = m_machine->number(md + "degraded").value_or(0);
        m_findings->add(item, "state",
            m_machine->line(md + "array_state")
                + (degraded == 0 ? "" : fmt::format(", degraded by {}", degraded)),
            "sysfs");
        m_findings->add(item, "device", "/dev/" + block, "sysfs");
        m_findings->keep(std::move(item));
    }

    /// Of drives in a pool, where one id cannot name them all.
    void belongTo(const std::vector<std::string>& ids, const std::string& pool)
    {
        for (LabItem& item : m_findings->items())
            if (item.kind == ItemKind::drive && std::ranges::find(ids, item.id) != ids.end())
                m_findings->add(item, "pool", pool, "sysfs");
    }

    /// Volume groups of LVM: as the kernel sees them, by the names and parts of their volumes.
    void groups()
    {
        constexpr std::size_t kUuid =
            4 + 32 + 32; // "LVM-", the group's and the volume's; parts of volumes have a suffix
        struct Group {
            std::vector<std::string> volumes;
            std::set<std::string> parts;
        };
        std::map<std::string, Group> groups;
        for (const std::string& block : m_blocks) {
            const std::string uuid = uuidOf(block);
            if (!uuid.starts_with("LVM-"))
                continue;
            Group& group = groups[volumeNames(m_machine->line(kBlock + block + "/dm/name")).first];
            if (uuid.size() <= kUuid)
                group.volumes.push_back(block);
            for (const std::string& slave : slavesOf(block))
                if (!uuidOf(slave).starts_with("LVM-"))
                    group.parts.insert(slave);
        }
        for (const auto& [name, group] : groups) {
            LabItem pool = m_findings->item(ItemKind::pool, name);
            pool.name = name;
            m_findings->add(pool, "type", "volume group", "device mapper");
            std::vector<std::string> ids;
            std::uint64_t raw = 0;
            for (const std::string& part : group.parts) {
                raw += bytesOf(*m_machine, part);
                if (const std::string id = itemOfDevice(*m_findings, part);
                    !id.empty() && std::ranges::find(ids, id) == ids.end())
                    ids.push_back(id);
            }
            m_findings->addNumber(pool, "drives", group.parts.size(), "device mapper");
            if (ids.size() == 1 && isDrive(ids.front()))
                m_findings->add(pool, "drive", ids.front(), "device mapper");
            else
                belongTo(ids, pool.id);
            m_findings->addDriveSize(pool, "raw_size", raw, "sysfs");
            const std::string id = pool.id;
            m_findings->keep(std::move(pool));
            for (const std::string& block : group.volumes)
                logical(block, id);
        }
        if (!groups.empty())
            m_findings->notRead("free space of volume groups", "the kernel does not know it",
                "type the size that vgs prints", "usable size of volume groups");
    }

    [[nodiscard]] bool isDrive(const std::string& id) const
    {
        return std::ranges::any_of(m_findings->items(),
            [&](const LabItem& item) { return item.id == id && item.kind == ItemKind::drive; });
    }

    void logical(const std::string& block, const std::string& pool)
    {
        const auto [group, volume] = volumeNames(m_machine->line(kBlock + block + "/dm/name"));
        LabItem item = m_findings->item(ItemKind::volume, group + "-" + volume, pool);
        item.name = volume;
        m_findings->add(item, "type", "logical volume", "device mapper");
        m_findings->addDriveSize(item, "size", bytesOf(*m_machine, block), "sysfs");
        m_findings->add(item, "device", "/dev/" + block, "sysfs");
        addQueue(*m_findings, item, block);
        m_findings->keep(std::move(item));
    }

    void encrypted(const std::string& block)
    {
        const auto below = idsBelow(block);
        const std::string name = m_machine->line(kBlock + block + "/dm/name");
        LabItem item = m_findings->item(ItemKind::volume, name.empty() ? block : name);
        item.name = name;
        if (below.size() == 1 && isDrive(below.front()))
            m_findings->add(item, "drive", below.front(), "device mapper");
        m_findings->addDriveSize(item, "size", bytesOf(*m_machine, block), "sysfs");
        const std::string uuid = uuidOf(block); // "CRYPT-LUKS2-..."
        const auto end = uuid.find('-', 6);
        m_findings->add(
            item, "encryption", uuid.substr(6, end == std::string::npos ? end : end - 6), "device mapper");
        m_findings->add(item, "device", "/dev/" + block, "sysfs");
        m_findings->keep(std::move(item));
    }

    Findings* m_findings;
    const MachineText* m_machine;
    std::vector<std::string> m_blocks;
    std::set<std::string> m_paths; ///< that lead to multipath devices
};

} // namespace

std::string itemOfDevice(const Findings& findings, std::string_view device)
{
    const std::string whole = "/dev/" + wholeDevice(findings.machine(), std::string(device));
    for (const LabItem& item : findings.detection().lab.items)
        if (item.kind != ItemKind::filesystem && item.text("device") == whole)
            return item.id;
    return {};
}

void readStorage(Findings& findings)
{
    StorageReader(findings).read();
    if (findings.machine().names("sys/block").empty())
        findings.notRead("block devices in sysfs", "are not there", "", "drives");
}

} // namespace loadstone::lab
