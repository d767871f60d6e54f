#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detection in a virtual machine with a kernel of its own (tests/support/guest.sh) that has what this machine may lack: tables of SMBIOS, LVM on two
NVMe drives, an array of mdraid and a device with two paths, each with a mounted file system. There detect.py compares field by field; its exit
code is this script's. --collect FOLDER keeps what detection collects there of each topology alone: the texts of tests/labs/machines. Needs root, QEMU, lvm2, mdadm, dmsetup,
dmidecode, ethtool and pciutils, installed or extracted below --tools (`dpkg-deb -x`); without them the exit code is 77."""
import os
import pathlib
import re
import shlex
import subprocess

from bench import ROOT, arguments, skip

GUEST = str(ROOT / "tests/support/guest.sh")
PORTS = {"SSH_PORT": "25022", "SMTP_PORT": "25025", "POP3_PORT": "25110", "IMAP_PORT": "25143", "EXPORTER_PORT": "25100"}
MODULES = "nvme sd_mod virtio_scsi dm_mod dm_multipath dm_round_robin raid1 ext4"
PROGRAMS = ("lvm", "vgs", "mdadm", "dmsetup", "dmidecode", "ethtool", "lspci")
WWN = "0x5000c50015ea71ac"
SMBIOS = ("type=0,vendor=SeaBIOS,version=1.16.2,date=04/01/2014", "type=1,manufacturer=QEMU,product=Q35,serial=SN-0001",
          "type=17,manufacturer=Maker,part=PART-1,serial=S1,speed=3200,loc_pfx=DIMM")

# The texts that --collect keeps, each of the machine with one of the three topologies alone.
MACHINES = ("lvm-on-nvme", "mdraid", "multipath")
KEPT_PACKAGES = ("dovecot-core", "postfix", "radicale")

# No udev runs in the guest: the device mapper makes its nodes itself. An emulated processor needs seconds for each program.
PREPARE = r"""set -eE
export LVM_SUPPRESS_FD_WARNINGS=1 LVM_SYSTEM_DIR=/run/lvm-settings
mkdir -p $LVM_SYSTEM_DIR /run/lock/lvm /run/lvm /run/store /run/array /run/paths
printf 'activation { udev_sync=0 udev_rules=0 }\ndevices { obtain_device_list_from_udev=0 use_devicesfile=0 }\n' > $LVM_SYSTEM_DIR/lvm.conf
exec 3>&1 4>&2 > /run/prepare.log 2>&1
trap 'tail -n 20 /run/prepare.log >&4' ERR
set -x
[ -z "$TOOLS" ] || tar -C "$TOOLS" -c . | tar -C / -x --keep-directory-symlink
rm -f /.dockerenv # this machine may be a container, whose files the guest sees; the guest is none
"$PROGRAM" lab detect --script > /run/collect.sh # on its own it has no time limit
collect() { [ -z "$COLLECT" ] || sh /run/collect.sh > "/run/$1.txt"; }
make() { mkfs.ext4 -q "$1" && mount -o noatime "$1" "$2"; }

