#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills 1,000 mailboxes with 40 folders of 5 messages on Dovecot, with a kill -9 in the middle, and cleans them.

Witnesses that are not Loadstone's: Dovecot's message files with their tokens, and what IMAP STATUS says to Python's
imaplib. Needs root and the test servers (packaging/setup.sh --with-test-servers); ends with 1 on any miss."""
import imaplib
import json
import os
import subprocess
import sys
import time

from bench import ROOT, arguments, row, skip, table

SCRIPT = str(ROOT / "tests/support/mail_servers.sh")


def message_files(home):
    """Files in which Dovecot keeps messages, as paths."""
    pending = [str(home)]
    while pending:
        folder = pending.pop()
        try:
            entries = list(os.scandir(folder))
        except FileNotFoundError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
            elif entry.name.startswith("u.") and folder.endswith("dbox-Mails"):
                yield entry.path


def tokens(files):
    """The tokens of the initial messages in these files."""
    found = set()
    for file in files:
        with open(file, "rb") as message:
            head = message.read(4096)
        at = head.find(b"X-Loadstone-Initial: ")
        if at >= 0:
            found.add(head[at + 21:head.index(b"\n", at)].strip())
    return found


def status(port, users):
    """Every folder of every mailbox and its number of messages: {(user, folder): messages}. Without the two that Dovecot
    makes by itself, as long as they are empty."""
    found = {}
    for user in range(users):
        with imaplib.IMAP4("127.0.0.1", port) as imap:
            imap.login(f"u{user:05}", "secret")
            for line in imap.list()[1]:
                folder = line.decode().split(' "/" ')[1].strip('"')
                answer = imap.status(f'"{folder}"', "(MESSAGES)")[1][0].decode()
                messages = int(answer.rsplit(" ", 1)[1].rstrip(")"))
                if messages > 0 or folder not in ("Sent", "Trash"):
                    found[user, folder] = messages
    return found


def main():
    options = arguments(__doc__, users=1000, folders=40, messages=5, sessions=32)
    checked = subprocess.run([SCRIPT, "check"], stdout=subprocess.PIPE, text=True, check=False)
    if checked.returncode != 0:
        skip(checked.stdout.strip())
    servers = options.folder / "servers"
    subprocess.run([SCRIPT, "start", str(servers)], check=True, stdout=subprocess.DEVNULL)
    try:
        measure(options, servers)
    finally:
        subprocess.run([SCRIPT, "stop", str(servers)], check=True)


def measure(options, servers):
    port = int(os.environ.get("IMAP_PORT", "21143"))
    plan = options.folder / "init.toml"
    plan.write_text(f'format = 1\nkind = "mail"\ntitle = "Initialisation"\nseed = 20011\n'
                    f'[target]\nuser = "u{{n:5}}"\npassword = "secret"\n[target.smtp]\nport = {os.environ.get("SMTP_PORT", "21025")}\n'
                    f'[target.imap]\nport = {port}\n[workload]\npacing = "users"\nprofile = "medium-5.5"\n'
                    f'[workload.initial]\ninbox = 0\ndeleted_items = 0\nfolders = {options.folders}\n'
                    f'messages_per_folder = {options.messages}\n'
                    f'[[mixes]]\nusers = {options.users}\nmeasurement = "60 s"\nquiet_time = "1 s"\n')
    home = servers / "dovecot" / "home"
    wanted = options.users * options.folders * options.messages
    history = str(options.folder / "history")
    common = [str(plan), "--history", history, "--json", "--sessions", str(options.sessions)]
    misses = []

    def expect(what, found, right):
        if found != right:
            misses.append(f"{what}: {found}, not {right}")

    def totals_of(output):
        end = json.loads(output.splitlines()[-1])
        preparation = end["results"]["preparations"][0]
        return end["exitCode"], preparation["totals"], preparation["end"] - preparation["begin"]

    def run(command, *extra):
        done = subprocess.run([options.program, command, *common, *extra], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=False)
        code, totals, seconds = totals_of(done.stdout)
        expect(f"exit code of {command}", code, 0)
        return totals, seconds

    table("step", "seconds", "messages appended", "there already", "removed", "messages/s", "files of Dovecot's")

    def tell(step, seconds, totals):
        files = sum(1 for _ in message_files(home))
        work = totals["appended"] + totals["removed"]
        row(step, f"{seconds:.1f}", totals["appended"], totals["found"], totals["removed"], f"{work / seconds:.0f}", files)
        return files

    # Killed in the middle: when half of the messages have been reported, or are there.
    process = subprocess.Popen([options.program, "init", *common], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    begin, last = time.monotonic(), None
    for line in process.stdout:
        last = json.loads(line).get("preparation", last)
        if last and last["appended"] >= wanted * 0.4:
            process.kill()
            break
    process.wait(timeout=30)
    expect("signal that ended the first init", process.returncode, -9)
    partly = tell("init, killed", time.monotonic() - begin, last or {"appended": 0, "found": 0, "removed": 0})
    if not 0 < partly < wanted:
        misses.append(f"killed with {partly} of {wanted} messages: not in the middle")

    totals, seconds = run("init")
    tell("init, resumed", seconds, totals)
    expect("appended and there already", totals["appended"] + totals["found"], wanted)
    files = list(message_files(home))
    expect("message files after init", len(files), wanted)
    expect("distinct tokens in them", len(tokens(files)), wanted)
    folders = {"INBOX": 0}  # Dovecot's own Sent and Trash are those for sent and deleted messages
    folders.update({f"Folder {n + 1:03}": options.messages for n in range(options.folders)})
    expect("IMAP STATUS after init", status(port, options.users) == {
        (user, folder): messages for user in range(options.users) for folder, messages in folders.items()}, True)

    totals, seconds = run("init")
    tell("init, nothing to do", seconds, totals)
    expect("appended where all is there", totals["appended"], 0)

    totals, seconds = run("clean", "--yes")
    tell("clean", seconds, totals)
    expect("removed", totals["removed"], wanted)
    expect("message files after clean", sum(1 for _ in message_files(home)), 0)
    expect("IMAP STATUS after clean", status(port, options.users) == {
        (user, "INBOX"): 0 for user in range(options.users)}, True)

    shown = subprocess.run([options.program, "list", "--history", history, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    expect("states in the history", sorted(json.loads(line)["state"] for line in shown.stdout.splitlines()),
           ["finished", "finished", "finished", "interrupted"])
    for miss in misses:
        print("MISS:", miss)
    print("no message doubled or missing, nothing left" if not misses else f"{len(misses)} misses", flush=True)
    sys.exit(1 if misses else 0)


if __name__ == "__main__":
    main()
