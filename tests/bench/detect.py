#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `loadstone lab detect` says of a machine, field by field, beside what other programs say of it: lscpu, lsblk, /proc/meminfo, ip, ethtool,
dmidecode, findmnt, uname, dpkg-query, and mdadm, lvs, vgs and multipath where the machine has such devices. A field that only one side has is
shown, too: what detection lacks while a witness has it counts as a difference. Ends with 1 when something differs. --program names another
build, --from a text that was collected on this machine a moment ago."""
import json
import os
import pathlib
import re
import subprocess

from bench import arguments, find_program, row, table

UNITS = {"B": 1, **{f"{p}B": 1000 ** (i + 1) for i, p in enumerate("KMGTP")}, **{f"{p}iB": 1024 ** (i + 1) for i, p in enumerate("KMGTP")}}
SKIPPED_BLOCKS = ("loop", "ram", "zram", "sr", "fd", "nbd")


def output(*command):
    """What a program prints; nothing when it is not there or fails."""
    program = find_program(command[0])
    if program is None:
        return ""
    done = subprocess.run([program, *command[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"})
    return done.stdout if done.returncode == 0 else ""


def json_of(*command):
    text = output(*command)
    return json.loads(text) if text.strip() else {}


def plain(text):
    return re.sub(r"\s+", " ", str(text)).strip()


class Comparison:
    def __init__(self, items):
        self.items, self.rows, self.counts = items, [], {}

    def item(self, kind, **wanted):
        """The item of this kind with these texts; an empty one when there is none. Identical pieces are one item, found by the first of them."""
        for one in self.items:
            if one["kind"] == kind and all(one["properties"].get(key, {}).get("text") == text for key, text in wanted.items()):
                return one
        return {"id": f"no {kind} " + " ".join(wanted.values()), "properties": {}, "count": 0}

    def add(self, item, key, witness, by, same=None):
        """`witness` is None where that program does not know it."""
        ours = item["properties"].get(key, {}).get("text")
        if witness in (None, "") and ours is None:
            return
        if witness in (None, ""):
            state = "detected alone"
        elif ours is None:
            state = "NOT DETECTED"
        else:
            state = "same" if (same or self.same_text)(ours, witness) else "DIFFERENT"
        self.rows.append((item["id"], key, ours, witness, by, state))
        self.counts[state] = self.counts.get(state, 0) + 1

    @staticmethod
    def same_text(ours, witness):
        return plain(ours) == plain(witness)

    @staticmethod
    def same_number(ours, witness):
        return int(ours) == int(witness)

    @staticmethod
    def same_size(ours, witness):
        """A text with a unit and at most three decimals stands for all that rounds to it."""
        number, unit = ours.split()
        return abs(float(number) * UNITS[unit] - int(witness)) <= 0.0005 * UNITS[unit] + 1e-6 * UNITS[unit]


def processors(c):
    fields = {one["field"].rstrip(":"): one["data"] for one in flat(json_of("lscpu", "-J").get("lscpu", []))}
    machine, cpu = c.item("machine"), next((one for one in c.items if one["kind"] == "processor"), c.item("processor"))
    sockets, cores = int(fields.get("Socket(s)", 0)), int(fields.get("Core(s) per socket", 0))
    threads = int(fields.get("Thread(s) per core", 0))
    c.add(machine, "processors", sockets, "lscpu", c.same_number)
    c.add(machine, "cores", sockets * cores, "lscpu", c.same_number)
    c.add(machine, "threads", fields.get("CPU(s)"), "lscpu", c.same_number)
    c.add(machine, "numa_nodes", fields.get("NUMA node(s)"), "lscpu", c.same_number)
    c.add(machine, "hyper_threading", "yes" if threads > 1 else "no", "lscpu")
    makers = {"AuthenticAMD": "AMD", "GenuineIntel": "Intel"}
    c.add(cpu, "vendor", makers.get(fields.get("Vendor ID"), fields.get("Vendor ID")), "lscpu")
    c.add(cpu, "model", fields.get("Model name"), "lscpu")
    c.add(cpu, "cores", cores, "lscpu", c.same_number)
    c.add(cpu, "threads", cores * threads, "lscpu", c.same_number)
    c.add(cpu, "architecture", (fields.get("Architecture") or "").replace("_", "-"), "lscpu")
    c.add(cpu, "stepping", "family {}, model {}, stepping {}".format(*(fields.get(key) for key in ("CPU family", "Model", "Stepping"))), "lscpu")
    if fields.get("CPU max MHz"):
        c.add(cpu, "turbo_speed", fields["CPU max MHz"], "lscpu", lambda ours, theirs: abs(float(ours.split()[0]) - float(theirs)) <= 1)
    # Which processors share a cache, as "socket,,L1d,L1i,L2,L3": the sums that lscpu prints are wrong on emulated processors.
    shared = [line.split(",", 2) for line in output("lscpu", "-p=SOCKET,CACHE").splitlines() if not line.startswith("#")]
    for cache in json_of("lscpu", "-B", "-C=NAME,ONE-SIZE", "-J").get("caches", []):
        place = {"L1d": 0, "L1i": 1, "L2": 2, "L3": 3}.get(cache["name"])
        if place is None:
            continue
        key = ("cache_l1_data", "cache_l1_instructions", "cache_l2", "cache_l3")[place]
        # A primary cache is told for each core, a larger one for the socket.
        instances = {one[2].split(",")[place] for one in shared if one[0] == shared[0][0]} if place >= 2 else {0}
        c.add(cpu, key, int(cache["one-size"]) * len(instances), "lscpu -C, -p", c.same_size)
    hypervisor = fields.get("Hypervisor vendor")
    c.add(machine, "virtualisation", hypervisor, "lscpu", lambda ours, theirs: theirs.lower() in ours.lower() or (theirs == "KVM" and "QEMU" in ours))
    told = {name.removeprefix("Vulnerability ").lower().replace(" ", "_"): plain(text) for name, text in fields.items() if name.startswith("Vulnerability")}
    affected = {name: text for name, text in told.items() if text != "Not affected"}

    def same_mitigations(ours, _):
        # lscpu writes ";" in place of ":" and leaves colons out.
        parts = dict(part.split(": ", 1) for part in re.split(r"; (?=[a-z0-9_]+: )", ours)) if ours != "none needed" else {}
        words = lambda text: re.sub(r"[;:,]", "", text)
        return {name: words(text) for name, text in parts.items()} == {name: words(text) for name, text in affected.items()}

    c.add(c.item("os"), "mitigations", "; ".join(f"{name}: {text}" for name, text in sorted(affected.items())) or "none needed", "lscpu", same_mitigations)


def flat(fields):
    for one in fields:
        yield one
        yield from flat(one.get("children", []))


def memory(c):
    total = re.search(r"MemTotal: +(\d+) kB", pathlib.Path("/proc/meminfo").read_text())
    c.add(c.item("machine"), "memory", int(total[1]) * 1024, "/proc/meminfo", c.same_size)
    swap = re.search(r"SwapTotal: +(\d+) kB", pathlib.Path("/proc/meminfo").read_text())
    if int(swap[1]):
        c.add(c.item("os"), "swap", int(swap[1]) * 1024, "/proc/meminfo", c.same_size)


def system(c):
    machine, os_item = c.item("machine"), c.item("os")
    c.add(machine, "host_name", output("uname", "-n").strip(), "uname")
    c.add(os_item, "kernel", output("uname", "-r").strip(), "uname")
    c.add(os_item, "architecture", output("uname", "-m").strip().replace("_", "-"), "uname")
    release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    c.add(os_item, "product", release.get("NAME", "").strip('"'), "os-release")
    c.add(os_item, "version", output("cat", "/etc/debian_version").strip() if release.get("ID") == "debian" else release.get("VERSION_ID", "").strip('"'),
          "debian_version")
    c.add(os_item, "swappiness", output("sysctl", "-n", "vm.swappiness").strip(), "sysctl", c.same_number)


def smbios(c):
    told = {word: output("dmidecode", "-s", word).strip() for word in (
        "system-manufacturer", "system-product-name", "system-serial-number", "bios-version", "bios-release-date")}
    if not any(told.values()):
        print("dmidecode: not installed, or the machine has no SMBIOS\n")
        return
    machine = c.item("machine")
    c.add(machine, "vendor", told["system-manufacturer"], "dmidecode")
    c.add(machine, "model", told["system-product-name"], "dmidecode", lambda ours, theirs: theirs.split(" (")[0] in ours or ours in theirs)
    if told["system-serial-number"] not in ("", "Not Specified"):
        c.add(machine, "serial", told["system-serial-number"], "dmidecode")
    c.add(machine, "bios", told["bios-version"], "dmidecode", lambda ours, theirs: theirs in ours)
    c.add(machine, "bios_date", told["bios-release-date"], "dmidecode")
    modules = [dict(re.findall(r"^\t([^:\n]+): (.*)$", part, re.M)) for part in output("dmidecode", "-t", "17").split("Memory Device")[1:]]
    modules = [one for one in modules if one.get("Size", "").split(" ")[0].isdigit()]
    found = [one for one in c.items if one["kind"] == "memory"]
    count = sum(one["count"] for one in found)
    c.rows.append(("memory modules", "count", count, len(modules), "dmidecode", "same" if count == len(modules) else "DIFFERENT"))
    c.counts[c.rows[-1][-1]] = c.counts.get(c.rows[-1][-1], 0) + 1
    for module in modules:
        item = next((one for one in found if one["properties"].get("slot", {}).get("text") == module.get("Locator")), found[0] if found else c.item("memory"))
        unit = {"MB": "MiB", "GB": "GiB", "kB": "KiB"}
        number, name = module["Size"].split()
        c.add(item, "size", int(number) * UNITS[unit.get(name, name)], "dmidecode -t 17", c.same_size)
        for key, name in (("vendor", "Manufacturer"), ("part_number", "Part Number"), ("serial", "Serial Number"), ("type", "Type")):
            if module.get(name) not in (None, "Not Specified", "Unknown", "RAM"):
                c.add(item, key, module[name], "dmidecode -t 17")
        if module.get("Speed", "Unknown") != "Unknown":
            c.add(item, "speed", module["Speed"], "dmidecode -t 17")


def all_blocks(blocks):
    for one in blocks:
        yield one
        yield from all_blocks(one.get("children", []))


def drives(c):
    columns = "KNAME,NAME,SIZE,TYPE,ROTA,MODEL,VENDOR,REV,SERIAL,WWN,SCHED,RQ-SIZE,LOG-SEC,PHY-SEC,RA,TRAN"
    blocks = list(all_blocks(json_of("lsblk", "-b", "-J", "-o", columns).get("blockdevices", [])))
    below_multipath = {child for dm in pathlib.Path("/sys/block").glob("dm-*") if (dm / "dm/uuid").read_text().startswith("mpath-")
                       for child in (one.name for one in (dm / "slaves").iterdir())}
    for disk in blocks:
        if disk["type"] != "disk" or disk["kname"].startswith(SKIPPED_BLOCKS) or not int(disk["size"]) or disk["kname"] in below_multipath:
            continue
        device = f'/dev/{disk["kname"]}'
        # Identical drives are one item with the devices of all.
        item = next((one for one in c.items if one["kind"] == "drive" and device in one["properties"].get("device", {}).get("text", "").split(", ")),
                    c.item("drive", device=device))
        c.add(item, "size", disk["size"], "lsblk", c.same_size)
        c.add(item, "scheduler", disk["sched"], "lsblk")
        depth = pathlib.Path(f'/sys/block/{disk["kname"]}/device/queue_depth')  # of a SCSI disk its own; lsblk knows the queue of requests alone
        c.add(item, "queue_depth", depth.read_text().strip() if depth.exists() else disk["rq-size"], "sysfs" if depth.exists() else "lsblk", c.same_number)
        c.add(item, "sector_size", disk["log-sec"], "lsblk", c.same_size)
        c.add(item, "physical_sector_size", disk["phy-sec"], "lsblk", c.same_size)
        c.add(item, "read_ahead", int(disk["ra"]) * 1024, "lsblk", c.same_size)
        c.add(item, "model", disk["model"], "lsblk")
        if disk["vendor"] and not disk["vendor"].startswith("0x") and disk["vendor"].strip() != "ATA":
            c.add(item, "vendor", disk["vendor"], "lsblk")
        c.add(item, "firmware", disk["rev"], "lsblk")
        if item["count"] == 1:
            serial = disk["serial"] or (pathlib.Path(f'/sys/block/{disk["kname"]}/serial').read_text().strip()
                                        if pathlib.Path(f'/sys/block/{disk["kname"]}/serial').exists() else None)
            c.add(item, "serial", serial, "lsblk" if disk["serial"] else "sysfs")
            c.add(item, "world_wide_name", disk["wwn"], "lsblk", lambda ours, theirs: theirs.lower().removeprefix("0x") in ours.lower().replace(".", ""))
        if disk["tran"]:
            c.add(item, "interface", disk["tran"], "lsblk", lambda ours, theirs: theirs.lower().replace("fc", "fibre channel") in ours.lower())
    arrays(c, blocks)


def arrays(c, blocks):
    for md in {one["kname"] for one in blocks if one["kname"].startswith("md") and one["type"].startswith("raid")}:
        told = dict(re.findall(r"^ *([A-Za-z ]+) : (.*)$", output("mdadm", "--detail", f"/dev/{md}"), re.M))
        item = c.item("pool", device=f"/dev/{md}")
        c.add(item, "raid", told.get("Raid Level", "").replace("raid", "RAID "), "mdadm")
        c.add(item, "drives", told.get("Raid Devices"), "mdadm", c.same_number)
        c.add(item, "state", told.get("State", "").strip(), "mdadm", lambda ours, theirs: ours.split(",")[0] in theirs or "active" in ours)
        c.add(item, "usable_size", next(one["size"] for one in blocks if one["kname"] == md), "lsblk", c.same_size)
    for group in json_of("vgs", "--reportformat", "json", "--units", "b", "--nosuffix").get("report", [{}])[0].get("vg", []):
        item = next((one for one in c.items if one["kind"] == "pool" and one["name"] == group["vg_name"]), c.item("pool"))
        c.add(item, "drives", group["pv_count"], "vgs", c.same_number)
    for volume in json_of("lvs", "--reportformat", "json", "--units", "b", "--nosuffix").get("report", [{}])[0].get("lv", []):
        item = next((one for one in c.items if one["kind"] == "volume" and one["name"] == volume["lv_name"]), c.item("volume"))
        c.add(item, "size", volume["lv_size"], "lvs", c.same_size)
    for line in output("dmsetup", "table", "--target", "multipath").splitlines():
        name = line.partition(":")[0]
        item = next((one for one in c.items if one["kind"] == "volume" and one["name"] == name), c.item("volume"))
        paths = len(re.findall(r"\b\d+:\d+\b", line.partition(":")[2]))
        c.add(item, "paths", paths, "dmsetup", c.same_number)


def adapters(c):
    for link in json_of("ip", "-j", "-d", "link", "show") or []:
        name = link["ifname"]
        if not pathlib.Path(f"/sys/class/net/{name}/device").exists():
            continue
        item = c.item("adapter", interface=name)
        c.add(item, "hardware_address", link.get("address"), "ip")
        c.add(item, "mtu", link.get("mtu"), "ip", c.same_size)
        c.add(item, "queues", link.get("num_rx_queues"), "ip", c.same_number)
        state = dict(re.findall(r"^\s*([A-Za-z -]+): (.*)$", output("ethtool", name), re.M))
        speed = re.match(r"(\d+)Mb/s", state.get("Speed", ""))
        if speed:
            c.add(item, "negotiated_speed", f"{speed[1]} Mb/s", "ethtool")
            c.add(item, "duplex", state.get("Duplex", "").lower(), "ethtool")
        driver = dict(re.findall(r"^([a-z-]+): (.*)$", output("ethtool", "-i", name), re.M))
        module = pathlib.Path(f"/sys/class/net/{name}/device/driver").resolve().name
        c.add(item, "driver", driver.get("driver", module), "ethtool" if driver else "sysfs")
        c.add(item, "firmware", driver.get("firmware-version"), "ethtool")


def file_systems(c):
    seen = set()
    for one in json_of("findmnt", "-J", "-b", "-l", "--real", "-o", "TARGET,SOURCE,FSTYPE,OPTIONS,SIZE,USED,MAJ:MIN").get("filesystems", []):
        source = one["source"].partition("[")[0]  # a folder of it, which is mounted elsewhere again, stands in brackets
        if not source.startswith("/dev/") or one["fstype"] in ("squashfs", "iso9660") or source in seen:
            continue
        seen.add(source)
        item = c.item("filesystem", mount=one["target"])
        c.add(item, "type", one["fstype"], "findmnt")
        c.add(item, "source", source, "findmnt")
        c.add(item, "options", one["options"], "findmnt", lambda ours, theirs: set(json.loads(ours) if ours.startswith("[") else ours.split(", ")) == set(theirs.split(",")))
        c.add(item, "size", one["size"], "findmnt", c.same_size)
        # It changes between the two readings.
        c.add(item, "used_size", one["used"], "findmnt", lambda ours, theirs: abs(float(ours.split()[0]) * UNITS[ours.split()[1]] - int(theirs)) < 2e9)


def software(c):
    for item in c.items:
        package = item["properties"].get("package", {}).get("text")
        if item["kind"] == "software" and package:
            c.add(item, "package_version", output("dpkg-query", "-W", "-f", "${Version}", package), "dpkg-query")
    for program, product, command in (("postconf", "Postfix", ("postconf", "-dh", "mail_version")), ("dovecot", "Dovecot", ("dovecot", "--version"))):
        item = c.item("software", product=product)
        if find_program(program):
            c.add(item, "version", output(*command).split(" ")[0].strip(), program)


def main():
    options = arguments(__doc__, **{"from": ""})
    collected = ["--from", getattr(options, "from")] if getattr(options, "from") else []
    found = subprocess.run([options.program, "lab", "detect", "--json", *collected], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    detection = json.loads(found.stdout)
    comparison = Comparison(detection["items"])
    for part in (processors, memory, system, smbios, drives, adapters, file_systems, software):
        part(comparison)
    table("item", "field", "detected", "witness", "by", "")
    for item, key, ours, witness, by, state in comparison.rows:
        row(item, key, "-" if ours is None else plain(ours)[:70], "-" if witness in (None, "") else plain(witness)[:70], by, state)
    print(f'\n{len(comparison.rows)} fields: ' + ", ".join(f"{count} {state}" for state, count in sorted(comparison.counts.items())))
    print("Not read: " + ("; ".join(f'{one["what"]} ({one["why"]})' for one in detection["not_read"]) or "nothing"))
    if comparison.counts.get("DIFFERENT") or comparison.counts.get("NOT DETECTED"):
        raise SystemExit("what is detected and what others say differs")


if __name__ == "__main__":
    main()
