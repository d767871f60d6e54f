// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/lab.h>

#include <algorithm>

using namespace loadstone;

namespace {

const std::string kLab = R"(kind = "lab"
[[item]]
id = "srv"
kind = "machine"
name = "Mail server"
role = ["system under test", "directory"]
memory = "4 GB"
[[item]]
id = "d"
kind = "drive"
in = "srv"
count = 4
size = "600 GB"
interface = "SAS  12 Gb/s"
place = [1, 2]
[[item]]
id = "os"
kind = "os"
in = "srv"
[[item.changed]]
name = "MsgHandleThreshold"
place = "HKLM"
value = "0x2710"
[[item]]
id = "mail"
kind = "software"
in = "os"
package = "postfix"
package_version = "3.7.6-0+deb12u2"
[[item]]
id = "lan"
kind = "network"
[[link]]
from = "srv"
to = "lan"
speed = "1 Gb/s"
)";

Lab read(const std::string& text)
{
    const auto checked = readLab(text, "lab.toml");
    for (const Problem& problem : checked.problems)
        FAIL(problem.format("lab.toml"));
    return checked.lab;
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// "what item: label [before] [after]"
std::vector<std::string> listOf(const std::vector<LabDifference>& differences)
{
    std::vector<std::string> lines;
    for (const LabDifference& difference : differences)
        lines.push_back(difference.item + " " + difference.label + " [" + difference.before + "] ["
            + difference.after + "]");
    return lines;
}

std::vector<std::string> changed(const std::string& from, const std::string& to)
{
    return listOf(differences(read(kLab), read(replaced(kLab, from, to))));
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("labs that differ in one field, one changed setting and one package version differ in these three")
{
    std::string other = replaced(kLab, "memory = \"4 GB\"", "memory = \"8 GB\"");
    other = replaced(other, "0x2710", "20,000");
    other = replaced(other, "deb12u2", "deb12u3");
    const auto found = differences(read(kLab), read(other));
    CHECK(listOf(found)
        == Lines { "srv Mail server: memory [4 GB] [8 GB]", "os os: MsgHandleThreshold [0x2710] [20,000]",
            "mail mail: package version [3.7.6-0+deb12u2] [3.7.6-0+deb12u3]" });
    CHECK(found[0].what == LabDifference::What::property);
    CHECK(found[1].what == LabDifference::What::tuning);
    CHECK(differences(read(kLab), read(kLab)).empty());
}

TEST_CASE("what is equal in value does not differ, however it is printed")
{
    CHECK(changed("600 GB", "0.6 TB").empty());
    CHECK(changed("600 GB", "600,000 MB").empty());
    CHECK(changed("4 GB", "4096 MB").empty());
    CHECK(changed("SAS  12 Gb/s", "sas 12 Gb/s").empty());
    CHECK(changed("0x2710", "10,000").empty());
    CHECK(changed("speed = \"1 Gb/s\"", "speed = \"1000 Mb/s\"").empty());
    CHECK(changed("place = [1, 2]", "place = [3, 2]").empty());
    CHECK(changed("\"system under test\", \"directory\"", "\"directory\", \"system under test\"").empty());
    CHECK(changed("from = \"srv\"\nto = \"lan\"", "from = \"lan\"\nto = \"srv\"").empty());
    CHECK(changed("memory = \"4 GB\"", "detected = { by = \"SMBIOS\", memory = \"4 GB\" }").empty());
    CHECK(changed("600 GB", "600.1 GB").size() == 1);
}

TEST_CASE("differences of counts, roles, containers, links and items are told as such")
{
    CHECK(changed("count = 4", "count = 6") == Lines { "d d: count [4] [6]" });
    CHECK(changed(", \"directory\"", ", \"DNS\"")
        == Lines { "srv Mail server: role [directory] []", "srv Mail server: role [] [DNS]" });
    CHECK(changed("in = \"srv\"\ncount", "count") == Lines { "d d: in [srv] []" });
    CHECK(changed("speed = \"1 Gb/s\"", "speed = \"10 Gb/s\"\ncount = 2")
        == Lines {
            "srv -> lan srv -> lan: count [1] [2]", "srv -> lan srv -> lan: speed [1 Gb/s] [10 Gb/s]" });
    CHECK(changed("id = \"d\"", "id = \"disk\"") == Lines { "d d [4 x d] []", "disk disk [] [4 x disk]" });
    CHECK(changed("[[link]]\nfrom = \"srv\"", "[[link]]\nkind = \"storage\"\nfrom = \"srv\"")
        == Lines {
            "srv -> lan srv -> lan [network 1 Gb/s] []", "srv -> lan srv -> lan [] [storage 1 Gb/s]" });
    CHECK(changed("memory = \"4 GB\"", "not_disclosed = [\"memory\"]")
        == Lines { "srv Mail server: memory [4 GB] [not disclosed]" });
}

TEST_CASE("of parallel links between two items each is compared with its own")
{
    const std::string two = kLab + "[[link]]\nfrom = \"srv\"\nto = \"lan\"\nspeed = \"10 Gb/s\"\n";
    CHECK(differences(read(two), read(two)).empty());
    CHECK(
        listOf(differences(read(kLab), read(two))) == Lines { "srv -> lan srv -> lan [] [network 10 Gb/s]" });
}

TEST_CASE("a setting that moves to another place is one difference, and two of one name are kept apart")
{
    CHECK(changed("place = \"HKLM\"", "place = \"HKCU\"")
        == Lines { "os os: MsgHandleThreshold [0x2710 at HKLM] [0x2710 at HKCU]" });
    CHECK(changed("place = \"HKLM\"", "place = \"HKLM\"\ntype = \"REG_DWORD\"")
        == Lines { "os os: MsgHandleThreshold [0x2710] [0x2710, REG_DWORD]" });
    const std::string twice = replaced(kLab, "value = \"0x2710\"",
        "value = \"0x2710\"\n[[item.changed]]\nname = \"MsgHandleThreshold\"\nplace = \"B\"\nvalue = 5");
    CHECK(listOf(differences(read(kLab), read(twice))) == Lines { "os os: MsgHandleThreshold [] [5]" });
    CHECK(listOf(differences(read(twice), read(replaced(twice, "value = 5", "value = 6"))))
        == Lines { "os os: MsgHandleThreshold [5] [6]" });
}

TEST_CASE("what was detected differs from what is described unless it rounds to it")
{
    const auto found = [](const std::string& typed, const std::string& detected) {
        return listOf(differencesFromDetected(read("kind = \"lab\"\n[[item]]\nid = \"d\"\nkind = \"drive\"\n"
            + typed + "\ndetected = { by = \"sysfs\", " + detected + " }\n")));
    };
    CHECK(found("size = \"600 GB\"", "size = \"600127266816 B\"").empty());
    CHECK(found("size = \"600 GB\"", "size = \"558.9 GiB\"").empty());
    CHECK(found("model = \"ST3450856SS\"", "model = \"st3450856ss\"").empty());
    CHECK(found("", "size = \"600 GB\"").empty());
    CHECK(found("not_disclosed = [\"serial\"]", "serial = \"A1\"").empty());
    CHECK(found("size = \"600 GB\"", "size = \"650 GB\"") == Lines { "d d: size [600 GB] [650 GB]" });
    CHECK(found("firmware = \"XQH6\"", "firmware = \"XQH7\"") == Lines { "d d: firmware [XQH6] [XQH7]" });
    CHECK(found("queue_depth = 32", "queue_depth = 31") == Lines { "d d: queue depth [32] [31]" });
}
