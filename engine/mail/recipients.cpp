// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/recipients.h"

#include "base/random.h"

#include <algorithm>
#include <bit>

namespace loadstone::mail {

namespace {

/// A permutation of 0..n-1 drawn from a key: four Feistel rounds on the next even power of two, walked until the
/// result falls within n (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
std::uint32_t permute(std::uint32_t value, std::uint32_t n, std::uint64_t key)
{
    const int half = std::max(1, (static_cast<int>(std::bit_width(std::uint64_t { n - 1 })) + 1) / 2);
    const std::uint64_t mask = (std::uint64_t { 1 } << half) - 1;
    std::uint64_t x = value;
    do {
        std::uint64_t left = x >> half;
        std::uint64_t right = x & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (hashOf({ key, round, right }) & mask);
            left = right;
            right = next;
        }
        x = left << half | right;
    } while (x >= n);
    return static_cast<std::uint32_t>(x);
}

} // namespace

void drawRecipients(plan::RecipientChoice choice, std::uint64_t seed, std::uint32_t mailboxes, std::uint32_t sender,
    std::uint32_t number, unsigned count, std::vector<std::uint32_t>& recipients)
{
    recipients.clear();
    count = std::min<unsigned>(count, mailboxes);
    const bool othersEnough = mailboxes > count;
    Random random(hashOf({ seed, 0x72637074, sender, number }));
    for (unsigned i = 0; i < count; ++i) {
        std::uint32_t candidate = choice == plan::RecipientChoice::correspondents
            ? permute(sender, mailboxes, hashOf({ seed, 0x636f7272, i }))
            : static_cast<std::uint32_t>(random.below(mailboxes));
        while ((candidate == sender && othersEnough)
            || std::find(recipients.begin(), recipients.end(), candidate) != recipients.end())
            candidate = (candidate + 1) % mailboxes;
        recipients.push_back(candidate);
    }
}

} // namespace loadstone::mail
