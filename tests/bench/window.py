#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the workbench's window costs and how quickly it answers.

A day of 200 counters opened, panned and zoomed; twelve days over each other, panned; a live run with the window on it, the engine at a good part of both cores, and
clicks; then five runs with the window and five without, alternating, and the 95 % interval of their differences. An X server of
its own (Xvfb) and its XTEST extension stand for the user. `--parts` names those that are wanted."""
import math
import os
import pathlib
import signal
import statistics
import subprocess

from bench import Target, arguments, find_program, row, run_plan, shown_run, skip, table, write_plan

STUDENT_95 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}  # by runs
STEPS = ['action = "empty mailbox"', 'action = "send message"\nsize = "10 KB"\nrecipients = 1']


class Screen:
    """An X server without a screen."""

    def __init__(self, number):
        """`number`: 0 for one that is free."""
        program = find_program("Xvfb")
        if not program:
            skip("Xvfb is not installed")
        said, says = os.pipe()
        self.process = subprocess.Popen([program, *([f":{number}"] if number else []), "-displayfd", str(says), "-screen", "0",
                                         "1600x1000x24", "-nolisten", "tcp"], pass_fds=[says], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(says)
        with os.fdopen(said) as line:
            self.name = ":" + line.readline().strip()
        if self.name == ":":
            skip("Xvfb does not start")

    def environment(self, folder):
        """Of a program on it, whose settings begin empty and stay in `folder`."""
        home = folder / "home"
        home.mkdir(mode=0o700, exist_ok=True)
        return dict(os.environ, DISPLAY=self.name, HOME=str(home), XDG_CONFIG_HOME=str(home), XDG_RUNTIME_DIR=str(home),
                    QT_QPA_PLATFORM="xcb", QT_LOGGING_RULES="*.debug=false")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def mix(users, seconds):
    return (f'name = "window"\nclients = 1\nmailboxes_per_client = {users}\nramp_up = "3 s"\nmeasurement = "{seconds} s"\n'
            'ramp_down = "0 s"\nquiet_time = "1 s"')


def open_plan(path, ports, rate, users, seconds, workers):
    """`rate` iterations a second in total, each of which empties a mailbox and sends a message."""
    return write_plan(path, ports=ports, pacing="open", workload=f'rate = "{rate / users}/s"\narrivals = "poisson"',
                      top=f'drain = "70 s"\nworkers = {workers}', steps=STEPS, mixes=[mix(users, seconds)])


def day(options, environment):
    history = options.folder / "day"
    if not (history / "runs").exists():
        subprocess.run([options.bench, "make", str(history), str(options.ticks)], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run([options.bench, "day", str(history)], env=environment, check=False).returncode


def overlay(options, environment):
    """Twelve days over each other."""
    history = options.folder / "days"
    if not (history / "runs").exists():
        subprocess.run([options.overlay, "make", str(history), "12", str(options.ticks)], check=True, stdout=subprocess.DEVNULL)
    print()
    return subprocess.run([options.overlay, "pan", str(history)], env=environment, check=False).returncode


def live(options, environment):
    """The embedded target is a process of its own beside the generator: the two of them are the load on both cores."""
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret")
    length = options.seconds
    plan = open_plan(options.folder / "live.toml", target.ports, options.rate, 400, 60 + 4 * length, 2)
    print()
    done = subprocess.run([options.bench, "live", str(options.folder / "live"), str(plan), str(length)],
                          env=environment, check=False)
    target.stop()
    return done.returncode


def figures(shown):
    """(messages sent a second, p99 of their response times in ms) of a run's only mix."""
    measured = shown["results"]["mixes"][0]
    sending = next(a for a in measured["actions"] if a["name"] == "Send message")
    return measured["measured"]["sentPerSecond"], 1e3 * sending["response"]["p99"]


def with_window(options, environment, plan):
    workbench = str(pathlib.Path(options.program).parent / "loadstone-workbench")
    subprocess.run([workbench, "--plan", str(plan), "--run", "--history", str(options.folder / "history"),
                    "--screenshot", str(options.folder / "window.png")], env=environment, check=True, stdin=subprocess.DEVNULL)


def interval(differences):
    """The 95 % interval of the mean, by Student's t."""
    mean = statistics.mean(differences)
    half = STUDENT_95[len(differences)] * statistics.stdev(differences) / math.sqrt(len(differences))
    return mean - half, mean + half


def alternate(options, environment):
    """Closed pacing: a generator that has less of the processors sends fewer. A server that takes its time, as real ones do."""
    target = Target(options.program, "--smtp-port", "0", "--pop3-port", "0", "--password", "secret",
                    "--service-time", "exponential 5 ms")
    plan = write_plan(options.folder / "pairs.toml", ports=target.ports, pacing="closed", top='drain = "70 s"\nworkers = 1',
                      steps=STEPS, mixes=[mix(100, options.pair_seconds) + '\nthreads_per_client = 40\nthink_time = "60 ms"'])
    print()
    table("pair", "messages/s without / with the window", "p99 of sending, ms", "difference of the rate", "of p99")
    rates, tails = [], []
    for pair in range(options.pairs):
        found = {}
        for window in ((False, True) if pair % 2 == 0 else (True, False)):  # whatever drifts touches both alike
            if window:
                with_window(options, environment, plan)
            else:
                run_plan(options, plan)
            found[window] = figures(shown_run(options))
        rates.append(100 * (found[True][0] / found[False][0] - 1))
        tails.append(100 * (found[True][1] / found[False][1] - 1))
        row(pair + 1, f"{found[False][0]:.1f} / {found[True][0]:.1f}", f"{found[False][1]:.2f} / {found[True][1]:.2f}",
            f"{rates[-1]:+.2f} %", f"{tails[-1]:+.2f} %")
    target.stop()
    good = True
    for name, differences in (("rate", rates), ("p99", tails)):
        low, high = interval(differences)
        good = good and -3 < low and high < 3
        print(f"95 % interval of the difference of {name}: {low:+.2f} % to {high:+.2f} % (limit 3 %)")
    return 0 if good else 1


def main():
    options = arguments(__doc__, bench="", overlay="", parts="day,overlay,live,pairs", ticks=86400, seconds=60, rate=2500.0, pairs=5,
                        pair_seconds=60, screen=0)
    options.bench = options.bench or str(pathlib.Path(options.program).parent / "window_bench")
    options.overlay = options.overlay or str(pathlib.Path(options.program).parent / "overlay_bench")
    signal.signal(signal.SIGTERM, lambda *_: exit(1))  # so that the X server is ended, too
    screen = Screen(options.screen)
    codes = []
    try:
        environment = screen.environment(options.folder)
        parts = {"day": day, "overlay": overlay, "live": live, "pairs": alternate}
        codes = [parts[name](options, environment) for name in options.parts.split(",")]
    finally:
        screen.stop()
    if 77 in codes:
        skip("XTEST")
    raise SystemExit(0 if not any(codes) else 1)


main()
