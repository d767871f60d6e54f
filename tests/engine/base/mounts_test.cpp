// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mounts.h"

#include "support/catch.h"

using namespace loadstone;

TEST_CASE("mounts are read with their escapes resolved, and lines of another form are skipped", "[mounts]")
{
    const auto mounts = mountsIn("36 35 98:0 /data /mnt/my\\040disk rw,noatime master:1 - ext4 /dev/my\\134disk "
                                 "rw,errors=continue\n"
                                 "no line of mountinfo\n"
                                 "37 35 0:21 / /proc ro shared:1 - proc\n" // no source
                                 "\n"
                                 "38 35 0:22 / /net rw - nfs4 server:/\\9\\77 rw");
    REQUIRE(mounts.size() == 2);
    const Mount& disk = mounts[0];
    CHECK(disk.device == "98:0");
    CHECK(disk.root == "/data");
    CHECK(disk.point == "/mnt/my disk");
    CHECK(disk.pointAsWritten == "/mnt/my\\040disk");
    CHECK(disk.type == "ext4");
    CHECK(disk.source == "/dev/my\\disk");
    CHECK(disk.options == std::vector<std::string> { "rw", "noatime", "rw", "errors=continue" });
    CHECK(disk.has("noatime"));
    CHECK_FALSE(disk.has("ro"));
    CHECK(mounts[1].source == "server:/\\9\\77"); // neither is an escape: three octal digits are
}
