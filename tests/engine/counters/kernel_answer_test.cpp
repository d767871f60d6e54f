// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/local_kernel.h"
#include "counters/live/kernel_answer.h"
#include "support/catch.h"
#include "support/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

const std::string kToken = "word-1";

/// What a shell prints that gets the request by a pipe.
std::string answerOf(
    const std::string& shell, const KernelRequest& request, const test::ScratchFolder& folder)
{
    std::ofstream(folder / "script") << answerPreamble() << askingScript(request, kToken, 5);
    const auto end = test::runProgram(
        { "/bin/sh", "-c", fmt::format("cat '{}' | {}", (folder / "script").string(), shell) }, 60s);
    CHECK(end.errors.empty());
    REQUIRE(end.exitCode == 0);
    return end.output;
}

bool isThere(const std::string& shell)
{
    return test::runProgram({ "/bin/sh", "-c", shell + " -c true" }, 60s).exitCode == 0;
}

KernelSnapshot taken(const std::string& answer, const KernelRequest& request)
{
    KernelSnapshot kernel;
    const auto read = readAnswer(answer, kToken, request, kernel);
    INFO((read ? std::string() : read.error().message));
    REQUIRE(read);
    return kernel;
}

} // namespace

TEST_CASE("a shell answers with what this machine's files say")
{
    const std::string shell = GENERATE(as<std::string>(), "dash", "bash", "busybox sh");
    if (!isThere(shell)) {
        WARN(shell << " is not installed: left out");
        return;
    }
    INFO(shell);
    const test::ScratchFolder folder;
    fs::create_directories(folder / "it's a queue/A/B");
    for (const char* file : { "one", "A/two", "A/B/three", ".hidden" })
        std::ofstream(folder / "it's a queue" / file) << "x";
    std::ofstream(folder / "a:b") << "1:2\nlast line without an end";
    std::ofstream(folder / "empty").flush();
    const std::string self = "/proc/" + std::to_string(::getpid());
    KernelRequest request;
    request.files = { "/proc/version", folder / "a:b", folder / "empty", folder / "none", self + "/status",
        "/proc/self/net/snmp" };
    request.folders = { "/proc/self/ns" };
    request.entries = { self + "/exe", self + "/fd", folder / "none", folder.path() };
    request.firstArguments = { static_cast<std::uint32_t>(::getpid()), 4'000'000'000U };
    request.trees = { folder / "it's a queue", folder / "no queue", folder / "it's a queue/A" };
    request.everyProcess = request.interfaceStates = true;
    const KernelSnapshot there = taken(answerOf(shell, request, folder), request);
    LocalKernel local;
    KernelSnapshot here;
    REQUIRE(local.read(request, {}, here));

    CHECK(there.text("/proc/version") == here.text("/proc/version"));
    CHECK(there.text((folder / "a:b").string()) == "1:2\nlast line without an end\n");
    CHECK(there.files.contains((folder / "empty").string()));
    CHECK_FALSE(there.files.contains((folder / "none").string()));
    CHECK(there.reason((folder / "none").string()) == "No such file or directory");
    CHECK(there.text(self + "/status").find("Threads:") != std::string_view::npos);
    CHECK(there.text("/proc/self/net/snmp").find("Tcp:") != std::string_view::npos);
    auto names = *there.namesIn("/proc/self/ns"), localNames = *here.namesIn("/proc/self/ns");
    std::ranges::sort(names);
    std::ranges::sort(localNames);
    CHECK(names == localNames);
    CHECK(there.entries.at(self + "/exe").target == here.entries.at(self + "/exe").target);
    CHECK(there.entries.contains(self + "/fd"));
    CHECK(there.entries.at(folder.path().string()).size == here.entries.at(folder.path().string()).size);
    CHECK(there.firstArguments.at(static_cast<std::uint32_t>(::getpid()))
        == here.firstArguments.at(static_cast<std::uint32_t>(::getpid())));
    CHECK(there.firstArguments.at(4'000'000'000U).empty());
    CHECK(there.trees.at((folder / "it's a queue").string()) == 3);
    CHECK(there.trees.at((folder / "it's a queue/A").string()) == 2);
    CHECK(here.trees.at((folder / "it's a queue").string()) == 3);
    CHECK_FALSE(there.trees.contains((folder / "no queue").string()));
    CHECK(there.reason((folder / "no queue").string()) == "No such file or directory");
    CHECK(here.reason((folder / "no queue").string()) == "No such file or directory");
    CHECK(there.processes.contains(static_cast<std::uint32_t>(::getpid())));
    CHECK(there.text("/sys/class/net/lo/operstate") == here.text("/sys/class/net/lo/operstate"));
}

TEST_CASE("an answer is taken apart by its marks, whatever stands before it and in its files")
{
    KernelRequest request;
    request.files = { "/proc/a", "/proc/a:b", "/proc/7/io" };
    request.folders = { "/sys/block", "/proc/7/fd" };
    request.entries = { "/proc/7/exe", "/proc/8/exe", "/proc/7/fd" };
    request.trees = { "/q/one", "/q/two", "/q/three", "/q/four", "/q/five" };
    request.everyProcess = true;
    const KernelSnapshot kernel =
        taken("Welcome!\nword-2:begin\nword-1:begin\nword-1:files\n"
              "/proc/a:x\n/proc/a:b:y\n/proc/c:z\n/proc/a:/proc/7/io:no\n"
              "/proc/9/stat:9 (a\n/proc/9/stat:b) S\n/proc/x/stat:1\n"
              "grep: /proc/11/stat: binary file matches\n"
              "word-1:errors\ngrep: /proc/7/io: Permission denied\n"
              "word-1:folders\n/sys/block:\nsda\nsdb\n\n/etc:\npasswd\n\n/proc/7/fd:\n"
              "word-1:errors\nls: cannot open directory '/proc/7/fd': Permission denied\n"
              "word-1:entries\n"
              "lrwxrwxrwx 1 0 0 0 Nov 23 14:00 /proc/7/exe -> /opt/my server/x -> y\n"
              "dr-x------    2 0        0               12 Nov 23  2026 /proc/7/fd\n"
              "lrwxrwxrwx 1 0 0 9 Nov 23 14:00 /proc/10/exe -> /bin/sh\n"
              "word-1:errors\nls: /proc/8/exe: cannot read link: Permission denied\n"
              "word-1:tree\n   12\nstatus 0\n"
              "word-1:tree\n5\nfind: '/q/two/A': No such file or directory\nstatus 1\n"
              "word-1:tree\n5\nfind: '/q/three/A': Permission denied\nstatus 1\n"
              "word-1:tree\n200001\nstatus 141\n"
              "word-1:tree\n5\nstatus 124\n"
              "word-1:end\n",
            request);
    // A path with a colon in it is told from one that ends there by the line before, or by the request.
    CHECK(kernel.text("/proc/a") == "x\nb:y\n/proc/7/io:no\n");
    CHECK_FALSE(kernel.files.contains("/proc/c"));
    CHECK_FALSE(kernel.files.contains("/proc/7/io"));
    CHECK(kernel.reason("/proc/7/io") == "Permission denied");
    CHECK(kernel.processes.size() == 1);
    CHECK(kernel.processes.at(9) == "9 (a\nb) S\n");
    CHECK(*kernel.namesIn("/sys/block") == std::vector<std::string> { "sda", "sdb" });
    CHECK(kernel.folders.size() == 1);
    CHECK(kernel.reason("/proc/7/fd") == "Permission denied");
    CHECK(kernel.entries.at("/proc/7/exe").target == "/opt/my server/x -> y");
    CHECK(kernel.entries.at("/proc/7/fd").size == 12);
    CHECK(kernel.entries.size() == 2);
    CHECK(kernel.reason("/proc/8/exe") == "Permission denied");
    CHECK(kernel.trees == std::map<std::string, double, std::less<>> { { "/q/one", 12 }, { "/q/two", 5 } });
    CHECK(kernel.reason("/q/three") == "Permission denied");
    CHECK(kernel.reason("/q/four").find("200,000") != std::string::npos);
    CHECK(kernel.reason("/q/five").find("time limit") != std::string::npos);
}

TEST_CASE("the reasons that another machine gives are short and plain")
{
    KernelRequest request;
    request.files = { "/proc/7/io" };
    request.trees = { "/q" };
    const KernelSnapshot kernel =
        taken("word-1:begin\nword-1:files\nword-1:errors\ngrep: /proc/7/io: no\x1b[2K\n"
              "word-1:tree\n5\nfind: '/q/A': "
                + std::string(5000, 'x') + "\nstatus 1\nword-1:end\n",
            request);
    CHECK(kernel.reason("/proc/7/io") == "no?[2K");
    CHECK(kernel.reason("/q") == std::string(200, 'x'));
}

TEST_CASE("an answer without begin or end is none")
{
    KernelSnapshot kernel;
    CHECK_FALSE(readAnswer("", kToken, {}, kernel));
    CHECK_FALSE(readAnswer("hello\nword-1:end\n", kToken, {}, kernel));
    CHECK_FALSE(readAnswer("word-1:begin\nword-1:files\n/proc/a:x\n", kToken, {}, kernel));
    CHECK(readAnswer("word-1:begin\nword-1:end\n", kToken, {}, kernel));
}

TEST_CASE("paths of a request are one word each for the shell")
{
    const test::ScratchFolder folder;
    KernelRequest request;
    const std::string evil = (folder / "x'; touch $(echo made) `id` \"*\" -e").string();
    request.files = { evil };
    request.trees = { evil };
    const auto kernel = taken(answerOf("sh", request, folder), request);
    CHECK(kernel.files.empty());
    CHECK(kernel.reason(evil) == "No such file or directory");
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1); // the script
}
