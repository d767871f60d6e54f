// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "base/posix_file.h"
#include "document/table_reader.h"
#include "plan/jetstress/jetstress.h"
#include "plan/jetstress/xml_tree.h"
#include "plan/read/read_storage.h"

#include <loadstone/jetstress.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadstone::plan {

namespace {

/// A text of TOML, on one line.
std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            result += '\\';
        if (byte < 0x20 || byte == 0x7f)
            result += fmt::format("\\u{:04X}", byte);
        else
            result += c;
    }
    return result + "\"";
}

std::string time(Nanoseconds t)
{
    return quoted(formatDuration(t));
}

std::string percent(double share)
{
    return quoted(formatPercent(share, 6));
}

/// Megabytes, as few digits as say it.
std::string size(double megabytes)
{
    return megabytes == std::floor(megabytes) ? fmt::format("\"{:.0f} MB\"", megabytes)
                                              : fmt::format("\"{:.0f} KB\"", std::max(megabytes * 1024, 1.0));
}

/// Lines of a plan, key by key.
class Lines {
public:
    /// Is written before its first line: none without one.
    void table(const char* header) { m_header = fmt::format("\n{}\n", header); }
    void comment(const std::string& text) { add("# " + text + "\n"); }
    void line(const char* key, const std::string& value) { add(fmt::format("{} = {}\n", key, value)); }
    template <class T>
    void number(const char* key, const std::optional<T>& value)
    {
        if (value)
            line(key, fmt::format("{}", *value));
    }
    void bytes(const char* key, const std::optional<unsigned>& value, const char* unit)
    {
        if (value)
            line(key, fmt::format("\"{} {}\"", *value, unit));
    }
    void time(const char* key, const std::optional<Nanoseconds>& value)
    {
        if (value)
            line(key, plan::time(*value));
    }
    void share(const char* key, const std::optional<double>& value)
    {
        if (value)
            line(key, percent(*value));
    }
    std::string text() { return std::move(m_text); }

private:
    void add(const std::string& line) { m_text += std::exchange(m_header, {}) + line; }
    std::string m_header, m_text;
};

void writeDatabase(const JetstressConfiguration& from, Lines& lines)
{
    lines.table("[database]");
    lines.bytes("page_size", from.pageSize ? std::optional(*from.pageSize / 1024) : std::nullopt, "KB");
    lines.bytes("log_file", from.logFileKilobytes, "KB");
    lines.bytes("short_pad", from.shortPad, "B");
    lines.bytes("long_pad", from.longPad, "B");
    lines.share("growth_reserve", from.reserved);
}

bool hasMailboxes(const JetstressConfiguration& from)
{
    const auto positive = [](const std::optional<double>& value) { return value && *value > 0; };
    return positive(from.mailboxes) && positive(from.quotaMegabytes) && positive(from.iopsPerMailbox);
}

void writeLoad(const JetstressConfiguration& from, Lines& lines)
{
    lines.table("[load]");
    if (from.threads || from.tuning) {
        lines.line("pacing", "\"threads\"");
        lines.number("threads", from.threads);
        if (from.threads)
            lines.line("threads_of", from.of2007 ? "\"group\"" : "\"host\"");
        if (hasMailboxes(from)) {
            lines.comment("What the mailboxes ask for. pacing = \"rate\" would hold it exactly.");
            lines.line("target_iops",
                fmt::format("{:.10g}", std::clamp(*from.mailboxes * *from.iopsPerMailbox, 0.1, 1e8)));
        }
        if (from.tuning)
            lines.line("tuning", "true");
    } else if (hasMailboxes(from)) {
        lines.line("pacing", "\"mailboxes\"");
        lines.line("mailboxes", fmt::format("{:.0f}", *from.mailboxes));
        lines.line("iops_per_mailbox", fmt::format("{:.6g}", *from.iopsPerMailbox));
        lines.line("quota", size(*from.quotaMegabytes));
        lines.share("margin", from.margin);
    } else {
        lines.comment(
            "The configuration names neither threads nor mailboxes: write threads, the number of sessions.");
        lines.line("pacing", "\"threads\"");
    }
    lines.number("operations", from.operations);
    lines.number("insert", from.insert);
    lines.number("delete", from.erase);
    lines.number("replace", from.replace);
    lines.number("lazy_commits", from.lazyCommits);
}

