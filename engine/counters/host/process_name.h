// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace loadstone::counters {

/// By what a process is known.
struct ProcessIdentity {
    std::string command; ///< of /proc/PID/stat: its name, cut off after 15 bytes
    std::string program; ///< where /proc/PID/exe leads; empty: it may not be read
    std::string calledAs; ///< its first argument
    std::string unitPath; ///< of systemd's control group: "/system.slice/postfix.service"
};

/// Whether a process is one of those that a plan names:
/// "master" – its name in /proc/PID/comm, or the base name of its program's file;
/// "dovecot/imap" – the end of the path of that file, or of what the process was called as, which everybody may see;
/// "service:postfix" – it belongs to a unit of systemd, or to an instance of it ("postfix@-.service").
bool hasName(const ProcessIdentity& process, std::string_view name);
/// "service:postfix".
bool isServiceName(std::string_view name);
/// Whether this process can only be told by its path from others of the same command.
bool needsFirstArgument(const ProcessIdentity& process, std::string_view name);

/// The path of systemd's control group in /proc/PID/cgroup, in both versions; empty: there is none.
std::string unitPathOf(std::string_view cgroups);

} // namespace loadstone::counters
