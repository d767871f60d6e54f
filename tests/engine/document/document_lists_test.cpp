// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_texts.h"
#include "support/catch.h"

#include <loadstone/document.h>

using namespace loadstone;

namespace {

const std::string kMixes = "seed = 1\n"
                           "\n"
                           "# The first mix,\n"
                           "# in two lines.\n"
                           "[[mixes]]  # at its header\n"
                           "clients = 10\n"
                           "# think = \"5 s\"\n"
                           "\n"
                           "# ---- evening ----\n"
                           "\n"
                           "[[mixes]]\n"
                           "clients = 20\n"
                           "\n"
                           "  [[mixes.steps]]\n"
                           "  name = \"a\"\n"
                           "\n"
                           "# The last one.\n"
                           "[[mixes]]\n"
                           "clients = 30\n"
                           "\n"
                           "# of the criteria\n"
                           "[criteria]\n"
                           "score = \"1 s\"\n";

using Edit = Result<void> (*)(Document&);

std::string after(const std::string& text, Edit edit)
{
    Document document(text);
    const auto done = edit(document);
    CHECK((done || document.text() == text));
    if (!done)
        return "refused: " + done.error().message;
    const std::string edited = document.text();
    document.undo();
    CHECK(document.text() == text);
    return edited;
}

std::string without(std::string text, const std::string& part)
{
    return text.erase(text.find(part), part.size());
}

const std::string kFirst =
    "# The first mix,\n# in two lines.\n[[mixes]]  # at its header\nclients = 10\n# think = \"5 s\"\n";
const std::string kSecond = "[[mixes]]\nclients = 20\n\n  [[mixes.steps]]\n  name = \"a\"\n";
const std::string kThird = "# The last one.\n[[mixes]]\nclients = 30\n";

} // namespace

TEST_CASE("an entry is removed with its comments and its tables, and nothing else")
{
    CHECK(after(kMixes, [](Document& d) { return d.remove("mixes", 0); }) == without(kMixes, kFirst + "\n"));
    CHECK(after(kMixes, [](Document& d) { return d.remove("mixes", 1); }) == without(kMixes, kSecond + "\n"));
    CHECK(after(kMixes, [](Document& d) { return d.erase("mixes[2]"); }) == without(kMixes, kThird + "\n"));
    CHECK(after(kMixes, [](Document& d) { return d.remove("mixes[1].steps", 0); })
        == without(kMixes, "  [[mixes.steps]]\n  name = \"a\"\n\n"));
    CHECK(after("[[m]]\na = 1\n\n[[m]]\na = 2\n", [](Document& d) { return d.remove("m", 1); })
        == "[[m]]\na = 1\n");
}

TEST_CASE("a copy stands directly behind its entry")
{
    CHECK(after(kMixes, [](Document& d) { return d.duplicate("mixes", 0); })
        == std::string(kMixes).insert(kMixes.find(kFirst), kFirst + "\n"));
    CHECK(after(kMixes, [](Document& d) { return d.duplicate("mixes", 1); })
        == std::string(kMixes).insert(kMixes.find(kSecond), kSecond + "\n"));
    CHECK(after("[[m]]\na = 1", [](Document& d) { return d.duplicate("m", 0); })
        == "[[m]]\na = 1\n\n[[m]]\na = 1");
}

TEST_CASE("entries that move change places, and what stands between them stays")
{
    std::string expected = kMixes;
    expected.replace(expected.find(kFirst), kFirst.size(), kSecond);
    expected.replace(expected.rfind(kSecond), kSecond.size(), kThird);
    expected.replace(expected.rfind(kThird), kThird.size(), kFirst);
    CHECK(after(kMixes, [](Document& d) { return d.move("mixes", 0, 2); }) == expected);
    // Neighbours without a blank line: a comment at the end of one must not become that of the other.
    CHECK(after("[[m]]\na = 1\n# of a\n\n[[m]]\nb = 1\n[[m]]\nc = 1\n", [](Document& d) {
        return d.move("m", 0, 1);
    }) == "[[m]]\nb = 1\n\n[[m]]\na = 1\n# of a\n\n[[m]]\nc = 1\n");
    CHECK(after("[[m]]\na = 1\n\n[[m]]\nb = 1", [](Document& d) { return d.move("m", 1, 0); })
        == "[[m]]\nb = 1\n\n[[m]]\na = 1\n");
}

