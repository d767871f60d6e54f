// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/message_token.h"
#include "protocol/pop3/pop3_client.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct XXH3_state_s;

namespace loadstone::mail {

/// What a retrieved message turned out to be.
struct RetrievedMessage {
    enum class Kind : std::uint8_t {
        whole,
        damaged, ///< ours, but its content differs from what was sent
        foreign, ///< not of this run
        initial, ///< lay there before: Loadstone's, but nothing that was sent
    };
    Kind kind = Kind::foreign;
    std::uint64_t id = 0; ///< not for foreign and initial ones
    MonoTime at {}; ///< when its last byte had come
};

class DamageExplainer;

/// How one of this run's messages was damaged.
struct Damage {
    std::uint64_t id = 0;
    std::string how;
};

/// Reads messages as POP3 hands them out, finds the token and compares the digest on the fly. Lines that servers put
/// in front (Received, Return-Path, …) are not part of the comparison, nor are empty lines at the end.
class MessageCheck final : public protocol::MessageSink {
public:
    explicit MessageCheck(std::uint32_t run);
    ~MessageCheck() override;

    void begin() override;
    void data(std::string_view text) override;
    void end(MonoTime when) override;

    /// All messages since the last take().
    std::vector<RetrievedMessage> take() { return std::exchange(m_messages, {}); }
    /// From now on messages are kept while they come, up to 256 KB each, so that damage can be explained; null: no longer.
    void explainBy(const DamageExplainer* explainer);
    std::vector<Damage> takeDamages();
    [[nodiscard]] std::uint64_t count() const noexcept { return m_count; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }

private:
    void headerLine(std::string_view line);
    void hash(std::string_view text);

    enum class Part : std::uint8_t { header, body };
    static constexpr std::size_t kMaxHeld = 1024;
    std::uint32_t m_run;
    XXH3_state_s* m_state;
    Part m_part = Part::header;
    bool m_hashing = false;
    bool m_tokenRead = false, m_initial = false;
    MessageToken m_token;
    std::uint64_t m_idFromMessageId = 0;
    bool m_hasMessageId = false;
    std::string m_line; // of the header, in pieces
    std::string m_held; // line ends that may turn out to be the last ones
    std::vector<RetrievedMessage> m_messages;
    struct Explaining;
    std::unique_ptr<Explaining> m_explaining; // apart: every session that is held open has a MessageCheck
    std::uint64_t m_count = 0, m_bytes = 0;
};

/// The digest of a message's pieces, as MessageCheck computes it: all that follows the token's line.
std::uint64_t digestOf(const std::vector<std::string_view>& pieces);

} // namespace loadstone::mail
