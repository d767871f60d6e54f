// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/document.h>
#include <loadstone/lab.h>

#include <random>

using namespace loadstone;

namespace {

std::string listOf(const CheckedLab& checked)
{
    std::string text;
    for (const Problem& problem : checked.problems)
        text += problem.format("lab.toml") + "\n";
    return text;
}

CheckedLab everyKind(const std::string& variant = {})
{
    const auto checked =
        checkLab(std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/labs/good/every-kind.toml", variant);
    REQUIRE(checked);
    INFO(listOf(*checked));
    REQUIRE(checked->usable());
    return *checked;
}

const LabItem& item(const Lab& lab, std::string_view id)
{
    const LabItem* found = lab.find(id);
    REQUIRE(found != nullptr);
    return *found;
}

} // namespace

TEST_CASE("an item has what its table says, by key, as printed and as a number")
{
    const Lab lab = everyKind().lab;
    CHECK(lab.title == "Every kind");
    CHECK(lab.description == "Two lines,\nwith \"quotes\" and a \\ in them.");
    const LabItem& server = item(lab, "srv1");
    CHECK(server.kind == ItemKind::machine);
    CHECK(server.label() == "Mail server");
    CHECK(
        server.roles == std::vector<std::string> { "system under test", "directory", "keeper of the seals" });
    CHECK(server.text("memory") == "16 GB");
    CHECK(server.number("memory") == 17179869184.0);
    CHECK(server.text("bios_date") == "2000-04-19");
    CHECK(server.place == std::pair(3.0, 1.5));
    CHECK(server.line > 0);
    CHECK(item(lab, "srv1.cpu").label() == "srv1.cpu");
    CHECK(item(lab, "srv1.dimm").text("ecc") == "yes");
    CHECK(item(lab, "srv1.dimm").number("ecc") == 1.0);
    CHECK(item(lab, "srv1.os").text("updates") == "KB1, KB2");
    CHECK(item(lab, "array.disks").number("speed") == 15000.0);
    CHECK(item(lab, "srv1.cpu").number("cores") == 2.0);
    CHECK(server.find("absent") == nullptr);
}

TEST_CASE("properties stand in the order of the table of keys, unknown ones last")
{
    const auto checked =
        readLab("kind = \"lab\"\n[[item]]\nid = \"d\"\nkind = \"drive\"\nzz = \"1\"\nspeed = \"7200 rpm\"\n"
                "size = \"1 TB\"\nvendor = \"V\"\nfinish = [\"a\", 2, true]\n",
            "lab.toml");
    REQUIRE(checked.usable());
    std::vector<std::string> keys;
    for (const LabProperty& property : checked.lab.items.front().properties)
        keys.push_back(property.key + (property.known ? "" : "?"));
    CHECK(keys == std::vector<std::string> { "vendor", "size", "speed", "finish?", "zz?" });
    CHECK(checked.lab.items.front().text("finish") == "a, 2, yes");
    CHECK(checked.problems.size() == 2);
}

TEST_CASE("a detected value stands beside a typed or imported one and never over it")
{
    const LabItem server = item(everyKind().lab, "srv1");
    const LabProperty* model = server.find("model");
    REQUIRE(model != nullptr);
    CHECK(model->value.text == "M1");
    CHECK(model->value.origin == ValueOrigin::typed);
    REQUIRE(model->detected);
    CHECK(model->detected->text == "M1-x");
    CHECK(model->detected->by == "SMBIOS");
    CHECK(model->detected->when == "2026-11-23 14:05:00"); // written with an offset of two hours
    CHECK(server.find("memory")->detected->by == "kernel");
    const LabProperty* board = server.find("board");
    REQUIRE(board != nullptr);
    CHECK(board->value.origin == ValueOrigin::imported);
    CHECK(board->value.by == "inventory");
    CHECK(board->value.when == "2026-11-20");
    CHECK_FALSE(board->detected);
}

TEST_CASE("what is withheld is known to be, even where it was detected")
{
    const LabItem server = item(everyKind().lab, "srv1");
    const LabProperty* serial = server.find("serial");
    REQUIRE(serial != nullptr);
    CHECK(serial->value.origin == ValueOrigin::notDisclosed);
    CHECK(server.text("serial").empty());
    CHECK_FALSE(server.number("serial"));
    REQUIRE(serial->detected);
    CHECK(serial->detected->text == "A1");
}

TEST_CASE("changed settings keep their spelling, and numbers among them are numbers")
{
    const LabItem server = item(everyKind().lab, "srv1");
    REQUIRE(server.changed.size() == 2);
    CHECK(server.changed[0].value == "0x2710");
    CHECK(server.changed[0].number == 10000.0);
    CHECK(server.changed[0].why == "asked for by\nthe maker");
    CHECK(server.changed[1].defaultValue == "60");
    CHECK(server.changed[1].value == "10");
    const auto numberOf = [](const std::string& value) {
        const auto checked =
            readLab("kind = \"lab\"\n[[item]]\nid = \"o\"\nkind = \"os\"\n[[item.changed]]\nname = "
                    "\"n\"\nvalue = '"
                    + value + "'\n",
                "lab.toml");
        return checked.lab.items.at(0).changed.at(0).number;
    };
    CHECK(numberOf("dword:000001e0") == 480.0);
    CHECK(numberOf("0x186a0") == 100000.0);
    CHECK(numberOf("400,000") == 400000.0);
    CHECK(numberOf("-1.5") == -1.5);
    CHECK_FALSE(numberOf("10.0.0.1"));
    CHECK_FALSE(numberOf("1,2,3"));
    CHECK_FALSE(numberOf("0xg"));
    CHECK_FALSE(numberOf("on"));
}

TEST_CASE("items are counted through what contains them")
{
    const auto checked = readLab("kind = \"lab\"\n[[item]]\nid = \"rack\"\nkind = \"site\"\ncount = 3\n"
                                 "[[item]]\nid = \"cpu\"\nkind = \"processor\"\nin = \"srv\"\ncount = 2\n"
                                 "[[item]]\nid = \"srv\"\nkind = \"machine\"\nin = \"rack\"\ncount = 20\n",
        "lab.toml");
    REQUIRE(checked.usable());
    CHECK(checked.lab.total(*checked.lab.find("cpu")) == 120);
    CHECK(checked.lab.below("rack").size() == 1);
    CHECK(checked.lab.below("").size() == 1);
    Lab circle = checked.lab;
    circle.items[0].in = "cpu";
    CHECK(circle.total(*circle.find("cpu")) > 120); // it ends
}

TEST_CASE("the revision is of the text: a comment makes another one")
{
    const std::string text = "kind = \"lab\"\n";
    const auto one = readLab(text, "a.toml").lab.revision;
    CHECK(one.size() == 16);
    CHECK(one == readLab(text, "b.toml").lab.revision);
    CHECK(one != readLab(text + "#\n", "a.toml").lab.revision);
}

TEST_CASE("a variant is the lab with its differences, and those of its bases")
{
    const Lab two = everyKind("two-processors").lab;
    CHECK(two.variant == "two-processors");
    CHECK(item(two, "srv1.cpu").count == 2);
    CHECK(item(two, "srv1.cpu").number("cores") == 2.0);
    CHECK(item(two, "srv1").number("cores") == 4.0);
    CHECK(item(two, "srv1").roles.empty());
    CHECK(item(two, "srv1").changed.size() == 1);
    CHECK(two.find("vm1") != nullptr);
    const Lab physical = everyKind("physical").lab;
    CHECK(item(physical, "srv1.cpu").count == 2);
    CHECK(physical.find("vm1") == nullptr);
    CHECK(physical.find("srv1.esx") == nullptr);
    CHECK(item(physical, "iscsi").in == "srv1");
    CHECK(item(physical, "iscsi").line > 0);
    std::vector<std::string> links;
    for (const LabLink& link : physical.links)
        links.push_back(link.from + " " + toString(link.kind) + " " + link.to);
    CHECK(links
        == std::vector<std::string> {
            "gen network lan", "mail replicates deployment", "iscsi storage array" });
    CHECK(physical.variants.size() == 2);
    CHECK(physical.revision == two.revision);
}

TEST_CASE("a removed item takes along what it contains, with the links of both")
{
    const auto checked = readLab("kind = \"lab\"\n[[item]]\nid = \"a\"\nkind = \"machine\"\n"
                                 "[[item]]\nid = \"nic\"\nkind = \"adapter\"\nin = \"a\"\n"
                                 "[[item]]\nid = \"lan\"\nkind = \"network\"\n"
                                 "[[link]]\nfrom = \"nic\"\nto = \"lan\"\n"
                                 "[[variant]]\nid = \"v\"\n[[variant.remove]]\nitem = \"a\"\n",
        "lab.toml", "v");
    INFO(listOf(checked));
    REQUIRE(checked.problems.empty());
    CHECK(checked.lab.items.size() == 1);
    CHECK(checked.lab.links.empty());
}

TEST_CASE("a variant that the lab does not have is an error that names those that it has")
{
    const auto checked =
        checkLab(std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/labs/good/every-kind.toml", "one-cpu");
    REQUIRE(checked);
    CHECK_FALSE(checked->usable());
    CHECK_THAT(listOf(*checked), ContainsSubstring("choose one of: two-processors, physical"));
}

TEST_CASE("sums of a variant name the line where the variant says it")
{
    const std::string text =
        "kind = \"lab\"\n[[item]]\nid = \"s\"\nkind = \"machine\"\nmemory = \"4 GB\"\n"
        "[[item]]\nid = \"m\"\nkind = \"memory\"\nin = \"s\"\ncount = 4\nsize = \"1 GB\"\n"
        "[[variant]]\nid = \"v\"\n[[variant.set]]\nitem = \"s\"\nmemory = \"8 GB\"\n";
    CHECK(readLab(text, "lab.toml").problems.empty());
    const auto checked = readLab(text, "lab.toml", "v");
    REQUIRE(checked.problems.size() == 1);
    CHECK(checked.problems[0].field == "variant[0].set[0].memory");
    CHECK(checked.problems[0].line == 16);
    CHECK(checked.usable());
}

TEST_CASE("a file that is no text of a lab, or none at all, is told and nothing else")
{
    CHECK_FALSE(checkLab("/nonexistent/lab.toml"));
    CHECK_FALSE(checkLab(LOADSTONE_SOURCE_DIR));
    CHECK_FALSE(readLab("", "lab.toml").usable());
    CHECK_FALSE(readLab(std::string(1000, '\0'), "lab.toml").usable());
    CHECK_FALSE(readLab(std::string(17U << 20U, ' '), "lab.toml").usable());
}

TEST_CASE("a lab with too much of anything is refused, not read at any price")
{
    std::string items = "kind = \"lab\"\n";
    for (int i = 0; i <= 10000; ++i)
        items += "[[item]]\nid = \"i" + std::to_string(i) + "\"\nkind = \"other\"\nin = \"nowhere\"\n";
    const auto many = readLab(items, "lab.toml");
    CHECK_FALSE(many.usable());
    CHECK(many.lab.items.size() == 10000);
    CHECK(many.problems.size() <= 101);
    std::string keys = "kind = \"lab\"\n[[item]]\nid = \"i\"\nkind = \"other\"\n";
    for (int i = 0; i < 200; ++i)
        keys += "key" + std::to_string(i) + " = 1\n";
    // Many unknown keys alone leave a lab usable.
    const auto flagged = readLab(keys, "lab.toml");
    CHECK(flagged.usable());
    CHECK_THAT(listOf(flagged), ContainsSubstring("120 more warnings"));
    for (int i = 200; i < 400; ++i)
        keys += "key" + std::to_string(i) + " = 1\n";
    CHECK_FALSE(readLab(keys, "lab.toml").usable());
}

TEST_CASE("a lab that is read while it is edited is the lab that its text describes")
{
    const auto source =
        Document::read(std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/labs/good/every-kind.toml");
    REQUIRE(source);
    Document document = *source;
    LabReader reader;
    std::mt19937 random(20011);
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    int unusable = 0;
    for (int i = 0; i < 400; ++i) {
        if (i % 6 == 0) // most edits make a lab that cannot be used
            document = *source;
        const std::size_t items = document.size("item");
        const std::string path = "item[" + std::to_string(below(std::max<std::size_t>(items, 1))) + "]";
        const std::string name = "x" + std::to_string(i);
        switch (below(9)) {
        case 0:
            static_cast<void>(
                document.insert("item", below(items + 1), "id = \"" + name + "\"\nkind = \"machine\"\n"));
            break;
        case 1:
            static_cast<void>(document.remove("item", below(std::max<std::size_t>(items, 1))));
            break;
        case 2: // two items with one id
            static_cast<void>(document.duplicate("item", below(std::max<std::size_t>(items, 1))));
            break;
        case 3:
            static_cast<void>(document.move(
                "item", below(std::max<std::size_t>(items, 1)), below(std::max<std::size_t>(items, 1))));
            break;
        case 4:
            static_cast<void>(document.set(path + ".name", tomlText(name)));
            break;
        case 5: // an unknown key, or a wrong value
            static_cast<void>(document.set(path + (i % 2 == 0 ? ".memoryy" : ".count"), tomlText(name)));
            break;
        case 6:
            document.replaceText("# " + name + "\n" + document.text());
            break;
        default:
            below(4) == 0 ? document.redo() : document.undo();
        }
        const CheckedLab kept = reader.read(document);
        const CheckedLab fresh = readLab(document.text(), document.name());
        INFO(document.text());
        CHECK(listOf(kept) == listOf(fresh));
        CHECK(kept.lab.items == fresh.lab.items);
        CHECK(kept.lab.links == fresh.lab.links);
        unusable += fresh.usable() ? 0 : 1;
    }
    CHECK(unusable > 20); // both kinds of labs were seen
    CHECK(unusable < 380);
}
