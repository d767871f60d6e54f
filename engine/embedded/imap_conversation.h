// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/conversation.h"
#include "protocol/common/deflate.h"
#include "protocol/imap/imap_command.h"
#include "protocol/imap/imap_response.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::embedded {

/// One client's IMAP session (RFC 9051, and RFC 3501 where it differs): IMAP4rev1 with LITERAL+, SASL-IR, UIDPLUS, MOVE, IDLE,
/// NAMESPACE, UNSELECT, ID, ENABLE, ESEARCH, SPECIAL-USE, CONDSTORE (without UNCHANGEDSINCE) and COMPRESS=DEFLATE. Without
/// RENAME, ENVELOPE and BODYSTRUCTURE, hierarchies and keywords.
class ImapConversation final : public Conversation {
public:
    ImapConversation(MailHouse& house, bool encrypted);

    void greet(std::string& out) override;
    int turnAway(std::string& out) override;
    ~ImapConversation() override;
    void knownAs(std::uint64_t key) override { m_caller = key; }
    std::int64_t tellUnasked(std::string& out, std::int64_t nowNs) override;
    void feed(std::string_view bytes) override;
    std::optional<Turn> next() override;
    int answer(std::string& out, std::int64_t nowNs) override;
    int reject(std::string& out, int code) override;
    bool takeTlsRequest() override { return std::exchange(m_tlsRequested, false); }
    [[nodiscard]] bool closing() const override { return m_closing; }
    [[nodiscard]] std::size_t backlog() const override { return m_reader.backlog() + m_packedBytes; }

private:
    using Entry = MailStore::Entry;
    static constexpr std::uint32_t kUidValidity = 1; // the store lives as long as its process
    enum class State : std::uint8_t { stranger, user, selected };
    struct Rejected {
        const char* condition; ///< "NO" or "BAD"
        std::string text;
    };
    /// A command's outcome: nothing, or why not.
    using Outcome = std::optional<Rejected>;

    int act(std::string& out, const protocol::ImapCommand& command, std::int64_t nowNs);
    Outcome carryOut(std::string& out, const protocol::ImapCommand& command, std::int64_t nowNs);
    Outcome logIn(std::string_view user, std::string_view password);
    Outcome select(std::string& out, protocol::ImapScanner& words, bool readOnly, std::int64_t nowNs);
    Outcome list(std::string& out, const char* name, protocol::ImapScanner& words);
    Outcome status(std::string& out, protocol::ImapScanner& words, std::int64_t nowNs);
    Outcome append(protocol::ImapScanner& words);
    Outcome fetch(std::string& out, protocol::ImapScanner& words, bool uid);
    bool setFlags(Entry& entry, std::uint8_t flags);
    Outcome store(std::string& out, protocol::ImapScanner& words, bool uid);
    Outcome search(std::string& out, protocol::ImapScanner& words, bool uid);
    Outcome copyOrMove(std::string& out, protocol::ImapScanner& words, bool uid, bool moves);
    Outcome expunge(std::string& out, const std::vector<std::size_t>* only);
    void fetchOne(std::string& out, std::size_t index, const std::vector<std::string>& items, bool uid);
    /// Indices of the messages that a set names; nothing where it is no set.
    std::optional<std::vector<std::size_t>> messagesOf(std::string_view set, bool uid) const;
    Outcome enable(std::string& out, protocol::ImapScanner& words);
    /// "RETURN (ALL COUNT)" (RFC 4731); nothing where something else comes. Nothing at all: it is wrong.
    std::optional<std::vector<std::string>> returnOptions(protocol::ImapScanner& words) const;
    void tellSearch(std::string& out, const std::vector<bool>& in, const std::vector<std::string>& options,
        bool uid) const;
    [[nodiscard]] std::string changeText(
        const Entry& entry) const; ///< " MODSEQ (7)", where the session has CONDSTORE
    void stopIdling();
    void say(std::string& out, std::string_view plain);
    bool unpack(); ///< some more of what came compressed
    void hear(std::string_view plain);
    std::uint64_t cameWith(std::uint64_t heard);
    void countHeld();
    void takeFlags(std::string& out, std::int64_t nowNs);
    /// Tells what has come and gone since the last look; expunges only where `mayRenumber`.
    void tellNews(std::string& out, std::int64_t nowNs, bool mayRenumber);
    [[nodiscard]] std::string capabilities() const;
    [[nodiscard]] bool exists(const std::string& folder) const;
    [[nodiscard]] std::string keyOf(const std::string& folder) const
    {
        return MailStore::folderKey(m_user, folder);
    }

    MailHouse& m_house;
    protocol::ImapCommandReader m_reader;
    State m_state = State::stranger;
    bool m_encrypted, m_tlsRequested = false, m_closing = false, m_readOnly = false;
    bool m_answersChallenge = false, m_idles = false;
    bool m_condstore = false, m_damaged = false;
    std::uint64_t m_caller = 0;
    struct Compression {
        protocol::DeflateReader in;
        protocol::DeflateWriter out;
    };
    std::unique_ptr<Compression> m_compression;
    bool m_compressNext = false; // once the answer has been given
    std::deque<std::string> m_packed; // came compressed, and is not unpacked yet: as it came, read by read
    std::size_t m_packedBytes = 0;
    std::uint64_t m_came = 0, m_heard = 0; // bytes of the session: over the wire, and unpacked
    struct Mark {
        std::uint64_t heard, came; // what was heard up to here had come with so many bytes
    };
    std::deque<Mark> m_marks; // while it is compressed
    std::int64_t m_incoming = 0; // bytes held, as counted in the store
    std::string m_tag; // of the command that a line belongs to
    std::string m_code; // of the OK that follows: "[APPENDUID 1 5]"
    std::string m_user, m_key; // m_key: of the selected folder
    std::vector<Entry> m_view; // of the selected folder, as the client knows it
};

} // namespace loadstone::embedded
