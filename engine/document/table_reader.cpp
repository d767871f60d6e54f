// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"

#include "document/row_value.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace loadstone::document {

namespace {

constexpr std::size_t kMostUnknown = 100; // keys of a table that are named one by one

} // namespace

namespace {

std::size_t editDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t { 0 });
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({ row[j] + 1, row[j - 1] + 1, substituted });
        }
    }
    return row[b.size()];
}

/// The unit of an Error's "…; use …" is the remedy.
std::pair<std::string, std::string> split(const std::string& message, const char* example)
{
    const auto at = message.find("; ");
    if (at == std::string::npos)
        return { message, fmt::format("write it like \"{}\"", example) };
    return { message.substr(0, at), message.substr(at + 2) };
}

} // namespace

std::string nearest(const std::string& text, const std::vector<std::string>& known)
{
    std::string best;
    if (text.size() > 40)
        return best;
    std::size_t distance = std::max<std::size_t>(2, text.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t d = editDistance(text, candidate);
        if (d < distance) {
            distance = d;
            best = candidate;
        }
    }
    return best;
}

std::string shown(const std::string& text)
{
    std::string result;
    for (const char c : withoutInvisible(std::string_view(text).substr(0, 256))) {
        if (result.size() >= 60) {
            // Not in the middle of a UTF-8 sequence.
            while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xc0) == 0x80)
                result.pop_back();
            if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xc0)
                result.pop_back();
            return result + "...";
        }
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    return result;
}

TableReader::TableReader(const Node* table, std::string path, Problems& problems)
    : m_table(table)
    , m_path(std::move(path))
    , m_problems(problems)
{
}

std::string TableReader::path(const char* key) const
{
    return m_path.empty() ? key : m_path + "." + key;
}

const Node* TableReader::node(const char* key)
{
    m_known.emplace_back(key);
    return m_table == nullptr ? nullptr : m_table->find(key);
}

bool TableReader::has(const char* key)
{
    return node(key) != nullptr;
}

const Node* TableReader::expect(const char* key, Node::Kind kind, const char* remedy)
{
    const Node* found = node(key);
    if (found == nullptr || found->kind == kind)
        return found;
    m_problems.error(
        path(key), fmt::format("is {}, must be {}", describe(found->kind), describe(kind)), remedy);
    return nullptr;
}

std::optional<std::string> TableReader::text(const char* key)
{
    const Node* found = expect(key, Node::Kind::text, "write it in quotes");
    if (found == nullptr)
        return std::nullopt;
    return found->text;
}

std::optional<bool> TableReader::flag(const char* key)
{
    const Node* found = expect(key, Node::Kind::boolean, "write true or false, without quotes");
    if (found == nullptr)
        return std::nullopt;
    return found->boolean;
}

std::optional<std::int64_t> TableReader::number(const char* key, std::int64_t least, std::int64_t most)
{
    const Node* found = expect(key, Node::Kind::integer, "write a whole number, without quotes or unit");
    if (found == nullptr)
        return std::nullopt;
    if (found->integer < least || found->integer > most) {
        m_problems.error(path(key), fmt::format("{} is out of range", found->integer),
            most == std::numeric_limits<std::int64_t>::max()
                ? fmt::format("write a number from {} up", least)
                : fmt::format("write a number from {} to {}", least, most));
        return std::nullopt;
    }
    return found->integer;
}

std::optional<std::string> TableReader::quantity(const char* key, const char* example, const char* unit)
{
    const Node* found = node(key);
    if (found == nullptr)
        return std::nullopt;
    if (found->kind == Node::Kind::text)
        return found->text;
    if (found->kind == Node::Kind::integer || found->kind == Node::Kind::real) {
        const std::string digits = found->kind == Node::Kind::integer ? fmt::format("{}", found->integer)
                                                                      : fmt::format("{}", found->real);
        m_problems.error(path(key), fmt::format("{} has no unit", digits),
            fmt::format("write the unit and quotes, as in \"{}{}\"", digits, unit));
    } else {
        m_problems.error(path(key), fmt::format("is {}, must be a quantity", describe(found->kind)),
            fmt::format("write it like \"{}\"", example));
    }
    return std::nullopt;
}

