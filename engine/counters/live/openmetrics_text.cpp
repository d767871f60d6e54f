// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/openmetrics_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace loadstone::counters {

namespace {

struct TypeName {
    std::string_view text;
    MetricType type;
};
constexpr std::array<TypeName, 9> kTypes { {
    { "counter", MetricType::counter },
    { "gauge", MetricType::gauge },
    { "histogram", MetricType::histogram },
    { "gaugehistogram", MetricType::gaugeHistogram },
    { "summary", MetricType::summary },
    { "info", MetricType::info },
    { "stateset", MetricType::stateSet },
    { "unknown", MetricType::unknown },
    { "untyped", MetricType::unknown },
} };

/// Whether a sample of a family of this type may have this behind the family's name.
bool isSuffixOf(MetricType type, std::string_view suffix)
{
    using enum MetricType;
    if (suffix.empty())
        return true;
    if (suffix == "_created")
        return type == counter || type == histogram || type == summary;
    if (suffix == "_count" || suffix == "_sum")
        return type == histogram || type == summary;
    if (suffix == "_bucket")
        return type == histogram || type == gaugeHistogram;
    if (suffix == "_gcount" || suffix == "_gsum")
        return type == gaugeHistogram;
    return (suffix == "_total" && type == counter) || (suffix == "_info" && type == info);
}

constexpr bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

/// Where the word of letters, digits and `_` that begins at `at` ends; `at` where there is none. Names of metrics may have colons.
std::size_t endOfWord(std::string_view line, std::size_t at, bool isMetric)
{
    const auto fits = [&](char c) { return isLetter(c) || (isMetric && c == ':'); };
    if (at >= line.size() || !fits(line[at]))
        return at;
    std::size_t end = at + 1;
    while (end < line.size() && (fits(line[end]) || isDigit(line[end])))
        ++end;
    return end;
}

std::size_t skipBlanks(std::string_view line, std::size_t at)
{
    while (at < line.size() && isBlank(line[at]))
        ++at;
    return at;
}

std::string_view wordAt(std::string_view line, std::size_t at)
{
    std::size_t end = at;
    while (end < line.size() && !isBlank(line[end]))
        ++end;
    return line.substr(at, end - at);
}

bool isUtf8(std::string_view text) // RFC 3629, but for what is written longer than it must be
{
    std::size_t expected = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (expected > 0) {
            if ((byte & 0xC0U) != 0x80U)
                return false;
            --expected;
        } else if (byte >= 0x80U) {
            if (byte < 0xC2U || byte >= 0xF5U)
                return false;
            expected = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : 1;
        }
    }
    return expected == 0;
}

/// A number as Go writes it, with a sign, an exponent, "NaN" or "+Inf".
std::optional<double> numberIn(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::string unescapedLabel(std::string_view escaped)
{
    std::string value;
    value.reserve(escaped.size());
    for (std::size_t i = 0; i < escaped.size(); ++i) {
        if (escaped[i] == '\\' && i + 1 < escaped.size()) {
            ++i;
            value += escaped[i] == 'n' ? '\n' : escaped[i];
        } else {
            value += escaped[i];
        }
    }
    return value;
}

std::string quotedLine(std::string_view line)
{
    constexpr std::size_t kMost = 60;
    std::string text = "\"";
    for (const char c : line.substr(0, kMost)) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte >= 0x20 && byte < 0x7f ? c : '?';
    }
    return text + (line.size() > kMost ? "…\"" : "\"");
}

OpenMetricsText::OpenMetricsText(std::string_view text)
    : m_text(text)
{
    if (m_text.starts_with("\xef\xbb\xbf"))
        m_at = 3;
}

Error OpenMetricsText::fault(const std::string& text) const
{
    return fail("line " + std::to_string(m_line) + ": " + text);
}

Result<bool> OpenMetricsText::next(MetricSample& sample)
{
    while (m_at < m_text.size()) {
        const std::size_t feed = m_text.find('\n', m_at);
        const bool isWhole = feed != std::string_view::npos;
        std::string_view line = m_text.substr(m_at, isWhole ? feed - m_at : feed);
        ++m_line;
        m_at = isWhole ? feed + 1 : m_text.size();
        if (line.size() > kMostLineBytes)
            return fault("it is longer than 64 KB");
        if (!isUtf8(line))
            return fault("it is not UTF-8");
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        line.remove_prefix(skipBlanks(line, 0));
        if (line.empty())
            continue;
        if (m_sawEnd)
            return fault("the text goes on after # EOF");
        if (line.starts_with('#')) {
            const auto read = readComment(line);
            if (!isWhole && !m_sawEnd)
                return fault("the text is cut off: this line has no end");
            if (!read)
                return read.error();
            continue;
        }
        if (const auto read = readSample(line, sample); !read) {
            if (!m_sawFormat)
                return fail("this is not the text format of Prometheus: it begins with " + quotedLine(line));
            return read.error();
        }
        // A number that is cut off is another number.
        if (!isWhole)
            return fault("the text is cut off: this line has no end");
        m_sawFormat = true;
        if (++m_samples > kMostSamples)
            return fault("there are more than 1,000,000 samples");
        return true;
    }
    return false;
}

