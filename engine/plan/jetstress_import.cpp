// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// configuration
//   JetstressVersionGenerated, EseVersionGenerated
//   TestDesignInfo: Type, Duration (ISO 8601), ..., OperationMix (attributes), Thresholds (Name="Strict" or "Lenient")
//   ExchangeProfile: ThreadCount, MailboxCount, ..., EseInstances / EseInstance { DatabasePaths / Path, LogPath, DatabaseBackupPath }
//   JetSystemParams: DatabasePageSize, LogFileSize, ...
#include "plan/jetstress.h"
#include "plan/table_reader.h"
#include "plan/xml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostInstances = 100, kMostPaths = 255, kMostLeftOut = 200;

/// Settings that have no counterpart, and why.
constexpr std::array<std::pair<std::string_view, const char*>, 34> kReasons { {
    { "EseVersionGenerated", "the page store is Loadstone's own" },
    { "MultiHostBreak", "hosts are begun together by hand" },
    { "BinaryPerfLog", "every run is recorded" },
    { "RunDatabaseMaintenanceSoftRecovery", "maintenance rests during a recovery" },
    { "ContinueOnErrors", "an I/O error always ends a test" },
    { "UseEseCounters", "latencies are those of each transfer" },
    { "PreloadJetCache", "measurement begins at 90 % of the cache" },
    { "LogFilesToChecksum", "the whole log is checked" },
    { "LogInterval", "every second is recorded" },
    { "LogInterval2", "every second is recorded" },
    { "LockOps", "the mix of operations is never changed" },
    { "RetrieveLVOnRead", "a read takes the whole record" },
    { "RetrieveLVOnScan", "there are no scans" },
    { "PrereadOnRead", "reads of neighbours are joined anyway" },
    { "PrereadOnScan", "there are no scans" },
    { "UpdateLV", "a replace changes the short pad" },
    { "ScanPercentage", "there are no scans" },
    { "RestoreBackupPath", "databases are made anew or used again" },
    { "OutputPath", "results are in the history" },
    { "MaximumChecksumBuffers", "readers and read_size of the test say how much is read at once" },
    { "MaximumChecksumThreads", "readers and read_size of the test say how much is read at once" },
    { "SluggishSessions", "write pacing = \"rate\" and target_iops for an exact load" },
    { "BatchRecords", "a transaction has operations, each of one record" },
    { "Bulky1Percentage", "all records are alike" },
    { "TransPerSec", "write pacing = \"rate\" and target_iops for an exact load" },
    { "ThroughputPercentage", "write the wanted part of it as target_iops" },
    { "DatabaseSource", "databases are made where there are none, and used again where there are" },
    { "DatabaseSizing", "sizes are those of the mailboxes" },
    { "CapacityPercentage", "database_size says it in bytes" },
    { "CircularLog", "log files are always used again" },
    { "MaxVerPages", "there is no version store" },
    { "IopsBias", "all groups have the same load" },
    { "TestRunTypes", "strict limits are for performance, lenient ones for stress tests" },
    { "JetstressVersionGenerated", "it says which preset fits" },
} };

/// One value with its place.
struct Setting {
    std::string name, value;
    int line = 0;
};

class Reading {
public:
    explicit Reading(const XmlElement& root)
        : m_root(root)
    {
    }

    Result<JetstressConfiguration> read()
    {
        if (!sameName(m_root.name, "configuration"))
            return fail(fmt::format("{}: is <{}>, must be the <configuration> that Jetstress writes",
                m_root.line, shown(m_root.name)));
        const XmlElement* design = section("TestDesignInfo");
        const XmlElement* profile = section("ExchangeProfile");
        const XmlElement* system = section("JetSystemParams");
        if (design == nullptr && profile == nullptr)
            return fail(
                fmt::format("{}: has neither TestDesignInfo nor ExchangeProfile, so that it says nothing "
                            "of a test",
                    m_root.line));
        if (const auto version = take(&m_root, "JetstressVersionGenerated"))
            m_to.version = shown(version->value);
        readDesign(design);
        readProfile(profile);
        readSystem(system);
        readInstances(profile);
        m_to.of2007 = m_to.version.empty()
            ? m_to.pageSize && *m_to.pageSize == 8192
            : m_to.version.starts_with("08.") || m_to.version.starts_with("8.");
        const auto differs = [](const auto& lenient, const auto& strict) {
            return lenient && lenient != strict;
        };
        if (differs(m_to.lenient.averageRead, m_to.strict.averageRead)
            || differs(m_to.lenient.averageWrite, m_to.strict.averageWrite))
            leave(m_lenientLine, "the averages of the lenient thresholds",
                "averages have one limit: the strict one");
        leaveOut(m_root);
        if (!m_wrong.empty())
            return fail(m_wrong);
        return std::move(m_to);
    }

private:
    const XmlElement* section(std::string_view name)
    {
        const XmlElement* found = m_root.find(name);
        m_used.insert(found);
        return found;
    }

