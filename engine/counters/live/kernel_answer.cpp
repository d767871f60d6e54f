// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/kernel_answer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace loadstone::counters {

namespace {

constexpr std::size_t kLongestName = 255; // of an entry of a folder, as Linux has it
constexpr std::size_t kMostComplaints = 2000; // lines of standard error that are sent for one command

/// `loadstone_try` runs a command and puts its standard error behind its output, for a mixture of both could not be taken apart.
/// busybox' timeout leaves a process behind that holds our pipes for up to a second: it is not used.
/// `loadstone_count` prints how many files there are below a folder, then the complaints of find and its exit status.
constexpr std::string_view kPreamble = R"(exec 3>&1
LC_ALL=C
export LC_ALL
if timeout --version >/dev/null 2>&1 </dev/null; then
loadstone_limit() { timeout "$@"; }
else
loadstone_limit() { shift; "$@"; }
fi
loadstone_try() {
e=$("$@" 2>&1 >&3 3>&- </dev/null | tail -n 2000)
if [ -n "$e" ]; then printf '%s\n' "$t:errors" "$e"; fi
}
loadstone_called() {
for p in "$@"; do
e=$({ tr '\000\n' '\n ' <"/proc/$p/cmdline" | head -n 1; } 2>/dev/null)
printf '%s %s\n' "$p" "$e"
done
}
loadstone_count() {
if ! [ -d "$2" ]; then echo absent; return; fi
e=$({ { loadstone_limit "$1" find "$2/." -type f ! -name '.*' </dev/null; echo "status $?" >&2; } 2>&4 | head -n 200001 | wc -l >&3; } 4>&1 | tail -n 2000)
printf '%s\n' "$e"
}
)";

std::string inQuotes(std::string_view text)
{
    std::string out = "'";
    for (const char c : text)
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    return out + "'";
}

std::string_view nextLine(std::string_view& text)
{
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

template <class Number>
std::optional<Number> wholeNumber(std::string_view text)
{
    Number value {};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                           : std::nullopt;
}

std::string_view trimmedLeft(std::string_view text)
{
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
    return text;
}

/// Words of another machine as a message may show them. With LC_ALL=C they are ASCII.
std::string reasonOf(std::string_view words)
{
    constexpr std::size_t kLongestReason = 200;
    std::string reason(words.substr(0, kLongestReason));
    for (char& c : reason)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 0x7f)
            c = '?';
    return reason;
}

/// A complaint of a program about a path: "grep: /proc/7/io: Permission denied", "ls: cannot access '/x': No such file or directory".
struct Complaint {
    std::string path, why;
};
std::optional<Complaint> complaintOf(std::string_view line)
{
    const auto begin = line.find('/');
    const auto last = line.rfind(": ");
    if (begin == std::string_view::npos || last == std::string_view::npos || last <= begin)
        return std::nullopt;
    std::string_view path = line.substr(begin, last - begin);
    if (begin > 0 && line[begin - 1] == '\'' && path.ends_with('\''))
        path.remove_suffix(1);
    else
        path = path.substr(0, path.find(": ")); // "ls: /proc/7/exe: cannot read link: Permission denied"
    return Complaint { std::string(path), reasonOf(line.substr(last + 2)) };
}

/// Takes the parts of one answer apart, line by line.
class AnswerReader {
public:
    AnswerReader(const KernelRequest& request, KernelSnapshot& into)
        : m_request(request)
        , m_into(into)
        , m_files(request.files.begin(), request.files.end())
        , m_folders(request.folders.begin(), request.folders.end())
        , m_entries(request.entries.begin(), request.entries.end())
        , m_called(request.firstArguments.begin(), request.firstArguments.end())
    {
        const auto forget = [this](const std::string& path, auto& from) {
            from.erase(path);
            m_into.reasons.erase(path);
        };
        for (const std::string& path : request.files)
            forget(path, into.files);
        for (const std::string& path : request.folders)
            forget(path, into.folders);
        for (const std::string& path : request.entries)
            forget(path, into.entries);
        for (const std::string& path : request.trees)
            forget(path, into.trees);
        for (const std::uint32_t process : request.firstArguments)
            into.firstArguments.erase(process);
        if (request.everyProcess)
            into.processes.clear();
    }

    /// "files", "errors", …: what the lines to come are.
    void begin(std::string_view section)
    {
        m_section = section;
        m_text = nullptr;
        m_folder = nullptr;
        if (m_section == "tree")
            endTree();
    }

    void line(std::string_view text)
    {
        if (m_section == "files")
            fileLine(text);
        else if (m_section == "folders")
            folderLine(text);
        else if (m_section == "entries")
            entryLine(text);
        else if (m_section == "called")
            calledLine(text);
        else if (m_section == "tree")
            treeLine(text);
        else if (m_section == "errors")
            errorLine(text);
    }

