// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/local_kernel.h"
#include "counters/host/process_groups.h"
#include "support/catch.h"
#include "support/child.h"
#include "support/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

enum Column {
    processor,
    workingSet,
    privateBytes,
    virtualBytes,
    readBytes,
    writeBytes,
    threads,
    files,
    instances,
    columns
};

/// Processes as files.
class Processes {
public:
    Processes() { put(1, "systemd", 0, 0); }
    void uptime(double seconds) const { write("proc/uptime", fmt::format("{} 1.00\n", seconds)); }
    /// `ticks`: of processor time; `start`: ticks of the machine's boot.
    void put(
        int number, const std::string& command, int ticks, int start, const std::string& program = "") const
    {
        const std::string folder = fmt::format("proc/{}", number);
        fs::create_directories(m_folder / (folder + "/fd"));
        write(folder + "/stat",
            fmt::format("{} ({}) S 1 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 2 0 {} 4096000 50\n", number, command,
                ticks, start));
        write(folder + "/status", "VmRSS:\t200 kB\nRssAnon:\t100 kB\nVmSwap:\t20 kB\n");
        io(number, 0, 0);
        write(folder + "/cgroup", "1:name=systemd:/init.scope\n0::/init.scope\n");
        const fs::path exe = m_folder / (folder + "/exe");
        fs::remove(exe);
        if (!program.empty())
            fs::create_symlink(program, exe);
    }
    void io(int number, int read, int written) const
    {
        write(fmt::format("proc/{}/io", number),
            fmt::format("rchar: 9\nread_bytes: {}\nwrite_bytes: {}\n", read, written));
    }
    void remove(int number) const { fs::remove_all(m_folder / fmt::format("proc/{}", number)); }
    void write(const std::string& file, const std::string& text) const
    {
        std::ofstream(m_folder / file) << text;
    }
    [[nodiscard]] KernelFolders folders() const { return { m_folder / "proc", m_folder / "sys" }; }

private:
    test::ScratchFolder m_folder;
};

/// This machine's kernel, that refuses some files: root, who may run the tests, can read them all.
class RefusingKernel final : public KernelReader {
public:
    explicit RefusingKernel(KernelFolders folders)
        : m_kernel(std::move(folders))
    {
    }
    void refuse(const std::string& file) { m_refused.push_back(file); }
    Result<void> read(
        const KernelRequest& request, const ReadingLimits& limits, KernelSnapshot& into) override
    {
        auto read = m_kernel.read(request, limits, into);
        for (const std::string& file : m_refused)
            if (into.files.erase(file) > 0)
                into.reasons[file] = "Permission denied";
        return read;
    }

private:
    LocalKernel m_kernel;
    std::vector<std::string> m_refused;
};

/// Samples the processes of some names.
class Watch {
public:
    Watch(std::vector<std::string> names, const KernelFolders& folders = {})
        : m_kernel(folders)
        , m_groups(std::move(names))
    {
    }
    std::vector<double> operator()(MonoTime now)
    {
        KernelSnapshot kernel;
        REQUIRE(m_kernel.read(ProcessGroups::files(), {}, kernel));
        std::vector<double> values(m_groups.counters().size(), -1);
        REQUIRE(m_groups.sample(kernel, now, m_kernel, {}, values));
        return values;
    }
    void refuse(const std::string& file) { m_kernel.refuse(file); }
    [[nodiscard]] const Missing& missing() const { return m_groups.missing(); }
    [[nodiscard]] std::vector<CounterInfo> counters() const { return m_groups.counters(); }

private:
    RefusingKernel m_kernel;
    ProcessGroups m_groups;
};

} // namespace