std::optional<Nanoseconds> TableReader::duration(const char* key, Nanoseconds least, Nanoseconds most)
{
    const auto written = quantity(key, "22 s", " s");
    if (!written)
        return std::nullopt;
    const auto parsed = parseDuration(shown(*written));
    if (!parsed) {
        auto [message, remedy] = split(parsed.error().message, "22 s");
        m_problems.error(path(key), std::move(message), std::move(remedy));
        return std::nullopt;
    }
    if (*parsed < least || *parsed > most) {
        m_problems.error(path(key), fmt::format("\"{}\" is out of range", shown(*written)),
            fmt::format("write a time from \"{}\" to \"{}\"", formatDuration(least), formatDuration(most)));
        return std::nullopt;
    }
    return *parsed;
}

std::optional<std::uint64_t> TableReader::bytes(const char* key, std::uint64_t least, std::uint64_t most)
{
    const auto written = quantity(key, "10 KB", " KB");
    if (!written)
        return std::nullopt;
    const auto parsed = parseBytes(shown(*written));
    if (!parsed) {
        auto [message, remedy] = split(parsed.error().message, "10 KB");
        m_problems.error(path(key), std::move(message), std::move(remedy));
        return std::nullopt;
    }
    if (*parsed < least || *parsed > most) {
        m_problems.error(path(key), fmt::format("\"{}\" is out of range", shown(*written)),
            fmt::format("write a size from \"{}\" to \"{}\"", formatBytes(least), formatBytes(most)));
        return std::nullopt;
    }
    return *parsed;
}

std::optional<double> TableReader::rate(const char* key, double most)
{
    const auto written = quantity(key, "1/h", "/h");
    if (!written)
        return std::nullopt;
    const auto parsed = parseRate(shown(*written));
    if (!parsed) {
        auto [message, remedy] = split(parsed.error().message, "1/h");
        m_problems.error(path(key), std::move(message), std::move(remedy));
        return std::nullopt;
    }
    constexpr double kSlowest = 1.0 / (30 * 86400);
    if (*parsed < kSlowest || *parsed > most) {
        m_problems.error(path(key), fmt::format("\"{}\" is out of range", shown(*written)),
            fmt::format("write a rate from \"0.034/day\" to \"{}/s\"", formatNumber(most, 8)));
        return std::nullopt;
    }
    return *parsed;
}

/// "90 %", 90 or 90.0; nothing on anything else.
static std::optional<double> percentOf(const Node& node)
{
    if (node.kind == Node::Kind::integer)
        return static_cast<double>(node.integer);
    if (node.kind == Node::Kind::real)
        return node.real;
    if (node.kind != Node::Kind::text || !node.text.ends_with('%'))
        return std::nullopt;
    // The same reader of decimal numbers as every other quantity.
    const auto parsed = parseRate(shown(node.text.substr(0, node.text.size() - 1)) + "/s");
    if (!parsed)
        return std::nullopt;
    return *parsed;
}

std::optional<double> TableReader::percent(const char* key)
{
    const Node* found = node(key);
    if (found == nullptr)
        return std::nullopt;
    const auto value = percentOf(*found);
    if (!value || !(*value >= 1 && *value <= 100)) {
        m_problems.error(path(key), "is not a share from 1 % to 100 %", "write it like \"90 %\"");
        return std::nullopt;
    }
    return value;
}

std::optional<double> TableReader::share(const char* key)
{
    const Node* found = node(key);
    if (found == nullptr)
        return std::nullopt;
    const auto value = percentOf(*found);
    if (!value || !(*value >= 0 && *value <= 100)) {
        m_problems.error(path(key), "is not a share from 0 % to 100 %", "write it like \"7 %\"");
        return std::nullopt;
    }
    return *value / 100;
}

