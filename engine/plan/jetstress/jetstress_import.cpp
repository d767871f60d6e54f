// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// configuration
//   JetstressVersionGenerated, EseVersionGenerated
//   TestDesignInfo: Type, Duration (ISO 8601), ..., OperationMix (attributes), Thresholds (Name="Strict" or "Lenient")
//   ExchangeProfile: ThreadCount, MailboxCount, ..., EseInstances / EseInstance { DatabasePaths / Path, LogPath, DatabaseBackupPath }
//   JetSystemParams: DatabasePageSize, LogFileSize, ...
#include "document/table_reader.h"
#include "plan/jetstress/jetstress.h"
#include "plan/jetstress/setting_reader.h"
#include "plan/jetstress/xml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostInstances = 100, kMostPaths = 255, kMostLeftOut = 200;

/// Settings that have no counterpart, and why.
constexpr std::array<std::pair<std::string_view, const char*>, 29> kReasons { {
    { "EseVersionGenerated", "the page store is Loadstone's own" },
    { "MultiHostBreak", "start the hosts together by hand" },
    { "BinaryPerfLog", "every run is recorded" },
    { "RunDatabaseMaintenanceSoftRecovery", "maintenance does not run during a recovery" },
    { "ContinueOnErrors", "an I/O error always ends a test" },
    { "UseEseCounters", "latencies are measured for each transfer" },
    { "PreloadJetCache", "the measurement begins when the cache is filled to 90 %" },
    { "LogFilesToChecksum", "the whole log is checked" },
    { "LogInterval", "every second is recorded" },
    { "LogInterval2", "every second is recorded" },
    { "RetrieveLVOnRead", "a read does not use long values" },
    { "RetrieveLVOnScan", "there are no scans" },
    { "PrereadOnRead", "reads of neighbouring pages are always joined" },
    { "PrereadOnScan", "there are no scans" },
    { "UpdateLV", "a replace changes the long value as well" },
    { "ScanPercentage", "there are no scans" },
    { "RestoreBackupPath", "databases are created, or used again" },
    { "OutputPath", "results are in the history" },
    { "MaximumChecksumBuffers", "readers and read_size of the test say how much is read at once" },
    { "MaximumChecksumThreads", "readers and read_size of the test say how much is read at once" },
    { "SluggishSessions", "write pacing = \"rate\" and target_iops for an exact load" },
    { "BatchRecords", "each operation of a transaction uses one record" },
    { "Bulky1Percentage", "all records are alike" },
    { "TransPerSec", "write pacing = \"rate\" and target_iops for an exact load" },
    { "ThroughputPercentage", "write that part of the rate as target_iops" },
    { "DatabaseSource", "missing databases are created, existing ones are used again" },
    { "CapacityPercentage", "database_size gives the size in bytes" },
    { "CircularLog", "log files are always used again" },
    { "MaxVerPages", "there is no version store" },
} };

class ConfigurationReading {
public:
    explicit ConfigurationReading(const XmlElement& root)
        : m_root(root)
    {
    }

    Result<JetstressConfiguration> read()
    {
        if (!sameName(m_root.name, "configuration"))
            return fail(fmt::format("{}: is <{}>, must be the <configuration> that Jetstress writes",
                m_root.line, document::shown(m_root.name)));
        const XmlElement* design = section("TestDesignInfo");
        const XmlElement* profile = section("ExchangeProfile");
        const XmlElement* system = section("JetSystemParams");
        if (design == nullptr && profile == nullptr)
            return fail(fmt::format(
                "{}: has neither TestDesignInfo nor ExchangeProfile, so it does not describe a test",
                m_root.line));
        if (const auto version = m_from.take(&m_root, "JetstressVersionGenerated"))
            m_to.version = document::shown(version->value);
        readDesign(design);
        readProfile(profile);
        readSystem(system);
        readInstances(profile);
        m_to.of2007 = m_to.version.empty()
            ? m_to.pageSize && *m_to.pageSize == 8192
            : m_to.version.starts_with("08.") || m_to.version.starts_with("8.");
        const bool loads = m_to.kind == StorageTestKind::performance || m_to.kind == StorageTestKind::stress;
        leaveUnless(loads, design, "Duration", "the test ends when its work is done");
        leaveUnless(m_to.kind == StorageTestKind::recovery, design, "LogFilesToReplay",
            "the test is not a recovery test");
        leaveUnless(m_to.maintenance, system, "DBMThrottling", "maintenance is off");
        const auto differs = [](const auto& lenient, const auto& strict) {
            return lenient && lenient != strict;
        };
        if (differs(m_to.lenient.averageRead, m_to.strict.averageRead)
            || differs(m_to.lenient.averageWrite, m_to.strict.averageWrite))
            leave(m_lenientLine, "the averages of the lenient thresholds",
                "averages have one limit: the strict one");
        leaveOut(m_root);
        if (!m_from.wrong().empty())
            return fail(m_from.wrong());
        return std::move(m_to);
    }

private:
    const XmlElement* section(std::string_view name)
    {
        const XmlElement* found = m_root.find(name);
        m_from.use(found);
        return found;
    }

