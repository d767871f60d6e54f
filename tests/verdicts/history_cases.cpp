// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A history that goes, fills up or cannot be written, and a clock that jumps.
#include "mail_plan.h"

#include <fmt/format.h>

#include <unistd.h>

namespace loadstone::test {

namespace {

std::string whyNoMount()
{
    return ::geteuid() == 0 ? "" : "only root may mount a small file system";
}

VerdictCase historyGone()
{
    return { "The history's folder is removed in mid-run", "rm -r of the folder", "none", 1, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.measurement = "4 s";
            const std::string file = write(scene, plan);
            const auto history = scene.folder() / "history";
            WatchedProgram run({ LOADSTONE_BIN_DIR "/loadstone", "--history", history.string(), "run", file, "--json", "--no-preflight" });
            RunEnd end;
            bool measuring = false, removed = false;
            for (auto line = run.line(); line; line = run.line()) {
                const auto json = nlohmann::json::parse(*line, nullptr, false);
                measuring = measuring || json.value("kind", "") == "measurement";
                if (measuring && !removed) {
                    std::filesystem::remove_all(history);
                    removed = true;
                }
            }
            end.exitCode = run.wait();
            const bool there = std::filesystem::exists(history / "runs");
            const auto files = there ? std::distance(std::filesystem::directory_iterator(history / "runs"), {}) : 0;
            witness = none("files in the folder", static_cast<std::uint64_t>(files));
            return end;
        } };
}

VerdictCase diskFull()
{
    return { "The history's disk is full", "a file system in memory that another file fills in mid-run", "none", 1, {},
        [](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.measurement = "4 s";
            const std::string file = write(scene, plan);
            // The mount is the run's own: it goes with it, and nothing of the recording is left to be shown.
            const std::string script = fmt::format(
                "mkdir -p {0} && mount -t tmpfs -o size=4m none {0} && {{ (sleep 3; cat /dev/zero > {0}/filler) & }} && "
                "{1} --history {0} run {2} --json --no-preflight; code=$?; df --output=avail {0} | tail -1; exit $code",
                (scene.folder() / "small").string(), LOADSTONE_BIN_DIR "/loadstone", file);
            const ProgramEnd ended
                = runProgram({ "unshare", "-m", "sh", "-c", script + " 2>/dev/null" }, std::chrono::seconds(120));
            RunEnd end;
            end.exitCode = ended.exitCode;
            insist(ended.output.find("\"written\":false") != std::string::npos, "it does not say that the history cannot be written");
            const std::string free = ended.output.substr(ended.output.rfind('\n', ended.output.size() - 2) + 1);
            insist(std::stoull(free) < 256, "df finds free: " + free);
            witness = fmt::format("df: {} of 4,096 KB are free at the end", std::stoull(free));
            return end;
        },
        whyNoMount };
}

VerdictCase readOnly()
{
    return { "The history cannot be written from the start", "its folder lies on a file system mounted read-only", "none", 1, {},
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            const std::string script = fmt::format("mkdir -p {0} && mount -t tmpfs -o ro none {0} && {1} --history {0}/history run {2} --no-preflight",
                (scene.folder() / "read-only").string(), LOADSTONE_BIN_DIR "/loadstone", write(scene, {}));
            const ProgramEnd ended = runProgram({ "unshare", "-m", "sh", "-c", script }, std::chrono::seconds(60));
            insist(ended.errors.find("ead-only file system") != std::string::npos, "it does not say why: " + ended.errors);
            witness = none("connections that the target saw", target.total("connections"));
            RunEnd end;
            end.exitCode = ended.exitCode;
            return end;
        },
        whyNoMount };
}

VerdictCase clockSetBack()
{
    return { "The clock is set back by a day in mid-run", "libfaketime, wall clock only", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            const std::string offset = scene.file("faketime", "+0\n");
            RunEnd end = scene.run(
                write(scene, {}),
                [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                    if (phase == "measurement" && tick == 1)
                        (void)scene.file("faketime", "-86400\n");
                },
                {},
                { { "LD_PRELOAD", "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1" },
                    { "FAKETIME_TIMESTAMP_FILE", offset }, { "FAKETIME_CACHE_DURATION", "1" },
                    { "DONT_FAKE_MONOTONIC", "1" } });
            const auto& measured = end.results().at("mixes").at(0).at("measured");
            insist(measured.at("end").get<double>() - measured.at("begin").get<double>() == 3.0, measured.dump());
            witness = agreeTimes("length of the run, recording and this test's steady clock",
                          end.listed.at("length").get<double>(), end.lasted, 1.5)
                + "; " + compareAccepted(end, target);
            return end;
        },
        [] {
#if defined(__SANITIZE_ADDRESS__)
            return std::string("a sanitizer and libfaketime do not go together");
#else
            return std::filesystem::exists("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
                ? std::string()
                : std::string("libfaketime is not installed");
#endif
        } };
}

} // namespace

std::vector<VerdictCase> historyCases()
{
    return { historyGone(), diskFull(), readOnly(), clockSetBack() };
}

} // namespace loadstone::test
