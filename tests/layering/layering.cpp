// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "layering/layering.h"

#include "layering/series_names.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

namespace loadstone::layering {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxLines = 600;

/// The rooms from the ground up. A room includes itself, the rooms it names, and with `andBefore` every room
/// above the last one that it names; never a later row.
struct Room {
    std::string_view name;
    std::vector<std::string_view> uses;
    bool andBefore = false;
};

const std::vector<Room>& rooms()
{
    static const std::vector<Room> table {
        { "base", {} },
        { "series", { "base" } },
        { "metrics", { "base", "series" } },
        { "document", { "base", "series" } },
        { "lab", { "base", "series", "document" } },
        { "plan", { "base", "series", "document", "lab" } },
        { "history", { "base", "series", "metrics", "plan", "lab" } },
        { "analysis", { "history" }, true },
        { "compare", { "analysis" }, true },
        { "counters", { "base", "series", "metrics", "plan" } },
        { "protocol", { "base" } },
        { "embedded", { "base", "protocol" } },
        { "run", { "history", "counters" }, true },
        { "mail", { "base", "series", "metrics", "plan", "lab", "history", "counters", "protocol", "run" } },
        { "storage", { "base", "series", "metrics", "plan", "lab", "history", "counters", "run" } },
        { "report", { "compare" }, true },
        { "session", { "report", "storage", "mail" }, true },
    };
    return table;
}

constexpr std::size_t kMostFilesOfClass = 2;
/// At the head of a class whose methods stand in more files all the same, followed by why.
constexpr std::string_view kSeveralFiles = "/// Several files: ";

/// The folders of a place that has some, from the ground up. A folder includes itself and all of the rows before its
/// own, but no other of its row.
struct Place {
    std::string_view path;
    std::vector<std::vector<std::string_view>> rows;
    bool topFiles = false; ///< whether files may stand beside the folders; they include all of them
};

const std::vector<Place>& places()
{
    static const std::vector<Place> table {
        { "engine/plan", { { "model" }, { "read" }, { "jetstress" } } },
        { "engine/lab", { { "diagram", "detect" } }, true },
        { "engine/analysis",
            { { "window" }, { "curves" }, { "storage" }, { "figures" }, { "results" }, { "judge" } } },
        { "engine/compare", { { "external" }, { "study" } }, true },
        { "engine/counters", { { "host" }, { "log" }, { "live" } } },
        { "engine/protocol", { { "common" }, { "sasl" }, { "smtp", "pop3", "imap", "dav" } } },
        { "engine/mail",
            { { "message" }, { "users" }, { "audit" }, { "wire" }, { "action" }, { "prepare" },
                { "rehearse" }, { "preflight" }, { "run" } } },
        { "engine/storage",
            { { "device" }, { "page" }, { "log" }, { "store" }, { "load" }, { "raw" }, { "test" } } },
        { "engine/report", { { "lab" } }, true },
        { "ui/run", { { "view" }, { "chart" }, { "tabs" } }, true },
        { "ui/compare", { { "view" }, { "tabs" } }, true },
    };
    return table;
}

/// The row of a folder; nothing for one that the table does not know.
std::optional<std::size_t> rowOf(const Place& place, std::string_view folder)
{
    for (std::size_t row = 0; row < place.rows.size(); ++row)
        if (std::ranges::find(place.rows[row], folder) != place.rows[row].end())
            return row;
    return std::nullopt;
}

std::map<std::string, std::set<std::string>, std::less<>> allowedRooms()
{
    std::map<std::string, std::set<std::string>, std::less<>> allowed;
    const auto& table = rooms();
    for (const Room& room : table) {
        std::set<std::string>& names = allowed[std::string(room.name)];
        names.emplace(room.name);
        std::size_t last = 0;
        for (std::size_t row = 0; row < table.size(); ++row) {
            if (std::ranges::find(room.uses, table[row].name) != room.uses.end()) {
                names.emplace(table[row].name);
                last = row;
            }
        }
        for (std::size_t row = 0; room.andBefore && row < last; ++row)
            names.emplace(table[row].name);
    }
    return allowed;
}

struct Include {
    std::size_t line = 0;
    bool angled = false;
    std::string path;
};

struct Source {
    std::string path; ///< relative to the checkout, with '/'
    std::vector<std::string> lines;
    std::vector<Include> includes;
    [[nodiscard]] bool in(std::string_view folder) const { return path.starts_with(folder); }
    [[nodiscard]] bool isHeader() const { return path.ends_with(".h"); }
};

Source readSource(const fs::path& file, std::string path)
{
    static const std::regex includeLine(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    Source source;
    source.path = std::move(path);
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (line.find("include") != std::string::npos && std::regex_search(line, match, includeLine))
            source.includes.push_back({ source.lines.size() + 1, match[1] == "<", match[2] });
        source.lines.push_back(std::move(line));
    }
    return source;
}

std::string firstPart(std::string_view path)
{
    return std::string(path.substr(0, path.find('/')));
}

/// Of "engine/mail/wire/task.h" below "engine/mail": "wire"; "" for what is elsewhere, or in no folder.
std::string folderBelow(std::string_view path, std::string_view place)
{
    if (!path.starts_with(place) || path.size() <= place.size() || path[place.size()] != '/')
        return {};
    path.remove_prefix(place.size() + 1);
    return path.find('/') == std::string_view::npos ? std::string() : firstPart(path);
}

bool isQt(std::string_view header)
{
    return header.starts_with("Qt")
        || (header.size() > 1 && header[0] == 'Q' && header[1] >= 'A' && header[1] <= 'Z');
}

bool isQtCharts(std::string_view header)
{
    static const std::regex charts(
        R"(^(QtCharts.*|Q(\w*Chart|\w*Series|\w*LegendMarker|Legend|\w*Axis|ChartView|BarSet|PieSlice|BoxSet)\w*)$)");
    return std::regex_match(header.begin(), header.end(), charts);
}

/// A header of the C++ library: no folder, no suffix.
bool isStandard(const Include& include)
{
    return include.angled && include.path.find_first_of("/.") == std::string::npos && !isQt(include.path);
}

bool isSlow(std::string_view header)
{
    return header.starts_with("toml++/") || header.starts_with("CLI/")
        || (header.starts_with("nlohmann/") && header != "nlohmann/json_fwd.hpp"); // which only declares names
}

class Checker {
public:
    explicit Checker(fs::path root)
        : m_root(std::move(root))
        , m_allowed(allowedRooms())
    {
    }

