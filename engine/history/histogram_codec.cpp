// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// chunk   := ""                            all histograms are empty
//          | packed(lengths) packed(minima) packed(maxima) packed(sums) packed(buckets)
// lengths := per histogram the varint length of its buckets' bytes, 0 for an empty one
// minima  := per other histogram the zigzag varint of its minimum less the lower bound of its first bucket
// maxima  := likewise of its maximum less the lower bound of its last bucket
// sums    := likewise of its sum less what its buckets' middles come to, plus 1;
//            or 0 and 8 bytes, the sum as a double, where that is not a whole number below 2^53
// buckets := the buckets' bytes one after the other, see metrics/histogram.cpp
// Apart, the columns compress to half of what whole histograms do: the low bits of the sums are noise, and
// the buckets' bytes have few values.
#include "history/histogram_codec.h"

#include "history/bytes.h"

#include <loadstone/histogram.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::history {

namespace {

constexpr char kVersion = 1; // of Histogram::encode()
// No honest histogram's buckets are longer: a head and two varints for each.
constexpr std::size_t kMostBucketBytes = Histogram::kBuckets * 12;

/// What the buckets' bytes say; sums wrap rather than overflow, should a file be damaged.
struct Buckets {
    std::uint64_t count = 0, firstBound = 0, lastBound = 0, sum = 0;
};

/// The middle of each bucket, ns.
const std::array<std::uint64_t, Histogram::kBuckets>& bucketMiddles()
{
    static const auto middles = [] {
        std::array<std::uint64_t, Histogram::kBuckets> all {};
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = (Histogram::lowerBound(i) + Histogram::upperBound(i) - 1) / 2;
        return all;
    }();
    return middles;
}

bool readBuckets(std::string_view bytes, Buckets& out)
{
    const auto& middles = bucketMiddles();
    ByteReader in(bytes);
    std::uint64_t bucket = 0, first = Histogram::kBuckets;
    while (!in.atEnd()) {
        std::uint8_t head = 0;
        std::uint64_t more = 0;
        in.number(head);
        std::uint64_t gap = head >> 4U;
        std::uint64_t n = (head & 15U) + 1U;
        if (gap == 15) {
            if (!in.varint(more) || more > Histogram::kBuckets)
                return false;
            gap += more;
        }
        if ((head & 15U) == 15U) {
            if (!in.varint(more))
                return false;
            n += more;
        }
        bucket += gap;
        if (bucket >= Histogram::kBuckets)
            return false;
        first = std::min(first, bucket);
        out.count += n;
        out.sum += n * middles[bucket];
        ++bucket;
    }
    if (out.count == 0)
        return false;
    out.firstBound = Histogram::lowerBound(first);
    out.lastBound = Histogram::lowerBound(bucket - 1);
    return true;
}

// Differences modulo 2^64: whatever the two are, adding the difference gives the value back.
void putDifference(std::string& out, std::uint64_t value, std::uint64_t from)
{
    putVarint(out, zigzag(static_cast<std::int64_t>(value - from)));
}

bool takeDifference(ByteReader& in, std::uint64_t& value, std::uint64_t from)
{
    std::uint64_t code = 0;
    if (!in.varint(code))
        return false;
    value = from + static_cast<std::uint64_t>(unzigzag(code));
    return true;
}

struct Columns {
    std::string lengths, minima, maxima, sums, buckets;
};

bool split(std::string_view histogram, Columns& columns)
{
    if (histogram.empty()) {
        putVarint(columns.lengths, 0);
        return true;
    }
    ByteReader in(histogram);
    char version = 0;
    std::uint64_t count = 0;
    std::uint64_t minimum = 0;
    std::uint64_t maximum = 0;
    double sum = 0;
    Buckets buckets;
    const bool good = in.number(version) && version == kVersion && in.varint(count) && in.varint(minimum)
        && in.varint(maximum) && in.number(sum) && readBuckets(in.rest(), buckets) && buckets.count == count;
    if (!good)
        return false;
    putVarint(columns.lengths, in.rest().size());
    putDifference(columns.minima, minimum, buckets.firstBound);
    putDifference(columns.maxima, maximum, buckets.lastBound);
    const bool whole = sum >= 0 && sum < 0x1p53 && std::trunc(sum) == sum && buckets.sum < (1ULL << 62U);
    if (whole)
        putVarint(columns.sums,
            zigzag(static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) - buckets.sum)) + 1);
    else {
        putVarint(columns.sums, 0);
        putNumber(columns.sums, sum);
    }
    columns.buckets += in.rest();
    return true;
}

struct ColumnReaders {
    ByteReader lengths, minima, maxima, sums, buckets;
};

bool join(ColumnReaders& columns, std::string& histogram)
{
    std::uint64_t length = 0;
    if (!columns.lengths.varint(length))
        return false;
    if (length == 0)
        return true;
    std::string_view bytes;
    Buckets buckets;
    std::uint64_t minimum = 0;
    std::uint64_t maximum = 0;
    std::uint64_t code = 0;
    double sum = 0;
    if (!columns.buckets.bytes(length, bytes) || !readBuckets(bytes, buckets)
        || !takeDifference(columns.minima, minimum, buckets.firstBound)
        || !takeDifference(columns.maxima, maximum, buckets.lastBound) || !columns.sums.varint(code))
        return false;
    if (code != 0)
        sum = static_cast<double>(buckets.sum + static_cast<std::uint64_t>(unzigzag(code - 1)));
    else if (!columns.sums.number(sum))
        return false;
    histogram.reserve(32 + bytes.size());
    histogram.push_back(kVersion);
    putVarint(histogram, buckets.count);
    putVarint(histogram, minimum);
    putVarint(histogram, maximum);
    putNumber(histogram, sum);
    histogram += bytes;
    return true;
}

} // namespace

Result<std::string> encodeHistograms(std::span<const std::string> histograms)
{
    std::string out;
    if (std::all_of(histograms.begin(), histograms.end(), [](const std::string& h) { return h.empty(); }))
        return out;
    Columns columns;
    for (const std::string& histogram : histograms)
        if (!split(histogram, columns))
            return fail("damaged histogram");
    for (const std::string* column :
        { &columns.lengths, &columns.minima, &columns.maxima, &columns.sums, &columns.buckets })
        putPacked(out, *column);
    return out;
}

Result<std::vector<std::string>> decodeHistograms(std::string_view bytes, std::size_t count)
{
    std::vector<std::string> out(count);
    if (bytes.empty())
        return out;
    const auto damaged = [] { return fail("damaged histograms"); };
    ByteReader in(bytes);
    Columns columns;
    for (const auto& [column, most] :
        { std::pair { &columns.lengths, count * 3 }, std::pair { &columns.minima, count * 10 },
            std::pair { &columns.maxima, count * 10 }, std::pair { &columns.sums, count * 10 },
            std::pair { &columns.buckets, count * kMostBucketBytes } })
        if (!takePacked(in, most, *column))
            return damaged();
    ColumnReaders readers { ByteReader(columns.lengths), ByteReader(columns.minima),
        ByteReader(columns.maxima), ByteReader(columns.sums), ByteReader(columns.buckets) };
    for (std::string& histogram : out)
        if (!join(readers, histogram))
            return damaged();
    const bool all = in.atEnd() && readers.lengths.atEnd() && readers.minima.atEnd() && readers.maxima.atEnd()
        && readers.sums.atEnd() && readers.buckets.atEnd();
    if (!all)
        return damaged();
    return out;
}

} // namespace loadstone::history