    void wrong(int line, const std::string& what)
    {
        if (m_wrong.empty())
            m_wrong = fmt::format("{}: {}", line, what);
    }

    void leave(int line, const std::string& what, const std::string& why)
    {
        if (m_to.leftOut.size() < kMostLeftOut)
            m_to.leftOut.push_back({ line, what, why });
    }

    /// The text of a child element; nothing where it is not there or empty.
    std::optional<Setting> take(const XmlElement* parent, std::string_view name)
    {
        const XmlElement* element = parent == nullptr ? nullptr : parent->find(name);
        if (element == nullptr)
            return std::nullopt;
        m_used.insert(element);
        if (element->text.empty())
            return std::nullopt;
        return Setting { element->name, element->text, element->line };
    }

    static std::optional<Setting> attribute(const XmlElement& element, std::string_view name)
    {
        for (const auto& [key, value] : element.attributes)
            if (sameName(key, name))
                return Setting { key, value, element.line };
        return std::nullopt;
    }

    std::optional<double> decimal(const std::optional<Setting>& setting, double least, double most)
    {
        if (!setting)
            return std::nullopt;
        double value = 0;
        const char* end = setting->value.data() + setting->value.size();
        const auto [last, error] =
            std::from_chars(setting->value.data(), end, value, std::chars_format::fixed);
        if (error != std::errc() || last != end || !(value >= least && value <= most)) {
            wrong(setting->line,
                fmt::format("{}: \"{}\" is no number from {} to {}", shown(setting->name),
                    shown(setting->value), least, most));
            return std::nullopt;
        }
        return value;
    }

    std::optional<unsigned> whole(const std::optional<Setting>& setting, unsigned least, unsigned most)
    {
        const auto value = decimal(setting, least, most);
        if (!value)
            return std::nullopt;
        if (*value != std::floor(*value)) {
            wrong(setting->line,
                fmt::format("{}: \"{}\" is no whole number", shown(setting->name), shown(setting->value)));
            return std::nullopt;
        }
        return static_cast<unsigned>(*value);
    }

    bool flag(const std::optional<Setting>& setting, bool otherwise)
    {
        if (!setting)
            return otherwise;
        if (sameName(setting->value, "true") || setting->value == "1")
            return true;
        if (!sameName(setting->value, "false") && setting->value != "0")
            wrong(setting->line,
                fmt::format(
                    "{}: \"{}\" is neither true nor false", shown(setting->name), shown(setting->value)));
        return false;
    }

    std::optional<Nanoseconds> milliseconds(const std::optional<Setting>& setting)
    {
        const auto value = decimal(setting, 0.01, 3'600'000);
        if (!value)
            return std::nullopt;
        return Nanoseconds(std::llround(*value * 1e6));
    }

    /// P0Y0M0DT2H0M0S: parts in this order, each a whole number.
    std::optional<Nanoseconds> isoDuration(const std::optional<Setting>& setting)
    {
        if (!setting)
            return std::nullopt;
        const std::string& text = setting->value;
        const auto bad = [&] {
            wrong(setting->line,
                fmt::format("{}: \"{}\" is no time from PT1S to P30D, as in PT2H", shown(setting->name),
                    shown(text)));
            return std::nullopt;
        };
        if (text.size() < 3 || text.size() > 60 || text.front() != 'P')
            return bad();
        double total = 0; // seconds
        bool time = false;
        const char* at = text.data() + 1;
        const char* end = text.data() + text.size();
        while (at != end) {
            if (*at == 'T' && !time) {
                time = true;
                ++at;
                continue;
            }
            double value = 0;
            const auto [last, error] = std::from_chars(at, end, value, std::chars_format::fixed);
            if (error != std::errc() || last == end || !(value >= 0 && value < 1e9))
                return bad();
            const char unit = *last;
            at = last + 1;
            if (unit == 'Y' && !time)
                total += value * 365 * 86400;
            else if (unit == 'M')
                total += value * (time ? 60 : 30 * 86400);
            else if (unit == 'D' && !time)
                total += value * 86400;
            else if (unit == 'H' && time)
                total += value * 3600;
            else if (unit == 'S' && time)
                total += value;
            else
                return bad();
        }
        if (!(total >= 1 && total <= 30 * 86400.0))
            return bad();
        return Nanoseconds(std::llround(total)) * 1'000'000'000;
    }

