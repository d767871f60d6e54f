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
        """Requests completed and the ms that they took, of reads and of writes; and writes that were merged with others to one."""
        name = pathlib.Path(self.device).name
        for line in pathlib.Path("/proc/diskstats").read_text().splitlines():
            cells = line.split()
            if cells[2] == name:
                return int(cells[3]), int(cells[6]), int(cells[7]), int(cells[10]), int(cells[8])
        raise SystemExit(f"{name} is not in /proc/diskstats")


def transfers(before, after, durable):
    """I/Os that a program asked for between two stats(). A `durable` write (O_DSYNC) to a device without FUA, as a loop device is,
    the kernel carries out as a write and a flush, and counts both among the writes; the writes may have been merged before."""
    reads, _, writes, _, merged = (b - a for a, b in zip(before, after))
    return reads + ((writes + merged) // 2 if durable else writes)


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
