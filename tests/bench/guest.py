#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The server under test is another computer: a guest with a kernel of its own (tests/support/guest.sh) with Postfix, Dovecot,
node_exporter and sshd. A criterion on the server's processor decides, read from the exporter and over ssh. Once the server is busy, and once the
generator alone is. The witness is the guest's own /proc/stat at the begin and the end of the measurement. Needs root, QEMU and the test servers;
without them the exit code is 77."""
import os
import pathlib
import stat
import subprocess
import threading
import time

from bench import ROOT, arguments, row, shown_run, skip, table, write_plan

GUEST = str(ROOT / "tests/support/guest.sh")
PORTS = {"SMTP_PORT": 23025, "POP3_PORT": 23110, "IMAP_PORT": 23143, "EXPORTER_PORT": 23100, "SSH_PORT": 23022}
LIMIT = 30  # %, which a busy server is above and an idle one below


class Guest:
    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, **{name: str(port) for name, port in PORTS.items()}}
        checked = self.call("check")
        if checked.returncode == 77:
            skip(checked.stdout.strip())
        started = self.call("start")
        if started.returncode != 0:
            raise SystemExit(started.stderr.strip())

    def call(self, verb, *words):
        return subprocess.run(["bash", GUEST, verb, *([str(self.folder)] if verb != "check" else []), *words], text=True,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def processor(self):
        """Jiffies (busy, all) since the guest's start, as its kernel counts them."""
        words = self.call("run", "head -n 1 /proc/stat").stdout.split()[1:9]
        user, nice, system, idle, iowait, irq, softirq, steal = map(int, words)
        return user + nice + system + irq + softirq + steal, sum(map(int, words))

    def program_path(self):
        """Where `ssh` knows the guest by its name."""
        bin_folder = self.folder / "bin"
        bin_folder.mkdir(exist_ok=True)
        wrapper = bin_folder / "ssh"
        wrapper.write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F "{self.folder}/ssh_config" "$@"\n')
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        return f'{bin_folder}:{os.environ["PATH"]}'


def plan(options, name, source, think, seconds):
    text = f'[criteria]\nprocessor = {{ of = "sut", least = "{LIMIT} %" }}\n[[counters]]\nname = "server"\nrole = "sut"\nevery = "5 s"\n'
    text += f'time_limit = "4500 ms"\n{source}\n'
    path = write_plan(options.folder / f"{name}.toml", ports={"smtp": PORTS["SMTP_PORT"], "pop3": PORTS["POP3_PORT"]}, top="workers = 1",
                      steps=['action = "empty mailbox"', 'action = "send message"\nsize = "4 KB"\nrecipients = 1'],
                      mixes=[f'name = "{name}"\nclients = 1\nthreads_per_client = 1\nmailboxes_per_client = 5\nramp_up = "15 s"\n'
                             f'measurement = "{seconds} s"\nramp_down = "0 s"\nthink_time = "{think}"\nquiet_time = "0 s"'])
    path.write_text(path.read_text() + text)
    return path


def run(options, guest, path):
    """Runs it; (exit code, busy share of the guest's processor over the measurement by the guest itself, the run)."""
    seen = []
    process = subprocess.Popen([options.program, "run", str(path), "--history", str(options.folder / "history"), "--allow-commands"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env={**os.environ, "PATH": guest.program_path()})
    for line in process.stdout:
        if "measurement" in line and "begins" in line or "ramp-down" in line and "begins" in line \
                or "drain" in line and "begins" in line:
            if len(seen) < 2:
                seen.append(guest.processor())
    code = process.wait()
    busy = 100 * (seen[1][0] - seen[0][0]) / (seen[1][1] - seen[0][1]) if len(seen) == 2 else float("nan")
    return code, busy, shown_run(options)


def burn(stop):
    while not stop.is_set():
        sum(range(10000))


def main():
    options = arguments(__doc__, seconds=60)
    guest = Guest(pathlib.Path(options.folder) / "guest")
    try:
        sources = {"exporter": f'openmetrics = "http://127.0.0.1:{PORTS["EXPORTER_PORT"]}/metrics"', "ssh": 'ssh = "guest"'}
        table("case", "source", "processor of the server", "by its own /proc/stat", f"criterion: at least {LIMIT} %", "generator's", "exit code")
        for case, think in (("server busy", "200 ms"), ("server idle, generator busy", "20 s")):
            for kind, source in sources.items():
                name = f"{case}, {kind}".replace(",", "").replace(" ", "-")
                stop = threading.Event()
                burner = threading.Thread(target=burn, args=(stop,))
                if "generator" in case:
                    burner.start()
                path = plan(options, name, source, think, options.seconds)
                code, witness, shown = run(options, guest, path)
                stop.set()
                criterion = next(c for mix in shown["judgement"]["criteria"]["mixes"] for c in mix["criteria"] if c["criterion"] == "processor")
                own = [c["average"] for part in shown["readings"] for computer in part["computers"] if computer["own"]
                       for c in computer["counters"] if c["path"].endswith("\\Processor(_Total)\\% Processor Time")]
                value = "cannot tell" if criterion["value"] is None else f'{criterion["value"]:.1f} %'
                row(case, kind, value, f"{witness:.1f} %", "met" if criterion["met"] else "not met",
                    f"{own[0]:.1f} %" if own else "-", code)
    finally:
        guest.call("stop")


if __name__ == "__main__":
    main()
