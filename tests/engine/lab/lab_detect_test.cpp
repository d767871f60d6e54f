// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The texts of tests/labs/machines/ were collected with detectionScript(): on a virtual machine without SMBIOS, in a namespace of it that
// says it is a container (both cut to what the test looks at, names of hosts replaced), and by tests/bench/detect_guest.py --collect in an
// emulated machine with a kernel of its own that had LVM on two NVMe drives, then an array of mdraid, then a device with two paths.

#include "lab/detect/machine_text.h"
#include "lab/detect/smbios.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/lab_detect.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <unistd.h>

using namespace loadstone;
namespace fs = std::filesystem;

namespace {

const fs::path kMachines = fs::path(LOADSTONE_SOURCE_DIR) / "tests/labs/machines";

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

Detection detectionOf(const std::string& machine)
{
    auto read = readMachine(contentOf(kMachines / (machine + ".txt")), machine);
    REQUIRE(read);
    return *std::move(read);
}

const LabItem& itemOf(const Detection& detection, const std::string& id)
{
    const LabItem* item = detection.lab.find(id);
    INFO(id);
    REQUIRE(item != nullptr);
    return *item;
}

} // namespace

TEST_CASE("each collected machine is the lab that stands beside it, and is read without a complaint")
{
    const char* golden = std::getenv("LOADSTONE_GOLDEN");
    const bool writes = golden != nullptr && std::string(golden) == "write";
    int machines = 0;
    for (const auto& entry : fs::directory_iterator(kMachines)) {
        if (entry.path().extension() != ".txt")
            continue;
        ++machines;
        INFO(entry.path());
        const Detection detection = detectionOf(entry.path().stem().string());
        std::string text = writeDetection(detection, "server");
        const CheckedLab checked = readLab(text, "server.toml");
        for (const Problem& problem : checked.problems)
            FAIL_CHECK(problem.format("server.toml"));
        for (const LabItem& item : checked.lab.items)
            for (const LabProperty& property : item.properties)
                CHECK(property.value.origin == ValueOrigin::detected);
        for (const NotRead& one : detection.notRead)
            text += "# " + one.format() + "\n";
        fs::path expected = entry.path();
        expected.replace_extension(".toml");
        if (writes)
            std::ofstream(expected, std::ios::binary) << text;
        CHECK(text == contentOf(expected));
    }
    CHECK(machines >= 5);
}

TEST_CASE("a virtual machine without SMBIOS says what it lacks and why")
{
    const Detection detection = detectionOf("virtual-without-smbios");
    const LabItem& machine = itemOf(detection, "machine");
    CHECK(machine.text("form") == "virtual machine");
    CHECK(machine.text("memory") == "23.541 GiB");
    CHECK(machine.find("bios") == nullptr);
    CHECK(itemOf(detection, "machine.vda").text("interface") == "virtio-blk");
    const auto smbios = std::ranges::find(detection.notRead, "SMBIOS", &NotRead::what);
    REQUIRE(smbios != detection.notRead.end());
    CHECK(smbios->why == "the machine has no such table");
    CHECK(smbios->fields.size() == 6);
    CHECK(itemOf(detection, "machine.postfix").text("version") == "3.7.11");
}

TEST_CASE("a container is one, and names what it runs in")
{
    const LabItem machine = itemOf(detectionOf("virtual-container"), "machine");
    CHECK(machine.text("form") == "container");
    CHECK(machine.text("virtualisation").starts_with("lxc"));
}

TEST_CASE("LVM on NVMe, mdraid and multipath lie on the drives that they are made of")
{
    const Detection lvm = detectionOf("lvm-on-nvme");
    const LabItem& group = itemOf(lvm, "machine.mail-vg");
    CHECK(group.text("type") == "volume group");
    CHECK(group.number("drives") == 2.0);
    CHECK(itemOf(lvm, "machine.mail-vg-log-1").name == "log-1"); // the hyphen is part of the name
    CHECK(itemOf(lvm, "machine.mail-vg-store").in == "machine.mail-vg");
    const LabItem& drives = itemOf(lvm, "machine.nvme0n1");
    CHECK(drives.count == 2);
    CHECK(drives.text("pool") == "machine.mail-vg");
    CHECK(itemOf(lvm, "machine.run-store").text("volume") == "machine.mail-vg-store");
    CHECK(itemOf(lvm, "machine.memory").text("part_number") == "PART-1");

    const Detection raid = detectionOf("mdraid");
    const LabItem& array = itemOf(raid, "machine.md0");
    CHECK(array.text("raid") == "RAID 1");
    CHECK(array.number("usable_size") < array.number("raw_size"));
    CHECK(itemOf(raid, "machine.sda").text("pool") == "machine.md0");

    const Detection paths = detectionOf("multipath");
    const LabItem& volume = itemOf(paths, "machine.mpatha");
    CHECK(volume.number("paths") == 2.0);
    CHECK(volume.text("multipath") == "dm-multipath, round-robin");
    // What leads to the device is no drive of its own.
    for (const LabItem& item : paths.lab.items)
        CHECK((item.kind != ItemKind::drive || item.text("device").find("/dev/sd") == std::string::npos
            || item.text("device") == "/dev/sda, /dev/sdb"));
}

