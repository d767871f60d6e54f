// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is not Loadstone's is neither written to nor removed, and what others say does nothing to a terminal.
#include "cli.h"
#include "sample_suite.h"
#include "support/catch.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sqlite3.h>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using Catch::Matchers::Contains;
using loadstone::test::Cli;
using loadstone::test::ProgramEnd;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

void put(const fs::path& file, const std::string& content)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

/// A storage plan of one group; its folders are made.
struct Group {
    const Cli& cli;
    std::string data, log, plan;
    Group(const Cli& with, const std::string& name, const std::string& dataFolder, const std::string& logFolder,
        const std::string& test = "kind = \"checksum\"\n")
        : cli(with)
        , data(with.file(dataFolder))
        , log(with.file(logFolder))
    {
        fs::create_directories(data);
        fs::create_directories(log);
        plan = with.file(name,
            "format = 1\nkind = \"storage\"\n[database]\ncache_minimum = \"2 MB\"\ncache_maximum = \"2 MB\"\n"
            "checkpoint_depth = \"5 MB\"\ndirect = false\n[load]\nthreads = 1\n[[groups]]\nname = \"g\"\n"
            "databases = [\"" + data + "\"]\nlog = \"" + log + "\"\ndatabase_size = \"4 MB\"\n[[tests]]\n" + test);
    }
    void make() const
    {
        const ProgramEnd end = cli({ "storage", "init", plan, "--quiet" });
        INFO(end.output << end.errors);
        REQUIRE(end.exitCode == 0);
    }
    [[nodiscard]] std::string mark() const { return log + "/g.loadstone"; }
};

void refused(const ProgramEnd& end, const std::string& why)
{
    INFO(end.output << end.errors);
    CHECK(end.exitCode != 0);
    CHECK_THAT(end.output + end.errors, Contains(why));
}

} // namespace

TEST_CASE("a mark that was edited to name another folder removes nothing there")
{
    const Cli cli;
    const Group group(cli, "plan.toml", "data", "log");
    group.make();
    const std::string foreign = cli.file("foreign");
    fs::create_directory(foreign);
    put(foreign + "/g-1.database", "precious");
    put(foreign + "/g.copies", "precious");
    const std::string edited =
        std::regex_replace(contentOf(group.mark()), std::regex("database = [^\n]*"), "database = " + foreign);
    put(group.mark(), edited); // in place: the mark is the same file
    refused(cli({ "storage", "clean", group.plan, "--yes" }), "was made with databases in " + foreign);
    CHECK(contentOf(foreign + "/g-1.database") == "precious");
    CHECK(contentOf(foreign + "/g.copies") == "precious");

    // Also where the plan names that folder: the files themselves say whose they are.
    const Group there(cli, "there.toml", "foreign", "log");
    for (const char* command : { "clean", "run", "verify", "recover" })
        refused(cli({ "storage", command, there.plan, command == std::string("clean") ? "--yes" : "--quiet" }),
            "not a file of Loadstone");
    CHECK(contentOf(foreign + "/g-1.database") == "precious");
    CHECK(fs::exists(group.data + "/g-1.database"));
}

