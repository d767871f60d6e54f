// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/machine_text.h"

#include "base/trimmed.h"

#include <loadstone/lab_detect.h>

#include <algorithm>
#include <charconv>

namespace loadstone::lab {

namespace {

constexpr std::string_view kHead = "loadstone-machine 1";
constexpr std::size_t kLongestPath = 512, kMostEntries = 200000, kMostHex = 1U << 20;

bool isContinuation(unsigned char c)
{
    return (c & 0xc0U) == 0x80;
}

/// Bytes of the UTF-8 sequence at `at`, 0 when there is none.
std::size_t sequenceAt(std::string_view text, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1
        : lead >= 0xc2 && lead < 0xe0      ? 2
        : lead >= 0xe0 && lead < 0xf0      ? 3
        : lead >= 0xf0 && lead < 0xf5      ? 4
                                           : 0;
    if (length == 0 || at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!isContinuation(static_cast<unsigned char>(text[at + i])))
            return 0;
    return length;
}

/// What no label should have stands as '?': controls and bytes that are no UTF-8.
std::string cleaned(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceAt(text, at);
        const auto c = static_cast<unsigned char>(text[at]);
        if (length == 1 && (c < 0x20 || c == 0x7f))
            clean += c == '\t' ? ' ' : '?';
        else if (length == 0)
            clean += '?';
        else
            clean += text.substr(at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return clean;
}

struct ByNumber {
    bool operator()(const std::string& a, const std::string& b) const
    {
        std::size_t i = 0, j = 0;
        const auto digit = [](char c) { return c >= '0' && c <= '9'; };
        while (i < a.size() && j < b.size()) {
            if (digit(a[i]) && digit(b[j])) {
                const auto endOf = [&](const std::string& text, std::size_t at) {
                    while (at < text.size() && digit(text[at]))
                        ++at;
                    return at;
                };
                const std::size_t endA = endOf(a, i), endB = endOf(b, j);
                while (i + 1 < endA && a[i] == '0')
                    ++i;
                while (j + 1 < endB && b[j] == '0')
                    ++j;
                if (endA - i != endB - j)
                    return endA - i < endB - j;
                if (const int order = a.compare(i, endA - i, b, j, endB - j); order != 0)
                    return order < 0;
                i = endA;
                j = endB;
            } else if (a[i] != b[j])
                return a[i] < b[j];
            else
                ++i, ++j;
        }
        return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
    }
};

const std::string* find(const std::map<std::string, std::string, std::less<>>& in, std::string_view key)
{
    const auto at = in.find(key);
    return at == in.end() ? nullptr : &at->second;
}

} // namespace

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::vector<std::string> wordsOf(std::string_view line)
{
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

std::optional<std::uint64_t> wholeNumber(std::string_view text)
{
    text = trimmed(text);
    std::uint64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
        return {};
    return value;
}

std::vector<std::pair<std::string, std::string>> fieldsOf(std::string_view text, char separator)
{
    std::vector<std::pair<std::string, std::string>> fields;
    for (const std::string_view line : linesOf(text))
        if (const auto at = line.find(separator); at != std::string_view::npos)
            fields.emplace_back(trimmed(line.substr(0, at)), trimmed(line.substr(at + 1)));
    return fields;
}

Result<MachineText> MachineText::parse(std::string_view text, const std::string& name)
{
    if (text.size() > kMostCollected)
        return fail(name + ": is longer than 4 MB, which the text of no machine is");
    const auto head = trimmed(text.substr(0, std::min(text.find('\n'), text.size())));
    if (head != kHead)
        return fail(name
            + ":1: is not the text of a machine: its first line should be \"loadstone-machine 1\"; write one "
              "with "
              "\"loadstone lab detect --collect FILE\"");
    MachineText made;
    std::string* into = nullptr;
    std::size_t number = 0, entries = 0;
    for (const std::string_view raw : linesOf(text)) {
        if (++number == 1)
            continue;
        if (raw.starts_with(' ')) {
            if (into == nullptr)
                continue; // of an entry that this version does not know
            *into += cleaned(trimmed(raw.substr(1), "\r"));
            *into += '\n';
            continue;
        }
        const std::string line(trimmed(raw));
        into = nullptr;
        if (line.empty())
            continue;
        if (line == "end") {
            made.m_whole = true;
            break;
        }
        if (++entries > kMostEntries)
            return fail(name + ":" + std::to_string(number) + ": more than 200000 entries");
        const auto gap = line.find(' ');
        const std::string word = line.substr(0, gap);
        const std::string path = gap == std::string::npos ? std::string() : cleaned(line.substr(gap + 1));
        if (path.empty() || path.size() > kLongestPath)
            return fail(name + ":" + std::to_string(number)
                + ": should name a file, a link or a program of at most 512 characters; collect it again");
        if (word == "file")
            into = &made.m_files[path];
        else if (word == "link")
            into = &made.m_links[path];
        else if (word == "output")
            into = &made.m_outputs[path];
        else if (word == "hex")
            into = &made.m_hex[path];
        else if (word == "denied")
            made.m_denied.insert(path);
        else if (word == "missing")
            made.m_missing.insert(path);
        if (into != nullptr)
            into->clear(); // the last one of a name counts
    }
    return made;
}

bool MachineText::has(std::string_view path) const
{
    return m_files.contains(path) || m_links.contains(path);
}

std::optional<std::string_view> MachineText::text(std::string_view path) const
{
    const std::string* found = find(m_files, path);
    return found == nullptr ? std::nullopt : std::optional<std::string_view>(*found);
}

std::string MachineText::line(std::string_view path) const
{
    const std::string_view all = text(path).value_or("");
    return std::string(trimmed(all.substr(0, std::min(all.find('\n'), all.size()))));
}

std::optional<std::uint64_t> MachineText::number(std::string_view path) const
{
    return wholeNumber(line(path));
}

std::optional<std::string_view> MachineText::output(std::string_view name) const
{
    const std::string* found = find(m_outputs, name);
    return found == nullptr ? std::nullopt : std::optional<std::string_view>(*found);
}

std::vector<std::string> MachineText::outputs(std::string_view beginning) const
{
    std::vector<std::string> names;
    for (auto at = m_outputs.lower_bound(beginning);
         at != m_outputs.end() && at->first.starts_with(beginning); ++at)
        names.push_back(at->first.substr(beginning.size()));
    return names;
}

std::string MachineText::link(std::string_view path) const
{
    const std::string* found = find(m_links, path);
    return found == nullptr ? std::string() : std::string(trimmed(*found));
}

std::string MachineText::linkName(std::string_view path) const
{
    const std::string target = link(path);
    const auto slash = target.rfind('/');
    return slash == std::string::npos ? target : target.substr(slash + 1);
}

std::vector<std::string> MachineText::names(std::string_view folder) const
{
    const std::string beginning = std::string(folder) + "/";
    std::set<std::string, ByNumber> names;
    const auto collect = [&](const auto& from) {
        for (auto at = from.lower_bound(beginning); at != from.end() && at->first.starts_with(beginning);) {
            const auto end = at->first.find('/', beginning.size());
            std::string name = at->first.substr(
                beginning.size(), end == std::string::npos ? std::string::npos : end - beginning.size());
            // Past all that is below this name: '0' follows '/'.
            at = end == std::string::npos ? std::next(at) : from.lower_bound(beginning + name + "0");
            if (!name.empty())
                names.insert(std::move(name));
        }
    };
    collect(m_files);
    collect(m_links);
    return { names.begin(), names.end() };
}

std::optional<std::vector<std::uint8_t>> MachineText::bytes(std::string_view path) const
{
    const std::string* found = find(m_hex, path);
    if (found == nullptr)
        return {};
    std::vector<std::uint8_t> bytes;
    int high = -1;
    for (const char c : *found) {
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            continue;
        if (high < 0) {
            high = digit;
        } else {
            bytes.push_back(static_cast<std::uint8_t>(high * 16 + digit));
            high = -1;
        }
        if (bytes.size() == kMostHex)
            break;
    }
    return bytes;
}

} // namespace loadstone::lab
