// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"

namespace loadstone::document {

using namespace rows;

std::vector<KeyRow> labFileRows()
{
    KeyRow place =
        rare(text("item[].place", "Place", "Column and row in the diagram, where a person moved the item."));
    place.type = KeyType::numbers;
    place.least = place.most = 2;
    KeyRow itemCount = count(
        "item[].count", "Count", 1, 1e6, "How many identical ones there are, in each of what contains them.");
    itemCount.fallback = "1";
    KeyRow linkCount = count("link[].count", "Count", 1, 1e6, "Parallel links between each of the two ends.");
    linkCount.fallback = "1";
    KeyRow linkKind = choice("link[].kind", "Kind", { "network", "storage", "runs on", "replicates" },
        "What the link means: a network, a path to storage, what runs on what, or copies of data.");
    linkKind.fallback = "network";
    KeyRow detected = rare(tables("item[].detected",
        "What a detection found: the item's own keys with at and by; a typed value stands over them."));
    detected.type = KeyType::table;
    KeyRow imported = rare(tables("item[].imported",
        "What was taken from another file or system: the item's own keys with from and at."));
    imported.type = KeyType::table;
    KeyRow linkDetected =
        rare(tables("link[].detected", "What a detection found: the link's own keys with at and by."));
    linkDetected.type = KeyType::table;
    KeyRow linkImported = rare(tables("link[].imported",
        "What was taken from another file or system: the link's own keys with from and at."));
    linkImported.type = KeyType::table;
    KeyRow joinKey = text("table[].rows[].join", "Join", "What stands between the texts of each.");
    joinKey.fallback = "; ";
    return {
        required(choice("kind", "Kind", { "lab" }, "Says that the file describes a lab.")),
        text("title", "Title", "The lab's name in lists and documents."),
        text("description", "Description", "What the lab is for, in a few sentences."),
        tables("item",
            "The things of the lab: what can be bought, counted, installed or carved out of another."),
        tables("link", "What is between two items and is not containment."),
        tables("variant", "Other states of the lab, each as its differences from a base."),
        tables("table", "Tables that a report prints from the lab."),
        required(text("table[].title", "Title", "The table's title in reports.")),
        text("table[].note", "Note", "One sentence below the table."),
        text("table[].variant", "Variant",
            "The id of the variant that the cells come from; empty for the lab as it stands."),
        text("table[].item", "Item", "The id of the item whose keys a name with a dot in front means."),
        texts("table[].columns", "Columns",
            "The headings; the first is that of the labels where rows have labels."),
        texts("table[].variants", "Variants", "The variant of each column after the labels."),
        texts("table[].items", "Items", "The item of each column after the labels."),
        tables("table[].rows", "The rows."),
        text("table[].rows[].label", "Label", "What the row is about."),
        text("table[].rows[].show", "Show", "What the cells say: words, and holes such as {srv.memory}."),
        texts("table[].rows[].cells", "Cells", "The same for each column by itself."),
        text("table[].rows[].see", "See", "The section that the cells refer to, in place of a value."),
        texts("table[].rows[].each", "Each",
            "Items whose texts stand in one cell: ids, ID.below, ID.changed, kind KIND, role ROLE, "
            "variants."),
        text("table[].rows[].rows_of", "Rows of", "A list as in each, with a row for each of its entries."),
        joinKey,
        text("table[].rows[].none", "None", "What an empty list prints as."),

        required(text("item[].id", "Id",
            "Unique in the lab: letters, digits, - and _, parts separated by dots, as in srv1.nic0.")),
        required(choice("item[].kind", "Kind",
            { "site", "machine", "processor", "memory", "adapter", "controller", "enclosure", "drive", "pool",
                "volume", "filesystem", "network", "os", "hypervisor", "software", "cluster", "other" },
            "What the item is; it decides which properties the item has.")),
        text("item[].name", "Name", "The item's name for people; without one its id is shown."),
        text("item[].in", "In", "The id of the item that contains this one."),
        itemCount,
        texts("item[].role", "Roles",
            "What the item does in the test: system under test, generator, directory, domain controller, "
            "DNS, ..."),
        text("item[].vendor", "Vendor", "Who makes it."),
        text("item[].model", "Model", "The maker's name of the model."),
        text("item[].type_number", "Type number", "The maker's type or machine number of the model."),
        rare(text("item[].part_number", "Part number", "The number to order it by.")),
        rare(text("item[].serial", "Serial number", "The serial number of the single piece.")),
        rare(text("item[].firmware", "Firmware", "Version of the firmware.")),
        rare(date("item[].firmware_date", "Firmware date", "Date of the firmware.")),
        rare(text("item[].purpose", "Purpose", "What it is used for in the test.")),
        text("item[].notes", "Notes", "Whatever else a reader should know."),
        place,
        rare(texts("item[].not_disclosed", "Not disclosed", "Keys whose values are known and withheld.")),
        detected,
        rare(date("item[].detected.at", "Detected at", "When the values were detected, in UTC.")),
        rare(text("item[].detected.by", "Detected by",
            "Which reader detected them: one text, or a table with a text for each key.")),
        imported,
        rare(date("item[].imported.at", "Imported at", "When the values were imported.")),
        rare(text("item[].imported.from", "Imported from", "The file or system that the values come from.")),
        tables("item[].changed", "Settings that were changed from their defaults."),
        required(text("item[].changed[].name", "Name", "The setting's name, such as MsgHandleThreshold.")),
        text("item[].changed[].place", "Place",
            "Where it is set: registry path, configuration file, directory attribute, boot parameter, answer "
            "to a wizard."),
        text("item[].changed[].type", "Type", "The setting's type, such as REG_DWORD.",
            { "REG_DWORD", "REG_SZ", "attribute", "boot parameter", "configuration file", "sysctl",
                "wizard answer" }),
        text("item[].changed[].default", "Default", "The value before the change."),
        text("item[].changed[].value", "Value",
            "The value as it is printed; numbers may be written as 10,000 or 0x2710."),
        text("item[].changed[].unit", "Unit", "The unit of the value, where it is not part of it."),
        text("item[].changed[].why", "Why", "The reason, or who recommended it."),

        required(
            text("link[].from", "From", "The id of the item at one end; of a link \"runs on\" what runs.")),
        required(text("link[].to", "To",
            "The id of the item at the other end; of a link \"runs on\" what it runs on.")),
        linkKind,
        linkCount,
        quantity("link[].speed", "Speed", "Mb/s", 0.001, 1e8, "Speed of each of the parallel links."),
        choice("link[].duplex", "Duplex", { "half", "full" }, "Whether both directions work at once."),
        choice("link[].negotiation", "Negotiation", { "auto", "fixed" }, "How speed and duplex are chosen."),
        text("link[].protocol", "Protocol", "What the link speaks.",
            { "Ethernet", "iSCSI", "Fibre Channel", "FCoE", "SAS", "SATA", "NVMe", "NVMe/TCP", "NVMe/RDMA",
                "NFS", "SMB", "InfiniBand", "RoCE" }),
        text("link[].media", "Media", "The medium, such as 100BASE-TX, OM4 fibre or direct attach copper."),
        text("link[].multipath", "Multipath", "The policy over parallel paths, such as round robin."),
        rare(text(
            "link[].initiator", "Initiator", "The initiator of the path to storage, hardware or software.")),
        rare(text("link[].bonding", "Bonding", "How parallel links act as one, such as LACP.")),
        rare(count("link[].vlan", "VLAN", 1, 4094, "The number of the VLAN.")),
        rare(bytes("link[].mtu", "MTU", 1e6, "The largest packet on the link.")),
        rare(duration("link[].latency", "Latency", 3600, "The time of a packet there and back.")),
        rare(quantity("link[].length", "Length", "m", 0.01, 1e8, "Length of the cable or line.")),
        rare(text(
            "link[].encryption", "Encryption", "What encrypts the link, such as TLS 1.3, IPsec or MACsec.")),
        rare(choice("link[].replication", "Replication",
            { "synchronous", "semi-synchronous", "asynchronous", "snapshots" },
            "When a copy follows its source.")),
        rare(duration("link[].interval", "Interval", 31536000,
            "Time between two copies of an asynchronous replication.")),
        rare(text("link[].notes", "Notes", "Whatever else a reader should know.")),

        rare(texts("link[].not_disclosed", "Not disclosed", "Keys whose values are known and withheld.")),
        linkDetected,
        rare(date("link[].detected.at", "Detected at", "When the values were detected, in UTC.")),
        rare(text("link[].detected.by", "Detected by", "Which reader detected them.")),
        linkImported,
        rare(date("link[].imported.at", "Imported at", "When the values were imported.")),
        rare(text("link[].imported.from", "Imported from", "The file or system that the values come from.")),

        required(text("variant[].id", "Id", "Unique among the variants.")),
        text("variant[].title", "Title", "The variant's name in tables and documents."),
        text("variant[].base", "Base",
            "The id of the variant that this one changes; without one, the lab as it stands."),
        tables("variant[].set",
            "Changed values of one item: the key item names it, the others are the item's own keys."),
        required(text("variant[].set[].item", "Item", "The id of the item.")),
        rare(texts("variant[].set[].unset", "Unset",
            "Keys and names of changed settings that the variant does not have.")),
        tables("variant[].add", "An item that only the variant has; its keys are those of an item."),
        tables("variant[].remove",
            "An item that the variant does not have, with all that it contains and its links."),
        required(text("variant[].remove[].item", "Item", "The id of the item.")),
        tables("variant[].link", "A link that only the variant has; its keys are those of a link."),
        tables("variant[].unlink", "A link that the variant does not have."),
        required(text("variant[].unlink[].from", "From", "The id of the item at one end.")),
        required(text("variant[].unlink[].to", "To", "The id of the item at the other end.")),
        choice("variant[].unlink[].kind", "Kind", { "network", "storage", "runs on", "replicates" },
            "Only links of this kind; without it those of all kinds."),
    };
}

} // namespace loadstone::document