pvcreate /dev/nvme0n1 /dev/nvme1n1
vgcreate mail-vg /dev/nvme0n1 /dev/nvme1n1
for volume in store:200M log-1:100M; do lvcreate -an -Zn -Wn -L ${volume#*:} -n ${volume%:*} mail-vg; done
vgchange -ay mail-vg
make /dev/mapper/mail--vg-store /run/store
collect lvm-on-nvme
[ -z "$COLLECT" ] || { umount /run/store && vgchange -an mail-vg; }

mdadm --create /dev/md0 --level=1 --raid-devices=2 --metadata=1.2 --bitmap=internal --run --assume-clean /dev/sda /dev/sdb
make /dev/md0 /run/array
collect mdraid
[ -z "$COLLECT" ] || { umount /run/array && mdadm --stop /dev/md0; }

paths="round-robin 0 1 1 $(cat /sys/block/sdc/dev) 1000 round-robin 0 1 1 $(cat /sys/block/sdd/dev) 1000"
dmsetup create --noudevrules --noudevsync --uuid mpath-3WWN --table "0 $(cat /sys/block/sdc/size) multipath 0 0 2 1 $paths" mpatha
dmsetup mknodes
make /dev/mapper/mpatha /run/paths
collect multipath
if [ -n "$COLLECT" ]; then
    vgchange -ay mail-vg && mount -o noatime /dev/mapper/mail--vg-store /run/store
    mdadm --assemble --run /dev/md0 /dev/sda /dev/sdb && mount -o noatime /dev/md0 /run/array
fi
sh /run/collect.sh > /run/all.txt
exec >&3 2>&4
set +x
trap - ERR
""".replace("WWN", WWN.removeprefix("0x"))


def cut(text):
    """Without what belongs to this run of the guest and not to the machine, and with few of the packages."""
    text = re.sub(" guest_init=\\S*", "", text)
    return re.sub(r"^ Package: (.*)\n(?: (?!Package:).*\n)*", lambda found: found[0] if found[1] in KEPT_PACKAGES else "", text, flags=re.M)


def main():
    options = arguments(__doc__, tools="", collect="")
    folder = options.folder.absolute()
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    if options.tools:
        path = ":".join(f"{options.tools}{usr}/{part}" for usr in ("", "/usr") for part in ("sbin", "bin")) + ":" + path
    for program in PROGRAMS:
        if not any((pathlib.Path(one) / program).exists() for one in path.split(":")):
            skip(f"{program} is not installed, nor below --tools")
    drives = []
    for name in ("nvme0", "nvme1", "scsi0", "scsi1", "paths"):
        image = folder / f"{name}.img"
        image.write_bytes(b"")
        os.truncate(image, 256 << 20)
        for number in range(2 if name == "paths" else 1):
            drives += ["-drive", f"if=none,id={name}{number},format=raw,file={image}" + (",file.locking=off" if name == "paths" else "")]
            serial = f"serial={name.upper()}"
            drives += ["-device", f"nvme,drive={name}{number},{serial}" if name.startswith("nvme") else
                       f"scsi-hd,bus=scsi{number}.0,drive={name}{number},{serial}" + (f",wwn={WWN},share-rw=on" if name == "paths" else "")]
    controllers = [word for number in range(2) for word in ("-device", f"virtio-scsi-pci,id=scsi{number}")]
    qemu = [word for table in SMBIOS for word in ("-smbios", table)] + controllers + drives
    environment = {**os.environ, **PORTS, "SERVICES": "no", "PROCESSORS": "2", "EXTRA_MODULES": MODULES, "QEMU_OPTIONS": " ".join(qemu),
                   "GUEST_CACHE": os.environ.get("GUEST_CACHE", "/var/cache/loadstone-guest-disks")}
    guest = folder / "guest"

    def call(verb, *words):
        return subprocess.run(["bash", GUEST, verb, *words], env=environment, text=True, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE if verb == "check" else None)

    checked = call("check")
    if checked.returncode == 77:
        skip(checked.stdout.strip())
    try:
        if call("start", str(guest)).returncode != 0:
            raise SystemExit("the guest did not start")
        program = shlex.quote(str(pathlib.Path(options.program).absolute()))
        # An emulated processor takes its time for a handshake: hence one session, and not `run`.
        inside = f"go() {{\nexport PATH=$PATH:/usr/sbin:/sbin PROGRAM={program} TOOLS={shlex.quote(options.tools)}\n" \
            f"COLLECT={shlex.quote(options.collect)}\n{PREPARE}\n" \
            f"python3 {shlex.quote(str(ROOT / 'tests/bench/detect.py'))} --program {program} --folder /run/compare --from /run/all.txt\n}}\ngo < /dev/null\n"
        ssh = ["ssh", "-F", str(guest / "ssh_config"), "-o", "ConnectTimeout=120", "guest"]
        done = subprocess.run([*ssh, "bash -s"], input=inside, text=True, check=False)
        for machine in MACHINES if options.collect else ():
            text = subprocess.run([*ssh, f"cat /run/{machine}.txt"], stdout=subprocess.PIPE, text=True, check=False).stdout
            if text.endswith("\nend\n"):
                (pathlib.Path(options.collect) / f"{machine}.txt").write_text(cut(text))
    finally:
        call("stop", str(guest))
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