    void end()
    {
        endTree();
        // A file of which there is neither a line nor a complaint is empty, where all complaints are understood.
        if (m_complaints < kMostComplaints && !m_strange)
            for (const std::string& path : m_request.files)
                if (!m_into.reasons.contains(path))
                    m_into.files.try_emplace(path);
    }

private:
    /// "/proc/stat:cpu 1 2 3". A path may have colons in it, so that those that were asked for decide.
    void fileLine(std::string_view text)
    {
        if (m_text != nullptr && text.size() > m_path.size() && text.starts_with(m_path)
            && text[m_path.size()] == ':') {
            m_text->append(text.substr(m_path.size() + 1)).append(1, '\n');
            return;
        }
        for (auto colon = text.find(':'); colon != std::string_view::npos;
             colon = text.find(':', colon + 1)) {
            m_text = placeOf(text.substr(0, colon));
            if (m_text == nullptr)
                continue;
            m_path = text.substr(0, colon);
            m_text->append(text.substr(colon + 1)).append(1, '\n');
            return;
        }
    }

    /// Where the text of a file goes; null: it was not asked for.
    std::string* placeOf(std::string_view path)
    {
        if (m_files.contains(path))
            return &m_into.files[std::string(path)];
        constexpr std::string_view kProcesses = "/proc/", kStat = "/stat", kInterface = "/sys/class/net/",
                                   kState = "/operstate";
        if (m_request.everyProcess && path.starts_with(kProcesses) && path.ends_with(kStat)
            && path.size() > kProcesses.size() + kStat.size()) {
            const auto number = wholeNumber<std::uint32_t>(
                path.substr(kProcesses.size(), path.size() - kProcesses.size() - kStat.size()));
            return number ? &m_into.processes[*number] : nullptr;
        }
        if (m_request.interfaceStates && path.starts_with(kInterface) && path.ends_with(kState)
            && path.size() <= kInterface.size() + kLongestName + kState.size()) {
            std::string& state = m_into.files[std::string(path)];
            state.clear();
            return &state;
        }
        return nullptr;
    }

    /// "/sys/block:" and the names in it, each on a line.
    void folderLine(std::string_view text)
    {
        if (text.starts_with('/') && text.ends_with(':')) {
            const auto folder = m_folders.find(text.substr(0, text.size() - 1));
            m_folder = folder != m_folders.end() ? &m_into.folders[std::string(*folder)] : nullptr;
            if (m_folder != nullptr)
                m_folder->clear();
        } else if (m_folder != nullptr && !text.empty() && text.size() <= kLongestName)
            m_folder->emplace_back(text);
    }

    /// "lrwxrwxrwx 1 0 0 0 Nov 23 14:00 /proc/7/exe -> /usr/sbin/master".
    void entryLine(std::string_view text)
    {
        const auto at = text.find(" /");
        if (at == std::string_view::npos)
            return;
        constexpr std::string_view kArrow = " -> ";
        std::string_view path = text.substr(at + 1), target;
        if (const auto arrow = path.find(kArrow); text.starts_with('l') && arrow != std::string_view::npos) {
            target = path.substr(arrow + kArrow.size());
            path = path.substr(0, arrow);
        }
        if (!m_entries.contains(path))
            return;
        std::string_view columns = text.substr(0, at), size;
        for (int i = 0; i < 5; ++i) { // mode, links, owner, group, size
            columns = trimmedLeft(columns);
            size = columns.substr(0, columns.find(' '));
            columns.remove_prefix(size.size());
        }
        m_into.entries[std::string(path)] = { std::string(target),
            static_cast<double>(wholeNumber<std::uint64_t>(size).value_or(0)) };
    }

    /// "7 dovecot/imap".
    void calledLine(std::string_view text)
    {
        const auto blank = text.find(' ');
        const auto number = wholeNumber<std::uint32_t>(text.substr(0, blank));
        if (number && blank != std::string_view::npos && m_called.contains(*number))
            m_into.firstArguments.try_emplace(*number, text.substr(blank + 1));
    }

    /// "12", then complaints and "status 0", for each tree in the order of the request.
    void treeLine(std::string_view text)
    {
        constexpr std::string_view kStatus = "status ";
        const auto complaint = complaintOf(text);
        if (text.starts_with(kStatus))
            m_status = wholeNumber<int>(text.substr(kStatus.size()));
        else if (text == "absent")
            m_why = "No such file or directory";
        else if (const auto count = wholeNumber<std::uint64_t>(trimmedLeft(text)); count && !m_count)
            m_count = *count;
        else if (complaint && complaint->why == "No such file or directory")
            m_changed = true; // a folder that was removed in the meantime
        else if (m_why.empty() && !text.empty())
            m_why = complaint ? complaint->why : "it could not be counted";
    }

