// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/recipients.h"
#include "support/catch.h"

#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using plan::RecipientChoice;

namespace {

std::vector<std::uint32_t> draw(RecipientChoice choice, std::uint64_t seed, std::uint32_t mailboxes,
    std::uint32_t sender, std::uint32_t number, unsigned count)
{
    std::vector<std::uint32_t> recipients { 99 }; // what was in it before does not matter
    drawRecipients(choice, seed, mailboxes, sender, number, count, recipients);
    return recipients;
}

} // namespace

TEST_CASE("recipients are distinct mailboxes and never the sender where there are others enough")
{
    for (const RecipientChoice choice : { RecipientChoice::correspondents, RecipientChoice::random })
        for (const std::uint32_t mailboxes : { 1U, 2U, 3U, 4U, 5U, 17U, 100U })
            for (unsigned count = 1; count <= std::min(mailboxes, 6U); ++count)
                for (std::uint32_t sender = 0; sender < mailboxes; ++sender)
                    for (std::uint32_t number = 0; number < 5; ++number) {
                        const auto recipients = draw(choice, 3, mailboxes, sender, number, count);
                        const std::set<std::uint32_t> distinct(recipients.begin(), recipients.end());
                        REQUIRE(recipients.size() == count);
                        REQUIRE(distinct.size() == count);
                        REQUIRE(*distinct.rbegin() < mailboxes);
                        if (mailboxes > count)
                            REQUIRE(distinct.count(sender) == 0);
                        REQUIRE(recipients == draw(choice, 3, mailboxes, sender, number, count));
                    }
    CHECK(draw(RecipientChoice::random, 3, 2, 0, 0, 9).size() == 2); // more than there are
    CHECK(draw(RecipientChoice::random, 3, 0, 0, 0, 3).empty());
    CHECK(draw(RecipientChoice::correspondents, 3, 0, 5, 0, 3).empty());
}

TEST_CASE("correspondents stay the same and every mailbox is written to equally often")
{
    for (const std::uint32_t mailboxes : { 4U, 20U, 100U, 1000U, 4096U })
        for (const std::uint64_t seed : { 1U, 2U, 77U }) {
            std::vector<unsigned> writtenTo(mailboxes);
            for (std::uint32_t sender = 0; sender < mailboxes; ++sender) {
                const auto recipients = draw(RecipientChoice::correspondents, seed, mailboxes, sender, 0, 3);
                CHECK(recipients == draw(RecipientChoice::correspondents, seed, mailboxes, sender, 5, 3));
                for (const std::uint32_t recipient : recipients)
                    ++writtenTo[recipient];
            }
            CHECK(writtenTo == std::vector<unsigned>(mailboxes, 3));
        }
    CHECK(draw(RecipientChoice::correspondents, 1, 1000, 7, 0, 3)
        != draw(RecipientChoice::correspondents, 2, 1000, 7, 0, 3));
}

TEST_CASE("random recipients change with every message and reach every mailbox")
{
    std::vector<unsigned> writtenTo(50);
    std::set<std::vector<std::uint32_t>> sets;
    for (std::uint32_t number = 0; number < 5000; ++number) {
        const auto recipients = draw(RecipientChoice::random, 1, 50, 7, number, 2);
        sets.insert(recipients);
        for (const std::uint32_t recipient : recipients)
            ++writtenTo[recipient];
    }
    CHECK(sets.size() > 1500); // of 49 * 48
    CHECK(writtenTo[7] == 0);
    for (std::uint32_t i = 0; i < 50; ++i)
        if (i != 7)
            CHECK(writtenTo[i] > 120); // 204 on average
}
