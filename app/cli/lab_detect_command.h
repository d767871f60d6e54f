// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace loadstone::cli {

struct LabDetectCommand {
    std::filesystem::path from; ///< a collected text or a copied tree; empty: a running machine
    std::string host; ///< asked over ssh; empty: this machine
    bool allowCommands = false; ///< the user agrees to ssh
    std::filesystem::path collect; ///< write what was collected to this file, and read nothing of it
    bool script = false; ///< print the script that collects, for machines without Loadstone
    std::filesystem::path into; ///< a lab file that takes the values; empty: print a lab
    std::string machine; ///< id of the machine's item; empty: the host's name, or "machine"
    bool json = false;
};
/// `loadstone lab detect`: prints a lab on standard output, what could not be read on standard error.
int detectLabCommand(const LabDetectCommand& command);

} // namespace loadstone::cli
