// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "lab/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::lab {

namespace {

using document::ByteSteps;

constexpr double kSlack = 1e-9; // relative: sums of doubles

Span spanOf(const document::Printed& printed)
{
    return { printed.value - printed.half, printed.value + 2 * printed.half, printed.value };
}

} // namespace

std::optional<Amount> Amount::of(const LabItem& item, std::string_view key)
{
    const LabProperty* property = item.find(key);
    // Without a number it is absent, not disclosed or wrong. Most are absent: the row is looked up for the others alone.
    if (property == nullptr || !property->value.number)
        return std::nullopt;
    const KeyRow* row = document::labPropertyRow(toString(item.kind), key);
    if (row == nullptr)
        return std::nullopt;
    Amount amount;
    if (row->type == KeyType::bytes) {
        const auto decimal = document::printedBytes(property->value.text, ByteSteps::decimal);
        const auto binary = document::printedBytes(property->value.text, ByteSteps::binary);
        if (!decimal || !binary)
            return std::nullopt;
        // Nobody counts memory, caches or blocks in steps of 1000.
        if (row->unit == "GB")
            amount.m_spans = { spanOf(*decimal), spanOf(*binary) };
        else
            amount.m_spans = { spanOf(*binary) };
        return amount;
    }
    const auto printed = document::printedValue(*row, property->value.text);
    if (!printed)
        return std::nullopt;
    amount.m_spans = { spanOf(*printed) };
    return amount;
}

std::optional<Amount> Amount::exactly(const LabItem& item, std::string_view key)
{
    auto amount = of(item, key);
    if (amount)
        for (Span& span : amount->m_spans)
            span.least = span.most = span.exact;
    return amount;
}

template <class Combine>
Amount Amount::combined(const Amount& other, Combine combine) const
{
    Amount result;
    result.m_spans.clear();
    for (std::size_t i = 0; i < std::max(m_spans.size(), other.m_spans.size()); ++i)
        result.m_spans.push_back(combine(
            m_spans[std::min(i, m_spans.size() - 1)], other.m_spans[std::min(i, other.m_spans.size() - 1)]));
    return result;
}

Amount Amount::times(double factor) const
{
    return times(Amount(factor));
}

Amount Amount::times(const Amount& factor) const
{
    return combined(factor, [](const Span& a, const Span& b) {
        return Span { a.least * b.least, a.most * b.most, a.exact * b.exact };
    });
}

std::optional<Amount> Amount::shareOf(const Amount& whole) const
{
    for (const Span& span : whole.m_spans)
        if (span.least <= 0)
            return std::nullopt;
    return combined(whole, [](const Span& part, const Span& all) {
        return Span { 100 * part.least / all.most, 100 * part.most / all.least,
            100 * part.exact / all.exact };
    });
}

Amount Amount::plus(const Amount& other) const
{
    return combined(other, [](const Span& a, const Span& b) {
        return Span { a.least + b.least, a.most + b.most, a.exact + b.exact };
    });
}

bool Amount::agreesWith(const Amount& other) const
{
    for (const Span& a : m_spans)
        for (const Span& b : other.m_spans)
            if (a.least <= b.most * (1 + kSlack) && b.least <= a.most * (1 + kSlack))
                return true;
    return false;
}

bool Amount::mayBeAtMost(const Amount& other) const
{
    for (std::size_t i = 0; i < std::max(m_spans.size(), other.m_spans.size()); ++i)
        if (m_spans[std::min(i, m_spans.size() - 1)].least
            <= other.m_spans[std::min(i, other.m_spans.size() - 1)].most * (1 + kSlack))
            return true;
    return false;
}

std::string sizeText(double bytes, ByteSteps steps)
{
    constexpr std::array<const char*, 7> kDecimal { "B", "KB", "MB", "GB", "TB", "PB", "EB" };
    constexpr std::array<const char*, 7> kBinary { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    const auto step = static_cast<double>(static_cast<int>(steps));
    std::size_t unit = 0;
    for (; bytes >= step && unit + 1 < kDecimal.size(); ++unit)
        bytes /= step;
    // Enough digits to see which of two near sizes is larger, no more than were typed.
    std::string digits = fmt::format("{:.2f}", bytes);
    while (digits.ends_with('0') || digits.ends_with('.')) {
        const bool point = digits.ends_with('.');
        digits.pop_back();
        if (point)
            break;
    }
    return digits + " " + (steps == ByteSteps::decimal ? kDecimal : kBinary)[unit];
}

std::string countText(double count)
{
    if (std::abs(count) >= 1e15)
        return fmt::format("{:g}", count);
    std::string digits = fmt::format("{:.0f}", std::floor(count + 1e-6));
    for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    const double fraction = count - std::floor(count + 1e-6);
    if (fraction > 0.005)
        digits += fmt::format("{:.2f}", fraction).substr(1);
    return digits;
}

std::string termOf(const LabItem& item, std::string_view key, double count)
{
    const std::string line = item.line > 0 ? fmt::format("line {}", item.line) : std::string();
    if (key.empty())
        return fmt::format("{} x {}{}", countText(count), item.id, line.empty() ? "" : " (" + line + ")");
    return fmt::format(
        "{} x {} ({}{})", countText(count), item.text(key), item.id, line.empty() ? "" : ", " + line);
}

void Terms::add(std::string term)
{
    constexpr std::size_t kNamed = 6;
    if (++m_number > kNamed)
        return;
    m_text += (m_text.empty() ? "" : " + ") + std::move(term);
}

std::string Terms::text() const
{
    constexpr std::size_t kNamed = 6;
    return m_number > kNamed ? fmt::format("{} and {} more", m_text, m_number - kNamed) : m_text;
}

} // namespace loadstone::lab