std::optional<double> TableReader::real(const char* key, double least, double most)
{
    const Node* found = node(key);
    if (found == nullptr)
        return std::nullopt;
    const bool number = found->kind == Node::Kind::integer || found->kind == Node::Kind::real;
    const double value =
        found->kind == Node::Kind::integer ? static_cast<double>(found->integer) : found->real;
    if (!number || !(value >= least && value <= most)) {
        m_problems.error(path(key),
            number ? fmt::format("{} is out of range", value)
                   : fmt::format("is {}, must be a number", describe(found->kind)),
            fmt::format("write a number from {} to {}, without quotes", least, most));
        return std::nullopt;
    }
    return value;
}

std::optional<std::vector<std::string>> TableReader::texts(const char* key)
{
    const Node* found = expect(key, Node::Kind::array, "write a list of texts, as in [\"a\", \"b\"]");
    if (found == nullptr)
        return std::nullopt;
    std::vector<std::string> result;
    for (std::size_t i = 0; i < found->items.size(); ++i) {
        if (found->items[i].kind != Node::Kind::text) {
            m_problems.error(fmt::format("{}[{}]", path(key), i),
                fmt::format("is {}, must be a text", describe(found->items[i].kind)), "write it in quotes");
            return std::nullopt;
        }
        result.push_back(found->items[i].text);
    }
    return result;
}

std::optional<std::size_t> TableReader::chosen(const char* key, const std::vector<const char*>& names)
{
    const auto written = text(key);
    if (!written)
        return std::nullopt;
    const auto it = std::find(names.begin(), names.end(), *written);
    if (it != names.end())
        return static_cast<std::size_t>(it - names.begin());
    const std::string meant = nearest(*written, { names.begin(), names.end() });
    m_problems.error(path(key),
        fmt::format("\"{}\" is unknown{}", shown(*written),
            meant.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", meant)),
        fmt::format("write \"{}\"", fmt::join(names, "\", \"")));
    return std::nullopt;
}

const Node* TableReader::table(const char* key)
{
    const Node* found = node(key);
    if (found == nullptr || found->kind == Node::Kind::table)
        return found;
    m_problems.error(path(key), fmt::format("is {}, must be a table", describe(found->kind)),
        found->kind == Node::Kind::array
            ? fmt::format("write its header once, with single brackets: [{}]", path(key))
            : fmt::format("write a header [{}] and its keys below it", path(key)));
    return nullptr;
}

const Node* TableReader::tables(const char* key)
{
    const Node* found = node(key);
    if (found == nullptr)
        return nullptr;
    if (found->kind != Node::Kind::array) {
        m_problems.error(path(key), fmt::format("is {}, must be a list of tables", describe(found->kind)),
            fmt::format("write the header of each with double brackets: [[{}]]", path(key)));
        return nullptr;
    }
    for (std::size_t i = 0; i < found->items.size(); ++i)
        if (found->items[i].kind != Node::Kind::table) {
            m_problems.error(fmt::format("{}[{}]", path(key), i),
                fmt::format("is {}, must be a table", describe(found->items[i].kind)),
                fmt::format("write the header of each with double brackets: [[{}]]", path(key)));
            return nullptr;
        }
    return found;
}

void TableReader::missing(const char* key, std::string remedy)
{
    if (!m_problems.touched(path(key)))
        m_problems.error(path(key), "is missing", std::move(remedy));
}

void TableReader::finish()
{
    if (m_table == nullptr)
        return;
    std::sort(m_known.begin(), m_known.end());
    m_known.erase(std::unique(m_known.begin(), m_known.end()), m_known.end());
    std::size_t unknown = 0;
    for (const Member& member : m_table->members) {
        if (std::binary_search(m_known.begin(), m_known.end(), member.key))
            continue;
        if (++unknown > kMostUnknown)
            continue;
        const std::string meant = nearest(member.key, m_known);
        const std::string name = shown(member.key);
        if (!meant.empty())
            m_problems.touch(path(meant.c_str()));
        m_problems.errorAt(member.at, path(name.c_str()), "this key is unknown",
            meant.empty() ? fmt::format("remove it, or use one of: {}", fmt::join(m_known, ", "))
                          : fmt::format("did you mean {}?", meant));
    }
    if (unknown > kMostUnknown)
        m_problems.leaveOut(unknown - kMostUnknown);
}

} // namespace loadstone::document
