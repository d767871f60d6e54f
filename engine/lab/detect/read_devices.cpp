// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace loadstone::lab {

namespace {

/// "Ethernet Controller X710" of 'SLOT "Class" "Vendor" "Device" ...'.
struct PciName {
    std::string vendor, device, type;
};

std::map<std::string, PciName> pciNames(const MachineText& machine)
{
    std::map<std::string, PciName> names;
    for (const std::string_view line : linesOf(machine.output("lspci").value_or(""))) {
        std::vector<std::string> quoted;
        for (std::size_t at = 0; (at = line.find('"', at)) != std::string_view::npos;) {
            const auto end = line.find('"', at + 1);
            if (end == std::string_view::npos)
                break;
            quoted.emplace_back(line.substr(at + 1, end - at - 1));
            at = end + 1;
        }
        if (const auto words = wordsOf(line); !words.empty() && quoted.size() >= 3)
            names[words[0]] = { quoted[1], quoted[2], quoted[0] };
    }
    return names;
}

/// The last address of PCI in a path of sysfs: "0000:00:03.0".
std::string pciAddress(const std::string& path)
{
    std::string address;
    for (std::size_t at = 0; at < path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        const std::string part = path.substr(at, end - at);
        if (part.size() == 12 && part[4] == ':' && part[7] == ':' && part[10] == '.')
            address = part;
        at = end + 1;
    }
    return address;
}

std::string field(std::optional<std::string_view> text, std::string_view key)
{
    for (const auto& [name, value] : fieldsOf(text.value_or(""), ':'))
        if (name == key)
            return value;
    return {};
}

/// Of `ethtool -g`: the value under "Current hardware settings".
std::string ring(std::string_view text, std::string_view key)
{
    const auto at = text.find("Current hardware settings");
    return at == std::string_view::npos ? "" : field(text.substr(at), key);
}

void readAdapter(Findings& findings, const std::string& name, const std::map<std::string, PciName>& pci)
{
    const MachineText& machine = findings.machine();
    const std::string folder = "sys/class/net/" + name + "/";
    LabItem item = findings.item(ItemKind::adapter, name);
    const std::string driver = machine.linkName(folder + "device/driver"),
                      path = machine.link("sys/class/net/" + name);
    const bool isVirtual = path.find("/virtio") != std::string::npos || driver == "vmxnet3"
        || driver == "hv_netvsc" || driver == "xen_netfront" || driver == "ena"
        || !machine.has(folder + "device");
    findings.add(item, "type",
        isVirtual                                   ? "virtual"
            : machine.line(folder + "type") == "32" ? "InfiniBand"
                                                    : "network",
        "sysfs");
    const std::string udev = "run/udev/data/n" + machine.line(folder + "ifindex");
    for (const auto& [key, value] : fieldsOf(machine.text(udev).value_or(""), '=')) {
        if (key == "E:ID_VENDOR_FROM_DATABASE")
            findings.add(item, "vendor", value, "udev");
        if (key == "E:ID_MODEL_FROM_DATABASE")
            findings.add(item, "model", value, "udev");
    }
    if (const auto at = pci.find(pciAddress(path)); at != pci.end()) {
        findings.add(item, "vendor", at->second.vendor, "lspci");
        findings.add(item, "model", at->second.device, "lspci");
    }
    const auto info = machine.output("ethtool -i " + name), state = machine.output("ethtool " + name);
    findings.add(item, "firmware", field(info, "firmware-version"), "ethtool");
    findings.add(item, "driver", driver, "sysfs");
    findings.add(item, "driver", field(info, "driver"), "ethtool");
    findings.add(item, "driver_version", field(info, "version"), "ethtool");
    // -1 and 4294967295 mean that the driver does not know it.
    if (const auto speed = machine.number(folder + "speed"); speed && *speed > 0 && *speed < 10000000)
        findings.add(item, "negotiated_speed", fmt::format("{} Mb/s", *speed), "sysfs");
    else
        findings.notRead("the speed of adapters", "the driver does not state it, or the link is down",
            "type it", "speed of " + name);
    if (const std::string duplex = machine.line(folder + "duplex"); duplex == "full" || duplex == "half")
        findings.add(item, "duplex", duplex, "sysfs");
    if (const std::string negotiation = field(state, "Auto-negotiation");
        negotiation == "on" || negotiation == "off")
        findings.add(item, "negotiation", negotiation == "on" ? "auto" : "fixed", "ethtool");
    if (!info)
        findings.notRead("ethtool",
            machine.missing().contains("ethtool") ? "is not installed" : "was not run",
            machine.missing().contains("ethtool") ? "install it" : "",
            "driver version and negotiation of " + name);
    findings.add(item, "interface", name, "sysfs");
    findings.add(item, "hardware_address", machine.line(folder + "address"), "sysfs");
    if (const auto mtu = machine.number(folder + "mtu"); mtu && *mtu <= 1000000)
        findings.add(item, "mtu", fmt::format("{} B", *mtu), "sysfs");
    std::size_t queues = 0;
    for (const std::string& queue : machine.names(folder + "queues"))
        queues += queue.starts_with("rx-") ? 1 : 0;
    if (queues != 0)
        findings.addNumber(item, "queues", queues, "sysfs");
    const std::string rings(machine.output("ethtool -g " + name).value_or(""));
    findings.add(item, "receive_ring", ring(rings, "RX"), "ethtool");
    findings.add(item, "transmit_ring", ring(rings, "TX"), "ethtool");
    if (const auto lanes = machine.number(folder + "device/current_link_width"); lanes && *lanes > 0)
        findings.add(item, "lanes", fmt::format("x{}", *lanes), "sysfs");
    if (const auto node = machine.number(folder + "device/numa_node"))
        findings.addNumber(item, "numa_node", *node, "sysfs");
    if (const std::string master = machine.linkName(folder + "master"); !master.empty())
        findings.add(item, "bonding", "part of " + master, "sysfs");
    if (const auto mode = wordsOf(machine.line(folder + "bonding/mode")); !mode.empty())
        findings.add(item, "bonding",
            fmt::format("{} of {}", mode[0], machine.line(folder + "bonding/slaves")), "sysfs");
    findings.keep(std::move(item));
}

struct KnownSoftware {
    std::string_view package, product, type;
};
/// Packages of Debian and of RPM distributions. Parts of a product have its version, and are not listed.
constexpr std::array<KnownSoftware, 34> kSoftware { {
    { "postfix", "Postfix", "mail server" },
    { "exim4-daemon-light", "Exim", "mail server" },
    { "exim4-daemon-heavy", "Exim", "mail server" },
    { "exim", "Exim", "mail server" },
    { "sendmail-bin", "Sendmail", "mail server" },
    { "sendmail", "Sendmail", "mail server" },
    { "opensmtpd", "OpenSMTPD", "mail server" },
    { "dovecot-core", "Dovecot", "mail server" },
    { "dovecot", "Dovecot", "mail server" },
    { "cyrus-imapd", "Cyrus IMAP", "mail server" },
    { "courier-imap", "Courier IMAP", "mail server" },
    { "courier-mta", "Courier", "mail server" },
    { "stalwart-mail", "Stalwart", "mail server" },
    { "radicale", "Radicale", "mail server" },
    { "zimbra-core", "Zimbra", "mail server" },
    { "slapd", "OpenLDAP", "directory" },
    { "openldap-servers", "OpenLDAP", "directory" },
    { "389-ds-base", "389 Directory Server", "directory" },
    { "freeipa-server", "FreeIPA", "directory" },
    { "mariadb-server", "MariaDB", "database" },
    { "mysql-server", "MySQL", "database" },
    { "postgresql", "PostgreSQL", "database" },
    { "postgresql-server", "PostgreSQL", "database" },
    { "redis-server", "Redis", "database" },
    { "multipath-tools", "multipath-tools", "multipath" },
    { "device-mapper-multipath", "multipath-tools", "multipath" },
    { "open-iscsi", "open-iscsi", "initiator" },
    { "iscsi-initiator-utils", "open-iscsi", "initiator" },
    { "haproxy", "HAProxy", "load balancer" },
    { "clamav-daemon", "ClamAV", "anti-virus" },
    { "clamd", "ClamAV", "anti-virus" },
    { "spamassassin", "SpamAssassin", "spam filter" },
    { "rspamd", "Rspamd", "spam filter" },
    { "prometheus-node-exporter", "node_exporter", "monitoring" },
} };

/// "3.7.11" of "1:3.7.11-0+deb12u1": without the epoch and the distribution's own part.
std::string upstreamVersion(std::string version)
{
    if (const auto colon = version.find(':'); colon != std::string::npos)
        version.erase(0, colon + 1);
    if (const auto dash = version.rfind('-'); dash != std::string::npos)
        version.erase(dash);
    for (const std::string_view mark : { "+dfsg", "+ds", "~ds", "+repack" })
        if (const auto at = version.find(mark); at != std::string::npos)
            version.erase(at);
    // "15+248+deb12u1" of a package that only names another one
    if (const auto plus = version.find('+');
        plus != std::string::npos && version.find("+deb", plus) != std::string::npos)
        version.erase(plus);
    return version;
}

} // namespace

