// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/password_source.h"

#include <loadstone/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace loadstone::plan {

/// What a computer does in a run.
enum class ComputerRole : std::uint8_t { none, sut, generator, directory };

/// What is read of a Linux machine beside the counters of the whole machine.
struct HostCounters {
    std::vector<std::string> processes; ///< by name ("dovecot/imap", "master") or service ("service:postfix")
    std::vector<std::string> controlGroups; ///< paths below the root of the cgroup file system
    std::string postfixQueue; ///< the folder of its queues: "/var/spool/postfix"; empty: not read
    /// Role of a volume ("IS Database"), and the disks that it is made of.
    std::vector<std::pair<std::string, std::vector<std::string>>> volumes;
    /// Processor time is that of these processors alone; empty: all.
    std::vector<std::uint32_t> processors;
    bool operator==(const HostCounters&) const = default;
};

/// `host = true`: the machine that runs Loadstone.
struct LocalHostSource {
    HostCounters reads;
    bool operator==(const LocalHostSource&) const = default;
};

/// `ssh = "HOST"`: another Linux machine, over one session of ssh, which takes keys, users and known hosts from its own files.
struct SshSource {
    std::string destination; ///< "ex1", "bench@ex1"; never begins with "-"
    HostCounters reads;
    bool operator==(const SshSource&) const = default;
};

/// `openmetrics = "URL"`: the text format of Prometheus and OpenMetrics over HTTP or HTTPS.
struct OpenMetricsSource {
    std::string url;
    std::string user; ///< of basic authentication; empty: none
    std::optional<PasswordSource> password; ///< of basic authentication
    std::optional<PasswordSource> token; ///< bearer
    std::string caFile; ///< PEM file of the authorities to trust; empty: those of the system
    bool verifyCertificate = true;
    /// Beside the metrics that have a quantity: names with or without labels, `node_load1`, `up{job="x"}`; `*` is any text in a name.
    std::vector<std::string> metrics;
    std::vector<std::uint32_t> processors; ///< as HostCounters::processors, by the label `cpu`
    std::vector<std::pair<std::string, std::vector<std::string>>> volumes; ///< as HostCounters::volumes, by the label `device` or `volume`
    bool operator==(const OpenMetricsSource&) const = default;
};

/// `command = "TEXT"`: what a shell command prints.
struct CommandSource {
    /// lines: "NAME VALUE", one counter a line.
    enum class Format : std::uint8_t { openMetrics, lines };
    struct Value {
        std::string name;
        std::string unit; ///< "messages", "%", "bytes/s"; empty: a bare number
        bool rises = false; ///< it is a total that only rises, and what counts is its rate
        bool operator==(const Value&) const = default;
    };
    std::string command; ///< for /bin/sh -c
    Format format = Format::lines;
    std::vector<Value> values; ///< lines: what is taken; empty: every line, as bare numbers
    std::vector<std::string> metrics; ///< openMetrics: as OpenMetricsSource::metrics
    /// lines: the value of a counter whose line is missing; none: it is missing. A total that a line stated before stays missing.
    std::optional<double> missingLine;
    bool operator==(const CommandSource&) const = default;
};

/// One `[[counters]]` of a plan: where counters of a computer come from, beside those that every run has of its own machine.
struct CounterSourceSpec {
    std::string name; ///< of the computer, as criteria, tables and charts call it; unique within the plan
    ComputerRole role = ComputerRole::none;
    Nanoseconds every = std::chrono::seconds(5); ///< 1 s to 1 h
    Nanoseconds timeLimit = std::chrono::seconds(4); ///< of one reading, shorter than `every`
    std::variant<LocalHostSource, SshSource, OpenMetricsSource, CommandSource> from;
    int line = 0; ///< in the plan file
    std::string item {}; ///< id of the lab's item that the computer is; empty: not said
    bool operator==(const CounterSourceSpec&) const = default;
};

/// The words by which a user agrees to what a source does on this machine: the command, or the destination of ssh, or the file that is
/// read outside the plan's folder. Empty: it needs no agreement.
std::string agreementText(const CounterSourceSpec& source);

const char* toString(ComputerRole role); ///< "sut", "generator", "directory"; "" for none

} // namespace loadstone::plan