TEST_CASE("a copied mark leads to nothing, whether its group is in use or not")
{
    const Cli cli;
    const Group group(cli, "plan.toml", "data", "log");
    group.make();
    const Group other(cli, "other.toml", "data", "log-2");
    fs::copy_file(group.mark(), other.mark());
    refused(cli({ "storage", "clean", other.plan, "--yes" }), "is a copy of a storage group's mark");
    CHECK(fs::exists(group.data + "/g-1.database"));

    // One that was made to look real meets the lock of the files that it leads to.
    struct stat status { };
    REQUIRE(::stat(other.mark().c_str(), &status) == 0);
    put(other.mark(),
        std::regex_replace(contentOf(group.mark()), std::regex("inode = [0-9]+"),
            "inode = " + std::to_string(status.st_ino)));
    const int held = ::open((group.data + "/g-1.database").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(held >= 0);
    REQUIRE(::flock(held, LOCK_EX | LOCK_NB) == 0);
    refused(cli({ "storage", "clean", other.plan, "--yes" }), "another run is using it");
    CHECK(fs::exists(group.data + "/g-1.database"));
    ::close(held);
}

TEST_CASE("nothing is written through a link in the place of a group's file")
{
    const Cli cli;
    const Group group(cli, "plan.toml", "data", "log",
        "kind = \"performance\"\nduration = \"2 s\"\nwarm_up = \"1 s\"\n");
    group.make();
    const std::string victim = cli.file("victim");
    put(victim, std::string(3'000'000, '\0'));
    fs::rename(group.data + "/g.copies", cli.file("kept"));
    fs::create_symlink(victim, group.data + "/g.copies");
    refused(cli({ "storage", "run", group.plan, "--no-preflight", "--quiet" }), "is a symbolic link");
    refused(cli({ "storage", "clean", group.plan, "--yes" }), "is a symbolic link");
    CHECK(contentOf(victim) == std::string(3'000'000, '\0'));
}

TEST_CASE("a copied group is refused, and what to do is said; its original goes on")
{
    const Cli cli;
    const Group group(cli, "plan.toml", "data", "log");
    group.make();
    fs::rename(group.data, cli.file("away"));
    fs::copy(cli.file("away"), group.data);
    refused(cli({ "storage", "run", group.plan, "--no-preflight", "--quiet" }),
        "is a copy of a file that Loadstone made");
    fs::remove_all(group.data);
    fs::rename(cli.file("away"), group.data);
    const ProgramEnd end = cli({ "storage", "verify", group.plan, "--quiet" });
    INFO(end.output << end.errors);
    CHECK(end.exitCode == 0);
    CHECK(cli({ "storage", "clean", group.plan, "--yes", "--quiet" }).exitCode == 0);
    CHECK(fs::is_empty(group.data));
    CHECK(fs::is_empty(group.log));
}

TEST_CASE("a foreign catalogue.db is left alone, whatever is in it")
{
    const Cli cli;
    fs::create_directory(cli.file("history"));
    const std::string file = cli.file("history/catalogue.db");
    put(file, "my precious notes");
    refused(cli({ "list" }), "not a catalogue of Loadstone");
    CHECK(contentOf(file) == "my precious notes");

    fs::remove(file);
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, "CREATE TABLE mine (x)", nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
    const std::string before = contentOf(file);
    refused(cli({ "list" }), "not a catalogue of Loadstone");
    CHECK(contentOf(file) == before);
    CHECK_FALSE(fs::exists(file + "-wal"));
}

TEST_CASE("folders with names that SQLite takes for something else hold a history")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    for (const char* name : { ":memory:", "a?b", "a%20b", "a#b", "file:x", "file::memory:?cache=shared" }) {
        const std::string folder = cli.file("places");
        fs::create_directories(folder);
        const auto in = [&](const std::string& arguments) {
            return cli.under({ "bash", "-c", "cd '" + folder + "' && \"$0\" " + arguments + " --history '" + name + "'" }, {});
        };
        INFO(name);
        const ProgramEnd imported = in("import '" + cli.file("sample.loadstone") + "'");
        INFO(imported.errors);
        CHECK(imported.exitCode == 0);
        CHECK_THAT(in("list").output, Contains("20261121-140305-7f3a"));
        CHECK_THAT(in("show last").output, Contains("20261121-140305-7f3a"));
        CHECK(in("export last --format archive --output out.loadstone").exitCode == 0);
        CHECK(fs::exists(folder + "/" + name + "/runs/20261121-140305-7f3a.loadstone"));
        fs::remove_all(folder);
    }
}

TEST_CASE("a history in a read-only place is listed, shown and exported")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    REQUIRE(cli({ "import", cli.file("sample.loadstone") }).exitCode == 0);
    const std::string history = cli.file("history");
    for (const bool listed : { true, false }) { // with and without a catalogue
        if (!listed)
            for (const char* suffix : { "", "-wal", "-shm" })
                fs::remove(history + "/catalogue.db" + suffix);
        // As somebody who may only read there: where the test is root, whom permissions do not stop, as another user.
        const bool root = ::geteuid() == 0;
        const auto reads = fs::perms::owner_read | fs::perms::others_read | fs::perms::owner_exec | fs::perms::others_exec;
        fs::permissions(fs::path(history).parent_path(), fs::perms::others_exec, fs::perm_options::add);
        for (const auto& entry : fs::recursive_directory_iterator(history))
            fs::permissions(entry.path(), reads);
        fs::permissions(history, reads);
        fs::create_directories(cli.file("out"));
        fs::permissions(cli.file("out"), fs::perms::all);
        const auto in = [&](const std::string& arguments) {
            return cli.under(
                { "bash", "-c",
                    std::string("exec ") + (root ? "setpriv --reuid=54321 --regid=54321 --clear-groups " : "") + "\"$0\" " + arguments },
                {});
        };
        const ProgramEnd list = in("list");
        INFO(list.errors);
        CHECK(list.exitCode == 0);
        CHECK_THAT(list.output, Contains("20261121-140305-7f3a"));
        CHECK_THAT(in("show last").output, Contains("20261121-140305-7f3a"));
        CHECK(in("export last --format archive --output '" + cli.file("out/run.loadstone") + "'").exitCode == 0);
        CHECK(fs::exists(cli.file("out/run.loadstone")));
        for (const char* part : { "", "/runs" })
            fs::permissions(history + part, fs::perms::owner_all);
    }
}

