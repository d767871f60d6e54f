// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"

namespace loadstone::document {

using namespace rows;

namespace {

std::vector<KeyRow> siteAndMachineRows()
{
    return {
        text("item[site].address", "Address", "City and building."),
        text("item[site].room", "Room", "Room or data hall."),
        text("item[site].rack", "Rack", "Rack and unit."),
        rare(quantity("item[site].power", "Power", "W", 1, 1e9, "Power that the site provides for the lab.")),
        rare(quantity(
            "item[site].temperature", "Temperature", "C", -50, 80, "Temperature of the air at the inlets.")),

        text("item[machine].form", "Form", "What the machine is, by its case or its kind.",
            { "rack", "tower", "blade", "desktop", "virtual machine", "container", "cloud instance" }),
        rare(quantity("item[machine].height", "Height", "U", 0.5, 60, "Height in the rack.")),
        text("item[machine].bios", "BIOS", "Vendor and version of the BIOS or UEFI firmware."),
        date("item[machine].bios_date", "BIOS date", "Date of the BIOS."),
        rare(choice("item[machine].boot_mode", "Boot mode", { "BIOS", "UEFI" }, "How the machine starts.")),
        rare(flag("item[machine].secure_boot", "Secure boot", "Whether only signed systems start.")),
        rare(text("item[machine].board", "Board", "Vendor, model and version of the main board.")),
        rare(text("item[machine].chipset", "Chipset", "The chipset of the main board.")),
        rare(text("item[machine].management", "Management",
            "Management processor and its firmware, such as iDRAC or iLO.")),
        text("item[machine].expansion_bus", "Expansion bus",
            "Kind of the expansion bus, such as 64-bit/33 MHz PCI or PCIe 4.0."),
        rare(quantity("item[machine].bus_width", "Bus width", "bit", 1, 1024, "Width of the expansion bus.")),
        rare(quantity("item[machine].bus_clock", "Bus clock", "MHz", 1, 1e5, "Clock of the expansion bus.")),
        count("item[machine].sockets", "Sockets", 1, 1024,
            "Sockets for processors, or those of a virtual machine."),
        count("item[machine].processors", "Processors", 1, 1024,
            "Installed processors; described one by one as items of the kind processor."),
        count("item[machine].cores", "Cores", 1, 65536, "Cores of all processors together."),
        count("item[machine].threads", "Threads", 1, 65536, "Hardware threads of all processors together."),
        count(
            "item[machine].numa_nodes", "NUMA nodes", 1, 4096, "NUMA nodes that the operating system sees."),
        flag("item[machine].hyper_threading", "Hyper-Threading",
            "Whether several threads of a core (Hyper-Threading, SMT) are in use."),
        bytes("item[machine].memory", "Memory", 4096 * kTebibyte, "Main memory in total."),
        text("item[machine].memory_type", "Memory type", "Kind of the memory, such as DDR-2 400 ECC SDRAM."),
        rare(count("item[machine].memory_slots", "Memory slots", 1, 4096,
            "Slots for memory modules, the empty ones included.")),
        rare(count("item[machine].memory_channels", "Memory channels", 1, 256, "Channels to memory in use.")),
        rare(text("item[machine].memory_mode", "Memory mode",
            "How modules act together: independent, mirrored, spare, interleaved.")),
        text("item[machine].power_profile", "Power profile",
            "The profile of the BIOS, such as maximum performance."),
        rare(count("item[machine].power_supplies", "Power supplies", 1, 64, "Installed power supplies.")),
        rare(quantity("item[machine].power", "Power", "W", 1, 1e6, "Rated power of all supplies together.")),
        rare(flag("item[machine].ups", "UPS", "Whether an uninterruptible supply feeds the machine.")),
        text("item[machine].host_name", "Host name", "The name by which other machines reach it."),
        rare(texts("item[machine].addresses", "Addresses", "Its network addresses.")),
        rare(text(
            "item[machine].time_source", "Time source", "What keeps its clock right, such as NTP or PTP.")),
        count(
            "item[machine].processes", "Processes", 1, 1e6, "Processes that generate load on each machine."),
        count("item[machine].users", "Users", 1, 1e9, "Users that each machine simulates or serves."),
        count("item[machine].users_per_process", "Users per process", 1, 1e9,
            "Users that each process simulates."),
        rare(text("item[machine].mailboxes_of", "Mailboxes of",
            "Which mailboxes its users have, such as the store or the range of numbers.")),

        text("item[machine].virtualisation", "Virtualisation",
            "What the machine runs under, as it sees it itself, such as KVM or VMware."),
        count("item[machine].vcpus", "vCPUs", 1, 65536, "Virtual processors of a virtual machine."),
        rare(quantity("item[machine].cpu_reservation", "CPU reservation", "MHz", 1, 1e8,
            "Processor clock that the hypervisor keeps for the machine.")),
        rare(quantity("item[machine].cpu_limit", "CPU limit", "MHz", 1, 1e8,
            "Processor clock that the machine may use at most.")),
        rare(count("item[machine].cpu_shares", "CPU shares", 0, 1e9,
            "Weight of the machine against others on the same host.")),
        rare(bytes("item[machine].memory_reservation", "Memory reservation", 4096 * kTebibyte,
            "Memory that the hypervisor keeps for the machine.")),
        rare(bytes("item[machine].memory_limit", "Memory limit", 4096 * kTebibyte,
            "Memory of the host that the machine may use at most.")),
        rare(flag(
            "item[machine].ballooning", "Ballooning", "Whether the hypervisor takes unused memory back.")),
        rare(text(
            "item[machine].cpu_pinning", "CPU pinning", "Which processors of the host the vCPUs run on.")),
        rare(text("item[machine].cpu_model", "CPU model", "The processor model that the machine sees.")),
        rare(text("item[machine].virtual_hardware", "Virtual hardware",
            "Version or type of the virtual hardware.")),
        rare(text("item[machine].instance_type", "Instance type", "Type of a rented instance.")),
    };
}

std::vector<KeyRow> processorAndMemoryRows()
{
    return {
        quantity("item[processor].speed", "Speed", "MHz", 0.1, 1e5, "Nominal clock."),
        rare(quantity("item[processor].turbo_speed", "Turbo speed", "MHz", 0.1, 1e5, "Highest clock.")),
        rare(flag("item[processor].turbo", "Turbo", "Whether the clock may rise above the nominal one.")),
        count("item[processor].cores", "Cores", 1, 4096, "Cores of each processor."),
        count("item[processor].threads", "Threads", 1, 16384, "Hardware threads of each processor."),
        flag("item[processor].hyper_threading", "Hyper-Threading",
            "Whether several threads of a core (Hyper-Threading, SMT) are in use."),
        text("item[processor].architecture", "Architecture", "Instruction set.",
            { "x86", "x86-64", "ARM64", "POWER", "RISC-V", "SPARC", "Alpha", "IA-64" }),
        rare(quantity("item[processor].width", "Width", "bit", 8, 256, "Width of an address.")),
        text("item[processor].cache_l1", "Primary cache",
            "Primary cache as it is printed, such as 32 KB (16 KB I + 16 KB D)."),
        rare(bytes("item[processor].cache_l1_instructions", "L1 instruction cache", kTebibyte,
            "Primary cache for instructions, of each core.")),
        rare(bytes("item[processor].cache_l1_data", "L1 data cache", kTebibyte,
            "Primary cache for data, of each core.")),
        bytes("item[processor].cache_l2", "L2 cache", kTebibyte,
            "Secondary cache: in total, or of each core where that is what the maker prints."),
        bytes("item[processor].cache_l3", "L3 cache", kTebibyte, "Third cache of each processor."),
        text("item[processor].cache_other", "Other cache", "Further caches; none when there are none."),
        rare(quantity(
            "item[processor].bus_speed", "Bus speed", "MHz", 1, 1e5, "Clock of the front side bus.")),
        rare(text("item[processor].interconnect", "Interconnect",
            "Links between processors, such as 2 x UPI 10.4 GT/s.")),
        rare(text("item[processor].stepping", "Stepping", "Family, model and stepping.")),
        rare(text("item[processor].microcode", "Microcode", "Revision of the microcode.")),
        rare(count("item[processor].numa_nodes", "NUMA nodes", 1, 64, "NUMA nodes of each processor.")),
        rare(text("item[processor].numa_mode", "NUMA mode",
            "How the processor is divided, such as NPS1 or SNC off.")),
        rare(quantity("item[processor].tdp", "TDP", "W", 0.1, 1e5, "Thermal design power.")),
        rare(text("item[processor].c_states", "C-states", "Which sleep states are allowed.")),
        rare(texts("item[processor].features", "Features",
            "Instruction sets and features that matter for the test.")),
        rare(text("item[processor].socket", "Socket", "Which socket it sits in, or the socket's type.")),

        bytes("item[memory].size", "Size", kTebibyte, "Size of each module."),
        text("item[memory].type", "Type", "Kind of the module.",
            { "SDRAM", "DDR", "DDR2", "DDR3", "DDR4", "DDR5", "HBM", "NVDIMM" }),
        quantity("item[memory].speed", "Speed", "MT/s", 1, 1e6, "Rated speed of the module."),
        rare(quantity(
            "item[memory].configured_speed", "Configured speed", "MT/s", 1, 1e6, "Speed at which it runs.")),
        flag("item[memory].ecc", "ECC", "Whether errors are corrected."),
        text("item[memory].form", "Form", "Form of the module.",
            { "DIMM", "RDIMM", "LRDIMM", "UDIMM", "SO-DIMM", "FB-DIMM", "soldered" }),
        rare(text("item[memory].rank", "Rank", "Ranks and width, such as 2Rx4.")),
        rare(text("item[memory].slot", "Slot", "Where it sits.")),
        rare(
            flag("item[memory].persistent", "Persistent", "Whether the content survives the loss of power.")),
        rare(count("item[memory].numa_node", "NUMA node", 0, 4095, "The node that it belongs to.")),
    };
}

std::vector<KeyRow> adapterAndNetworkRows()
{
    return {
        text("item[adapter].type", "Type", "What it connects to.",
            { "network", "Fibre Channel", "iSCSI", "SAS", "converged", "InfiniBand", "virtual" }),
        count("item[adapter].ports", "Ports", 1, 1024, "Ports of each adapter."),
        quantity("item[adapter].speed", "Speed", "Mb/s", 0.001, 1e8, "Highest speed of each port."),
        quantity("item[adapter].negotiated_speed", "Negotiated speed", "Mb/s", 0.001, 1e8,
            "Speed at which each port runs."),
        choice("item[adapter].duplex", "Duplex", { "half", "full" }, "Whether both directions work at once."),
        choice("item[adapter].negotiation", "Negotiation", { "auto", "fixed" },
            "How speed and duplex are chosen."),
        text("item[adapter].bus", "Bus", "The bus that it sits on, such as 64-bit PCI or PCIe 4.0 x16."),
        rare(quantity("item[adapter].bus_width", "Bus width", "bit", 1, 1024, "Width of its bus.")),
        rare(quantity("item[adapter].bus_clock", "Bus clock", "MHz", 1, 1e5, "Clock of its bus.")),
        rare(quantity("item[adapter].lanes", "Lanes", "x", 1, 64, "Lanes of PCI Express in use.")),
        rare(
            text("item[adapter].slot", "Slot", "Where it sits; on board when it is part of the main board.")),
        text("item[adapter].driver", "Driver", "Name of its driver."),
        text("item[adapter].driver_version", "Driver version", "Version of its driver."),
        rare(text("item[adapter].interface", "Interface", "Its name in the operating system, such as eth0.")),
        rare(text("item[adapter].hardware_address", "Hardware address", "MAC address or world wide name.")),
        rare(texts("item[adapter].addresses", "Addresses", "Its network addresses.")),
        bytes("item[adapter].mtu", "MTU", 1e6, "The largest packet that it sends."),
        texts("item[adapter].offload", "Offload",
            "What the adapter does in place of the processor: TSO, GRO, checksums, RDMA, ..."),
        rare(count("item[adapter].queues", "Queues", 1, 65536, "Queues of each direction.")),
        rare(count("item[adapter].receive_ring", "Receive ring", 1, 1e6, "Entries of each receive queue.")),
        rare(
            count("item[adapter].transmit_ring", "Transmit ring", 1, 1e6, "Entries of each transmit queue.")),
        rare(text(
            "item[adapter].interrupt_moderation", "Interrupt moderation", "How interrupts are held back.")),
        rare(text("item[adapter].bonding", "Bonding", "How several ports act as one, such as LACP.")),
        rare(count("item[adapter].numa_node", "NUMA node", 0, 4095, "The node that it belongs to.")),
        rare(flag("item[adapter].sr_iov", "SR-IOV",
            "Whether virtual machines have functions of the adapter of their own.")),
        rare(count("item[adapter].queue_depth", "Queue depth", 1, 65536,
            "Commands that it keeps under way for each target.")),

        text("item[network].type", "Type", "What the network is for.",
            { "LAN", "SAN", "storage", "management", "VLAN", "virtual switch", "Fibre Channel hub",
                "internet" }),
        text("item[network].media", "Media", "The medium, such as 100BASE-TX or 25GBASE-SR."),
        quantity("item[network].speed", "Speed", "Mb/s", 0.001, 1e8, "Speed of its ports in use."),
        choice("item[network].duplex", "Duplex", { "half", "full" }, "Whether both directions work at once."),
        choice("item[network].negotiation", "Negotiation", { "auto", "fixed" },
            "How speed and duplex are chosen."),
        count("item[network].switches", "Switches", 0, 1e6,
            "Switches or hubs that the network is made of, for one item that stands for all."),
        count("item[network].ports", "Ports", 1, 1e6, "Ports of each switch or hub."),
        quantity("item[network].port_speed", "Port speed", "Mb/s", 0.001, 1e8, "Highest speed of each port."),
        count("item[network].layer", "Layer", 1, 7, "The layer at which the switches work."),
        text("item[network].mode", "Mode", "How the switches are configured."),
        count("item[network].segments", "Segments", 1, 1e6, "Segments of the network."),
        count("item[network].stations", "Stations", 1, 1e9, "Machines on each segment."),
        rare(quantity("item[network].uplink", "Uplink", "Mb/s", 0.001, 1e9, "Speed between the switches.")),
        rare(count("item[network].vlan", "VLAN", 1, 4094, "The number of the VLAN.")),
        rare(text("item[network].subnet", "Subnet", "Its range of addresses.")),
        rare(bytes("item[network].mtu", "MTU", 1e6, "The largest packet on the network.")),
        rare(text("item[network].flow_control", "Flow control",
            "How senders are held back, such as pause frames or PFC.")),
        rare(duration("item[network].latency", "Latency", 3600, "The time of a packet there and back.")),
        rare(percent("item[network].loss", "Loss",
            "Share of the packets that are lost, where a network is simulated.")),
        rare(bytes("item[network].buffer", "Buffer", kTebibyte, "Packet buffer of each switch.")),
        rare(flag("item[network].shared", "Shared",
            "Whether machines outside the lab use the network during the test.")),
    };
}

} // namespace

std::vector<KeyRow> labMachineRows()
{
    std::vector<KeyRow> all;
    for (auto part : { siteAndMachineRows, processorAndMemoryRows, adapterAndNetworkRows })
        for (KeyRow& row : part())
            all.push_back(row);
    return all;
}

} // namespace loadstone::document
