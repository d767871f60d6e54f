// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "storage/load/iops_steering.h"
#include "support/catch.h"

#include <cmath>
#include <deque>
#include <vector>

using namespace loadstone;
using storage::IopsSteering;

namespace {

/// I/Os of each minute, where a transaction reads `reads` pages at once and, `delay` later, writes `writes` pages.
std::vector<double> minutes(
    double target, double guess, double reads, double writes, int delay, int length, bool grows)
{
    IopsSteering steering(target, guess * 0.55, guess * 0.45);
    Random random(9);
    std::deque<double> later(static_cast<std::size_t>(delay), 0);
    std::vector<double> result;
    double read = 0, written = 0, transactions = 0, before = 0, credit = 0;
    for (int second = 1; second <= length * 60; ++second) {
        credit += steering.rate();
        const double done = std::floor(credit);
        credit -= done;
        transactions += done;
        const double cost =
            grows ? 1 + 0.3 * second / (length * 60) : 1; // the tree grows, the cache does not
        later.push_back(done * writes * cost);
        read += done * reads * cost * (1 + 0.1 * random.normal());
        written += later.front();
        later.pop_front();
        steering.update(std::chrono::seconds(second), static_cast<std::uint64_t>(read),
            static_cast<std::uint64_t>(written), static_cast<std::uint64_t>(transactions));
        if (second % 60 == 0) {
            result.push_back((read + written - before) / 60);
            before = read + written;
        }
    }
    return result;
}

} // namespace

TEST_CASE("I/Os per second stay within 5 % of their target in every minute after the first ones")
{
    for (const double target : { 100.0, 1000.0, 30000.0 })
        for (const double guess : { 10.0, 65.0, 300.0 })
            for (const int delay : { 0, 5, 30 })
                for (const bool grows : { false, true }) {
                    const auto all = minutes(target, guess, 36, 30, delay, 15, grows);
                    for (std::size_t minute = 3; minute < all.size(); ++minute) {
                        INFO("target " << target << ", guess " << guess << ", writes after " << delay
                                       << " s, minute " << minute);
                        CHECK(all[minute] == Approx(target).epsilon(0.05));
                    }
                }
}

TEST_CASE("a guess of too few writes is put right as soon as more are seen, and nothing is made up for")
{
    // 36 reads and 40 writes, of which the writes come a second later; guessed: 1.15 to 1.
    IopsSteering steering(200, 34.5, 30);
    double read = 0, written = 0, transactions = 0, before = 0;
    for (int second = 1; second <= 180; ++second) {
        written = transactions * 40;
        transactions += steering.rate();
        read = transactions * 36;
        steering.update(std::chrono::seconds(second), static_cast<std::uint64_t>(read),
            static_cast<std::uint64_t>(written), static_cast<std::uint64_t>(transactions));
        if (second % 20 == 0) {
            INFO("second " << second);
            if (second >= 60)
                CHECK((read + written - before) / 20 == Approx(200).epsilon(0.05));
            before = read + written;
        }
    }
}
