// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/group_mark.h"

#include "base/random.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestMark = 64U << 10;
constexpr const char* kFormat = "1";

using Values = std::multimap<std::string, std::string, std::less<>>;

/// Lines "key = value".
Values parse(std::string_view text)
{
    Values values;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (const auto equals = line.find(" = "); equals != std::string_view::npos && line.front() != '#')
            values.emplace(line.substr(0, equals), line.substr(equals + 3));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return values;
}

/// Reads values into what they are for; the first that is missing or wrong is an Error.
class Reader {
public:
    Reader(const Values& values, std::string path)
        : m_values(values)
        , m_path(std::move(path))
    {
    }
    template <class Number>
    void number(const char* key, Number& into)
    {
        const std::string text = one(key);
        Number value {};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
            wrong(key);
        else
            into = value;
    }
    std::string one(const char* key)
    {
        const auto found = m_values.find(key);
        if (found == m_values.end()) {
            wrong(key);
            return {};
        }
        return found->second;
    }
    void wrong(const char* key)
    {
        if (m_error.empty())
            m_error =
                fmt::format("{}: is no mark of a storage group that can be read (\"{}\" is missing or "
                            "wrong); if nothing of the group is wanted any more, remove its files by hand",
                    m_path, key);
    }
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    const Values& m_values;
    std::string m_path, m_error;
};

fs::path markOf(const fs::path& logFolder, const std::string& name)
{
    return logFolder / (name + ".loadstone");
}

/// Names and folders as the page store has them.
GroupOptions namesOf(const fs::path& logFolder, const std::string& name, const GroupMake& make)
{
    GroupOptions options;
    options.name = name;
    options.logFolder = logFolder;
    options.databaseFolders = make.databaseFolders;
    return options;
}

/// Those of a group's files that are there.
std::vector<fs::path> filesOf(const GroupOptions& options)
{
    std::vector<fs::path> files;
    std::error_code none;
    const auto add = [&](const fs::path& path) {
        if (fs::exists(fs::symlink_status(path, none)))
            files.push_back(path);
    };
    for (std::size_t i = 0; i < options.databaseFolders.size(); ++i)
        add(options.databasePath(i));
    if (!options.databaseFolders.empty())
        add(options.copiesPath());
    add(options.checkpointPath());
    // By their numbers: "a-" is also what the files of a group "a-b" begin with.
    const std::string prefix = options.logPrefix(), ending = ".log";
    std::vector<fs::path> logs;
    for (auto entry = fs::directory_iterator(options.logFolder, none); entry != fs::directory_iterator();
         entry.increment(none)) {
        const std::string name = entry->path().filename().string();
        if (name.size() > prefix.size() + ending.size() && name.starts_with(prefix) && name.ends_with(ending)
            && std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                [](unsigned char c) { return c >= '0' && c <= '9'; }))
            logs.push_back(entry->path());
        if (none)
            break;
    }
    std::sort(logs.begin(), logs.end());
    files.insert(files.end(), logs.begin(), logs.end());
    return files;
}

std::string describe(const GroupMake& make)
{
    return fmt::format("{} database{} of {} with {} records of {} bytes, in pages of {} and log files of {}",
        make.databaseFolders.size(), make.databaseFolders.size() == 1 ? "" : "s",
        formatBytes(make.pagesPerDatabase * make.pageSize), make.records,
        make.shape.shortPad + make.shape.longPad, formatBytes(make.pageSize), formatBytes(make.log.fileSize));
}

} // namespace

GroupMark::GroupMark(fs::path path, std::string name)
    : m_path(std::move(path))
    , m_name(std::move(name))
{
}

Result<GroupMark> GroupMark::claim(const GroupOptions& options, const GroupMake& wanted)
{
    GroupMark mark(markOf(options.logFolder, options.name), options.name);
    std::error_code none;
    if (!fs::exists(fs::symlink_status(mark.m_path, none))) {
        if (const auto files = filesOf(options); !files.empty())
            return fail(
                fmt::format("{}: is there and not Loadstone's (there is no mark {}); nothing of others is "
                            "written over: choose another folder or group name, or remove it yourself",
                    files.front().string(), mark.m_path.string()));
        mark.m_make = wanted;
        return mark;
    }
    if (const auto held = mark.hold(); !held)
        return held.error();
    if (const auto read = mark.read(); !read)
        return read.error();
    if (mark.m_make != wanted)
        return fail(
            fmt::format("{}: the group was made as {}{}; the plan has {}. Remove it first (loadstone storage "
                        "clean), or let the plan say the same",
                mark.m_path.string(), describe(mark.m_make),
                mark.m_make.databaseFolders != wanted.databaseFolders ? " in other folders" : "",
                describe(wanted)));
    return mark;
}

