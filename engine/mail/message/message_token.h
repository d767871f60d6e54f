// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::mail {

/// What the header line `X-Loadstone-Token:` of every message says, so that whoever retrieves it can tell which
/// message it is and whether it is whole without knowing anything else.
struct MessageToken {
    std::uint32_t run = 0; ///< tells the messages of one run from those of another
    std::uint64_t id = 0; ///< sender's mailbox index << 32 | how many messages this mailbox had sent before
    std::uint64_t digest = 0; ///< XXH3-64 of all that follows the token's line, trailing line ends left out

    /// "7f3a01c2-0000002a00000007-1122334455667788-9abc": 8, 16, 16 hex digits and 4 of a check over the rest.
    /// kTokenSize characters.
    void write(char* out) const;
    [[nodiscard]] std::string text() const;
    /// Only what write() writes and whose check is right.
    static std::optional<MessageToken> parse(std::string_view text);
    bool operator==(const MessageToken&) const = default;
};

inline constexpr std::string_view kTokenHeader = "X-Loadstone-Token: ";
/// Stands in its place in what mailboxes were filled with before a run; see InitialMessages.
inline constexpr std::string_view kInitialHeader = "X-Loadstone-Initial: ";
inline constexpr std::size_t kTokenSize = 8 + 1 + 16 + 1 + 16 + 1 + 4;

/// The local part of a message's Message-ID: "7f3a01c2.0000002a00000007". It stands in for a damaged token line.
void appendMessageId(std::string& out, std::uint32_t run, std::uint64_t id);
/// The message's number out of `<…@domain>`; nothing when it is not of this form and run.
std::optional<std::uint64_t> parseMessageId(std::string_view text, std::uint32_t run);

} // namespace loadstone::mail