TEST_CASE("a new entry stands where it was asked for, at the distance of its neighbours")
{
    const auto insert = [](std::size_t at) {
        Document document(kMixes);
        REQUIRE(document.insert("mixes", at, "clients = 5 # new\n[mixes.think]\nmean = 2"));
        return document.text();
    };
    const std::string entry = "[[mixes]]\nclients = 5 # new\n[mixes.think]\nmean = 2\n";
    CHECK(insert(0) == std::string(kMixes).insert(kMixes.find(kFirst), entry + "\n"));
    CHECK(insert(2) == std::string(kMixes).insert(kMixes.find(kThird), entry + "\n"));
    CHECK(insert(3) == std::string(kMixes).insert(kMixes.find(kThird) + kThird.size(), "\n" + entry));
    CHECK(after("[[m]]\na = 1\n[[m]]\na = 2\n[x]\n", [](Document& d) { return d.append("m", "a = 3"); })
        == "[[m]]\na = 1\n[[m]]\na = 2\n[[m]]\na = 3\n[x]\n");
    CHECK(after("", [](Document& d) { return d.append("m", "a = 3"); }) == "[[m]]\na = 3\n");
    CHECK(after("x = 1\r\n", [](Document& d) { return d.append("m", "a = 3\n# c\n\n"); })
        == "x = 1\r\n\r\n[[m]]\r\na = 3\r\n# c\r\n");
}

TEST_CASE("a list below an entry is made below that entry")
{
    CHECK(after(kMixes, [](Document& d) { return d.append("mixes[0].steps", "name = \"b\""); })
        == std::string(kMixes).insert(
            kMixes.find(kFirst) + kFirst.size(), "\n[[mixes.steps]]\nname = \"b\"\n"));
    CHECK(after("m = [ { a = 1 } ]\n", [](Document& d) { return d.append("m[0].s", "b = 1"); })
        == "m = [ { a = 1, s = [{ b = 1 }] } ]\n");
}

TEST_CASE("tables of an entry that stand behind other headers go with it")
{
    const std::string text = "[[m]]\na = 1\n\n[x]\ny = 1\n\n# far\n[m.far]\nz = 1\n\n[[m]]\na = 2\n";
    CHECK(after(text, [](Document& d) { return d.remove("m", 0); }) == "[x]\ny = 1\n\n[[m]]\na = 2\n");
    CHECK(after(text, [](Document& d) { return d.move("m", 0, 1); })
        == "[[m]]\na = 2\n\n[x]\ny = 1\n\n[[m]]\na = 1\n\n# far\n[m.far]\nz = 1\n");
    CHECK(after(text, [](Document& d) { return d.duplicate("m", 0); })
        == "[[m]]\na = 1\n\n[x]\ny = 1\n\n# far\n[m.far]\nz = 1\n\n[[m]]\na = 1\n\n# far\n[m.far]\nz = "
           "1\n\n[[m]]\na = 2\n");
}

TEST_CASE("lists in brackets are edited element by element")
{
    CHECK(after("r = [\"a\", \"b\"]", [](Document& d) { return d.append("r", "\"c\""); })
        == "r = [\"a\", \"b\", \"c\"]");
    CHECK(after("r = [\"a\", \"b\",]", [](Document& d) { return d.append("r", "\"c\""); })
        == "r = [\"a\", \"b\", \"c\",]");
    CHECK(after("r = [\"a\", \"b\"]", [](Document& d) { return d.insert("r", 0, "\"c\""); })
        == "r = [\"c\", \"a\", \"b\"]");
    CHECK(after("r = []", [](Document& d) { return d.append("r", "1"); }) == "r = [1]");
    CHECK(after("r = [\n  # none yet\n]", [](Document& d) { return d.append("r", "1"); })
        == "r = [\n  # none yet\n  1\n]");
    CHECK(after("r = [1, 2, 3]", [](Document& d) { return d.remove("r", 2); }) == "r = [1, 2]");
    CHECK(after("r = [1, 2, 3]", [](Document& d) { return d.remove("r", 0); }) == "r = [2, 3]");
    CHECK(after("r = [\n  1,\n  2, # two\n  3\n]", [](Document& d) { return d.remove("r", 0); })
        == "r = [\n  2, # two\n  3\n]");
    CHECK(after("r = [\n  1, # one\n  2 # two\n]", [](Document& d) { return d.append("r", "3"); })
        == "r = [\n  1, # one\n  2, # two\n  3\n]");
    CHECK(after("r = [\n  1, # one\n  2 # two\n]", [](Document& d) { return d.move("r", 1, 0); })
        == "r = [\n  2, # one\n  1 # two\n]");
    CHECK(after("r = [[1], [2]]", [](Document& d) { return d.duplicate("r[1]", 0); }) == "r = [[1], [2, 2]]");
    const std::string tables = "mixes = [\n  { clients = 1 }, # one\n  { clients = 2 },\n]\n";
    CHECK(after(tables, [](Document& d) { return d.append("mixes", "clients = 3\nname = \"c\""); })
        == "mixes = [\n  { clients = 1 }, # one\n  { clients = 2 },\n  { clients = 3, name = \"c\" },\n]\n");
    CHECK(after(tables, [](Document& d) { return d.duplicate("mixes", 0); })
        == "mixes = [\n  { clients = 1 }, # one\n  { clients = 1 },\n  { clients = 2 },\n]\n");
    CHECK_THAT(after(tables, [](Document& d) { return d.append("mixes", "clients = 3 # comment"); }),
        ContainsSubstring("is written in brackets"));
    CHECK_THAT(after("r = [1]", [](Document& d) { return d.append("r", "a = 1"); }),
        Catch::StartsWith("refused: r: "));
}