    void leave(int line, const std::string& what, const std::string& why)
    {
        if (m_to.leftOut.size() < kMostLeftOut)
            m_to.leftOut.push_back({ line, what, why });
    }

    void readDesign(const XmlElement* design)
    {
        if (design == nullptr)
            return;
        readType(m_from.take(design, "Type"));
        if (const auto description = m_from.take(design, "Description"))
            m_to.description = description->value;
        m_to.duration = m_from.isoDuration(m_from.take(design, "Duration"));
        m_to.verify = m_from.flag(m_from.take(design, "VerifyChecksum"), false);
        m_to.maintenance = m_from.flag(m_from.take(design, "RunDatabaseMaintenancePerformance"), false);
        m_to.tuning = !m_from.flag(m_from.take(design, "SuppressTuning"), true);
        m_to.backupToDisk = m_from.flag(m_from.take(design, "BackupToDisk"), false);
        m_to.logsToReplay = m_from.whole(m_from.take(design, "LogFilesToReplay"), 1, 1'000'000);
        m_to.latencyErrors = m_from.whole(m_from.take(design, "MaximumLatencyErrors"), 0, 1'000'000);
        m_to.operations = m_from.whole(m_from.take(design, "BatchUpdates"), 1, 10'000);
        if (const XmlElement* mix = design->find("OperationMix")) {
            m_from.use(mix);
            m_to.insert = m_from.whole(m_from.attribute(*mix, "InsertOps"), 0, 100);
            m_to.erase = m_from.whole(m_from.attribute(*mix, "DeleteOps"), 0, 100);
            m_to.replace = m_from.whole(m_from.attribute(*mix, "ReplaceOps"), 0, 100);
            m_to.lazyCommits = m_from.whole(m_from.attribute(*mix, "LazyCommits"), 0, 100);
            const auto locked = m_from.attribute(*mix, "LockOps");
            if (m_to.tuning && !m_from.flag(locked, true))
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
        leave(type->line, fmt::format("Type = {}", document::shown(type->value)),
            "the type is not Performance, Stress, DatabaseBackup or SoftRecovery; the plan has a performance "
            "test instead");
    }

    void readThresholds(const XmlElement& element)
    {
        m_from.use(&element);
        const auto name = m_from.attribute(element, "Name");
        const bool lenient = name && sameName(name->value, "Lenient");
        if (!lenient && !(name && sameName(name->value, "Strict"))) {
            leave(element.line, "Thresholds" + (name ? " " + document::shown(name->value) : std::string()),
                "limits are strict or lenient");
            for (const XmlElement& child : element.children)
                m_from.use(&child);
            return;
        }
        if (lenient)
            m_lenientLine = element.line;
        JetstressConfiguration::Thresholds& to = lenient ? m_to.lenient : m_to.strict;
        to.averageRead = m_from.milliseconds(m_from.take(&element, "AverageDatabaseReadLatency"));
        to.maximumRead = m_from.milliseconds(m_from.take(&element, "MaximumDatabaseReadLatency"));
        to.averageWrite = m_from.milliseconds(m_from.take(&element, "AverageLogWriteLatency"));
        to.maximumWrite = m_from.milliseconds(m_from.take(&element, "MaximumLogWriteLatency"));
    }

    void readProfile(const XmlElement* profile)
    {
        if (profile == nullptr)
            return;
        const auto threads = m_from.whole(m_from.take(profile, "ThreadCount"), 0, 10'000);
        if (threads && *threads > 0)
            m_to.threads = threads;
        m_to.mailboxes = m_from.decimal(m_from.take(profile, "MailboxCount"), 0, 100'000'000);
        if (m_to.mailboxes && *m_to.mailboxes != std::floor(*m_to.mailboxes))
            m_from.wrong(profile->line, "MailboxCount is not a whole number");
        m_to.quotaMegabytes = m_from.decimal(m_from.take(profile, "MailboxQuota"), 0, 1'000'000);
        m_to.iopsPerMailbox = m_from.decimal(m_from.take(profile, "MailboxIops"), 0, 10'000);
        m_to.margin = m_from.decimal(m_from.take(profile, "MarginIops"), 0, 1);
        m_to.shortPad = m_from.whole(m_from.take(profile, "ShortPadLength"), 1, 32768);
        m_to.longPad = m_from.whole(m_from.take(profile, "LongPadLength"), 1, 32768);
        if (const auto reserved = m_from.decimal(m_from.take(profile, "DatabaseSpaceReserved"), 0, 100))
            m_to.reserved = *reserved / 100;
        m_to.copies = m_from.whole(m_from.take(profile, "DatabaseCopyCount"), 1, 16);
        if (const auto sizing = m_from.take(profile, "DatabaseSizing");
            sizing && !sameName(sizing->value, "Profile"))
            leave(sizing->line, fmt::format("DatabaseSizing = {}", document::shown(sizing->value)),
                "write database_size, the size of each database before it grows");
    }

    void readSystem(const XmlElement* system)
    {
        m_to.pageSize = m_from.whole(m_from.take(system, "DatabasePageSize"), 2048, 32768);
        if (m_to.pageSize && *m_to.pageSize != 4096 && *m_to.pageSize != 8192 && *m_to.pageSize != 16384
            && *m_to.pageSize != 32768)
            m_from.wrong(system->find("DatabasePageSize")->line,
                fmt::format("DatabasePageSize: {} is not 4096, 8192, 16384 or 32768", *m_to.pageSize));
        m_to.logFileKilobytes = m_from.whole(m_from.take(system, "LogFileSize"), 256, 1U << 20);
        m_to.maintenanceInterval = m_from.milliseconds(m_from.take(system, "DBMThrottling"));
    }

    void readInstances(const XmlElement* profile)
    {
        const XmlElement* instances = profile == nullptr ? nullptr : profile->find("EseInstances");
        if (instances == nullptr)
            return;
        m_from.use(instances);
        for (const XmlElement& element : instances->children) {
            m_from.use(&element);
            if (!sameName(element.name, "EseInstance")) {
                leave(element.line, document::shown(element.name), "this element is unknown");
                continue;
            }
            if (m_to.instances.size() >= kMostInstances)
                return m_from.wrong(element.line, fmt::format("more than {} instances", kMostInstances));
            JetstressConfiguration::Instance instance;
            if (const XmlElement* paths = element.find("DatabasePaths")) {
                m_from.use(paths);
                for (const XmlElement& path : paths->children) {
                    m_from.use(&path);
                    if (instance.databases.size() >= kMostPaths)
                        return m_from.wrong(
                            path.line, fmt::format("more than {} databases of one instance", kMostPaths));
                    if (!path.text.empty())
                        instance.databases.push_back(path.text);
                }
            }
            if (const auto log = m_from.take(&element, "LogPath"))
                instance.log = log->value;
            if (const auto backup = m_from.take(&element, "DatabaseBackupPath"))
                instance.backup = backup->value;
            auto bias = m_from.attribute(element, "IopsBias");
            if (!bias)
                bias = m_from.take(&element, "IopsBias");
            if (bias && bias->value != "1")
                leave(element.line, fmt::format("IopsBias = {}", document::shown(bias->value)),
                    "all groups have the same load");
            m_to.instances.push_back(std::move(instance));
        }
    }

    /// A setting that says nothing beside others.
    void leaveUnless(bool matters, const XmlElement* parent, std::string_view name, const char* why)
    {
        const XmlElement* element = parent == nullptr ? nullptr : parent->find(name);
        if (!matters && element != nullptr && !element->text.empty())
            leave(element->line,
                fmt::format("{} = {}", document::shown(element->name), document::shown(element->text)), why);
    }

    /// All that nobody has taken.
    void leaveOut(const XmlElement& element)
    {
        for (const XmlElement& child : element.children) {
            if (!m_from.used(child)) {
                const auto* reason = std::ranges::find_if(
                    kReasons, [&](const auto& known) { return sameName(known.first, child.name); });
                leave(child.line,
                    child.text.empty()
                        ? document::shown(child.name)
                        : fmt::format("{} = {}", document::shown(child.name), document::shown(child.text)),
                    reason == kReasons.end() ? "it has no counterpart here" : reason->second);
            }
            if (m_from.used(child))
                leaveOut(child);
        }
    }

    const XmlElement& m_root;
    SettingReader m_from;
    JetstressConfiguration m_to;
    int m_lenientLine = 0;
};

} // namespace

Result<JetstressConfiguration> readJetstress(std::string_view xml)
{
    const auto root = parseXml(xml);
    if (!root)
        return root.error();
    auto read = ConfigurationReading(*root).read();
    if (!read)
        return read.error();
    std::stable_sort(read->leftOut.begin(), read->leftOut.end(),
        [](const auto& a, const auto& b) { return a.line < b.line; });
    return read;
}

} // namespace loadstone::plan