void writeLimits(const JetstressConfiguration& from, Lines& lines)
{
    lines.table("[limits]");
    lines.time("average_database_read", from.strict.averageRead);
    lines.time("maximum_database_read", from.strict.maximumRead);
    lines.time("average_log_write", from.strict.averageWrite);
    lines.time("maximum_log_write", from.strict.maximumWrite);
    lines.time("lenient_maximum_database_read", from.lenient.maximumRead);
    lines.time("lenient_maximum_log_write", from.lenient.maximumWrite);
    lines.number("latency_errors", from.latencyErrors);
    lines.share("margin", from.margin);
}

/// The size of each database, as the mailboxes have it; where the load does not say it already.
std::string databaseSize(const JetstressConfiguration& from)
{
    if (!hasMailboxes(from))
        return {};
    std::size_t databases = 0;
    for (const auto& instance : from.instances)
        databases += instance.databases.size();
    const double megabytes =
        *from.mailboxes * *from.quotaMegabytes / static_cast<double>(std::max<std::size_t>(databases, 1));
    return fmt::format("\"{:.0f} MB\"", std::clamp(std::ceil(megabytes), 4.0, 1e8));
}

void writeGroups(const JetstressConfiguration& from, const std::vector<FolderMapping>& folders, Lines& lines)
{
    std::vector<JetstressConfiguration::Instance> instances = from.instances;
    const bool sized = !from.threads && !from.tuning && hasMailboxes(from);
    if (instances.empty())
        instances.push_back({});
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const auto& instance = instances[i];
        lines.table("[[groups]]");
        if (from.instances.empty())
            lines.comment("The configuration names no instance.");
        lines.line("name", fmt::format("\"group-{}\"", i + 1));
        std::vector<std::string> databases;
        for (const std::string& database : instance.databases)
            databases.push_back(quoted(mapFolder(database, folders)));
        if (databases.empty())
            databases.push_back(quoted(fmt::format("{}/database-{}", kPlaceholder, i + 1)));
        lines.line("databases", fmt::format("[{}]", joined(databases, ", ")));
        lines.line("log",
            quoted(instance.log.empty() ? fmt::format("{}/log-{}", kPlaceholder, i + 1)
                                        : mapFolder(instance.log, folders)));
        const std::string size = databaseSize(from);
        if (sized)
            continue;
        if (size.empty())
            lines.comment("Write the size of each database here, as in database_size = \"80 GB\".");
        else
            lines.line("database_size", size);
    }
}

void writeTests(const JetstressConfiguration& from, const std::vector<FolderMapping>& folders, Lines& lines)
{
    lines.table("[[tests]]");
    switch (from.kind) {
    case StorageTestKind::performance:
    case StorageTestKind::stress:
        lines.line("kind", from.kind == StorageTestKind::stress ? "\"stress\"" : "\"performance\"");
        lines.time("duration", from.duration);
        break;
    case StorageTestKind::backup: {
        lines.line("kind", "\"backup\"");
        const auto it = std::find_if(from.instances.begin(), from.instances.end(),
            [](const auto& instance) { return !instance.backup.empty(); });
        if (from.backupToDisk) {
            lines.comment("One folder takes the backups of all groups.");
            lines.line("to", quoted(mapFolder(it == from.instances.end() ? "backup" : it->backup, folders)));
        }
        break;
    }
    case StorageTestKind::recovery:
        lines.line("kind", "\"recovery\"");
        lines.number("logs", from.logsToReplay);
        break;
    case StorageTestKind::checksum:
        break;
    }
    if (from.verify) {
        lines.table("[[tests]]");
        lines.line("kind", "\"checksum\"");
    }
}

/// Ends in one of the endings that files of databases have.
bool isFile(std::string_view name)
{
    return name.size() > 4 && sameName(name.substr(name.size() - 4), ".edb");
}

/// Without "." and "..": what lies above a folder is not in it, wherever that is mapped to. Nothing lies above a drive.
std::string resolved(const std::string& path)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = path.find('/', begin);
        const std::string part = path.substr(begin, end == std::string::npos ? end : end - begin);
        if (part == "..") {
            if (!parts.empty() && !parts.back().empty() && !parts.back().ends_with(':'))
                parts.pop_back();
        } else if (part != ".") {
            parts.push_back(part);
        }
        if (end == std::string::npos)
            break;
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i > 0 ? "/" : "") + parts[i];
    return text;
}

} // namespace