Result<std::optional<GroupMark>> GroupMark::find(const fs::path& logFolder, const std::string& name)
{
    GroupMark mark(markOf(logFolder, name), name);
    std::error_code none;
    if (!fs::exists(fs::symlink_status(mark.m_path, none)))
        return std::optional<GroupMark>();
    if (const auto held = mark.hold(); !held)
        return held.error();
    if (const auto read = mark.read(); !read)
        return read.error();
    return std::optional<GroupMark>(std::move(mark));
}

Result<void> GroupMark::hold()
{
    FileDescriptor mark(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!mark)
        return systemError(m_path.string());
    if (::flock(mark.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
            ? fail(m_path.string() + ": another run is using the storage group; wait for its end")
            : systemError(m_path.string());
    m_lock = std::move(mark);
    return {};
}

Result<void> GroupMark::read()
{
    const auto text = readFile(m_path, kLongestMark);
    if (!text)
        return text.error();
    const Values values = parse(*text);
    Reader reader(values, m_path.string());
    if (reader.one("format") != kFormat || reader.one("group") != m_name)
        reader.wrong("format");
    reader.number("signature", m_signature);
    reader.number("seed", m_seed);
    reader.number("page_size", m_make.pageSize);
    reader.number("pages", m_make.pagesPerDatabase);
    reader.number("records", m_make.records);
    reader.number("log_file", m_make.log.fileSize);
    reader.number("log_segment", m_make.log.segment);
    reader.number("short_pad", m_make.shape.shortPad);
    reader.number("long_pad", m_make.shape.longPad);
    reader.number("compression", m_make.shape.compression);
    reader.number("duplication", m_make.shape.duplication);
    const std::string state = reader.one("state");
    if (state != "making" && state != "made")
        reader.wrong("state");
    m_state = state == "made" ? State::made : State::making;
    // Folders stand in the order of their databases, which a multimap keeps for one key.
    const auto [first, last] = values.equal_range("database");
    for (auto folder = first; folder != last; ++folder)
        m_make.databaseFolders.emplace_back(folder->second);
    if (m_make.databaseFolders.empty())
        reader.wrong("database");
    return reader.error().empty() ? Result<void>() : Result<void>(fail(reader.error()));
}

Result<void> GroupMark::write(State state)
{
    std::string text = fmt::format("# Loadstone made the storage group \"{}\": the files beside this one and "
                                   "in the folders below that begin with\n"
                                   "# its name. `loadstone storage clean` removes them all.\n"
                                   "format = {}\ngroup = {}\nstate = {}\nsignature = {}\nseed = "
                                   "{}\npage_size = {}\npages = {}\nrecords = {}\n"
                                   "log_file = {}\nlog_segment = {}\nshort_pad = {}\nlong_pad = "
                                   "{}\ncompression = {}\nduplication = {}\n",
        m_name, kFormat, m_name, state == State::made ? "made" : "making", m_signature, m_seed,
        m_make.pageSize, m_make.pagesPerDatabase, m_make.records, m_make.log.fileSize, m_make.log.segment,
        m_make.shape.shortPad, m_make.shape.longPad, m_make.shape.compression, m_make.shape.duplication);
    for (const fs::path& folder : m_make.databaseFolders)
        text += fmt::format("database = {}\n", folder.string());
    if (const auto written = writeFileAtomically(m_path, text); !written)
        return written.error();
    m_state = state;
    return hold(); // it is a new file
}

Result<void> GroupMark::begin(std::uint64_t seed)
{
    if (m_state == State::making)
        for (const fs::path& file : files()) {
            std::error_code error;
            if (!fs::remove(file, error) && error)
                return fail(file.string() + ": cannot be removed: " + error.message());
        }
    // Not a function of the seed: files of an earlier group of the same plan must not pass for this one's.
    if (::getrandom(&m_signature, sizeof m_signature, 0) != static_cast<ssize_t>(sizeof m_signature))
        return systemError("a random number");
    // Databases have the numbers after it, and 0 means "none" in places.
    m_signature = m_signature % 0xffff0000U + 1;
    m_seed = seed;
    return write(State::making);
}

Result<void> GroupMark::finish()
{
    return write(State::made);
}

std::vector<fs::path> GroupMark::files() const
{
    return filesOf(namesOf(m_path.parent_path(), m_name, m_make));
}

Result<void> GroupMark::remove()
{
    std::vector<fs::path> all = files();
    all.push_back(m_path); // last: what is left of the others stays Loadstone's
    for (const fs::path& file : all) {
        std::error_code error;
        if (!fs::remove(file, error) && error)
            return fail(file.string() + ": cannot be removed: " + error.message());
    }
    m_state = State::none;
    m_lock.reset();
    return {};
}

} // namespace loadstone::storage
