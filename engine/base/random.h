// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace loadstone {

/// Mixes 64 bits well (the finaliser of SplitMix64, Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mixBits(std::uint64_t x) noexcept
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// One number from several: every decision of a simulated user is a function of (seed, user, what, how often).
constexpr std::uint64_t hashOf(std::initializer_list<std::uint64_t> parts) noexcept
{
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (std::uint64_t part : parts)
        h = mixBits(h + 0x9e3779b97f4a7c15ULL + part);
    return h;
}

/// A SplitMix64 stream: 64 bits of state, cheap enough to make one per decision. Not for secrets.
class Random {
public:
    using result_type = std::uint64_t;
    explicit constexpr Random(std::uint64_t seed) noexcept
        : m_state(seed)
    {
    }
    static constexpr result_type min() noexcept { return 0; }
    static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
    constexpr result_type operator()() noexcept { return mixBits(m_state += 0x9e3779b97f4a7c15ULL); }

    /// 0 .. bound-1, unbiased enough for bound << 2^64 (multiply-shift); bound > 0.
    constexpr std::uint64_t below(std::uint64_t bound) noexcept
    {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>((*this)()) * bound) >> 64);
    }
    /// [0, 1)
    constexpr double uniform() noexcept { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }
    /// Exponential with the given mean.
    double exponential(double mean) noexcept { return -mean * std::log1p(-uniform()); }
    /// Standard normal (Box and Muller, 1958; one of the pair).
    double normal() noexcept
    {
        const double u = 1.0 - uniform();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * uniform());
    }

private:
    std::uint64_t m_state;
};

} // namespace loadstone