    void readDesign(const XmlElement* design)
    {
        if (design == nullptr)
            return;
        readType(take(design, "Type"));
        if (const auto description = take(design, "Description"))
            m_to.description = description->value;
        m_to.duration = isoDuration(take(design, "Duration"));
        m_to.verify = flag(take(design, "VerifyChecksum"), false);
        m_to.maintenance = flag(take(design, "RunDatabaseMaintenancePerformance"), false);
        m_to.tuning = !flag(take(design, "SuppressTuning"), true);
        m_to.backupToDisk = flag(take(design, "BackupToDisk"), false);
        m_to.logsToReplay = whole(take(design, "LogFilesToReplay"), 1, 1'000'000);
        m_to.latencyErrors = whole(take(design, "MaximumLatencyErrors"), 0, 1'000'000);
        m_to.operations = whole(take(design, "BatchUpdates"), 1, 10'000);
        if (const XmlElement* mix = design->find("OperationMix")) {
            m_used.insert(mix);
            m_to.insert = whole(attribute(*mix, "InsertOps"), 0, 100);
            m_to.erase = whole(attribute(*mix, "DeleteOps"), 0, 100);
            m_to.replace = whole(attribute(*mix, "ReplaceOps"), 0, 100);
            m_to.lazyCommits = whole(attribute(*mix, "LazyCommits"), 0, 100);
            const auto locked = attribute(*mix, "LockOps");
            if (m_to.tuning && !flag(locked, true))
                leave(mix->line, "LockOps = false", "the mix of operations is never changed");
        }
        for (const XmlElement& thresholds : design->children)
            if (sameName(thresholds.name, "Thresholds"))
                readThresholds(thresholds);
    }

    void readType(const std::optional<Setting>& type)
    {
        constexpr std::pair<const char*, StorageTestKind> kTypes[] {
            { "Performance", StorageTestKind::performance },
            { "Stress", StorageTestKind::stress },
            { "DatabaseBackup", StorageTestKind::backup },
            { "SoftRecovery", StorageTestKind::recovery },
        };
        if (!type)
            return;
        for (const auto& [name, kind] : kTypes)
            if (sameName(type->value, name)) {
                m_to.kind = kind;
                return;
            }
        leave(type->line, fmt::format("Type = {}", shown(type->value)),
            "it is none of Performance, Stress, DatabaseBackup and SoftRecovery; a performance test was put "
            "in its "
            "place");
    }

    void readThresholds(const XmlElement& element)
    {
        m_used.insert(&element);
        const auto name = attribute(element, "Name");
        const bool lenient = name && sameName(name->value, "Lenient");
        if (!lenient && !(name && sameName(name->value, "Strict"))) {
            leave(element.line, "Thresholds" + (name ? " " + shown(name->value) : std::string()),
                "limits are strict or lenient");
            for (const XmlElement& child : element.children)
                m_used.insert(&child);
            return;
        }
        if (lenient)
            m_lenientLine = element.line;
        JetstressConfiguration::Thresholds& to = lenient ? m_to.lenient : m_to.strict;
        to.averageRead = milliseconds(take(&element, "AverageDatabaseReadLatency"));
        to.maximumRead = milliseconds(take(&element, "MaximumDatabaseReadLatency"));
        to.averageWrite = milliseconds(take(&element, "AverageLogWriteLatency"));
        to.maximumWrite = milliseconds(take(&element, "MaximumLogWriteLatency"));
    }

    void readProfile(const XmlElement* profile)
    {
        if (profile == nullptr)
            return;
        const auto threads = whole(take(profile, "ThreadCount"), 0, 10'000);
        if (threads && *threads > 0)
            m_to.threads = threads;
        m_to.mailboxes = decimal(take(profile, "MailboxCount"), 0, 100'000'000);
        if (m_to.mailboxes && *m_to.mailboxes != std::floor(*m_to.mailboxes))
            wrong(profile->line, "MailboxCount is no whole number");
        m_to.quotaMegabytes = decimal(take(profile, "MailboxQuota"), 0, 1'000'000);
        m_to.iopsPerMailbox = decimal(take(profile, "MailboxIops"), 0, 10'000);
        m_to.margin = decimal(take(profile, "MarginIops"), 0, 1);
        m_to.shortPad = whole(take(profile, "ShortPadLength"), 1, 32768);
        m_to.longPad = whole(take(profile, "LongPadLength"), 1, 32768);
        if (const auto reserved = decimal(take(profile, "DatabaseSpaceReserved"), 0, 100))
            m_to.reserved = *reserved / 100;
        m_to.copies = whole(take(profile, "DatabaseCopyCount"), 1, 16);
        if (const auto sizing = take(profile, "DatabaseSizing");
            sizing && !sameName(sizing->value, "Profile"))
            leave(sizing->line, fmt::format("DatabaseSizing = {}", shown(sizing->value)),
                "write database_size, the size of each database before it grows");
    }

    void readSystem(const XmlElement* system)
    {
        m_to.pageSize = whole(take(system, "DatabasePageSize"), 2048, 32768);
        if (m_to.pageSize && *m_to.pageSize != 4096 && *m_to.pageSize != 8192 && *m_to.pageSize != 16384
            && *m_to.pageSize != 32768)
            wrong(system->find("DatabasePageSize")->line,
                fmt::format("DatabasePageSize: {} is none of 4096, 8192, 16384 and 32768", *m_to.pageSize));
        m_to.logFileKilobytes = whole(take(system, "LogFileSize"), 256, 1U << 20);
        m_to.maintenanceInterval = milliseconds(take(system, "DBMThrottling"));
    }

    void readInstances(const XmlElement* profile)
    {
        const XmlElement* instances = profile == nullptr ? nullptr : profile->find("EseInstances");
        if (instances == nullptr)
            return;
        m_used.insert(instances);
        for (const XmlElement& element : instances->children) {
            m_used.insert(&element);
            if (!sameName(element.name, "EseInstance")) {
                leave(element.line, shown(element.name), "it is unknown");
                continue;
            }
            if (m_to.instances.size() >= kMostInstances)
                return wrong(element.line, fmt::format("more than {} instances", kMostInstances));
            JetstressConfiguration::Instance instance;
            if (const XmlElement* paths = element.find("DatabasePaths")) {
                m_used.insert(paths);
                for (const XmlElement& path : paths->children) {
                    m_used.insert(&path);
                    if (instance.databases.size() >= kMostPaths)
                        return wrong(
                            path.line, fmt::format("more than {} databases of one instance", kMostPaths));
                    if (!path.text.empty())
                        instance.databases.push_back(path.text);
                }
            }
            if (const auto log = take(&element, "LogPath"))
                instance.log = log->value;
            if (const auto backup = take(&element, "DatabaseBackupPath"))
                instance.backup = backup->value;
            auto bias = attribute(element, "IopsBias");
            if (!bias)
                bias = take(&element, "IopsBias");
            if (bias && bias->value != "1")
                leave(element.line, fmt::format("IopsBias = {}", shown(bias->value)),
                    "all groups have the same load");
            m_to.instances.push_back(std::move(instance));
        }
    }

    /// All that nobody has taken.
    void leaveOut(const XmlElement& element)
    {
        for (const XmlElement& child : element.children) {
            if (m_used.count(&child) == 0) {
                const auto* reason = std::ranges::find_if(
                    kReasons, [&](const auto& known) { return sameName(known.first, child.name); });
                leave(child.line,
                    child.text.empty() ? shown(child.name)
                                       : fmt::format("{} = {}", shown(child.name), shown(child.text)),
                    reason == kReasons.end() ? "it has no counterpart here" : reason->second);
            }
            if (m_used.count(&child) != 0)
                leaveOut(child);
        }
    }

    const XmlElement& m_root;
    std::set<const XmlElement*> m_used;
    JetstressConfiguration m_to;
    int m_lenientLine = 0;
    std::string m_wrong; // the first
};

} // namespace

Result<JetstressConfiguration> readJetstress(std::string_view xml)
{
    const auto root = parseXml(xml);
    if (!root)
        return root.error();
    auto read = Reading(*root).read();
    if (!read)
        return read.error();
    std::stable_sort(read->leftOut.begin(), read->leftOut.end(),
        [](const auto& a, const auto& b) { return a.line < b.line; });
    return read;
}

} // namespace loadstone::plan
