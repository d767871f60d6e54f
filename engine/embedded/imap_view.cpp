// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_view.h"

#include "embedded/imap_flags.h"
#include "embedded/imap_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace loadstone::embedded {

namespace {

std::optional<std::uint64_t> numberOf(std::string_view text, std::uint64_t star)
{
    if (text == "*")
        return star;
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() || value == 0)
        return std::nullopt;
    return value;
}

} // namespace

void ImapView::open(std::string& out, std::string key, bool readOnly, std::int64_t nowNs)
{
    m_key = std::move(key);
    m_entries = m_store.view(m_key, nowNs);
    m_open = true;
    m_readOnly = readOnly;
    const std::uint64_t next = m_store.nextUid(m_key, nowNs);
    out += fmt::format(
        "* {} EXISTS\r\n* 0 RECENT\r\n* FLAGS ({})\r\n* OK [PERMANENTFLAGS ({})] flags are kept\r\n"
        "* OK [UIDVALIDITY {}] while this process lives\r\n* OK [UIDNEXT {}] at least\r\n"
        "* OK [HIGHESTMODSEQ {}] changes are numbered\r\n",
        m_entries.size(), kSystemFlags, readOnly ? "" : kSystemFlags, kUidValidity, next,
        m_store.highestChange(m_key));
}

void ImapView::close()
{
    m_open = false;
    m_key.clear();
    m_entries.clear();
}

std::optional<std::vector<std::size_t>> ImapView::messagesOf(std::string_view set, bool uid) const
{
    std::set<std::size_t> found;
    const std::uint64_t star = uid ? (m_entries.empty() ? 0 : m_entries.back().uid) : m_entries.size();
    while (!set.empty()) {
        const std::size_t comma = std::min(set.find(','), set.size());
        const std::string_view range = set.substr(0, comma);
        set.remove_prefix(std::min(comma + 1, set.size()));
        const std::size_t colon = range.find(':');
        auto low = numberOf(range.substr(0, colon), star);
        auto high = colon == std::string_view::npos ? low : numberOf(range.substr(colon + 1), star);
        if (!low || !high)
            return std::nullopt;
        if (*low > *high)
            std::swap(low, high);
        if (!uid) {
            for (std::uint64_t n = std::max<std::uint64_t>(*low, 1);
                 n <= std::min<std::uint64_t>(*high, m_entries.size()); ++n)
                found.insert(static_cast<std::size_t>(n - 1));
            continue;
        }
        const auto first = std::lower_bound(m_entries.begin(), m_entries.end(), *low,
            [](const Entry& entry, std::uint64_t id) { return entry.uid < id; });
        for (auto entry = first; entry != m_entries.end() && entry->uid <= *high; ++entry)
            found.insert(static_cast<std::size_t>(entry - m_entries.begin()));
    }
    return std::vector<std::size_t>(found.begin(), found.end());
}

bool ImapView::setFlags(std::size_t index, std::uint8_t flags)
{
    Entry& entry = m_entries[index];
    const bool there = m_store.setFlags(m_key, entry.uid, flags);
    if (there && entry.flags != flags)
        entry.changed = m_store.highestChange(m_key);
    entry.flags = flags;
    return there;
}

std::string ImapView::changeText(const Entry& entry) const
{
    return m_condstore ? fmt::format(" MODSEQ ({})", entry.changed) : std::string();
}

void ImapView::takeFlags(std::string& out, std::int64_t nowNs)
{
    auto known = m_entries.begin();
    for (const Entry& now : m_store.view(m_key, nowNs)) {
        while (known != m_entries.end() && known->uid < now.uid)
            ++known;
        if (known == m_entries.end() || known->uid != now.uid || known->flags == now.flags)
            continue;
        *known = now;
        out += fmt::format("* {} FETCH (UID {} FLAGS ({}){})\r\n", known - m_entries.begin() + 1, now.uid,
            flagsText(now.flags), changeText(now));
    }
}

void ImapView::takeNews(std::string& out, std::int64_t nowNs, bool mayRenumber)
{
    const std::vector<Entry> now = m_store.view(m_key, nowNs);
    const auto there = [&](std::uint64_t uid) {
        const auto found = std::lower_bound(
            now.begin(), now.end(), uid, [](const Entry& entry, std::uint64_t id) { return entry.uid < id; });
        return found != now.end() && found->uid == uid;
    };
    if (mayRenumber)
        for (std::size_t i = m_entries.size(); i-- > 0;) // from the end, so that the numbers stay right
            if (!there(m_entries[i].uid)) {
                out += fmt::format("* {} EXPUNGE\r\n", i + 1);
                m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(i));
            }
    const std::uint64_t last = m_entries.empty() ? 0 : m_entries.back().uid;
    const auto fresh = std::upper_bound(
        now.begin(), now.end(), last, [](std::uint64_t id, const Entry& entry) { return id < entry.uid; });
    if (fresh == now.end())
        return;
    m_entries.insert(m_entries.end(), fresh, now.end());
    out += fmt::format("* {} EXISTS\r\n", m_entries.size());
}

} // namespace loadstone::embedded