    Findings run()
    {
        for (const char* folder : { "app", "engine", "tests", "ui" })
            checkFolder(folder);
        checkRoomFolders();
        checkClasses();
        return std::move(m_findings);
    }

private:
    void checkFolder(const char* folder)
    {
        if (!fs::is_directory(m_root / folder))
            return;
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(m_root / folder)) {
            const fs::path extension = entry.path().extension();
            if (entry.is_regular_file() && (extension == ".h" || extension == ".cpp" || extension == ".sh"))
                files.push_back(entry.path());
        }
        std::ranges::sort(files);
        for (const fs::path& file : files)
            checkFile(readSource(file, file.lexically_relative(m_root).generic_string()));
    }

    void checkRoomFolders()
    {
        if (!fs::is_directory(m_root / "engine"))
            return;
        for (const auto& entry : fs::directory_iterator(m_root / "engine")) {
            const std::string name = entry.path().filename().string();
            if (entry.is_directory() && name != "include" && !m_allowed.contains(name))
                m_findings.violations.push_back(
                    "engine/" + name + ": a room that the table of rooms does not know");
        }
    }

    void checkFile(const Source& source)
    {
        ++m_findings.files;
        if (source.lines.size() > kMaxLines)
            report(source, kMaxLines + 1, "longer than " + std::to_string(kMaxLines) + " lines");
        const auto head = source.lines.begin() + std::min<std::ptrdiff_t>(5, std::ssize(source.lines));
        if (std::none_of(source.lines.begin(), head, [](const std::string& line) {
                return line.find("SPDX-License-Identifier:") != std::string::npos;
            }))
            report(source, 1, "no SPDX-License-Identifier in the first lines");
        for (const Include& include : source.includes)
            checkInclude(source, include);
        if (!source.in("tests/")) {
            checkNames(source);
            noteClasses(source);
        }
        for (const Place& place : places())
            if (source.in(std::string(place.path) + "/"))
                checkPlace(source, place);
    }

