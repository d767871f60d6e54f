// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_texts.h"
#include "support/catch.h"

#include <loadstone/document.h>

#include <algorithm>
#include <iterator>

using namespace loadstone;

TEST_CASE("every file is opened and closed byte for byte, also those that are wrong")
{
    std::size_t files = 0, broken = 0;
    for (const auto& list : { goodFiles(), badFiles() })
        for (const auto& file : list) {
            INFO(file);
            const auto document = Document::read(file);
            REQUIRE(document);
            CHECK(document->text() == contentOf(file));
            CHECK_FALSE(document->isModified());
            CHECK(document->name() == file.filename().string());
            broken += !document->isWellFormed();
            ++files;
        }
    CHECK(files > 150);
    CHECK(broken > 3);
}

TEST_CASE("a value that is changed changes one line")
{
    for (const auto& file : goodFiles()) {
        auto document = Document::read(file).value();
        const auto before = linesOf(document.text());
        REQUIRE(document.set(document.has("title") ? "title" : "format", "\"another\""));
        std::vector<std::string> gone, come;
        const auto now = linesOf(document.text());
        std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(gone));
        std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(come));
        INFO(file);
        CHECK(gone.size() == 1);
        CHECK(come.size() == 1);
    }
}

TEST_CASE("steps are undone and done again by name")
{
    Document document("a = 1\n[[mixes]]\nclients = 2\n");
    CHECK_FALSE(document.canUndo());
    REQUIRE(document.set("mixes[0].clients", "3"));
    REQUIRE(document.set("a", "1")); // says what is there: no step
    REQUIRE(document.set("a", "2"));
    CHECK(document.undoName() == "a");
    document.undo();
    CHECK(document.undoName() == "clients of mixes[0]");
    CHECK(document.redoName() == "a");
    document.undo();
    CHECK_FALSE(document.canUndo());
    CHECK_FALSE(document.isModified());
    document.undo(); // nothing to undo
    CHECK(document.text() == "a = 1\n[[mixes]]\nclients = 2\n");
    document.redo();
    CHECK(document.get("mixes[0].clients") == "3");
    REQUIRE(document.duplicate("mixes", 0)); // what could be done again is forgotten
    CHECK_FALSE(document.canRedo());
    CHECK(document.undoName() == "copy of mixes[0]");
}

TEST_CASE("several edits are one step, or none when one of them fails")
{
    Document document("a = 1\n");
    REQUIRE(document.change("both", [](Document& d) -> Result<void> {
        if (const auto set = d.set("b", "2"); !set)
            return set;
        return d.set("c", "3");
    }));
    CHECK(document.text() == "a = 1\nb = 2\nc = 3\n");
    CHECK(document.undoName() == "both");
    document.undo();
    CHECK(document.text() == "a = 1\n");
    const auto failed = document.change("broken", [](Document& d) -> Result<void> {
        if (const auto set = d.set("b", "2"); !set)
            return set;
        return d.set("c", "= 3");
    });
    CHECK_FALSE(failed);
    CHECK(document.text() == "a = 1\n");
    CHECK(document.redoName() == "both");
}

TEST_CASE("a copy is a document of its own")
{
    Document document("a = 1\n");
    Document copy = document;
    REQUIRE(copy.set("a", "2"));
    CHECK(document.text() == "a = 1\n");
    CHECK_FALSE(document.canUndo());
    CHECK(copy.isModified());
}

TEST_CASE("a text that is not TOML is replaced and undone, and edited in no other way")
{
    Document document("a = 1\n", "x.toml");
    document.replaceText("a = = 1\n");
    CHECK_FALSE(document.isWellFormed());
    REQUIRE(document.problems().size() == 1);
    CHECK(document.problems().front().line == 1);
    CHECK(document.problems().front().severity == ProblemSeverity::error);
    CHECK_FALSE(document.has("a"));
    CHECK(document.keys("").empty());
    for (const auto& edit :
        { document.set("a", "1"), document.erase("a"), document.append("m", ""), document.move("m", 0, 1) })
        CHECK_FALSE(edit);
    document.undo();
    CHECK(document.get("a") == "1");
}

TEST_CASE("what is asked of a document is answered from its text")
{
    const Document document("t = \"x\\ty\"\nn = 1_000\nlist = [1, { a = 2 }]\n\n[b]\nc.d = 2026-11-23 # "
                            "day\n[a]\n[[m]]\n[[m]]\nx = 'y'\n");
    CHECK(document.get("t") == "\"x\\ty\"");
    CHECK(document.getText("t") == "x\ty");
    CHECK(document.getText("n") == "1_000");
    CHECK(document.get("list[1].a") == "2");
    CHECK(document.get("b.c.d") == "2026-11-23");
    CHECK(document.getText("b.c.d") == "2026-11-23");
    CHECK_FALSE(document.get("b"));
    CHECK_FALSE(document.get("m[0]"));
    CHECK_FALSE(document.getText("list"));
    CHECK(document.has("m[1]"));
    CHECK_FALSE(document.has("m[2]"));
    CHECK(document.size("m") == 2);
    CHECK(document.size("list") == 2);
    CHECK(document.size("b") == 0);
    CHECK(document.keys("") == std::vector<std::string> { "t", "n", "list", "b", "a", "m" });
    CHECK(document.positionOf("m[1].x") == std::pair(10, 5));
    CHECK(document.positionOf("m[1].nothing") == std::pair(9, 1));
    CHECK(document.positionOf("nothing") == std::pair(1, 1));
}

TEST_CASE("the kind of a file is what it says")
{
    CHECK(Document("kind = \"lab\"").kind() == FileKind::lab);
    CHECK(Document("kind = \"study\"").kind() == FileKind::study);
    CHECK(Document("kind = \"result\"").kind() == FileKind::result);
    CHECK(Document("kind = \"profile\"", "x.toml").kind() == FileKind::profile);
    CHECK(Document("kind = \"storage\"", "profile.toml").kind() == FileKind::plan);
    CHECK(Document("", "my-profile.toml").kind() == FileKind::profile);
    CHECK(Document("").kind() == FileKind::plan);
    for (const auto& file : goodFiles()) {
        INFO(file);
        const auto document = Document::read(file).value();
        const std::string folder = file.parent_path().filename();
        CHECK(document.kind()
            == (folder == "profiles"   ? FileKind::profile
                    : folder == "labs" ? FileKind::lab
                                       : FileKind::plan));
    }
}