std::string mapFolder(const std::string& windows, const std::vector<FolderMapping>& folders)
{
    const auto slashes = [](std::string text) {
        std::replace(text.begin(), text.end(), '\\', '/');
        while (text.size() > 1 && text.ends_with('/'))
            text.pop_back();
        return text;
    };
    std::string path = slashes(resolved(slashes(windows)));
    if (isFile(path))
        path.erase(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
    const FolderMapping* best = nullptr;
    std::size_t length = 0;
    for (const FolderMapping& mapping : folders) {
        const std::string from = slashes(mapping.first);
        if (from.empty() || from.size() > path.size() || (best != nullptr && from.size() <= length)
            || !sameName(std::string_view(path).substr(0, from.size()), from)
            || (path.size() > from.size() && path[from.size()] != '/' && !from.ends_with('/')))
            continue;
        best = &mapping;
        length = from.size();
    }
    std::string rest = path.substr(length);
    if (best == nullptr)
        rest.erase(std::remove(rest.begin(), rest.end(), ':'), rest.end());
    rest.erase(0, rest.find_first_not_of('/'));
    std::string folder = best == nullptr ? kPlaceholder : slashes(best->second);
    if (!rest.empty())
        folder += (folder.ends_with('/') ? "" : "/") + rest;
    return folder;
}

std::string writePlan(
    const JetstressConfiguration& from, const std::string& name, const std::vector<FolderMapping>& folders)
{
    Lines lines;
    lines.comment(fmt::format("From the Jetstress configuration {}{}.", document::shown(name),
        from.version.empty() ? "" : ", version " + document::shown(from.version)));
    if (!from.leftOut.empty()) {
        lines.comment("Not taken over:");
        for (const auto& left : from.leftOut)
            lines.comment(fmt::format("  line {}: {}: {}", left.line, left.what, left.why));
    }
    lines.line("format", "1");
    lines.line("kind", "\"storage\"");
    lines.line("title", quoted("Imported from " + document::shown(name)));
    if (!from.description.empty())
        lines.line("description", quoted(from.description));
    lines.comment("Values of everything that is not stated below.");
    lines.line("preset", from.of2007 ? "\"exchange-2007\"" : "\"exchange-2013\"");
    writeDatabase(from, lines);
    writeLoad(from, lines);
    lines.table("[maintenance]");
    lines.line("enabled", from.maintenance ? "true" : "false");
    if (from.maintenance)
        lines.time("interval", from.maintenanceInterval);
    if (from.copies) {
        lines.table("[log_copies]");
        lines.number("count", from.copies);
    }
    writeLimits(from, lines);
    writeGroups(from, folders, lines);
    writeTests(from, folders, lines);
    return lines.text();
}

} // namespace loadstone::plan

namespace loadstone {

namespace {

/// "C:\DB1" of "C:\DB1\Jetstress001.edb".
std::string folderOf(const std::string& windows)
{
    const std::size_t slash = windows.find_last_of("\\/");
    return plan::isFile(windows) ? windows.substr(0, slash == std::string::npos ? 0 : slash) : windows;
}

} // namespace

Result<JetstressPlan> readJetstressPlan(
    const std::filesystem::path& file, const std::vector<FolderMapping>& folders)
{
    const auto text = readFile(file, 1U << 20);
    if (!text)
        return text.error();
    const auto read = plan::readJetstress(*text);
    if (!read)
        return fail(file.string() + ":" + read.error().message);
    JetstressPlan made;
    made.text = plan::writePlan(*read, file.filename().string(), folders);
    for (const auto& left : read->leftOut)
        made.leftOut.push_back({ left.line, document::shown(left.what), document::shown(left.why) });
    const auto add = [&](const std::string& windows) {
        const std::string folder = folderOf(windows);
        if (!folder.empty()
            && std::find(made.folders.begin(), made.folders.end(), folder) == made.folders.end())
            made.folders.push_back(folder);
    };
    for (const auto& instance : read->instances) {
        for (const std::string& database : instance.databases)
            add(database);
        add(instance.log);
        if (read->backupToDisk)
            add(instance.backup);
    }
    return made;
}

Result<std::string> importJetstress(
    const std::filesystem::path& file, const std::vector<FolderMapping>& folders)
{
    auto made = readJetstressPlan(file, folders);
    if (!made)
        return made.error();
    return std::move(made->text);
}

} // namespace loadstone
