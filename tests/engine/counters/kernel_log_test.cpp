// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/kernel_log.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

/// A line as the kernel itself would write it.
KernelRecord line(const std::string& text)
{
    KernelRecord record;
    record.level = 3;
    record.text = text;
    return record;
}

/// What stands in for the kernel: as with /dev/kmsg each read gives one record, and none waits.
struct Device {
    Device()
    {
        std::array<int, 2> ends {};
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw std::runtime_error("no pair of sockets");
        writer = FileDescriptor(ends[0]);
        reader = FileDescriptor(ends[1]);
    }
    void write(const std::string& record) const
    {
        if (::write(writer.get(), record.data(), record.size()) != static_cast<ssize_t>(record.size()))
            throw std::runtime_error("the record was not taken");
    }
    FileDescriptor writer, reader;
};

} // namespace

TEST_CASE("a record of the kernel's log is taken apart; its keys and what later kernels add are passed over")
{
    const auto plain = parseKmsg("6,339,5140900,-;NET: Registered protocol family 10\n");
    REQUIRE(plain);
    CHECK(plain->facility == 0);
    CHECK(plain->level == 6);
    CHECK(plain->sequence == 339);
    CHECK(plain->at == MonoTime(5140900us));
    CHECK(plain->text == "NET: Registered protocol family 10");

    const auto device = parseKmsg("4,160,424069,-,caller=T1,later=2;sd 0:0:0:0: [sda] Attached; all well\n"
                                  " SUBSYSTEM=scsi\n DEVICE=+scsi:0:0:0:0\n");
    REQUIRE(device);
    CHECK(device->text == "sd 0:0:0:0: [sda] Attached; all well");

    const auto program = parseKmsg("30,340,5690716,-;udevd[80]: starting version 181");
    REQUIRE(program);
    CHECK(program->facility == 3);
    CHECK(program->level == 6);

    const auto old = parseKmsg("5,0,0;Linux version 3.5.0\n"); // without flags
    REQUIRE(old);
    CHECK(old->text == "Linux version 3.5.0");
    CHECK(parseKmsg("4,1,2,c;\n")->text.empty());
}

TEST_CASE("what is no record of the kernel's log is none")
{
    for (const char* text : { "", ";", "\n", "6,339,5140900,-", "6,339;text", "six,339,1,-;text",
             "-6,339,1,-;text", "6,,1,-;text", "6,339,1x,-;text", "2048,1,1,-;text",
             "6,18446744073709551616,1,-;text", "6,1,9223372036854776,-;text" }) {
        INFO(text);
        CHECK_FALSE(parseKmsg(text));
    }
}

TEST_CASE(
    "text of the kernel's log is harmless on a screen and of bounded length, whatever a device calls itself")
{
    constexpr char kHostile[] = "4,1,2,-;usb: Product: A\\x5cB\\x1b[31m\x1b[32m\x07\\x0a\\xzz\\x4\xff\0C\n";
    const auto record = parseKmsg(std::string_view(kHostile, sizeof kHostile - 1));
    REQUIRE(record);
    CHECK(record->text == "usb: Product: A\\B\\x1b[31m\\x1b[32m\\x07\\x0a\\xzz\\x4\\xff\\x00C");

    const std::string limit(KernelRecord::kLongestText, 'x');
    CHECK(parseKmsg("4,1,2,-;" + limit + "\n")->text == limit);
    const auto longer = parseKmsg("4,1,2,-;" + limit + "y\n");
    CHECK(longer->text.size() == KernelRecord::kLongestText);
    CHECK(longer->text.ends_with("x..."));
}

