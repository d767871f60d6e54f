// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/mail_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::embedded {

/// The selected folder as its client knows it: messages have the numbers under which it was told of them, until it is told that
/// some are gone. At most one folder is open.
class ImapView {
public:
    using Entry = MailStore::Entry;

    explicit ImapView(MailStore& store)
        : m_store(store)
    {
    }
    /// Opens the store's mailbox `key`, and writes what SELECT tells of it.
    void open(std::string& out, std::string key, bool readOnly, std::int64_t nowNs);
    void close();
    [[nodiscard]] bool isOpen() const { return m_open; }
    [[nodiscard]] bool readOnly() const { return m_readOnly; }
    /// The store's mailbox; "" where none is open.
    [[nodiscard]] const std::string& key() const { return m_key; }

    /// By number, from 0, and thereby by UID.
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    [[nodiscard]] const Entry& at(std::size_t index) const { return m_entries[index]; }
    /// Indices of the messages that a sequence set names ("2,5:*"), by number or UID; nothing where it is no set.
    [[nodiscard]] std::optional<std::vector<std::size_t>> messagesOf(std::string_view set, bool uid) const;
    /// In the store and here; false where the message is gone.
    bool setFlags(std::size_t index, std::uint8_t flags);

    /// For the rest of the session, each change is told with its modification sequence (RFC 7162).
    void tellChanges() { m_condstore = true; }
    [[nodiscard]] bool tellsChanges() const { return m_condstore; }
    /// " MODSEQ (7)", or nothing without CONDSTORE.
    [[nodiscard]] std::string changeText(const Entry& entry) const;

    /// Writes which flags other sessions changed.
    void takeFlags(std::string& out, std::int64_t nowNs);
    /// Writes which messages came and went since the last look; those that went only where `mayRenumber`.
    void takeNews(std::string& out, std::int64_t nowNs, bool mayRenumber);

private:
    MailStore& m_store;
    bool m_open = false, m_readOnly = false, m_condstore = false;
    std::string m_key;
    std::vector<Entry> m_entries;
};

} // namespace loadstone::embedded
