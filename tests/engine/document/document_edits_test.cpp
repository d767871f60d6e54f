// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/node.h"
#include "document_texts.h"
#include "support/catch.h"

#include <loadstone/document.h>

using namespace loadstone;
using document::Node;

namespace {

/// The text after one edit; the reason where it is refused.
std::string afterSet(const std::string& text, const std::string& path, const std::string& toml)
{
    Document document(text);
    const auto set = document.set(path, toml);
    CHECK((set || document.text() == text));
    return set ? document.text() : "refused: " + set.error().message;
}

std::string afterErase(const std::string& text, const std::string& path)
{
    Document document(text);
    const auto erased = document.erase(path);
    CHECK((erased || document.text() == text));
    return erased ? document.text() : "refused: " + erased.error().message;
}

std::string setTo(const std::string& text, const std::string& path, const std::string& value)
{
    Document document(text, "lab.toml");
    const auto set = document.setText(path, value);
    return set ? document.text() : "refused: " + set.error().message;
}

} // namespace

TEST_CASE("editing any value of every shipped file and editing it back gives the identical text")
{
    std::size_t edits = 0;
    for (const auto& file : goodFiles()) {
        const std::string text = contentOf(file);
        const Document unchanged(text);
        forEachNode(parsed(text), "", [&](const std::string& path, const Node& node) {
            if (path.empty() || isHeaded(node))
                return;
            INFO(file << ": " << path);
            Document document = unchanged;
            const std::string old = document.get(path).value();
            for (const std::string value :
                { "123456", "\"some # text\"", "[1, [2, 3]]", "{ a = 1, b.c = \"x\" }" }) {
                REQUIRE(document.set(path, value));
                CHECK(document.text().size() == text.size() - old.size() + value.size());
                CHECK(document.get(path) == value);
                REQUIRE(document.set(path, old));
                CHECK(document.text() == text);
                ++edits;
            }
        });
    }
    CHECK(edits > 400);
}

TEST_CASE("a missing key is added to any table of every shipped file, and nothing else changes")
{
    std::size_t edits = 0;
    for (const auto& file : goodFiles()) {
        const std::string text = contentOf(file);
        const Document unchanged(text);
        forEachNode(parsed(text), "", [&](const std::string& path, const Node& node) {
            if (node.kind != Node::Kind::table)
                return;
            INFO(file << ": " << path);
            for (const char* key : { "brand_new", "\"with.a dot\"", "fresh.deep.key" }) {
                const std::string whole = (path.empty() ? "" : path + ".") + key;
                Document document = unchanged;
                REQUIRE(document.set(whole, "\"ü\""));
                CHECK(document.getText(whole) == "ü");
                // What was there still is, in its order: taking out the insertion gives the old text.
                const std::string& edited = document.text();
                std::size_t same = 0;
                while (same < text.size() && edited[same] == text[same])
                    ++same;
                CHECK(edited.ends_with(text.substr(same)));
                CHECK((text.find("\r\n") == std::string::npos) == (edited.find("\r\n") == std::string::npos));
                ++edits;
            }
        });
    }
    CHECK(edits > 180);
}

TEST_CASE("comments and layout around an edited value stay")
{
    const std::string text =
        "a = 1   # one\n\n[[mixes]]   # first\n  clients =   20 # few\n\n[[mixes]]\nclients = 30";
    CHECK(afterSet(text, "mixes[0].clients", "25")
        == "a = 1   # one\n\n[[mixes]]   # first\n  clients =   25 # few\n\n[[mixes]]\nclients = 30");
    CHECK(afterSet(text, "mixes[0].name", "\"x\"")
        == "a = 1   # one\n\n[[mixes]]   # first\n  clients =   20 # few\n  name = "
           "\"x\"\n\n[[mixes]]\nclients = 30");
    CHECK_THAT(afterSet(text, "mixes[1].name", "\"x\""), Catch::EndsWith("clients = 30\nname = \"x\""));
    CHECK_THAT(afterSet(text, "seed", "7"), Catch::StartsWith("a = 1   # one\nseed = 7\n\n[[mixes]]"));
    CHECK(afterSet("", "seed", "7") == "seed = 7\n");
    CHECK(afterSet("# head\n\n# of t\n[t]\n", "seed", "7") == "# head\n\nseed = 7\n\n# of t\n[t]\n");
    CHECK(afterSet("[a.b]\nc = 1\n", "a.x", "2") == "[a.b]\nc = 1\n\n[a]\nx = 2\n");
    CHECK(afterSet("t = {}\n", "t.x", "2") == "t = { x = 2 }\n");
    CHECK(afterSet("t = { a = 1 }\n", "t.x", "2") == "t = { a = 1, x = 2 }\n");
    CHECK(afterSet("[a]\nb.c = 1\nd = 2\n", "a.b.x", "2") == "[a]\nb.c = 1\nb.x = 2\nd = 2\n");
}