void OpenMetricsText::announce(std::string_view family)
{
    if (family != m_family.title)
        m_family = { family, {}, {}, MetricType::unknown };
}

Result<void> OpenMetricsText::readComment(std::string_view line)
{
    std::size_t at = skipBlanks(line, 1);
    const std::string_view what = wordAt(line, at);
    if (what == "EOF" && skipBlanks(line, at + what.size()) == line.size()) {
        m_sawEnd = m_sawFormat = true;
        return {};
    }
    if (what != "TYPE" && what != "HELP" && what != "UNIT")
        return {};
    at = skipBlanks(line, at + what.size());
    const std::size_t end = endOfWord(line, at, true);
    if (end == at || (end < line.size() && !isBlank(line[end])))
        return fault(
            "# " + std::string(what) + " needs the name of a metric, not " + quotedLine(line.substr(at)));
    announce(line.substr(at, end - at));
    const std::string_view rest = line.substr(skipBlanks(line, end));
    if (what == "HELP") {
        m_family.help = rest;
    } else if (what == "UNIT") {
        m_family.unit = wordAt(rest, 0);
    } else {
        const std::string_view word = wordAt(rest, 0);
        const auto known = std::ranges::find(kTypes, word, &TypeName::text);
        if (known == kTypes.end())
            return fault(
                quotedLine(word) + " is no type of metrics; there are counter, gauge, histogram and others");
        m_family.type = known->type;
    }
    m_sawFormat = true;
    return {};
}

/// `at` is behind the opening brace; what comes back is the place behind the closing one.
Result<std::size_t> OpenMetricsText::readLabels(std::string_view line, std::size_t at)
{
    m_labels.clear();
    for (at = skipBlanks(line, at); at < line.size() && line[at] != '}';) {
        const std::size_t end = endOfWord(line, at, false);
        if (end == at)
            return fault(
                "a label needs a name of letters, digits and \"_\", not " + quotedLine(line.substr(at)));
        const std::string_view key = line.substr(at, end - at);
        at = skipBlanks(line, end);
        if (at >= line.size() || line[at] != '=')
            return fault("label " + quotedLine(key) + " needs \"=\" and a value in quotes");
        at = skipBlanks(line, at + 1);
        if (at >= line.size() || line[at] != '"')
            return fault("the value of label " + quotedLine(key) + " is not in quotes");
        const std::size_t begin = ++at;
        while (at < line.size() && line[at] != '"')
            at += line[at] == '\\' ? 2 : 1;
        if (at >= line.size())
            return fault("the value of label " + quotedLine(key) + " has no closing quote");
        if (m_labels.size() == kMostLabels)
            return fault("there are more than 64 labels");
        m_labels.push_back({ key, line.substr(begin, at - begin) });
        at = skipBlanks(line, at + 1);
        if (at < line.size() && line[at] == ',')
            at = skipBlanks(line, at + 1);
        else if (at < line.size() && line[at] != '}')
            return fault("a comma is missing after label " + quotedLine(key));
    }
    if (at >= line.size())
        return fault("the labels have no closing brace");
    return at + 1;
}

Result<void> OpenMetricsText::readSample(std::string_view line, MetricSample& sample)
{
    std::size_t at = endOfWord(line, 0, true);
    if (at == 0)
        return fault("a line begins with the name of a metric or with \"#\", not with " + quotedLine(line));
    sample.metric = line.substr(0, at);
    std::size_t end = at;
    at = skipBlanks(line, at);
    m_labels.clear();
    if (at < line.size() && line[at] == '{') {
        const auto behind = readLabels(line, at + 1);
        if (!behind)
            return behind.error();
        at = end = *behind;
    } else if (at == end) {
        return fault("a value is missing after " + quotedLine(sample.metric));
    }
    sample.series = line.substr(0, end);
    sample.labels = m_labels;
    sample.line = m_line;

    at = skipBlanks(line, at);
    const std::string_view number = wordAt(line, at);
    const auto value = numberIn(number);
    if (!value)
        return fault("the value of " + quotedLine(sample.metric) + " is no number: " + quotedLine(number));
    sample.value = *value;
    at = skipBlanks(line, at + number.size());
    if (at < line.size() && line[at] != '#') { // a time stamp
        const std::string_view stamp = wordAt(line, at);
        const auto time = numberIn(stamp);
        if (!time || !std::isfinite(*time))
            return fault("the time stamp is no number: " + quotedLine(stamp));
        at = skipBlanks(line, at + stamp.size());
    }
    if (at < line.size() && (line[at] != '#' || !line.substr(skipBlanks(line, at + 1)).starts_with('{')))
        return fault("something stands behind the value: " + quotedLine(line.substr(at)));

    const std::string_view title = m_family.title;
    const bool announced = !title.empty() && sample.metric.starts_with(title)
        && isSuffixOf(m_family.type, sample.metric.substr(title.size()));
    sample.family = announced ? title : sample.metric;
    sample.type = announced ? m_family.type : MetricType::unknown;
    sample.unit = announced ? m_family.unit : std::string_view();
    sample.help = announced ? m_family.help : std::string_view();
    return {};
}

} // namespace loadstone::counters