TEST_CASE("without HOME no history appears in the working folder")
{
    const Cli cli;
    const std::string folder = cli.file("work");
    fs::create_directory(folder);
    // As a user whom the system does not know, and who has no home therefore.
    const ProgramEnd end = cli.under({ "bash", "-c",
                                         "cd '" + folder
                                             + "' && exec env -u HOME -u LOADSTONE_HISTORY -u XDG_DATA_HOME "
                                             + (::geteuid() == 0 ? "setpriv --reuid=54321 --regid=54321 --clear-groups " : "")
                                             + "\"$0\" list" },
        {});
    INFO(end.output << end.errors);
    if (::geteuid() == 0) {
        CHECK(end.exitCode == 1);
        CHECK_THAT(end.errors, Contains("HOME is not set"));
    }
    CHECK(fs::is_empty(folder));
}

TEST_CASE("an imported run whose id is of the far future is not the last for ever")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    const std::string future = cli.file("future.loadstone");
    fs::copy_file(cli.file("sample.loadstone"), future);
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(future.c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, "UPDATE run SET id = '99991231-235959-ffff'", nullptr, nullptr, nullptr)
        == SQLITE_OK);
    sqlite3_close(database);
    REQUIRE(cli({ "import", future }).exitCode == 0);
    const std::string plan = cli.file("plan.toml",
        "format = 1\nkind = \"mail\"\ndelivery_limit = \"1 s\"\ndrain = \"1 s\"\n[target]\nuser = \"u{n}\"\n"
        "[target.embedded]\n[workload]\npacing = \"closed\"\n[[workload.steps]]\naction = \"send message\"\n"
        "size = \"1 KB\"\nrecipients = 1\n[mix]\nthreads_per_client = 1\nmailboxes_per_client = 2\n"
        "ramp_up = \"1 s\"\nmeasurement = \"1 s\"\nramp_down = \"1 s\"\n[[mixes]]\nclients = 1\n");
    const ProgramEnd run = cli({ "run", plan, "--quiet" });
    INFO(run.output << run.errors);
    const ProgramEnd last = cli({ "show", "last" });
    CHECK_THAT(last.output, !Contains("99991231"));
}

TEST_CASE("recordings and their folders are for their owner alone, exported ones too")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    REQUIRE(cli({ "import", cli.file("sample.loadstone") }).exitCode == 0);
    REQUIRE(cli({ "export", "last", "--format", "archive", "--output", cli.file("out.loadstone") }).exitCode == 0);
    const auto others = fs::perms::group_all | fs::perms::others_all;
    for (const char* path : { "history", "history/runs", "history/catalogue.db",
             "history/runs/20261121-140305-7f3a.loadstone", "out.loadstone" }) {
        INFO(path);
        CHECK((fs::status(cli.file(path)).permissions() & others) == fs::perms::none);
    }
}

TEST_CASE("an export replaces no link's target and leaves nothing behind")
{
    const Cli cli;
    loadstone::test::writeSampleSuite(cli.file("sample.loadstone"));
    REQUIRE(cli({ "import", cli.file("sample.loadstone") }).exitCode == 0);
    fs::create_directory(cli.file("out"));
    put(cli.file("victim"), "precious");
    for (const char* name : { "run-results.csv.partial", "run-counters.csv.partial" })
        fs::create_symlink(cli.file("victim"), cli.file(std::string("out/") + name));
    CHECK(cli({ "export", "last", "--format", "csv", "--output", cli.file("out/run.csv") }).exitCode == 0);
    CHECK(contentOf(cli.file("victim")) == "precious");
    fs::create_directory(cli.file("out/taken.loadstone"));
    CHECK(cli({ "export", "last", "--format", "archive", "--output", cli.file("out/taken.loadstone") }).exitCode != 0);
    for (const auto& entry : fs::directory_iterator(cli.file("out")))
        CHECK(entry.path().filename().string().find(".part-") == std::string::npos);
}