void readAdapters(Findings& findings)
{
    const MachineText& machine = findings.machine();
    const auto pci = pciNames(machine);
    const auto all = machine.names("sys/class/net");
    for (const std::string& name : all) {
        const std::string folder = "sys/class/net/" + name + "/";
        // Hardware, and bonds. Loopback, bridges, tunnels and the ends of containers are no adapters of the machine, but the only
        // ones that a container has.
        const bool hardware = machine.has(folder + "device"), bond = machine.has(folder + "bonding/mode");
        const bool ofContainer = !containerOf(machine).empty() && name.starts_with("eth");
        if (hardware || bond || ofContainer)
            readAdapter(findings, name, pci);
    }
    if (all.empty())
        findings.notRead("network interfaces in sysfs", "are not there", "", "adapters");
}

void readControllers(Findings& findings)
{
    const MachineText& machine = findings.machine();
    const auto pci = pciNames(machine);
    const auto named = [&](LabItem& item, const std::string& path) {
        if (const auto at = pci.find(pciAddress(path)); at != pci.end()) {
            findings.add(item, "vendor", at->second.vendor, "lspci");
            findings.add(item, "model", at->second.device, "lspci");
        }
    };
    std::map<std::string, int> seen; // several hosts of one controller, as SATA has for each port
    for (const std::string& host : machine.names("sys/class/scsi_host")) {
        const std::string folder = "sys/class/scsi_host/" + host + "/",
                          path = machine.link("sys/class/scsi_host/" + host);
        const std::string driver = machine.line(folder + "proc_name"), address = pciAddress(path);
        if (driver.empty() || driver.starts_with("usb") || driver == "uas"
            || (!address.empty() && seen[address + driver]++ > 0))
            continue;
        LabItem item = findings.item(ItemKind::controller, host);
        const bool fibre = machine.has("sys/class/fc_host/" + host + "/port_name");
        findings.add(item, "type",
            fibre                                          ? "HBA"
                : driver == "ahci" || driver == "ata_piix" ? "SATA"
                : driver == "megaraid_sas" || driver == "smartpqi" || driver == "hpsa" || driver == "aacraid"
                ? "RAID"
                : driver.starts_with("mpt") ? "SAS"
                                            : "SCSI",
            "sysfs");
        findings.add(item, "model", machine.line(folder + "model_name"), "sysfs");
        findings.add(item, "model", machine.line(folder + "board_name"), "sysfs");
        named(item, path);
        findings.add(item, "firmware", machine.line(folder + "version_fw"), "sysfs");
        findings.add(item, "firmware", machine.line(folder + "fw_version"), "sysfs");
        findings.add(item, "driver", driver, "sysfs");
        if (const auto depth = machine.number(folder + "can_queue"); depth && *depth > 0)
            findings.addNumber(item, "queue_depth", *depth, "sysfs");
        if (fibre) {
            findings.add(item, "interface", "Fibre Channel", "sysfs");
            if (const auto speed = wholeNumber(machine.line("sys/class/fc_host/" + host + "/speed"));
                speed && *speed < 1000)
                findings.add(item, "port_speed", fmt::format("{} Gb/s", *speed), "sysfs");
        }
        if (driver == "megaraid_sas" || driver == "smartpqi" || driver == "hpsa")
            findings.notRead("the RAID controller",
                "its cache and levels are known to its maker's tool alone", "type what that prints",
                "cache of " + host);
        findings.keep(std::move(item));
    }
    for (const std::string& name : machine.names("sys/class/nvme")) {
        const std::string folder = "sys/class/nvme/" + name + "/";
        LabItem item = findings.item(ItemKind::controller, name);
        findings.add(item, "type", "NVMe", "sysfs");
        findings.add(item, "model", machine.line(folder + "model"), "sysfs");
        findings.add(item, "serial", machine.line(folder + "serial"), "sysfs");
        findings.add(item, "firmware", machine.line(folder + "firmware_rev"), "sysfs");
        findings.add(item, "interface", machine.line(folder + "transport"), "sysfs");
        findings.keep(std::move(item));
    }
}

