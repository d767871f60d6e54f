// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/kernel_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <utility>

namespace loadstone::counters {

namespace {

// Of /dev/kmsg: the kernel's Documentation/admin-guide/devices.txt
constexpr unsigned kMajor = 1, kMinor = 11;
constexpr std::size_t kLongestRecord = 16384; // the kernel's own limit is 8192
constexpr std::size_t kMostEvents = 20;
constexpr const char* kGiveDevice = "give the container the device (docker run --device=/dev/kmsg)";

/// The byte that an escape like "\x5c" at the begin of `text` stands for.
std::optional<unsigned> escapedByte(std::string_view text)
{
    constexpr std::size_t kLength = 4;
    if (text.size() < kLength || !text.starts_with("\\x"))
        return std::nullopt;
    unsigned value = 0;
    const char* const end = text.data() + kLength;
    const auto read = std::from_chars(text.data() + 2, end, value, 16);
    if (read.ec != std::errc() || read.ptr != end)
        return std::nullopt;
    return value;
}

std::string printable(std::string_view raw)
{
    constexpr std::string_view kHex = "0123456789abcdef", kCut = "...";
    std::string text;
    while (!raw.empty() && text.size() <= KernelRecord::kLongestText) {
        const std::optional<unsigned> escaped = escapedByte(raw);
        const unsigned byte = escaped.value_or(static_cast<unsigned char>(raw.front()));
        raw.remove_prefix(escaped ? 4 : 1);
        if (byte >= 0x20 && byte < 0x7f) {
            text += static_cast<char>(byte);
        } else {
            text += "\\x";
            text += kHex[byte >> 4U];
            text += kHex[byte & 15U];
        }
    }
    if (text.size() > KernelRecord::kLongestText) {
        text.resize(KernelRecord::kLongestText - kCut.size());
        text += kCut;
    }
    return text;
}

/// What a line begins with, and what else is in it; where a word's first letter is missing it may be a capital. Words are as
/// few as tell a line from harmless ones, for formats change with the versions of Linux.
struct Sign {
    std::string_view begin, contains;
};

constexpr Sign kSigns[] {
    // The block layer, and whoever repeats what it says.
    { "", "I/O error" },
    { "", "I/O Error" },
    { "", " error, dev " }, // "critical medium error, dev sda, sector 2048 ..."
    { "", "attempt to access beyond end of device" },
    { "", "-error on swap-device" },
    { "loop: ", "error at byte offset" },
    // File systems.
    { "EXT", "-fs error" },
    { "EXT", "-fs critical" },
    { "EXT4-fs", "Remounting filesystem read-only" },
    { "EXT4-fs", "Data will be lost" },
    { "JBD2: ", "rror" },
    { "Aborting journal on device", "" },
    { "XFS", "orruption" },
    { "XFS", "rror" },
    { "XFS", "hutdown" },
    { "XFS", "hut down" },
    { "XFS", "hutting down" },
    { "XFS", "ailing async write" },
    { "BTRFS", "error" },
    { "BTRFS critical", "" },
    { "BTRFS", "csum failed" },
    { "BTRFS", "forced readonly" },
    { "nfs: server ", "not responding" },
    // NVMe.
    { "nvme", " timeout" },
    { "nvme", "reset" },
    { "nvme", "controller is down" },
    { "nvme", "Abort status" },
    { "nvme", "error recovery" },
    { "nvme", "probe failure" },
    { "nvme", "(sct 0x" }, // a command's status
    // ATA.
    { "ata", "exception Emask" },
    { "ata", "failed command" },
    { "ata", "resetting link" },
    { "ata", "disable device" },
    { "ata", "COMRESET failed" },
    { "ata", "softreset failed" },
    // SCSI, and what carries it.
    { "sd ", "FAILED Result" },
    { "sd ", "Sense Key" },
    { "sd ", "Add. Sense" },
    { "sd ", "rejecting I/O" },
    { "sd ", "offline" },
    { "sd ", "timing out command" },
    { "sd ", "task abort" },
    { "sd ", "device reset" },
    { "sd ", "Synchronize Cache" }, // failed: those that do not say nothing
    { "scsi ", "Sense Key" },
    { "scsi ", "rejecting I/O" },
    { "scsi ", "offline" },
    { "scsi ", "task abort" },
    { "", "detected conn error" }, // iSCSI
    { "", "session recovery timed out" }, // likewise
    { "", "blocked FC remote port time out" },
    // Arrays, paths and other layers.
    { "md/", "isk failure" },
    { "md/", " error" },
    { "md/", "read_error" },
    { "md/", "Operation continuing" },
    { "md/", "rescheduling sector" },
    { "md/", "redirecting sector" },
    { "md: ", "error" },
    { "device-mapper: multipath: ", "Failing path" },
    { "device-mapper: multipath: ", "failover" },
    { "device-mapper: thin: ", "out-of-data-space" },
    { "device-mapper: thin: ", "read-only mode" },
    { "device-mapper: ", "hecksum failed" },
    { "device-mapper: ", "is corrupted" },
    { "device-mapper: ", "Invalidating snapshot" },
    { "INFO: task ", "in I/O wait" },
};

/// What makes a line harmless that has one of those.
constexpr std::string_view kHarmless[] {
    "timeout set to", // of NVMe, when it begins
    "operation not supported error, dev ", // a discard, say: whoever asked does without
    " dev fd", // floppy drives
    " dev sr", // optical ones
};

/// Tasks that wait for storage when they hang, ours among them: how their names begin.
constexpr std::string_view kStorageTasks[] { "jbd2/", "kworker/", "flush-", "xfs", "btrfs", "dm-", "dmcrypt",
    "kcryptd", "md", "loop", "nvme", "scsi_eh_", "iou-", "loadstone", "storage", "raw " };

/// "INFO: task jbd2/sda1-8:345 blocked for more than 120 seconds."
bool isHungStorageTask(std::string_view text)
{
    constexpr std::string_view kBegin = "INFO: task ";
    if (!text.starts_with(kBegin) || text.find("blocked for more than") == std::string_view::npos)
        return false;
    text.remove_prefix(kBegin.size());
    return std::ranges::any_of(kStorageTasks, [&](std::string_view task) { return text.starts_with(task); });
}

/// Why the log may not be opened, and what would help.
std::string whyRefused()
{
    const auto restricted = readFile("/proc/sys/kernel/dmesg_restrict");
    if (::geteuid() != 0 && restricted && restricted->starts_with("1"))
        return "the kernel keeps its log from users without CAP_SYSLOG (kernel.dmesg_restrict is 1); run as "
               "root, or allow it to all with \"sysctl kernel.dmesg_restrict=0\"";
    return std::string("this user or container may not read it; run as root, or ") + kGiveDevice;
}

} // namespace

std::optional<KernelRecord> parseKmsg(std::string_view record)
{
    constexpr std::uint64_t kHighestPriority = 2047; // 3 bits of level, 8 of facility
    constexpr auto kLatest = static_cast<std::uint64_t>(Nanoseconds::max().count()) / 1000;
    const auto headEnd = record.find(';');
    if (headEnd == std::string_view::npos)
        return std::nullopt;
    std::string_view head = record.substr(0, headEnd);
    // Flags and whatever later versions add may follow.
    std::array<std::uint64_t, 3> numbers {};
    for (std::uint64_t& number : numbers) {
        const std::string_view field = head.substr(0, head.find(','));
        const char* const end = field.data() + field.size();
        const auto read = std::from_chars(field.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end)
            return std::nullopt;
        head.remove_prefix(std::min(head.size(), field.size() + 1));
    }
    const auto [priority, sequence, microseconds] = numbers;
    if (priority > kHighestPriority || microseconds > kLatest)
        return std::nullopt;
    const std::string_view text = record.substr(headEnd + 1);
    KernelRecord parsed;
    parsed.facility = static_cast<unsigned>(priority >> 3U);
    parsed.level = static_cast<unsigned>(priority & 7U);
    parsed.sequence = sequence;
    parsed.at = MonoTime(std::chrono::microseconds(static_cast<std::int64_t>(microseconds)));
    parsed.text = printable(text.substr(0, text.find('\n')));
    return parsed;
}

bool storageError(const KernelRecord& record)
{
    const std::string_view text = record.text;
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    if (record.facility != 0 || std::ranges::any_of(kHarmless, has))
        return false;
    return isHungStorageTask(text) || std::ranges::any_of(kSigns, [&](const Sign& sign) {
        return text.starts_with(sign.begin) && has(sign.contains);
    });
}

Result<KernelLog> KernelLog::open(const std::filesystem::path& file)
{
    FileDescriptor log(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!log) {
        const bool refused = errno == EPERM || errno == EACCES;
        const Error error = systemError(file.string());
        const std::string why = refused ? whyRefused() : std::string("in a container: ") + kGiveDevice;
        return fail(error.message + "; " + why, error.code);
    }
    struct stat status { };
    if (::fstat(log.get(), &status) != 0)
        return systemError(file.string());
    if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(kMajor, kMinor))
        return fail(file.string() + ": is not the kernel's log, as in some containers; " + kGiveDevice);
    if (::lseek(log.get(), 0, SEEK_END) < 0)
        return systemError(file.string());
    return KernelLog(std::move(log));
}

