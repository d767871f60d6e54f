// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/group_mark.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>
#include <utility>

namespace loadstone::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestGroupMark = 64U << 10;
constexpr const char* kFormat = "2";
constexpr std::size_t kMostRemoved = 100; // log files that somebody removed, one after the other

/// Reads values into what they are for; the first that is missing or wrong is an Error.
class MarkReader {
public:
    MarkReader(const MarkText& values, std::string path)
        : m_values(values)
        , m_path(std::move(path))
    {
    }
    template <class Number>
    void number(const char* key, Number& into)
    {
        if (const auto value = m_values.number<Number>(key))
            into = *value;
        else
            wrong(key);
    }
    std::string one(const char* key)
    {
        if (!m_values.has(key))
            wrong(key);
        return m_values.value(key);
    }
    void wrong(const char* key)
    {
        if (m_error.empty())
            m_error = fmt::format("{}: is not a readable mark of a storage group (\"{}\" is missing or "
                                  "wrong); if you do not need the group any more, remove its files by hand",
                m_path, key);
    }
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    const MarkText& m_values;
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
    // Only names that the log's files have: "a-" is also what those of a group "a-b" begin with.
    for (std::size_t slot = 0, missing = 0; missing < kMostRemoved; ++slot) {
        const std::size_t before = files.size();
        add(LogFiles::pathOf(options.logFolder, options.logPrefix(), slot));
        missing = files.size() > before ? 0 : missing + 1;
    }
    return files;
}

std::string foldersOf(const GroupMake& make)
{
    std::string text;
    for (const fs::path& folder : make.databaseFolders)
        text += (text.empty() ? "" : ", ") + folder.string();
    return text;
}

/// In what the two differ: "log files of 1 MB (the plan: 2 MB), ...".
std::string differences(const GroupMake& made, const GroupMake& wanted)
{
    const auto exact = [](double value) { return fmt::format("{}", value); };
    struct Trait {
        const char* name;
        std::string made, wanted;
    };
    const auto trait = [&](const char* name, const auto& text) -> Trait {
        return { name, text(made), text(wanted) };
    };
    const Trait traits[] {
        trait("databases in", foldersOf),
        trait("databases of",
            [](const GroupMake& make) {
                return fmt::format("{} in {} pages of {}", formatBytes(make.pagesPerDatabase * make.pageSize),
                    make.pagesPerDatabase, formatBytes(make.pageSize));
            }),
        trait("records:", [](const GroupMake& make) { return fmt::format("{}", make.records); }),
        trait(
            "a short pad of", [](const GroupMake& make) { return fmt::format("{} B", make.shape.shortPad); }),
        trait("a long pad of", [](const GroupMake& make) { return fmt::format("{} B", make.shape.longPad); }),
        trait("a compression of", [&](const GroupMake& make) { return exact(make.shape.compression); }),
        trait("a duplication of", [&](const GroupMake& make) { return exact(make.shape.duplication); }),
        trait("log files of",
            [](const GroupMake& make) { return fmt::format("{} KB", make.log.fileSize >> 10); }),
        trait("log sectors of", [](const GroupMake& make) { return fmt::format("{} B", make.log.segment); }),
    };
    std::string text;
    for (const Trait& one : traits)
        if (one.made != one.wanted)
            text += fmt::format(
                "{}{} {} (the plan: {})", text.empty() ? "" : ", ", one.name, one.made, one.wanted);
    return text;
}

/// Databases that lie elsewhere than the plan says are not touched: whoever can write a mark could name any folder.
Error liesElsewhere(const fs::path& mark, const GroupMake& made, const GroupMake& wanted)
{
    return fail(
        fmt::format("{}: the group was made with databases in {} (the plan: {}). Use the plan that it was "
                    "made with, or remove its files by hand, the mark last",
            mark.string(), foldersOf(made), foldersOf(wanted)));
}

Error notOurs(const fs::path& file, const fs::path& mark)
{
    return fail(
        fmt::format("{}: exists and is not a file of Loadstone (there is no mark {}); files of others are "
                    "not overwritten: choose another folder or group name, or remove it yourself",
            file.string(), mark.string()));
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
        mark.m_make = wanted;
        if (const auto files = mark.files(); !files.empty())
            return notOurs(files.front(), mark.m_path);
        return mark;
    }
    if (const auto held = mark.hold(0); !held)
        return held.error();
    mark.m_make = wanted;
    if (mark.isUnwritten())
        return mark;
    if (const auto read = mark.read(); !read)
        return read.error();
    if (mark.m_make.databaseFolders != wanted.databaseFolders)
        return liesElsewhere(mark.m_path, mark.m_make, wanted);
    if (const auto held = mark.holdFiles(); !held)
        return held.error();
    if (mark.m_state == State::making)
        mark.m_wanted = wanted;
    else if (mark.m_make != wanted)
        return fail(fmt::format("{}: the group was made with {}. Remove it first (loadstone storage clean), "
                                "or write the same values in the plan",
            mark.m_path.string(), differences(mark.m_make, wanted)));
    return mark;
}