TEST_CASE("what was detected stands beside what is typed, and again in its place")
{
    const std::string typed =
        "kind = \"lab\"\n\n# ours\n[[item]]\nid = \"srv1\"\nkind = \"machine\"\nmemory = \"64 GiB\" # as "
        "ordered\n\n[[item]]\nid = \"system\"\nkind = \"drive\"\nin = \"srv1\"\ndevice = "
        "\"/dev/vda\"\nsize = \"300 GB\"\n\n[[item]]\nid = \"gone\"\nkind = \"drive\"\nin = "
        "\"srv1\"\ndevice = \"/dev/sdz\"\n";
    Document document(typed, "lab.toml");
    const Detection detection = detectionOf("virtual-without-smbios");
    const auto merge = mergeDetected(document, "srv1", detection);
    REQUIRE(merge);
    CHECK(merge->values > 0);
    CHECK(merge->unmatched == std::vector<std::string> { "gone" });
    const CheckedLab checked = readLab(document.text(), "lab.toml");
    CHECK(checked.usable());
    const LabProperty* memory = checked.lab.find("srv1")->find("memory");
    REQUIRE(memory != nullptr);
    CHECK(memory->value.text == "64 GiB");
    REQUIRE(memory->detected);
    CHECK(memory->detected->text == "23.541 GiB");
    CHECK(checked.lab.find("system")->find("size")->detected->text == "274.878 GB");
    CHECK(checked.lab.find("srv1.root")->text("volume") == "system");
    CHECK(document.text().find("memory = \"64 GiB\" # as ordered") != std::string::npos);
    CHECK_FALSE(differencesFromDetected(checked.lab).empty());

    const std::string once = document.text();
    const auto again = mergeDetected(document, "srv1", detection);
    REQUIRE(again);
    CHECK(again->added.empty());
    CHECK(readLab(document.text(), "lab.toml").lab.items == readLab(once, "lab.toml").lab.items);
    document.undo();
    document.undo();
    CHECK(document.text() == typed);
}

TEST_CASE("what the script collects of this machine is what its files say")
{
    const fs::path script = fs::temp_directory_path() / fmt::format("loadstone-collect-{}.sh", ::getpid());
    std::ofstream(script) << detectionScript();
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> printed(
        ::popen(("sh " + script.string()).c_str(), "r"), ::pclose);
    REQUIRE(printed != nullptr);
    std::string text;
    std::array<char, 65536> block {};
    for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), printed.get())) > 0;)
        text.append(block.data(), n);
    printed.reset();
    fs::remove(script);
    const auto machine = lab::MachineText::parse(text, "this machine");
    REQUIRE(machine);
    CHECK(machine->isWhole());
    // What does not change while the test runs. A shell that reads byte by byte gets the first digit of a number in /proc/sys.
    std::size_t compared = 0;
    for (const char* path :
        { "proc/sys/kernel/hostname", "proc/sys/kernel/osrelease", "proc/sys/kernel/numa_balancing",
            "proc/sys/vm/swappiness", "proc/cmdline", "sys/devices/system/cpu/online",
            "sys/devices/system/cpu/cpu0/cache/index0/size", "sys/kernel/mm/transparent_hugepage/enabled" }) {
        std::ifstream file(fs::path("/") / path);
        std::string line;
        if (!std::getline(file, line))
            continue;
        INFO(path);
        line.erase(line.find_last_not_of(' ') + 1);
        CHECK(machine->line(path) == line);
        ++compared;
    }
    CHECK(compared >= 4);
}

TEST_CASE("texts that are none of a machine are refused, and cut ones say so")
{
    const auto refused = readMachine("hello\n", "x.txt");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.starts_with("x.txt:1: "));
    CHECK_FALSE(readMachine(std::string(kMostCollected + 1, ' '), "x.txt"));
    const auto cut = readMachine("loadstone-machine 1\nfile proc/meminfo\n MemTotal: 1024 kB\n", "x.txt");
    REQUIRE(cut);
    CHECK(itemOf(*cut, "machine").text("memory") == "1 MiB");
    CHECK(std::ranges::any_of(
        cut->notRead, [](const NotRead& one) { return one.why == "ends before its last line"; }));
}

TEST_CASE("hostile names become plain ones")
{
    const auto read = readMachine("loadstone-machine 1\nfile proc/sys/kernel/hostname\n \x1b[31m\"]\nfile "
                                  "sys/block/\"]\x07x/size\n 2048\nfile sys/block/\"]\x07x/dev\n 8:0\nend\n",
        "x.txt");
    REQUIRE(read);
    const CheckedLab checked = readLab(writeDetection(*read, "m"), "m.toml");
    CHECK(checked.usable());
    for (const LabItem& item : checked.lab.items)
        CHECK(item.id.find_first_of("\"]\x07\x1b") == std::string::npos);
}

TEST_CASE("a table of SMBIOS ends where its bytes end")
{
    const std::vector<std::uint8_t> module { 17, 0x1c, 1, 0, 0, 0, 0, 0, 72, 0, 64, 0, 0x00, 0x40, 9, 0, 1, 0,
        0x1a, 0, 0x20, 0x80, 0x0c, 2, 0, 0, 0, 0, 'A', '1', 0, 'M', 0, 0 };
    const auto table = lab::readSmbios(module);
    REQUIRE(table.size() == 1);
    const auto modules = lab::memoryModules(table);
    REQUIRE(modules.size() == 1);
    CHECK(modules[0].bytes == 16ULL << 30U);
    CHECK(modules[0].type == "DDR4");
    CHECK(modules[0].form == "RDIMM");
    CHECK(modules[0].slot == "A1");
    CHECK(modules[0].vendor == "M");
    CHECK(modules[0].speed == 3200U);
    CHECK(modules[0].ecc == true);
    for (std::size_t length = 0; length < module.size() - 1; ++length)
        CHECK(lab::readSmbios(std::span(module).first(length)).empty());
}