    void endTree()
    {
        if (m_inTree && m_tree < m_request.trees.size()) {
            const std::string& tree = m_request.trees[m_tree++];
            constexpr int kTimedOut = 124, kTerminated = 143, kKilled = 137, kNotFound = 127, kPartly = 1;
            std::string& why = m_into.reasons[tree];
            if (m_count && *m_count > KernelSnapshot::kMostFilesOfTree)
                why = "it has more than 200,000 files";
            else if (!m_why.empty())
                why = m_why;
            else if (m_status == kTimedOut || m_status == kTerminated || m_status == kKilled)
                why = "it cannot be counted within the time limit";
            else if (m_status == kNotFound)
                why = "the machine has no program \"find\"";
            else if (!m_count || !(m_status == 0 || (m_status == kPartly && m_changed)))
                why = "it could not be counted";
            else {
                m_into.reasons.erase(tree);
                m_into.trees[tree] = static_cast<double>(*m_count);
            }
        }
        m_inTree = m_section == "tree";
        m_count.reset();
        m_status.reset();
        m_changed = false;
        m_why.clear();
    }

    void errorLine(std::string_view text)
    {
        ++m_complaints;
        auto complaint = complaintOf(text);
        m_strange = m_strange || !complaint;
        if (!complaint)
            return;
        if (m_folders.contains(complaint->path))
            m_into.folders.erase(complaint->path); // some print its name all the same
        else if (!m_files.contains(complaint->path) && !m_entries.contains(complaint->path))
            return;
        m_into.reasons[complaint->path] = std::move(complaint->why);
    }

    const KernelRequest& m_request;
    KernelSnapshot& m_into;
    std::set<std::string, std::less<>> m_files, m_folders, m_entries;
    std::set<std::uint32_t> m_called;
    std::string m_section;
    std::string m_path; ///< of the file whose lines come
    std::string* m_text = nullptr; ///< and its text
    std::vector<std::string>* m_folder = nullptr;
    std::size_t m_complaints = 0;
    bool m_strange = false; ///< one of them names no path
    std::size_t m_tree = 0; ///< of the request's
    bool m_inTree = false;
    std::optional<std::uint64_t> m_count;
    std::optional<int> m_status;
    bool m_changed = false; ///< while it was counted
    std::string m_why;
};

} // namespace

std::string answerPreamble()
{
    return std::string(kPreamble);
}

std::string askingScript(const KernelRequest& request, std::string_view token, int treeSeconds)
{
    std::string script = "t=" + std::string(token) + "\n";
    const auto mark = [&script](const char* section) {
        script += "printf '%s\\n' \"$t:";
        script += section;
        script += "\"\n";
    };
    const auto addAll = [&script](const std::vector<std::string>& paths) {
        for (const std::string& path : paths)
            script += " " + inQuotes(path);
        script += "\n";
    };
    mark("begin");
    if (!request.files.empty() || request.everyProcess || request.interfaceStates) {
        mark("files");
        script += "loadstone_try grep -H -e '' --";
        script += request.everyProcess ? " /proc/[0-9]*/stat" : "";
        script += request.interfaceStates ? " /sys/class/net/*/operstate" : "";
        addAll(request.files);
    }
    if (!request.folders.empty()) {
        mark("folders");
        script += "loadstone_try ls -1 --";
        if (request.folders.size() == 1) // of one alone ls does not print the name
            script += " " + inQuotes(request.folders[0]);
        addAll(request.folders);
    }
    if (!request.entries.empty()) {
        mark("entries");
        script += "loadstone_try ls -ldn --";
        addAll(request.entries);
    }
    if (!request.firstArguments.empty()) {
        mark("called");
        script += "loadstone_called";
        for (const std::uint32_t process : request.firstArguments)
            script += " " + std::to_string(process);
        script += "\n";
    }
    for (const std::string& tree : request.trees) {
        mark("tree");
        script += "loadstone_count " + std::to_string(treeSeconds) + " " + inQuotes(tree) + "\n";
    }
    mark("end");
    return script;
}

std::string lastLine(std::string_view token)
{
    return std::string(token) + ":end";
}

Result<void> readAnswer(
    std::string_view answer, std::string_view token, const KernelRequest& request, KernelSnapshot& into)
{
    const std::string mark = std::string(token) + ":";
    const auto begin = answer.find(mark + "begin\n");
    if (begin == std::string_view::npos)
        return fail("the answer has no begin");
    answer.remove_prefix(begin);
    AnswerReader reader(request, into);
    while (!answer.empty()) {
        const std::string_view line = nextLine(answer);
        if (!line.starts_with(mark)) {
            reader.line(line);
            continue;
        }
        const std::string_view section = line.substr(mark.size());
        reader.begin(section);
        if (section == "end") {
            reader.end();
            return {};
        }
    }
    return fail("the answer has no end");
}

} // namespace loadstone::counters
