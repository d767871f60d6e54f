// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "layering/series_names.h"

#include <loadstone/quantity.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>

namespace loadstone::layering {
namespace {

constexpr std::string_view kReader = "engine/series/typed_names.cpp";

/// Rooms that know no series, or only the names in plans.
constexpr std::array<std::string_view, 6> kWithoutSeries { "engine/base/", "engine/document/",
    "engine/embedded/", "engine/lab/", "engine/plan/", "engine/protocol/" };

/// Code that looks like a comparison of a series' name, and why it is not.
struct Allowed {
    std::string_view below; ///< files in this folder
    std::string_view code;
    std::string_view reason;
};
constexpr std::array<Allowed, 24> kAllowed { {
    { "engine/history/", "header().computer == machine", "the machine that a run was made on" },
    { "engine/history/", "facts.name == target", "a target's name is what identifies it" },
    { "engine/mail/", "mailbox.name ==", "folders of a mail server" },
    { "engine/mail/", "mailbox->name ==", "folders of a mail server" },
    { "engine/mail/", "mailbox->name.starts_with", "folders of a mail server" },
    { "engine/mail/", "other.name.starts_with(folder.name", "folders of a mail server" },
    { "engine/mail/", "one.name == name && one.selectable", "folders of a mail server" },
    { "engine/analysis/storage/", "one.name == kStallsCompanion", "a sentence beside a verdict" },
    { "engine/analysis/storage/", "where[instanceOf(info.key)]",
        "sentences put together by the place they name" },
    { "engine/analysis/", "computer.name != wanted.of", "the computer that a criterion is about" },
    { "engine/analysis/", "one.name == name", "a phase, as users call it" },
    { "engine/compare/study/", "key.name == name", "a figure as a study's author names it" },
    { "engine/session/study_", "run.study.study == study.name", "a study's name is what identifies it" },
    { "engine/compare/repeat_pool", "one.name != mix->name", "a test, as its plan calls it" },
    { "engine/compare/study/", "one.name == first.name", "mixes of hosts that were measured at once" },
    { "engine/report/", "one.computer->computer == computer.computer", "a table for each computer" },
    { "engine/report/", "entry.name.find('')", "a mailbox's name" },
    { "engine/report/", "entry.name == \"\" || entry.name == \"\"", "a mailbox's name" },
    { "engine/session/", "place->name == volume.mount.string()", "a folder" },
    { "ui/compare/", "one.name == first.name", "a mix, as its plan calls it" },
    { "ui/compare/", "one.name == wanted", "a latency, as the user chose it" },
    { "ui/run/", "set.name == name", "a counter set of the user's" },
    { "ui/run/", "a.computer == b.computer", "rows of one table" },
    { "ui/window/", "run.computer == here", "the machine that a run is made on" },
} };

/// A line without comments, and with its literals taken out.
struct Line {
    std::string code;
    std::vector<std::string> literals; ///< as the source has them, escapes included
};

Line taken(const std::string& text)
{
    Line line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char quote = text[i];
        if (text.compare(i, 2, "//") == 0)
            break;
        const bool isDigitMark =
            quote == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
        if ((quote != '"' && quote != '\'') || isDigitMark) {
            line.code += quote;
            continue;
        }
        std::size_t end = i + 1;
        while (end < text.size() && text[end] != quote)
            end += text[end] == '\\' ? 2 : 1;
        if (quote == '"')
            line.literals.push_back(text.substr(i + 1, std::min(end, text.size()) - i - 1));
        line.code.append(2, quote);
        i = end;
    }
    return line;
}

void takeOut(std::string& code, std::string_view piece)
{
    for (auto at = code.find(piece); at != std::string::npos; at = code.find(piece))
        code.erase(at, piece.size());
}

/// Comparisons and look-ups by a member that is a name of a series, or by the text that is made of a key.
bool takesByName(const std::string& code)
{
    static const std::string kMember = R"((object|instance|counter|computer|name|path\(\)))";
    static const std::string kMade = R"(\b(pathOf|instanceOf|latencyNameOf)\()";
    static const std::array kPatterns {
        std::regex(R"([.>])" + kMember + R"((\(\))?\s*[!=]=)"),
        std::regex(R"([!=]=\s*[\w.>()\-]+[.>])" + kMember + R"((?![\w(.]|->))"),
        std::regex(R"([.>])" + kMember
            + R"(\.(starts_with|ends_with|find|rfind|contains|compare|substr|startsWith|endsWith|indexOf)\()"),
        std::regex(kMade + R"([^()]*(\([^()]*\))?[^()]*\)\s*[!=]=)"),
        std::regex(R"([!=]=\s*)" + kMade),
        std::regex(R"(&(CounterInfo|HistogramInfo|LatencyRow|ForeignCounter|LineInfo|LineKey)::)" + kMember),
        std::regex(
            R"((\.(emplace|insert|find|contains|at|try_emplace)\(|\[)[^;\]]*(\.path\(\)|)" + kMade + ")"),
        std::regex(R"(ranges::find\([^;]*[.>](object|instance|counter|path\(\))\s*[,)])"),
    };
    return std::ranges::any_of(
        kPatterns, [&](const std::regex& pattern) { return std::regex_search(code, pattern); });
}

/// Regular expressions are slow, and most lines have nothing that they look for.
bool isWorthALook(const std::string& code)
{
    constexpr std::array<std::string_view, 8> kNames { "object", "instance", "counter", "computer", "name",
        "path", "Of(", "Name" };
    constexpr std::array<std::string_view, 14> kUses { "==", "!=", "&", "[", "find(", "with(", "With(",
        "contains(", "compare(", "substr(", "indexOf(", "emplace(", "insert(", "at(" };
    const auto has = [&](std::string_view piece) { return code.find(piece) != std::string::npos; };
    return std::ranges::any_of(kNames, has) && std::ranges::any_of(kUses, has);
}

/// Whether a literal names a counter of the table, or has the form of a path. Names that are one plain word ("Users") do not count.
bool namesCounter(const std::string& literal)
{
    static const std::regex path(R"(\\+[A-Z][A-Za-z ]*[(\\])");
    if (std::regex_search(literal, path))
        return true;
    for (std::size_t i = 0; i < kQuantities; ++i) {
        const std::string_view counter = infoOf(static_cast<Quantity>(i)).counter;
        if (counter.find_first_of("/%.") != std::string_view::npos
            && literal.find(counter) != std::string::npos)
            return true;
        if (counter.find(' ') != std::string_view::npos && literal == counter) // "Available MBytes"
            return true;
    }
    return false;
}

bool below(const std::string& path, std::string_view folder)
{
    return path.starts_with(folder);
}

} // namespace

std::vector<std::string> namesOfSeriesIn(const std::string& path, const std::string& text)
{
    std::vector<std::string> found;
    if (path == kReader)
        return found;
    Line line = taken(text);
    if (below(path, "ui/") && std::ranges::any_of(line.literals, namesCounter))
        found.emplace_back("names a counter; series are found by their keys");
    static const std::regex ofMail(R"(\bofMail\b)");
    if (line.code.find("ofMail") != std::string::npos && std::regex_search(line.code, ofMail))
        found.emplace_back("asks whether a run is \"ofMail\"; it has a RunKind");
    if (std::ranges::any_of(kWithoutSeries, [&](std::string_view room) { return below(path, room); }))
        return found;
    for (const Allowed& allowed : kAllowed)
        if (below(path, allowed.below))
            takeOut(line.code, allowed.code);
    if (isWorthALook(line.code) && takesByName(line.code))
        found.emplace_back("compares a name of a series; series are found by their keys");
    return found;
}

} // namespace loadstone::layering
