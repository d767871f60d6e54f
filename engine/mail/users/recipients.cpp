// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/recipients.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <bit>

namespace loadstone::mail {

namespace {

/// A permutation of 0..n-1 drawn from a key: four Feistel rounds on the next power of two, its bits in two parts that
/// may differ by one, walked until the result falls within n (Black and Rogaway, "Ciphers with Arbitrary Finite
/// Domains", 2002).
class Permutation {
public:
    Permutation(std::uint32_t n, std::uint64_t key)
        : m_n(n)
        , m_key(key)
    {
        const auto bits = static_cast<int>(std::bit_width(std::uint64_t { n - 1 }));
        m_rightBits = (bits + 1) / 2;
        m_masks = { (std::uint64_t { 1 } << (bits - m_rightBits)) - 1,
            (std::uint64_t { 1 } << m_rightBits) - 1 };
    }
    [[nodiscard]] std::uint32_t at(std::uint32_t value) const
    {
        std::uint64_t x = value;
        do {
            std::uint64_t left = x >> m_rightBits;
            std::uint64_t right = x & m_masks[1];
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::uint64_t next = left ^ scramble(round, right);
                left = right;
                right = next;
            }
            x = left << m_rightBits | right;
        } while (x >= m_n);
        return static_cast<std::uint32_t>(x);
    }
    /// The value whose at() is `place`.
    [[nodiscard]] std::uint32_t whereIs(std::uint32_t place) const
    {
        std::uint64_t x = place;
        do {
            std::uint64_t left = x >> m_rightBits;
            std::uint64_t right = x & m_masks[1];
            for (unsigned round = kRounds; round-- > 0;) {
                const std::uint64_t before = right ^ scramble(round, left);
                right = left;
                left = before;
            }
            x = left << m_rightBits | right;
        } while (x >= m_n);
        return static_cast<std::uint32_t>(x);
    }

private:
    static constexpr unsigned kRounds = 4; // even: the parts have their places back at the end
    /// What round `round` changes the one part by, drawn from the other.
    [[nodiscard]] std::uint64_t scramble(unsigned round, std::uint64_t part) const
    {
        return mixBits(m_key + (std::uint64_t { round } << 32) + part) & m_masks[round % 2];
    }
    std::uint32_t m_n;
    std::uint64_t m_key;
    int m_rightBits = 0;
    std::array<std::uint64_t, 2> m_masks {}; // of the part that the even and the odd rounds change
};

/// All mailboxes stand in a circle drawn from the seed, and each writes to those at the same distances ahead of it:
/// so each is written to by exactly as many.
void drawCorrespondents(std::uint64_t seed, std::uint32_t mailboxes, std::uint32_t sender, unsigned count,
    std::vector<std::uint32_t>& recipients)
{
    const Permutation circle(mailboxes, hashOf({ seed, 0x636f7272 }));
    const std::uint32_t place = circle.at(sender);
    const bool othersEnough = mailboxes > count;
    const std::uint32_t distances = othersEnough ? mailboxes - 1 : mailboxes;
    const Permutation distance(distances, hashOf({ seed, 0x64697374 }));
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t ahead = distance.at(i) + (othersEnough ? 1U : 0U);
        recipients.push_back(circle.whereIs(static_cast<std::uint32_t>((place + ahead) % mailboxes)));
    }
}

} // namespace

void drawRecipients(plan::RecipientChoice choice, std::uint64_t seed, std::uint32_t mailboxes,
    std::uint32_t sender, std::uint32_t number, unsigned count, std::vector<std::uint32_t>& recipients)
{
    recipients.clear();
    count = std::min<unsigned>(count, mailboxes);
    if (count == 0)
        return;
    if (choice == plan::RecipientChoice::correspondents)
        return drawCorrespondents(seed, mailboxes, sender, count, recipients);
    const bool othersEnough = mailboxes > count;
    Random random(hashOf({ seed, 0x72637074, sender, number }));
    for (unsigned i = 0; i < count; ++i) {
        auto candidate = static_cast<std::uint32_t>(random.below(mailboxes));
        while ((candidate == sender && othersEnough)
            || std::find(recipients.begin(), recipients.end(), candidate) != recipients.end())
            candidate = (candidate + 1) % mailboxes;
        recipients.push_back(candidate);
    }
}

} // namespace loadstone::mail
