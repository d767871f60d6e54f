# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What measurements of storage share: file systems on loop devices of their own, and what was measured so far."""
import json
import os
import pathlib
import subprocess
import time

from bench import find_program, skip


def need_loop_devices(*programs):
    """Ends a measurement that cannot have them."""
    if os.geteuid() != 0:
        skip("root, for loop devices")
    for program in ("losetup", "mkfs.ext4", *programs):
        if find_program(program) is None:
            skip(program)


class LoopDevice:
    """A file system on a loop device over a file in `folder`, which is kept and used again. close() unmounts it."""

    def __init__(self, folder, name, megabytes):
        self.image = folder / f"{name}.img"
        self.mount = folder / f"{name}.mnt"
        self.mount.mkdir(exist_ok=True)
        if not self.image.exists():
            # Written, not sparse: the image's own allocation is no part of what is measured.
            subprocess.run(["dd", "if=/dev/zero", f"of={self.image}", "bs=1M", f"count={megabytes}", "conv=fsync", "status=none"],
                           check=True)
            subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", str(self.image)], check=True)
        self.device = subprocess.run(["losetup", "--find", "--show", "--direct-io=on", str(self.image)], check=True,
                                     stdout=subprocess.PIPE, text=True).stdout.strip()
        try:
            subprocess.run(["mount", "-o", "noatime", self.device, str(self.mount)], check=True)
        except subprocess.CalledProcessError:
            subprocess.run(["losetup", "--detach", self.device], check=False)
            raise

    def folder(self, name):
        """A folder on it, made if need be."""
        path = self.mount / name
        path.mkdir(exist_ok=True)
        return path

    def close(self):
        # The kernel takes a ring of a program that has ended apart when it finds the time.
        for _ in range(100):
            if subprocess.run(["umount", str(self.mount)], check=False, stderr=subprocess.DEVNULL).returncode == 0:
                break
            time.sleep(0.1)
        subprocess.run(["losetup", "--detach", self.device], check=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def stats(self):
        """Requests completed and the ms that they took, of reads and of writes; and writes and reads that were merged with others
        to one."""
        name = pathlib.Path(self.device).name
        for line in pathlib.Path("/proc/diskstats").read_text().splitlines():
            cells = line.split()
            if cells[2] == name:
                return int(cells[3]), int(cells[6]), int(cells[7]), int(cells[10]), int(cells[8]), int(cells[4])
        raise SystemExit(f"{name} is not in /proc/diskstats")


def transfers(before, after, durable):
    """I/Os that a program asked for between two stats(). A `durable` write (O_DSYNC) to a device without FUA, as a loop device is,
    the kernel carries out as a write and a flush, and counts both among the writes; the writes may have been merged before."""
    reads, _, writes, _, merged, merged_reads = (b - a for a, b in zip(before, after))
    return reads + merged_reads + ((writes + merged) // 2 if durable else writes + merged)


class Throttle:
    """While it lives, the kernel holds what this process and its children ask of the disk below `folder` to so many transfers a
    second (cgroups, version 1)."""
    ROOT = pathlib.Path("/sys/fs/cgroup/blkio")

    @classmethod
    def available(cls):
        return (cls.ROOT / "blkio.throttle.read_iops_device").exists()

    def __init__(self, folder, rate):
        disk = pathlib.Path(f"/sys/dev/block/{os.major(folder.stat().st_dev)}:{os.minor(folder.stat().st_dev)}").resolve()
        if (disk / "partition").exists():
            disk = disk.parent
        groups = (line.split(":", 2) for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines())
        self.home = self.ROOT / next(path for _, controllers, path in groups if "blkio" in controllers.split(",")).lstrip("/")
        self.group = self.ROOT / f"loadstone-bench-{os.getpid()}"
        self.rule = f"{(disk / 'dev').read_text().strip()} {rate}"

    def __enter__(self):
        self.group.mkdir()
        for side in ("read", "write"):
            (self.group / f"blkio.throttle.{side}_iops_device").write_text(self.rule)
        (self.group / "cgroup.procs").write_text(str(os.getpid()))
        return self

    def __exit__(self, *_):
        (self.home / "cgroup.procs").write_text(str(os.getpid()))
        self.group.rmdir()


class Kept:
    """What was measured so far, by name; on disk after each."""

    def __init__(self, file):
        self.file = file
        self.values = json.loads(file.read_text()) if file.exists() else {}

    def get(self, name, measure):
        if name not in self.values:
            self.values[name] = measure()
            fresh = self.file.with_suffix(".new")
            fresh.write_text(json.dumps(self.values))
            fresh.rename(self.file)
        return self.values[name]
