// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/target_process.h"
#include "support/catch.h"
#include "support/program.h"

#include <csignal>
#include <fstream>

using namespace loadstone;
using namespace loadstone::session;

namespace {

plan::Target embedded()
{
    plan::Target target;
    target.embedded.present = target.smtp.present = target.pop3.present = true;
    return target;
}

/// A program that stands in for `loadstone`.
std::filesystem::path script(const test::ScratchFolder& folder, const std::string& body)
{
    const auto file = folder.path() / "program";
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
}

std::string errorOf(const std::filesystem::path& program, const plan::Target& target = embedded())
{
    const auto started = TargetProcess::start(program, target, "", 1);
    REQUIRE_FALSE(started);
    return started.error().message;
}

} // namespace

TEST_CASE("the embedded target listens when it has been started, and leaves its totals when it is stopped")
{
    auto started = TargetProcess::start(LOADSTONE_BIN_DIR "/loadstone", embedded(), "secret", 1);
    REQUIRE(started);
    TargetProcess& process = **started;
    CHECK(process.smtpPort() != 0);
    CHECK(process.pop3Port() != 0);
    const int pid = process.pid();
    CHECK(::kill(pid, 0) == 0);
    CHECK_THAT(process.stop(), ContainsSubstring("{"));
    CHECK(::kill(pid, 0) != 0);
    CHECK(process.stop().empty());
}

TEST_CASE("the target is the program that was chosen, or loadstone beside this one, and never this one")
{
    const test::ScratchFolder folder;
    const auto self = script(folder, "exit 0");
    const auto beside = folder.path() / "loadstone";
    CHECK(TargetProcess::find("/chosen", self).value() == "/chosen");

    const auto missing = TargetProcess::find({}, self);
    REQUIRE_FALSE(missing);
    CHECK_THAT(missing.error().message,
        ContainsSubstring("not at " + beside.string()) && ContainsSubstring("RunOptions::targetProgram"));
    std::filesystem::create_directory(beside);
    CHECK_FALSE(TargetProcess::find({}, self));
    std::filesystem::remove(beside);
    std::ofstream(beside) << "no program\n";
    CHECK_FALSE(TargetProcess::find({}, self));
    std::filesystem::permissions(beside, std::filesystem::perms::owner_all);
    CHECK(TargetProcess::find({}, self).value() == beside);
}

TEST_CASE("a target that does not come up says why")
{
    const test::ScratchFolder folder;
    CHECK_THAT(errorOf("/no/such/program"),
        ContainsSubstring("/no/such/program") && ContainsSubstring("No such file"));
    CHECK_THAT(errorOf(script(folder, "exit 3")),
        ContainsSubstring("did not start") && ContainsSubstring("ended at once"));
    for (const char* said : { "hello", "[]", "{}", "{\"event\":7}", "{\"event\":\"ready\"}",
             "{\"event\":\"ready\",\"smtp\":\"x\",\"pop3\":{}}" })
        CHECK_THAT(errorOf(script(folder, std::string("echo '") + said + "'; read wait")),
            ContainsSubstring("sent something unexpected"));
    CHECK_THAT(errorOf(script(folder, "yes x | tr -d '\\n'")), ContainsSubstring("cannot be understood"));
    plan::Target bad = embedded();
    bad.embedded.serviceTime = "whenever";
    CHECK_THAT(errorOf(LOADSTONE_BIN_DIR "/loadstone", bad), ContainsSubstring("ended at once"));
}

TEST_CASE("a target that will not end is ended")
{
    const test::ScratchFolder folder;
    const auto program = script(folder,
        "trap '' TERM\necho '{\"event\":\"ready\",\"smtp\":1,\"pop3\":2}'\nexec 1>&-\nwhile :; do sleep 1; "
        "done");
    auto started = TargetProcess::start(program, embedded(), "", 1);
    REQUIRE(started);
    const int pid = (*started)->pid();
    CHECK((*started)->stop().empty());
    CHECK(::kill(pid, 0) != 0);
}
