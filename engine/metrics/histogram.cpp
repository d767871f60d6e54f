// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Encoded form, all integers as LEB128 varints:
//   histogram := "" | version(1 byte, 1) count min max sum buckets
//   sum       := 8 bytes, IEEE double, little endian
//   buckets   := { head [gap] [n] }, in rising order of buckets, to the end of the bytes
//   head      := 1 byte: high nibble the gap to the previous bucket minus 1 (15: varint gap-15 follows),
//                low nibble the bucket's count minus 1 (15: varint count-16 follows)

#include <loadstone/histogram.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace loadstone {

namespace {

constexpr char kVersion = 1;

void putVarint(std::string& out, std::uint64_t value)
{
    while (value >= 0x80) {
        out.push_back(static_cast<char>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

bool getVarint(std::string_view& in, std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 64 && !in.empty(); shift += 7) {
        const auto byte = static_cast<std::uint8_t>(in.front());
        in.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if ((byte & 0x80U) == 0)
            return true;
    }
    return false;
}

} // namespace

std::size_t Histogram::bucketOf(std::uint64_t ns) noexcept
{
    if (ns < 128)
        return ns;
    const int top = 63 - std::countl_zero(ns); // 7 or more
    if (top >= kTopBit)
        return kBuckets - 1;
    return 128 + 64 * static_cast<std::size_t>(top - 7) + ((ns >> (top - kSubBits)) & 63U);
}

std::uint64_t Histogram::lowerBound(std::size_t bucket) noexcept
{
    if (bucket < 128)
        return bucket;
    const auto octave = (bucket - 128) / 64;
    return (64 + (bucket - 128) % 64) << (octave + 1);
}

std::uint64_t Histogram::upperBound(std::size_t bucket) noexcept
{
    return bucket < 128 ? bucket + 1 : lowerBound(bucket) + (std::uint64_t { 2 } << ((bucket - 128) / 64));
}

void Histogram::record(Nanoseconds latency, std::uint64_t times)
{
    if (times == 0)
        return;
    if (m_buckets.empty())
        m_buckets.resize(kBuckets);
    const std::uint64_t ns = latency.count() < 0 ? 0 : static_cast<std::uint64_t>(latency.count());
    addTo(bucketOf(ns), times);
    m_count += times;
    m_min = std::min(m_min, ns);
    m_max = std::max(m_max, ns);
    m_sum += static_cast<double>(ns) * static_cast<double>(times);
}

void Histogram::merge(const Histogram& other)
{
    if (other.m_count == 0)
        return;
    if (m_buckets.empty())
        m_buckets.resize(kBuckets);
    for (std::size_t i = other.m_lowest; i < other.m_end; ++i)
        m_buckets[i] += other.m_buckets[i];
    m_lowest = std::min(m_lowest, other.m_lowest);
    m_end = std::max(m_end, other.m_end);
    m_count += other.m_count;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
    m_sum += other.m_sum;
}

void Histogram::clear() noexcept
{
    for (std::size_t i = m_lowest; i < m_end; ++i)
        m_buckets[i] = 0;
    m_lowest = kBuckets;
    m_end = 0;
    m_count = 0;
    m_min = ~0ULL;
    m_max = 0;
    m_sum = 0;
}

Nanoseconds Histogram::mean() const noexcept
{
    return Nanoseconds(m_count == 0 ? 0 : std::llround(m_sum / static_cast<double>(m_count)));
}

Nanoseconds Histogram::standardDeviation() const noexcept
{
    if (m_count == 0)
        return {};
    const double mean = m_sum / static_cast<double>(m_count);
    double squares = 0;
    for (std::size_t bucket = m_lowest; bucket < m_end; ++bucket) {
        if (m_buckets[bucket] == 0)
            continue;
        // A bucket of one value is that value; the outermost ones end where the samples do.
        const double low = static_cast<double>(std::max(lowerBound(bucket), m_min));
        const double high =
            static_cast<double>(bucket + 1 == kBuckets ? m_max : std::min(upperBound(bucket) - 1, m_max));
        const double distance = (low + std::max(low, high)) / 2 - mean;
        squares += static_cast<double>(m_buckets[bucket]) * distance * distance;
    }
    return Nanoseconds(std::llround(std::sqrt(squares / static_cast<double>(m_count))));
}

std::uint64_t Histogram::rankOf(double percentile, std::uint64_t count) noexcept
{
    if (count == 0)
        return 0;
    // Nearest rank, in whole numbers: 99.9 / 100 * 1000 is a little more than 999.
    constexpr std::uint64_t kParts = 100'000;
    const auto parts =
        static_cast<std::uint64_t>(std::llround(std::clamp(percentile, 0.0, 100.0) * kParts / 100));
    __extension__ using Wide = unsigned __int128;
    const auto wanted = static_cast<std::uint64_t>((static_cast<Wide>(parts) * count + kParts - 1) / kParts);
    return std::clamp<std::uint64_t>(wanted, 1, count);
}

bool Histogram::isBeyond(double percentile) const
{
    const std::uint64_t rank = rankOf(percentile, m_count);
    return rank < m_count && rank > m_count - m_buckets[kBuckets - 1];
}

Nanoseconds Histogram::percentile(double percentile) const
{
    if (m_count == 0)
        return {};
    const std::uint64_t rank = rankOf(percentile, m_count);
    if (rank == m_count)
        return maximum();
    std::uint64_t seen = 0;
    for (std::size_t i = m_lowest; i < m_end; ++i) {
        seen += m_buckets[i];
        if (seen >= rank) {
            const std::uint64_t middle =
                i + 1 == kBuckets ? lowerBound(i) : (lowerBound(i) + upperBound(i) - 1) / 2;
            return Nanoseconds(std::clamp(middle, m_min, m_max));
        }
    }
    return maximum();
}

LatencySummary Histogram::summary() const
{
    if (m_count == 0)
        return {};
    LatencySummary summary { m_count, mean(), minimum(), maximum(), percentile(50), percentile(95),
        percentile(99), percentile(99.9) };
    summary.atLeast.p50 = isBeyond(50);
    summary.atLeast.p95 = isBeyond(95);
    summary.atLeast.p99 = isBeyond(99);
    summary.atLeast.p999 = isBeyond(99.9);
    return summary;
}

std::string Histogram::encode() const
{
    std::string out;
    if (m_count == 0)
        return out;
    out.push_back(kVersion);
    putVarint(out, m_count);
    putVarint(out, m_min);
    putVarint(out, m_max);
    char sum[sizeof m_sum];
    std::memcpy(sum, &m_sum, sizeof sum);
    out.append(sum, sizeof sum);
    std::size_t next = 0;
    for (std::size_t i = m_lowest; i < m_end; ++i) {
        const std::uint64_t n = m_buckets[i];
        if (n == 0)
            continue;
        const std::size_t gap = i - next;
        const auto gapNibble = std::min<std::size_t>(gap, 15);
        const auto countNibble = std::min<std::uint64_t>(n - 1, 15);
        out.push_back(static_cast<char>(gapNibble << 4 | countNibble));
        if (gapNibble == 15)
            putVarint(out, gap - 15);
        if (countNibble == 15)
            putVarint(out, n - 16);
        next = i + 1;
    }
    return out;
}

Result<Histogram> Histogram::decode(std::string_view bytes)
{
    Histogram result;
    if (auto read = result.mergeEncoded(bytes); !read)
        return read.error();
    return result;
}

Result<void> Histogram::mergeEncoded(std::string_view bytes)
{
    if (bytes.empty())
        return {};
    const auto damaged = [] { return fail("damaged histogram"); };
    if (bytes.front() != kVersion)
        return fail("histogram of an unknown version");
    bytes.remove_prefix(1);
    std::uint64_t count = 0;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    double sum = 0;
    if (!getVarint(bytes, count) || !getVarint(bytes, min) || !getVarint(bytes, max)
        || bytes.size() < sizeof sum)
        return damaged();
    std::memcpy(&sum, bytes.data(), sizeof sum);
    bytes.remove_prefix(sizeof sum);
    if (count > ~m_count) // the totals together must not wrap
        return damaged();
    if (m_buckets.empty())
        m_buckets.resize(kBuckets);
    std::uint64_t bucket = 0;
    std::uint64_t total = 0;
    while (!bytes.empty()) {
        const auto head = static_cast<std::uint8_t>(bytes.front());
        bytes.remove_prefix(1);
        std::uint64_t gap = head >> 4;
        std::uint64_t n = (head & 15U) + 1U;
        std::uint64_t more = 0;
        if (gap == 15) {
            if (!getVarint(bytes, more) || more > kBuckets)
                return damaged();
            gap += more;
        }
        if ((head & 15U) == 15U) {
            if (!getVarint(bytes, more) || more > count)
                return damaged();
            n += more;
        }
        bucket += gap;
        if (bucket >= kBuckets || n > count - total)
            return damaged();
        addTo(bucket++, n);
        total += n;
    }
    const bool sound = total == count && total > 0 && min <= max && max <= 0x7fffffffffffffffULL && sum >= 0
        && sum <= static_cast<double>(count) * static_cast<double>(max) * 1.0001;
    if (!sound)
        return damaged();
    m_count += count;
    m_min = std::min(m_min, min);
    m_max = std::max(m_max, max);
    m_sum += sum;
    return {};
}

bool Histogram::operator==(const Histogram& other) const
{
    if (m_count != other.m_count || m_count == 0)
        return m_count == other.m_count;
    return m_buckets == other.m_buckets && m_min == other.m_min && m_max == other.m_max
        && m_sum == other.m_sum;
}

} // namespace loadstone
