// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "support/catch.h"

#include <loadstone/document.h>
#include <loadstone/lab.h>

using namespace loadstone;

namespace {

/// Lines are of one text alone.
Lab withoutLines(Lab lab)
{
    for (LabItem& item : lab.items)
        item.line = 0;
    for (LabLink& link : lab.links)
        link.line = 0;
    return lab;
}

void checkRoundTrip(const Lab& lab)
{
    const std::string text = writeLab(lab);
    INFO(text);
    const auto again = readLab(text, "written.toml");
    for (const Problem& problem : again.problems)
        CHECK(problem.severity == ProblemSeverity::warning);
    const Lab before = withoutLines(lab), after = withoutLines(again.lab);
    CHECK(after.title == before.title);
    CHECK(after.description == before.description);
    REQUIRE(after.items.size() == before.items.size());
    for (std::size_t i = 0; i < before.items.size(); ++i) {
        INFO(before.items[i].id);
        CHECK(after.items[i] == before.items[i]);
    }
    CHECK(after.links == before.links);
    CHECK(writeLab(again.lab) == text);
}

std::vector<std::filesystem::path> goodLabs()
{
    std::vector<std::filesystem::path> files = shippedLabs();
    for (const auto& entry :
        std::filesystem::directory_iterator(std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/labs/good"))
        files.push_back(entry.path());
    return files;
}

std::string hostileLab(const std::string& text)
{
    const std::string quoted = tomlText(text);
    std::string lab = "kind = \"lab\"\ntitle = " + quoted + "\ndescription = " + quoted
        + "\n[[item]]\nid = \"i\"\nkind = \"machine\"\nname = " + quoted + "\nnotes = " + quoted
        + "\nrole = [" + quoted + "]\n\"unknown key\" = " + quoted + "\n";
    for (const std::string& key : document::labPropertyKeys("machine")) {
        const KeyRow* row = document::labPropertyRow("machine", key);
        if (row->type == KeyType::text)
            lab += key + " = " + quoted + "\n";
        else if (row->type == KeyType::texts)
            lab += key + " = [" + quoted + "]\n";
    }
    lab += "[[item.changed]]\nname = \"n\"\nplace = " + quoted + "\nvalue = " + quoted + "\nwhy = " + quoted
        + "\n";
    return lab + "[[item]]\nid = \"j\"\nkind = \"other\"\ndetected = { by = " + quoted + ", type = " + quoted
        + " }\n[[link]]\nfrom = \"i\"\nto = \"j\"\nprotocol = " + quoted + "\nnotes = " + quoted + "\n";
}

} // namespace

TEST_CASE("a written lab reads as the one it was written from, with all its variants")
{
    for (const auto& file : goodLabs()) {
        INFO(file.filename().string());
        const auto checked = checkLab(file);
        REQUIRE(checked);
        REQUIRE(checked->usable());
        checkRoundTrip(checked->lab);
        for (const LabVariant& variant : checked->lab.variants)
            checkRoundTrip(checkLab(file, variant.id)->lab);
    }
}

TEST_CASE("markup, formulas and quotes in any field are kept to the byte")
{
    for (const char* text : { "<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "@SUM(A1)", "+1|cmd",
             "-2+3", "]]> & '\"\\", "''' \"\"\"", "# no comment", "日本 𝄞 é", " blanks around " }) {
        INFO(text);
        const auto checked = readLab(hostileLab(text), "lab.toml");
        REQUIRE(checked.usable());
        CHECK(checked.lab.title == text);
        CHECK(checked.lab.items[0].text("bios") == text);
        CHECK(checked.lab.items[0].changed[0].value == text);
        CHECK(checked.lab.items[1].find("type")->value.by == text);
        checkRoundTrip(checked.lab);
    }
}

TEST_CASE("control characters, direction marks and endless texts are refused in each field, with its name")
{
    for (const std::string& text : { std::string("a\x01"), std::string("\x1b[2J"), std::string("x\x7f"),
             std::string("\xe2\x80\xae"
                         "gnp.exe"),
             std::string(70000, 'x') }) {
        const auto checked = readLab(hostileLab(text), "lab.toml");
        CHECK_FALSE(checked.usable());
        std::size_t texts = 0;
        for (const std::string& key : document::labPropertyKeys("machine")) {
            const KeyType type = document::labPropertyRow("machine", key)->type;
            texts += type == KeyType::text || type == KeyType::texts ? 1 : 0;
        }
        CHECK(checked.problems.size() >= texts + 8);
        for (const Problem& problem : checked.problems) {
            CHECK(problem.message.size() < 300);
            CHECK(problem.format("lab.toml").find('\x1b') == std::string::npos);
        }
        // What was refused is nowhere in the model.
        CHECK(checked.lab.title.empty());
        for (const LabItem& item : checked.lab.items)
            for (const LabProperty& property : item.properties)
                CHECK(property.value.text.find(text) == std::string::npos);
    }
}

TEST_CASE("a megabyte in one field is refused with its length")
{
    const auto checked =
        readLab("kind = \"lab\"\ntitle = " + tomlText(std::string(1 << 20, 'x')) + "\n", "lab.toml");
    REQUIRE(checked.problems.size() == 1);
    CHECK(checked.problems[0].field == "title");
    CHECK_THAT(checked.problems[0].message, ContainsSubstring("1048576 bytes"));
}
