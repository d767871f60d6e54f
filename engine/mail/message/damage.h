// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/message_factory.h"
#include "plan/model/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadstone::mail {

/// Says in which way a message that came back differs from what was sent: makes the original again, from what its own header
/// says of it, and compares. Any thread.
class DamageExplainer {
public:
    /// Something that the plan sends: of a size, or of a kind.
    struct Candidate {
        std::size_t size = 0;
        const plan::MessageKind* kind = nullptr;
    };
    /// `factory` must outlive it.
    DamageExplainer(const MessageFactory& factory, std::vector<Candidate> candidates);
    /// What `plan` sends.
    static std::vector<Candidate> candidatesOf(const plan::MailPlan& plan);

    /// `token`: as it was read. `came`: all that follows the token's line. A sentence without its full stop.
    [[nodiscard]] std::string explain(const MessageToken& token, std::string_view came) const;

private:
    [[nodiscard]] bool makeAgain(
        const MessageToken& token, std::string_view came, std::string& original) const;

    const MessageFactory& m_factory;
    std::vector<Candidate> m_candidates;
};

/// The first difference between what was sent and what came, both without the line ends at their ends: where it is, in bytes
/// from 1 and by line, and both bytes.
std::string firstDifference(std::string_view sent, std::string_view came);

} // namespace loadstone::mail
