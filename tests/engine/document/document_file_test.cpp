// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_texts.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/document.h>

#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace loadstone;
using loadstone::test::ScratchFolder;

namespace {

std::filesystem::path write(const ScratchFolder& folder, const std::string& name, const std::string& text)
{
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
}

unsigned modeOf(const std::filesystem::path& file)
{
    struct stat status { };
    REQUIRE(::stat(file.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

std::size_t filesIn(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

} // namespace

TEST_CASE("a document is saved with the mode of its file")
{
    const ScratchFolder folder;
    const auto file = write(folder, "plan.toml", "a = 1\n");
    ::chmod(file.c_str(), 0640);
    auto document = Document::read(file).value();
    REQUIRE(document.set("a", "2"));
    CHECK(document.isModified());
    REQUIRE(document.save());
    CHECK_FALSE(document.isModified());
    CHECK(contentOf(file) == "a = 2\n");
    CHECK(modeOf(file) == 0640);
    CHECK(filesIn(folder.path()) == 1);
    document.undo(); // goes on behind the saving
    CHECK(document.isModified());
    REQUIRE(document.save());
    CHECK(contentOf(file) == "a = 1\n");
}

TEST_CASE("a file that somebody else has changed is not overwritten unless that is asked for")
{
    const ScratchFolder folder;
    const auto file = write(folder, "plan.toml", "a = 1\n");
    auto document = Document::read(file).value();
    REQUIRE(document.set("a", "2"));
    static_cast<void>(write(folder, "plan.toml", "a = 3\n"));
    const auto refused = document.save();
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, ContainsSubstring("changed by another program"));
    CHECK(contentOf(file) == "a = 3\n");
    REQUIRE(document.save(true));
    CHECK(contentOf(file) == "a = 2\n");
    std::filesystem::remove(file); // nothing is lost by writing it again
    REQUIRE(document.set("a", "4"));
    REQUIRE(document.save());
    CHECK(contentOf(file) == "a = 4\n");
}

TEST_CASE("a link in the place of the file is not followed")
{
    const ScratchFolder folder;
    const auto other = write(folder, "other.toml", "a = 1\n");
    std::filesystem::create_symlink(other, folder / "link.toml");
    auto document = Document::read(folder / "link.toml").value();
    REQUIRE(document.set("a", "2"));
    CHECK_FALSE(document.save());
    CHECK_FALSE(document.save(true));
    CHECK_FALSE(document.saveAs(folder / "link.toml"));
    CHECK(contentOf(other) == "a = 1\n");
    REQUIRE(document.saveAs(folder / "new.toml"));
    CHECK(document.name() == "new.toml");
    CHECK(document.file() == folder / "new.toml");
    CHECK(contentOf(folder / "new.toml") == "a = 2\n");
    CHECK(filesIn(folder.path()) == 3);
}

TEST_CASE("a document without a file, or whose folder is not there, says so")
{
    Document document("a = 1\n", "plan of mine");
    const auto unsaved = document.save();
    REQUIRE_FALSE(unsaved);
    CHECK_THAT(unsaved.error().message, Catch::StartsWith("plan of mine: has no file yet"));
    CHECK_FALSE(document.saveAs("/tmp/document-nowhere/plan.toml"));
    CHECK(document.file().empty());
    CHECK_FALSE(Document::read("/tmp/document-nowhere/plan.toml"));
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "d.toml");
    CHECK_FALSE(document.saveAs(folder / "d.toml"));
}
