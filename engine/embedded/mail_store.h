// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/faults.h"
#include "embedded/news_bell.h"

#include <loadstone/time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loadstone::embedded {

/// What happened to one accepted copy, for the message log and the totals.
struct CopyFate {
    std::string mailbox;
    std::int64_t visibleNs = 0; ///< 0: never
    Fault fault = Fault::none;
};

/// The messages of all mailboxes, in memory and bounded. A message is stored once, whatever the number of its
/// recipients. Single-threaded; times are CLOCK_MONOTONIC nanoseconds.
class MailStore {
public:
    /// A message as a session sees it.
    struct Entry {
        std::uint64_t uid = 0;
        std::uint64_t size = 0;
        std::uint8_t flags = 0; ///< protocol::ImapFlag
        std::uint64_t changed = 0; ///< its modification sequence (RFC 7162)
    };

    MailStore(std::uint64_t maxBytes, Nanoseconds deliveryDelay, const Faults& faults)
        : m_maxBytes(maxBytes)
        , m_delay(deliveryDelay)
        , m_faults(faults)
    {
    }

    /// From acceptance until a message can be read, of those that come from now on.
    void setDelay(Nanoseconds delay) noexcept { m_delay = delay; }
    /// Whether `bytes` more would fit.
    [[nodiscard]] bool hasRoom(std::uint64_t bytes) const noexcept
    {
        return m_used + m_incoming + bytes <= m_maxBytes;
    }
    /// Bytes of messages that are still being received.
    void addIncoming(std::int64_t bytes) noexcept { m_incoming += static_cast<std::uint64_t>(bytes); }
    [[nodiscard]] std::uint64_t used() const noexcept { return m_used; }

    /// Puts `content` (header, empty line, body) in the mailboxes, each copy with its fate. The token is that
    /// of the header; a message without one is told apart by its number.
    std::vector<CopyFate> deliver(std::string content, const std::vector<std::string>& mailboxes,
        std::int64_t nowNs, std::string* token);

    /// Locks the mailbox and lists what is visible; nothing when another session has it.
    std::optional<std::vector<Entry>> open(const std::string& mailbox, std::int64_t nowNs);
    /// Text of a message of an open mailbox; nothing when it is not there.
    [[nodiscard]] std::optional<std::string> content(const std::string& mailbox, std::uint64_t uid) const;
    /// Removes messages of an open mailbox; returns how many were there.
    std::size_t erase(const std::string& mailbox, const std::vector<std::uint64_t>& sortedUids);
    void close(const std::string& mailbox);

    // For IMAP, which locks nothing. A mailbox's folders are mailboxes of their own, named by folderKey().
    /// What is visible, by UID. A message that becomes visible after a later one was shown gets a UID of its own then, for UIDs
    /// ascend (RFC 9051, 2.3.1.1).
    std::vector<Entry> view(const std::string& mailbox, std::int64_t nowNs);
    /// What becomes visible later has at least this UID. After view().
    [[nodiscard]] std::uint64_t nextUid(const std::string& mailbox, std::int64_t nowNs) const;
    /// When something of the mailbox becomes visible next; 0: nothing is on its way.
    [[nodiscard]] std::int64_t nextVisible(const std::string& mailbox, std::int64_t nowNs) const;
    /// The highest modification sequence that a mailbox has had; at least 1.
    [[nodiscard]] std::uint64_t highestChange(const std::string& mailbox) const;
    /// Rings where messages come, go or change their flags.
    NewsBell& bell() noexcept { return m_bell; }
    /// The text without a copy of it; empty where it is not there. Valid until the store changes.
    [[nodiscard]] std::string_view peek(
        const std::string& mailbox, std::uint64_t uid, std::string& damaged) const;
    bool setFlags(const std::string& mailbox, std::uint64_t uid, std::uint8_t flags);
    /// Puts a message into a folder; gives its UID.
    std::uint64_t append(const std::string& mailbox, std::string content, std::uint8_t flags);
    /// Copies a message; gives the copy's UID, 0 where there is no such message.
    std::uint64_t copy(const std::string& from, std::uint64_t uid, const std::string& to);
    /// Of a user, INBOX left out, in the order of their making.
    [[nodiscard]] const std::vector<std::string>& folders(const std::string& user) const;
    /// False where it is there already.
    bool createFolder(const std::string& user, const std::string& folder);
    bool removeFolder(const std::string& user, const std::string& folder);
    [[nodiscard]] bool hasFolder(const std::string& user, const std::string& folder) const;
    /// The mailbox that a user's folder is; INBOX is the user's name itself.
    static std::string folderKey(const std::string& user, const std::string& folder);

private:
    struct Copy {
        std::shared_ptr<const std::string> content;
        std::uint64_t uid = 0;
        std::int64_t visibleNs = 0;
        std::uint32_t damagedAt = 0; // offset of the flipped bit's byte
        std::uint8_t damagedBit = 0; // as a mask; 0: sound
        std::uint8_t flags = 0;
        bool shown = false;
        std::uint64_t changed = 0;
    };
    struct Mailbox {
        std::vector<Copy> copies; // by uid
        bool open = false;
        std::uint64_t shownUpTo = 0; // the last UID that a view has told of
        std::uint64_t changed = 1; // the last modification sequence
    };

    Copy* find(const std::string& mailbox, std::uint64_t uid);
    [[nodiscard]] const Copy* find(const std::string& mailbox, std::uint64_t uid) const;
    Mailbox& reach(const std::string& mailbox);
    void add(Mailbox& mailbox, Copy copy);
    void release(Copy& copy);

    std::uint64_t m_maxBytes;
    std::uint64_t m_used = 0, m_incoming = 0, m_lastUid = 0, m_lastChange = 1, m_messages = 0;
    Nanoseconds m_delay;
    const Faults& m_faults;
    NewsBell m_bell;
    std::unordered_map<std::string, Mailbox> m_mailboxes;
    std::unordered_map<std::string, std::vector<std::string>> m_folders; // by user
};

/// The value of the first header field `name` (without colon), unfolded only so far as its first line; ""
/// without.
std::string_view headerField(std::string_view content, std::string_view name);

} // namespace loadstone::embedded