TEST_CASE("lines of the kernel's log that tell of trouble with storage are known")
{
    for (const char* text :
        {
            "blk_update_request: I/O error, dev sda, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 4 prio "
            "class 0",
            "I/O error, dev nvme0n1, sector 1953525 op 0x1:(WRITE) flags 0x8800 phys_seg 1 prio class 2",
            "critical medium error, dev sdb, sector 1234 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0",
            "blk_update_request: critical target error, dev sdc, sector 8",
            "timeout error, dev sdd, sector 0 op 0x1:(WRITE)",
            "Buffer I/O error on dev sda1, logical block 17, lost async page write",
            "Buffer I/O error on device dm-0, logical block 17",
            "loop0: rw=1, sector=4096, nr_sectors = 8 limit=2048: attempt to access beyond end of device",
            "loop: Write error at byte offset 1048576, length 4096.",
            "Read-error on swap-device (253:0:8)",
            "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock "
            "0",
            "EXT4-fs (sda1): Remounting filesystem read-only",
            "EXT4-fs warning (device dm-0): ext4_end_bio:343: I/O error 10 writing to inode 12 starting "
            "block 34",
            "JBD2: Detected IO errors while flushing file data on sda1-8",
            "JBD2: Error -5 detected when updating journal superblock for dm-0-8.",
            "Aborting journal on device sda1-8.",
            "XFS (sda1): Metadata corruption detected at xfs_agf_read_verify+0x5c/0x60 [xfs], xfs_agf block "
            "0x1",
            "XFS (sda1): Corruption detected. Unmount and run xfs_repair",
            "XFS (dm-0): metadata I/O error in \"xlog_bread_noalign\" at daddr 0x1 len 8 error 5",
            "XFS (dm-0): Log I/O Error Detected. Shutting down filesystem",
            "XFS (dm-2): Filesystem has been shut down due to log error (0x2).",
            "XFS (dm-2): Failing async write on buffer block 0x1234. Retrying async write.",
            "BTRFS error (device sda1): bdev /dev/sda1 errs: wr 1, rd 0, flush 0, corrupt 0, gen 0",
            "BTRFS: error (device sda1) in btrfs_commit_transaction:2283: errno=-5 IO failure",
            "BTRFS critical (device sda1): corrupt leaf: root=1 block=298123264 slot=15",
            "BTRFS warning (device sda1): csum failed root 5 ino 257 off 0 csum 0x98f94189 expected csum 0x1",
            "BTRFS info (device sda1): forced readonly",
            "nfs: server 10.0.0.5 not responding, still trying",
            "nvme nvme0: I/O 12 QID 3 timeout, aborting",
            "nvme nvme0: I/O tag 12 (300c) opcode 0x2 (I/O Cmd) QID 3 timeout, aborting req_op:READ(0) "
            "size:4096",
            "nvme nvme0: I/O 25 QID 0 timeout, reset controller",
            "nvme nvme1: queue 1: timeout request 0x1 type 4",
            "nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10",
            "nvme nvme0: Device not ready; aborting reset, CSTS=0x1",
            "nvme nvme0: Removing after probe failure status: -19",
            "nvme nvme1: starting error recovery",
            "nvme0n1: Read(0x2) @ LBA 1234, 8 blocks, Unrecovered Read Error (sct 0x2 / sc 0x81) DNR",
            "ata1.00: exception Emask 0x0 SAct 0x40000 SErr 0x0 action 0x6 frozen",
            "ata1.00: failed command: READ FPDMA QUEUED",
            "ata1: hard resetting link",
            "ata3: COMRESET failed (errno=-16)",
            "ata1.00: disable device",
            "sd 0:0:0:0: [sda] tag#5 FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_OK cmd_age=0s",
            "sd 0:0:0:0: [sda] tag#5 Sense Key : Medium Error [current]",
            "sd 0:0:0:0: [sda] tag#5 Add. Sense: Unrecovered read error",
            "sd 0:0:0:0: rejecting I/O to offline device",
            "sd 2:0:0:0: Device offlined - not ready after error recovery",
            "scsi 2:0:0:0: rejecting I/O to dead device",
            "sd 0:0:0:0: [sda] Synchronize Cache(10) failed: Result: hostbyte=DID_NO_CONNECT "
            "driverbyte=DRIVER_OK",
            "sd 3:0:0:0: Power-on or device reset occurred",
            " connection1:0: detected conn error (1020)",
            " session1: session recovery timed out after 120 secs",
            " rport-1:0-2: blocked FC remote port time out: removing target and saving binding",
            "md/raid1:md0: Disk failure on sda1, disabling device.",
            "md/raid1:md0: Operation continuing on 1 devices.",
            "md/raid:md0: read error corrected (8 sectors at 123 on sdb1)",
            "md: super_written gets error=-5",
            "device-mapper: multipath: 253:4: Failing path 8:16.",
            "device-mapper: multipath: Failing path 8:32.",
            "device-mapper: thin: 253:2: switching pool to out-of-data-space (queue IO) mode",
            "device-mapper: thin: 253:2: switching pool to read-only mode",
            "device-mapper: integrity: dm-3: Checksum failed at sector 0x80",
            "INFO: task jbd2/sda1-8:345 blocked for more than 120 seconds.",
            "INFO: task kworker/u8:2:4711 blocked for more than 122 seconds.",
            "INFO: task postgres:99 blocked in I/O wait for more than 120 seconds.",
        }) {
        INFO(text);
        CHECK(storageError(line(text)));
    }
}

