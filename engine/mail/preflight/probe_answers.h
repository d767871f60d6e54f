// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the preflight takes from servers' words.
namespace loadstone::mail {

/// The server's lines of a transcript between the client's line that begins with `command` and its next one; empty: the
/// greeting.
std::string answerTo(const std::string& transcript, std::string_view command);
/// The number behind a word: "SIZE 104857600" in an answer to EHLO.
std::optional<std::uint64_t> numberBehind(const std::string& text, std::string_view word);
/// The first line of what a server said, as far as people want to read it.
std::string firstLine(const std::string& text);
/// About how large the plan's largest message is on the wire: attachments grow by a third and some in transfer encoding.
std::uint64_t largestMessage(const plan::MailPlan& plan);

} // namespace loadstone::mail
