// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"

#include "base/joined.h"
#include "document/asked_keys.h"
#include "document/row_value.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace loadstone::document {

namespace {

constexpr std::size_t kMostUnknown = 100; // keys of a table that are named one by one

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

namespace {

/// "mixes[]." of "mixes[2]"; nothing at the top.
std::string rowsBelow(const std::string& path)
{
    std::string rows;
    for (std::size_t i = 0; i < path.size(); ++i) {
        rows += path[i];
        if (path[i] == '[')
            i = std::min(path.find(']', i), path.size()) - 1;
    }
    return rows.empty() ? rows : rows + ".";
}

} // namespace

TableReader::TableReader(const Node* table, std::string path, Problems& problems)
    : m_table(table)
    , m_path(std::move(path))
    , m_rows(rowsBelow(m_path))
    , m_problems(problems)
{
}

std::string TableReader::path(const char* key) const
{
    return m_path.empty() ? key : m_path + "." + key;
}

const KeyRow& TableReader::row(const char* key) const
{
    static const KeyRow unbounded;
    const KeyRow* found = findKey(m_problems.kind(), m_rows + key);
    return found == nullptr ? unbounded : *found;
}

std::size_t TableReader::most(const char* key) const
{
    const auto most = row(key).most;
    return most ? static_cast<std::size_t>(*most) : std::numeric_limits<std::size_t>::max();
}

const Node* TableReader::ask(const char* key, std::initializer_list<KeyType> types)
{
    if (AskedKeys* asked = AskedKeys::current())
        asked->ask(m_problems.kind(), m_rows + key, findKey(m_problems.kind(), m_rows + key), types);
    m_known.emplace_back(key);
    return m_table == nullptr ? nullptr : m_table->find(key);
}

const Node* TableReader::node(const char* key)
{
    return ask(key, {});
}

bool TableReader::has(const char* key)
{
    return ask(key, {}) != nullptr;
}

bool TableReader::hasMisplaced(const char* key)
{
    m_known.emplace_back(key);
    return m_table != nullptr && m_table->find(key) != nullptr;
}

const Node* TableReader::expect(const char* key, KeyType type, Node::Kind kind, const char* remedy)
{
    // A choice is a text with more rules, and a password may be one.
    const Node* found =
        type == KeyType::text ? ask(key, { KeyType::text, KeyType::choice }) : ask(key, { type });
    if (found == nullptr || found->kind == kind)
        return found;
    m_problems.error(
        path(key), fmt::format("is {}, must be {}", describe(found->kind), describe(kind)), remedy);
    return nullptr;
}

std::optional<std::string> TableReader::text(const char* key)
{
    const Node* found = expect(key, KeyType::text, Node::Kind::text, "write it in quotes");
    if (found == nullptr)
        return std::nullopt;
    return found->text;
}

std::optional<bool> TableReader::flag(const char* key)
{
    const Node* found =
        expect(key, KeyType::flag, Node::Kind::boolean, "write true or false, without quotes");
    if (found == nullptr)
        return std::nullopt;
    return found->boolean;
}

std::optional<std::int64_t> TableReader::number(const char* key)
{
    const Node* found =
        expect(key, KeyType::integer, Node::Kind::integer, "write a whole number, without quotes or unit");
    if (found == nullptr)
        return std::nullopt;
    const KeyRow& row = this->row(key);
    const auto value = static_cast<double>(found->integer); // bounds are far below what a double cannot hold
    if ((row.least && value < *row.least) || (row.most && value > *row.most)) {
        m_problems.error(path(key), fmt::format("{} is out of range", found->integer),
            row.most ? fmt::format("write a number from {:.0f} to {:.0f}", row.least.value_or(0), *row.most)
                     : fmt::format("write a number from {:.0f} up", row.least.value_or(0)));
        return std::nullopt;
    }
    return found->integer;
}

std::optional<std::string> TableReader::quantity(
    const char* key, KeyType type, const char* example, const char* unit)
{
    const Node* found = ask(key, { type });
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

std::optional<Nanoseconds> TableReader::duration(const char* key)
{
    const auto written = quantity(key, KeyType::duration, "22 s", " s");
    if (!written)
        return std::nullopt;
    const auto parsed = parseDuration(shown(*written));
    if (!parsed) {
        auto [message, remedy] = split(parsed.error().message, "22 s");
        m_problems.error(path(key), std::move(message), std::move(remedy));
        return std::nullopt;
    }
    const auto bound = [](std::optional<double> seconds, Nanoseconds otherwise) {
        return seconds ? Nanoseconds(std::llround(*seconds * 1e9)) : otherwise;
    };
    const KeyRow& row = this->row(key);
    const Nanoseconds least = bound(row.least, Nanoseconds::zero()),
                      most = bound(row.most, Nanoseconds::max());
    if (*parsed < least || *parsed > most) {
        m_problems.error(path(key), fmt::format("\"{}\" is out of range", shown(*written)),
            fmt::format("write a time from \"{}\" to \"{}\"", formatDuration(least), formatDuration(most)));
        return std::nullopt;
    }
    return *parsed;
}

std::optional<std::uint64_t> TableReader::bytes(const char* key)
{
    const auto written = quantity(key, KeyType::bytes, "10 KB", " KB");
    if (!written)
        return std::nullopt;
    const auto parsed = parseBytes(shown(*written));
    if (!parsed) {
        auto [message, remedy] = split(parsed.error().message, "10 KB");
        m_problems.error(path(key), std::move(message), std::move(remedy));
        return std::nullopt;
    }
    constexpr double kMost = 1e18; // what parseBytes() takes
    const KeyRow& row = this->row(key);
    const auto least = static_cast<std::uint64_t>(row.least.value_or(0)),
               most = static_cast<std::uint64_t>(row.most.value_or(kMost));
    if (*parsed < least || *parsed > most) {
        m_problems.error(path(key), fmt::format("\"{}\" is out of range", shown(*written)),
            fmt::format("write a size from \"{}\" to \"{}\"", formatBytes(least), formatBytes(most)));
        return std::nullopt;
    }
    return *parsed;
}

std::optional<double> TableReader::rate(const char* key)
{
    const auto written = quantity(key, KeyType::rate, "1/h", "/h");
    if (!written)
        return std::nullopt;
    const auto parsed = parseRate(shown(*written));
    if (!parsed) {
        auto [message, remedy] = split(parsed.error().message, "1/h");
        m_problems.error(path(key), std::move(message), std::move(remedy));
        return std::nullopt;
    }
    constexpr double kSlowest = 1.0 / (30 * 86400);
    const double most = row(key).most.value_or(std::numeric_limits<double>::max());
    if (*parsed < kSlowest || *parsed > most) {
        m_problems.error(path(key), fmt::format("\"{}\" is out of range", shown(*written)),
            fmt::format("write a rate from \"0.034/day\" to \"{}/s\"", formatNumber(most, 8)));
        return std::nullopt;
    }
    return *parsed;
}

/// "90 %", 90 or 90.0; nothing on anything else.
static std::optional<double> statedPercent(const Node& node)
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

std::optional<double> TableReader::percentWithin(const char* key, const char* example)
{
    const Node* found = ask(key, { KeyType::percent });
    if (found == nullptr)
        return std::nullopt;
    const KeyRow& row = this->row(key);
    const double least = row.least.value_or(0), most = row.most.value_or(100);
    const auto value = statedPercent(*found);
    if (!value || !(*value >= least && *value <= most)) {
        m_problems.error(path(key), fmt::format("is not a share from {} % to {} %", least, most),
            fmt::format("write it like \"{}\"", example));
        return std::nullopt;
    }
    return value;
}

std::optional<double> TableReader::percent(const char* key)
{
    return percentWithin(key, "90 %");
}

std::optional<double> TableReader::share(const char* key)
{
    const auto percent = percentWithin(key, "7 %");
    if (!percent)
        return std::nullopt;
    return *percent / 100;
}

std::optional<double> TableReader::real(const char* key)
{
    const Node* found = ask(key, { KeyType::number });
    if (found == nullptr)
        return std::nullopt;
    const KeyRow& row = this->row(key);
    constexpr double kMost = std::numeric_limits<double>::max();
    const double least = row.least.value_or(-kMost), most = row.most.value_or(kMost);
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
    const Node* found =
        expect(key, KeyType::texts, Node::Kind::array, "write a list of texts, as in [\"a\", \"b\"]");
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
    const KeyRow& row = this->row(key);
    if (AskedKeys* asked = AskedKeys::current()) {
        asked->ask(m_problems.kind(), m_rows + key, row.path.empty() ? nullptr : &row, { KeyType::choice });
        asked->compare(row, names);
    }
    const auto written = text(key);
    if (!written)
        return std::nullopt;
    const auto it = std::find(names.begin(), names.end(), *written);
    if (it != names.end())
        return static_cast<std::size_t>(it - names.begin());
    const std::vector<std::string> choices(row.choices.begin(), row.choices.end());
    const std::string meant = nearest(*written, choices);
    m_problems.error(path(key),
        fmt::format("\"{}\" is unknown{}", shown(*written),
            meant.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", meant)),
        fmt::format("write \"{}\"", joined(choices, "\", \"")));
    return std::nullopt;
}

const Node* TableReader::table(const char* key)
{
    const Node* found = ask(key, { KeyType::table });
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
    const Node* found = ask(key, { KeyType::tables });
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

void TableReader::reportUnknown(const Member& member)
{
    const std::string name = shown(member.key);
    const std::string field = path(name.c_str());
    // The rows of this table that apply are those that the reader asked for.
    const KeyRow* row = findKey(m_problems.kind(), m_rows + member.key);
    if (row != nullptr && row->path == m_rows + member.key) {
        const std::string when = describeConditions(*row);
        m_problems.errorAt(member.at, field, "this key does not apply here",
            when.empty() ? "remove it" : fmt::format("remove it; it applies where {}", when));
        return;
    }
    const std::string meant = nearest(member.key, m_known);
    if (!meant.empty())
        m_problems.touch(path(meant.c_str()));
    m_problems.errorAt(member.at, field, "this key is unknown",
        meant.empty() ? fmt::format("remove it, or use one of: {}", joined(m_known, ", "))
                      : fmt::format("did you mean {}?", meant));
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
        reportUnknown(member);
    }
    if (unknown > kMostUnknown)
        m_problems.leaveOut(unknown - kMostUnknown);
}

} // namespace loadstone::document
