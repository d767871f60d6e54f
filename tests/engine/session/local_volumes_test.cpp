// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/volumes.h>

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

using namespace loadstone;

namespace {

/// A line of mountinfo for a folder of this machine.
std::string line(const std::filesystem::path& mount, const std::string& options, const std::string& rest)
{
    return "29 1 8:2 / " + mount.string() + " " + options + " shared:1 - " + rest + "\n";
}

} // namespace

TEST_CASE("the volumes of this machine have sizes, and those that cannot be used say why")
{
    const auto volumes = localVolumes();
    REQUIRE(volumes);
    REQUIRE_FALSE(volumes->empty());
    for (const LocalVolume& volume : *volumes) {
        INFO(volume.mount);
        CHECK(volume.size > 0);
        CHECK(volume.free <= volume.size);
        CHECK(volume.filesystem != "proc");
        if (volume.refusal.empty()) {
            CHECK_FALSE(volume.folder.empty());
            CHECK(std::filesystem::is_directory(volume.folder));
        }
    }
    CHECK(std::ranges::is_sorted(*volumes, {}, &LocalVolume::mount));
}

TEST_CASE("volumes are read from a text as the kernel writes it")
{
    const test::ScratchFolder folder;
    const auto plain = volumesIn(line(folder.path(), "rw,relatime", "ext4 /dev/sdz1 rw"));
    REQUIRE(plain.size() == 1);
    CHECK(plain[0].mount == folder.path());
    CHECK(plain[0].filesystem == "ext4");
    const auto readOnly = volumesIn(line(folder.path(), "ro,relatime", "ext4 /dev/sdz1 ro"));
    REQUIRE(readOnly.size() == 1);
    CHECK(readOnly[0].refusal == "is mounted read-only");
    CHECK(volumesIn(line(folder.path(), "rw", "squashfs /dev/loop1 rw")).at(0).refusal
        == "is mounted read-only");
    // Mounted twice: once.
    CHECK(volumesIn(
              line(folder.path(), "rw", "ext4 /dev/sdz1 rw") + line(folder.path(), "rw", "ext4 /dev/sdz1 rw"))
              .size()
        == 1);
}

TEST_CASE("files of tests do not go to the root of the system")
{
    struct stat root {
    }, temporary {};
    if (::stat("/", &root) != 0 || ::stat("/var/tmp", &temporary) != 0 || root.st_dev != temporary.st_dev
        || ::access("/var/tmp", W_OK | X_OK) != 0)
        return; // on another volume, or not for this user
    const auto volumes = volumesIn(line("/", "rw,relatime", "ext4 /dev/sdz1 rw"));
    REQUIRE(volumes.size() == 1);
    CHECK(volumes[0].folder == "/var/tmp");
}

TEST_CASE("a name with a blank is read, and what is no list of mounts gives no volumes")
{
    const test::ScratchFolder folder;
    const auto blank = folder / "two words";
    std::filesystem::create_directory(blank);
    const std::string escaped = (folder.path() / "two\\040words").string();
    const auto volumes = volumesIn("29 1 8:2 / " + escaped + " rw shared:1 - ext4 /dev/sdz1 rw\n");
    REQUIRE(volumes.size() == 1);
    CHECK(volumes[0].mount == blank);
    for (const char* hostile :
        { "", "\n\n", " - ", "a - b\n", "1 2 3 4 5 6 - \n", "1 2 3 4 /no/such/mount rw - ext4 x\n",
            "1 2 3 4 \\777\\0 rw - ext4 x\n", "29 1 8:2 / /proc rw - proc proc rw\n" })
        CHECK(volumesIn(hostile).empty());
}
