// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/message_check.h"
#include "mail/users/schedule.h"
#include "protocol/imap/imap_client.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::mail {

/// Whether the oracle follows a user: of each 1 / `share` users one, which ones the seed decides.
bool isFollowed(std::uint64_t seed, std::uint32_t mailbox, double share);

/// What a SEARCH UNSEEN got wrong that gave `found` (UIDs), where FETCH has just told of all messages whether they have \Seen
/// (`read`: UID, has it). Nothing: it is right. What `read` does not tell of is not judged.
std::optional<std::string> contradictionOf(
    std::span<const std::pair<std::uint32_t, bool>> read, std::span<const std::uint32_t> found);

/// Follows one user's mailbox, as the IMAP server tells of it and as the only client that changes it means to, and finds
/// what the server got wrong: messages that vanish, appear, change or lose a flag, UIDs that are given twice or fall,
/// sequence numbers that do not add up. Without sockets; the session tells it everything. What a lost connection leaves
/// open is not judged.
class MailboxOracle {
public:
    explicit MailboxOracle(std::string user)
        : m_user(std::move(user))
    {
    }

    /// SELECT of a folder goes out.
    void selecting(std::uint16_t folder);
    /// All that comes untagged, and the end of each command.
    void data(const protocol::ImapText& text, const protocol::ImapResponse& response);
    void ended(const protocol::ImapEnd& end);
    /// A message of the selected folder as FETCH told of it; id 0: not told.
    void listed(const SeenMessage& message);
    /// The answer to one command tells of it more than once.
    void toldTwice(std::uint32_t uid);
    void disconnected();

    // What the client is about to do in the selected folder; settled() tells how it ended.
    /// `tellsUid`: the server has UIDPLUS, so that without a COPYUID nothing was copied: the message had gone.
    void copying(std::uint32_t uid, std::uint16_t to, bool moves, bool tellsUid);
    void removing(std::uint32_t uid);
    void emptying();
    void appending(std::uint16_t to, std::uint32_t size);
    void reading(std::uint32_t uid);
    void settled(bool good);

    /// The selected folder was listed whole: from now on what is in it is known. At the end of a run (`contents`: what each
    /// of `messages` held) it must be what is known.
    void wholeFolder();
    void compare(std::span<const SeenMessage> messages, std::span<const RetrievedMessage> contents);

    /// SEARCH UNSEEN of the selected folder gave `found` (UIDs), and FETCH these flags just before.
    void searched(std::span<const std::pair<std::uint32_t, bool>> read, std::span<const std::uint32_t> found);

    [[nodiscard]] std::uint64_t takeChecks() { return std::exchange(m_checks, 0); }
    std::vector<std::string> takeFindings() { return std::exchange(m_findings, {}); }
    bool begun = false; ///< the mailbox was listed whole once
    bool compared = false; ///< and once more at the end

private:
    struct Held {
        std::uint64_t id = 0; ///< 0: not yet told
        std::uint32_t size = 0; ///< 0: not yet told
        bool seen = false;
    };
    struct FolderState {
        std::uint32_t validity = 0, next = 0, highest = 0;
        std::uint32_t older = 0; ///< so many of its messages, the first ones, are not newer than the one with the highest UID
        std::map<std::uint32_t, Held> held; ///< by UID
        std::vector<std::uint32_t> order; ///< UIDs by sequence number when it was left; 0: not told
        unsigned unplaced = 0; ///< put here without being told under which UID
        bool whole = false; ///< all that is in it is known, but for what arrives
        bool loose = false; ///< a command broke off: what it did is not known
    };
    struct Operation {
        enum class Kind : std::uint8_t { none, copy, move, remove, empty, append, read } kind = Kind::none;
        std::uint32_t uid = 0, size = 0;
        std::uint16_t to = 0;
        std::uint32_t placed = 0; ///< the UID that the server gave, COPYUID or APPENDUID
        Held message; ///< which one, as it was known
        bool tellsUid = false, there = false; ///< there: it was known to be in the folder
    };
    static constexpr std::uint16_t kNone = 0xffff;

    void exists(std::uint32_t count);
    void expunged(std::uint32_t number);
    void fetched(const protocol::ImapText& text, const protocol::ImapResponse& response);
    void numbered(std::uint32_t number, std::uint32_t uid);
    void code(std::string_view name, std::string_view arguments);
    void begin(Operation operation);
    void place(std::uint16_t to, const Held& message);
    Held* known(std::uint32_t uid, std::uint32_t number);
    void leave();
    bool check(bool good, const std::string& what);
    FolderState& selected() { return m_folders[m_selected]; }
    [[nodiscard]] std::string where(std::uint16_t folder) const;

    std::string m_user;
    std::map<std::uint16_t, FolderState> m_folders;
    std::uint16_t m_selected = kNone;
    bool m_selecting = false;
    std::vector<std::uint32_t> m_uids; // of the selected folder, by sequence number; 0: not told
    Operation m_operation;
    std::uint64_t m_checks = 0;
    std::vector<std::string> m_findings;
};

} // namespace loadstone::mail
