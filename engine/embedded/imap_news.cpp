// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"
#include "embedded/imap_flags.h"

#include <fmt/format.h>

#include <algorithm>

/// What other sessions and deliveries have done to the selected folder, told after commands and during IDLE.
namespace loadstone::embedded {

void ImapConversation::stopIdling()
{
    if (std::exchange(m_idles, false))
        m_house.store.bell().leave(m_key, m_caller);
}

std::int64_t ImapConversation::tellUnasked(std::string& out, std::int64_t nowNs)
{
    if (!m_idles || m_state != State::selected)
        return 0;
    std::string plain;
    takeFlags(plain, nowNs);
    tellNews(plain, nowNs, true);
    say(out, plain);
    return m_house.store.nextVisible(m_key, nowNs);
}

/// Other sessions may have changed flags.
void ImapConversation::takeFlags(std::string& out, std::int64_t nowNs)
{
    auto known = m_view.begin();
    for (const Entry& now : m_house.store.view(m_key, nowNs)) {
        while (known != m_view.end() && known->uid < now.uid)
            ++known;
        if (known == m_view.end() || known->uid != now.uid || known->flags == now.flags)
            continue;
        *known = now;
        out += fmt::format("* {} FETCH (UID {} FLAGS ({}){})\r\n", known - m_view.begin() + 1, now.uid,
            flagsText(now.flags), changeText(now));
    }
}

void ImapConversation::tellNews(std::string& out, std::int64_t nowNs, bool mayRenumber)
{
    if (m_state != State::selected)
        return;
    std::vector<Entry> now = m_house.store.view(m_key, nowNs);
    const auto there = [&](std::uint64_t uid) {
        const auto found = std::lower_bound(
            now.begin(), now.end(), uid, [](const Entry& entry, std::uint64_t id) { return entry.uid < id; });
        return found != now.end() && found->uid == uid;
    };
    if (mayRenumber)
        for (std::size_t i = m_view.size(); i-- > 0;) // from the end, so that the numbers stay right
            if (!there(m_view[i].uid)) {
                out += fmt::format("* {} EXPUNGE\r\n", i + 1);
                m_view.erase(m_view.begin() + static_cast<std::ptrdiff_t>(i));
            }
    const std::uint64_t last = m_view.empty() ? 0 : m_view.back().uid;
    const auto fresh = std::upper_bound(
        now.begin(), now.end(), last, [](std::uint64_t id, const Entry& entry) { return id < entry.uid; });
    if (fresh == now.end())
        return;
    m_view.insert(m_view.end(), fresh, now.end());
    out += fmt::format("* {} EXISTS\r\n", m_view.size());
}

} // namespace loadstone::embedded
