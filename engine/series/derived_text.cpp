// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/derived_text.h"

#include "base/trimmed.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace loadstone::series {

namespace {

using Kind = DerivedStep::Kind;

constexpr std::size_t kMostBytes = 4000, kMostSteps = 100, kMostName = 100;
constexpr int kMostBrackets = 20;

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Goes through a text once. After the first fault nothing more is taken.
class DerivedParser {
public:
    explicit DerivedParser(std::string_view text)
        : m_text(text)
    {
    }
    Result<DerivedText> parse();

private:
    void product(int depth);
    void operand(int depth);
    void group(Kind kind);
    bool number();
    std::string path();
    bool word(std::string_view word);
    bool take(char sign);
    void add(DerivedStep step);
    void skipBlanks();
    void wrong(const std::string& expected);
    [[nodiscard]] bool good() const { return !m_fault; }

    std::string_view m_text;
    std::size_t m_at = 0;
    DerivedText m_derived;
    std::optional<Error> m_fault;
};

void DerivedParser::skipBlanks()
{
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
        ++m_at;
}

void DerivedParser::wrong(const std::string& expected)
{
    if (m_fault)
        return;
    skipBlanks();
    std::string found = m_at < m_text.size() ? "\"" + std::string(m_text.substr(m_at, 20)) + "\"" : "the end";
    std::ranges::replace_if(found, isControl, ' ');
    m_fault = fail("column " + std::to_string(m_at + 1) + ": expected " + expected + ", found " + found);
}

bool DerivedParser::take(char sign)
{
    skipBlanks();
    const bool there = m_at < m_text.size() && m_text[m_at] == sign;
    m_at += there ? 1 : 0;
    return there;
}

bool DerivedParser::word(std::string_view word)
{
    skipBlanks();
    const bool there = m_text.substr(m_at).starts_with(word);
    m_at += there ? word.size() : 0;
    return there;
}

void DerivedParser::add(DerivedStep step)
{
    if (m_derived.steps.size() == kMostSteps && good())
        m_fault = fail("has more than " + std::to_string(kMostSteps) + " parts");
    else
        m_derived.steps.push_back(std::move(step));
}

std::string DerivedParser::path()
{
    const char quote = take('"') ? '"' : take('\'') ? '\'' : '\0';
    std::string path;
    if (quote == '\0') {
        wrong("a path in quotes");
        return path;
    }
    const std::size_t begin = m_at - 1;
    for (; m_at < m_text.size(); ++m_at) {
        if (m_text[m_at] == quote) {
            if (m_at + 1 == m_text.size() || m_text[m_at + 1] != quote)
                break;
            ++m_at;
        }
        path += m_text[m_at];
    }
    if (m_at == m_text.size()) {
        m_at = begin;
        wrong("a path with a quote at its end");
    } else if (++m_at; path.empty() || std::ranges::any_of(path, isControl)) {
        m_at = begin;
        wrong("the path of a counter");
    }
    return path;
}

void DerivedParser::group(Kind kind)
{
    DerivedStep step { kind };
    if (!take('('))
        return wrong("( and the counters to take together");
    do
        step.patterns.push_back(path());
    while (good() && take(','));
    if (good() && !take(')'))
        return wrong(", or )");
    add(std::move(step));
}

bool DerivedParser::number()
{
    skipBlanks();
    double value = 0;
    const char* const begin = m_text.data() + m_at;
    const auto [end, problem] = std::from_chars(begin, m_text.data() + m_text.size(), value);
    if (problem != std::errc() || !std::isfinite(value))
        return false;
    m_at += static_cast<std::size_t>(end - begin);
    add({ Kind::number, {}, value });
    return true;
}

void DerivedParser::operand(int depth)
{
    skipBlanks();
    if (take('(')) {
        if (depth == kMostBrackets)
            return wrong("no more than 20 brackets within each other");
        product(depth + 1);
        if (good() && !take(')'))
            wrong("*, / or )");
    } else if (word("sum"))
        group(Kind::sum);
    else if (word("mean"))
        group(Kind::mean);
    else if (word("users"))
        add({ Kind::users });
    else if (word("processors"))
        add({ Kind::processors });
    else if (m_at < m_text.size() && (m_text[m_at] == '"' || m_text[m_at] == '\'')) {
        std::string counter = path();
        add({ Kind::counter, { std::move(counter) } });
    } else if (!number())
        wrong("a path in quotes, sum(...), mean(...), a number, users or processors");
}

void DerivedParser::product(int depth)
{
    operand(depth);
    while (good()) {
        const Kind kind = take('*') ? Kind::times : take('/') ? Kind::over : Kind::counter;
        if (kind == Kind::counter)
            return;
        skipBlanks();
        const std::size_t begin = m_at;
        operand(depth);
        if (good() && kind == Kind::over && m_derived.steps.back().kind == Kind::number
            && m_derived.steps.back().number == 0) {
            m_at = begin;
            wrong("something to divide by that is not 0");
        }
        add({ kind });
    }
}

Result<DerivedText> DerivedParser::parse()
{
    if (m_text.size() > kMostBytes)
        return fail("is longer than " + std::to_string(kMostBytes) + " bytes");
    const std::size_t sign = m_text.find('=');
    std::string_view head = trimmed(m_text.substr(0, sign));
    if (sign == std::string_view::npos || head.empty())
        return fail("has no name; write it like: CPU per user [%] = sum(\"\\Process(store*)\\% Processor "
                    "Time\") / users");
    if (head.ends_with(']')) {
        const std::size_t bracket = head.rfind('[');
        if (bracket == std::string_view::npos)
            return fail("the unit has no [ before it");
        m_derived.unit = trimmed(head.substr(bracket + 1, head.size() - bracket - 2));
        head = trimmed(head.substr(0, bracket));
    }
    m_derived.name = head;
    if (head.empty() || head.size() > kMostName || m_derived.unit.size() > kMostName
        || std::ranges::any_of(m_text.substr(0, sign), isControl))
        return fail("the name and the unit are texts of 1 to 100 letters on one line");
    m_at = sign + 1;
    product(0);
    skipBlanks();
    if (good() && m_at < m_text.size())
        wrong("*, / or the end");
    if (m_fault)
        return *m_fault;
    const auto ofCounters = [](const DerivedStep& step) { return !step.patterns.empty(); };
    if (std::ranges::none_of(m_derived.steps, ofCounters))
        return fail("names no counter");
    return m_derived;
}

} // namespace

Result<DerivedText> parseDerived(std::string_view text)
{
    return DerivedParser(text).parse();
}

std::string quotedPath(std::string_view path)
{
    std::string text = "\"";
    for (const char c : path)
        text.append(c == '"' ? 2 : 1, c);
    return text + '"';
}

} // namespace loadstone::series
