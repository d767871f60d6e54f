// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/compared.h>

#include <algorithm>
#include <utility>

namespace loadstone {

const ComparableFact* ComparableFacts::find(std::string_view key) const
{
    const auto at = std::ranges::lower_bound(
        facts, key, {}, [](const ComparableFact& one) { return std::string_view(one.key); });
    return at != facts.end() && at->key == key ? &*at : nullptr;
}

void ComparableFacts::set(ComparableFact fact)
{
    if (fact.value.empty())
        return;
    const auto at = std::ranges::lower_bound(facts, fact.key, {}, &ComparableFact::key);
    if (at != facts.end() && at->key == fact.key)
        *at = std::move(fact);
    else
        facts.insert(at, std::move(fact));
}

std::string ComparableFacts::poolingKey() const
{
    // Names and values may hold anything; what separates them is doubled within them.
    const auto quoted = [](const std::string& text) {
        std::string out;
        for (const char c : text)
            out += c == ';' || c == '=' ? std::string(2, c) : std::string(1, c == '\n' ? ' ' : c);
        return out;
    };
    std::string key;
    for (const ComparableFact& one : facts)
        if (one.pools)
            key += (key.empty() ? "" : ";") + quoted(one.key) + "=" + quoted(one.value);
    return key;
}

const ComparedValue* findValue(const std::vector<ComparedValue>& values, const RowKey& key)
{
    const auto at = std::ranges::find(values, key, &ComparedValue::key);
    return at == values.end() ? nullptr : &*at;
}

} // namespace loadstone