TEST_CASE("what is no list, no entry or more than one entry is refused")
{
    using Catch::StartsWith;
    CHECK_THAT(after(kMixes, [](Document& d) { return d.remove("mixes", 3); }),
        ContainsSubstring("its entries are 0 to 2"));
    CHECK_THAT(after(kMixes, [](Document& d) { return d.move("mixes", 0, 3); }),
        ContainsSubstring("has no entry 3"));
    CHECK_THAT(
        after(kMixes, [](Document& d) { return d.duplicate("mixes", 9); }), StartsWith("refused: mixes: "));
    CHECK_THAT(
        after(kMixes, [](Document& d) { return d.insert("mixes", 4, ""); }), StartsWith("refused: mixes: "));
    CHECK_THAT(after(kMixes, [](Document& d) { return d.append("criteria", "a = 1"); }),
        ContainsSubstring("is a table, not a list"));
    CHECK_THAT(
        after(kMixes, [](Document& d) { return d.remove("steps", 0); }), ContainsSubstring("no such list"));
    CHECK_THAT(after(kMixes, [](Document& d) { return d.append("mixes[7].steps", ""); }),
        StartsWith("refused: mixes[7].steps: "));
    CHECK_THAT(after(kMixes, [](Document& d) { return d.append("mixes", "a = 1\n[other]\n"); }),
        ContainsSubstring("not below [[mixes]]"));
    CHECK_THAT(after(kMixes, [](Document& d) { return d.append("mixes", "a = 1\n[[mixes]]\n"); }),
        ContainsSubstring("more than one"));
    CHECK_THAT(after(kMixes, [](Document& d) { return d.append("mixes", "a = = 1"); }),
        ContainsSubstring("the new entry's line 1: "));
}

// Known faults of other editors, and what is right.

TEST_CASE(
    "python-poetry/tomlkit #295: an entry added to a list leaves the comment of the next header where it is")
{
    CHECK(after("[[tool.a]]\nx = 1\n\n# about b\n[[tool.b]]\ny = 1\n", [](Document& d) {
        return d.append("tool.a", "x = 2");
    }) == "[[tool.a]]\nx = 1\n\n[[tool.a]]\nx = 2\n\n# about b\n[[tool.b]]\ny = 1\n");
}

TEST_CASE("tombi #1527: a comment before a list of tables is not dropped")
{
    const std::string text =
        "# about all of them\n\n# about the first\n[[entries]]\nx = 1\n\n[[entries]]\nx = 2\n";
    CHECK(after(text, [](Document& d) { return d.set("entries[1].x", "3"); })
        == "# about all of them\n\n# about the first\n[[entries]]\nx = 1\n\n[[entries]]\nx = 3\n");
    CHECK(after(text, [](Document& d) { return d.move("entries", 0, 1); })
        == "# about all of them\n\n[[entries]]\nx = 2\n\n# about the first\n[[entries]]\nx = 1\n");
}

TEST_CASE("microsoft/terminal #9167: lines that are commented out and the order of keys are kept")
{
    CHECK(after("b = 1\n# a = 2\na = 1\n\n[z]\n# y = 1\ny = 2\n# x = 3\n\n[c]\n", [](Document& d) {
        return d.set("z.w", "4");
    }) == "b = 1\n# a = 2\na = 1\n\n[z]\n# y = 1\ny = 2\nw = 4\n# x = 3\n\n[c]\n");
}