TEST_CASE("a process is known by its command, its program's file, what it was called as or its service")
{
    const ProcessIdentity imap { "imap", "", "dovecot/imap [joe 10.0.0.1 IDLE]",
        "/system.slice/dovecot.service" };
    CHECK(hasName(imap, "imap"));
    CHECK(hasName(imap, "dovecot/imap"));
    CHECK_FALSE(hasName(imap, "cot/imap"));
    CHECK_FALSE(hasName(imap, "dovecot/pop3"));
    CHECK(hasName(imap, "service:dovecot"));
    CHECK(hasName(imap, "service:dovecot.service"));
    CHECK_FALSE(hasName(imap, "service:dove"));
    CHECK_FALSE(hasName(imap, "service:postfix"));

    const ProcessIdentity master { "master", "/usr/lib/postfix/sbin/master", "/usr/lib/postfix/sbin/master",
        "/system.slice/system-postfix.slice/postfix@-.service" };
    CHECK(hasName(master, "postfix/sbin/master"));
    CHECK(hasName(master, "service:postfix")); // an instance
    CHECK_FALSE(hasName(master, "dovecot/master"));

    const ProcessIdentity renamed { "worker 3", "/usr/bin/store", "store", "" };
    CHECK(hasName(renamed, "store"));
    const ProcessIdentity cut { "dovecot-lda-ser", "/usr/lib/dovecot/dovecot-lda-server", "", "" };
    CHECK(hasName(cut, "dovecot-lda-server"));
    CHECK_FALSE(hasName(cut, "dovecot-lda-service"));
    CHECK_FALSE(hasName(cut, "dovecot-lda-ser2"));

    CHECK(
        unitPathOf("4:cpu:/a\n1:name=systemd:/system.slice/x.service\n0::/\n") == "/system.slice/x.service");
    CHECK(unitPathOf("0::/system.slice/y.service\n") == "/system.slice/y.service");
    CHECK(unitPathOf("0::/\n").empty());
    CHECK(unitPathOf("nonsense").empty());
}

TEST_CASE("a name's figures are sums over its processes")
{
    const Processes machine;
    machine.uptime(100);
    machine.put(7, "imap", 500, 1000);
    machine.put(8, "imap", 100, 2000);
    machine.put(9, "imap-login", 5000, 3000);
    Watch watch({ "imap" }, machine.folders());
    CHECK(watch.counters()[processor].path() == "\\Process(imap)\\% Processor Time");
    const auto first = watch(MonoTime(10s));
    CHECK(std::isnan(first[processor]));
    CHECK(std::isnan(first[readBytes]));
    CHECK(first[instances] == 2);
    CHECK(first[threads] == 4);
    CHECK(first[workingSet] == 400 * 1024);
    CHECK(first[privateBytes] == 240 * 1024);
    CHECK(first[virtualBytes] == 2 * 4096000);
    machine.uptime(110);
    machine.put(7, "imap", 700, 1000);
    machine.put(8, "imap", 150, 2000);
    machine.io(7, 10000, 20000);
    const auto second = watch(MonoTime(20s));
    CHECK(second[processor] == Approx(25)); // 2.5 s in 10 s
    CHECK(second[readBytes] == Approx(1000));
    CHECK(second[writeBytes] == Approx(2000));
    CHECK(watch.missing().empty());
}

