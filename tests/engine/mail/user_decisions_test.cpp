// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/user_decisions.h"
#include "support/catch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using plan::ActionKind;

namespace {

constexpr std::uint32_t kUsers = 1000;

plan::Profile profile()
{
    plan::Profile result;
    result.addressing = { 3, 0.3, 20, 1, 10, 20 };
    result.messages.resize(3);
    result.messages[0].weight = 6;
    result.messages[1].weight = 3;
    result.messages[2].weight = 1;
    return result;
}

Appointment writing(ActionKind kind, std::uint32_t user, std::uint32_t number, std::uint64_t message = 0)
{
    Appointment action;
    action.kind = kind;
    action.mailbox = user;
    if (kind == ActionKind::sendMessage)
        action.of = TimedAction { .number = number };
    else
        action.of = FollowingAction { .message = { .id = message } };
    return action;
}

} // namespace

TEST_CASE("messages meet their fates in the profile's shares, the same message always the same one")
{
    plan::Reading reading;
    reading.reply = 0.07;
    reading.replyAll = 0.05;
    reading.forward = 0.07;
    reading.remove = 0.4;
    reading.move = 0.2;
    reading.loadAttachment = 0.25;
    reading.attentive = 0.8;
    std::map<ActionKind, double> first, later;
    double loads = 0;
    constexpr std::uint64_t kMessages = 100'000;
    for (std::uint64_t message = 0; message < kMessages; ++message) {
        const Fate fate = decideFate(reading, 9, 4, message, 0);
        const Fate again = decideFate(reading, 9, 4, message, 0);
        REQUIRE((fate.answer == again.answer && fate.disposal == again.disposal
            && fate.loadAttachment == again.loadAttachment));
        loads += fate.loadAttachment;
        if (fate.answer)
            ++first[*fate.answer];
        if (fate.disposal)
            ++first[*fate.disposal];
        const Fate browsed = decideFate(reading, 9, 4, message, 1);
        REQUIRE_FALSE(browsed.answer);
        if (browsed.disposal)
            ++later[*browsed.disposal];
    }
    const auto near = [&](double count, double share) {
        return std::abs(count - share * kMessages) < 4 * std::sqrt(share * kMessages);
    };
    CHECK(near(first[ActionKind::reply], 0.8 * 0.07));
    CHECK(near(first[ActionKind::replyAll], 0.8 * 0.05));
    CHECK(near(first[ActionKind::forward], 0.8 * 0.07));
    CHECK(near(loads, 0.8 * 0.25));
    CHECK(near(first[ActionKind::deleteMessage], 0.4));
    CHECK(near(first[ActionKind::moveMessage], 0.2));
    CHECK(near(later[ActionKind::deleteMessage], 0.4));

    reading.disposalOf = plan::ReadsMeant::firstInInbox;
    CHECK_FALSE(decideFate(reading, 9, 4, 1, 1).disposal);
}

TEST_CASE("new messages go to others, each once, and now and then to a list")
{
    const plan::Profile some = profile();
    const DistributionLists lists(some.addressing, 5, kUsers);
    REQUIRE(lists.count() == 20);
    std::size_t members = 0;
    for (std::size_t list = 0; list < lists.count(); ++list) {
        const auto of = lists.members(list);
        members += of.size();
        CHECK(of.size() >= 1);
        CHECK(of.size() <= 20);
        CHECK(std::set<std::uint32_t>(of.begin(), of.end()).size() == of.size());
    }
    CHECK(members == 200); // ten on average, exactly

    Letter letter;
    double recipients = 0, kinds[3] {};
    constexpr int kLetters = 20'000;
    for (std::uint32_t number = 0; number < kLetters; ++number) {
        decideLetter(
            some, lists, 5, kUsers, writing(ActionKind::sendMessage, number % kUsers, number), {}, letter);
        REQUIRE(letter.recipients.size() >= 3);
        const std::set<std::uint32_t> distinct(letter.recipients.begin(), letter.recipients.end());
        REQUIRE(distinct.size() == letter.recipients.size());
        for (std::size_t i = 0; i < 3; ++i)
            REQUIRE(letter.recipients[i] != number % kUsers);
        recipients += static_cast<double>(letter.recipients.size());
        ++kinds[letter.kind];
    }
    CHECK(std::abs(recipients / kLetters - 6) < 0.15); // 3 + 30 % of 10, a few met twice
    CHECK(std::abs(kinds[0] / kLetters - 0.6) < 0.02);
    CHECK(std::abs(kinds[2] / kLetters - 0.1) < 0.02);
}

TEST_CASE("a reply goes to the sender; a reply to all as the profile says")
{
    plan::Profile some = profile();
    const DistributionLists lists(some.addressing, 5, kUsers);
    const std::uint64_t message = std::uint64_t { 77 } << 32 | 5;
    const std::vector<std::uint32_t> everyone { 4, 9, 12, 900 };
    Letter letter;
    decideLetter(some, lists, 5, kUsers, writing(ActionKind::reply, 9, 0, message), everyone, letter);
    CHECK(letter.recipients == std::vector<std::uint32_t> { 77 });
    decideLetter(some, lists, 5, kUsers, writing(ActionKind::replyAll, 9, 0, message), everyone, letter);
    CHECK(letter.recipients.size() >= 3);
    some.reading.replyAllTo = plan::ReplyAllTo::everyone;
    decideLetter(some, lists, 5, kUsers, writing(ActionKind::replyAll, 9, 0, message), everyone, letter);
    CHECK(letter.recipients == std::vector<std::uint32_t> { 77, 4, 12, 900 }); // all but oneself
    decideLetter(some, lists, 5, 50, writing(ActionKind::reply, 9, 0, message), everyone, letter);
    CHECK(letter.recipients == std::vector<std::uint32_t> { 9 }); // from outside of this mix: to oneself
}
