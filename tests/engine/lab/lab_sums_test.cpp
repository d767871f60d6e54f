// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/lab.h>

#include <fstream>
#include <sstream>

using namespace loadstone;

namespace {

std::string withinRounding()
{
    std::ifstream file(std::string(LOADSTONE_SOURCE_DIR) + "/tests/labs/good/within-rounding.toml");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The one warning of the lab after a change; empty when there is none.
std::string complaint(const std::string& from, const std::string& to)
{
    std::string text = withinRounding();
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    const auto checked = readLab(text.replace(at, from.size(), to), "lab.toml");
    CHECK(checked.usable());
    std::string all;
    for (const Problem& problem : checked.problems)
        all += problem.format("lab.toml") + "\n";
    return all;
}

std::string lab(const std::string& items)
{
    const auto checked = readLab("kind = \"lab\"\n" + items, "lab.toml");
    CHECK(checked.usable());
    std::string all;
    for (const Problem& problem : checked.problems)
        all += problem.format("lab.toml") + "\n";
    return all;
}

} // namespace

TEST_CASE("printed sums hold within their rounding and complain one step beyond it")
{
    CHECK(complaint("count = 224", "count = 224").empty());
    CHECK_THAT(
        complaint("raw_size = \"100.8 TB\"", "raw_size = \"101.5 TB\""), ContainsSubstring("224 x 450 GB"));
    CHECK_THAT(complaint("drives = 192", "drives = 193"), ContainsSubstring("193 x 450 GB"));
    CHECK_THAT(complaint("raw_size = \"86,400 GB\"\nusable", "raw_size = \"88,400 GB\"\nusable"),
        ContainsSubstring("item[2].raw_size"));
    CHECK_THAT(complaint("usable_size = \"38,502 GB\"", "usable_size = \"43,500 GB\""),
        ContainsSubstring("RAID 10 leaves at most 43.2 TB"));
    CHECK_THAT(complaint("utilisation = \"45 %\"", "utilisation = \"46 %\""), ContainsSubstring("44.6 %"));
    CHECK_THAT(
        complaint("count = 24\n", "count = 25\n"), ContainsSubstring("the volumes take 40 TB together"));
    CHECK(complaint("mailboxes_per_store = 188", "mailboxes_per_store = 187.5").empty());
    CHECK_THAT(
        complaint("mailboxes_per_store = 188", "mailboxes_per_store = 189"), ContainsSubstring("90,720"));
    CHECK_THAT(
        complaint("mailboxes_per_host = 7500", "mailboxes_per_host = 7501"), ContainsSubstring("90,012"));
    CHECK_THAT(
        complaint("capacity_used = \"70 %\"", "capacity_used = \"68 %\""), ContainsSubstring("69.5 %"));
    CHECK_THAT(complaint("count = 16\n", "count = 15\n"), ContainsSubstring("15 GiB together"));
    CHECK_THAT(
        complaint("raw_size = \"27 GB\"", "raw_size = \"32 GB\""), ContainsSubstring("27.3 GB together"));
}

TEST_CASE("RAID levels leave what their parity leaves")
{
    const auto usable = [](const std::string& raid, int drives, const std::string& size,
                            const std::string& more = "") {
        return lab("[[item]]\nid = \"p\"\nkind = \"pool\"\nraid = \"" + raid + "\"\nusable_size = \"" + size
            + "\"\n" + more
            + "[[item]]\nid = \"d\"\nkind = \"drive\"\nin = \"p\"\nsize = \"1000 GB\"\ncount = "
            + std::to_string(drives) + "\n");
    };
    CHECK(usable("RAID 0", 4, "4 TB").empty());
    CHECK(usable("RAID 1", 2, "1 TB").empty());
    CHECK(usable("RAID-5", 8, "7 TB").empty());
    CHECK(usable("RAID6", 8, "6 TB").empty());
    CHECK(usable("RAID-Z3", 8, "5 TB").empty());
    CHECK(usable("RAID 50", 12, "10 TB", "group_size = 6\n").empty());
    CHECK(usable("replicated", 12, "4 TB", "replicas = 3\n").empty());
    CHECK_THAT(usable("RAID 0", 4, "4.8 TB"), ContainsSubstring("at most 4 TB"));
    CHECK_THAT(usable("RAID 5", 8, "7,800 GB"), ContainsSubstring("at most 7 TB"));
    CHECK_THAT(usable("RAID 6", 8, "7,000 GB"), ContainsSubstring("at most 6 TB"));
    CHECK_THAT(usable("RAID 50", 12, "11,000 GB", "group_size = 3\n"), ContainsSubstring("at most 8 TB"));
    CHECK_THAT(usable("replicated", 12, "6,000 GB", "replicas = 3\n"), ContainsSubstring("at most 4 TB"));
    CHECK(usable("RAID 10", 7, "3 TB", "spares = 1\n").empty());
    CHECK_THAT(usable("RAID 10", 7, "3 TB"), ContainsSubstring("pairs"));
}

TEST_CASE("thin volumes and network shares take no space, volumes of an array none from a server")
{
    const std::string pool = "[[item]]\nid = \"p\"\nkind = \"pool\"\nusable_size = \"1 TB\"\n";
    const std::string volume = "[[item]]\nid = \"v\"\nkind = \"volume\"\npool = \"p\"\nsize = \"3 TB\"\n";
    CHECK_THAT(lab(pool + volume), ContainsSubstring("the volumes take 3 TB together"));
    CHECK(lab(pool + volume + "provisioning = \"thin\"\n").empty());
    const std::string server =
        "[[item]]\nid = \"s\"\nkind = \"machine\"\n[[item]]\nid = \"d\"\nkind = \"drive\"\nin = \"s\"\n"
        "size = \"9 GB\"\n";
    CHECK(lab(server + "[[item]]\nid = \"v\"\nkind = \"volume\"\nin = \"s\"\nsize = \"1600 GB\"\n").empty());
    CHECK(lab(server
        + "[[item]]\nid = \"f\"\nkind = \"filesystem\"\nin = \"d\"\ntype = \"nfs\"\nsize = \"1600 GB\"\n")
              .empty());
}

TEST_CASE("virtual machines in a server have memory of their own")
{
    CHECK(lab("[[item]]\nid = \"s\"\nkind = \"machine\"\nmemory = \"16 GB\"\n"
              "[[item]]\nid = \"m\"\nkind = \"memory\"\nin = \"s\"\ncount = 8\nsize = \"2 GB\"\n"
              "[[item]]\nid = \"vm\"\nkind = \"machine\"\nin = \"s\"\nmemory = \"4 GB\"\n"
              "[[item]]\nid = \"vmm\"\nkind = \"memory\"\nin = \"vm\"\nsize = \"4 GB\"\n")
              .empty());
    // What a kernel reports is less than what the modules have.
    CHECK(lab(
        "[[item]]\nid = \"s\"\nkind = \"machine\"\ndetected = { by = \"kernel\", memory = \"15.6 GiB\" }\n"
        "[[item]]\nid = \"m\"\nkind = \"memory\"\nin = \"s\"\ncount = 8\nsize = \"2 GB\"\n")
              .empty());
}

TEST_CASE("identical machines need a port each")
{
    const std::string items =
        "[[item]]\nid = \"gen\"\nkind = \"machine\"\ncount = 60\n[[item]]\nid = \"lan\"\nkind = \"network\"\n"
        "switches = 2\nports = ";
    const std::string link = "\n[[link]]\nfrom = \"gen\"\nto = \"lan\"\n";
    CHECK(lab(items + "48" + link).empty());
    CHECK_THAT(lab(items + "24" + link), ContainsSubstring("60 ports of lan"));
}