TEST_CASE("a table that does not exist is made where it belongs")
{
    CHECK(afterSet("[target]\nx = 1\n\n# mix\n[mix]\n", "target.smtp.port", "25")
        == "[target]\nx = 1\n\n[target.smtp]\nport = 25\n\n# mix\n[mix]\n");
    CHECK(afterSet("[[mixes]]\na = 1\n[[mixes]]\na = 2\n", "mixes[0].think.time", "\"5 s\"")
        == "[[mixes]]\na = 1\n\n[mixes.think]\ntime = \"5 s\"\n\n[[mixes]]\na = 2\n");
    CHECK(afterSet("t = { a = 1 }\n", "t.b.c", "2") == "t = { a = 1, b.c = 2 }\n");
    CHECK(afterSet("a.b = 1\n[c]\n", "a.d.e", "2") == "a.b = 1\na.d.e = 2\n[c]\n");
    CHECK(afterSet("x = 1\r\n", "t.u", "2") == "x = 1\r\n\r\n[t]\r\nu = 2\r\n");
    CHECK(afterSet("\xef\xbb\xbf[t]\n", "x", "1") == "\xef\xbb\xbfx = 1\n\n[t]\n");
    CHECK_THAT(afterSet("a = 1\n", "m[0].x", "2"), Catch::StartsWith("refused: m[0].x: "));
}

TEST_CASE("an edit that would change anything but its value is refused")
{
    const std::string text = "a = 1\nt = { x = 1 }\n[[mixes]]\nclients = 20\n";
    for (const char* value :
        { "", "1 # comment", "1\nb = 2", "1, 2", "[1", "\"x", "1\n[t2]", " 1", "1 ", "1\n" }) {
        INFO(value);
        for (const char* path : { "a", "t.x", "t.y", "mixes[0].name" })
            CHECK_THAT(afterSet(text, path, value), Catch::StartsWith("refused: "));
    }
    CHECK(Document(text).set("a", "[\n1 ]"));
    for (const char* path :
        { "", ".", "a.", ".a", "mixes[5].clients", "mixes[0]", "mixes", "a.x", "mixes[x].a", "mixes[0", "b c",
            "mixes[0].clients.x", "mixes[99999999999999999999999].clients", "mixes[-1].a" }) {
        INFO(path);
        CHECK_THAT(afterSet(text, path, "1"), Catch::StartsWith("refused: "));
    }
    CHECK_THAT(afterSet("a = = 1", "a", "1"), Catch::StartsWith("refused: line 1: "));
}

