// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/conversation.h"
#include "embedded/imap_folders.h"
#include "embedded/imap_idling.h"
#include "embedded/imap_messages.h"
#include "embedded/imap_outcome.h"
#include "embedded/imap_view.h"
#include "embedded/imap_wire.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace loadstone::embedded {

/// Which IMAP command does what, and in which state of the session: not logged in, logged in, a folder selected. Of the wire it
/// asks what is to come next; what it writes is not compressed yet.
class ImapSession {
public:
    ImapSession(MailHouse& house, ImapWire& wire, bool encrypted);

    /// The connection that IDLE wakes.
    void knownAs(std::uint64_t caller) { m_caller = caller; }
    [[nodiscard]] std::string capabilities() const;
    /// Carries out a command, or the line that one waits for, and writes all of its answer. False: it was refused.
    bool answer(std::string& out, const protocol::ImapCommand& command, std::int64_t nowNs);
    /// Answers it with "try again later".
    void reject(std::string& out, const protocol::ImapCommand& command);
    /// Writes the news of an IDLE. Returns when to ask again at the latest; 0: when called.
    std::int64_t tellUnasked(std::string& out, std::int64_t nowNs);
    /// Whether it waits for DONE.
    [[nodiscard]] bool idles() const { return m_idling.on(); }
    /// STARTTLS was answered and TLS is not begun yet.
    [[nodiscard]] bool wantsTls() const { return m_wantsTls; }
    bool takeTlsRequest() { return std::exchange(m_wantsTls, false); }
    /// LOGOUT was answered.
    [[nodiscard]] bool over() const { return m_over; }

private:
    /// Nothing where the command is of a later state.
    using Known = std::optional<ImapOutcome>;

    ImapOutcome carryOut(std::string& out, const protocol::ImapCommand& command, std::int64_t nowNs);
    Known inAnyState(std::string& out, const std::string& name);
    ImapOutcome beforeLogin(const std::string& name, protocol::ImapScanner& words);
    Known withoutFolder(
        std::string& out, const std::string& name, protocol::ImapScanner& words, std::int64_t nowNs);
    ImapOutcome inFolder(std::string& out, const std::string& name, protocol::ImapScanner& words);
    ImapOutcome takeLine(std::string_view line);
    ImapOutcome authenticate(std::string_view message);
    ImapOutcome logIn(std::string_view user, std::string_view password);
    ImapOutcome enable(std::string& out, protocol::ImapScanner& words);
    ImapOutcome select(std::string& out, protocol::ImapScanner& words, bool readOnly, std::int64_t nowNs);

    MailHouse& m_house;
    ImapWire& m_wire;
    ImapFolders m_folders;
    ImapView m_view;
    ImapMessages m_messages;
    ImapIdling m_idling;
    bool m_encrypted, m_wantsTls = false, m_over = false;
    bool m_loggedIn = false;
    bool m_challenged = false; // a line with the credentials is to come
    std::uint64_t m_caller = 0;
    std::string m_tag; // of the command that a line belongs to
};

} // namespace loadstone::embedded