void readSoftware(Findings& findings)
{
    const MachineText& machine = findings.machine();
    std::map<std::string, std::string, std::less<>> packages;
    std::string package;
    bool installed = false;
    for (const auto& [key, value] : fieldsOf(machine.output("packages").value_or(""), ':')) {
        if (key == "Package")
            package = value;
        else if (key == "Status")
            installed = value.ends_with(" installed");
        else if (key == "Version" && installed)
            packages[package] = value;
    }
    for (const std::string_view line : linesOf(machine.output("rpm").value_or("")))
        if (const auto words = wordsOf(line); words.size() == 2)
            packages[words[0]] = words[1];
    if (!machine.output("packages") && !machine.output("rpm"))
        findings.notRead("the database of packages", "neither dpkg nor rpm was found",
            "type the software by hand", "mail software");
    std::vector<std::string> products;
    for (const KnownSoftware& known : kSoftware) {
        const auto at = packages.find(known.package);
        if (at == packages.end())
            continue;
        LabItem item =
            findings.item(ItemKind::software, known.package, std::string(Detection::kMachine) + ".os");
        const char* by = machine.output("packages") ? "dpkg" : "rpm";
        findings.add(item, "product", std::string(known.product), by);
        findings.add(item, "type", std::string(known.type), by);
        findings.add(item, "version", upstreamVersion(at->second), by);
        findings.add(item, "package", std::string(known.package), by);
        findings.add(item, "package_version", at->second, by);
        products.emplace_back(known.product);
        findings.keep(std::move(item));
    }
    // What was not installed as a package says its version itself.
    for (const std::string& program : machine.outputs("version ")) {
        const std::string product = program == "postfix" ? "Postfix"
            : program == "dovecot"                       ? "Dovecot"
            : program == "exim"                          ? "Exim"
                                                         : "Stalwart";
        const auto lines = linesOf(*machine.output("version " + program));
        if (lines.empty() || std::ranges::find(products, product) != products.end())
            continue;
        LabItem item = findings.item(ItemKind::software, program, std::string(Detection::kMachine) + ".os");
        const std::string by = "what " + program + " prints";
        findings.add(item, "product", product, by);
        findings.add(item, "type", "mail server", by);
        for (const std::string& word : wordsOf(lines[0]))
            if (word.front() >= '0' && word.front() <= '9')
                findings.add(item, "version", word, by);
        findings.keep(std::move(item));
    }
}

} // namespace loadstone::lab
