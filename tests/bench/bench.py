# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the measurements of this folder share: starting the program and the embedded target, writing plans."""
import argparse
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments(description, **defaults):
    """The options of every measurement: --program, --folder, and whatever `defaults` name."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/loadstone"))
    parser.add_argument("--folder", help="where plans, logs and recordings go (default: a new temporary folder)")
    for name, value in defaults.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(value), default=value)
    options = parser.parse_args()
    made = None if options.folder else tempfile.mkdtemp(prefix="loadstone-bench-")
    if made:
        os.chmod(made, 0o711)  # servers of other users have their files below
    options.folder = pathlib.Path(options.folder or made)
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def skip(missing):
    """Ends a measurement whose witness cannot be had here. ctest knows the exit code and counts it as skipped."""
    print(f"SKIPPED: {missing}", flush=True)
    raise SystemExit(77)


def find_program(name):
    """Its path, or None. Programs of an administrator are not on everybody's path."""
    return shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")


class Target:
    """`loadstone target` with the given arguments; ports as the ready line says them."""

    def __init__(self, program, *args):
        self.process = subprocess.Popen([program, "target", *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.ports = json.loads(self.process.stdout.readline())

    def stop(self):
        """Ends it in order; its totals."""
        self.process.send_signal(signal.SIGTERM)
        output, _ = self.process.communicate(timeout=30)
        return json.loads(output.splitlines()[-1])


def write_plan(path, *, ports, mixes, steps, pacing="closed", workload="", target="", smtp="", pop3="", imap="", top=""):
    """A plan file against servers on loopback ports; `mixes` and `steps` are lists of TOML bodies."""
    text = f'format = 1\nkind = "mail"\ntitle = "{path.stem}"\nseed = 20011\n{top}\n'
    text += f'[target]\nuser = "u{{n:5}}"\npassword = "secret"\n{target}\n'
    if "smtp" in ports:
        text += f'[target.smtp]\nport = {ports["smtp"]}\n{smtp}\n'
    if "pop3" in ports:
        text += f'[target.pop3]\nport = {ports["pop3"]}\nauth = "user/pass"\n{pop3}\n'
    if "imap" in ports:
        text += f'[target.imap]\nport = {ports["imap"]}\n{imap}\n'
    text += f'[workload]\npacing = "{pacing}"\n{workload}\n'
    for step in steps:
        text += f"[[workload.steps]]\n{step}\n"
    for mix in mixes:
        text += f"[[mixes]]\n{mix}\n"
    path.write_text(text)
    return path


def write_users_plan(path, *, ports, users, clients, rate, seconds, mix="", top=""):
    """Open-paced users of one load thread who empty their mailboxes and send 10 KB to three recipients, each at `rate`
    (a text with its unit). `mix`: more lines of the mix, `top`: of the plan."""
    return write_plan(
        path, ports=ports, pacing="open", workload=f'rate = "{rate}"', top=f'workers = 1\ndrain = "60 s"\n{top}',
        target='source_addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]',
        steps=['action = "empty mailbox"', 'action = "send message"\nsize = "10 KB"\nrecipients = 3'],
        mixes=[f'name = "{users} users"\nclients = {clients}\nmailboxes_per_client = {users // clients}\n'
               f'ramp_up = "10 s"\nmeasurement = "{seconds} s"\nquiet_time = "1 s"\n{mix}'])


def run_plan(options, plan, *extra):
    """Runs a plan to its end. Gives (results as JSON, resource use of the child)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    history = options.folder / "history"
    done = subprocess.run([options.program, "run", str(plan), "--history", str(history), "--json", *extra],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    ends = [event for event in events if event["event"] == "end"]
    if not ends:
        raise SystemExit(f"{plan}: the run gave no results (exit code {done.returncode})")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ends[-1]["results"], cpu


def shown_run(options, run="last"):
    """A run of the history as `show --json` tells it, whatever its verdict: show ends with the exit code that the run has by that.
    Empty when it cannot be shown."""
    done = subprocess.run([options.program, "show", run, "--history", str(options.folder / "history"), "--json"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout) if done.stdout else {}


def watched_run(options, plan):
    """Runs a plan to its end beside a look at its memory every second.
    Gives (results, the run as `show --json` tells it, the kernel's VmHWM in MB)."""
    history = str(options.folder / "history")
    process = subprocess.Popen([options.program, "run", str(plan), "--history", history, "--json"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    peak, results = 0, None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "end":
            results = event["results"]
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        peak = max([peak] + [int(l.split()[1]) for l in status.splitlines() if l.startswith("VmHWM")])
    if process.wait() != 0 and results is None:
        raise SystemExit(f"{plan}: the run gave no results (exit code {process.returncode})")
    return results, shown_run(options), peak / 1024


def timer_slip(shown):
    """The generator's own lateness over a run of watched_run(), as a latency summary in seconds."""
    return next(l for l in shown["latencies"] if l["name"] == "Timer slip")["wholeRun"]


def quantile(values, share):
    """Nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, int(-(-share * len(ordered) // 1)) - 1))]


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def table(*headings):
    row(*headings)
    row(*["---"] * len(headings))
