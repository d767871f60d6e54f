// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/message_check.h"
#include "mail/prepare/preparation_progress.h"
#include "mail/users/initial_messages.h"
#include "mail/users/schedule.h"
#include "support/catch.h"

#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using namespace std::chrono_literals;

namespace {

plan::MailPlan planOf(std::uint64_t seed)
{
    plan::MailPlan plan;
    plan.seed = seed;
    plan.workload.pacing = plan::Pacing::users;
    plan::Profile profile;
    profile.initial = { 3, 2, 4, 5, 0, 0 };
    profile.messages = { { plan::ContentKind::text, 1000, {}, 0, false, 1 },
        { plan::ContentKind::rtf, 3000, plan::ContentKind::sheet, 9000, false, 1 } };
    plan.workload.profile = profile;
    plan.workload.initial = profile.initial;
    plan::Mix mix;
    mix.mailboxesPerClient = 50;
    plan.mixes.push_back(mix);
    return plan;
}

std::string textOf(const InitialMessages& messages, const InitialPlace& place)
{
    Message message;
    messages.make(place, message);
    std::string text;
    for (const std::string_view piece : message.pieces)
        text += piece;
    CHECK(text.size() == message.size);
    return text;
}

} // namespace

TEST_CASE("an initial message is the same in every run of a seed, its own, and tells its place")
{
    const plan::MailPlan plan = planOf(7), other = planOf(8);
    const InitialMessages messages(plan), again(plan), others(other);
    std::set<std::string> texts;
    std::size_t count = 0;
    for (const std::uint32_t user : { 0U, 1U, 49U })
        for (const std::uint16_t folder : { 0, 1, 3, 6 })
            for (std::uint32_t number = 0; number < initialCount(*plan.workload.initial, folder); ++number) {
                const InitialPlace place { user, folder, number };
                const std::string text = textOf(messages, place);
                CHECK(text == textOf(again, place));
                CHECK(text != textOf(others, place));
                texts.insert(text);
                ++count;
                REQUIRE(text.starts_with(kInitialHeader));
                const auto token =
                    MessageToken::parse(std::string_view(text).substr(kInitialHeader.size(), kTokenSize));
                REQUIRE(token);
                CHECK(token->run == initialKey(7));
                CHECK(initialPlaceOf(token->id) == place);
            }
    CHECK(count == 3 * (3 + 2 + 5 + 5));
    CHECK(texts.size() == count);
    CHECK(initialCount(*plan.workload.initial, kSentItems) == 0);
    CHECK(initialCount(*plan.workload.initial, kFirstOwnFolder + 4) == 0);
    const InitialPlace last { (1U << 27U) - 1, 10'002, 999'999 };
    CHECK(initialPlaceOf(initialTokenId(last)) == last);
}

TEST_CASE("who retrieves an initial message takes it for neither one of the run nor a stranger's")
{
    const plan::MailPlan plan = planOf(7);
    const InitialMessages messages(plan);
    MessageCheck check(initialKey(7) + 1);
    check.begin();
    check.data("Received: by a server\r\n" + textOf(messages, { 1, 0, 0 }));
    check.end({});
    check.begin();
    check.data("X-Loadstone-Initial: of somebody else's making\r\n\r\nhello\r\n");
    check.end({});
    const auto found = check.take();
    REQUIRE(found.size() == 2);
    CHECK(found[0].kind == RetrievedMessage::Kind::initial);
    CHECK(found[1].kind == RetrievedMessage::Kind::foreign);
}

TEST_CASE("what fails is visited again after all others, so often and no oftener")
{
    const auto schedule = makeDrainSchedule({ 4, 7 }, 1, 0, plan::ActionKind::initialiseMailbox, 3);
    std::vector<std::uint32_t> visited;
    for (Decision next = schedule->next({}); next.kind == Decision::Kind::act; next = schedule->next({})) {
        visited.push_back(next.action.mailbox);
        CHECK(schedule->next({}).kind == Decision::Kind::idle); // one at a time
        schedule->completed(next.action, next.action.mailbox == 7, {});
    }
    CHECK(visited == std::vector<std::uint32_t> { 4, 7, 4, 4 });
}

TEST_CASE(
    "the time left follows from the messages of the last half minute, and is unknown before there are any")
{
    PreparationProgress progress;
    progress.begin(100, 10, MonoTime(0s));
    CHECK_FALSE(progress.left());
    PreparationTotals counts;
    progress.add(counts, MonoTime(1s));
    CHECK_FALSE(progress.left());
    counts.appended = 49;
    progress.add(counts, MonoTime(5s)); // 4.9 mailboxes in 5 s, none of them done
    REQUIRE(progress.left());
    CHECK(seconds(*progress.left()) == Approx(95.1 / 4.9 * 5));
    counts = {};
    counts.done = 50; // far more than their messages: these were found, and are told when a mailbox is done
    counts.found = 451;
    progress.add(counts, MonoTime(100s));
    progress.add(counts, MonoTime(101s));
    CHECK(progress.totals().done == 100);
    CHECK(progress.toDo() == 0);
    CHECK(seconds(*progress.left()) == Approx(0));
    progress.begin(10, 20, MonoTime(0s)); // of a mailbox 12 messages and 8 appointments and contacts
    counts = {};
    counts.appended = 60;
    counts.entriesMade = 40;
    progress.add(counts, MonoTime(10s));
    CHECK(seconds(*progress.left()) == Approx(10));
}