TEST_CASE("lines of the kernel's log that tell of no trouble, or of none with storage, are left alone")
{
    for (const char* text : {
             "",
             "EXT4-fs (sda1): mounted filesystem with ordered data mode. Opts: errors=remount-ro. Quota "
             "mode: none.",
             "EXT4-fs (dm-0): recovery complete",
             "XFS (sda1): Mounting V5 Filesystem",
             "XFS (sda1): Ending clean mount",
             "XFS (sda1): Starting recovery (logdev: internal)",
             "XFS (sda1): Unmounting Filesystem",
             "BTRFS info (device sda1): using crc32c (crc32c-intel) checksum algorithm",
             "BTRFS info (device sda1): bdev /dev/sda1 errs: wr 0, rd 0, flush 0, corrupt 1, gen 0",
             "nfs: server 10.0.0.5 OK",
             "nvme nvme0: Shutdown timeout set to 10 seconds",
             "nvme nvme0: 8/0/0 default/read/poll queues",
             "nvme nvme0: rescanning namespaces.",
             "nvme nvme0: missing or invalid SUBNQN field.",
             "ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
             "ata1.00: configured for UDMA/133",
             "ata1: EH complete",
             "sd 0:0:0:0: [sda] Mode Sense: 00 3a 00 00",
             "sd 0:0:0:0: [sda] Write cache: enabled, read cache: enabled, doesn't support DPO or FUA",
             "sd 0:0:0:0: [sda] Synchronizing SCSI cache",
             "sd 0:0:0:0: [sda] Attached SCSI disk",
             "sd 1:0:0:0: alua: port group 01 state N non-preferred supports tolusna",
             "scsi host2: ahci",
             "loop0: detected capacity change from 0 to 2097152",
             "operation not supported error, dev loop0, sector 0 op 0x9:(WRITE_ZEROES) flags 0x800800",
             "blk_update_request: I/O error, dev fd0, sector 0 op 0x0:(READ)",
             "Buffer I/O error on dev sr0, logical block 0, async page read",
             "md/raid1:md0: active with 2 out of 2 mirrors",
             "md: resync of RAID array md0",
             "md0: detected capacity change from 0 to 2093056",
             "device-mapper: uevent: version 1.0.3",
             "device-mapper: multipath: 253:4: Reinstating path 8:16.",
             "INFO: task modprobe:345 blocked for more than 120 seconds.",
             "INFO: rcu_sched detected stalls on CPUs/tasks:",
             "usb 1-1: device descriptor read/64, error -71",
             "e1000e 0000:00:19.0 eth0: Reset adapter unexpectedly",
             "mce: [Hardware Error]: Machine check events logged",
             "audit: type=1400 audit(1.2:3): apparmor=\"DENIED\" error=-13",
         }) {
        INFO(text);
        CHECK_FALSE(storageError(line(text)));
    }
    KernelRecord pretended = line("I/O error, dev sda, sector 0");
    CHECK(storageError(pretended));
    pretended.facility = 1; // what a program wrote into the log
    CHECK_FALSE(storageError(pretended));
}

