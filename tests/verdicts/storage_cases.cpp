// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail_plan.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
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
    /// Reads and writes that the device has completed, also those that it merged with others.
    [[nodiscard]] std::uint64_t reads() const { return count(0) + count(1); }
    void freeze()
    {
        if (shell("fsfreeze -f " + m_mount.string()).exitCode != 0)
            throw std::runtime_error("the volume cannot be frozen");
        m_frozen = true;
        m_since = std::chrono::steady_clock::now();
        m_writesBefore = count(kWrites);
    }
    void thaw()
    {
        if (!m_frozen)
            return;
        m_writes = count(kWrites) - m_writesBefore;
        m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_since).count();
        shell("fsfreeze -u " + m_mount.string());
        m_frozen = false;
    }
    /// Writes that the device completed while it was frozen, and for how long it was.
    [[nodiscard]] std::uint64_t writes() const { return m_writes; }
    [[nodiscard]] double seconds() const { return m_seconds; }
    [[nodiscard]] bool frozen() const { return m_frozen; }

private:
    static constexpr int kWrites = 4;
    /// A number of the device's stat in /sys/block.
    [[nodiscard]] std::uint64_t count(int column) const
    {
        std::ifstream in("/sys/block/" + m_device.substr(m_device.rfind('/') + 1) + "/stat");
        std::uint64_t number = 0;
        for (int i = 0; i <= column; ++i)
            in >> number;
        return number;
    }

    std::filesystem::path m_mount;
    std::string m_device;
    bool m_frozen = false;
    std::uint64_t m_writesBefore = 0, m_writes = 0;
    std::chrono::steady_clock::time_point m_since;
    double m_seconds = 0;
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
{3}
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
            folder.string(), duration, size, wideHealth()));
}

/// A kind of transfer of the first measurement: {} where there was none.
nlohmann::json transfers(const RunEnd& end, const std::string& kind)
{
    for (const auto& one : end.results().at("mixes").at(0).at("io"))
        if (one.at("name") == kind)
            return one;
    throw std::runtime_error("there is no " + kind);
}

VerdictCase sound()
{
    return { "Nothing goes wrong, storage", "a small database, two threads", "met", 0, {},
        [](Scene& scene, std::string& witness) {
            std::optional<LoopVolume> volume; // where one can be had: its device's account is the witness
            if (whyNoLoopDevice().empty())
                volume.emplace(scene.folder());
            std::vector<std::uint64_t> readsAt { 0 }; // by seconds of the run
            RunEnd end = scene.run(storagePlan(scene, volume ? volume->path() : scene.folder() / "files", "5 s"),
                [&](WatchedProgram&, const std::string&, unsigned) { readsAt.push_back(volume ? volume->reads() : 0); });
            insist(scene.program({ "storage", "verify", scene.folder() / "storage.toml" }).exitCode == 0,
                "storage verify finds something");
            witness = "storage verify reads every page afterwards, and finds nothing";
            if (!volume)
                return end;
            const auto reads = transfers(end, "Database read").at("count").get<std::uint64_t>();
            const auto& measured = end.results().at("mixes").at(0).at("measured");
            const auto from = static_cast<std::size_t>(measured.at("begin").get<double>()),
                       to = static_cast<std::size_t>(measured.at("end").get<double>());
            witness = agree("reads of the database in the measurement, program and /sys/block of its device", reads,
                readsAt.at(to) - readsAt.at(from), reads / 10);
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
            const auto length = static_cast<std::uint64_t>(end.listed.at("length").get<double>());
            insist(length >= end.ticks, "a second that was printed is not in the recording");
            witness = agree("seconds recorded and printed", length, end.ticks, 1);
            return end;
        } };
}

