// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "mail/message/attachment_corpus.h"
#include "mail/message/corpus.h"
#include "mail/message/message_token.h"

#include <loadstone/time.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::mail {

/// A message ready for the wire: CRLF line ends, no line that begins with a dot, ends with CRLF. Reuse one object
/// for many messages to spare allocations. The pieces point into the object and into the factory's corpus.
struct Message {
    std::vector<std::string_view> pieces;
    std::size_t size = 0;
    MessageToken token;
    std::string head, tail, attached, end; // what the pieces point into
};

/// What a message is to be.
struct MessageOrder {
    std::uint64_t id = 0; ///< sender's mailbox index << 32 | number of the message
    std::size_t size = 0; ///< bytes in all; the smallest message is kSmallestMessage and a line per recipient
    const plan::MessageKind* kind = nullptr; ///< instead of the size: what the message consists of
    std::string_view sender; ///< address
    std::span<const std::string> recipients; ///< addresses
    WallTime date {};
    bool eightBit = false;
};

inline constexpr std::size_t kSmallestMessage = 640;

/// Makes unique, realistic messages: the same order gives the same bytes. Immutable; any thread.
class MessageFactory {
public:
    /// `run` marks the tokens, which stand in the header field `tokenHeader`; `domain` stands in Message-IDs.
    MessageFactory(std::uint64_t seed, std::uint32_t run, std::string domain,
        std::string_view tokenHeader = kTokenHeader);
    void make(const MessageOrder& order, Message& message) const;

private:
    void startHead(const MessageOrder& order, const Corpus& corpus, Random& random, std::string& head) const;
    void appendBody(const Corpus& corpus, Random& random, std::size_t bytes, Message& message) const;
    void appendAttachment(
        const plan::MessageKind& kind, const Corpus& corpus, Random& random, Message& message) const;

    std::uint64_t m_seed;
    std::uint32_t m_run;
    std::string m_domain;
    std::string_view m_tokenHeader;
    Corpus m_ascii, m_eightBit;
    std::vector<AttachmentCorpus> m_attachments; // by plan::ContentKind
};

} // namespace loadstone::mail