    void checkNames(const Source& source)
    {
        for (std::size_t i = 0; i < source.lines.size(); ++i) {
            // A comparison may be broken before its operator or after it.
            std::string line = source.lines[i];
            const auto isOpen = [&] { return line.ends_with("==") || line.ends_with("!="); };
            while (i + 1 < source.lines.size()) {
                const std::string& next = source.lines[i + 1];
                const std::size_t begin = next.find_first_not_of(' ');
                const std::string_view rest =
                    begin == next.npos ? std::string_view() : std::string_view(next).substr(begin);
                if (!isOpen() && !rest.starts_with("==") && !rest.starts_with("!="))
                    break;
                line.append(" ").append(rest);
                ++i;
            }
            for (const std::string& what : namesOfSeriesIn(source.path, line))
                report(source, i + 1, what);
        }
        for (std::size_t i = 0; i < source.lines.size(); ++i)
            if (source.in("ui/") && source.lines[i].find("setRowVisible(") != std::string::npos)
                report(source, i + 1,
                    "hidden rows of QFormLayout write beside their memory in Qt 6.4: use FormRows");
    }

    /// Notes where methods are defined, and which classes have a reason at their head.
    void noteClasses(const Source& source)
    {
        static const std::regex method(
            R"(^(?!\s)(?:[\w:<>,&*\s\[\]]*[\s&*])?((?:[A-Z]\w*::)+)(?:~?\w+|operator\S+)\s*\(.*)");
        static const std::regex head(R"(^(?:class|struct)\s+([A-Z]\w*)\b[^;]*$)");
        const fs::path path(source.path);
        const std::string place = (*path.begin() / *std::next(path.begin())).generic_string() + ": ";
        for (std::size_t i = 0; i < source.lines.size(); ++i) {
            std::smatch match;
            if (source.isHeader() && std::regex_match(source.lines[i], match, head)) {
                for (std::size_t at = i; at-- > 0 && source.lines[at].starts_with("//");)
                    if (source.lines[at].size() > kSeveralFiles.size()
                        && source.lines[at].starts_with(kSeveralFiles))
                        m_excused.insert(place + match[1].str());
            } else if (!source.isHeader() && source.lines[i].find("::") != std::string::npos
                && std::regex_match(source.lines[i], match, method)) {
                const std::string name = match[1];
                m_classes[place + name.substr(0, name.size() - 2)].insert(source.path);
            }
        }
    }

    /// A class whose methods were spread over files to keep files small is more than one idea, or gives a reason.
    void checkClasses()
    {
        for (const auto& [name, files] : m_classes) {
            if (files.size() > kMostFilesOfClass && !m_excused.contains(name))
                m_findings.violations.push_back(name + ": has methods in " + std::to_string(files.size())
                    + " files; cut the class, or give the reason at its head (\"" + std::string(kSeveralFiles)
                    + "...\")");
        }
    }

    void checkPlace(const Source& source, const Place& place)
    {
        const std::string folder = folderBelow(source.path, place.path);
        if (folder.empty() && place.topFiles)
            return;
        const auto own = rowOf(place, folder);
        if (!own)
            return report(source, 1,
                folder.empty() ? "files of " + std::string(place.path) + " stand in its folders"
                               : "\"" + folder + "\" is a folder that the table of folders does not know");
        for (const Include& include : source.includes) {
            const std::string root = firstPart(place.path) + "/";
            const std::string wanted = include.angled ? "" : folderBelow(root + include.path, place.path);
            const auto row = wanted.empty() || wanted == folder ? std::nullopt : rowOf(place, wanted);
            if (row && *row >= *own)
                report(source, include.line, "folder " + folder + " may not include folder " + wanted);
        }
    }