KernelLog::KernelLog(FileDescriptor log)
    : m_log(std::move(log))
    , m_looked(monoNow())
{
}

std::vector<KernelRecord> KernelLog::take()
{
    const MonoTime begin = monoNow();
    std::vector<KernelRecord> records;
    std::array<char, kLongestRecord> bytes;
    for (std::size_t i = 0; i < kMostPerTake; ++i) {
        const ssize_t size = ::read(m_log.get(), bytes.data(), bytes.size());
        if (size < 0 && errno == EPIPE) { // overwritten; the next read begins with what is left
            m_lost += m_next ? 0 : 1; // else the numbers tell how many
            continue;
        }
        if (size < 0 && (errno == EINTR || errno == EINVAL)) // the latter: longer than any may be
            continue;
        if (size <= 0)
            break; // EAGAIN: that was all
        std::optional<KernelRecord> record =
            parseKmsg(std::string_view(bytes.data(), static_cast<std::size_t>(size)));
        if (!record)
            continue;
        if (m_next && record->sequence > *m_next)
            m_lost += record->sequence - *m_next;
        m_next = record->sequence + 1;
        records.push_back(*std::move(record));
    }
    const MonoTime end = monoNow();
    for (KernelRecord& record : records)
        record.at = std::clamp(record.at, m_looked, end);
    m_looked = begin;
    return records;
}

std::vector<RunEvent> kernelEvents(KernelLog& log, MonoTime origin)
{
    const auto since = [&](MonoTime when) { return std::max(Nanoseconds(0), when - origin); };
    const std::uint64_t lostBefore = log.lost();
    std::vector<RunEvent> events;
    std::size_t others = 0;
    for (const KernelRecord& record : log.take()) {
        if (!storageError(record))
            continue;
        if (events.size() < kMostEvents)
            events.push_back({ since(record.at), Severity::error, "kernel: " + record.text });
        else
            ++others;
    }
    if (others > 0)
        events.push_back({ events.back().at, Severity::error,
            fmt::format("kernel: {} more lines that report storage errors", others) });
    if (const std::uint64_t lost = log.lost() - lostBefore; lost > 0)
        events.push_back({ since(monoNow()), Severity::warning,
            fmt::format("kernel: {} lines of its log were overwritten before they could be read", lost) });
    return events;
}

} // namespace loadstone::counters
