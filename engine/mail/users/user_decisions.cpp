// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/user_decisions.h"

#include "base/random.h"

#include <algorithm>

namespace loadstone::mail {

using plan::ActionKind;

namespace {

struct Choice {
    double share;
    ActionKind kind;
};

/// One of the choices, each with its share of the whole, or none of them.
std::optional<ActionKind> drawOne(Random& random, std::initializer_list<Choice> choices)
{
    double left = random.uniform();
    for (const Choice& choice : choices) {
        if (left < choice.share)
            return choice.kind;
        left -= choice.share;
    }
    return std::nullopt;
}

void addOnce(std::vector<std::uint32_t>& recipients, std::uint32_t user)
{
    if (std::find(recipients.begin(), recipients.end(), user) == recipients.end())
        recipients.push_back(user);
}

/// As a new message is addressed: so many users other than the sender, and perhaps a list.
void drawAddressees(const plan::Addressing& addressing, const DistributionLists& lists, std::uint32_t users,
    std::uint32_t sender, Random& random, std::vector<std::uint32_t>& recipients)
{
    const unsigned others = users - 1;
    while (recipients.size() < std::min(addressing.recipients, others)) {
        const auto drawn = static_cast<std::uint32_t>(random.below(others));
        addOnce(recipients, drawn < sender ? drawn : drawn + 1);
    }
    if (recipients.empty()) // a population of one writes to itself
        recipients.push_back(sender);
    if (lists.count() > 0 && random.uniform() < addressing.listChance)
        for (const std::uint32_t member : lists.members(random.below(lists.count())))
            addOnce(recipients, member);
}

} // namespace

std::size_t drawMessageKind(const std::vector<plan::MessageKind>& kinds, Random& random)
{
    double sum = 0;
    for (const plan::MessageKind& kind : kinds)
        sum += kind.weight;
    double left = random.uniform() * sum;
    for (std::size_t i = 0; i + 1 < kinds.size(); ++i) {
        if (left < kinds[i].weight)
            return i;
        left -= kinds[i].weight;
    }
    return kinds.size() - 1;
}

Fate decideFate(const plan::Reading& shares, std::uint64_t seed, std::uint32_t user, std::uint64_t message,
    std::uint32_t reading)
{
    Random random(hashOf({ seed, 0x66617465, user, message, reading }));
    Fate fate;
    // Each is drawn in every case, so that one share changed in a profile changes nothing else.
    const bool attentive = random.uniform() < shares.attentive;
    const bool loads = random.uniform() < shares.loadAttachment;
    const auto answer = drawOne(random,
        { { shares.reply, ActionKind::reply }, { shares.replyAll, ActionKind::replyAll },
            { shares.forward, ActionKind::forward } });
    const auto disposal = drawOne(random,
        { { shares.remove, ActionKind::deleteMessage }, { shares.move, ActionKind::moveMessage },
            { shares.copy, ActionKind::copyMessage } });
    if (reading == 0 && attentive) {
        fate.loadAttachment = loads;
        fate.answer = answer;
    }
    if (reading == 0 || shares.disposalOf == plan::ReadsMeant::all)
        fate.disposal = disposal;
    return fate;
}

void decideLetter(const plan::Profile& profile, const DistributionLists& lists, std::uint64_t seed,
    std::uint32_t users, const Appointment& action, std::span<const std::uint32_t> everyone, Letter& letter)
{
    const bool answer = action.kind != ActionKind::sendMessage;
    const std::uint64_t cause = answer ? action.message().id : action.number();
    Random random(hashOf({ seed, 0x6c6574746572, action.mailbox, answer, cause }));
    letter.kind = drawMessageKind(profile.messages, random);
    letter.recipients.clear();
    const auto sender = static_cast<std::uint32_t>(action.message().id >> 32);
    const bool toEveryone =
        action.kind == ActionKind::replyAll && profile.reading.replyAllTo == plan::ReplyAllTo::everyone;
    if (action.kind != ActionKind::reply && !toEveryone)
        return drawAddressees(profile.addressing, lists, users, action.mailbox, random, letter.recipients);
    letter.recipients.push_back(sender < users ? sender : action.mailbox);
    if (toEveryone)
        for (const std::uint32_t user : everyone)
            if (user != action.mailbox && user < users)
                addOnce(letter.recipients, user);
}

} // namespace loadstone::mail