TEST_CASE(
    "the log gives what is new, with times within the stretch since the last look, and counts what was lost")
{
    Device device;
    const MonoTime opened = monoNow();
    KernelLog log(std::move(device.reader));
    CHECK(log.take().empty());

    device.write("6,10,1,-;long ago by the kernel's clock\n");
    device.write("garbage");
    device.write("6,11,9000000000000000,-;far in the future\n");
    const auto first = log.take();
    REQUIRE(first.size() == 2);
    CHECK(first[0].text == "long ago by the kernel's clock");
    CHECK(first[1].sequence == 11);
    CHECK(first[0].at >= opened);
    CHECK(first[0].at <= first[1].at);
    CHECK(first[1].at <= monoNow());
    CHECK(log.lost() == 0);
    CHECK(log.take().empty());

    device.write("6,15,1,-;after a gap\n");
    const auto second = log.take();
    REQUIRE(second.size() == 1);
    CHECK(second[0].at <= monoNow());
    CHECK(log.lost() == 3);

    device.writer.reset(); // gone: no more, and no waiting
    CHECK(log.take().empty());
}

TEST_CASE("storage errors of the kernel's log become events on the time of the run, in bounded number")
{
    Device device;
    KernelLog log(std::move(device.reader));
    const MonoTime origin = monoNow();
    device.write("6,1,1,-;EXT4-fs (sda1): mounted filesystem\n");
    device.write("3,2,1,-;I/O error, dev sda, sector 0\n SUBSYSTEM=block\n");
    const auto events = kernelEvents(log, origin);
    REQUIRE(events.size() == 1);
    CHECK(events[0].severity == Severity::error);
    CHECK(events[0].text == "kernel: I/O error, dev sda, sector 0");
    CHECK(events[0].at >= 0s);
    CHECK(events[0].at <= monoNow() - origin);
    CHECK(kernelEvents(log, origin).empty());

    for (int i = 0; i < 30; ++i)
        device.write(fmt::format("3,{},1,-;I/O error, dev sda, sector {}\n", 3 + i, i));
    device.write("6,40,1,-;after a gap\n");
    const auto many = kernelEvents(log, origin);
    REQUIRE(many.size() == 22);
    CHECK(many[19].text == "kernel: I/O error, dev sda, sector 19");
    CHECK(many[20].text == "kernel: 10 more lines that report storage errors");
    CHECK(many[20].severity == Severity::error);
    CHECK(many[21].text == "kernel: 7 lines of its log were overwritten before they could be read");
    CHECK(many[21].severity == Severity::warning);
    CHECK(std::ranges::is_sorted(many, {}, &RunEvent::at));
}

TEST_CASE("where the kernel's log cannot be read the reason and a remedy are told")
{
    const auto missing = KernelLog::open("/no/such/kmsg");
    REQUIRE_FALSE(missing);
    CHECK_THAT(missing.error().message,
        ContainsSubstring("/no/such/kmsg: No such file") && ContainsSubstring("--device=/dev/kmsg"));
    const auto other = KernelLog::open("/dev/null");
    REQUIRE_FALSE(other);
    CHECK_THAT(other.error().message, ContainsSubstring("/dev/null: is not the kernel's log"));

    auto real = KernelLog::open();
    if (real)
        CHECK(real->take().size() <= KernelLog::kMostPerTake);
    else
        CHECK_THAT(real.error().message, ContainsSubstring("/dev/kmsg: ") && ContainsSubstring("; "));
}
