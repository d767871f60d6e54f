// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.h"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace loadstone::test {

namespace {

ProgramEnd shell(const std::string& script)
{
    return runProgram({ "sh", "-c", script }, std::chrono::seconds(60));
}

/// Why no file system on a loop device can be made and frozen here.
std::string whyNoLoopDevice()
{
    if (::geteuid() != 0)
        return "only root may make a loop device";
    const ProgramEnd tools = shell("command -v losetup mkfs.ext4 fsfreeze && losetup --find");
    return tools.exitCode == 0 ? "" : "no loop device can be had here: " + tools.errors;
}

/// An ext4 file system on a loop device, which can be frozen: its writes then wait in the kernel.
class LoopVolume {
public:
    explicit LoopVolume(const std::filesystem::path& folder)
        : m_mount(folder / "volume")
    {
        const auto image = folder / "volume.img";
        const ProgramEnd made = shell(fmt::format(
            "set -e; mkdir {0}; truncate -s 300M {1}; mkfs.ext4 -q -E lazy_itable_init=0 {1}; losetup --find --show {1}",
            m_mount.string(), image.string()));
        if (made.exitCode != 0)
            throw std::runtime_error("no loop device: " + made.errors);
        m_device = made.output.substr(0, made.output.find('\n'));
        if (const ProgramEnd mounted = shell("mount " + m_device + " " + m_mount.string()); mounted.exitCode != 0) {
            shell("losetup --detach " + m_device);
            throw std::runtime_error("no loop device: " + mounted.errors);
        }
    }
    ~LoopVolume()
    {
        thaw();
        shell(fmt::format("for i in $(seq 50); do umount {0} && break; sleep 0.1; done; losetup --detach {1}",
            m_mount.string(), m_device));
    }
    LoopVolume(const LoopVolume&) = delete;
    LoopVolume& operator=(const LoopVolume&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_mount; }
    void freeze()
    {
        if (shell("fsfreeze -f " + m_mount.string()).exitCode != 0)
            throw std::runtime_error("the volume cannot be frozen");
        m_frozen = true;
        m_writesBefore = writes();
    }
    /// Gives the writes that the device completed while it was frozen.
    std::uint64_t thaw()
    {
        if (!m_frozen)
            return 0;
        const std::uint64_t meanwhile = writes() - m_writesBefore;
        shell("fsfreeze -u " + m_mount.string());
        m_frozen = false;
        return meanwhile;
    }

private:
    /// Of the device so far, by /sys/block (the fifth number of stat).
    [[nodiscard]] std::uint64_t writes() const
    {
        std::ifstream in("/sys/block/" + m_device.substr(m_device.rfind('/') + 1) + "/stat");
        std::uint64_t number = 0;
        for (int i = 0; i < 5; ++i)
            in >> number;
        return number;
    }

    std::filesystem::path m_mount;
    std::string m_device;
    bool m_frozen = false;
    std::uint64_t m_writesBefore = 0;
};

/// One group with one small database below `folder`.
std::string storagePlan(
    Scene& scene, const std::filesystem::path& folder, const std::string& duration, const std::string& size = "32 MB")
{
    std::filesystem::create_directories(folder / "data");
    std::filesystem::create_directories(folder / "log");
    return scene.file("storage.toml",
        fmt::format(R"(format = 1
kind = "storage"
title = "Verdict"
seed = 3
preset = "exchange-2007"
[health]
max_worker_cpu = "100 %"
max_run_queue_wait = "100 %"
max_throttled = "100 %"
max_steal = "100 %"
max_loop_lag_p99 = "60 s"
max_standstill = "1 h"
keep_processors_awake = false
[database]
cache_minimum = "16 MB"
cache_maximum = "16 MB"
[load]
pacing = "threads"
threads = 2
[limits]
page_fault_stalls = 100000
average_database_read = "10 s"
maximum_database_read = "10 s"
average_log_write = "2 s"
maximum_log_write = "4 s"
lenient_maximum_database_read = "10 s"
lenient_maximum_log_write = "4 s"
[[groups]]
name = "group-1"
databases = ["{0}/data"]
log = "{0}/log"
database_size = "{2}"
[[tests]]
kind = "performance"
duration = "{1}"
warm_up = "2 s"
)",
            folder.string(), duration, size));
}