    void checkInclude(const Source& source, const Include& include)
    {
        if (source.in("tests/"))
            return; // tests look into rooms; that is what they are for
        ++m_findings.includes;
        if (source.in("engine/include/"))
            checkPublicHeader(source, include);
        else if (source.in("engine/"))
            checkRoom(source, include);
        else
            checkAboveEngine(source, include);
    }

    void checkPublicHeader(const Source& source, const Include& include)
    {
        const bool fine = isStandard(include) || include.path.starts_with("loadstone/")
            || (include.angled && include.path.starts_with("boost/system/"));
        if (!fine)
            report(source, include.line,
                "a public header includes only the standard library, boost/system and <loadstone/…>, not "
                    + include.path);
    }

    void checkRoom(const Source& source, const Include& include)
    {
        const std::string room =
            firstPart(std::string_view(source.path).substr(std::string_view("engine/").size()));
        const std::string wanted = firstPart(include.path);
        if (isQt(include.path))
            return report(source, include.line, "Qt in the engine: " + include.path);
        if (source.isHeader() && isSlow(include.path))
            return report(source, include.line, include.path + " belongs in one .cpp, not in a header");
        if (include.angled) {
            if (m_allowed.contains(wanted))
                report(source, include.line, "rooms are included in quotes: " + include.path);
            return;
        }
        if (include.path.find('/') == std::string::npos)
            return; // a neighbour in the same folder
        const auto allowed = m_allowed.find(room);
        if (wanted == "loadstone" || wanted == "generated")
            return; // a public header, which every room may include; a header that the build makes for this
                // room
        if (!m_allowed.contains(wanted))
            report(source, include.line, "\"" + include.path + "\" names no room of the engine");
        else if (allowed != m_allowed.end() && !allowed->second.contains(wanted))
            report(source, include.line, "room " + room + " may not include room " + wanted);
    }

    void checkAboveEngine(const Source& source, const Include& include)
    {
        const bool isUi = source.in("ui/");
        const bool isWorkbench = source.in("app/workbench/");
        if (isQt(include.path) && !isUi && !isWorkbench)
            return report(source, include.line, "Qt in a program that has none: " + include.path);
        if (isQtCharts(include.path) && !source.in("ui/charts/"))
            return report(source, include.line, "QtCharts outside ui/charts: " + include.path);
        if (include.angled) {
            if (m_allowed.contains(firstPart(include.path)))
                report(source, include.line,
                    "of the engine only <loadstone/…> may be seen, not " + include.path);
            return;
        }
        if (include.path.ends_with(".moc"))
            return;
        // A page folder of ui/ may be called like a room, so a quoted include is judged by where it leads.
        const fs::path here = fs::path(source.path).parent_path();
        std::vector<fs::path> leads { here / include.path };
        if (isUi || isWorkbench) {
            leads.emplace_back(fs::path("ui") / include.path);
            if (include.path.starts_with("ui/"))
                leads.emplace_back(include.path);
        }
        if (!isUi)
            leads.emplace_back(fs::path("app") / include.path);
        const bool found = std::ranges::any_of(leads, [&](const fs::path& lead) {
            const std::string path = lead.lexically_normal().generic_string();
            const bool open =
                path.starts_with(firstPart(source.path) + "/") || (isWorkbench && path.starts_with("ui/"));
            return open && fs::exists(m_root / path);
        });
        if (!found)
            report(source, include.line,
                "\"" + include.path + "\" leads outside what " + firstPart(source.path)
                    + "/ may see (of the engine: <loadstone/…>)");
    }

    void report(const Source& source, std::size_t line, const std::string& what)
    {
        m_findings.violations.push_back(source.path + ":" + std::to_string(line) + ": " + what);
    }

    fs::path m_root;
    std::map<std::string, std::set<std::string>, std::less<>> m_allowed;
    std::map<std::string, std::set<std::string>> m_classes; // the files of their methods
    std::set<std::string> m_excused; // classes
    Findings m_findings;
};

} // namespace

Findings checkTree(const fs::path& root)
{
    return Checker(root).run();
}

} // namespace loadstone::layering