TEST_CASE("erasing takes a key with its comment, or a table with the comment lines that are its own")
{
    CHECK(afterErase("a = 1 # one\nb = 2 # two\n", "a") == "b = 2 # two\n");
    CHECK(afterErase("a = 1\nb = [\n  1, # one\n]\nc = 3\n", "b") == "a = 1\nc = 3\n");
    CHECK(afterErase("# free\n\n# own\n[a]\nx = 1\n\n# of b\n[b]\n", "a") == "# free\n\n# of b\n[b]\n");
    CHECK(afterErase("[a]\nx = 1\n\n[b]\ny = 1\n\n[a.c]\nz = 1\n", "a") == "[b]\ny = 1\n");
    CHECK(afterErase("a.b = 1\nc = 2\na.d = 3\n", "a") == "c = 2\n");
    CHECK(afterErase("[a.b]\nx = 1\n", "a.b.x") == "[a.b]\n");
    CHECK(afterErase("t = { a = 1, b = 2, c = 3 }", "t.b") == "t = { a = 1, c = 3 }");
    CHECK(afterErase("t = { a = 1, b = 2 }", "t.b") == "t = { a = 1 }");
    CHECK(afterErase("t = { a = 1 }", "t.a") == "t = {}");
    CHECK(afterErase("t = { a.b = 1, c = 2, a.d = 3 }", "t.a") == "t = { c = 2 }");
    CHECK(afterErase("a = 1\n", "b") == "a = 1\n");
    CHECK(afterErase("[[m]]\na = 1\n\n# between\n\n[[m]]\na = 2\n\n[t]\n", "m") == "# between\n\n[t]\n");
    // A comment in the table must not become that of the next header.
    CHECK(afterErase("[a]\n# note\nx = 1\n[b]\n", "a.x") == "[a]\n# note\n\n[b]\n");
}

TEST_CASE("keys in quotes, texts of several lines, tabs and byte order marks are read as they stand")
{
    const std::string text =
        "\xef\xbb\xbf\"a b\".c = 1\r\n\tx\t=\t'''\r\n[no]\r\n# no comment'''\t# end\r\n[ \"q.r\" . s ]\r\n"
        "'lit' = 5 # \"\r\n";
    Document document(text);
    REQUIRE(document.isWellFormed());
    CHECK(document.get("\"a b\".c") == "1");
    CHECK(document.get("\"q.r\".s.lit") == "5");
    CHECK(document.keys("") == std::vector<std::string> { "a b", "x", "q.r" });
    REQUIRE(document.set("\"q.r\".s.\"new key\"", "6"));
    CHECK(document.text() == text + "\"new key\" = 6\r\n");
    REQUIRE(document.set("x", "'''\r\n# still none'''"));
    CHECK_THAT(document.text(), ContainsSubstring("\tx\t=\t'''\r\n# still none'''\t# end\r\n[ "));
    REQUIRE(document.erase("\"a b\".c"));
    CHECK_THAT(document.text(), Catch::StartsWith("\xef\xbb\xbf\tx\t="));
}

TEST_CASE("a text from a form is spelled as its key, or as the value before it")
{
    CHECK(setTo("a = 'x'\n", "a", "C:\\Mail") == "a = 'C:\\Mail'\n");
    CHECK(setTo("", "place", "HKLM\\SYSTEM") == "place = 'HKLM\\SYSTEM'\n");
    CHECK(setTo("a = 'x'\n", "a", "it's") == "a = \"it's\"\n");
    CHECK(setTo("a = 5\n", "a", " 6 ") == "a = 6\n");
    CHECK(setTo("a = true\n", "a", "no") == "a = false\n");
    CHECK(setTo("a = [\"x\"]\n", "a", "x, y,") == "a = [\"x\", \"y\"]\n");
    CHECK_THAT(setTo("a = 5\n", "a", "six"), Catch::StartsWith("refused: a: \"six\" is not a whole number"));
    Document document("x = { a = 1 }\r\n");
    for (const std::string value :
        { "two\nlines", "\"\"\"\n\"", "tab\tand \x01 \x7f", "\\", "a\r\nb", "ends with \"\n\"\"\"\"", "" }) {
        REQUIRE(document.setText("x.t", value));
        CHECK(document.getText("x.t") == value);
    }
    CHECK_FALSE(document.setText("x.t", "\xff\xfe"));
}

TEST_CASE("elements of arrays are set and keep every comment")
{
    const std::string text = "a = [\n  1, # one\n  2 # two\n  ,\n  # rest\n]\n";
    CHECK(afterSet(text, "a[1]", "9") == "a = [\n  1, # one\n  9 # two\n  ,\n  # rest\n]\n");
    CHECK(afterErase(text, "a[0]") == "a = [\n  # one\n  2 # two\n  ,\n  # rest\n]\n");
    CHECK(afterErase(text, "a[1]") == "a = [\n  1, # one\n   # two\n  \n  # rest\n]\n");
    CHECK_THAT(afterSet(text, "a[2]", "9"), Catch::StartsWith("refused: a[2]: "));
}