TEST_CASE("what an imported recording says does nothing to a terminal")
{
    const Cli cli;
    const std::string file = cli.file("sample.loadstone");
    loadstone::test::writeSampleSuite(file);
    const std::string hostile = "x\x1b]0;owned\x07\x1b[2J\nState forged\x7f\xc2\x9b\xe2\x80\xae \r";
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    for (const char* sql : { "UPDATE run SET title = ?1, plan_name = ?1, computer = ?1, reason = ?1",
             "UPDATE mix SET name = ?1", "UPDATE phase SET mix_name = ?1", "UPDATE event SET text = ?1",
             "INSERT INTO event (target, at, severity, text) VALUES ('', 1, 2, ?1)",
             "INSERT INTO invalid_reason (target, text) VALUES ('', ?1)",
             "INSERT INTO annotation (made, kind, text, at) VALUES (1, 'note', ?1, 0)",
             "INSERT INTO annotation (made, kind, text, at) VALUES (1, 'tag', ?1, 0)",
             "UPDATE failure_kind SET kind = ?1" }) {
        sqlite3_stmt* statement = nullptr;
        REQUIRE(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) == SQLITE_OK);
        sqlite3_bind_text(statement, 1, hostile.data(), static_cast<int>(hostile.size()), SQLITE_STATIC);
        CHECK(sqlite3_step(statement) == SQLITE_DONE);
        sqlite3_finalize(statement);
    }
    sqlite3_close(database);
    REQUIRE(cli({ "import", file }).exitCode == 0);
    for (const std::vector<std::string>& command : { std::vector<std::string> { "list" }, { "list", "--json" },
             { "show", "last" }, { "show", "last", "--json" }, { "tag", "last", "fine" },
             { "export", "last", "--format", "html", "--output", "/dev/full/\x1b[2J" } }) {
        const ProgramEnd end = cli(command);
        const std::string said = end.output + end.errors;
        INFO(command[0] << ": " << said);
        for (const char* bad : { "\x1b", "\x07", "\x7f", "\r", "\xc2\x9b", "\xe2\x80\xae", "\nState forged" })
            CHECK(said.find(bad) == std::string::npos);
    }
    CHECK_THAT(cli({ "show", "last" }).output, Contains("\\u001b[2J\\u000aState forged\\u007f\\u009b\\u202e"));
}

TEST_CASE("a plan of hostile size is refused by its size, in one sentence")
{
    const Cli cli;
    const auto many = [](std::size_t count, auto piece) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i)
            text += piece(std::to_string(i));
        return text;
    };
    const std::string head = "format = 1\n";
    const std::string folders = many(40'000, [](const std::string& i) { return "\"/d" + i + "\","; });
    for (const auto& [text, said] :
        { std::pair { head + many(40'000, [](const std::string& i) { return "k" + i + " = 1\n"; }),
              "values; a plan may have at most 20000" },
            std::pair {
                head + "kind = \"storage\"\n[[groups]]\nlog = \"/l\"\ndatabases = [" + folders + "]\n",
                "values; a plan may have at most 20000" },
            std::pair { head + "kind = \"storage\"\n[[groups]]\nlog = \"/l\"\ndatabases = ["
                    + folders.substr(0, folders.find("\"/d3000\"")) + "]\n",
                "write at most 100 groups, and 2000 databases in total" },
            std::pair { head + many(3000, [](const std::string& i) { return "k" + i + " = 1\n"; }),
                "more problems are not shown" } }) {
        const ProgramEnd end = cli({ "check", cli.file("plan.toml", text) });
        INFO(end.errors.substr(0, 400));
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains(said));
        CHECK(std::count(end.errors.begin(), end.errors.end(), '\n') <= 101);
    }
}

TEST_CASE("a recording that has more than a plan can have is refused")
{
    const Cli cli;
    for (const auto& [sql, said] : {
             std::pair { "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 900) "
                         "INSERT INTO target SELECT i, 't' || i FROM n",
                 "target" },
             std::pair { "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) "
                         "INSERT INTO phase SELECT i, 0, 'm', 1, 9000000000000, 9000000000000, 0 FROM n",
                 "phase" },
             std::pair { "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 900) "
                         "INSERT INTO phase SELECT (SELECT max(id) FROM phase) + 1 + i, 0, 'm', 1, 9000000000000, "
                         "9000000000000, 0 FROM n",
                 "measurements, and a run has at most 200" } }) {
        const std::string file = cli.file("hostile.loadstone");
        loadstone::test::writeSampleSuite(file);
        sqlite3* database = nullptr;
        REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
        REQUIRE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(database);
        const ProgramEnd end = cli({ "show", file });
        INFO(end.errors);
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, Contains(said));
        fs::remove(file);
    }
}