VerdictCase damaged()
{
    return { "A page on the disk is damaged", "64 bytes of a database are overwritten before storage verify", "not met", 5,
        { "damage" },
        [](Scene& scene, std::string& witness) {
            constexpr std::uint64_t kPage = 40;
            const std::string plan = storagePlan(scene, scene.folder() / "files", "3 s");
            insist(scene.program({ "storage", "init", plan, "--quiet" }).exitCode == 0, "storage init fails");
            std::filesystem::path database;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(scene.folder() / "files" / "data"))
                if (entry.is_regular_file() && entry.file_size() > 1'000'000)
                    database = entry.path();
            insist(!database.empty(), "there is no database");
            std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(kPage * 8192 + 1000);
            file << std::string(64, 'x');
            file.close();
            const ProgramEnd verified = scene.program({ "storage", "verify", plan, "--json" });
            RunEnd end = scene.last(verified.exitCode);
            std::uint64_t found = 0;
            for (const auto& event : end.shown.at("events")) {
                const auto text = event.at("text").get<std::string>();
                if (const auto at = text.find("page "); found == 0 && at != std::string::npos)
                    found = std::stoull(text.substr(at + 5));
            }
            witness = agree("damaged page, as found and as overwritten", found, kPage);
            return end;
        } };
}

/// A plan's volume is frozen for so many seconds in the measurement, after its `from`th.
RunEnd frozenRun(Scene& scene, LoopVolume& volume, const std::string& plan, unsigned from, unsigned seconds)
{
    unsigned ticks = 0;
    RunEnd end = scene.run(plan, [&](WatchedProgram&, const std::string& phase, unsigned tick) {
        if (phase == "measurement" && tick == from)
            volume.freeze();
        else if (volume.frozen() && ++ticks == seconds)
            volume.thaw();
    });
    insist(ticks >= seconds, "the run ended before the volume was thawed");
    return end;
}

std::string compareFreeze(const RunEnd& end, const LoopVolume& volume, const char* transfer)
{
    return none("writes of the frozen device by /sys/block", volume.writes()) + "; "
        + agreeTimes(fmt::format("longest {}, and time between fsfreeze -f and -u", transfer),
            transfers(end, transfer).at("device").at("maximum").get<double>(), volume.seconds(), 1.5);
}

VerdictCase frozen(const char* name, const char* duration, unsigned seconds, std::vector<std::string> unmet)
{
    return { name, "fsfreeze of the volume", "not met", 5, std::move(unmet),
        [=](Scene& scene, std::string& witness) {
            LoopVolume volume(scene.folder());
            RunEnd end = frozenRun(scene, volume, storagePlan(scene, volume.path(), duration), 5, seconds);
            witness = compareFreeze(end, volume, "Log write");
            return end;
        },
        whyNoLoopDevice };
}

VerdictCase frozenRaw()
{
    return { "A raw test's volume stands still for 12 s", "fsfreeze of the volume; a raw test has no limit below 30 s",
        "measured", 0, {},
        [](Scene& scene, std::string& witness) {
            LoopVolume volume(scene.folder());
            const std::string plan = scene.file("raw.toml",
                fmt::format("format = 1\nkind = \"raw\"\n[health]\n{}\nkeep_processors_awake = false\n[device]\npath = \"{}/file\"\n"
                            "size = \"32 MB\"\n[io]\nblock = \"8 KB\"\n[[mixes]]\nname = \"writes\"\nrate = \"100/s\"\n"
                            "depth = 8\nread_share = \"0 %\"\nmeasurement = \"18 s\"\nramp_down = \"1 s\"\n",
                    wideHealth(), volume.path().string()));
            RunEnd end = frozenRun(scene, volume, plan, 3, 12);
            witness = compareFreeze(end, volume, "Database write");
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
            const auto space = std::filesystem::space(volume.path());
            insist(space.capacity < 1'000'000'000, "the volume is large enough");
            const auto needs = refused.errors.find("needs");
            witness = fmt::format("it {}; statvfs: {} MB are free", refused.errors.substr(needs, refused.errors.find(" in ", needs) - needs),
                space.available / 1'000'000);
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
        full(),
        frozenRaw(),
        frozen("A volume stands still for 12 s", "22 s", 12, { "sampleLatency Database read", "sampleLatency Log write" }),
        frozen("A volume stands still for 33 s", "45 s", 33,
            { "sampleLatency Database read", "sampleLatency Log write", "unanswered" }),
    };
}

} // namespace loadstone::test
