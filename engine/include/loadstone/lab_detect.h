// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/document.h"
#include "loadstone/lab.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace loadstone {

// Detection has two steps. What is to be read of a machine is collected as one text: on this machine, on another one over ssh, by
// hand with detectionScript(), or from a copied tree of files. readMachine() makes items of such a text, wherever it comes from.

/// What a detection could not read.
struct NotRead {
    std::string what; ///< "SMBIOS"
    std::string why; ///< "needs root"
    std::string remedy; ///< what would help; empty: nothing would
    std::vector<std::string> fields; ///< for people: "serial number of the machine"
    /// "SMBIOS: needs root; 6 fields are empty (vendor of the machine, …); run it as root"
    [[nodiscard]] std::string format() const;
    bool operator==(const NotRead&) const = default;
};

/// A machine as it was found. Every value has the origin `detected`, its reader and the time.
struct Detection {
    static constexpr const char* kMachine = "machine";

    std::string host; ///< the name that the machine has for itself; empty: unknown
    std::string when; ///< "2026-11-23 14:05:00", UTC; empty: unknown
    bool asRoot = false;
    Lab lab; ///< the machine's item has the id kMachine, all others "machine.…"
    std::vector<NotRead> notRead;
};

/// Where the text of a machine comes from.
struct DetectionSource {
    /// A collected text, or a folder with a copied tree (proc, sys, etc, var/lib/dpkg/status). Empty: a running machine.
    std::filesystem::path from;
    std::string host; ///< to ask over ssh; empty: this machine. Needs the agreement detectionAgreement()
    std::vector<std::string> agreed; ///< what the user has agreed to
    Nanoseconds timeLimit = std::chrono::seconds(60);
    std::stop_token stop;
};

/// A collected text has at most so many bytes.
constexpr std::size_t kMostCollected = 4U << 20;

/// The words by which a user agrees to a detection over ssh; empty: it needs no agreement.
std::string detectionAgreement(const DetectionSource& source);
/// The text of a machine, as a file that can be carried elsewhere. Runs /bin/sh with detectionScript(); changes nothing on the
/// machine. Blocks for as long as the commands take. Any thread.
Result<std::string> collectMachine(const DetectionSource& source = {});
/// A POSIX shell script that writes the text of the machine on which it runs to standard output; an argument names the root of a
/// copied tree. Without root it writes less.
const std::string& detectionScript();
/// What a collected text says. Untrusted: a text that is none of these is an Error, a part that cannot be read stands in `notRead`.
/// `name`: for messages. Any thread.
Result<Detection> readMachine(const std::string& collected, const std::string& name);
/// collectMachine(), then readMachine().
Result<Detection> detectLab(const DetectionSource& source = {});

/// The text of a lab file that has the machine alone, under another id.
std::string writeDetection(const Detection& detection, const std::string& machineId);

struct DetectionMerge {
    std::size_t values = 0; ///< that were written beside those of items which the lab has
    std::vector<std::string> added; ///< ids of new items
    std::vector<std::string>
        unmatched; ///< ids of items below the machine that the detection did not find; they stay as they are
};
/// Writes what was found beside what is typed, never over it, as one step of undo. `machineId` is the item of the machine; where the
/// lab has none, it is added. Items below it are matched by id, by device, interface, mount point or product, and where a kind occurs
/// once on both sides, by kind. Values of an earlier detection of the same item are replaced.
Result<DetectionMerge> mergeDetected(
    Document& document, const std::string& machineId, const Detection& detection);

} // namespace loadstone