TEST_CASE("processes that end and begin make neither negative values nor spikes")
{
    const Processes machine;
    machine.uptime(100);
    machine.put(7, "smtpd", 500'000, 1000);
    machine.put(8, "smtpd", 100, 2000);
    Watch watch({ "smtpd" }, machine.folders());
    watch(MonoTime(10s));

    SECTION("one ends, another one begins within the time")
    {
        machine.remove(7);
        machine.put(9, "smtpd", 50, 10'500);
        machine.put(8, "smtpd", 150, 2000);
        machine.uptime(110);
        CHECK(watch(MonoTime(20s))[processor] == Approx(10)); // 0.5 s of each of the two that are left
    }
    SECTION("its number is given to another")
    {
        machine.put(7, "smtpd", 30, 10'500);
        machine.uptime(110);
        CHECK(watch(MonoTime(20s))[processor] == Approx(3));
    }
    SECTION("it was there before under another name")
    {
        machine.put(9, "master", 70'000, 1500);
        watch(MonoTime(20s));
        machine.put(9, "smtpd", 70'020, 1500);
        machine.uptime(120);
        CHECK(watch(MonoTime(30s))[processor] == Approx(2));
    }
    SECTION("an old one that was hidden shows up: what it used since is not known")
    {
        machine.put(9, "smtpd", 70'000, 1500);
        machine.uptime(110);
        CHECK(std::isnan(watch(MonoTime(20s))[processor]));
        CHECK(watch(MonoTime(30s))[processor] == 0);
    }
    SECTION("all end: the time is missing, and their number is 0")
    {
        machine.remove(7);
        machine.remove(8);
        const auto values = watch(MonoTime(20s));
        CHECK(std::isnan(values[processor]));
        CHECK(std::isnan(values[workingSet]));
        CHECK(values[instances] == 0);
        REQUIRE(watch.missing().size() == 1);
        CHECK(watch.missing()[0]
            == std::pair<std::string, std::string>("process \"smtpd\"", "there is no such process"));
    }
}

TEST_CASE("a service is all processes of its control group")
{
    const Processes machine;
    machine.uptime(100);
    for (const int number : { 7, 8, 9 })
        machine.put(number, fmt::format("p{}", number), 0, 1000);
    machine.write("proc/7/cgroup", "1:name=systemd:/system.slice/postfix.service\n");
    machine.write("proc/8/cgroup", "0::/system.slice/system-postfix.slice/postfix@-.service\n");
    Watch watch({ "service:postfix", "p8" }, machine.folders());
    const auto values = watch(MonoTime(10s));
    CHECK(values[instances] == 2);
    CHECK(values[columns + instances] == 1);
    CHECK(values[columns + workingSet] == 200 * 1024);
}

TEST_CASE("where the processes of others are hidden, their number is not known to be 0")
{
    const Processes machine;
    machine.remove(1);
    machine.put(70, "sh", 0, 1000);
    Watch watch({ "master" }, machine.folders());
    CHECK(std::isnan(watch(MonoTime(10s))[instances]));
    REQUIRE(watch.missing().size() == 1);
    CHECK(watch.missing()[0].second.find("hidepid") != std::string::npos);
}

TEST_CASE("a group of which some processes may be hidden or cannot be read has no sums")
{
    Processes machine;
    machine.uptime(1000);
    machine.put(100, "store", 0, 10);
    machine.put(101, "store", 0, 10);
    Watch watch({ "store" }, machine.folders());
    watch(MonoTime(0s));
    const auto allMissing = [](const std::vector<double>& values) {
        return std::ranges::all_of(values, [](double value) { return std::isnan(value); });
    };
    SECTION("the processes of other users are hidden, 100 is one's own")
    {
        machine.remove(1);
        machine.remove(101);
        CHECK(allMissing(watch(MonoTime(1s))));
        REQUIRE(watch.missing().size() == 1);
        CHECK(watch.missing()[0].second.find("hidepid") != std::string::npos);
        machine.put(1, "systemd", 0, 0);
        CHECK(watch(MonoTime(2s))[instances] == 1);
    }
    SECTION("one may not be looked at")
    {
        watch.refuse("/proc/101/status");
        CHECK(allMissing(watch(MonoTime(1s))));
        CHECK(watch.missing().at(0).second.find("permission denied") != std::string::npos);
    }
}

TEST_CASE("of real processes time, memory, threads, files and number are counted")
{
    const test::ScratchFolder folder;
    fs::create_symlink("/bin/sh", folder / "lsburns");
    fs::create_symlink("/bin/sleep", folder / "lssleeps");
    const test::Child burns({ folder / "lsburns", "-c", "while :; do :; done" });
    const test::Child sleeps({ folder / "lssleeps", "1000" });
    const test::Child also({ folder / "lssleeps", "1000" });
    Watch watch({ "lsburns", "lssleeps", "lsnobody" });
    // Their names are those of their programs once they run them.
    const MonoTime limit = monoNow() + 30s;
    while (watch(monoNow())[columns + instances] != 2 && monoNow() < limit)
        std::this_thread::yield();
    watch(monoNow());
    const MonoTime until = monoNow() + 200ms; // of work, for the kernel's clock has steps of 10 ms
    while (monoNow() < until)
        std::this_thread::yield();
    const auto values = watch(monoNow());
    CHECK(values[instances] == 1);
    CHECK(values[processor] > 0);
    CHECK(values[processor] < 150);
    CHECK(values[workingSet] > 100'000);
    CHECK(values[virtualBytes] > values[workingSet]);
    CHECK(values[threads] == 1);
    CHECK(values[files] >= 3);
    CHECK(values[columns + instances] == 2);
    CHECK(values[columns + processor] == 0);
    CHECK(values[columns + threads] == 2);
    CHECK(values[2 * columns + instances] == 0);
    CHECK(std::isnan(values[2 * columns + processor]));
}