VerdictCase sound()
{
    return { "Nothing goes wrong, storage", "a small database, two threads", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            RunEnd end = scene.run(storagePlan(scene, scene.folder() / "files", "5 s"));
            witness = "the check of every page afterwards finds nothing";
            insist(scene.program({ "storage", "verify", scene.folder() / "storage.toml" }).exitCode == 0,
                "storage verify finds something");
            return end;
        } };
}

VerdictCase killed()
{
    return { "A storage test is killed", "SIGKILL in its third second", "cut short", 128 + SIGKILL,
        { "generator", "sampleLatency Database read", "sampleLatency Log write" },
        [](Scene& scene, std::string& witness) {
            const std::string plan = storagePlan(scene, scene.folder() / "files", "60 s");
            RunEnd end = scene.run(plan, [](WatchedProgram& run, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 3)
                    run.signal(SIGKILL);
            });
            insist(end.showExitCode == 3, fmt::format("show ends with {}", end.showExitCode));
            witness = "the shell: exit by signal 9";
            return end;
        } };
}

VerdictCase damaged()
{
    return { "A page on the disk is damaged", "64 bytes of a database are overwritten before storage verify", "not met", 5,
        { "damage" },
        [](Scene& scene, std::string& witness) {
            const std::string plan = storagePlan(scene, scene.folder() / "files", "3 s");
            insist(scene.program({ "storage", "init", plan, "--quiet" }).exitCode == 0, "storage init fails");
            std::filesystem::path database;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(scene.folder() / "files" / "data"))
                if (entry.is_regular_file() && entry.file_size() > 1'000'000)
                    database = entry.path();
            insist(!database.empty(), "there is no database");
            std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(40 * 8192 + 1000);
            file << std::string(64, 'x');
            file.close();
            const ProgramEnd verified = scene.program({ "storage", "verify", plan, "--json" });
            RunEnd end;
            end.exitCode = verified.exitCode;
            end.listed = nlohmann::json::parse(scene.program({ "list", "--json" }).output.substr(0,
                scene.program({ "list", "--json" }).output.find('\n')));
            end.shown = nlohmann::json::parse(scene.program({ "show", "last", "--json" }).output);
            witness = "this test wrote over page 40";
            return end;
        } };
}

VerdictCase frozen(const char* name, const char* duration, unsigned from, std::vector<std::string> unmet)
{
    return { name, "fsfreeze of the volume", "not met", 5, std::move(unmet),
        [=](Scene& scene, std::string& witness) {
            LoopVolume volume(scene.folder());
            std::uint64_t meanwhile = 0;
            unsigned ticks = 0;
            constexpr unsigned kFrozen = 12;
            bool frozenNow = false;
            RunEnd end = scene.run(storagePlan(scene, volume.path(), duration),
                [&](WatchedProgram&, const std::string& phase, unsigned tick) {
                    if (phase == "measurement" && tick == from) {
                        volume.freeze();
                        frozenNow = true;
                    } else if (frozenNow && ++ticks == kFrozen) {
                        meanwhile = volume.thaw();
                        frozenNow = false;
                    }
                });
            insist(ticks >= kFrozen, "the run ended before the volume was thawed");
            witness = fmt::format("the device completed {} writes in {} s", meanwhile, kFrozen);
            return end;
        },
        whyNoLoopDevice };
}

VerdictCase full()
{
    return { "The databases' volume is full", "databases of 1 GB on a file system of 300 MB", "none", 2, {},
        [](Scene& scene, std::string& witness) {
            LoopVolume volume(scene.folder());
            const std::string plan = storagePlan(scene, volume.path(), "5 s", "1 GB");
            const ProgramEnd refused = scene.program({ "run", plan });
            insist(refused.errors.find("needs") != std::string::npos, "it does not say what it needs: " + refused.errors);
            RunEnd end;
            end.exitCode = refused.exitCode;
            witness = "the volume is 300 MB";
            return end;
        },
        whyNoLoopDevice };
}

} // namespace

std::vector<VerdictCase> storageCases()
{
    return {
        sound(),
        killed(),
        damaged(),
        frozen("A volume stands still for 12 s", "30 s", 5,
            { "sampleLatency Database read", "sampleLatency Log write" }),
        full(),
    };
}

} // namespace loadstone::test
