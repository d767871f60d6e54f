// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/news_bell.h"

#include <cstdint>
#include <string>
#include <utility>

namespace loadstone::embedded {

/// One session's IDLE (RFC 2177): while it is on, the bell calls the session's connection when its folder has news.
class ImapIdling {
public:
    explicit ImapIdling(NewsBell& bell)
        : m_bell(bell)
    {
    }
    ImapIdling(const ImapIdling&) = delete;
    ImapIdling& operator=(const ImapIdling&) = delete;
    ~ImapIdling() { stop(); }

    [[nodiscard]] bool on() const { return m_on; }
    /// `mailbox` is the store's, `caller` the connection.
    void start(const std::string& mailbox, std::uint64_t caller)
    {
        m_mailbox = mailbox;
        m_caller = caller;
        m_on = true;
        m_bell.watch(m_mailbox, m_caller);
    }
    void stop()
    {
        if (std::exchange(m_on, false))
            m_bell.leave(m_mailbox, m_caller);
    }

private:
    NewsBell& m_bell;
    bool m_on = false;
    std::string m_mailbox;
    std::uint64_t m_caller = 0;
};

} // namespace loadstone::embedded
