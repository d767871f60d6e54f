// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/conversation.h"
#include "embedded/imap_session.h"
#include "embedded/imap_wire.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::embedded {

/// One client's IMAP session (RFC 9051, and RFC 3501 where it differs): IMAP4rev1 with LITERAL+, SASL-IR, UIDPLUS, MOVE, IDLE,
/// NAMESPACE, UNSELECT, ID, ENABLE, ESEARCH, SPECIAL-USE, CONDSTORE (without UNCHANGEDSINCE) and COMPRESS=DEFLATE. Without
/// RENAME, ENVELOPE and BODYSTRUCTURE, hierarchies and keywords. It takes turns between the bytes and the session behind them.
class ImapConversation final : public Conversation {
public:
    ImapConversation(MailHouse& house, bool encrypted);

    void greet(std::string& out) override;
    int turnAway(std::string& out) override;
    void knownAs(std::uint64_t key) override { m_session.knownAs(key); }
    std::int64_t tellUnasked(std::string& out, std::int64_t nowNs) override;
    void feed(std::string_view bytes) override { m_wire.feed(bytes); }
    std::optional<Turn> next() override;
    int answer(std::string& out, std::int64_t nowNs) override;
    int reject(std::string& out, int code) override;
    bool takeTlsRequest() override { return m_session.takeTlsRequest(); }
    [[nodiscard]] bool closing() const override { return m_closing || m_session.over(); }
    [[nodiscard]] std::size_t backlog() const override { return m_wire.backlog(); }

private:
    bool act(std::string& out, const protocol::ImapCommand& command, std::int64_t nowNs);

    ImapWire m_wire;
    ImapSession m_session;
    bool m_closing = false;
};

} // namespace loadstone::embedded
