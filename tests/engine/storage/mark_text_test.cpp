// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "storage/device/mark_text.h"
#include "storage/store/group_mark.h"
#include "support/catch.h"
#include "support/program.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <fstream>
#include <sstream>

using namespace loadstone;
using namespace loadstone::storage;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("a mark is read line by line, and what is no line of one says nothing")
{
    const MarkText mark =
        MarkText::parse("# owner = nobody\nowner = me\nfolder = /b c\nempty = \nodd\nfolder = /a = b\n\n"
                        "size = 12\nowner = another\nlarge = 18446744073709551616\nhalf = 0.5\nunit = 3 MB");
    CHECK(mark.value("owner") == "me");
    CHECK(mark.values("folder") == std::vector<std::string> { "/b c", "/a = b" });
    CHECK(mark.has("empty"));
    CHECK(mark.value("empty").empty());
    CHECK_FALSE(mark.has("odd"));
    CHECK_FALSE(mark.has("# owner"));
    CHECK(mark.values("missing").empty());
    CHECK(mark.number<std::uint64_t>("size") == 12);
    CHECK(mark.number<double>("half") == 0.5);
    CHECK_FALSE(mark.number<std::uint64_t>("large"));
    CHECK_FALSE(mark.number<std::uint8_t>("half"));
    CHECK_FALSE(mark.number<std::uint64_t>("unit"));
    CHECK_FALSE(mark.number<std::uint64_t>("empty"));
    CHECK_FALSE(mark.number<std::uint64_t>("missing"));
}

TEST_CASE("a storage group's mark has the lines that other versions have written")
{
    const test::ScratchFolder folder;
    GroupOptions options;
    options.name = "east";
    options.logFolder = folder.path();
    GroupMake make;
    make.pagesPerDatabase = 640;
    make.records = 99;
    make.shape.compression = 1.1;
    make.shape.duplication = 0.25;
    make.databaseFolders = options.databaseFolders = { folder.path(), folder / "more" };
    auto mark = GroupMark::claim(options, make);
    REQUIRE(mark);
    REQUIRE(mark->begin(7));
    const FileDescriptor file(::open(mark->path().c_str(), O_RDONLY | O_CLOEXEC));
    const auto place = placeOf(file, mark->path());
    REQUIRE(place);
    const std::string expected = fmt::format(
        "# Loadstone made the storage group \"east\": the files beside this one and in the folders below "
        "that begin "
        "with\n# its name. `loadstone storage clean` removes them all.\n"
        "format = 2\ngroup = east\nidentity = {}\ninode = {}\nuuid = {}\nfsid = {}\nsignature = {}\nseed = "
        "7\n"
        "page_size = 8192\npages = 640\nrecords = 99\nlog_file = 1048576\nlog_segment = 512\nshort_pad = "
        "200\n"
        "long_pad = 2000\ncompression = 1.1\nduplication = 0.25\ndatabase = {}\ndatabase = {}\nstate = ",
        mark->identity().text(), place->inode, place->uuid, place->fsid, mark->signature(),
        folder.path().string(), (folder / "more").string());
    CHECK(contentOf(mark->path()) == expected + "making\n");
    REQUIRE(mark->finish());
    CHECK(contentOf(mark->path()) == expected + "made\n");
}