Result<std::optional<GroupMark>> GroupMark::find(
    const fs::path& logFolder, const std::string& name, const std::vector<fs::path>& databaseFolders)
{
    GroupMark mark(markOf(logFolder, name), name);
    std::error_code none;
    if (!fs::exists(fs::symlink_status(mark.m_path, none)))
        return std::optional<GroupMark>();
    if (const auto held = mark.hold(0); !held)
        return held.error();
    if (mark.isUnwritten())
        return std::optional<GroupMark>(std::move(mark));
    if (const auto read = mark.read(); !read)
        return read.error();
    GroupMake wanted;
    wanted.databaseFolders = databaseFolders;
    if (mark.m_make.databaseFolders != databaseFolders)
        return liesElsewhere(mark.m_path, mark.m_make, wanted);
    if (const auto held = mark.holdFiles(); !held)
        return held.error();
    return std::optional<GroupMark>(std::move(mark));
}

/// Takes hold of the mark. `flags`: of open(), to make it.
Result<void> GroupMark::hold(int flags)
{
    // For writing, without which NFS gives no exclusive lock.
    if ((flags & O_CREAT) != 0) {
        m_lock = FileDescriptor(::open(m_path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0644));
        if (!m_lock)
            return errno == EEXIST ? fail(m_path.string()
                       + ": another run has just begun to make the storage group; wait for its end")
                                   : systemError(m_path.string());
    }
    FileDescriptor mark = std::move(m_lock);
    if (!mark) {
        auto opened = openRegular(m_path, O_RDWR);
        if (!opened)
            return opened.error();
        mark = *std::move(opened);
    }
    if (::flock(mark.get(), LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
            ? fail(m_path.string() + ": another run is using the storage group; wait for its end")
            : systemError(m_path.string());
    m_lock = std::move(mark);
    return {};
}

/// Looks at all files of the group before anything is done with them, and takes hold of those that stay as long as it does. A
/// copied mark does not get past this: the files are held, whatever mark leads to them.
Result<void> GroupMark::holdFiles()
{
    const GroupOptions names = namesOf(m_path.parent_path(), m_name, m_make);
    for (const fs::path& file : files()) {
        auto own = openOwn(file, m_identity, O_RDWR);
        if (!own)
            return own.error();
        if (file.extension() == ".log" || file == names.copiesPath())
            continue;
        if (const auto held = lockFile(own->descriptor, file); !held)
            return held;
        m_fileLocks.push_back(std::move(own->descriptor));
    }
    return {};
}

/// A run was ended between making the mark and writing it, before it made anything else.
bool GroupMark::isUnwritten() const
{
    std::error_code none;
    return fs::is_regular_file(fs::symlink_status(m_path, none)) && fs::file_size(m_path, none) == 0
        && files().empty();
}

Result<void> GroupMark::read()
{
    m_make = {};
    const auto text = readOpenFile(m_lock, m_path.string(), kLongestGroupMark);
    if (!text)
        return text.error();
    const MarkText values = MarkText::parse(*text);
    MarkReader reader(values, m_path.string());
    if (const std::string format = reader.one("format"); !format.empty() && format != kFormat)
        return fail(
            fmt::format("{}: the storage group was made by another version of Loadstone (format {}, not {}); "
                        "remove its files by hand",
                m_path.string(), format, kFormat));
    if (reader.one("group") != m_name)
        reader.wrong("group");
    const auto identity = Identity::parse(reader.one("identity"));
    if (!identity)
        reader.wrong("identity");
    const auto place = placeOf(m_lock, m_path);
    if (!place)
        return place.error();
    if (reader.error().empty() && !place->isSame(FilePlace::in(values)))
        return fail(m_path.string()
            + ": is a copy of a storage group's mark, or has replaced it, and is not accepted; a copied "
              "group cannot be used: move its files away or remove them yourself, the mark last, and create "
              "the group here (loadstone storage init)");
    m_identity = identity.value_or(Identity());
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
    for (const std::string& folder : values.values("database")) // in the order of the databases
        m_make.databaseFolders.emplace_back(folder);
    if (std::any_of(m_make.databaseFolders.begin(), m_make.databaseFolders.end(), [](const fs::path& folder) {
            return folder.lexically_normal() != folder || !folder.is_absolute();
        }))
        reader.wrong("database");
    if (m_make.databaseFolders.empty())
        reader.wrong("database");
    return reader.error().empty() ? Result<void>() : Result<void>(fail(reader.error()));
}

Result<void> GroupMark::write(State state)
{
    const auto place = placeOf(m_lock, m_path);
    if (!place)
        return place.error();
    MarkWriter mark(
        fmt::format("# Loadstone made the storage group \"{}\": the files beside this one and in the folders "
                    "below that begin with\n# its name. `loadstone storage clean` removes them all.\n",
            m_name));
    mark.add("format", std::string_view(kFormat));
    mark.add("group", m_name);
    mark.add("identity", m_identity.text());
    place->addTo(mark);
    mark.add("signature", std::uint64_t { m_signature });
    mark.add("seed", m_seed);
    mark.add("page_size", std::uint64_t { m_make.pageSize });
    mark.add("pages", m_make.pagesPerDatabase);
    mark.add("records", m_make.records);
    mark.add("log_file", std::uint64_t { m_make.log.fileSize });
    mark.add("log_segment", std::uint64_t { m_make.log.segment });
    mark.add("short_pad", std::uint64_t { m_make.shape.shortPad });
    mark.add("long_pad", std::uint64_t { m_make.shape.longPad });
    mark.add("compression", m_make.shape.compression);
    mark.add("duplication", m_make.shape.duplication);
    for (const fs::path& folder : m_make.databaseFolders)
        mark.add("database", folder.string());
    mark.add("state", std::string_view(state == State::made ? "made" : "making"));
    const std::string& text = mark.text();
    // In place, so that the lock stays on the file that all see. From one state to the other only the last line
    // changes, and a disk writes it whole.
    const auto size = static_cast<ssize_t>(text.size());
    if (::pwrite(m_lock.get(), text.data(), text.size(), 0) != size || ::ftruncate(m_lock.get(), size) != 0
        || ::fsync(m_lock.get()) != 0)
        return systemError(m_path.string());
    m_state = state;
    return {};
}

Result<void> GroupMark::begin(std::uint64_t seed)
{
    if (m_state == State::none) {
        if (!m_lock) // else an unwritten one is there
            if (const auto held = hold(O_CREAT | O_EXCL); !held)
                return held.error();
        if (const auto there = files(); !there.empty()) { // since it was claimed
            withdraw();
            return notOurs(there.front(), m_path);
        }
        const FileDescriptor folder(::open(m_path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!folder || ::fsync(folder.get()) != 0)
            return systemError(m_path.parent_path().string());
    } else if (const auto removed = removeFiles(); !removed) {
        return removed.error();
    }
    if (m_wanted)
        m_make = *std::exchange(m_wanted, std::nullopt);
    const auto identity = Identity::draw();
    if (!identity)
        return identity.error();
    m_identity = *identity;
    // Not a function of the seed: files of an earlier group of the same plan must not pass for this one's.
    if (::getrandom(&m_signature, sizeof m_signature, 0) != static_cast<ssize_t>(sizeof m_signature))
        return systemError("a random number");
    // Databases have the numbers after it, and 0 means "none" in places.
    m_signature = m_signature % 0xffff0000U + 1;
    m_seed = seed;
    return write(State::making);
}

void GroupMark::withdraw()
{
    if (m_lock)
        static_cast<void>(removeName(m_lock, m_path));
    m_state = State::none;
    m_fileLocks.clear();
    m_lock.reset();
}

Result<void> GroupMark::finish()
{
    return write(State::made);
}

std::vector<fs::path> GroupMark::files() const
{
    return filesOf(namesOf(m_path.parent_path(), m_name, m_make));
}

Result<void> GroupMark::removeFiles()
{
    const std::vector<fs::path> all = files();
    for (const fs::path& file : all) // before the first goes
        if (const auto own = openOwn(file, m_identity, O_RDONLY); !own)
            return own.error();
    for (const fs::path& file : all) {
        const auto own = openOwn(file, m_identity, O_RDONLY);
        if (!own)
            return own.error();
        if (const auto removed = removeName(own->descriptor, file); !removed)
            return removed;
    }
    m_fileLocks.clear();
    return {};
}

Result<void> GroupMark::remove()
{
    // What lies on a volume that is not there just now would be nobody's once the mark is gone. Where a volume is not mounted,
    // its folder may well be there, empty.
    const GroupOptions names = namesOf(m_path.parent_path(), m_name, m_make);
    for (std::size_t i = 0; i < m_make.databaseFolders.size(); ++i) {
        std::error_code none;
        const bool made = m_state == State::made;
        if (made ? !fs::exists(fs::symlink_status(names.databasePath(i), none))
                 : !fs::is_directory(m_make.databaseFolders[i], none))
            return fail(
                fmt::format("{}: is missing, and belongs to the storage group; mount its volume first, or, "
                            "if the file is lost, remove what is left of the group by hand, {} last",
                    (made ? names.databasePath(i) : m_make.databaseFolders[i]).string(), m_path.string()));
    }
    if (const auto removed = removeFiles(); !removed)
        return removed.error();
    withdraw(); // last: what was left of the files would still be Loadstone's
    return {};
}

} // namespace loadstone::storage
