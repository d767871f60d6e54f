// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// A line of /proc/self/mountinfo: see proc(5). Escapes such as \040 are resolved but where it says so.
struct Mount {
    std::string device; ///< "253:0", the device's numbers
    std::string root; ///< what of the file system is seen there, "/" as a rule
    std::string point; ///< where it is mounted
    std::string pointAsWritten; ///< the same with its escapes
    std::vector<std::string> options; ///< of the mount, then of the file system, with their escapes
    std::string type; ///< "ext4"
    std::string source; ///< "/dev/sda1"

    bool has(std::string_view option) const;
};

/// The mounts in a text like that of /proc/self/mountinfo, which is not trusted: lines of another form are skipped.
std::vector<Mount> mountsIn(std::string_view mountinfo);

/// Without the escapes of mountinfo: "\040" is a blank.
std::string unescapedMount(std::string_view text);

} // namespace loadstone
